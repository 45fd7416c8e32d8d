// One clock, one edge: anything else is refused, since a netlist has no time
// between its steps, unless steps are asked for that watch all clocks (sampling.go).

package verilog

import (
	"fmt"
	"strings"
)

// clocked is one use of a clock.
type clocked struct {
	clock  bit
	rising bool
	global bool // the formal clock ($ff)
	what   string
	at     place
}

// clockCheck collects one use of each clock and edge.
type clockCheck struct {
	uses   []clocked
	checks []*triggered // properties with several triggers
}

// unnamed stands for a flip-flop that yosys made.
const unnamed = "a property or memory"

func (k *clockCheck) add(u clocked) {
	for i, old := range k.uses {
		if old.clock == u.clock && old.rising == u.rising && old.global == u.global {
			if old.what == unnamed { // prefer a use that has a name
				k.uses[i] = u
			}
			return
		}
	}
	k.uses = append(k.uses, u)
}

func (k *clockCheck) flipFlop(name string, c *cell, nets map[bit]registerBit) {
	what := unnamed
	if q := c.pin("Q"); len(q) > 0 {
		if r, ok := nets[q[0]]; ok {
			what = r.net
		}
	}
	u := clocked{what: what, at: placeOf(c.Attributes)}
	if c.Type == "$ff" {
		u.global = true
		k.add(u)
		return
	}
	if clk := c.pin("CLK"); len(clk) == 1 {
		u.clock = clk[0]
		u.rising = c.number("CLK_POLARITY") == 1
		k.add(u)
	}
}

// memory adds a write port.
func (k *clockCheck) memory(c *cell) error {
	if !canWrite(c) {
		return nil
	}
	if c.number("CLK_ENABLE") == 0 {
		return refuse(placeOf(c.Attributes), "write it in a clocked always block", "memory %s is written without a clock", memoryName(c))
	}
	k.add(clocked{clock: c.one("CLK"), rising: c.number("CLK_POLARITY") == 1, what: memoryName(c), at: placeOf(c.Attributes)})
	return nil
}

// judge accepts one clock that is an input of the top module.
func (k *clockCheck) judge(m *module, inv *inventory) error {
	if len(k.uses) == 0 {
		return nil
	}
	name := func(u clocked) string {
		if u.global {
			return "the formal clock"
		}
		edge := "posedge "
		if !u.rising {
			edge = "negedge "
		}
		return edge + netOf(m, []bit{u.clock})
	}
	first := k.uses[0]
	if len(k.uses) > 1 {
		var texts []string
		for _, u := range k.uses {
			texts = append(texts, fmt.Sprintf("%s for %s (%s:%d)", name(u), u.what, u.at.file, u.at.line))
		}
		what := "several clocks"
		if k.oneNet() {
			what = "both edges of a clock"
		}
		return k.severalClocks(k.uses[1].at, "%s: %s", what, strings.Join(shortList(texts), ", "))
	}
	if first.global {
		return nil
	}
	for portName, p := range m.Ports {
		if p.Direction == "input" && len(p.Bits) == 1 && p.Bits[0] == first.clock {
			inv.clock, inv.clockName, inv.falling = first.clock, portName, !first.rising
			return nil
		}
	}
	for portName, p := range m.Ports {
		for i, b := range p.Bits {
			if p.Direction == "input" && b == first.clock {
				inv.falling = !first.rising
				inv.clock, inv.clockName = b, fmt.Sprintf("%s[%d]", portName, hdlIndex(i, len(p.Bits), p.Offset, p.Upto))
				return nil
			}
		}
	}
	net := netOf(m, []bit{first.clock})
	if at := undeclared(inv.warnings, m, net); at.line > 0 {
		return refuse(at, "declare it, or correct its name", "the clock %s of %s is not declared: it is an implicit wire that nothing drives", net, first.what)
	}
	return k.severalClocks(first.at, "the clock of %s is no input of the top module: %s is gated or derived", first.what, net)
}

// severalClocks refuses what one clock of all steps cannot express.
func (k *clockCheck) severalClocks(at place, what string, args ...any) error {
	return &Error{
		File: at.file, Line: at.line, What: fmt.Sprintf(what, args...), Option: "Multiclock",
		Cure: "a step of the netlist is one edge of one clock: ask for steps in which any clock may change",
	}
}

// oneNet reports whether all uses are of one net.
func (k *clockCheck) oneNet() bool {
	for _, u := range k.uses {
		if u.clock != k.uses[0].clock || u.global {
			return false
		}
	}
	return true
}
