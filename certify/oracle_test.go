package certify

import (
	"math/rand/v2"

	"netcov/aig"
	"netcov/aiger"
	"netcov/cert"
	"netcov/mutant"
)

// randomFile makes a small file with constraints, several properties, all kinds
// of resets, and gates in any order.
func randomFile(r *rand.Rand) *aiger.File {
	f := &aiger.File{}
	v := func() aiger.Lit { f.MaxVar++; return 2 * f.MaxVar }
	lits := []aiger.Lit{0}
	pick := func() aiger.Lit { return lits[r.IntN(len(lits))] ^ aiger.Lit(r.IntN(2)) }
	for range r.IntN(3) {
		f.Inputs = append(f.Inputs, v())
		lits = append(lits, 2*f.MaxVar)
	}
	for range 1 + r.IntN(4) {
		l := v()
		f.Latches = append(f.Latches, aiger.Latch{Lit: l})
		lits = append(lits, l)
	}
	// Reset functions read inputs, earlier latches, and the first gates.
	early := append([]aiger.Lit(nil), lits[:1+len(f.Inputs)]...)
	for i := range f.Latches {
		l := &f.Latches[i]
		switch r.IntN(6) {
		case 0, 1:
			l.Reset = 1
		case 2:
			l.Reset = l.Lit
		case 3:
			for range r.IntN(3) {
				g := aiger.And{Lhs: v(), Rhs0: early[r.IntN(len(early))] ^ aiger.Lit(r.IntN(2)), Rhs1: early[r.IntN(len(early))] ^ aiger.Lit(r.IntN(2))}
				f.Ands = append(f.Ands, g)
				early = append(early, g.Lhs)
				lits = append(lits, g.Lhs)
			}
			l.Reset = early[r.IntN(len(early))] ^ aiger.Lit(r.IntN(2))
		}
		early = append(early, l.Lit)
	}
	for range r.IntN(12) {
		g := aiger.And{Lhs: v(), Rhs0: pick(), Rhs1: pick()}
		f.Ands = append(f.Ands, g)
		lits = append(lits, g.Lhs)
	}
	for i := range f.Latches {
		f.Latches[i].Next = pick()
	}
	for range 1 + r.IntN(2) {
		if r.IntN(2) == 0 {
			f.Bads = append(f.Bads, pick())
		} else {
			f.Outputs = append(f.Outputs, pick())
		}
	}
	for range max(0, r.IntN(4)-1) {
		f.Constraints = append(f.Constraints, pick())
	}
	if r.IntN(2) == 0 { // the file's own order of gates is another one
		f.AndPos = make([]uint32, len(f.Ands))
		for i, p := range r.Perm(len(f.Ands)) {
			f.AndPos[i] = uint32(p)
		}
	}
	return f
}

// oracle evaluates one mutant of a file by the definition.
type oracle struct {
	f        *aiger.File
	m        *Mutation // nil: the design itself
	mutated  uint32    // its variable
	property int
}

func newOracle(f *aiger.File, property int, m *Mutation) *oracle {
	o := &oracle{f: f, m: m, property: property}
	if m != nil && !m.Gate {
		o.mutated = f.Latches[m.Index].Lit >> 1
	} else if m != nil {
		for i, a := range f.Ands {
			if f.AndPosition(i) == m.Index {
				o.mutated = a.Lhs >> 1
			}
		}
	}
	return o
}

// values evaluates a frame. state has one value a latch and a last one that
// tells the first frame, in which latches with reset functions read by these.
func (o *oracle) values(state []bool, in int, free bool, faulty bool) []bool {
	f := o.f
	val := make([]bool, f.MaxVar+1)
	read := func(l aiger.Lit) bool { return val[l>>1] != (l&1 == 1) }
	for i, l := range f.Inputs {
		val[l>>1] = in>>i&1 == 1
	}
	first := state[len(f.Latches)]
	var zero []bool
	for i, l := range f.Latches {
		v := l.Lit >> 1
		switch {
		case first && l.Reset <= 1:
			val[v] = state[i]
		case first && l.HasResetFunction():
			if zero == nil {
				zero = o.atZero(state, in)
			}
			val[v] = zero[v]
		default:
			val[v] = state[i]
		}
		if faulty && v == o.mutated && o.place() == mutant.AtOutput {
			val[v] = o.forced(free, first, val[v], false, false)
		}
	}
	for _, a := range f.Ands {
		v := a.Lhs >> 1
		val[v] = read(a.Rhs0) && read(a.Rhs1)
		if faulty && v == o.mutated && (o.place() == mutant.AtOutput || !first) {
			val[v] = o.forced(free, first, val[v], read(a.Rhs0), read(a.Rhs1))
		}
	}
	return val
}

// forced is what stands for a value.
func (o *oracle) forced(free, first, value, a, b bool) bool {
	switch o.m.Fault {
	case mutant.Zero:
		return false
	case mutant.One:
		return true
	case mutant.Nondet:
		return free
	case mutant.Reset:
		return value != first
	case mutant.Or:
		return a || b
	case mutant.Input0:
		return b
	case mutant.Input1:
		return a
	}
	return !value // inverted
}

// place is where the fault stands: a wrong reset value is read of the register.
func (o *oracle) place() mutant.Mux {
	if o.m.Fault == mutant.Reset {
		return mutant.AtOutput
	}
	return o.m.Mux
}

// atZero computes the unmutated values at time 0 by repeated evaluation.
func (o *oracle) atZero(state []bool, in int) []bool {
	f := o.f
	val := make([]bool, f.MaxVar+1)
	read := func(l aiger.Lit) bool { return val[l>>1] != (l&1 == 1) }
	for i, l := range f.Inputs {
		val[l>>1] = in>>i&1 == 1
	}
	for range len(f.Latches) + 1 {
		for i, l := range f.Latches {
			switch {
			case l.Reset <= 1:
				val[l.Lit>>1] = l.Reset == 1
			case l.Reset == l.Lit:
				val[l.Lit>>1] = state[i]
			default:
				val[l.Lit>>1] = read(l.Reset)
			}
		}
		for _, a := range f.Ands {
			val[a.Lhs>>1] = read(a.Rhs0) && read(a.Rhs1)
		}
	}
	return val
}

// step evaluates a frame of the mutant: constraints, bad, and what is stored
// after it.
func (o *oracle) step(state []bool, in int, free bool) (ok, bad bool, next []bool) {
	val := o.values(state, in, free, o.m != nil)
	read := func(l aiger.Lit) bool { return val[l>>1] != (l&1 == 1) }
	ok = true
	for _, c := range o.f.Constraints {
		ok = ok && read(c)
	}
	bads, _, _ := o.f.Properties()
	bad = read(bads[o.property])
	next = make([]bool, len(o.f.Latches)+1)
	for i, l := range o.f.Latches {
		next[i] = read(l.Next)
		if o.m != nil && o.place() == mutant.AtNext && l.Lit>>1 == o.mutated {
			next[i] = o.forced(free, state[len(o.f.Latches)], next[i], false, false)
		}
	}
	return ok, bad, next
}

// frees lists the free values that matter: both for nondet.
func (o *oracle) frees() []bool {
	if o.m != nil && o.m.Fault.Free() {
		return []bool{false, true}
	}
	return []bool{false}
}

// each calls do for each input and free value, until it returns true.
func (o *oracle) each(do func(in int, free bool) bool) bool {
	for in := range 1 << len(o.f.Inputs) {
		for _, free := range o.frees() {
			if do(in, free) {
				return true
			}
		}
	}
	return false
}

// allowed reports whether some input satisfies the constraints in a state.
func (o *oracle) allowed(state []bool) bool {
	return o.each(func(in int, free bool) bool {
		ok, _, _ := o.step(state, in, free)
		return ok
	})
}

// initials lists the initial states, "first frame" included.
func (o *oracle) initials() [][]bool {
	all := [][]bool{{}}
	for _, l := range o.f.Latches {
		var more [][]bool
		for _, s := range all {
			s = s[:len(s):len(s)]
			if l.Reset != 1 {
				more = append(more, append(s, false))
			}
			if l.Reset == 1 || l.Reset == l.Lit {
				more = append(more, append(s, true))
			}
		}
		all = more
	}
	for i, s := range all {
		all[i] = append(s[:len(s):len(s)], true)
	}
	return all
}

func code(state []bool) int {
	c := 0
	for i, b := range state {
		if b {
			c |= 1 << i
		}
	}
	return c
}

func decode(c, n int) []bool {
	s := make([]bool, n)
	for i := range s {
		s[i] = c>>i&1 == 1
	}
	return s
}

// fails tells which conditions an invariant fails on the mutant.
func (o *oracle) fails(inv *cert.Invariant) map[Condition]bool {
	failed := map[Condition]bool{}
	for _, s := range o.initials() {
		if !inv.Holds(s) && (len(o.f.Constraints) == 0 || o.allowed(s)) {
			failed[Initiation] = true
		}
	}
	n := len(o.f.Latches) + 1
	for c := range 1 << n {
		s := decode(c, n)
		if !inv.Holds(s) {
			continue
		}
		o.each(func(in int, free bool) bool {
			ok, bad, next := o.step(s, in, free)
			if ok && bad {
				failed[Safety] = true
			}
			if ok && !inv.Holds(next) && o.allowed(next) {
				failed[Consecution] = true
			}
			return false
		})
	}
	return failed
}

// search explores the mutant. It returns the reachable states (by code), and a
// shortest counterexample or nil; with nondet its rows end in the free value.
func (o *oracle) search() (reached map[int]bool, tr *cert.Trace) {
	type move struct {
		from int // -1: initial
		in   int
		free bool
	}
	n := len(o.f.Latches) + 1
	by := map[int]move{}
	var queue []int
	for _, s := range o.initials() {
		by[code(s)] = move{from: -1}
		queue = append(queue, code(s))
	}
	var end *move
	for len(queue) > 0 {
		c := queue[0]
		queue = queue[1:]
		o.each(func(in int, free bool) bool {
			ok, bad, next := o.step(decode(c, n), in, free)
			if !ok {
				return false
			}
			if bad && end == nil {
				end = &move{c, in, free}
			}
			if _, known := by[code(next)]; !known {
				by[code(next)] = move{c, in, free}
				queue = append(queue, code(next))
			}
			return false
		})
	}
	reached = map[int]bool{}
	for c := range by {
		reached[c] = true
	}
	if end == nil {
		return reached, nil
	}
	tr = &cert.Trace{}
	at := *end
	for {
		row := decode(at.in, len(o.f.Inputs))
		if o.m != nil && o.m.Fault.Free() {
			row = append(row, at.free)
		}
		tr.Inputs = append([][]bool{row}, tr.Inputs...)
		if by[at.from].from < 0 {
			tr.Latches = decode(at.from, n)
			return reached, tr
		}
		at = by[at.from]
	}
}

// run replays a trace by the definition.
func (o *oracle) run(tr *cert.Trace) bool {
	state := append([]bool(nil), tr.Latches...)
	for _, row := range tr.Inputs {
		free := len(row) > len(o.f.Inputs) && row[len(o.f.Inputs)]
		ok, bad, next := o.step(state, code(row[:len(o.f.Inputs)]), free)
		if !ok {
			return false
		}
		if bad {
			return true
		}
		state = next
	}
	return false
}

// allMutations lists every mutant of a file, for one place of the multiplexer, but those
// that remember: see TestMissed.
func allMutations(f *aiger.File, mux mutant.Mux) []Mutation {
	var ms []Mutation
	add := func(m Mutation) {
		if Has(f, m) && !m.Fault.Remembers() {
			ms = append(ms, m)
		}
	}
	for _, fault := range mutant.Faults() {
		for i := range f.Latches {
			add(Mutation{Index: i, Fault: fault, Mux: mux})
		}
		for i := range f.Ands {
			add(Mutation{Gate: true, Index: i, Fault: fault, Mux: mux})
		}
	}
	return ms
}

// exact returns the invariant that holds in exactly the states of a set: by
// clauses, or as a graph.
func exact(states map[int]bool, n int, asGraph bool) *cert.Invariant {
	inv := &cert.Invariant{}
	if !asGraph {
		for c := range 1 << n {
			if !states[c] {
				var clause cert.Clause
				for i, b := range decode(c, n) {
					clause = append(clause, cert.MkStateLit(i, b))
				}
				inv.Clauses = append(inv.Clauses, clause)
			}
		}
		return inv
	}
	g := aig.NewGraph()
	inv.Graph = g
	vars := make([]aig.Lit, n)
	for i := range vars {
		vars[i] = g.Latch()
		inv.Support = append(inv.Support, cert.SupportLatch{Lit: vars[i], Latch: i})
	}
	var cubes []aig.Lit
	for c := range 1 << n {
		if states[c] {
			cube := make([]aig.Lit, n)
			for i, b := range decode(c, n) {
				cube[i] = vars[i].XorSign(!b)
			}
			cubes = append(cubes, g.AndAll(cube...))
		}
	}
	inv.Formulas = []aig.Lit{g.OrAll(cubes...)}
	return inv
}
