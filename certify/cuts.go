package certify

import (
	"netcov/mutant"
)

// cut is a node that a set of mutations meets, with all its faults. Where the
// node reads as forced, the forced value is the constant of a stuck-at, or a
// free one: the same in all frames when the faults are the two stuck-ats, a new
// one in each frame when nondet is among them (which includes the other two).
type cut struct {
	zero, one, nondet bool
	gate, next        bool
	index             int
	sel               lit // selector; 0: always active
	stuck             lit // value of a free stuck-at; 0: not made yet
}

// cutMark tells, by variable, which cuts a node has.
type cutMark uint8

const (
	cutOutput cutMark = 1 << iota
	cutNext
)

type cutKey struct {
	variable uint32
	next     bool
}

// cuts is the set of nodes that a query mutates. Where it is a single node, its
// cut is always active; several have selectors.
type cuts struct {
	mark []cutMark // by variable
	of   map[cutKey]*cut
	list []*cut
}

// set puts the mutations' nodes in place of the earlier ones.
func (s *cuts) set(k *Checker, ms []Mutation) error {
	s.reset(k)
	if s.of == nil {
		s.of = make(map[cutKey]*cut, len(ms))
	}
	for _, m := range ms {
		v, err := k.variable(m)
		if err != nil {
			return err
		}
		next := m.Mux == mutant.AtNext
		c := s.of[cutKey{v, next}]
		if c == nil {
			c = &cut{gate: m.Gate, next: next, index: m.Index}
			s.of[cutKey{v, next}] = c
			s.list = append(s.list, c)
			if next {
				s.mark[v] |= cutNext
			} else {
				s.mark[v] |= cutOutput
			}
		}
		switch m.Fault {
		case mutant.Zero:
			c.zero = true
		case mutant.One:
			c.one = true
		default:
			c.nondet = true
		}
	}
	return nil
}

func (s *cuts) reset(k *Checker) {
	for key := range s.of {
		s.mark[key.variable] = 0
	}
	clear(s.of)
	s.list = s.list[:0]
}

// selectors gives each cut a selector where there are several.
func (s *cuts) selectors(c *cnf) {
	if len(s.list) < 2 {
		return
	}
	for _, cut := range s.list {
		cut.sel = c.fresh()
	}
}

// exactlyOne lets exactly one cut be active.
func (s *cuts) exactlyOne(c *cnf) {
	sels := make([]lit, len(s.list))
	for i, cut := range s.list {
		sels[i] = cut.sel
	}
	c.exactlyOne(sels)
}

// forced returns the value that the node's readers see in one frame.
func (x *cut) forced(c *cnf) lit {
	switch {
	case x.nondet:
		return c.fresh()
	case x.zero && x.one:
		if x.stuck == 0 {
			x.stuck = c.fresh()
		}
		return x.stuck
	case x.one:
		return yes
	}
	return no
}

// apply returns what the readers see of a node that computes value.
func (x *cut) apply(c *cnf, value lit) lit {
	f := x.forced(c)
	if x.sel == 0 {
		return f
	}
	if x.nondet { // the free value itself, tied where the cut is inactive
		c.add(x.sel, -f, value)
		c.add(x.sel, f, -value)
		return f
	}
	return c.mux(x.sel, f, value)
}

// mutation names the fault that a model of the clauses activates.
func (x *cut) mutation(value func(lit) bool) *Mutation {
	m := &Mutation{Gate: x.gate, Index: x.index}
	if x.next {
		m.Mux = mutant.AtNext
	}
	switch {
	case x.nondet:
		m.Fault = mutant.Nondet
	case x.zero && x.one && x.stuck != 0 && value(x.stuck), !x.zero:
		m.Fault = mutant.One
	}
	return m
}

// active returns the mutation that a model activates, nil for none.
func (s *cuts) active(value func(lit) bool) *Mutation {
	for _, x := range s.list {
		if x.sel == 0 || value(x.sel) {
			return x.mutation(value)
		}
	}
	return nil
}
