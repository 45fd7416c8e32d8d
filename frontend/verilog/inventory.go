// The inventory: what the source has before anything is optimised. It is also
// where clocks, tri-states, black boxes and memories are judged.

package verilog

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strings"
)

// registerBit is a bit of a register, by yosys' net and position in it.
type registerBit struct {
	net string
	pos int
}

// inventory is what the netlist must have.
type inventory struct {
	registers   map[registerBit]place
	memories    map[string]*memory
	asserts     []string // names of cells
	assumes     []string
	lives       []string // assertions of liveness, of checkers
	fairs       []string // assumptions of liveness, of checkers
	covers      []string // only where these are asked for
	antecedents int      // covers of antecedents, where covers are not asked for
	clock       bit      // 0 without a clock
	clockName   string
	falling     bool              // registers step at the falling edge
	resets      int               // bits of registers with an asynchronous reset or set
	latches     int               // bits of level-sensitive latches
	scoped      map[string]string // names of properties in generate blocks
	triggered   []*triggered
	temporary   map[string]place     // nets of variables that are no state
	apart       map[registerBit]bool // only properties read them
	notes       []string
	warnings    []string // of yosys
}

// isFlipFlop reports whether a cell stores something, before technology mapping.
func isFlipFlop(kind string) bool {
	switch kind {
	case "$dff", "$dffe", "$adff", "$adffe", "$sdff", "$sdffe", "$sdffce", "$aldff", "$aldffe",
		"$dffsr", "$dffsre", "$dlatch", "$adlatch", "$dlatchsr", "$sr", "$ff":
		return true
	}
	return false
}

// takeInventory takes stock of the flattened module, and refuses what cannot be
// modelled. before reads the
// properties with several triggers as they were before proc.
func takeInventory(m *module, before func() (*module, error), h *hierarchy, low *lowered, opt Options) (*inventory, error) {
	inv := &inventory{registers: map[registerBit]place{}, memories: m.Memories, warnings: h.warnings}
	inv.noState(m, h)
	nets := registerNets(m)
	for b, r := range nets {
		if _, ok := inv.temporary[r.net]; ok {
			delete(nets, b)
		}
	}
	var clocks clockCheck
	skipped := map[string][]string{}
	written := map[string]bool{}
	for _, name := range sortedKeys(m.Cells) {
		c := m.Cells[name]
		kind := c.Type
		if kind == "$check" {
			kind = "$" + c.text("FLAVOR")
			clocks.check(name, c)
		}
		switch {
		case isFlipFlop(kind):
			inv.addFlipFlop(c, nets)
			if err := refuseAsynchronous(c, nets); err != nil {
				return nil, err
			}
			clocks.flipFlop(name, c, nets)
		case kind == "$memwr_v2":
			if err := clocks.memory(c); err != nil {
				return nil, err
			}
			written[memoryName(c)] = written[memoryName(c)] || canWrite(c)
		case kind == "$cover" && !opt.Covers && low.antecedent(placeOf(c.Attributes)):
			inv.antecedents++
		case opt.Covers && kind == "$cover":
			inv.covers = append(inv.covers, name)
		case opt.Covers && (kind == "$assert" || kind == "$live" || kind == "$fair"):
		case kind == "$assert":
			inv.asserts = append(inv.asserts, name)
		case kind == "$assume":
			inv.assumes = append(inv.assumes, name)
		case kind == "$live" && ofChecker(netOf(m, c.pin("A"))):
			inv.lives = append(inv.lives, name)
		case kind == "$fair" && ofChecker(netOf(m, c.pin("A"))):
			inv.fairs = append(inv.fairs, name)
		case kind == "$cover" || kind == "$live" || kind == "$fair":
			p := h.propertyPlace(c, name[0] != '$')
			skipped[kind] = append(skipped[kind], fmt.Sprintf("%s:%d", p.file, p.line))
		case kind == "$tribuf":
			return nil, refuse(placeOf(c.Attributes), "drive 0 or 1 always, or leave the pad out of the design", "tri-state driver of %s", netOf(m, c.pin("Y")))
		case kind == "$allconst" || kind == "$allseq":
			return nil, refuse(cmp.Or(placeOf(c.Attributes), netPlace(m, netOf(m, c.pin("Y")))), "use anyconst or anyseq", "quantified variable (%s), which a netlist cannot express", c.Type[1:])
		case !strings.HasPrefix(c.Type, "$") || strings.HasPrefix(c.Type, "$paramod"):
			return nil, refuse(placeOf(c.Attributes), "add its source, or leave the instance out with a define", "instance %s of %s has no body (black box)", h.full(name), c.Type)
		}
	}
	for _, name := range sortedKeys(m.Memories) {
		if err := inv.addMemory(name, m.Memories[name], written[name], opt); err != nil {
			return nil, err
		}
	}
	for kind, text := range map[string]string{"$cover": "cover statements", "$live": "liveness assertions", "$fair": "fairness assumptions"} {
		if at := skipped[kind]; len(at) > 0 {
			inv.notes = append(inv.notes, fmt.Sprintf("%d %s skipped: %s", len(at), text, strings.Join(shortList(at), ", ")))
		}
	}
	sort.Strings(inv.notes)
	inv.notes = append(inv.notes, initialisedTwice(m, h)...)
	if err := refuseTied(m); err != nil {
		return nil, err
	}
	for _, name := range sortedKeys(m.Ports) {
		if p := m.Ports[name]; p.Direction == "inout" && driven(m, p.Bits) {
			return nil, refuse(netPlace(m, name), "split it into an input and an output", "inout port %s is driven inside", name)
		}
	}
	if err := clocks.severalTriggers(before); err != nil {
		return nil, err
	}
	inv.triggered = clocks.checks
	inv.scoped = low.scopedLabels(m, h, slices.Concat(inv.asserts, inv.assumes, inv.lives, inv.fairs, inv.covers))
	inv.apart = propertyOnly(m, nets)
	if opt.Multiclock {
		return inv, nil
	}
	return inv, clocks.judge(m, inv)
}

// shortList keeps the first entries of a list for one line.
func shortList(list []string) []string {
	const most = 8
	if len(list) <= most {
		return list
	}
	return append(list[:most:most], fmt.Sprintf("and %d more", len(list)-most))
}

// registerNets returns, by bit, the register that a marked net makes of it.
func registerNets(m *module) map[bit]registerBit {
	nets := map[bit]registerBit{}
	for _, name := range sortedKeys(m.Netnames) {
		n := m.Netnames[name]
		if !n.yreg() {
			continue
		}
		for i, b := range n.Bits {
			if _, ok := nets[b]; b >= 0 && !ok {
				nets[b] = registerBit{name, i}
			}
		}
	}
	return nets
}

func (inv *inventory) addFlipFlop(c *cell, nets map[bit]registerBit) {
	count := 0
	for _, b := range c.pin("Q") {
		if r, ok := nets[b]; ok {
			inv.registers[r] = placeOf(c.Attributes)
			count++
		}
	}
	switch c.Type {
	case "$adff", "$adffe", "$aldff", "$aldffe", "$dffsr", "$dffsre":
		inv.resets += count
	case "$dlatch", "$adlatch", "$dlatchsr", "$sr":
		inv.latches += count
	}
}

// addMemory adds the words of a memory that something writes; any other is a
// table of constants.
func (inv *inventory) addMemory(name string, m *memory, written bool, opt Options) error {
	at := placeOf(m.Attributes)
	if bits := m.Width * m.Size; bits > opt.MemoryBits {
		return &Error{
			File: at.file, Line: at.line, Option: "MemoryBits", Cure: "shrink it by a parameter, or raise the limit",
			What: fmt.Sprintf("memory %s has %d bits (%d words of %d), above the limit of %d", name, bits, m.Size, m.Width, opt.MemoryBits),
		}
	}
	if !written {
		return nil
	}
	for word := range m.Size {
		for i := range m.Width {
			inv.registers[memoryBit(name, word+m.Offset, i)] = at
		}
	}
	return nil
}

// memoryBit is a bit of a word of a memory, as a register.
func memoryBit(memory string, word, position int) registerBit {
	return registerBit{fmt.Sprintf("%s[%d]", memory, word), position}
}

// memoryName returns the memory that a port belongs to.
func memoryName(c *cell) string { return strings.TrimPrefix(c.text("MEMID"), `\`) }

// canWrite reports whether a write port can be enabled.
func canWrite(c *cell) bool {
	return slices.ContainsFunc(c.pin("EN"), func(b bit) bool { return b != bit0 })
}

// refuseTied refuses a driver of a net that is also tied to a constant: yosys
// keeps the constant alone, and a register that drives the net would vanish.
func refuseTied(m *module) error {
	const cure = "drive each net once"
	tied := func(bs bits) bool { return slices.ContainsFunc(bs, func(b bit) bool { return b < 0 }) }
	for _, name := range sortedKeys(m.Cells) {
		c := m.Cells[name]
		for _, p := range c.pins {
			if p.output && slices.Contains([]string{"Y", "Q", "DATA"}, p.name) && tied(p.nets) {
				return refuse(placeOf(c.Attributes), cure, "two drivers: what is driven here is also tied to a constant")
			}
		}
	}
	for _, name := range sortedKeys(m.Ports) {
		if p := m.Ports[name]; p.Direction == "input" && tied(p.Bits) {
			return refuse(netPlace(m, name), cure, "two drivers: the input %s is also tied to a constant", name)
		}
	}
	return nil
}

// driven reports whether some cell drives one of the bits.
func driven(m *module, bits []bit) bool {
	for _, c := range m.Cells {
		for _, out := range []string{"Y", "Q", "DATA"} {
			for _, b := range c.pin(out) {
				if b >= 0 && slices.Contains(bits, b) {
					return true
				}
			}
		}
	}
	return false
}

// netOf names a net that has the first of the bits: a port if there is one,
// else the user's net that lies highest, else one that yosys named.
func netOf(m *module, bits []bit) string {
	if len(bits) == 0 {
		return "nothing"
	}
	if b := bits[0]; b < 0 {
		return "the constant " + map[bit]string{bit0: "0", bit1: "1", bitX: "x", bitZ: "z"}[b]
	}
	if m.named == nil {
		m.nameNets()
	}
	if r := m.named[bits[0]]; r.net != "" {
		n := m.Netnames[r.net]
		if len(n.Bits) > 1 {
			return fmt.Sprintf("%s[%d]", r.net, n.index(r.pos))
		}
		return r.net
	}
	return "$unnamed"
}

// nameNets chooses a name for each net.
func (m *module) nameNets() {
	m.named = make([]registerBit, m.lastBit()+1)
	rank := func(name string) int {
		switch n := m.Netnames[name]; {
		case m.Ports[name] != nil:
			return -1
		case n.HideName != 0:
			return 1 << 30
		}
		return strings.Count(name, ".")
	}
	for _, name := range sortedKeys(m.Netnames) {
		r := rank(name)
		for i, b := range m.Netnames[name].Bits {
			if b >= 0 && (m.named[b].net == "" || r < rank(m.named[b].net)) {
				m.named[b] = registerBit{name, i}
			}
		}
	}
}

// attributes returns those of a net, nil where there is no such net.
func (m *module) attributes(name string) map[string]string {
	if n := m.Netnames[name]; n != nil {
		return n.Attributes
	}
	return nil
}

// netPlace returns where a net is declared.
func netPlace(m *module, name string) place { return placeOf(m.attributes(name)) }
