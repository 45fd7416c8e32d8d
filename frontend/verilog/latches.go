// Registers: each flip-flop of the last netlist is joined to the net that the
// user named, through the netlist in which it still drives that net.

package verilog

import (
	"fmt"
	"sort"
	"strings"

	"netcov/aig"
	"netcov/frontend/design"
	"netcov/netlist"
)

// mappedFlop reports whether a cell stores something, after technology mapping.
func mappedFlop(kind string) bool {
	for _, prefix := range []string{"$_DFF", "$_SDFF", "$_ALDFF", "$_DLATCH", "$_SR_", "$_FF_"} {
		if strings.HasPrefix(kind, prefix) {
			return true
		}
	}
	return false
}

// stored is a latch before it has its place in the netlist.
type stored struct {
	cell   string // flip-flop of the last netlist, "" for a tool's own latch
	q      bit
	name   string
	origin design.Origin
	reset  byte // '0', '1' or 'x'
	// register is that of the source, nil for what a tool made.
	register *registerBit
}

// latches makes the latches, registers first, and returns the flip-flop of each
// of them, "" where there is none.
func (b *builder) latches() ([]string, error) {
	registers, err := b.registersByCell()
	if err != nil {
		return nil, err
	}
	initial := initialValues(b.net)
	var all []stored
	for _, name := range b.net.cellsOf(mappedFlop) {
		c := b.net.Cells[name]
		s := stored{cell: name, q: c.one("Q"), reset: 'x'}
		if v, ok := initial[s.q]; ok {
			s.reset = v
		}
		if r, ok := registers[name]; ok {
			s.name, s.origin = b.describe(r, b.pre.Cells[name])
			s.origin.PropertyOnly = b.inv.apart[r]
			s.register = &r
			delete(registers, name)
		} else {
			s.name, s.origin = b.describeHelper(name, c)
		}
		all = append(all, s)
	}
	if len(registers) > 0 {
		return nil, b.missing(registers)
	}
	sort.SliceStable(all, func(i, k int) bool { return originLess(&all[i].origin, &all[k].origin) })
	var cells []string
	for _, s := range all {
		l := b.n.Graph.Latch()
		if err := b.c.setLeaf(s.q, l, b.net.Cells[s.cell]); err != nil {
			return nil, err
		}
		if s.register != nil {
			b.registerOf[len(b.n.Latches)] = *s.register
		}
		b.addLatch(l, l, s.reset, s.name, s.origin)
		cells = append(cells, s.cell)
	}
	n, err := b.toolLatches()
	for range n {
		cells = append(cells, "")
	}
	return cells, err
}

func (b *builder) addLatch(l, next aig.Lit, reset byte, name string, o design.Origin) {
	r := map[byte]aig.Lit{'0': aig.False, '1': aig.True, 'x': l}[reset]
	b.n.Latches = append(b.n.Latches, netlist.Latch{Lit: l, Next: next, Reset: r, Name: name})
	b.d.Latches = append(b.d.Latches, o)
}

// toolLatches makes the latches behind $initstate and $anyconst.
func (b *builder) toolLatches() (int, error) {
	count := 0
	for _, name := range b.net.cellsOf(func(kind string) bool { return kind == "$initstate" || kind == "$anyconst" }) {
		c := b.net.Cells[name]
		for i, at := range c.pin("Y") {
			label := netOf(b.net, []bit{at})
			if label[0] == '$' {
				label = fmt.Sprintf("%s[%d]", strings.TrimPrefix(name, "$"), i)
			}
			p := placeOf(c.Attributes)
			o := design.Origin{Register: b.h.full(label), Bit: -1, Instance: b.h.top, Module: b.h.modules[""], File: p.file, Line: p.line, Artefact: true}
			l := b.n.Graph.Latch()
			value := l
			if c.Type == "$initstate" {
				b.addLatch(l, aig.True, '0', b.h.full(label), o)
				value = l.Not()
			} else {
				b.addLatch(l, l, 'x', b.h.full(label), o)
			}
			count++
			if err := b.c.setLeaf(at, value, c); err != nil {
				return count, err
			}
		}
	}
	return count, nil
}

// registersByCell joins the inventory's registers to flip-flops. It fails when
// a register has none.
func (b *builder) registersByCell() (map[string]registerBit, error) {
	flop := map[bit]string{}
	for name, c := range b.pre.Cells {
		if mappedFlop(c.Type) {
			flop[c.one("Q")] = name
		}
	}
	byCell := map[string]registerBit{}
	lost := map[string]registerBit{}
	for r := range b.inv.registers {
		n := b.pre.Netnames[r.net]
		if n == nil || r.pos >= len(n.Bits) {
			lost[r.net+fmt.Sprint(r.pos)] = r
			continue
		}
		name, ok := flop[n.Bits[r.pos]]
		if _, twice := byCell[name]; !ok || twice {
			lost[r.net+fmt.Sprint(r.pos)] = r
			continue
		}
		byCell[name] = r
	}
	if len(lost) > 0 {
		return nil, b.missing(lost)
	}
	for at, r := range registerNets(b.pre) {
		if name, ok := flop[at]; ok {
			if _, known := byCell[name]; !known {
				return nil, &Error{What: fmt.Sprintf("the netlist has the register %s, which the inventory of the source has not", b.h.full(r.net)), Cure: "report this with the source"}
			}
		}
	}
	return byCell, nil
}

// missing names registers that the netlist has lost.
func (b *builder) missing(lost map[string]registerBit) error {
	var names []string
	for _, r := range lost {
		name, _ := b.describe(r, nil)
		names = append(names, name)
	}
	sort.Slice(names, func(i, k int) bool { return naturalLess(names[i], names[k]) })
	return &Error{What: fmt.Sprintf("%d of %d register bits are missing in the netlist: %s", len(names), len(b.inv.registers), strings.Join(shortList(names), ", ")), Cure: "report this with the source and the yosys version"}
}

// describe names a bit of a register and says where it stands. c is its
// flip-flop, which may be nil.
func (b *builder) describe(r registerBit, c *cell) (string, design.Origin) {
	path, label := b.h.owner(r.net), r.net
	if label[0] == '$' { // $flatten\u1.$unnamed_block$2.sum
		path = b.h.privateOwner(label)
		label = join(path, label[strings.LastIndex(label, "$unnamed")+1:])
	}
	o := design.Origin{Register: b.h.full(label), Bit: -1, Instance: b.h.full(path), Module: b.h.modules[path], Artefact: ofChecker(r.net) || b.h.ofBound(path)}
	var p place
	width := 1
	if n := b.pre.Netnames[r.net]; n != nil {
		p = placeOf(n.Attributes)
		width = len(n.Bits)
		if width > 1 {
			o.Bit = n.index(r.pos)
		}
	}
	if at := strings.LastIndexByte(r.net, '['); p.line == 0 && at > 0 {
		if memory := b.inv.memories[r.net[:at]]; memory != nil {
			p = placeOf(memory.Attributes)
		}
	}
	if p.line == 0 && c != nil {
		p = placeOf(c.Attributes)
	}
	if p.line == 0 {
		p = b.inv.registers[r]
	}
	o.File, o.Line = p.file, p.line
	name := o.Register
	if o.Bit >= 0 {
		name = fmt.Sprintf("%s[%d]", name, o.Bit)
	}
	return name, o
}

// describeHelper describes a flip-flop that yosys made, for example for $past.
func (b *builder) describeHelper(name string, c *cell) (string, design.Origin) {
	path := b.h.privateOwner(name)
	p := placeOf(c.Attributes)
	label := b.h.full(strings.TrimPrefix(netOf(b.net, c.pin("Q")), "$"))
	return label, design.Origin{Register: label, Bit: -1, Instance: b.h.full(path), Module: b.h.modules[path], File: p.file, Line: p.line, Artefact: true}
}

// originLess orders latches: the design's own before artefacts, then by
// instance, place and name.
func originLess(x, y *design.Origin) bool {
	switch {
	case x.Artefact != y.Artefact:
		return y.Artefact
	case x.Instance != y.Instance:
		return naturalLess(x.Instance, y.Instance)
	case x.File != y.File:
		return x.File < y.File
	case x.Line != y.Line:
		return x.Line < y.Line
	case x.Register != y.Register:
		return naturalLess(x.Register, y.Register)
	}
	return x.Bit < y.Bit
}

// initialValues reads the init attributes: most significant bit first.
func initialValues(m *module) map[bit]byte {
	values := map[bit]byte{}
	for _, n := range m.Netnames {
		text := strings.TrimRight(n.Attributes["init"], " ")
		for i, at := range n.Bits {
			k := len(text) - 1 - i
			if k < 0 {
				break
			}
			if at >= 0 && (text[k] == '0' || text[k] == '1') {
				values[at] = text[k]
			}
		}
	}
	return values
}
