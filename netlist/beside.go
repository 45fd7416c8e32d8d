package netlist

import (
	"slices"

	"netcov/aig"
	"netcov/internal/minheap"
)

// Beside simulates mutants beside the design in a Simulator: of each mutant only what
// differs is computed. A fault in one of a thousand counters costs what that counter
// costs.
//
// The bad-state literal is taken as the disjunction of its parts, and the constraint as
// the conjunction of its own, so that no difference is carried through the gates that
// join these. There must be no faults in the simulator.
type Beside struct {
	m     *Model
	sim   *Simulator
	reads readersOf // by node: the nodes that read it
	nexts readersOf // by node: the latches whose next-state function it is
	roots readersOf // by node: positions in judge
	judge []aig.Lit // parts of the bad-state literal, then of the constraint
	bads  int       // of these, those of the bad-state literal

	xor     []uint64 // by node: lanes that differ, where mark is visit
	mark    []int64
	queued  []int64
	visit   int64
	flipped []aig.Node
	queue   minheap.Heap
}

// Divergence is a mutant beside the design: the latches that differ in some lanes.
type Divergence struct {
	Latches []DivergentLatch
	Work    int // nodes computed so far
}

// DivergentLatch has the lanes in which a latch differs.
type DivergentLatch struct {
	Latch int32
	Lanes uint64
}

// readersOf lists for each node what reads it.
type readersOf struct{ from, list []int32 }

func (r *readersOf) of(n aig.Node) []int32 { return r.list[r.from[n]:r.from[n+1]] }

func newReadersOf(nodes, n int, reads func(i int, found func(aig.Node))) readersOf {
	r := readersOf{from: make([]int32, nodes+1)}
	for i := range n {
		reads(i, func(v aig.Node) { r.from[v+1]++ })
	}
	for v := range nodes {
		r.from[v+1] += r.from[v]
	}
	r.list = make([]int32, r.from[nodes])
	next := slices.Clone(r.from)
	for i := range n {
		reads(i, func(v aig.Node) {
			r.list[next[v]] = int32(i)
			next[v]++
		})
	}
	return r
}

// NewBeside prepares simulation beside the design in a simulator of the model.
func NewBeside(m *Model, sim *Simulator) *Beside {
	size := m.Graph.Size()
	b := &Beside{m: m, sim: sim, xor: make([]uint64, size), mark: make([]int64, size), queued: make([]int64, size)}
	b.judge = m.Graph.Disjuncts(m.Bad)
	b.bads = len(b.judge)
	b.judge = append(b.judge, m.Graph.Conjuncts(m.Constraint)...)
	roots := slices.Clone(b.judge)
	for _, l := range m.Latches {
		if l.InCone {
			roots = append(roots, l.Next)
		}
	}
	cone := m.Graph.Cone(roots...)
	b.reads = newReadersOf(size, len(cone), func(i int, found func(aig.Node)) {
		n := cone[i]
		switch x, y := m.Graph.Fanins(n); m.Graph.Kind(n) {
		case aig.KindAnd:
			found(x.Node())
			if y.Node() != x.Node() {
				found(y.Node())
			}
		case aig.KindCut:
			found(x.Node())
		}
	})
	for i, at := range b.reads.list {
		b.reads.list[i] = int32(cone[at])
	}
	b.nexts = newReadersOf(size, len(m.Latches), func(i int, found func(aig.Node)) {
		if m.Latches[i].InCone {
			found(m.Latches[i].Next.Node())
		}
	})
	b.roots = newReadersOf(size, len(b.judge), func(i int, found func(aig.Node)) { found(b.judge[i].Node()) })
	return b
}

// Step computes a frame of the mutant that sees value at a cut, from the lanes in which
// its latches differ, and puts those of the next frame in their place. The simulator has
// evaluated the frame, and not stepped. Only the lanes given count. In these, the design
// is in no bad state and satisfies the constraint; bad and broken tell where the mutant
// is in one, and where it does not.
func (b *Beside) Step(d *Divergence, cut int, value, lanes uint64) (bad, broken uint64) {
	b.visit++
	b.flipped = b.flipped[:0]
	for _, l := range d.Latches {
		b.flip(b.m.Latches[l.Latch].Lit.Node(), l.Lanes&lanes)
	}
	site := b.m.Cuts[cut].Lit.Node()
	b.push(int32(site))
	for len(b.queue) > 0 {
		n := aig.Node(b.queue.Pop())
		d.Work++
		x, y := b.m.Graph.Fanins(n)
		v := value
		switch {
		case n == site:
		case b.m.Graph.Kind(n) == aig.KindCut:
			v = b.seen(x)
		default:
			v = b.seen(x) & b.seen(y)
		}
		b.flip(n, (v^b.sim.values[n])&lanes)
	}
	d.Latches = d.Latches[:0]
	for _, n := range b.flipped {
		for _, i := range b.roots.of(n) {
			switch l := b.judge[i]; {
			case int(i) < b.bads:
				bad |= b.seen(l)
			default:
				broken |= ^b.seen(l)
			}
		}
		for _, i := range b.nexts.of(n) {
			d.Latches = append(d.Latches, DivergentLatch{i, b.xor[n]})
		}
	}
	return bad & lanes, broken & lanes
}

// flip notes the lanes in which a node differs, and has its readers computed.
func (b *Beside) flip(n aig.Node, lanes uint64) {
	if lanes == 0 {
		return
	}
	b.xor[n], b.mark[n] = lanes, b.visit
	b.flipped = append(b.flipped, n)
	for _, r := range b.reads.of(n) {
		b.push(r)
	}
}

func (b *Beside) push(n int32) {
	if b.queued[n] != b.visit {
		b.queued[n] = b.visit
		b.queue.Push(n)
	}
}

// seen returns what the mutant sees of an edge.
func (b *Beside) seen(l aig.Lit) uint64 {
	v := b.sim.Value(l)
	if b.mark[l.Node()] == b.visit {
		v ^= b.xor[l.Node()]
	}
	return v
}
