// Several clocks. A netlist has one clock, that of its steps; so a step becomes a moment
// at which any input may change, clocks among them, and each flip-flop watches its own
// clock: it takes over, in the step in which the edge is seen, what its data input was
// in the step before. This is what yosys' clk2fflogic and SymbiYosys mean by a model of
// several clocks. It is done here, on the last netlist, so that each register keeps its
// cell, and with it name, place and initial value.
//
// Of a flip-flop become
//
//	stored   a latch with what the register showed in the step before
//	past     a latch with what the data input was in the step before
//	edge     the clock is active, and a latch says that it was not
//	shown    the multiplexers edge ? past : stored, behind them asynchronous resets
//
// What shows a register is a gate, as with asynchronous resets in general (seen.go). The
// latches for data and clocks are helpers, one for each net, shared among registers; where the data
// input is a register, its own latch serves. No edge is seen in the first step.

package verilog

import (
	"fmt"
	"maps"
	"strings"
)

// sampler rewrites the cells of a module.
type sampler struct {
	from   *module
	to     *module
	next   bit
	past   map[bit]bit // a net → the latch with its value in the step before
	active map[clocked]bit
}

// sampled returns a copy of a netlist of flip-flops with clocks and of latches that has
// only such as store once a step ($_FF_).
func sampled(m *module) (*module, error) {
	s := &sampler{from: m, past: map[bit]bit{}, active: map[clocked]bit{}}
	to := *m
	to.named = nil
	s.to = &to
	s.to.Cells = maps.Clone(m.Cells)
	s.to.Netnames = maps.Clone(m.Netnames)
	s.next = m.lastBit() + 1
	initial := initialValues(m)
	var flops []string
	for _, name := range sortedKeys(m.Cells) {
		if mappedFlop(m.Cells[name].Type) {
			flops = append(flops, name)
		}
	}
	stored := map[string]bit{}
	for _, name := range flops { // first, so that they serve as pasts of each other
		c := m.Cells[name]
		q := c.one("Q")
		if c.Type == "$_FF_" || q < 0 {
			continue
		}
		value := "x"
		if v, ok := initial[q]; ok {
			value = string(v)
		}
		stored[name] = s.latch(name, q, c, value, netOf(m, []bit{q})+"$stored")
		s.past[q] = stored[name]
	}
	for _, name := range flops {
		if at, ok := stored[name]; ok {
			if err := s.show(name, m.Cells[name], at); err != nil {
				return nil, err
			}
		}
	}
	return s.to, nil
}

// net makes a net, with an initial value for what a latch drives.
func (s *sampler) net(name, initial string) bit {
	b := s.next
	s.next++
	n := &net{Bits: bits{b}, HideName: 1, Attributes: map[string]string{}}
	if initial == "0" || initial == "1" {
		n.Attributes["init"] = initial
	}
	s.to.Netnames[fmt.Sprintf("$%s$%d", strings.TrimPrefix(name, "$"), b)] = n
	return b
}

// latch makes a cell that stores a net once a step, in the name of a cell.
func (s *sampler) latch(name string, d bit, like *cell, initial, label string) bit {
	q := s.net(label, initial)
	s.to.Cells[name] = &cell{Type: "$_FF_", Attributes: like.Attributes, pins: []pin{{&terminal{name: "D"}, bits{d}}, {&terminal{name: "Q"}, bits{q}}}}
	return q
}

// gate makes a gate, and returns its output.
func (s *sampler) gate(kind string, like *cell, pins string, in ...bit) bit {
	y := s.net("sampled", "")
	s.drive(y, kind, like, pins, in...)
	return y
}

// drive makes a gate for a net.
func (s *sampler) drive(y bit, kind string, like *cell, pins string, in ...bit) {
	c := &cell{Type: kind, Attributes: like.Attributes, pins: []pin{{&terminal{name: "Y"}, bits{y}}}}
	for i, b := range in {
		c.pins = append(c.pins, pin{&terminal{name: pins[i : i+1]}, bits{b}})
	}
	s.to.Cells[fmt.Sprintf("$sampled$%d", y)] = c
}

// before returns a latch with the value of a net in the step before, which is named
// after the register that asks for it.
func (s *sampler) before(d bit, like *cell) bit {
	if d < 0 {
		return d // a constant
	}
	if q, ok := s.past[d]; ok {
		return q
	}
	s.past[d] = s.latch(fmt.Sprintf("$past$%d", d), d, like, "0", netOf(s.from, like.pin("Q"))+"$data")
	return s.past[d]
}

// edge returns whether an edge of a clock is seen in a step.
func (s *sampler) edge(clock bit, rising bool, like *cell) bit {
	if clock < 0 {
		return bit0
	}
	key := clocked{clock: clock, rising: rising}
	if e, ok := s.active[key]; ok {
		return e
	}
	level := clock
	if !rising {
		level = s.gate("$_NOT_", like, "A", clock)
	}
	was := s.latch(fmt.Sprintf("$past$%d", level)+map[bool]string{true: "$rising", false: "$falling"}[rising], level, like, "1", netOf(s.from, []bit{clock})+"$before")
	s.active[key] = s.gate("$_ANDNOT_", like, "AB", level, was)
	return s.active[key]
}

// show makes what shows a register: the net that the flip-flop drove.
func (s *sampler) show(name string, c *cell, stored bit) error {
	kind, at := strings.CutPrefix(strings.TrimSuffix(c.Type, "_"), "$_")
	family, letters, _ := strings.Cut(kind, "_")
	one := func(i int) bool { return i < len(letters) && letters[i] == 'P' }
	value := stored
	var resets []controlled // the last one wins
	switch {
	case !at:
	case family == "DFF" && (len(letters) == 1 || len(letters) == 3):
		value = s.gate("$_MUX_", c, "SBA", s.edge(c.one("C"), one(0), c), s.before(c.one("D"), c), stored)
		if len(letters) == 3 {
			resets = []controlled{{c.one("R"), one(1), resetValue(letters[2])}}
		}
	case family == "DFFSR" && len(letters) == 3:
		value = s.gate("$_MUX_", c, "SBA", s.edge(c.one("C"), one(0), c), s.before(c.one("D"), c), stored)
		resets = []controlled{{c.one("S"), one(1), bit1}, {c.one("R"), one(2), bit0}}
	case family == "DLATCH" && len(letters) == 1:
		resets = []controlled{{c.one("E"), one(0), c.one("D")}}
	case family == "DLATCH" && len(letters) == 3:
		resets = []controlled{{c.one("E"), one(0), c.one("D")}, {c.one("R"), one(1), resetValue(letters[2])}}
	case family == "DLATCHSR" && len(letters) == 3:
		resets = []controlled{{c.one("E"), one(0), c.one("D")}, {c.one("S"), one(1), bit1}, {c.one("R"), one(2), bit0}}
	case family == "SR" && len(letters) == 2:
		resets = []controlled{{c.one("S"), one(0), bit1}, {c.one("R"), one(1), bit0}}
	default:
		return refuse(placeOf(c.Attributes), "leave it out of the design", "cells of type %s are not supported (%s)", c.Type, name)
	}
	for _, r := range resets {
		b, a := r.value, value
		if !r.high {
			a, b = b, a
		}
		value = s.gate("$_MUX_", c, "SBA", r.net, b, a)
	}
	s.drive(c.one("Q"), "$_BUF_", c, "A", value)
	return nil
}

// controlled is what a register shows while a net has its active level.
type controlled struct {
	net   bit
	high  bool
	value bit
}

// resetValue reads the letter of a reset value.
func resetValue(letter byte) bit {
	if letter == '1' {
		return bit1
	}
	return bit0
}
