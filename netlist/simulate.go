package netlist

import (
	"slices"

	"netcov/aig"
	"netcov/cert"
)

// Simulator evaluates a model 64 lanes at a time: bit i of every word belongs
// to lane i. Each lane may have a fault of its own at the cuts.
type Simulator struct {
	m      *Model
	values []uint64 // [node]
	state  []uint64 // [latch]
	ops    simulatorOps
	narrow simulatorOps // see Narrow
	alias  []aig.Lit    // [node], of the same
	sel    []uint64     // [cut]: lanes in which the cut is faulty
	force  []uint64     // [cut]: what the faulty lanes see
	faulty []int        // cuts with faulty lanes, in ascending order
	next   []uint64

	narrowed bool
}

// op makes a node of the cone the AND of two edges. A cut is the AND of its
// origin with itself.
type op struct {
	n    aig.Node
	a, b aig.Lit
}

// simulatorOps are the nodes of a model's cone, operands first.
type simulatorOps struct {
	list []op
	cut  []int32 // [cut]: its place in the list, -1 outside of the cone
}

// NewSimulator prepares the evaluation of the model's cone.
func NewSimulator(m *Model) *Simulator {
	s := &Simulator{
		m:      m,
		values: make([]uint64, m.Graph.Size()),
		state:  make([]uint64, len(m.Latches)),
		next:   make([]uint64, len(m.Latches)),
		sel:    make([]uint64, len(m.Cuts)),
		force:  make([]uint64, len(m.Cuts)),
	}
	m.opsOnce.Do(func() { m.ops = newSimulatorOps(m, m.Roots()...) })
	s.ops = m.ops
	return s
}

func newSimulatorOps(m *Model, roots ...aig.Lit) simulatorOps {
	cone := m.Graph.Cone(roots...)
	ops := simulatorOps{list: make([]op, 0, len(cone)), cut: make([]int32, len(m.Cuts))}
	for k := range ops.cut {
		ops.cut[k] = -1
	}
	for _, n := range cone {
		a, b := m.Graph.Fanins(n)
		switch m.Graph.Kind(n) {
		case aig.KindAnd:
			ops.list = append(ops.list, op{n, a, b})
		case aig.KindCut:
			ops.cut[m.cutAt(n)] = int32(len(ops.list))
			ops.list = append(ops.list, op{n, a, a})
		}
	}
	return ops
}

// Reset puts every lane in the initial state; free latches take their lanes
// from free, which may be nil for all zero.
func (s *Simulator) Reset(free func(latch int) uint64) {
	for i, l := range s.m.Latches {
		switch {
		case l.Reset == Reset1:
			s.state[i] = ^uint64(0)
		case l.Reset == ResetX && free != nil:
			s.state[i] = free(i)
		default:
			s.state[i] = 0
		}
	}
}

// SetState sets the 64 lanes of a latch.
func (s *Simulator) SetState(latch int, lanes uint64) { s.state[latch] = lanes }

// State returns the 64 lanes of a latch.
func (s *Simulator) State(latch int) uint64 { return s.state[latch] }

// Narrow makes Eval pass over the cuts without faulty lanes, which are most of the nodes
// where gates are mutated, until ClearFaults. No other cuts may become faulty, and of the
// cuts passed over only roots of the model have values.
func (s *Simulator) Narrow() {
	if s.alias == nil {
		s.alias = make([]aig.Lit, len(s.values))
	}
	keep := make([]bool, len(s.m.Cuts))
	for _, k := range s.faulty {
		keep[k] = true
	}
	for _, l := range s.m.Roots() {
		if s.m.Graph.Kind(l.Node()) == aig.KindCut {
			keep[s.m.cutAt(l.Node())] = true
		}
	}
	for n := range s.alias {
		s.alias[n] = aig.Lit(n) << 1
	}
	s.narrow.list = s.narrow.list[:0]
	s.narrow.cut = append(s.narrow.cut[:0], s.ops.cut...)
	for _, o := range s.ops.list {
		a, b := s.alias[o.a>>1]^o.a&1, s.alias[o.b>>1]^o.b&1
		if s.m.Graph.Kind(o.n) == aig.KindCut {
			k := s.m.cutAt(o.n)
			if !keep[k] {
				s.alias[o.n] = a
				continue
			}
			s.narrow.cut[k] = int32(len(s.narrow.list))
		}
		s.narrow.list = append(s.narrow.list, op{o.n, a, b})
	}
	s.narrowed = true
}

// ClearFaults makes every lane fault-free.
func (s *Simulator) ClearFaults() {
	s.narrowed = false
	for _, k := range s.faulty {
		s.sel[k], s.force[k] = 0, 0
	}
	s.faulty = s.faulty[:0]
}

// SetFault makes the lanes in mask see value at a cut, from the next Eval on.
func (s *Simulator) SetFault(cut int, mask, value uint64) {
	if i, found := slices.BinarySearch(s.faulty, cut); !found {
		s.faulty = slices.Insert(s.faulty, i, cut)
	}
	s.sel[cut] |= mask
	s.force[cut] = s.force[cut]&^mask | value&mask
}

// Eval evaluates one frame from the current state with the given inputs (lanes
// of each input; missing ones are zero).
func (s *Simulator) Eval(inputs []uint64) {
	v := s.values
	for i, l := range s.m.Inputs {
		if i < len(inputs) {
			v[l.Node()] = inputs[i]
		} else {
			v[l.Node()] = 0
		}
	}
	for i := range s.m.Latches {
		v[s.m.Latches[i].Lit.Node()] = s.state[i]
	}
	if s.narrowed {
		s.eval(&s.narrow)
		return
	}
	s.eval(&s.ops)
}

func (s *Simulator) eval(ops *simulatorOps) {
	v, from := s.values, 0
	for _, k := range s.faulty {
		if at := int(ops.cut[k]); at >= 0 {
			evalOps(v, ops.list[from:at+1])
			from = at + 1
			n := s.m.Cuts[k].Lit.Node()
			v[n] = v[n]&^s.sel[k] | s.force[k]&s.sel[k]
		}
	}
	evalOps(v, ops.list[from:])
}

// Part is what some edges of a model's cone depend on in one frame.
type Part struct {
	Inputs  []int // positions
	latches []int
	ops     simulatorOps
}

// NewPart returns the part of some edges.
func NewPart(m *Model, roots ...aig.Lit) *Part {
	p := &Part{ops: newSimulatorOps(m, roots...)}
	in := make([]bool, m.Graph.Size())
	for _, n := range m.Graph.Cone(roots...) {
		in[n] = true
	}
	for i, l := range m.Inputs {
		if in[l.Node()] {
			p.Inputs = append(p.Inputs, i)
		}
	}
	for i := range m.Latches {
		if in[m.Latches[i].Lit.Node()] {
			p.latches = append(p.latches, i)
		}
	}
	return p
}

// EvalPart is Eval of a part only; the values of other edges are of no use
// afterwards. There must be lanes of each input.
func (s *Simulator) EvalPart(p *Part, inputs []uint64) {
	for _, i := range p.Inputs {
		s.values[s.m.Inputs[i].Node()] = inputs[i]
	}
	for _, i := range p.latches {
		s.values[s.m.Latches[i].Lit.Node()] = s.state[i]
	}
	s.eval(&p.ops)
}

func evalOps(v []uint64, ops []op) {
	for i := range ops {
		o := &ops[i]
		v[o.n] = (v[o.a>>1] ^ -uint64(o.a&1)) & (v[o.b>>1] ^ -uint64(o.b&1))
	}
}

// Value returns the lanes of an edge of the cone after Eval.
func (s *Simulator) Value(l aig.Lit) uint64 { return s.values[l>>1] ^ -uint64(l&1) }

// Step moves to the next state; Eval must have been called.
func (s *Simulator) Step() {
	for i := range s.m.Latches {
		if s.m.Latches[i].InCone {
			s.next[i] = s.Value(s.m.Latches[i].Next)
		}
	}
	s.state, s.next = s.next, s.state
}

// Replay runs a trace on the model without faults. It tells the first frame in
// which the bad-state literal holds, all constraints having held up to and
// including that frame, or -1.
func Replay(m *Model, t *cert.Trace) int {
	s := NewSimulator(m)
	s.Reset(func(i int) uint64 { return lane0(i < len(t.Latches) && t.Latches[i]) })
	in := make([]uint64, len(m.Inputs))
	for frame, bits := range t.Inputs {
		for i := range in {
			in[i] = lane0(i < len(bits) && bits[i])
		}
		s.Eval(in)
		if s.Value(m.Constraint)&1 == 0 {
			return -1
		}
		if s.Value(m.Bad)&1 == 1 {
			return frame
		}
		s.Step()
	}
	return -1
}

func lane0(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// Seen returns, before Eval, the lanes that readers of a node see: of a latch, or of a
// cut of it under the faults that are set.
func (s *Simulator) Seen(latch int, n aig.Node) uint64 {
	if s.m.Graph.Kind(n) != aig.KindCut {
		return s.state[latch]
	}
	of, _ := s.m.Graph.Fanins(n)
	k := s.m.cutAt(n)
	return (s.Seen(latch, of.Node())^-uint64(of&1))&^s.sel[k] | s.force[k]&s.sel[k]
}
