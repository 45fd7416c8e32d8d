package ctl

import (
	"fmt"

	"netcov/aig"
	"netcov/kripke/circuit"
	"netcov/kripke/structure"
)

// Fair CTL (Emerson and Lei 1986): path quantifiers range over the infinite
// paths on which an invariant constraint always holds and each fairness set is
// met infinitely often, and initial states without such a path are left out. The
// program of a specification speaks of such paths by two more operators,
//
//	eg   some fair path satisfies a always
//	af   every fair path satisfies a at some time
//
// and with fair = eg TRUE, unfair = af FALSE and the constraint c by
//
//	EX f = ex(f & fair)          E[f U g] = E[(f & c) U (g & fair)]
//	AX f = ax(f | unfair)        A[f V g] = A[(f | !c) V (g | unfair)]
//	E[f V g] = eg g | E[(g & c) U (f & g & fair)]
//	A[f U g] = af g & A[(g | !c) V (f | g | unfair)]
//
// Without fairness sets eg and af are plain fixpoints, and all algorithms serve.
// With them they are nested fixpoints, which the graph of the halving cannot
// hold: fairhalving.go halves without it, and Naive and Pairs compute them in every
// mutant anew. The constraint and the fairness sets are the environment's and are
// never flipped; the mutant of a register evaluates them in the states that it goes to.

// A circuit's fairness may read choices. It is met by steps then, not by states, and
// eg is, with EX_F for a step that meets F or, for a set of states, a step from one,
//
//	eg a = νz. a ∧ ⋀ over F of E[z U (z ∧ EX_F z)]

// paths says which paths count, by the names of hidden labels.
type paths struct {
	constraint string // "" without one
	fairness   []string
	steps      int // fairness constraints of a circuit that read choices: its Fairness
}

func (c paths) trivial() bool { return c.constraint == "" && c.sets() == 0 }

// sets is the number of fairness constraints.
func (c paths) sets() int { return len(c.fairness) + c.steps }

// labels lists the hidden labels.
func (c paths) labels() []string {
	if c.constraint == "" {
		return c.fairness
	}
	return append([]string{c.constraint}, c.fairness...)
}

const constraintLabel = "invariant constraint"

// structurePaths are the paths that count in a structure.
func structurePaths(k *structure.Structure) paths {
	var c paths
	for i := range k.Fair {
		c.fairness = append(c.fairness, structure.FairName(i))
	}
	return c
}

// open turns the constraint and the fairness of a circuit into outputs.
func open(c *circuit.Circuit) (*circuit.Circuit, paths, error) {
	var p paths
	if c.Constraint == aig.True && len(c.Fairness) == 0 {
		return c, p, nil
	}
	free := *c
	free.Outputs = append([]circuit.Signal(nil), c.Outputs...)
	if c.Constraint != aig.True {
		p.constraint = constraintLabel
		free.Outputs = append(free.Outputs, circuit.Signal{Name: constraintLabel, Lit: c.Constraint})
	}
	free.Constraint, free.Fairness = aig.True, nil
	for i, l := range c.Fairness {
		if c.ReadsChoices(l) {
			free.Fairness = append(free.Fairness, l)
			continue
		}
		name := structure.FairName(i)
		p.fairness = append(p.fairness, name)
		free.Outputs = append(free.Outputs, circuit.Signal{Name: name, Lit: l})
	}
	p.steps = len(free.Fairness)
	done, err := circuit.New(free)
	if err != nil {
		return nil, p, fmt.Errorf("opening the constraints: %w", err)
	}
	return done, p, nil
}

// side says what a program is for: a claim, which initial states without fair
// path satisfy, or a witness, which they do not.
type side bool

const (
	claim   side = false
	witness side = true
)

// compiler adds instructions to a program, equal ones once.
type compiler struct {
	p     program
	index map[instruction]int32
	paths paths
}

func (c *compiler) add(i instruction) int32 {
	if n, ok := c.index[i]; ok {
		return n
	}
	c.index[i] = int32(len(c.p))
	c.p = append(c.p, i)
	return c.index[i]
}

func (c *compiler) constant(v bool) int32 { return c.add(instruction{op: constant, negated: !v}) }
func (c *compiler) and(a, b int32) int32  { return c.add(instruction{op: and, a: a, b: b}) }
func (c *compiler) or(a, b int32) int32   { return c.add(instruction{op: or, a: a, b: b}) }

// legal is a, where the constraint holds; illegal is a, or that it does not.
func (c *compiler) legal(a int32) int32 {
	if c.paths.constraint == "" {
		return a
	}
	return c.and(a, c.add(instruction{op: literal, atom: c.paths.constraint, hidden: true}))
}

func (c *compiler) illegal(a int32) int32 {
	if c.paths.constraint == "" {
		return a
	}
	return c.or(a, c.add(instruction{op: literal, atom: c.paths.constraint, negated: true, hidden: true}))
}

// globally is E G a over fair paths, eventually A F a.
func (c *compiler) globally(a int32, hidden bool) int32 {
	if c.paths.sets() > 0 {
		return c.add(instruction{op: eg, a: c.legal(a), hidden: hidden})
	}
	return c.add(instruction{op: er, a: c.constant(false), b: c.legal(a), hidden: hidden})
}

func (c *compiler) eventually(a int32, hidden bool) int32 {
	if c.paths.sets() > 0 {
		return c.add(instruction{op: af, a: c.illegal(a), hidden: hidden})
	}
	return c.add(instruction{op: au, a: c.constant(true), b: c.illegal(a), hidden: hidden})
}

// fair is a, in states with a fair path; unfair is a, or that there is none.
func (c *compiler) fair(a int32) int32 {
	if c.paths.trivial() {
		return a
	}
	return c.and(a, c.globally(c.constant(true), true))
}

func (c *compiler) unfair(a int32) int32 {
	if c.paths.trivial() {
		return a
	}
	return c.or(a, c.eventually(c.constant(false), true))
}

// until and release are the operators over fair paths.
func (c *compiler) existsUntil(a, b int32) int32 {
	return c.add(instruction{op: eu, a: c.legal(a), b: c.fair(b)})
}

func (c *compiler) allRelease(a, b int32) int32 {
	return c.add(instruction{op: ar, a: c.illegal(a), b: c.unfair(b)})
}

func (c *compiler) existsRelease(a, b int32) int32 {
	if c.paths.trivial() {
		return c.add(instruction{op: er, a: a, b: b})
	}
	g := c.globally(b, false)
	if c.p[a].op == constant && c.p[a].negated {
		return g
	}
	return c.or(g, c.existsUntil(b, c.and(a, b)))
}

func (c *compiler) allUntil(a, b int32) int32 {
	if c.paths.trivial() {
		return c.add(instruction{op: au, a: a, b: b})
	}
	f := c.eventually(b, false)
	if c.p[a].op == constant && !c.p[a].negated {
		return f
	}
	return c.and(f, c.allRelease(b, c.or(a, b)))
}

// globally is the set of states with a path that stays in a set and meets each
// fairness constraint infinitely often.
func (c *checker) globally(m *mutant, out, a structure.Set) {
	if c.z == nil {
		c.z, c.t = structure.NewSet(c.f.states), structure.NewSet(c.f.states)
	}
	copy(out, a)
	for {
		before := out.Count()
		for k := range len(c.f.fairness) + c.f.steps {
			if n := k - len(c.f.fairness); n >= 0 {
				c.next(m, c.t, out, 1<<n)
			} else {
				c.next(m, c.t, out, 0)
				c.t.Intersect(c.f.labels[c.f.fairness[k]])
			}
			c.t.Intersect(out)
			c.existsUntil(m, c.z, out, c.t)
			out.Intersect(c.z)
		}
		if out.Count() == before {
			return
		}
	}
}
