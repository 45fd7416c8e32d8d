package main

import (
	"fmt"

	"netcov/aig"
)

// The designs. Each comment says what the properties leave open; the verdicts
// are in the table beside the file, by enumeration of the states.

var designs = map[string]func(c *circuit){
	"counter":     counter,
	"arbiter":     arbiter,
	"fifo":        fifo,
	"bus-weak":    func(c *circuit) { bus(c, false) },
	"bus-strong":  func(c *circuit) { bus(c, true) },
	"constrained": constrained,
}

// counter counts enabled cycles from 0 to 9. Its property only bounds the
// value, so that a counter which stands still satisfies it as well.
func counter(c *circuit) {
	enable := c.input("enable")
	count := c.registers("count", 4, 0)
	next := c.muxWord(c.equals(count, 9), word{aig.False, aig.False, aig.False, aig.False}, c.increment(count))
	c.driveWord(count, c.muxWord(enable, next, count))
	wrapped := c.register("wrapped", aig.False)
	c.drive(wrapped, c.or(wrapped, c.and(enable, c.equals(count, 9))))
	c.assert("at_most_9", c.below(count, 10))
}

// arbiter is the round-robin arbiter of two requests that KGG99 describes in
// section 4, with the safety part of its specification as monitors: registers
// that end in _q hold the value of the cycle before.
func arbiter(c *circuit) {
	req0, req1 := c.input("req0"), c.input("req1")
	ack0, ack1 := c.register("ack0", aig.False), c.register("ack1", aig.False)
	robin := c.register("robin", aig.False)
	idle := c.and(ack0.Not(), ack1.Not())
	both := c.and(req0, req1)
	grant := func(mine, other, ack, first bit) bit {
		return c.and(mine, c.or(other.Not(), c.mux(idle, first, ack.Not())))
	}
	c.drive(ack0, grant(req0, req1, ack0, robin.Not()))
	c.drive(ack1, grant(req1, req0, ack1, robin))
	c.drive(robin, c.xor(robin, c.and(both, idle)))

	req0q, req1q := c.delayed("req0_q", req0), c.delayed("req1_q", req1)
	ack0q, ack1q := c.delayed("ack0_q", ack0), c.delayed("ack1_q", ack1)
	started := c.delayed("started", aig.True)
	c.assert("exclusive", c.and(ack0, ack1).Not())
	c.assert("no_request_no_ack", c.implies(c.and(started, req0q.Not(), req1q.Not()), idle))
	c.assert("single_request_0", c.implies(c.and(started, req0q, req1q.Not()), ack0))
	c.assert("single_request_1", c.implies(c.and(started, req1q, req0q.Not()), ack1))
	c.assert("turn_to_1", c.implies(c.and(started, req1q, ack0q), ack1))
	c.assert("turn_to_0", c.implies(c.and(started, req0q, ack1q), ack0))
	c.assert("idle_at_first", c.or(started, idle))
}

// fifo is a queue of four words of two bits. The properties watch one word that
// is written at a time of the environment's choice.
func fifo(c *circuit) {
	push, pop, data := c.input("push"), c.input("pop"), c.inputs("data", 2)
	mark := c.input("mark")
	const depth = 4
	var slots []word
	for i := range depth {
		slots = append(slots, c.registers(fmt.Sprintf("slot%d", i), 2, 0))
	}
	head, tail := c.registers("head", 2, 0), c.registers("tail", 2, 0)
	count := c.registers("count", 3, 0)
	full, empty := c.equals(count, depth), c.equals(count, 0)
	write, read := c.and(push, full.Not()), c.and(pop, empty.Not())
	for i := range depth {
		here := c.and(write, c.equals(tail, uint(i)))
		c.driveWord(slots[i], c.muxWord(here, data, slots[i]))
	}
	c.driveWord(tail, c.muxWord(write, c.increment(tail), tail))
	c.driveWord(head, c.muxWord(read, c.increment(head), head))
	up, down := c.and(write, read.Not()), c.and(read, write.Not())
	c.driveWord(count, c.muxWord(up, c.increment(count), c.muxWord(down, c.decrement(count), count)))
	out := c.muxWord(head[1], c.muxWord(head[0], slots[3], slots[2]), c.muxWord(head[0], slots[1], slots[0]))

	// the watched word: its value and its distance from the head
	watch := c.register("watch", aig.False)
	value := c.registers("watched", 2, 0)
	ahead := c.registers("ahead", 3, 0)
	start := c.and(write, mark, watch.Not())
	leave := c.and(watch, read, c.equals(ahead, 0))
	c.drive(watch, c.or(start, c.and(watch, leave.Not())))
	c.driveWord(value, c.muxWord(start, data, value))
	moved := c.muxWord(c.and(watch, read, leave.Not()), c.decrement(ahead), ahead)
	c.driveWord(ahead, c.muxWord(start, c.muxWord(read, c.decrement(count), count), moved))
	c.assert("count_in_range", c.below(count, depth+1))
	c.assert("in_order", c.implies(c.and(watch, c.equals(ahead, 0)), c.same(out, value)))
	c.assert("watched_is_inside", c.implies(watch, empty.Not()))
}

// bus is an arbiter of three masters with a rotating priority. The weak set of
// properties only excludes two grants at once; the strong set also says when a
// grant must come and that it never comes unasked.
func bus(c *circuit, strong bool) {
	req := c.inputs("req", 3)
	grant := c.registers("grant", 3, 0)
	turn := c.registers("turn", 3, 1) // one hot: who comes first
	busy := c.register("busy", aig.False)
	pick := make(word, 3)
	for i := range 3 {
		var cases []bit
		for first := range 3 {
			ok := []bit{turn[first], req[i]}
			for k := first; k%3 != i; k++ {
				ok = append(ok, req[k%3].Not())
			}
			cases = append(cases, c.and(ok...))
		}
		pick[i] = c.or(cases...)
	}
	any := c.or(pick...)
	c.driveWord(grant, pick)
	c.drive(busy, any)
	for i := range 3 {
		c.drive(turn[i], c.mux(any, pick[(i+2)%3], turn[i]))
	}
	var two []bit
	for i := range 3 {
		two = append(two, c.and(grant[i], grant[(i+1)%3]))
	}
	c.assert("one_grant", c.or(two...).Not())
	if !strong {
		return
	}
	started := c.delayed("started", aig.True)
	last := make(word, 3)
	for i := range 3 {
		last[i] = c.delayed(fmt.Sprintf("req_q[%d]", i), req[i])
		c.assert(fmt.Sprintf("asked_%d", i), c.implies(grant[i], last[i]))
	}
	held := c.or(grant...)
	c.assert("served", c.implies(c.and(started, c.or(last...)), held))
	c.assert("busy_means_grant", c.xor(busy, held).Not())
	waited := make(word, 3)
	for i := range 3 {
		// refused: asked, and another was served; twice in a row at most
		refused := c.and(last[i], held, grant[i].Not())
		once := c.delayed(fmt.Sprintf("refused_q[%d]", i), refused)
		twice := c.delayed(fmt.Sprintf("refused_qq[%d]", i), c.and(once, refused))
		waited[i] = c.and(twice, refused)
		c.assert(fmt.Sprintf("fair_%d", i), waited[i].Not())
	}
}

// constrained has a register of each kind of reset (0, 1, none, a function of
// an input and of another register) and two constraints.
func constrained(c *circuit) {
	in, mode := c.input("in"), c.input("mode")
	zero := c.register("starts_at_0", aig.False)
	one := c.register("starts_at_1", aig.True)
	free := c.free("starts_anywhere")
	copied := c.register("starts_with_input", aig.False)
	opposite := c.register("starts_opposite", aig.False)
	c.n.Latches[3].Reset = c.n.Inputs[0].Lit
	c.n.Latches[4].Reset = free.Not()
	c.drive(zero, c.and(zero, one))
	c.drive(one, c.or(one, in))
	c.drive(free, c.mux(mode, free.Not(), free))
	c.drive(copied, in)
	c.drive(opposite, c.mux(mode, opposite.Not(), opposite))
	c.assume("in_follows_mode", c.implies(in, mode))
	c.assume("copied_is_low", copied.Not())
	c.assert("opposite", c.xor(free, opposite))
	c.assert("one_stays", one)
	c.assert("zero_stays", c.or(zero.Not(), c.and(free, in)))
}
