package coverage

import (
	"context"
	"math/bits"
	"math/rand/v2"
	"slices"

	"netcov/cert"
	"netcov/mutant"
	"netcov/netlist"
	"netcov/sat"
)

// The largest inductive subset of known conjuncts on a mutant: those that a step can
// violate are dropped until none is (Houdini: Flanagan, Leino, FME 2001). What is
// left is an invariant of the mutant, as the initial states are the design's. Where
// it keeps the bad states out it settles the mutant; where it does not, it is a
// lemma for whoever tries next.

// subsetQuery is the one-step query with a switch per conjunct.
type subsetQuery struct {
	m      *netlist.Model
	s      sat.Solver
	frames *netlist.Frames
	known  *cert.Invariant // its clauses, then its formulas, are the conjuncts
	on     []sat.Lit       // [conjunct]: it is assumed in frame 0
	broken []sat.Lit       // [conjunct]: it is violated in frame 1; implies on
	bad    sat.Lit
	some   sat.Lit // one of the broken conjuncts is there
	wrong  sat.Lit // one of them, or bad, is there
	sel    []sat.Lit
	value  []sat.Lit
	near   *nearby
}

func newSubsetQuery(solver sat.Solver, m *netlist.Model, known *cert.Invariant) *subsetQuery {
	q := &subsetQuery{m: m, s: solver, known: &cert.Invariant{}}
	for range m.Cuts {
		q.sel = append(q.sel, q.literal())
	}
	atMostOne(q.s, q.sel)
	q.frames = netlist.NewFrames(m, netlist.FramesOptions{
		Sink:     netlist.SingleSink(q.s),
		Selector: func(cut, _ int) (sat.Lit, bool) { return q.sel[cut], true },
	})
	q.s.AddClause(q.frames.Lit(0, m.Constraint))
	q.bad = q.frames.Lit(0, m.Bad)
	q.clauses(known.Clauses)
	q.known = known
	after := formulas(q.s, known, q.next)
	for i, l := range formulas(q.s, known, q.now) {
		on, broken := q.conjunct()
		q.s.AddClause(on.Not(), l)
		q.s.AddClause(broken.Not(), after[i].Not())
	}
	q.near = newNearby(m, known)
	q.ask(0)
	for k := range m.Cuts {
		q.value = append(q.value, q.frames.Lit(0, m.Cuts[k].Lit))
	}
	return q
}

func (q *subsetQuery) now(latch int) sat.Lit  { return q.frames.Latch(0, latch) }
func (q *subsetQuery) next(latch int) sat.Lit { return q.frames.Lit(0, q.m.Latches[latch].Next) }

// clauses adds a conjunct for each clause.
func (q *subsetQuery) clauses(cs []cert.Clause) {
	var buf []sat.Lit
	for _, c := range cs {
		on, broken := q.conjunct()
		buf = append(buf[:0], on.Not())
		for _, l := range c {
			buf = append(buf, q.now(l.Latch()).XorSign(l.Neg()))
			q.s.AddClause(broken.Not(), q.next(l.Latch()).XorSign(!l.Neg()))
		}
		q.s.AddClause(buf...)
	}
}

// ask makes the literals that ask for one of the broken conjuncts, of which those from
// the given one on are new.
func (q *subsetQuery) ask(from int) {
	some := q.literal()
	parts := append([]sat.Lit{some.Not()}, q.broken[from:]...)
	if from > 0 {
		parts = append(parts, q.some)
	}
	q.s.AddClause(parts...)
	q.some, q.wrong = some, q.literal()
	q.s.AddClause(q.wrong.Not(), q.some, q.bad)
}

// extend adds clauses where all conjuncts so far are clauses: those given begin with these.
func (q *subsetQuery) extend(all []cert.Clause) {
	from := len(q.on)
	if from == len(all) {
		return
	}
	q.clauses(all[from:])
	q.known = &cert.Invariant{Clauses: all}
	q.near.known = q.known
	q.ask(from)
}

func (q *subsetQuery) literal() sat.Lit { return sat.MkLit(q.s.NewVar(), false) }

// conjunct makes the literals of one more.
func (q *subsetQuery) conjunct() (on, broken sat.Lit) {
	on, broken = q.literal(), q.literal()
	q.s.AddClause(broken.Not(), on)
	q.on, q.broken = append(q.on, on), append(q.broken, broken)
	return on, broken
}

// largest returns the largest inductive subset on a mutant, nil for the design. With safe, it is nil where
// that does not exclude the bad states. It is nil when ctx ends first, too.
func (q *subsetQuery) largest(ctx context.Context, m *Mutant, safe bool) *cert.Invariant {
	in := make([]bool, len(q.on))
	for i := range in {
		in[i] = true
	}
	if !q.reduce(ctx, m, safe, in) {
		return nil
	}
	return q.chosen(in)
}

// reduce does so for the subsets of some of the conjuncts. It is false where largest is nil.
func (q *subsetQuery) reduce(ctx context.Context, m *Mutant, safe bool, in []bool) bool {
	base := q.faulty(m)
	question := func(about sat.Lit) []sat.Lit {
		assume := append(base[:len(base):len(base)], about)
		for i, on := range q.on {
			assume = append(assume, on.XorSign(!in[i]))
		}
		return assume
	}
	wrong := q.some
	if safe {
		wrong = q.wrong
	}
	for {
		if ctx.Err() != nil {
			return false
		}
		switch solveEasily(ctx, q.s, question(wrong)...) {
		case sat.Unsat:
			return true
		case sat.Sat:
			if safe && q.s.Value(q.bad) {
				return false // fewer conjuncts do not help
			}
			q.near.step(q, m, in)
			continue
		}
		all := true // are kept
		for i, broken := range q.broken {
			if !in[i] {
				continue
			}
			switch q.s.Solve(ctx, question(broken)...) {
			case sat.Unknown:
				return false
			case sat.Sat:
				q.near.step(q, m, in)
				all = false
			}
		}
		if all {
			return !safe || q.s.Solve(ctx, question(q.bad)...) == sat.Unsat
		}
	}
}

// faulty assumes the fault of a mutant; nil: none.
func (q *subsetQuery) faulty(m *Mutant) []sat.Lit {
	if m == nil {
		base := make([]sat.Lit, len(q.sel))
		for k, sel := range q.sel {
			base[k] = sel.Not()
		}
		return base
	}
	base := []sat.Lit{q.sel[m.cut]}
	if !m.free() {
		base = append(base, q.value[m.cut].XorSign(m.force == netlist.ForceZero))
	}
	return base
}

// smallRounds bounds how often small begins anew from what is left.
const smallRounds = 3

// small returns a subset of the conjuncts that still is an inductive invariant and
// excludes the bad states of the design, where all of them together do: each of its
// members is needed by a refutation of the bad states, or of a step that violates
// another member (Ivrii, Gurfinkel, Belov: Small inductive safe invariants, FMCAD
// 2014). It is nil when ctx ends first.
func (q *subsetQuery) small(ctx context.Context) *cert.Invariant {
	order := upTo(len(q.on))
	for range smallRounds {
		in := make([]bool, len(q.on))
		needed := make([]int, 0, len(order))
		closed := q.needs(ctx, q.bad, order, &needed, in)
		for k := 0; closed && k < len(needed); k++ {
			closed = q.needs(ctx, q.broken[needed[k]], order, &needed, in)
		}
		if !closed {
			return nil
		}
		if len(needed) == len(order) {
			break
		}
		order = needed
		q.near.rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	}
	in := make([]bool, len(q.on))
	for _, i := range order {
		in[i] = true
	}
	return q.chosen(in)
}

// needs adds the conjuncts, out of some, that refute a literal in the design. Those
// that are needed already are tried first.
func (q *subsetQuery) needs(ctx context.Context, l sat.Lit, order []int, needed *[]int, in []bool) bool {
	at := map[sat.Lit]int{}
	for _, all := range []bool{false, true} {
		assume := []sat.Lit{l}
		for _, sel := range q.sel {
			assume = append(assume, sel.Not())
		}
		for _, i := range *needed {
			assume = append(assume, q.on[i])
		}
		if all {
			for _, i := range order {
				if !in[i] {
					assume = append(assume, q.on[i])
					at[q.on[i]] = i
				}
			}
		}
		switch q.s.Solve(ctx, assume...) {
		case sat.Unknown:
			return false
		case sat.Unsat:
			for _, on := range q.s.Failed() {
				if i, isNew := at[on]; isNew {
					in[i] = true
					*needed = append(*needed, i)
				}
			}
			return true
		}
	}
	return false
}

// chosen returns the conjuncts that are in.
func (q *subsetQuery) chosen(in []bool) *cert.Invariant {
	inv := &cert.Invariant{}
	for i, c := range q.known.Clauses {
		if in[i] {
			inv.Clauses = append(inv.Clauses, c)
		}
	}
	for i, f := range q.known.Formulas {
		if in[len(q.known.Clauses)+i] {
			inv.Formulas = append(inv.Formulas, f)
		}
	}
	if len(inv.Formulas) > 0 {
		inv.Graph, inv.Support = q.known.Graph, q.known.Support
	}
	return inv
}

// nearby simulates the step of a solver's model, and steps near it from the same
// state: they drop many conjuncts at once.
type nearby struct {
	sim    *netlist.Simulator
	known  *cert.Invariant
	rng    *rand.Rand
	inputs []uint64
	next   []uint64
	nodes  []uint64 // of the invariant's graph
}

func newNearby(m *netlist.Model, known *cert.Invariant) *nearby {
	n := &nearby{
		sim: netlist.NewSimulator(m), known: known, rng: rand.New(rand.NewPCG(5, 6)),
		inputs: make([]uint64, len(m.Inputs)), next: make([]uint64, len(m.Latches)),
	}
	if known.Graph != nil {
		n.nodes = make([]uint64, known.Graph.Size())
	}
	return n
}

// walkSteps bounds the steps of a walk that drops conjuncts.
const walkSteps = 64

// initialIdle is the number of steps without a find after which a walk from the initial
// states ends.
const initialIdle = 16

// step drops the conjuncts that the steps violate. What is left holds where these lead, so
// that runs go on from there, as long as their steps violate any.
func (n *nearby) step(q *subsetQuery, m *Mutant, in []bool) {
	value := func(l sat.Lit, ok bool) uint64 { return spread(ok && q.s.Value(l)) }
	few := func() uint64 { return n.rng.Uint64() & n.rng.Uint64() & n.rng.Uint64() &^ 1 } // lane 0 is the model
	for i, l := range q.m.Latches {
		n.next[i] = value(q.frames.Encoded(0, l.Lit))
	}
	for i, l := range q.m.Inputs {
		n.inputs[i] = value(q.frames.Encoded(0, l)) ^ few()
	}
	fault := uint64(0)
	if m != nil {
		fault = spread(q.s.Value(q.value[m.cut]))
	}
	n.walk(q.m, m, fault, 1, in)
}

// initial drops conjuncts that random runs of a mutant violate; all hold initially.
func (n *nearby) initial(model *netlist.Model, m *Mutant, in []bool) {
	n.sim.Reset(func(int) uint64 { return n.rng.Uint64() })
	for i := range model.Latches {
		n.next[i] = n.sim.State(i)
	}
	for i := range n.inputs {
		n.inputs[i] = n.rng.Uint64()
	}
	fault := n.rng.Uint64()
	if !m.free() {
		fault = spread(m.force == netlist.ForceOne)
	}
	n.walk(model, m, fault, initialIdle, in)
}

// walk drops the conjuncts that runs violate, until some steps in a row violate none.
func (n *nearby) walk(model *netlist.Model, m *Mutant, fault uint64, idle int, in []bool) {
	for left, step := idle, 0; left > 0 && step < walkSteps; step++ {
		n.sim.ClearFaults()
		if m != nil {
			n.sim.SetFault(m.cut, ^uint64(0), fault)
		}
		if left--; n.drop(model, in) {
			left = idle
		}
		for i := range n.inputs {
			n.inputs[i] = n.rng.Uint64()
		}
		if m != nil && m.free() {
			fault = n.rng.Uint64()
		}
	}
}

// drop takes a step from the states in next, which become its successors, and reports
// whether that violates conjuncts.
func (n *nearby) drop(m *netlist.Model, in []bool) (dropped bool) {
	for i := range m.Latches {
		n.sim.SetState(i, n.next[i])
	}
	n.sim.Eval(n.inputs)
	legal := n.sim.Value(m.Constraint)
	if legal == 0 {
		return false
	}
	one := bits.TrailingZeros64(legal)
	for i, l := range m.Latches {
		if l.InCone {
			next := n.sim.Value(l.Next)
			n.next[i] = next&legal | spread(next>>one&1 == 1)&^legal
		}
	}
	conjuncts(n.known, n.next, n.nodes, func(i int, holds uint64) bool {
		if in[i] && ^holds != 0 {
			in[i], dropped = false, true
		}
		return true
	})
	return dropped
}

// freeFirst orders mutants: the free mutant of a node comes before its stuck-at
// mutants, since its invariant is theirs too.
func freeFirst(ms []*Mutant) []*Mutant {
	slices.SortStableFunc(ms, func(a, b *Mutant) int {
		switch {
		case a.free() && !b.free():
			return -1
		case b.free() && !a.free():
			return 1
		}
		return 0
	})
	return ms
}

// subsets looks for an invariant of each open mutant among the known clauses, for
// a test.
func (s *session) subsets(ctx context.Context, test string) {
	open := freeFirst(s.ledger.inside())
	clauses := s.stock.pool.all()
	if len(open) == 0 || len(clauses) == 0 {
		return
	}
	q := newSubsetQuery(s.solver(), s.stock.model, &cert.Invariant{Clauses: clauses})
	for _, m := range open {
		if ctx.Err() != nil {
			return
		}
		if m.Verdict != mutant.Unknown {
			continue
		}
		done := s.ledger.work(m)
		if inv := q.largest(ctx, m, true); inv != nil {
			s.exclude(test, inv, []*Mutant{m})
		}
		done()
	}
}
