package circuit

import (
	"netcov/aig"
)

// Evaluator computes edges of a circuit's graph, 64 valuations at a time.
type Evaluator struct {
	c     *Circuit
	order []aig.Node // the gates that are needed, inputs of a gate first
	value []uint64
}

// NewEvaluator prepares the evaluation of the circuit's functions and of the
// extra edges.
func NewEvaluator(c *Circuit, extra ...aig.Lit) *Evaluator {
	roots := append([]aig.Lit(nil), extra...)
	for _, s := range c.Controls {
		roots = append(roots, s.Next, s.Reset)
	}
	for _, s := range c.Outputs {
		roots = append(roots, s.Lit)
	}
	e := &Evaluator{c: c, value: make([]uint64, c.Graph.Size())}
	for _, n := range c.Graph.Cone(roots...) {
		if k := c.Graph.Kind(n); k == aig.KindAnd || k == aig.KindCut {
			e.order = append(e.order, n)
		}
	}
	return e
}

// SetControl gives control signal i its 64 values, SetInput an input, SetChoice a choice.
func (e *Evaluator) SetControl(i int, lanes uint64) { e.set(e.c.Controls[i].Lit, lanes) }

// SetInput gives input i its 64 values.
func (e *Evaluator) SetInput(i int, lanes uint64) { e.set(e.c.Inputs[i].Lit, lanes) }

// SetChoice gives choice i its 64 values.
func (e *Evaluator) SetChoice(i int, lanes uint64) { e.set(e.c.Choices[i].Lit, lanes) }

func (e *Evaluator) set(l aig.Lit, lanes uint64) {
	if l.Neg() {
		lanes = ^lanes
	}
	e.value[l.Node()] = lanes
}

// Run evaluates the gates.
func (e *Evaluator) Run() {
	for _, n := range e.order {
		a, b := e.c.Graph.Fanins(n)
		v := e.Value(a)
		if e.c.Graph.Kind(n) == aig.KindAnd {
			v &= e.Value(b)
		}
		e.value[n] = v
	}
}

// Value is the 64 values of an edge after Run; of an input or control signal
// after it was set.
func (e *Evaluator) Value(l aig.Lit) uint64 {
	v := e.value[l.Node()]
	if l.Neg() {
		return ^v
	}
	return v
}

// inputLanes is the value of input i for the 64 valuations that start at
// number base; bit i of a valuation's number is input i.
func inputLanes(i int, base uint64) uint64 {
	patterns := [6]uint64{
		0xaaaaaaaaaaaaaaaa, 0xcccccccccccccccc, 0xf0f0f0f0f0f0f0f0,
		0xff00ff00ff00ff00, 0xffff0000ffff0000, 0xffffffff00000000,
	}
	if i < 6 {
		return patterns[i]
	}
	if base>>i&1 != 0 {
		return ^uint64(0)
	}
	return 0
}
