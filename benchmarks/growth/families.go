package main

import (
	"netcov/aig"
	"netcov/aiger"
	"netcov/netlist"
)

// family is a kind of design of any size, whose property has many small cones.
type family struct {
	name  string
	build func(c *design, latches int)
}

var families = []family{{"pipelines", pipelines}, {"counters", counters}, {"fifos", fifos}, {"cores", cores}}

// checkedOf: the property speaks of one block out of so many.
const checkedOf = 8

// design is a netlist that grows, and the disjunction of its bad states.
type design struct {
	*aig.Graph
	n   *netlist.Netlist
	bad aig.Lit
}

// generate returns a design of a family with about so many latches.
func generate(f family, latches int) *aiger.File {
	g := aig.NewGraph()
	d := &design{Graph: g, n: &netlist.Netlist{Graph: g}, bad: aig.False}
	f.build(d, latches)
	d.n.Bads = []netlist.Signal{{Lit: d.bad, Name: "bad"}}
	return d.n.ToAIGER()
}

func (d *design) input() aig.Lit {
	l := d.Input()
	d.n.Inputs = append(d.n.Inputs, netlist.Input{Lit: l})
	return l
}

// latches adds some that start at 0; drive gives them their next states.
func (d *design) latches(count int) []aig.Lit {
	var out []aig.Lit
	for range count {
		l := d.Latch()
		d.n.Latches = append(d.n.Latches, netlist.Latch{Lit: l, Next: l, Reset: aig.False})
		out = append(out, l)
	}
	return out
}

// drive sets the next states of the newest latches.
func (d *design) drive(next ...aig.Lit) {
	at := len(d.n.Latches) - len(next)
	for i, l := range next {
		d.n.Latches[at+i].Next = l
	}
}

// wrong adds bad states to those of the property where a block is checked.
func (d *design) wrong(block int, l aig.Lit) {
	if block%checkedOf == 0 {
		d.bad = d.Or(d.bad, l)
	}
}

func (d *design) mux(s, a, b aig.Lit) aig.Lit { return d.Or(d.And(s, a), d.And(s.Not(), b)) }
func (d *design) xor(a, b aig.Lit) aig.Lit    { return d.mux(a, b.Not(), b) }

// pipelines are pairs of 16 stages with a common enable and equal data: their ends
// are equal.
func pipelines(d *design, latches int) {
	const stages = 16
	enable := d.input()
	for block := range max(1, latches/(2*stages)) {
		data := d.input()
		var ends []aig.Lit
		for range 2 {
			q := d.latches(stages)
			next := make([]aig.Lit, stages)
			for i, before := range append([]aig.Lit{data}, q[:stages-1]...) {
				next[i] = d.mux(enable, before, q[i])
			}
			d.drive(next...)
			ends = append(ends, q[stages-1])
		}
		d.wrong(block, d.xor(ends[0], ends[1]))
	}
}

// counters go from 0 to 11, each with its own enable: they never reach 12.
func counters(d *design, latches int) {
	for block := range max(1, latches/4) {
		d.wrong(block, d.counter(d.input()))
	}
}

// counter adds one and returns whether it is 12 or more.
func (d *design) counter(enable aig.Lit) aig.Lit {
	q := d.latches(4)
	last := d.And(d.And(q[0], q[1]), q[3])
	next := make([]aig.Lit, 4)
	carry := enable
	for i := range q {
		next[i] = d.And(d.xor(q[i], carry), d.And(last, enable).Not())
		carry = d.And(carry, q[i])
	}
	d.drive(next...)
	return d.And(q[2], q[3])
}

// fifos are 8 words of 4 bits that move up as one leaves: what is valid comes first.
func fifos(d *design, latches int) {
	const depth, width = 8, 4
	data := make([]aig.Lit, width)
	for i := range data {
		data[i] = d.input()
	}
	for block := range max(1, latches/(depth*(width+1))) {
		push, pop := d.input(), d.input()
		valid := d.latches(depth)
		push, pop = d.And(push, valid[depth-1].Not()), d.And(pop, valid[0])
		next := make([]aig.Lit, depth)
		gap := aig.False
		for i := range valid {
			below, above := aig.True, aig.False
			if i > 0 {
				below = valid[i-1]
				gap = d.Or(gap, d.And(valid[i], below.Not()))
			}
			if i < depth-1 {
				above = valid[i+1]
			}
			next[i] = d.mux(d.And(push, pop.Not()), d.Or(valid[i], below), d.mux(d.And(pop, push.Not()), above, valid[i]))
		}
		d.drive(next...)
		for bit := range width {
			q := d.latches(depth)
			for i := range q {
				above := data[bit]
				if i < depth-1 {
					above = q[i+1]
				}
				next[i] = d.mux(pop, above, d.mux(d.And(push, valid[i].Not()), data[bit], q[i]))
			}
			d.drive(next...)
		}
		d.wrong(block, gap)
	}
}

// cores stand in a row. Each goes through four phases, one latch each (the first is
// active while no other is), has a program counter of 3 bits and an accumulator of 4, to
// which it adds that of the core before it: no two phases are active at a time.
func cores(d *design, latches int) {
	before := []aig.Lit{d.input(), d.input(), d.input(), d.input()}
	for block := range max(1, latches/10) {
		run := d.input()
		phase := d.latches(3)
		idle := d.Or(d.Or(phase[0], phase[1]), phase[2]).Not()
		next := make([]aig.Lit, 3)
		for i, from := range []aig.Lit{idle, phase[0], phase[1]} {
			next[i] = d.mux(run, from, phase[i])
		}
		d.drive(next...)
		step := d.And(run, phase[2])
		counter := d.latches(3)
		carry := step
		for i, q := range counter {
			next[i] = d.xor(q, carry)
			carry = d.And(carry, q)
		}
		d.drive(next...)
		adds := d.And(step, counter[0])
		sum := d.latches(4)
		next = make([]aig.Lit, 4)
		carry = aig.False
		for i, q := range sum {
			operand := d.And(adds, before[i])
			half := d.xor(q, operand)
			next[i] = d.xor(half, carry)
			carry = d.Or(d.And(q, operand), d.And(half, carry))
		}
		d.drive(next...)
		two := d.Or(d.And(phase[0], phase[1]), d.And(phase[2], d.Or(phase[0], phase[1])))
		d.wrong(block, two)
		before = sum
	}
}
