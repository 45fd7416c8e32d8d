package ctl

import "netcov/kripke/structure"

// checker model checks a program on mutants of a frame, bottom up and in time
// linear in the frame and the program (Clarke, Emerson and Sistla 1986). Its
// sets and stacks are reused from one mutant to the next.
type checker struct {
	f    *frame
	p    program
	sets []structure.Set

	hubSeen structure.Set
	count   []int32
	sizes   []int32
	left    []int32 // hubs of each state; nil where each has one
	stack   []int32
	flipped structure.Set
	x, y    structure.Set // complements of operands
	z, t    structure.Set // of globally
	// optimistic reads open mutations in favour of the operator (halving.go).
	optimistic bool
	all        bool    // a hub counts when all of its members are in, not one
	back       []int32 // the cell whose twin each cell is, -1 for none
}

func newChecker(f *frame, p program) *checker {
	c := &checker{
		f: f, p: p, hubSeen: structure.NewSet(f.members.len()), flipped: structure.NewSet(f.states),
		x: structure.NewSet(f.states), y: structure.NewSet(f.states),
		count: make([]int32, f.members.len()), sizes: make([]int32, f.members.len()),
	}
	for h := range c.sizes {
		c.sizes[h] = f.members.offset[h+1] - f.members.offset[h]
	}
	if len(f.hubs.item) > f.states {
		c.left = make([]int32, f.states)
	}
	c.back = make([]int32, f.members.len())
	for h := range c.back {
		c.back[h] = -1
	}
	for cell, twin := range f.twin {
		c.back[twin] = int32(cell)
	}
	for range p {
		c.sets = append(c.sets, structure.NewSet(f.states))
	}
	return c
}

// holds reports whether the mutant satisfies the program: all of its initial
// states do. With open mutations it reports whether each of their mutants is known to.
func (c *checker) holds(m mutant) bool {
	last := c.run(&m)
	for _, w := range c.f.initial(m) {
		if !last.Has(int(w)) {
			return false
		}
	}
	return true
}

// run computes the sets of all instructions and returns the last.
func (c *checker) run(m *mutant) structure.Set {
	for i, ins := range c.p {
		out := c.sets[i]
		a, b := c.sets[ins.a], c.sets[ins.b]
		switch ins.op {
		case constant:
			c.fill(out, !ins.negated)
		case literal:
			copy(out, c.label(m, ins.atom))
			if ins.negated {
				c.complement(out, out)
			}
			if m.open != nil && m.flip == ins.atom {
				for cell := range m.open.All() {
					from, to := c.f.statesOf(int32(cell))
					for w := from; w < to; w++ {
						out.Remove(w)
					}
				}
			}
		case and:
			copy(out, a)
			out.Intersect(b)
		case or:
			copy(out, a)
			out.Union(b)
		case ex:
			c.next(m, out, a, 0)
		case ax:
			c.complement(c.x, a)
			c.not(out, func() { c.next(m, out, c.x, 0) })
		case eu:
			c.existsUntil(m, out, a, b)
		case au:
			c.allUntil(m, out, a, b)
		case er:
			c.complement(c.x, a)
			c.complement(c.y, b)
			c.not(out, func() { c.allUntil(m, out, c.x, c.y) })
		case ar:
			c.complement(c.x, a)
			c.complement(c.y, b)
			c.not(out, func() { c.existsUntil(m, out, c.x, c.y) })
		case eg:
			c.globally(m, out, a)
		case af:
			c.complement(c.x, a)
			c.not(out, func() { c.globally(m, out, c.x) })
		}
	}
	return c.sets[len(c.sets)-1]
}

// not is the complement of what an operator computes, for which open mutations count
// the other way.
func (c *checker) not(out structure.Set, compute func()) {
	c.optimistic = true
	compute()
	c.optimistic = false
	c.complement(out, out)
}

func (c *checker) label(m *mutant, atom string) structure.Set {
	set := c.f.labels[atom]
	if m.cell < 0 || m.flip != atom {
		return set
	}
	copy(c.flipped, set)
	from, to := c.f.statesOf(m.cell)
	for w := from; w < to; w++ {
		c.flipped.Flip(w)
	}
	return c.flipped
}

func (c *checker) fill(out structure.Set, value bool) {
	clear(out)
	if value {
		copy(out, structure.FullSet(c.f.states))
	}
}

func (c *checker) complement(out, in structure.Set) {
	for i, w := range in {
		out[i] = ^w
	}
	if r := c.f.states % 64; r != 0 {
		out[len(out)-1] &= 1<<r - 1
	}
}

// next is the set of states with a step into a that has the given marks.
func (c *checker) next(m *mutant, out, a structure.Set, marks uint64) {
	clear(c.hubSeen)
	for u := range a.All() {
		for _, h := range c.f.within.of(int32(u)) {
			c.hubSeen.Add(int(h))
		}
	}
	clear(out)
	var open structure.Set
	if m.redirect {
		open = m.open
	}
	for w := range c.f.states {
		for i, h := range c.f.hubs.of(int32(w)) {
			in := c.hubSeen.Has(int(c.f.target(m, h)))
			if open != nil && open.Has(int(h)) {
				twin := c.hubSeen.Has(int(c.f.twin[h]))
				in = in && twin || c.optimistic && (in || twin)
			}
			if other, merged := c.f.pair(m, h); merged {
				in = in || c.hubSeen.Has(int(other))
			}
			if in && c.f.marked(w, i, marks) {
				out.Add(w)
				break
			}
		}
	}
}

// existsUntil searches backwards from b through a.
func (c *checker) existsUntil(m *mutant, out, a, b structure.Set) {
	c.all = false
	copy(out, b)
	clear(c.hubSeen)
	c.start(b)
	for len(c.stack) > 0 {
		u := c.pop()
		for _, h := range c.f.within.of(u) {
			if !c.hubSeen.Has(int(h)) {
				c.hubSeen.Add(int(h))
				c.enter(m, h, nil, out, a)
			}
		}
	}
}

// allUntil searches backwards like existsUntil; a hub counts when all of its
// members are in, and a state when all of its hubs count.
func (c *checker) allUntil(m *mutant, out, a, b structure.Set) {
	c.all = true
	copy(out, b)
	copy(c.count, c.sizes)
	for w := range c.left {
		c.left[w] = int32(len(c.f.hubs.of(int32(w))))
	}
	c.start(b)
	for len(c.stack) > 0 {
		u := c.pop()
		for _, h := range c.f.within.of(u) {
			if c.count[h]--; c.count[h] == 0 {
				c.enter(m, h, c.left, out, a)
			}
		}
	}
}

func (c *checker) start(b structure.Set) {
	c.stack = c.stack[:0]
	for u := range b.All() {
		c.stack = append(c.stack, int32(u))
	}
}

func (c *checker) pop() int32 {
	u := c.stack[len(c.stack)-1]
	c.stack = c.stack[:len(c.stack)-1]
	return u
}

// enter adds the states of a that have the hub h in the mutant, or of which it is the
// last that is left.
func (c *checker) enter(m *mutant, h int32, left []int32, out, a structure.Set) {
	if other, merged := c.f.pair(m, h); merged {
		// The two are one hub now, with the members of both.
		if c.all && c.count[other] > 0 || !c.all && c.hubSeen.Has(int(other)) {
			return
		}
		c.add(c.f.users.of(other), left, out, a)
	}
	if !m.redirect {
		c.add(c.f.users.of(h), left, out, a)
		return
	}
	if m.open != nil {
		c.enterOpen(m, h, left, out, a)
		return
	}
	if h != m.cell {
		c.add(c.f.users.of(h), left, out, a)
	}
	if h == c.f.twin[m.cell] {
		c.add(c.f.users.of(m.cell), left, out, a)
	}
}

// enterOpen is enter with open redirections: an open hub is in when it and its twin
// are, optimistically when the first of them is.
func (c *checker) enterOpen(m *mutant, h int32, left []int32, out, a structure.Set) {
	ready := func(h int32) bool {
		if c.all {
			return c.count[h] == 0
		}
		return c.hubSeen.Has(int(h))
	}
	for _, g := range [2]int32{h, c.back[h]} {
		switch {
		case g < 0:
		case !m.open.Has(int(g)):
			if g == h {
				c.add(c.f.users.of(g), left, out, a)
			}
		default:
			other := c.f.twin[g]
			if g != h {
				other = g
			}
			if ready(other) != c.optimistic {
				c.add(c.f.users.of(g), left, out, a)
			}
		}
	}
}

func (c *checker) add(states, left []int32, out, a structure.Set) {
	for _, w := range states {
		if left != nil {
			if left[w]--; left[w] > 0 {
				continue
			}
		}
		if a.Has(int(w)) && !out.Has(int(w)) {
			out.Add(int(w))
			c.stack = append(c.stack, w)
		}
	}
}
