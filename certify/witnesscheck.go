package certify

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"netcov/aiger"
)

// CheckWitness checks a witness circuit against a model: that it simulates the
// model (reset, transition, safety), and that its property holds in its initial
// states and is inductive (base, step). Then no bad-state literal of the model is
// ever 1 in a run that keeps the constraints (Yu, Froleyks, Biere, Heljanko,
// "Stratified Certification for k-Induction", FMCAD 2022, section 3).
//
// The names of the witness's inputs and latches map them to the model: "= 6" is
// the input or latch with literal 6. Without any, the first ones are the model's.
// Circuits with several bad-state literals are taken to mean that all are never
// 1; justice and fairness are refused, and so are mappings of gates, which some
// checkers know. It returns nil when everything holds.
func CheckWitness(ctx context.Context, solver Solver, model, witness *aiger.File) error {
	k, err := newSimulation(model, witness)
	if err != nil {
		return err
	}
	k.solver = solver
	for _, check := range []struct {
		name string
		run  func(*simulation) []lit
	}{
		{"reset", (*simulation).reset},
		{"transition", (*simulation).transition},
		{"safety", (*simulation).safety},
		{"base", (*simulation).base},
		{"step", (*simulation).step},
	} {
		k.restart()
		q := query{c: &k.c, kind: k.solver}
		for _, l := range check.run(k) {
			switch l {
			case yes:
				q.cubes = append(q.cubes, nil)
			case no:
			default:
				q.cubes = append(q.cubes, []lit{l})
			}
		}
		sat, err := q.possible(ctx)
		if err != nil {
			return err
		}
		if sat {
			return &WitnessFailure{check.name}
		}
	}
	return nil
}

// WitnessFailure says which check a witness circuit fails: "reset",
// "transition", "safety", "base" or "step".
type WitnessFailure struct{ Check string }

// Error returns one line.
func (f *WitnessFailure) Error() string {
	return fmt.Sprintf("the witness circuit fails the check %q", f.Check)
}

// simulation is a model beside its witness.
type simulation struct {
	solver         Solver
	model, witness *aiger.File
	inputs         []int // by input of the witness: input of the model, or -1
	latches        []int // by latch of the witness: latch of the model, or -1
	gates          map[*aiger.File][]int32
	c              cnf
}

func newSimulation(model, witness *aiger.File) (*simulation, error) {
	for name, f := range map[string]*aiger.File{"model": model, "witness": witness} {
		if len(f.Justice) > 0 || len(f.Fairness) > 0 {
			return nil, fmt.Errorf("the %s has liveness properties, which are not supported in certificates", name)
		}
		if lits, _, _ := f.Properties(); len(lits) == 0 {
			return nil, fmt.Errorf("the %s has no safety property", name)
		}
		if _, err := f.InitialOrder(); err != nil {
			return nil, fmt.Errorf("the %s is not stratified: %w", name, err)
		}
	}
	if strings.Contains(witness.Comment, "MAPPING ") || strings.Contains(witness.Comment, "INTERVENTION ") {
		return nil, errors.New("the witness maps literals in its comment, which is not supported; map inputs and latches by symbols")
	}
	k := &simulation{model: model, witness: witness, gates: map[*aiger.File][]int32{}}
	for _, f := range []*aiger.File{model, witness} {
		k.gates[f] = make([]int32, f.MaxVar+1)
		for i, a := range f.Ands {
			k.gates[f][a.Lhs>>1] = int32(i)
		}
	}
	inputs, latches := map[aiger.Lit]int{}, map[aiger.Lit]int{}
	for i, l := range model.Inputs {
		inputs[l] = i
	}
	for i, l := range model.Latches {
		latches[l.Lit] = i
	}
	var err error
	var some, more bool
	if k.inputs, some, err = mapping(witness.Symbols.Inputs, len(witness.Inputs), inputs, "input"); err != nil {
		return nil, err
	}
	if k.latches, more, err = mapping(witness.Symbols.Latches, len(witness.Latches), latches, "latch"); err != nil {
		return nil, err
	}
	if some || more {
		return k, nil
	}
	for i := range k.inputs {
		if i < len(model.Inputs) {
			k.inputs[i] = i
		}
	}
	for i := range k.latches {
		if i < len(model.Latches) {
			k.latches[i] = i
		}
	}
	return k, nil
}

// mapping reads the names of one table.
func mapping(names aiger.Names, n int, known map[aiger.Lit]int, what string) (to []int, some bool, err error) {
	to = make([]int, n)
	taken := map[int]bool{}
	for i := range to {
		to[i] = -1
		text, ok := strings.CutPrefix(names[i], "=")
		if !ok {
			continue
		}
		l, err := strconv.ParseUint(strings.TrimSpace(text), 10, 32)
		at, ok := known[aiger.Lit(l)]
		if err != nil || !ok {
			return nil, false, fmt.Errorf("%s %d of the witness is named %q, but the model has no such %s", what, i, names[i], what)
		}
		if taken[at] {
			return nil, false, fmt.Errorf("%s %d of the witness is named %q, as another one is", what, i, names[i])
		}
		taken[at], to[i], some = true, at, true
	}
	return to, some, nil
}

func (k *simulation) restart() { k.c = cnf{vars: 1, gates: map[[2]lit]lit{}} }

// circuit is one file at one time, encoded on demand.
type circuit struct {
	f     *aiger.File
	c     *cnf
	lits  []lit   // by variable; 0: not encoded
	gates []int32 // by variable: index into f.Ands
	stack []uint32
}

func (u *circuit) lit(l aiger.Lit) lit {
	root := l >> 1
	if u.lits[root] == 0 {
		u.encode(root)
	}
	return signed(u.lits[root], l)
}

// encode encodes the cone of a gate.
func (u *circuit) encode(root uint32) {
	u.stack = append(u.stack[:0], root)
	for len(u.stack) > 0 {
		v := u.stack[len(u.stack)-1]
		and := u.f.Ands[u.gates[v]]
		a, b := u.lits[and.Rhs0>>1], u.lits[and.Rhs1>>1]
		if a == 0 {
			u.stack = append(u.stack, and.Rhs0>>1)
		}
		if b == 0 && and.Rhs0>>1 != and.Rhs1>>1 {
			u.stack = append(u.stack, and.Rhs1>>1)
		}
		if a == 0 || b == 0 {
			continue
		}
		u.lits[v] = u.c.and(signed(a, and.Rhs0), signed(b, and.Rhs1))
		u.stack = u.stack[:len(u.stack)-1]
	}
}

// circuit prepares a file whose inputs and latches have the given values; 0 is a
// fresh one.
func (k *simulation) circuit(f *aiger.File, input, latch func(i int) lit) *circuit {
	u := &circuit{f: f, c: &k.c, lits: make([]lit, f.MaxVar+1), gates: k.gates[f]}
	u.lits[0] = no
	leaf := func(p lit) lit {
		if p == 0 {
			return k.c.fresh()
		}
		return p
	}
	for i, l := range f.Inputs {
		u.lits[l>>1] = leaf(input(i))
	}
	for i, l := range f.Latches {
		u.lits[l.Lit>>1] = leaf(latch(i))
	}
	return u
}

func open(int) lit { return 0 }

// pair encodes the model at some time, with everything open, and the witness
// beside it: what is mapped has the model's values.
func (k *simulation) pair() (m, w *circuit) {
	m = k.circuit(k.model, open, open)
	w = k.circuit(
		k.witness,
		func(i int) lit {
			if at := k.inputs[i]; at >= 0 {
				return m.lits[k.model.Inputs[at]>>1]
			}
			return 0
		},
		func(i int) lit {
			if at := k.latches[i]; at >= 0 {
				return m.lits[k.model.Latches[at].Lit>>1]
			}
			return 0
		},
	)
	return m, w
}

// assume asserts literals.
func (k *simulation) assume(lits []lit) {
	for _, l := range lits {
		k.c.add(l)
	}
}

func (u *circuit) constraints() []lit {
	var all []lit
	for _, l := range u.f.Constraints {
		all = append(all, u.lit(l))
	}
	return all
}

// bads returns the bad-state literals.
func (u *circuit) bads() []lit {
	lits, _, _ := u.f.Properties()
	var all []lit
	for _, l := range lits {
		all = append(all, u.lit(l))
	}
	return all
}

// maxConjuncts bounds how far good splits a property.
const maxConjuncts = 1 << 14

// good returns literals that together say that no bad-state literal is 1: the
// property, split into its conjuncts, which are easier to prove one by one.
func (u *circuit) good() []lit {
	lits, _, _ := u.f.Properties()
	var work, leaves []aiger.Lit
	for _, l := range lits {
		work = append(work, l^1)
	}
	seen := make(map[aiger.Lit]bool)
	for len(work) > 0 {
		l := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[l] {
			continue
		}
		seen[l] = true
		i := u.gates[l>>1]
		if l&1 == 0 && int(i) < len(u.f.Ands) && u.f.Ands[i].Lhs == l && len(seen) < maxConjuncts {
			work = append(work, u.f.Ands[i].Rhs1, u.f.Ands[i].Rhs0)
		} else {
			leaves = append(leaves, l)
		}
	}
	all := make([]lit, len(leaves))
	for i, l := range leaves {
		all[i] = u.lit(l)
	}
	return all
}

func negated(lits []lit) []lit {
	out := make([]lit, len(lits))
	for i, l := range lits {
		out[i] = -l
	}
	return out
}

// atReset says of latches that they are at their resets.
func (k *simulation) atReset(u *circuit, which func(i int) bool) []lit {
	var all []lit
	for i, l := range u.f.Latches {
		if l.Reset != l.Lit && which(i) {
			all = append(all, k.c.equal(u.lit(l.Lit), u.lit(l.Reset)))
		}
	}
	return all
}

// mapped reports whether a latch of the witness is the model's; shared the same of
// a latch of the model.
func (k *simulation) mapped(i int) bool { return k.latches[i] >= 0 }

func (k *simulation) shared() func(i int) bool {
	is := make([]bool, len(k.model.Latches))
	for _, at := range k.latches {
		if at >= 0 {
			is[at] = true
		}
	}
	return func(i int) bool { return is[i] }
}

// violations drops the literals that are asserted already.
func (k *simulation) violations(consequents, asserted []lit) []lit {
	have := make(map[lit]bool, len(asserted))
	for _, l := range asserted {
		have[l] = true
	}
	var out []lit
	for _, l := range consequents {
		if l != yes && !have[l] {
			out = append(out, -l)
		}
	}
	return out
}

// reset: where the model's shared latches are at their resets and its constraints
// hold, the same is true of the witness.
func (k *simulation) reset() []lit {
	m, w := k.pair()
	given := append(k.atReset(m, k.shared()), m.constraints()...)
	k.assume(given)
	return k.violations(append(k.atReset(w, k.mapped), w.constraints()...), given)
}

// transition: a step of the model's shared latches is one of the witness.
func (k *simulation) transition() []lit {
	m0, w0 := k.pair()
	m1, w1 := k.pair()
	given := append(m0.constraints(), m1.constraints()...)
	given = append(given, w0.constraints()...)
	shared := k.shared()
	for i, l := range k.model.Latches {
		if shared(i) {
			given = append(given, k.c.equal(m1.lit(l.Lit), m0.lit(l.Next)))
		}
	}
	k.assume(given)
	var due []lit
	for i, l := range k.witness.Latches {
		if k.mapped(i) {
			due = append(due, k.c.equal(w1.lit(l.Lit), w0.lit(l.Next)))
		}
	}
	return k.violations(append(due, w1.constraints()...), given)
}

// safety: where the witness is safe, the model is.
func (k *simulation) safety() []lit {
	m, w := k.pair()
	given := append(m.constraints(), w.constraints()...)
	given = append(given, negated(w.bads())...)
	k.assume(given)
	return k.violations(negated(m.bads()), given)
}

// base: the witness is safe in its initial states.
func (k *simulation) base() []lit {
	w := k.circuit(k.witness, open, func(i int) lit {
		if r := k.witness.Latches[i].Reset; r <= 1 {
			return signed(no, r)
		}
		return 0
	})
	given := append(k.atReset(w, func(int) bool { return true }), w.constraints()...)
	k.assume(given)
	return k.violations(w.good(), given)
}

// step: the witness is safe after a step from where it is safe.
func (k *simulation) step() []lit {
	w0 := k.circuit(k.witness, open, open)
	w1 := k.circuit(k.witness, open, func(i int) lit { return w0.lit(k.witness.Latches[i].Next) })
	given := append(w0.constraints(), negated(w0.bads())...)
	given = append(given, w1.constraints()...)
	k.assume(given)
	return k.violations(w1.good(), given)
}
