// From yosys' gates to an and-inverter graph. Each gate becomes its own AND
// nodes, none shared with another gate, so that each can be mutated alone; only
// constants are folded.

package verilog

import (
	"errors"
	"fmt"
	"strings"

	"netcov/aig"
)

// gateInputs lists the inputs of each gate that yosys' technology map leaves.
var gateInputs = map[string]string{
	"$_BUF_": "A", "$_NOT_": "A",
	"$_AND_": "AB", "$_NAND_": "AB", "$_OR_": "AB", "$_NOR_": "AB", "$_XOR_": "AB", "$_XNOR_": "AB",
	"$_ANDNOT_": "AB", "$_ORNOT_": "AB", "$_MUX_": "ABS", "$_NMUX_": "ABS",
	"$_AOI3_": "ABC", "$_OAI3_": "ABC", "$_AOI4_": "ABCD", "$_OAI4_": "ABCD",
}

// circuit is a graph under construction.
type circuit struct {
	g      *aig.Graph
	m      *module
	value  []aig.Lit // [bit]: Undef until known
	driver []string  // [bit]: the gate that drives it, "" for a leaf
	clock  bit       // has no value
	// free makes the inputs that exist only once something reads them.
	free map[bit]func() aig.Lit
}

// errClock says that the clock is read as data.
var errClock = errors.New("the clock is read as data")

func (c *circuit) lit(b bit) aig.Lit {
	switch {
	case b == bit0:
		return aig.False
	case b == bit1:
		return aig.True
	case b >= 0 && int(b) < len(c.value):
		return c.value[b]
	}
	return aig.Undef
}

// and adds a gate of its own; constants and equal operands need none.
func (c *circuit) and(a, b aig.Lit) aig.Lit {
	switch {
	case a == aig.False || b == aig.False || a == b.Not():
		return aig.False
	case a == aig.True || a == b:
		return b
	case b == aig.True:
		return a
	}
	return c.g.RawAnd(a, b)
}

func (c *circuit) or(a, b aig.Lit) aig.Lit { return c.and(a.Not(), b.Not()).Not() }

func (c *circuit) mux(sel, t, e aig.Lit) aig.Lit {
	if t == e {
		return t
	}
	return c.or(c.and(sel, t), c.and(sel.Not(), e))
}

// gate computes the output of a gate from the values of its inputs.
func (c *circuit) gate(kind string, in []aig.Lit) aig.Lit {
	xor := func(a, b aig.Lit) aig.Lit { return c.mux(a, b.Not(), b) }
	switch kind {
	case "$_NOT_":
		return in[0].Not()
	case "$_AND_":
		return c.and(in[0], in[1])
	case "$_NAND_":
		return c.and(in[0], in[1]).Not()
	case "$_OR_":
		return c.or(in[0], in[1])
	case "$_NOR_":
		return c.or(in[0], in[1]).Not()
	case "$_XOR_":
		return xor(in[0], in[1])
	case "$_XNOR_":
		return xor(in[0], in[1]).Not()
	case "$_ANDNOT_":
		return c.and(in[0], in[1].Not())
	case "$_ORNOT_":
		return c.or(in[0], in[1].Not())
	case "$_MUX_":
		return c.mux(in[2], in[1], in[0])
	case "$_NMUX_":
		return c.mux(in[2], in[1], in[0]).Not()
	case "$_AOI3_":
		return c.or(c.and(in[0], in[1]), in[2]).Not()
	case "$_OAI3_":
		return c.and(c.or(in[0], in[1]), in[2]).Not()
	case "$_AOI4_":
		return c.or(c.and(in[0], in[1]), c.and(in[2], in[3])).Not()
	case "$_OAI4_":
		return c.and(c.or(in[0], in[1]), c.or(in[2], in[3])).Not()
	}
	return in[0] // $_BUF_
}

// newCircuit indexes the gates by the net that each drives, and refuses a net
// with two drivers.
func newCircuit(m *module, g *aig.Graph) (*circuit, error) {
	top := m.lastBit()
	c := &circuit{g: g, m: m, value: make([]aig.Lit, top+1), driver: make([]string, top+1), free: map[bit]func() aig.Lit{}}
	for i := range c.value {
		c.value[i] = aig.Undef
	}
	for _, name := range m.cellsOf(func(kind string) bool { return gateInputs[kind] != "" }) {
		cl := m.Cells[name]
		y := cl.one("Y")
		if y < 0 {
			continue
		}
		if other := c.driver[y]; other != "" {
			return nil, c.twoDrivers(y, m.Cells[other], cl)
		}
		c.driver[y] = name
	}
	return c, nil
}

func (c *circuit) twoDrivers(b bit, one, two *cell) error {
	p, q := placeOf(one.Attributes), placeOf(two.Attributes)
	return refuse(p, "drive each net once", "two drivers of %s (the other is at %s:%d)", netOf(c.m, []bit{b}), q.file, q.line)
}

// setLeaf gives a net that no gate drives its value.
func (c *circuit) setLeaf(b bit, l aig.Lit, from *cell) error {
	if b < 0 {
		return nil
	}
	if gate := c.driver[b]; gate != "" {
		return c.twoDrivers(b, c.m.Cells[gate], from)
	}
	if c.value[b] != aig.Undef {
		return refuse(placeOf(from.Attributes), "drive each net once", "two drivers of %s", netOf(c.m, []bit{b}))
	}
	c.value[b] = l
	return nil
}

// evaluate computes a net and all that it depends on. made is told which
// nodes a gate made.
func (c *circuit) evaluate(root bit, made func(name string, first aig.Node)) (aig.Lit, error) {
	if l := c.lit(root); l != aig.Undef {
		return l, nil
	}
	stack := []bit{root}
	open := map[bit]bool{}
	for len(stack) > 0 {
		b := stack[len(stack)-1]
		if c.lit(b) != aig.Undef {
			stack = stack[:len(stack)-1]
			continue
		}
		if make, ok := c.free[b]; ok {
			c.value[b] = make()
			continue
		}
		if b == c.clock && b != 0 {
			return 0, errClock
		}
		if b < 0 || c.driver[b] == "" {
			return 0, c.noValue(b)
		}
		name := c.driver[b]
		cl := c.m.Cells[name]
		pins := gateInputs[cl.Type]
		var in [4]aig.Lit
		ready := true
		if strings.HasSuffix(pins, "S") {
			pins = c.muxPins(cl)
		}
		for i := range len(pins) {
			pin := cl.one(pins[i : i+1])
			if in[i] = c.lit(pin); in[i] == aig.Undef {
				if pin >= 0 && open[pin] {
					return 0, c.loop(stack, open, pin)
				}
				if ready {
					open[b] = true
				}
				ready = false
				stack = append(stack, pin)
			}
		}
		if !ready {
			continue
		}
		first := aig.Node(c.g.Size())
		if kind := cl.Type; len(pins) == len(gateInputs[kind]) {
			c.value[b] = c.gate(kind, in[:len(pins)])
		} else { // the branch that a constant selects
			c.value[b] = in[0].XorSign(kind == "$_NMUX_")
		}
		if c.g.Size() > int(first) {
			made(name, first)
		}
		delete(open, b)
		stack = stack[:len(stack)-1]
	}
	return c.lit(root), nil
}

// muxPins returns the pins of a multiplexer that must be known next: its
// selector, then only the branch that counts. So an x that no value of the
// selector lets through is never read.
func (c *circuit) muxPins(cl *cell) string {
	switch s := c.lit(cl.one("S")); s {
	case aig.Undef:
		return "S"
	case aig.False:
		return "A"
	case aig.True:
		return "B"
	}
	return "ABS"
}

// noValue refuses a net without a driver that this reader knows.
func (c *circuit) noValue(b bit) error {
	if b == bitZ {
		return &Error{What: "the design reads a constant z", Cure: "drive 0 or 1 there"}
	}
	if b == bitX {
		return &Error{What: "the design reads a constant x that yosys did not turn into an input", Cure: "drive 0 or 1 there"}
	}
	for name, cl := range c.m.Cells {
		for _, out := range []string{"Y", "Q", "O", "DATA"} {
			for _, q := range cl.pin(out) {
				if q == b {
					return refuse(placeOf(cl.Attributes), "leave it out of the design", "cells of type %s are not supported (%s)", cl.Type, name)
				}
			}
		}
	}
	return &Error{What: fmt.Sprintf("nothing drives %s", netOf(c.m, []bit{b})), Cure: "drive it or leave it out"}
}

// loop names the nets of a combinational loop, from the closing net up the
// stack of open ones.
func (c *circuit) loop(stack []bit, open map[bit]bool, closing bit) error {
	var names []string
	var at, declared place
	inside := false
	for _, b := range stack {
		inside = inside || b == closing
		if !inside || !open[b] && b != stack[len(stack)-1] {
			continue
		}
		if at.line == 0 {
			at = placeOf(c.m.Cells[c.driver[b]].Attributes)
		}
		name := netOf(c.m, []bit{b})
		if r := c.m.named[b]; r.net != "" && declared.line == 0 { // a multiplexer of a selected bit has no place
			declared = netPlace(c.m, r.net)
		}
		if name[0] != '$' && (len(names) == 0 || names[len(names)-1] != name) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		names = []string{"unnamed nets"}
	}
	if at.line == 0 {
		at = declared
	}
	return refuse(at, "break it by a register, or drive each bit from others only", "combinational loop through %s", strings.Join(shortList(names), ", "))
}
