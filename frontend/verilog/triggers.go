// Properties in clocked blocks. Up to yosys 0.37 such an assert reads through
// flip-flops that yosys adds; from 0.38 on it is a $check cell with triggers, one
// for each edge of the block's sensitivity list. One of these must be the clock;
// the others are asynchronous resets.
//
// proc rewrites a block with an asynchronous reset for the case that the reset is
// inactive, and the test of the reset is gone from the conditions of its
// properties. They are told from a copy of the design taken before that: a
// property in the branch without the reset is not checked while the reset is
// active. One that is checked then, too, is refused: a netlist has no step for the
// edge of the reset, at which the registers still have their old values.

package verilog

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// triggered is a property with several triggers.
type triggered struct {
	name  string
	cell  *cell
	clock int // position of the clock among the triggers
}

// check adds the trigger of a property.
func (k *clockCheck) check(name string, c *cell) {
	switch {
	case c.number("TRG_ENABLE") == 0 || len(c.pin("TRG")) == 0:
	case len(c.pin("TRG")) == 1:
		k.add(triggers(c)[0])
	default:
		k.checks = append(k.checks, &triggered{name: name, cell: c})
	}
}

func triggers(c *cell) []clocked {
	var us []clocked
	polarity := c.text("TRG_POLARITY")
	for i, b := range c.pin("TRG") {
		at := len(polarity) - 1 - i // the first trigger is the last digit
		us = append(us, clocked{clock: b, rising: at >= 0 && polarity[at] == '1', what: unnamed, at: placeOf(c.Attributes)})
	}
	return us
}

// severalTriggers finds the clock of each property with several triggers. read
// gives the design as it was before the tests of resets were removed.
func (k *clockCheck) severalTriggers(read func() (*module, error)) error {
	if len(k.checks) == 0 {
		return nil
	}
	before, err := read()
	if err != nil {
		return err
	}
	w := &enableWalk{driver: map[bit]*cell{}}
	for _, c := range before.Cells {
		for _, b := range c.pin("Y") {
			w.driver[b] = c
		}
	}
	for _, t := range k.checks {
		us := triggers(t.cell)
		isKnown := func(u clocked) bool {
			return slices.ContainsFunc(k.uses, func(old clocked) bool { return old.clock == u.clock && old.rising == u.rising })
		}
		old := before.Cells[t.name]
		if old == nil || len(old.pin("TRG")) != len(us) {
			return &Error{What: fmt.Sprintf("the property %s cannot be followed through yosys", t.name), Cure: "report this with the source and the yosys version"}
		}
		var unguarded []int // triggers that the property does not exclude
		for i, u := range triggers(old) {
			if !w.zero(old.one("EN"), u) {
				unguarded = append(unguarded, i)
			}
		}
		t.clock = slices.IndexFunc(us, isKnown)
		switch {
		case t.clock < 0 && len(unguarded) > 0:
			t.clock = unguarded[0]
		case t.clock < 0:
			t.clock = 0
		}
		k.add(us[t.clock])
		for _, i := range unguarded {
			if i != t.clock {
				return inReset(placeOf(t.cell.Attributes))
			}
		}
	}
	return nil
}

// inReset refuses a property that is checked at the edge of a reset.
func inReset(at place) error {
	return refuse(at, "move it to a block of the clock alone, or to the branch without the reset",
		"a property in a block of several edges is checked while an asynchronous reset or set is active")
}

// refuseAsynchronous does the same for yosys up to 0.37, which adds flip-flops
// with a reset to something else than a constant, or with two resets. A register
// that is reset to what is no constant takes the value at the edges alone; a
// netlist has no step between them, and would follow it.
func refuseAsynchronous(c *cell, nets map[bit]registerBit) error {
	switch c.Type {
	case "$aldff", "$aldffe", "$dffsr", "$dffsre":
		isRegister := func(b bit) bool { _, ok := nets[b]; return ok }
		if !slices.ContainsFunc(c.pin("Q"), isRegister) {
			return inReset(placeOf(c.Attributes))
		}
	}
	if c.Type == "$aldff" || c.Type == "$aldffe" {
		return refuse(placeOf(c.Attributes), "reset it to a constant, or load the value at the edge of the clock",
			"a register is reset asynchronously to a value that is not constant: between two edges it would not follow that value")
	}
	return nil
}

// enableWalk evaluates the condition of a property at the active level of a
// trigger.
type enableWalk struct {
	driver map[bit]*cell
}

// zero reports whether a net is 0 whenever the trigger is at its active level. It
// looks through multiplexers, inversions and comparisons with a constant, as tests
// of resets have.
func (w *enableWalk) zero(b bit, u clocked) bool {
	seen := map[bit]bool{}
	var zero func(b bit) bool
	zero = func(b bit) bool {
		if b == bit0 {
			return true
		}
		if b < 0 || seen[b] {
			return b >= 0
		}
		c := w.driver[b]
		if c == nil || c.Type != "$mux" {
			return false
		}
		seen[b] = true
		at := slices.Index(c.pin("Y"), b)
		pin := func(name string) bool { return zero(c.pin(name)[at]) }
		switch level, ok := w.level(c.one("S"), u); {
		case ok && level:
			return pin("B")
		case ok:
			return pin("A")
		}
		return pin("A") && pin("B")
	}
	return zero(b)
}

// level returns the value of a net at the active level of the trigger, where that
// alone decides it.
func (w *enableWalk) level(b bit, u clocked) (value, ok bool) {
	negated := false
	for range 100 { // longer chains decide nothing that users write
		if b == u.clock {
			return u.rising != negated, true
		}
		c := w.driver[b]
		if c == nil || len(c.pin("Y")) == 0 || c.pin("Y")[0] != b {
			return false, false
		}
		switch c.Type {
		case "$not", "$logic_not":
			negated = !negated
			b = c.one("A")
		case "$pos", "$buf", "$reduce_bool", "$reduce_or", "$reduce_and":
			b = c.one("A")
		case "$eq", "$eqx", "$ne", "$nex":
			compared, with, ok := comparedBit(c.pin("A"), c.pin("B"))
			if !ok {
				return false, false
			}
			negated = negated != (with == bit0) != (c.Type == "$ne" || c.Type == "$nex")
			b = compared
		default:
			return false, false
		}
	}
	return false, false
}

// comparedBit returns the only bit of a comparison that is no constant, and what it
// is compared with. It fails where there are several, or where the other bits differ.
func comparedBit(x, y bits) (compared, with bit, ok bool) {
	for i := range max(len(x), len(y)) {
		a, b := bit0, bit0
		if i < len(x) {
			a = x[i]
		}
		if i < len(y) {
			b = y[i]
		}
		if a < 0 {
			a, b = b, a
		}
		switch {
		case a == b && a < 0 && a >= bit1:
		case a >= 0 && (b == bit0 || b == bit1) && !ok:
			compared, with, ok = a, b, true
		default:
			return 0, 0, false
		}
	}
	return compared, with, ok
}

var (
	cellLine     = regexp.MustCompile(`^\s*cell \$check (\S+)\s*$`)
	priorityLine = regexp.MustCompile(`^\s*parameter .*\\PRIORITY `)
)

// clockMarker returns a function that writes, into the lines of yosys' text of the
// module, which trigger of each property is the clock: as the priority, which
// nothing else reads.
func (inv *inventory) clockMarker() func(line string) string {
	clock := map[string]int{}
	for _, t := range inv.triggered {
		clock[t.name] = t.clock
	}
	at, inside := 0, false
	return func(line string) string {
		if m := cellLine.FindStringSubmatch(line); m != nil {
			at, inside = clock[strings.TrimPrefix(m[1], `\`)]
		} else if inside && priorityLine.MatchString(line) {
			inside = false
			return fmt.Sprintf("    parameter \\PRIORITY %d\n", at)
		}
		return line
	}
}
