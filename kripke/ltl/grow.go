package ltl

import (
	"context"
	"slices"
	"strings"
	"time"

	"netcov/aig"
	"netcov/kripke/automaton"
	"netcov/kripke/bdd"
	"netcov/kripke/circuit"
	"netcov/proof"
	"netcov/sat"
)

// A state that is covered is grown to a cube of states. On its run, what follows the flip
// is a function of the registers in the step of the flip, when the inputs and the
// automaton's moves stay: whether the specification is violated. The graph of this
// function, unrolled and hashed, is evaluated with three values, and registers whose
// value does not matter leave the cube, one after the other. What the proof of the
// specification says of all states that runs reach is used as well: the core of "the
// invariant, the cube, and no violation" is the cube, made as small as it can be.
//
// In each state of the cube that a run reaches with the automaton in the same state, the
// flip is noticed. Where the automaton may wait in its initial state for as long as it
// likes, that is every reachable state of the cube. It may where an edge leads from
// there to itself under all letters that the design shows, as it does for `G p` and all
// formulas whose violation may begin at any time; one check of the design tells.

// Cube is a set of control states: those in which some registers have some values.
type Cube struct {
	Registers []int // positions in the circuit's Controls
	Values    []bool
	// Whole tells that all reachable states of the cube are covered. Otherwise those
	// are that a run reaches with the automaton in the state with the code Automaton.
	Whole     bool
	Automaton int
}

// Has reports whether a control state is in the cube.
func (q *Cube) Has(state []bool) bool {
	for i, r := range q.Registers {
		if state[r] != q.Values[i] {
			return false
		}
	}
	return true
}

// Text writes the cube as literals.
func (q *Cube) Text(c *circuit.Circuit) string {
	if len(q.Registers) == 0 {
		return "TRUE"
	}
	var parts []string
	for i, r := range q.Registers {
		name := c.Controls[r].Name
		if !q.Values[i] {
			name = "!" + name
		}
		parts = append(parts, name)
	}
	return strings.Join(parts, " & ")
}

// edges are the cube's literals over the given registers.
func (q *Cube) edges(registers []aig.Lit) []aig.Lit {
	var out []aig.Lit
	for i, r := range q.Registers {
		out = append(out, registers[r].XorSign(!q.Values[i]))
	}
	return out
}

// mostUnrolled bounds the gates that are unrolled for one cube, mostTried the gates
// that are evaluated to shrink it.
const (
	mostUnrolled = 1 << 22
	mostTried    = 1 << 28
)

// single is the cube of one state.
func single(state []bool) Cube {
	q := Cube{Values: state, Whole: true}
	for i := range state {
		q.Registers = append(q.Registers, i)
	}
	return q
}

// grow finds a cube around a covered state.
func (s *satSearch) grow(ctx context.Context, v *violation) (Cube, error) {
	single := single(v.state)
	if s.kind != NodeCoverage || startsAlone(s.c, s.a.AP) || v.run.Loop < v.at {
		return single, nil
	}
	if s.plain == nil {
		var err error
		if s.plain, err = instrument(s.c, s.a, s.kind, s.flip, nil); err != nil {
			return single, err
		}
	}
	u := unrolling{ins: s.plain, v: v, g: aig.NewGraph(), finite: s.finite()}
	good, ok := u.run()
	if !ok {
		return single, nil
	}
	kept := implicant(u.g, good, u.free, v.state)
	if kept == nil {
		return single, nil
	}
	if err := s.shrink(ctx, &u, good, v, kept); err != nil {
		return single, err
	}
	cube := Cube{Automaton: v.auto}
	if len(s.a.Initial) == 1 && v.auto == s.a.Initial[0]+1 {
		cube.Whole = s.mayWait(ctx)
	}
	for i, keep := range kept {
		if keep {
			cube.Registers, cube.Values = append(cube.Registers, i), append(cube.Values, v.state[i])
		}
	}
	return cube, nil
}

// shrink leaves registers out that the invariant of the specification's proof makes
// needless.
func (s *satSearch) shrink(ctx context.Context, u *unrolling, good aig.Lit, v *violation, kept []bool) error {
	if s.invariant == nil || s.invariant.Graph != nil {
		return nil
	}
	for _, r := range u.ins.Circuit.Controls {
		if r.Reset != r.Lit && r.Reset.Node() != aig.False.Node() {
			return nil // the proof's model has a register more, which tells the first step
		}
	}
	t := tseitin{g: u.g, s: proof.NewCDCL(proof.Options{})}
	t.encode(good)
	t.s.AddClause(t.lit(good.Not()))
	for _, c := range s.invariant.Clauses {
		var clause []sat.Lit
		holds := false
		for _, l := range c {
			switch i := l.Latch(); {
			case i < len(u.free):
				t.encode(u.free[i])
				clause = append(clause, t.lit(u.free[i].XorSign(l.Neg())))
			case v.there[i+1] != l.Neg(): // the flip's own register comes before the automaton's
				holds = true
			}
		}
		if !holds {
			t.s.AddClause(clause...)
		}
	}
	of := map[sat.Lit]int{}
	for i, keep := range kept {
		if keep {
			t.encode(u.free[i])
			of[t.lit(u.free[i].XorSign(!v.state[i]))] = i
		}
	}
	var left []sat.Lit
	for l := range of {
		left = append(left, l)
	}
	slices.SortFunc(left, func(a, b sat.Lit) int { return of[a] - of[b] })
	// Blocks of literals leave, large ones first; of what is left the core stays.
	for block := len(left); block > 0; block /= 2 {
		for at := 0; at < len(left); {
			fewer := slices.Delete(slices.Clone(left), at, min(at+block, len(left)))
			if t.s.Solve(ctx, fewer...) == sat.Unsat {
				failed := t.s.Failed()
				left = slices.DeleteFunc(fewer, func(l sat.Lit) bool { return !slices.Contains(failed, l) })
			} else if at += block; ctx.Err() != nil {
				return ctx.Err()
			}
		}
	}
	clear(kept)
	for _, l := range left {
		kept[of[l]] = true
	}
	return nil
}

// tseitin hands edges of a graph to a SAT solver.
type tseitin struct {
	g    *aig.Graph
	s    *proof.CDCL
	lits map[aig.Node]sat.Lit
}

func (t *tseitin) lit(l aig.Lit) sat.Lit { return t.lits[l.Node()].XorSign(l.Neg()) }

func (t *tseitin) encode(root aig.Lit) {
	if t.lits == nil {
		zero := sat.MkLit(t.s.NewVar(), false)
		t.s.AddClause(zero.Not())
		t.lits = map[aig.Node]sat.Lit{0: zero}
	}
	for _, n := range t.g.Cone(root) {
		if _, ok := t.lits[n]; ok {
			continue
		}
		v := sat.MkLit(t.s.NewVar(), false)
		t.lits[n] = v
		if t.g.Kind(n) == aig.KindAnd {
			a, b := t.g.Fanins(n)
			x, y := t.lit(a), t.lit(b)
			t.s.AddClause(v.Not(), x)
			t.s.AddClause(v.Not(), y)
			t.s.AddClause(v, x.Not(), y.Not())
		}
	}
}

// waitTime bounds the check of mayWait.
const waitTime = 10 * time.Second

// mayWait reports whether the automaton may stay in its only initial state on all runs of
// the design; false where that is not known.
func (s *satSearch) mayWait(ctx context.Context) bool {
	if s.waits != nil {
		return *s.waits
	}
	stay := bdd.False
	for _, e := range s.a.Edges[s.a.Initial[0]] {
		if e.To == s.a.Initial[0] {
			stay = s.a.Guards.Or(stay, e.Guard)
		}
	}
	waits := stay == bdd.True
	if !waits {
		ctx, cancel := context.WithTimeout(ctx, waitTime)
		defer cancel()
		leaves := &automaton.Automaton{
			AP: s.a.AP, Guards: s.a.Guards, Initial: []int{0}, Sets: 1,
			Edges: [][]automaton.Edge{{{Guard: bdd.True, To: 0}, {Guard: stay.Not(), To: 1}}, {{Guard: bdd.True, To: 1, Acc: 1}}},
		}
		p := NewSAT(s.c, leaves)
		run, err := p.Holds(ctx)
		waits = err == nil && run == nil
		s.leaves = p.proof
	}
	s.waits = &waits
	return waits
}

// startsAlone reports whether some control state may be initial under some inputs only,
// which the circuit or the specification read.
func startsAlone(c *circuit.Circuit, atoms []string) bool {
	var resets, others []aig.Lit
	for _, r := range c.Controls {
		resets, others = append(resets, r.Reset), append(others, r.Next)
	}
	for _, o := range c.Outputs {
		others = append(others, o.Lit)
	}
	for _, name := range atoms {
		l, _ := c.Lit(name)
		others = append(others, l)
	}
	others = append(append(others, c.Fairness...), c.Constraint)
	read := c.Graph.Cone(others...)
	return slices.ContainsFunc(c.Graph.Cone(resets...), func(n aig.Node) bool {
		return c.Graph.Kind(n) == aig.KindInput && slices.Contains(read, n)
	})
}

// unrolling is a run from the step of the flip on, as functions of the registers there.
type unrolling struct {
	ins    *Instrumented
	v      *violation
	finite bool
	g      *aig.Graph
	free   []aig.Lit // the system's registers in the step of the flip
}

// run is the condition under which the run violates the specification; false when it is
// too large.
func (u *unrolling) run() (aig.Lit, bool) {
	c := u.ins.Circuit
	now := make([]aig.Lit, len(c.Controls))
	for i, value := range u.v.there {
		now[i] = aig.False.XorSign(value)
	}
	for i := range u.ins.State {
		now[i] = u.g.Input()
		u.free = append(u.free, now[i])
	}
	roots := append([]aig.Lit{u.ins.Win, c.Constraint}, c.Fairness...)
	for _, r := range c.Controls {
		roots = append(roots, r.Next)
	}
	cone := c.Graph.Cone(roots...)
	last := len(u.v.run.Steps) - 1
	if len(cone)*(last-u.v.at+2) > mostUnrolled {
		return 0, false
	}
	good := aig.True
	met := make([]aig.Lit, len(c.Fairness))
	value := make([]aig.Lit, c.Graph.Size())
	edge := func(l aig.Lit) aig.Lit { return value[l.Node()].XorSign(l.Neg()) }
	var back []aig.Lit // the registers where the loop begins
	for t := u.v.at; t <= last; t++ {
		if t == u.v.run.Loop {
			back = slices.Clone(now)
		}
		for i, r := range c.Controls {
			value[r.Lit.Node()] = now[i].XorSign(r.Lit.Neg())
		}
		for i, s := range c.Inputs {
			value[s.Lit.Node()] = aig.False.XorSign(u.v.inputs[t][i] != s.Lit.Neg())
		}
		for _, n := range cone {
			switch x, y := c.Graph.Fanins(n); c.Graph.Kind(n) {
			case aig.KindAnd:
				value[n] = u.g.And(edge(x), edge(y))
			case aig.KindCut:
				value[n] = edge(x)
			}
		}
		good = u.g.And(good, edge(c.Constraint))
		if t >= u.v.run.Loop {
			for k, f := range c.Fairness {
				met[k] = u.g.Or(met[k], edge(f))
			}
		}
		if u.finite && t == last {
			return u.g.And(good, edge(u.ins.Win)), true
		}
		for i, r := range c.Controls {
			now[i] = edge(r.Next)
		}
	}
	for _, m := range met {
		good = u.g.And(good, m)
	}
	for _, i := range u.ins.needed() {
		good = u.g.And(good, u.g.Xor(now[i], back[i]).Not())
	}
	return good, true
}

// implicant tells which of the inputs must keep their values for an edge to be true; nil
// when it is not true at all.
func implicant(g *aig.Graph, good aig.Lit, inputs []aig.Lit, values []bool) []bool {
	const zero, one, unknown = 1, 2, 3 // sets of values
	cone := g.Cone(good)
	value := make([]uint8, g.Size())
	value[0] = zero
	kept := make([]bool, len(inputs))
	at := map[aig.Node]int{}
	for i, l := range inputs {
		at[l.Node()] = i
	}
	edge := func(l aig.Lit) uint8 {
		v := value[l.Node()]
		if l.Neg() {
			v = v>>1 | v<<1&2
		}
		return v
	}
	holds := func() bool {
		for _, n := range cone {
			if i, ok := at[n]; ok {
				switch {
				case !kept[i]:
					value[n] = unknown
				case values[i]:
					value[n] = one
				default:
					value[n] = zero
				}
			} else if g.Kind(n) == aig.KindAnd {
				x, y := g.Fanins(n)
				a, b := edge(x), edge(y)
				value[n] = (a|b)&zero | a&b&one
			}
		}
		return edge(good) == one
	}
	var support []int
	for _, n := range cone {
		if i, ok := at[n]; ok {
			kept[i] = true
			support = append(support, i)
		}
	}
	if !holds() {
		return nil
	}
	for tried, n := 0, 0; n < len(support) && tried < mostTried; n++ {
		kept[support[n]] = false
		if tried += len(cone); !holds() {
			kept[support[n]] = true
		}
	}
	return kept
}
