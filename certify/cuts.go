package certify

import (
	"slices"

	"netcov/aiger/sim"
	"netcov/mutant"
)

// cut is a node that a set of mutations meets, with all its faults. Where it is
// active, its readers see one of them, the same in all frames. A nondet fault stands
// for all: what readers see of another one is a value of a free input, too.
type cut struct {
	faults []mutant.Fault
	gate   bool
	muxes  []mutant.Mux // by fault: as the mutation has it
	index  int
	blind  bool  // what readers see does not depend on the design
	also   *cut  // another one at the same place
	sel    lit   // selector; 0: always active
	which  []lit // chooses among the faults: see forced; made when first needed
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

// remembers reports whether the cut's fault remembers; it is its only one.
func (x *cut) remembers() bool { return x.faults[0].Remembers() }

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
		next := m.place() == mutant.AtNext
		c := s.find(v, m)
		if c == nil {
			c = &cut{gate: m.Gate, index: m.Index, blind: true}
			c.also = s.of[cutKey{v, next}]
			s.of[cutKey{v, next}] = c
			s.list = append(s.list, c)
			if next {
				s.mark[v] |= cutNext
			} else {
				s.mark[v] |= cutOutput
			}
		}
		switch {
		case m.Fault == mutant.Nondet:
			c.faults, c.muxes = []mutant.Fault{mutant.Nondet}, []mutant.Mux{m.Mux}
		case !slices.Contains(c.faults, mutant.Nondet) && !slices.Contains(c.faults, m.Fault):
			c.faults, c.muxes = append(c.faults, m.Fault), append(c.muxes, m.Mux)
		}
		c.blind = c.blind && !sim.ReadsOf(m.Fault).Design
	}
	return nil
}

// find returns the cut of a mutation at a variable, or nil.
func (s *cuts) find(v uint32, m Mutation) *cut {
	c := s.of[cutKey{v, m.place() == mutant.AtNext}]
	for c != nil && c.remembers() != m.Fault.Remembers() {
		c = c.also
	}
	return c
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

// node is the node of a cut in one frame.
type node struct {
	c        *cnf
	frame    *frame
	cut      *cut
	value    lit
	operands [2]lit // of a gate
}

func (n *node) Const(b bool) lit {
	if b {
		return yes
	}
	return no
}

func (n *node) Not(a lit) lit     { return -a }
func (n *node) And(a, b lit) lit  { return n.c.and(a, b) }
func (n *node) Value() lit        { return n.value }
func (n *node) Operand(i int) lit { return n.operands[i] }
func (n *node) Missed() lit       { return n.frame.hasMissed() }
func (n *node) Shown() lit        { return n.frame.lit(n.frame.k.file.Latches[n.cut.index].Lit) }

// Free returns a new value, but where the fault remembers the one of its frame.
func (n *node) Free() lit {
	if n.cut == nil || !n.cut.remembers() {
		return n.c.fresh()
	}
	if n.frame.free == nil {
		n.frame.free = map[*cut]lit{}
	}
	if n.frame.free[n.cut] == 0 {
		n.frame.free[n.cut] = n.c.fresh()
	}
	return n.frame.free[n.cut]
}
func (n *node) First() lit { return n.frame.isFirst() }

// forced returns the value that the node's readers see in one frame: that of the first
// fault i > 0 for which which[i-1] holds, else that of fault 0.
func (x *cut) forced(n *node) lit {
	p := sim.Seen[lit](x.faults[0], n)
	for i := len(x.faults) - 1; i > 0; i-- {
		for len(x.which) < len(x.faults)-1 {
			x.which = append(x.which, n.c.fresh())
		}
		p = n.c.mux(x.which[i-1], sim.Seen[lit](x.faults[i], n), p)
	}
	return p
}

// choose ties the choice among the node's faults to one of them where active holds. A
// nondet fault, which stands for all, is not tied.
func (x *cut) choose(c *cnf, active lit, fault mutant.Fault) {
	at := slices.Index(x.faults, fault)
	for i, l := range x.which {
		switch {
		case i+1 == at:
			c.add(-active, l)
			return
		case at >= 0:
			c.add(-active, -l)
		}
	}
}

// apply returns what the readers see of a node.
func (x *cut) apply(n *node) lit {
	n.cut = x
	f := x.forced(n)
	if x.sel == 0 {
		return f
	}
	if x.faults[0] == mutant.Nondet { // the free value itself, tied where the cut is inactive
		start := len(n.c.flat)
		n.c.add(x.sel, -f, n.value)
		n.c.add(x.sel, f, -n.value)
		n.c.define(f, start)
		return f
	}
	return n.c.mux(x.sel, f, n.value)
}

// mutation names the fault that a model of the clauses activates.
func (x *cut) mutation(value func(lit) bool) *Mutation {
	m := &Mutation{Gate: x.gate, Index: x.index, Fault: x.faults[0], Mux: x.muxes[0]}
	if i := slices.IndexFunc(x.which, value); i >= 0 {
		m.Fault, m.Mux = x.faults[i+1], x.muxes[i+1]
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
