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
	for range p {
		c.sets = append(c.sets, structure.NewSet(f.states))
	}
	return c
}

// holds reports whether the mutant satisfies the program: all of its initial
// states do.
func (c *checker) holds(m mutant) bool {
	last := c.run(m)
	for _, w := range c.f.initial(m) {
		if !last.Has(int(w)) {
			return false
		}
	}
	return true
}

// run computes the sets of all instructions and returns the last.
func (c *checker) run(m mutant) structure.Set {
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
			c.next(m, out, c.x, 0)
			c.complement(out, out)
		case eu:
			c.existsUntil(m, out, a, b)
		case au:
			c.allUntil(m, out, a, b)
		case er:
			c.complement(c.x, a)
			c.complement(c.y, b)
			c.allUntil(m, out, c.x, c.y)
			c.complement(out, out)
		case ar:
			c.complement(c.x, a)
			c.complement(c.y, b)
			c.existsUntil(m, out, c.x, c.y)
			c.complement(out, out)
		case eg:
			c.globally(m, out, a)
		case af:
			c.complement(c.x, a)
			c.globally(m, out, c.x)
			c.complement(out, out)
		}
	}
	return c.sets[len(c.sets)-1]
}

func (c *checker) label(m mutant, atom string) structure.Set {
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
func (c *checker) next(m mutant, out, a structure.Set, marks uint64) {
	clear(c.hubSeen)
	for u := range a.All() {
		for _, h := range c.f.within.of(int32(u)) {
			c.hubSeen.Add(int(h))
		}
	}
	clear(out)
	for w := range c.f.states {
		for i, h := range c.f.hubs.of(int32(w)) {
			if c.hubSeen.Has(int(c.f.target(m, h))) && c.f.marked(w, i, marks) {
				out.Add(w)
				break
			}
		}
	}
}

// existsUntil searches backwards from b through a.
func (c *checker) existsUntil(m mutant, out, a, b structure.Set) {
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
func (c *checker) allUntil(m mutant, out, a, b structure.Set) {
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
func (c *checker) enter(m mutant, h int32, left []int32, out, a structure.Set) {
	if !m.redirect {
		c.add(c.f.users.of(h), left, out, a)
		return
	}
	if h != m.cell {
		c.add(c.f.users.of(h), left, out, a)
	}
	if h == c.f.twin[m.cell] {
		c.add(c.f.users.of(m.cell), left, out, a)
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
