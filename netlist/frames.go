package netlist

import (
	"slices"
	"sort"

	"netcov/aig"
	"netcov/sat"
)

// ClauseSink is what an unrolling writes clauses to.
type ClauseSink interface {
	NewVar() sat.Var
	AddClause(lits ...sat.Lit)
}

// Frames unrolls a model to clauses. Frame t's latches are the next-state
// functions of frame t-1; frame 0 starts in any state, or in the initial states.
// Only the cone of what is asked for is encoded.
type Frames struct {
	m    *Model
	opt  FramesOptions
	node [][]sat.Lit // [frame][node]: literal, constant, or unset
	true []sat.Lit   // [frame]: a literal that is true, made on demand
	at   []int32     // node → latch position
	work []aig.Node
	// leaf buffers, kept to spare allocations
	buf  [2]aig.Lit
	lits []sat.Lit
	out  []sat.Lit

	gates *gateTable // with FramesOptions.Share
}

// FramesOptions says how a model is unrolled.
type FramesOptions struct {
	// Sink returns where the clauses of a frame go. Frames may share one sink.
	Sink func(frame int) ClauseSink
	// Initial lets frame 0 start in the initial states: latches with a reset
	// become constants.
	Initial bool
	// Boundary tells which frames (from 1 on) get latch variables of their own,
	// tied to the frame before by clauses in that frame's sink, so that the two
	// sides of an interpolation share nothing but these variables.
	Boundary func(frame int) bool
	// Selector gives the selector literal of a cut in a frame: where it is true
	// the readers see a free value, the variable that Cut returns. Without one
	// (nil, or ok = false) the cut is dissolved.
	Selector func(cut, frame int) (sel sat.Lit, ok bool)
	// Share gives gates of the same shape with the same inputs one variable, over all
	// frames, as long as it finds some. The frames must have one sink.
	Share bool
	// Forced, when set, is told the variable that a cut's readers see, as it is
	// made, so that stuck values can be tied to it.
	Forced func(cut, frame int, value sat.Lit)
}

const (
	unset      sat.Lit = -1
	constTrue  sat.Lit = 1 << 30
	constFalse sat.Lit = constTrue | 1
)

// NewFrames prepares an unrolling; nothing is encoded yet.
func NewFrames(m *Model, opt FramesOptions) *Frames {
	f := &Frames{m: m, opt: opt, at: make([]int32, m.Graph.Size())}
	for i, l := range m.Latches {
		f.at[l.Lit.Node()] = int32(i)
	}
	if opt.Share {
		f.gates = &gateTable{}
	}
	return f
}

// SingleSink is the Sink of an unrolling that writes everything to one place.
func SingleSink(s ClauseSink) func(int) ClauseSink { return func(int) ClauseSink { return s } }

// Lit returns the solver literal of an edge in a frame, and encodes its cone
// where that is not done yet. A constant becomes a variable fixed by a unit
// clause of that frame.
func (f *Frames) Lit(frame int, l aig.Lit) sat.Lit {
	p := f.encode(frame, l)
	if p >= constTrue {
		return f.True(frame) ^ p&1
	}
	return p
}

// Const reports whether an edge is constant in a frame, and which constant.
func (f *Frames) Const(frame int, l aig.Lit) (value, constant bool) {
	p := f.encode(frame, l)
	return p == constTrue, p >= constTrue
}

// Latch returns the solver literal of a latch in a frame.
func (f *Frames) Latch(frame, latch int) sat.Lit {
	return f.Lit(frame, f.m.Latches[latch].Lit)
}

// Input returns the solver literal of an input in a frame.
func (f *Frames) Input(frame, input int) sat.Lit {
	return f.Lit(frame, f.m.Inputs[input])
}

// Encoded returns the solver literal of an edge in a frame if its cone has been
// encoded and it is no constant.
func (f *Frames) Encoded(frame int, l aig.Lit) (sat.Lit, bool) {
	if frame >= len(f.node) || int(l.Node()) >= len(f.node[frame]) {
		return 0, false
	}
	p := f.node[frame][l.Node()]
	if p == unset || p >= constTrue {
		return 0, false
	}
	return p ^ sat.Lit(l&1), true
}

// ConstIfEncoded reports whether an edge is known to be constant in a frame.
func (f *Frames) ConstIfEncoded(frame int, l aig.Lit) (value, constant bool) {
	if frame >= len(f.node) {
		return false, false
	}
	p := f.node[frame][l.Node()]
	if p < constTrue {
		return false, false
	}
	return p^sat.Lit(l&1) == constTrue, true
}

// True returns a literal that is true, with its unit clause in the frame's
// sink.
func (f *Frames) True(frame int) sat.Lit {
	f.grow(frame)
	if f.true[frame] == unset {
		s := f.opt.Sink(frame)
		l := sat.MkLit(s.NewVar(), false)
		f.clause(s, l)
		f.true[frame] = l
	}
	return f.true[frame]
}

func (f *Frames) grow(frame int) {
	for len(f.node) <= frame {
		lits := make([]sat.Lit, f.m.Graph.Size())
		for i := range lits {
			lits[i] = unset
		}
		lits[0] = constFalse
		f.node = append(f.node, lits)
		f.true = append(f.true, unset)
	}
}

// encode returns the literal or constant of an edge. Frames are encoded from
// the asked one downwards without recursion on the graph; the recursion from
// frame to frame is only as deep as the unrolling.
func (f *Frames) encode(frame int, root aig.Lit) sat.Lit {
	f.grow(frame)
	lits := f.node[frame]
	if p := lits[root.Node()]; p != unset {
		return p ^ sat.Lit(root&1)
	}
	g, shapes := f.m.Graph, f.m.shapesOf()
	base := len(f.work)
	f.work = append(f.work, root.Node())
	for len(f.work) > base {
		n := f.work[len(f.work)-1]
		if lits[n] != unset {
			f.work = f.work[:len(f.work)-1]
			continue
		}
		var leaves []aig.Lit
		kind := shapeNone
		switch g.Kind(n) {
		case aig.KindInput:
			lits[n] = sat.MkLit(f.opt.Sink(frame).NewVar(), false)
			continue
		case aig.KindLatch:
			lits[n] = f.latch(frame, n)
			continue
		case aig.KindCut:
			f.buf[0], _ = g.Fanins(n)
			leaves = f.buf[:1]
		default:
			kind, leaves = shapes.of(g, n, &f.buf)
		}
		ready := true
		for _, l := range leaves {
			if lits[l.Node()] == unset {
				f.work = append(f.work, l.Node())
				ready = false
			}
		}
		if !ready {
			continue
		}
		in := f.lits[:0]
		for _, l := range leaves {
			in = append(in, lits[l.Node()]^sat.Lit(l&1))
		}
		f.lits = in
		switch kind {
		case shapeNone:
			lits[n] = f.cut(frame, n, in[0])
		case shapeAnd:
			lits[n] = f.and(frame, in)
		case shapeMux:
			lits[n] = f.mux(frame, in[0], in[1], in[2])
		case shapeXor:
			lits[n] = f.xor(frame, in[0], in[1])
		}
		f.work = f.work[:len(f.work)-1]
	}
	return lits[root.Node()] ^ sat.Lit(root&1)
}

// latch returns the literal of a latch at the start of a frame.
func (f *Frames) latch(frame int, n aig.Node) sat.Lit {
	l := f.m.Latches[f.at[n]]
	if frame == 0 {
		if f.opt.Initial && l.Reset != ResetX {
			return constFalse ^ sat.Lit(l.Reset)
		}
		return sat.MkLit(f.opt.Sink(0).NewVar(), false)
	}
	if f.opt.Boundary == nil || !f.opt.Boundary(frame) {
		return f.encode(frame-1, l.Next)
	}
	s := f.opt.Sink(frame - 1)
	v := sat.MkLit(s.NewVar(), false)
	switch next := f.encode(frame-1, l.Next); next {
	case constTrue, constFalse:
		f.clause(s, v^next&1)
	default:
		f.clause(s, v.Not(), next)
		f.clause(s, v, next.Not())
	}
	return v
}

// clause passes a clause on without an allocation for each.
func (f *Frames) clause(s ClauseSink, lits ...sat.Lit) {
	f.out = append(f.out[:0], lits...)
	s.AddClause(f.out...)
}

// cut returns what the readers of a cut see.
func (f *Frames) cut(frame int, n aig.Node, origin sat.Lit) sat.Lit {
	if f.opt.Selector == nil {
		return origin
	}
	k := f.m.cutAt(n)
	sel, ok := f.opt.Selector(k, frame)
	if !ok {
		return origin
	}
	s := f.opt.Sink(frame)
	v := sat.MkLit(s.NewVar(), false)
	if f.opt.Forced != nil {
		f.opt.Forced(k, frame, v)
	}
	if origin >= constTrue {
		f.clause(s, sel, v^origin&1)
	} else {
		f.clause(s, sel, v.Not(), origin)
		f.clause(s, sel, v, origin.Not())
	}
	return v
}

// cutAt returns the position of a cut node. Cuts stand in ascending order of
// their nodes, since each is listed as it is made.
func (m *Model) cutAt(n aig.Node) int {
	return sort.Search(len(m.Cuts), func(i int) bool { return m.Cuts[i].Lit.Node() >= n })
}

func (f *Frames) and(frame int, in []sat.Lit) sat.Lit {
	out := in[:0]
	for _, p := range in {
		if p == constTrue || slices.Contains(out, p) {
			continue
		}
		if p == constFalse || slices.Contains(out, p^1) {
			return constFalse
		}
		out = append(out, p)
	}
	switch len(out) {
	case 0:
		return constTrue
	case 1:
		return out[0]
	}
	v, isNew := f.gate(frame, shapeAnd, out)
	if !isNew {
		return v
	}
	s := f.opt.Sink(frame)
	for _, p := range out {
		f.clause(s, v.Not(), p)
	}
	for i := range out {
		out[i] ^= 1
	}
	f.clause(s, append(out, v)...)
	return v
}

func (f *Frames) mux(frame int, sel, t, e sat.Lit) sat.Lit {
	switch {
	case sel == constTrue || t == e:
		return t
	case sel == constFalse:
		return e
	case t == e^1:
		return f.xor(frame, sel, e)
	case t == constTrue || t == sel:
		return f.and(frame, []sat.Lit{sel ^ 1, e ^ 1}) ^ 1
	case t == constFalse || t == sel^1:
		return f.and(frame, []sat.Lit{sel ^ 1, e})
	case e == constTrue || e == sel^1:
		return f.and(frame, []sat.Lit{sel, t ^ 1}) ^ 1
	case e == constFalse || e == sel:
		return f.and(frame, []sat.Lit{sel, t})
	}
	sign := sat.Lit(0)
	if f.gates != nil {
		if sel&1 == 1 {
			sel, t, e = sel^1, e, t
		}
		sign = t & 1
		t, e = t^sign, e^sign
	}
	v, isNew := f.gate(frame, shapeMux, []sat.Lit{sel, t, e})
	if isNew {
		s := f.opt.Sink(frame)
		f.clause(s, sel^1, t^1, v)
		f.clause(s, sel^1, t, v^1)
		f.clause(s, sel, e^1, v)
		f.clause(s, sel, e, v^1)
		f.clause(s, t^1, e^1, v)
		f.clause(s, t, e, v^1)
	}
	return v ^ sign
}

func (f *Frames) xor(frame int, a, b sat.Lit) sat.Lit {
	switch {
	case a >= constTrue:
		return b ^ (a&1 ^ 1)
	case b >= constTrue:
		return a ^ (b&1 ^ 1)
	case a>>1 == b>>1:
		return constFalse ^ (a^b)&1
	}
	sign := sat.Lit(0)
	if f.gates != nil {
		sign = (a ^ b) & 1
		a, b = min(a, b)&^1, max(a, b)&^1
	}
	v, isNew := f.gate(frame, shapeXor, []sat.Lit{a, b})
	if isNew {
		s := f.opt.Sink(frame)
		f.clause(s, a^1, b^1, v^1)
		f.clause(s, a, b, v^1)
		f.clause(s, a^1, b, v)
		f.clause(s, a, b^1, v)
	}
	return v ^ sign
}

// gate returns the variable of a gate, and whether it is new and has no clauses yet.
func (f *Frames) gate(frame int, kind shapeKind, in []sat.Lit) (v sat.Lit, isNew bool) {
	if f.gates == nil {
		return sat.MkLit(f.opt.Sink(frame).NewVar(), false), true
	}
	if kind == shapeAnd {
		slices.Sort(in)
	}
	known, slot, hash := f.gates.find(kind, in)
	if known != unset {
		return known, false
	}
	v = sat.MkLit(f.opt.Sink(frame).NewVar(), false)
	if f.gates.add(kind, in, slot, hash, v); !f.gates.pays() {
		f.gates = nil
	}
	return v, true
}
