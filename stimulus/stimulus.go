package stimulus

import (
	"context"
	"maps"
	"slices"

	"netcov/aig"
	"netcov/netlist"
)

// Chooser chooses the inputs of a model. It is made once and can be shared: Choose
// works on memory of the caller's.
type Chooser struct {
	later *program
	first *program // for the step from an initial state; nil where that is no other
	flag  leaf     // differs from its value in later states in initial ones alone
	final bool     // that value
	size  int      // nodes of the graph
}

// program computes inputs.
type program struct {
	leaves []leaf
	ops    []op
}

// leaf is a value of the state: a latch, or what the readers of its cut see.
type leaf struct {
	node  aig.Node // of the chooser's graph
	latch int
	model aig.Node
}

// op makes a node the AND of two edges; or, where input is not negative, chooses an
// input: low and high are what its bucket says of 0 and of 1.
type op struct {
	node      aig.Node
	low, high aig.Lit
	input     int
}

// rounds is how often conditions on the state are moved one step back.
const rounds = 3

// New solves the constraints of a model. It is nil where there are none that
// depend on inputs, and where ctx ends first.
func New(ctx context.Context, m *netlist.Model) *Chooser {
	c := newConditions(m)
	all := c.gather()
	if len(all) == 0 {
		return nil
	}
	later, behind := slices.Clone(all), []aig.Lit{} // behind: conditions on later states, one step back
	known := maps.Clone(c.final)
	maps.Copy(known, c.held)
	var e *elimination
	for range rounds {
		e = newElimination(c.g, c.inputs, c.under(later, known), c.limit)
		if !e.run(ctx) {
			return nil
		}
		moved := slices.DeleteFunc(c.before(e.rest), func(l aig.Lit) bool { return slices.Contains(later, l) })
		if len(moved) == 0 {
			break
		}
		later, behind = append(later, moved...), append(behind, moved...)
	}
	out := &Chooser{later: c.program(e.solved)}
	if len(c.final) > 0 {
		e = newElimination(c.g, c.inputs, c.under(slices.Concat(all, behind), c.initial), c.limit)
		if !e.run(ctx) {
			return nil
		}
		out.first = c.program(e.solved)
		flag := slices.Min(slices.Collect(maps.Keys(c.final)))
		out.flag, out.final = c.leaf(flag), c.final[flag] == aig.True
	}
	if len(out.later.ops) == 0 {
		return nil
	}
	out.size = c.g.Size()
	return out
}

// program puts the solutions in order: those of the inputs that were eliminated last
// come first.
func (c *conditions) program(solved []solution) *program {
	out := &program{}
	done := make([]bool, c.g.Size())
	for i := len(solved) - 1; i >= 0; i-- {
		s := solved[i]
		for _, n := range c.g.cone(s.low, s.high) {
			if done[n] {
				continue
			}
			done[n] = true
			switch c.g.Kind(n) {
			case aig.KindAnd:
				a, b := c.g.Fanins(n)
				out.ops = append(out.ops, op{n, a, b, -1})
			case aig.KindLatch:
				out.leaves = append(out.leaves, c.leaf(n))
			case aig.KindInput:
				// One that is not chosen: it is what was drawn.
				out.ops = append(out.ops, op{n, aig.True, aig.True, c.inputAt[n]})
			}
		}
		n := c.inputs[s.input].Node()
		done[n] = true
		out.ops = append(out.ops, op{n, s.low, s.high, s.input})
	}
	return out
}

// Choose replaces drawn inputs, a word of 64 lanes each, by ones that satisfy the
// constraints in the simulator's state. What was drawn are the parameters. The values
// are a buffer, made on first use.
func (c *Chooser) Choose(s *netlist.Simulator, inputs []uint64, values *[]uint64) {
	if len(*values) < c.size {
		*values = make([]uint64, c.size)
	}
	all := ^uint64(0)
	if c.first != nil {
		initial := s.Seen(c.flag.latch, c.flag.model)
		if c.final {
			initial = ^initial
		}
		if initial != 0 {
			c.first.run(s, inputs, *values, initial)
		}
		all = ^initial
	}
	if all != 0 {
		c.later.run(s, inputs, *values, all)
	}
}

// run chooses the inputs in some lanes.
func (p *program) run(s *netlist.Simulator, inputs, v []uint64, lanes uint64) {
	for _, l := range p.leaves {
		v[l.node] = s.Seen(l.latch, l.model)
	}
	for i := range p.ops {
		o := &p.ops[i]
		low := v[o.low>>1] ^ -uint64(o.low&1)
		high := v[o.high>>1] ^ -uint64(o.high&1)
		if o.input < 0 {
			v[o.node] = low & high
			continue
		}
		chosen := inputs[o.input]&high | ^low
		v[o.node] = chosen
		inputs[o.input] = inputs[o.input]&^lanes | chosen&lanes
	}
}
