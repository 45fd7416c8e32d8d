package interp

import (
	"netcov/aig"
	"netcov/netlist"
	"netcov/proof"
	"netcov/sat"
)

// restartChain is the unrolling of so many steps with restarts, whose refutations
// the strengthener reads. The clauses of each frame are one part; two parts share
// the latches between them, and nothing else.
type restartChain struct {
	x     *strengthener
	m     *netlist.Model // with an input "restart"
	steps int
	s     *proof.CDCL
	f     *netlist.Frames
	again aig.Lit
	part  []int32 // by variable: the frame whose clauses hold it
	latch []int32 // by variable: the latch that it is, from frame 1 on, or -1
	shown int     // variables whose latch is known
	build []*Builder

	end    sat.Lit         // assumed: constraint and lemmas hold in the last frame
	lemmas int             // those that are asserted
	fail   map[int]sat.Lit // by property: assumed where it fails in the last frame
}

// partSink writes the clauses of a frame.
type partSink struct {
	c    *restartChain
	part int32
}

// NewVar makes a variable of the frame.
func (p partSink) NewVar() sat.Var {
	v := p.c.s.NewVar()
	for len(p.c.part) <= int(v) {
		p.c.part = append(p.c.part, 0)
		p.c.latch = append(p.c.latch, -1)
	}
	p.c.part[v] = p.part
	return v
}

// AddClause adds a clause of the frame.
func (p partSink) AddClause(lits ...sat.Lit) { p.c.s.AddClauseTagged(p.part, lits...) }

func newRestartChain(x *strengthener, steps int) *restartChain {
	c := &restartChain{x: x, steps: steps, s: x.opt.solver(true), fail: map[int]sat.Lit{}}
	c.m, c.again = restartable(x.m)
	c.f = netlist.NewFrames(c.m, netlist.FramesOptions{
		Sink:     func(frame int) netlist.ClauseSink { return partSink{c, int32(frame)} },
		Boundary: func(int) bool { return true },
	})
	for t := range steps {
		p := partSink{c, int32(t)}
		again := c.f.Lit(t, c.again)
		if c.m.Constraint != aig.True {
			p.AddClause(again, c.f.Lit(t, c.m.Constraint))
		}
		for _, i := range x.all {
			p.AddClause(again, c.f.Lit(t, c.m.Bads[i]).Not())
		}
	}
	last := partSink{c, int32(steps)}
	c.end = sat.MkLit(last.NewVar(), false)
	if c.m.Constraint != aig.True {
		last.AddClause(c.end.Not(), c.f.Lit(steps, c.m.Constraint))
	}
	for cut := range steps {
		c.build = append(c.build, NewBuilder(x.r.Graph, Partition{
			Clause: func(tag int32) Side {
				if int(tag) <= cut {
					return SideA
				}
				return SideB
			},
			Var: func(v sat.Var) Side {
				switch part := int(c.part[v]); {
				case part > cut:
					return SideB
				case part == cut && c.latch[v] >= 0:
					return Shared
				}
				return SideA
			},
			Edge: func(v sat.Var) aig.Lit { return x.latch(int(c.latch[v])) },
		}))
	}
	return c
}

// restartable returns a copy of a model with one more input, which puts it into
// an initial state.
func restartable(m *netlist.Model) (*netlist.Model, aig.Lit) {
	r := m.Original()
	g := r.Graph
	again := g.Input()
	r.Inputs = append(r.Inputs, again)
	for i := range r.Latches {
		l := &r.Latches[i]
		if !l.InCone {
			continue
		}
		start := aig.False.XorSign(l.Reset == netlist.Reset1)
		if l.Reset == netlist.ResetX {
			start = g.Input()
			r.Inputs = append(r.Inputs, start)
		}
		l.Next = g.Mux(again, start, l.Next)
	}
	return r, again
}

// assumeLemmas adds the lemmas that are new since the last call.
func (c *restartChain) assumeLemmas() {
	last := partSink{c, int32(c.steps)}
	for _, i := range c.x.lemmas[c.lemmas:] {
		last.AddClause(c.end.Not(), c.f.Lit(c.steps, c.m.Bads[i]).Not())
	}
	c.lemmas = len(c.x.lemmas)
}

// fails returns the literal that a property fails in the last frame.
func (c *restartChain) fails(p int) sat.Lit {
	l, known := c.fail[p]
	if !known {
		last := partSink{c, int32(c.steps)}
		l = sat.MkLit(last.NewVar(), false)
		last.AddClause(l.Not(), c.f.Lit(c.steps, c.m.Bads[p]))
		c.fail[p] = l
	}
	c.showLatches()
	return l
}

// showLatches notes which variables are latches at the start of a frame.
func (c *restartChain) showLatches() {
	if c.shown == c.s.NumVars() {
		return
	}
	c.shown = c.s.NumVars()
	for t := 1; t <= c.steps; t++ {
		for i, l := range c.m.Latches {
			if p, ok := c.f.Encoded(t, l.Lit); ok {
				c.latch[p.Var()] = int32(i)
			}
		}
	}
}

// sequence adds the first interpolants of the last refutation to the invariant.
func (c *restartChain) sequence(first int) {
	p := c.s.Proof()
	for _, b := range c.build[:first] {
		c.x.add(b.Interpolant(p, nil))
	}
}
