package symbolic

import (
	"errors"
	"fmt"
	"slices"

	"netcov/aig"
	"netcov/kripke/bdd"
	"netcov/kripke/circuit"
	"netcov/kripke/structure"
)

// System is a Kripke structure in symbolic form on two tracks, 2n variables.
// A state is a vector on track 0. Functions may depend on track 1 as well:
// Pre then works on the first vector and leaves the second alone, which is
// PairEX of CKV01 section 3.1.
type System struct {
	Encoding
	Init bdd.Ref // initial states
	// Valid is the set of vectors that are states: all of them for a circuit.
	Valid bdd.Ref
	// Steps are a circuit's fairness constraints, over states and choices.
	Steps []bdd.Ref
	// Positions of the control signals' bits for a circuit, of all bits for a
	// structure: what a mutated state is identified by.
	ControlBits []int

	labels map[string]bdd.Ref
	names  func(bits []bool) string
	// inputText writes a circuit's inputs, given by the values of all bits.
	inputText func(bits []bool) string
	// The reachable states, protected; False until Reached has found them.
	reached bdd.Ref

	// A structure's transitions: its relation and the composition that steps
	// over it.
	relation bdd.Ref
	step     *bdd.Composition
	swap     *bdd.Composition

	// A circuit's transitions: the next-state functions as a substitution, and
	// the conjuncts of the relation for images.
	inputs    bdd.Ref // cube of the inputs and choices on track 0
	choices   bdd.Ref // cube of the choices, on which no set of states depends
	next      *bdd.Renaming
	nextFuncs []bdd.Ref // by bit position; only control bits have one
	image     []imagePart
	splits    int // of an image, before it is a conjunction
	back      *bdd.Renaming
}

// FromStructure encodes each state by its number, in ⌈log2 |W|⌉ bits.
func FromStructure(k *structure.Structure, opt bdd.Options) (*System, error) {
	e := NewEncoding(BitsFor(k.Len()), 2, opt)
	m := e.M
	s := &System{Encoding: e, ControlBits: e.AllBits(), labels: map[string]bdd.Ref{}}
	s.Valid = m.Protect(e.Set(0, structure.FullSet(k.Len())))
	s.Init = m.Protect(e.Set(0, k.InitialSet()))
	for p, name := range k.AP {
		s.labels[name] = m.Protect(e.Set(0, k.Where(p)))
	}
	for i, set := range k.Fair {
		s.labels[structure.FairName(i)] = m.Protect(e.Set(0, set))
	}
	s.relation = m.Protect(e.Relation(0, 1, k))
	s.names = func(bits []bool) string {
		code := 0
		for _, b := range bits {
			code *= 2
			if b {
				code++
			}
		}
		return k.States[code]
	}
	var err error
	if s.step, err = m.NewComposition([]string{"w", "v"}, []string{"w", "u"}, []string{"u", "v"}); err != nil {
		return nil, err
	}
	if s.swap, err = m.NewComposition([]string{"u", ""}, []string{"w", "u"}, []string{"w", ""}); err != nil {
		return nil, err
	}
	m.Collect()
	return s, m.Err()
}

// FromCircuit encodes a state ⟨s, i⟩ by its control and input bits in the ConeOrder, so
// that signals that meet in a function are near each other.
func FromCircuit(c *circuit.Circuit, opt bdd.Options) (*System, error) {
	return FromCircuitOrdered(c, ConeOrder(c), opt)
}

// FromCircuitOrdered is FromCircuit with the bit positions of the registers and
// inputs given.
func FromCircuitOrdered(c *circuit.Circuit, position map[aig.Node]int, opt bdd.Options) (*System, error) {
	if c.Constraint != aig.True {
		return nil, circuit.ErrConstraint
	}
	bits := len(c.Controls) + len(c.Inputs) + len(c.Choices)
	if bits == 0 {
		return nil, errors.New("the circuit has neither registers nor inputs")
	}
	e := NewEncoding(bits, 2, opt)
	m := e.M
	s := &System{Encoding: e, splits: mostSplits, labels: map[string]bdd.Ref{}}
	b := &builder{c: c, e: e, memo: map[aig.Node]bdd.Ref{0: bdd.False}}
	for n, i := range position {
		b.memo[n] = m.Protect(m.Var(e.Var(0, i)))
	}
	isControl := make([]bool, e.Bits)
	next := map[int]bdd.Ref{}
	s.nextFuncs = make([]bdd.Ref, e.Bits)
	s.Valid, s.Init = bdd.True, bdd.True
	for _, r := range c.Controls {
		i := position[r.Lit.Node()]
		isControl[i] = true
		f := b.build(r.Next)
		if r.Lit.Neg() {
			f = f.Not()
		}
		s.nextFuncs[i] = f
		next[e.Var(0, i)] = f
		b.build(r.Reset)
		if m.Err() != nil {
			return nil, fmt.Errorf("register %s: %w", r.Name, m.Err())
		}
	}
	for _, r := range c.Controls { // all is built, so that nothing collects s.Init
		if r.Reset != r.Lit {
			s.Init = m.And(s.Init, m.Iff(b.build(r.Lit), b.build(r.Reset)))
		}
	}
	var choices []int
	for _, x := range c.Choices {
		choices = append(choices, e.Var(0, position[x.Lit.Node()]))
	}
	s.choices = m.Protect(m.Cube(choices...))
	s.Init = m.Protect(m.Exists(s.Init, s.choices))
	var inputVars []int
	for i, control := range isControl {
		if control {
			s.ControlBits = append(s.ControlBits, i)
		} else {
			inputVars = append(inputVars, e.Var(0, i))
		}
	}
	s.inputs = m.Protect(m.Cube(inputVars...))
	s.next = m.NewSubstitution(next)
	for _, sig := range c.Inputs {
		s.labels[sig.Name] = b.build(sig.Lit)
	}
	for _, sig := range c.Controls {
		s.labels[sig.Name] = b.build(sig.Lit)
	}
	for _, sig := range c.Outputs {
		s.labels[sig.Name] = b.build(sig.Lit)
	}
	at := make([]int, len(c.Controls))
	for j, r := range c.Controls {
		at[j] = slices.Index(s.ControlBits, position[r.Lit.Node()])
	}
	s.names = func(bits []bool) string {
		out := make([]bool, len(c.Controls))
		for j, r := range c.Controls {
			out[j] = bits[at[j]] != r.Lit.Neg()
		}
		return c.NameOf(out)
	}
	if len(c.Inputs) > 0 {
		s.inputText = func(bits []bool) string {
			out := make([]bool, len(c.Inputs))
			for j, x := range c.Inputs {
				out[j] = bits[position[x.Lit.Node()]] != x.Lit.Neg()
			}
			return circuit.BitString(out)
		}
	}
	for _, l := range c.Fairness {
		s.Steps = append(s.Steps, m.Protect(b.build(l)))
	}
	for _, f := range s.labels {
		m.Protect(f)
	}
	b.release()
	return s, m.Err()
}

// Order gives each register and input its bit position: registers in the order
// of a depth-first walk through the functions, each before the inputs that
// only it needs.
func Order(c *circuit.Circuit) map[aig.Node]int {
	var roots []aig.Lit
	for _, r := range c.Controls {
		roots = append(roots, r.Lit)
	}
	return ordered(c, roots, true)
}

// ConeOrder is the order of a walk through one next-state function after the other that
// stops at registers; each register follows its function. Where functions scan registers
// and inputs in turns, as a rotating priority does, these stand side by side; in Order the
// registers of a ring come first.
func ConeOrder(c *circuit.Circuit) map[aig.Node]int {
	var roots []aig.Lit
	for _, r := range c.Controls {
		roots = append(roots, r.Next, r.Lit)
	}
	return ordered(c, roots, false)
}

// ordered is the order of a depth-first walk from the roots, through registers or not.
func ordered(c *circuit.Circuit, roots []aig.Lit, through bool) map[aig.Node]int {
	position := map[aig.Node]int{}
	place := func(n aig.Node) {
		if _, ok := position[n]; !ok {
			position[n] = len(position)
		}
	}
	next := map[aig.Node]aig.Lit{}
	for _, r := range c.Controls {
		next[r.Lit.Node()] = r.Next
	}
	for _, o := range c.Outputs {
		roots = append(roots, o.Lit)
	}
	seen := map[aig.Node]bool{}
	for _, root := range roots {
		stack := []aig.Node{root.Node()}
		for len(stack) > 0 {
			n := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if seen[n] {
				continue
			}
			seen[n] = true
			switch c.Graph.Kind(n) {
			case aig.KindInput:
				place(n)
			case aig.KindLatch:
				if place(n); through {
					stack = append(stack, next[n].Node())
				}
			case aig.KindAnd:
				a, b := c.Graph.Fanins(n)
				stack = append(stack, b.Node(), a.Node())
			case aig.KindCut:
				a, _ := c.Graph.Fanins(n)
				stack = append(stack, a.Node())
			}
		}
	}
	for _, i := range slices.Concat(c.Inputs, c.Choices) {
		place(i.Lit.Node())
	}
	return position
}

// builder makes the functions of a circuit's edges over track 0.
type builder struct {
	c    *circuit.Circuit
	e    Encoding
	memo map[aig.Node]bdd.Ref // protected
}

func (b *builder) build(l aig.Lit) bdd.Ref {
	for _, n := range b.c.Graph.Cone(l) {
		if _, ok := b.memo[n]; ok {
			continue
		}
		x, y := b.c.Graph.Fanins(n)
		f := b.edge(x)
		if b.c.Graph.Kind(n) == aig.KindAnd {
			f = b.e.M.And(f, b.edge(y))
		}
		b.memo[n] = b.e.M.Protect(f)
		b.e.M.CollectIfLarge()
	}
	return b.edge(l)
}

func (b *builder) edge(l aig.Lit) bdd.Ref {
	f := b.memo[l.Node()]
	if l.Neg() {
		return f.Not()
	}
	return f
}

func (b *builder) release() {
	for _, f := range b.memo {
		if f != bdd.False {
			b.e.M.Unprotect(f)
		}
	}
}

// Label is the set of states in which a proposition holds.
func (s *System) Label(name string) (bdd.Ref, bool) {
	f, ok := s.labels[name]
	return f, ok
}

// StateName names the state, or the control state, with the given values of
// ControlBits.
func (s *System) StateName(bits []bool) string { return s.names(bits) }

// StateText names a state, given by the values of all bits, as the structure that
// lists the states does.
func (s *System) StateText(bits []bool) string {
	control := make([]bool, len(s.ControlBits))
	for i, b := range s.ControlBits {
		control[i] = bits[b]
	}
	if s.inputText == nil {
		return s.names(control)
	}
	return s.names(control) + "," + s.inputText(bits)
}

// ControlVars lists the variables of the control bits on a track.
func (s *System) ControlVars(track int) []int {
	vs := make([]int, len(s.ControlBits))
	for i, b := range s.ControlBits {
		vs[i] = s.Var(track, b)
	}
	return vs
}

// InputCube is the cube of a circuit's inputs.
func (s *System) InputCube() bdd.Ref { return s.inputs }

// Pick is one state of a set that is not empty.
func (s *System) Pick(f bdd.Ref) bdd.Ref {
	one := bdd.True
	vars := s.Vars(0)
	for i, b := range slices.Backward(s.M.PickOne(f, vars)) {
		one = s.M.And(s.M.Literal(vars[i], b), one)
	}
	if s.step == nil {
		one = s.M.Exists(one, s.choices)
	}
	return one
}

// Pre is the set of states (first vectors, when f depends on track 1) with a
// successor in f.
func (s *System) Pre(f bdd.Ref) bdd.Ref {
	if s.step != nil {
		return s.M.Compose(s.step, s.relation, f)
	}
	return s.PreNext(bdd.True, f, s.next)
}

// Restrict promises that Pre is asked for states of a set only. The set must be
// protected and closed under successors.
func (s *System) Restrict(to bdd.Ref) {
	if s.step == nil {
		return
	}
	old := s.relation
	s.relation = s.M.Protect(s.M.And(old, to))
	s.M.Unprotect(old)
}

// PreNext is Pre of a circuit with the next-state functions of NextWithin, for the steps,
// which are states and choices, of a set.
func (s *System) PreNext(steps, f bdd.Ref, next *bdd.Renaming) bdd.Ref {
	f = s.M.Rename(s.M.Exists(f, s.inputs), next)
	return s.M.AndExists(f, steps, s.choices)
}

// NextWithin makes the next-state functions of a circuit for a Pre that is right
// within a set only, where they are mostly far smaller than everywhere; with bit ≥ 0 that of one
// control bit is a constant. It is nil for a system with a transition relation.
func (s *System) NextWithin(set bdd.Ref, bit int, value bool) *bdd.Renaming {
	if s.step != nil {
		return nil
	}
	next := map[int]bdd.Ref{}
	for _, i := range s.ControlBits {
		next[s.Var(0, i)] = s.nextFuncs[i]
	}
	if bit >= 0 {
		next[s.Var(0, bit)] = bdd.Constant(value)
	}
	return s.M.NewSubstitutionWithin(next, set)
}

// Reached is the set of states reachable from the initial ones, found once.
func (s *System) Reached(report func(step int)) bdd.Ref {
	if s.reached == bdd.False {
		s.reached = s.M.Protect(s.Reachable(s.Init, report))
	}
	return s.reached
}

// Reachable is the set of states reachable from the given ones. The steps are
// reported with the number of the step, when report is not nil. On an
// error of the manager the result means nothing.
func (s *System) Reachable(from bdd.Ref, report func(step int)) bdd.Ref {
	m := s.M
	reached, frontier := from, from
	for step := 1; frontier != bdd.False && m.Err() == nil; step++ {
		if report != nil {
			report(step)
		}
		m.CollectIfLarge(from, reached, frontier)
		frontier = m.Diff(s.Post(frontier), reached)
		reached = m.Or(reached, frontier)
	}
	return reached
}
