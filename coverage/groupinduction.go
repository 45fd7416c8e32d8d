package coverage

import (
	"context"
	"slices"

	"netcov/aig"
	"netcov/cert"
	"netcov/netlist"
	"netcov/sat"
)

// The group form of the induction test. Instead of a query per mutant, one
// solver holds the selectors of all open mutants, at most one of them on, and is
// asked whether any of them breaks the invariant in one step. "No" settles
// them all. A model names a breaker; its state is simulated against the other
// open mutants, since it often breaks many, and the question is asked again
// without those. A question that is too hard is asked about each conjunct of the
// invariant, and then about each half of the mutants.

// cases is the set of values of a node still thought to keep the invariant.
type cases [2]bool

// group tells for each cut which of its two stuck values keep the invariant
// inductive and safe. Only the cuts and values in ask are looked at; the others
// come back as false. ok is false when ctx ended first. The query is used up.
func (q *oneStep) group(ctx context.Context, ask []cases) (keeps []cases, ok bool) {
	keeps = make([]cases, len(q.sel))
	copy(keeps, ask)
	var some []sat.Lit
	for k, c := range keeps {
		if !c[0] && !c[1] {
			q.s.AddClause(q.sel[k].Not())
			continue
		}
		some = append(some, q.sel[k])
		q.restrict(k, c)
	}
	if len(some) == 0 {
		return keeps, true
	}
	atMostOne(q.s, some)
	q.s.AddClause(some...)
	sim := newStepSimulator(q.m, q.inv)
	todo := []groupQuestion{{wrong: q.any, whole: true, some: sat.LitUndef, limit: easyConflicts}}
	for len(todo) > 0 {
		g := todo[len(todo)-1]
		switch solveWithin(ctx, q.s, g.limit, g.assumptions()...) {
		case sat.Unsat:
			todo = todo[:len(todo)-1]
			continue
		case sat.Unknown:
			if ctx.Err() != nil {
				return nil, false
			}
			todo = append(todo[:len(todo)-1], q.split(g, keeps)...)
			continue
		}
		latches, inputs := q.state()
		if q.steps != nil {
			q.steps.add(latches, inputs)
		}
		broken := -1
		for k, c := range keeps {
			if (c[0] || c[1]) && q.s.Value(q.sel[k]) {
				broken = k
				q.drop(keeps, k, q.s.Value(q.value[k]))
				break
			}
		}
		if broken < 0 {
			panic("coverage: a breaking model without a selected mutant")
		}
		sim.breakers(latches, inputs, keeps, func(k int, value bool) { q.drop(keeps, k, value) })
	}
	return keeps, true
}

// groupQuestion asks whether a mutant of some cuts violates one of some conjuncts.
type groupQuestion struct {
	wrong sat.Lit // implies that one of these is violated
	whole bool    // these are all conjuncts, and not split yet
	some  sat.Lit // implies that one of the cuts is selected; LitUndef: one of all is
	cuts  []int   // none: all
	limit int64   // conflicts
}

func (g groupQuestion) assumptions() []sat.Lit {
	if g.some == sat.LitUndef {
		return []sat.Lit{g.wrong}
	}
	return []sat.Lit{g.some, g.wrong}
}

// partConflicts is what a question about a part of the conjuncts may take before it is
// split, too. Tests change it.
var partConflicts int64 = 5000

// split makes questions of one that was too hard: about each conjunct apart, then about
// each half of the mutants. Where the mutants of one cut are too hard, they are dropped.
func (q *oneStep) split(g groupQuestion, keeps []cases) (out []groupQuestion) {
	if g.whole {
		for _, part := range slices.Backward(q.parts()) {
			out = append(out, groupQuestion{wrong: part, some: sat.LitUndef, limit: partConflicts})
		}
		return out
	}
	cuts := g.cuts
	if g.some == sat.LitUndef {
		cuts = upTo(len(keeps))
	}
	cuts = slices.DeleteFunc(cuts, func(k int) bool { return keeps[k] == cases{} })
	if len(cuts) < 2 {
		for _, k := range cuts {
			q.drop(keeps, k, false)
			q.drop(keeps, k, true)
		}
		return nil
	}
	for _, half := range [][]int{cuts[:len(cuts)/2], cuts[len(cuts)/2:]} {
		some := sat.MkLit(q.s.NewVar(), false) // for one cut, too: its selector as assumption makes it harder
		clause := []sat.Lit{some.Not()}
		for _, k := range half {
			clause = append(clause, q.sel[k])
		}
		q.s.AddClause(clause...)
		out = append(out, groupQuestion{wrong: g.wrong, some: some, cuts: half, limit: g.limit})
	}
	return out
}

// drop records that a value of a node breaks the invariant.
func (q *oneStep) drop(keeps []cases, k int, value bool) {
	i := 0
	if value {
		i = 1
	}
	if !keeps[k][i] {
		return
	}
	keeps[k][i] = false
	q.restrict(k, keeps[k])
}

// restrict lets the selected cut k take only the values in c.
func (q *oneStep) restrict(k int, c cases) {
	switch {
	case !c[0] && !c[1]:
		q.s.AddClause(q.sel[k].Not())
	case !c[0]:
		q.s.AddClause(q.sel[k].Not(), q.value[k])
	case !c[1]:
		q.s.AddClause(q.sel[k].Not(), q.value[k].Not())
	}
}

// stepSimulator evaluates one step of 64 mutants at a time from one state.
type stepSimulator struct {
	m      *netlist.Model
	inv    *cert.Invariant
	sim    *netlist.Simulator
	inputs []uint64
	next   []uint64
	nodes  []uint64 // of the invariant's graph
}

func newStepSimulator(m *netlist.Model, inv *cert.Invariant) *stepSimulator {
	s := &stepSimulator{
		m: m, inv: inv, sim: netlist.NewSimulator(m),
		inputs: make([]uint64, len(m.Inputs)), next: make([]uint64, len(m.Latches)),
	}
	if inv.Graph != nil {
		s.nodes = make([]uint64, inv.Graph.Size())
	}
	return s
}

// breakers calls found for each cut and value in open that breaks the
// invariant, or is bad, in one step from the state, which must satisfy the
// invariant, under the inputs.
func (s *stepSimulator) breakers(latches, inputs []bool, open []cases, found func(k int, value bool)) {
	type lane struct {
		cut   int
		value bool
	}
	var lanes []lane
	flush := func() {
		if len(lanes) == 0 {
			return
		}
		for i, b := range latches {
			s.sim.SetState(i, spread(b))
		}
		for i, b := range inputs {
			s.inputs[i] = spread(b)
		}
		s.sim.ClearFaults()
		for i, l := range lanes {
			s.sim.SetFault(l.cut, 1<<i, spread(l.value))
		}
		s.sim.Eval(s.inputs)
		for i, l := range s.m.Latches {
			if l.InCone {
				s.next[i] = s.sim.Value(l.Next)
			}
		}
		hit := s.sim.Value(s.m.Constraint) & (s.sim.Value(s.m.Bad) | ^s.holds(s.next))
		for i, l := range lanes {
			if hit>>i&1 == 1 {
				found(l.cut, l.value)
			}
		}
		lanes = lanes[:0]
	}
	for k, c := range open {
		for v := range 2 {
			if c[v] {
				lanes = append(lanes, lane{k, v == 1})
			}
			if len(lanes) == 64 {
				flush()
			}
		}
	}
	flush()
}

// holds returns the lanes in which the invariant holds in a state.
func (s *stepSimulator) holds(state []uint64) uint64 {
	all := ^uint64(0)
	conjuncts(s.inv, state, s.nodes, func(_ int, holds uint64) bool {
		all &= holds
		return all != 0
	})
	return all
}

// conjuncts tells, for each clause of an invariant and then for each formula, the lanes
// in which it holds in a state, until each returns false. The nodes are a buffer for
// the values of the graph.
func conjuncts(inv *cert.Invariant, state, nodes []uint64, each func(conjunct int, holds uint64) bool) {
	for i, c := range inv.Clauses {
		var some uint64
		for _, l := range c {
			some |= state[l.Latch()] ^ -uint64(l&1)
		}
		if !each(i, some) {
			return
		}
	}
	g := inv.Graph
	if g == nil {
		return
	}
	edge := func(l aig.Lit) uint64 { return nodes[l.Node()] ^ -uint64(l&1) }
	for _, p := range inv.Support {
		nodes[p.Lit.Node()] = state[p.Latch] ^ -uint64(p.Lit&1)
	}
	for n := aig.Node(1); int(n) < g.Size(); n++ {
		if g.Kind(n) == aig.KindAnd {
			a, b := g.Fanins(n)
			nodes[n] = edge(a) & edge(b)
		}
	}
	for i, f := range inv.Formulas {
		if !each(len(inv.Clauses)+i, edge(f)) {
			return
		}
	}
}

func spread(b bool) uint64 {
	if b {
		return ^uint64(0)
	}
	return 0
}
