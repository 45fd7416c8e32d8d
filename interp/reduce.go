package interp

import (
	"context"
	"math/rand/v2"

	"netcov/aig"
	"netcov/netlist"
	"netcov/proof"
	"netcov/sat"
)

// A reducer keeps sets of states as a functionally reduced and-inverter graph
// (Mishchenko, Chatterjee, Jiang, Brayton, FRAIGs, 2005): no two nodes that
// random patterns and bounded SAT calls find equal or opposite. Interpolants read
// off proofs are highly redundant; passing them through the reducer is what
// keeps image steps from growing. All sets of a run live in one reducer, so that
// the parts which images have in common are stored, encoded and compared once.
//
// A node is compared with one candidate only, first in a window of bounded size
// around both, and in their whole cones where these are small. What stays
// undecided is kept apart: that costs size, never correctness.
type reducer struct {
	g     *aig.Graph
	latch []aig.Lit          // by latch of the model, Undef where not used
	at    map[aig.Node]int   // latch node → latch of the model
	to    []aig.Lit          // by node: the edge that stands for it
	sims  []uint64           // simWords a node
	class map[uint64]aig.Lit // first node with a signature
	words int                // words in use
	fresh int                // patterns collected in the last word
	rng   *rand.Rand

	s      *proof.CDCL
	enc    *encoder
	domain []sat.Var
	window []aig.Node
	stamp  []uint32
	now    uint32

	merged, refuted, open int // outcomes of comparisons
}

const (
	simWords    = 16   // patterns of a node, in words
	simRandom   = 8    // of these, random at the start
	windowNodes = 200  // nodes of a window
	coneNodes   = 1500 // nodes of a cone that is compared as a whole
	sweepLimit  = 100  // conflicts of one comparison
)

func newReducer(latches int, opt *Options) *reducer {
	r := &reducer{
		g: aig.NewGraph(), latch: make([]aig.Lit, latches),
		at: map[aig.Node]int{}, class: map[uint64]aig.Lit{},
		words: simRandom, rng: rand.New(rand.NewPCG(1, 2)),
		to: []aig.Lit{aig.False}, sims: make([]uint64, simWords),
		stamp: []uint32{0},
		s:     opt.solver(false),
	}
	for i := range r.latch {
		r.latch[i] = aig.Undef
	}
	r.enc = newEncoder(r.g, reducerSink{r}, func(aig.Node) sat.Lit {
		return sat.MkLit(reducerSink{r}.NewVar(), false)
	})
	r.class[signature(r.sims[:simWords])] = aig.False
	return r
}

// reducerSink makes the encoder's variables.
type reducerSink struct{ r *reducer }

func (k reducerSink) NewVar() sat.Var           { return k.r.s.NewVar() }
func (k reducerSink) AddClause(lits ...sat.Lit) { k.r.s.AddClause(lits...) }

// variable returns the edge that stands for a latch of the model.
func (r *reducer) variable(latch int) aig.Lit {
	if r.latch[latch] == aig.Undef {
		l := r.g.Latch()
		r.latch[latch] = l
		r.at[l.Node()] = latch
		r.to = append(r.to, l)
		r.stamp = append(r.stamp, 0)
		for w := range simWords {
			x := uint64(0)
			if w < r.words {
				x = r.rng.Uint64()
			}
			r.sims = append(r.sims, x)
		}
		r.classify(l.Node())
	}
	return r.latch[latch]
}

// sim returns the patterns of a node.
func (r *reducer) sim(n aig.Node) []uint64 {
	return r.sims[int(n)*simWords : int(n+1)*simWords]
}

// signature is a hash of patterns that does not depend on their sign.
func signature(sim []uint64) uint64 {
	flip := -(sim[0] & 1)
	h := uint64(0)
	for _, x := range sim {
		h = (h ^ x ^ flip) * 0x9E3779B97F4A7C15
		h ^= h >> 29
	}
	return h
}

// classify enters a node into the classes of equal patterns, unless it is not
// the first with its patterns.
func (r *reducer) classify(n aig.Node) {
	sig := signature(r.sim(n))
	if _, taken := r.class[sig]; !taken {
		r.class[sig] = aig.MkLit(n, false)
	}
}

// evaluate computes some words of a node's patterns.
func (r *reducer) evaluate(n aig.Node, from, to int) {
	a, b := r.g.Fanins(n)
	x, y, z := r.sim(a.Node()), r.sim(b.Node()), r.sim(n)
	p, q := -uint64(a&1), -uint64(b&1)
	for w := from; w < to; w++ {
		z[w] = (x[w] ^ p) & (y[w] ^ q)
	}
}

// and returns the conjunction of two sets.
func (r *reducer) and(a, b aig.Lit) aig.Lit {
	size := r.g.Size()
	l := r.g.And(a, b)
	// Hashing may have made helper nodes before the last one.
	for n := aig.Node(size); int(n) < r.g.Size(); n++ {
		r.to = append(r.to, aig.MkLit(n, false))
		r.stamp = append(r.stamp, 0)
		r.sims = append(r.sims, make([]uint64, simWords)...)
		r.evaluate(n, 0, simWords)
		r.to[n] = r.represent(n)
	}
	return r.to[l.Node()].XorSign(l.Neg())
}

func (r *reducer) or(a, b aig.Lit) aig.Lit { return r.and(a.Not(), b.Not()).Not() }

// represent finds an older edge that is equal to a new node, or returns the node.
func (r *reducer) represent(n aig.Node) aig.Lit {
	self := aig.MkLit(n, false)
	c, ok := r.class[signature(r.sim(n))]
	if !ok {
		r.classify(n)
		return self
	}
	x, y := r.sim(n), r.sim(c.Node())
	neg := (x[0]^y[0])&1 != 0
	for w := range x {
		if x[w]^y[w] != -b2u(neg) {
			return self
		}
	}
	c = c.XorSign(neg)
	switch r.compare(self, c) {
	case sat.Unsat:
		r.merged++
		return c
	case sat.Sat:
		r.refuted++
	default:
		r.open++
	}
	return self
}

func b2u(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// compare reports whether two edges differ: Unsat when they are equal. When they
// differ the state that shows it becomes a pattern.
func (r *reducer) compare(a, b aig.Lit) sat.Status {
	closed := r.collect(windowNodes, a, b)
	st := r.differ(a, b)
	if st == sat.Unsat || st == sat.Sat && closed {
		if st == sat.Sat {
			r.learnPattern()
		}
		return st
	}
	if closed || !r.collect(coneNodes, a, b) {
		return sat.Unknown
	}
	if st = r.differ(a, b); st == sat.Sat {
		r.learnPattern()
	}
	return st
}

// collect puts the nodes around the edges into r.window, breadth first, and
// reports whether that is their whole cone.
func (r *reducer) collect(limit int, roots ...aig.Lit) bool {
	r.now++
	r.window = r.window[:0]
	push := func(l aig.Lit) {
		if n := l.Node(); n != 0 && r.stamp[n] != r.now {
			r.stamp[n] = r.now
			r.window = append(r.window, n)
		}
	}
	for _, l := range roots {
		push(l)
	}
	for i := 0; i < len(r.window); i++ {
		if i >= limit {
			r.window = r.window[:limit]
			return false
		}
		if n := r.window[i]; r.g.Kind(n) == aig.KindAnd {
			a, b := r.g.Fanins(n)
			push(a)
			push(b)
		}
	}
	return true
}

// differ looks for a state in the window in which the edges differ.
func (r *reducer) differ(a, b aig.Lit) sat.Status {
	p, q := r.enc.lit(a), r.enc.lit(b)
	r.enterWindow()
	defer r.s.SetConflictLimit(-1)
	r.s.SetConflictLimit(sweepLimit)
	st := r.s.Solve(context.Background(), p, q.Not())
	if st == sat.Unsat {
		st = r.s.Solve(context.Background(), p.Not(), q)
	}
	r.s.ClearDomain()
	return st
}

// enterWindow restricts the solver to the window's variables.
func (r *reducer) enterWindow() {
	r.domain = r.domain[:0]
	for _, n := range r.window {
		if l := r.enc.lits[n]; l != sat.LitUndef {
			r.domain = append(r.domain, l.Var())
		}
	}
	if r.enc.one != sat.LitUndef {
		r.domain = append(r.domain, r.enc.one.Var())
	}
	r.s.SetDomain(r.domain)
}

// learnPattern adds the solver's state to the patterns, the oldest ones of those
// learnt giving way.
func (r *reducer) learnPattern() {
	w := simRandom
	if r.words > simRandom {
		w = r.words - 1
	}
	if r.fresh == 0 {
		if r.words < simWords {
			r.words++
			w = r.words - 1
		} else {
			// All words are used: start again with the first of those learnt.
			r.words = simRandom + 1
			w = simRandom
		}
		for _, l := range r.latch {
			if l != aig.Undef {
				r.sim(l.Node())[w] = r.rng.Uint64()
			}
		}
	}
	bit := uint64(1) << r.fresh
	for _, n := range r.window {
		if r.g.Kind(n) != aig.KindLatch {
			continue
		}
		if l := r.enc.lits[n]; l != sat.LitUndef {
			if r.s.Value(l) {
				r.sim(n)[w] |= bit
			} else {
				r.sim(n)[w] &^= bit
			}
		}
	}
	if r.fresh++; r.fresh == 64 {
		r.fresh = 0
	}
	if r.fresh%16 == 0 {
		r.resimulate(w)
	}
}

// resimulate renews one word of all patterns, and with it the classes.
func (r *reducer) resimulate(w int) {
	clear(r.class)
	r.class[signature(r.sim(0))] = aig.False
	for n := aig.Node(1); int(n) < r.g.Size() && int(n) < len(r.to); n++ {
		if r.g.Kind(n) == aig.KindAnd {
			r.evaluate(n, w, w+1)
		}
		if r.to[n] == aig.MkLit(n, false) {
			r.classify(n)
		}
	}
}

// initial returns the initial states of a model.
func (r *reducer) initial(m *netlist.Model) aig.Lit {
	init := aig.True
	for i, l := range m.Latches {
		if l.InCone && l.Reset != netlist.ResetX {
			init = r.and(init, r.variable(i).XorSign(l.Reset == netlist.Reset0))
		}
	}
	return init
}

// intern brings a formula of another graph, whose latch nodes latchOf names,
// into the reducer. It returns Undef when the slice is over; most of the work
// done by then is not lost, since the nodes are found again.
func (r *reducer) intern(mt *meter, g *aig.Graph, root aig.Lit, latchOf func(aig.Node) int) aig.Lit {
	to := map[aig.Node]aig.Lit{0: aig.False}
	edge := func(l aig.Lit) aig.Lit { return to[l.Node()].XorSign(l.Neg()) }
	before := r.effort()
	for i, n := range g.Cone(root) {
		if g.Kind(n) == aig.KindLatch {
			to[n] = r.variable(latchOf(n))
			continue
		}
		if i%64 == 63 {
			now := r.effort()
			mt.spend(now - before)
			before = now
			if mt.over() {
				return aig.Undef
			}
		}
		a, b := g.Fanins(n)
		to[n] = r.and(edge(a), edge(b))
	}
	mt.spend(r.effort() - before)
	return edge(root)
}

// effort is what the reducer has done so far, in the terms of a meter.
func (r *reducer) effort() int64 {
	queries := int64(r.merged + r.refuted + r.open)
	return r.s.NumPropagations() + queries*queryEffort + int64(r.g.Size())
}

// implies reports whether one set of states is part of another. It returns
// Unknown when the slice ends first, Sat when it is not, Unsat when it is.
func (r *reducer) implies(mt *meter, a, b aig.Lit) sat.Status {
	if r.and(a, b.Not()) == aig.False {
		return sat.Unsat
	}
	p, q := r.enc.lit(a), r.enc.lit(b)
	r.collect(r.g.Size(), a, b)
	r.enterWindow()
	st := mt.solve(r.s, func(ctx context.Context) sat.Status { return r.s.Solve(ctx, p, q.Not()) })
	if st == sat.Sat {
		r.learnPattern()
	}
	r.s.ClearDomain()
	return st
}
