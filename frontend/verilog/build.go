// From yosys' last netlist to the design.

package verilog

import (
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"

	"netcov/aig"
	"netcov/frontend/design"
	"netcov/frontend/sva"
	"netcov/netlist"
)

// builder makes a design of the netlists that yosys wrote.
type builder struct {
	h            *hierarchy
	lowered      *lowered
	enumerations *enumerations
	inv          *inventory
	pre, net     *module
	c            *circuit
	n            *netlist.Netlist
	d            *design.Design
	made         []madeBy
	ports        map[string]aig.Lit // inputs by name, for the reset
	// registerOf has the registers that latches store.
	registerOf map[int]registerBit
	outputs    []netlist.Signal
	undriven   []string // nets of the user's that are inputs
	unnamed    int      // other inputs that stand for nets without a value
}

// madeBy says which gate made the nodes from first on; "" is an assert.
type madeBy struct {
	first aig.Node
	gate  string
}

func (b *builder) build() error {
	b.n = &netlist.Netlist{Graph: aig.NewGraph()}
	b.d.Netlist = b.n
	b.ports = map[string]aig.Lit{}
	b.registerOf = map[int]registerBit{}
	b.made = make([]madeBy, 0, len(b.net.Cells))
	var err error
	if b.c, err = newCircuit(b.net, b.n.Graph); err != nil {
		return err
	}
	if err := b.inputs(); err != nil {
		return err
	}
	flops, err := b.latches()
	if err != nil {
		return err
	}
	if err := b.properties(); err != nil {
		return err
	}
	for i, name := range flops {
		if name == "" {
			continue
		}
		o := &b.d.Latches[i]
		if b.n.Latches[i].Next, err = b.eval(b.net.Cells[name].one("D")); err != nil {
			return b.clockAsData(err, o.Register, place{file: o.File, line: o.Line})
		}
	}
	if err := b.readOutputs(); err != nil {
		return err
	}
	shown, err := b.shown()
	if err != nil {
		return err
	}
	collect(len(b.net.Cells))
	b.gates(shown)
	b.see(shown)
	b.words()
	b.enums()
	if b.inv.clockName != "" {
		b.d.Clock = &design.Clock{Name: b.inv.clockName, Falling: b.inv.falling}
	}
	return nil
}

func (b *builder) eval(at bit) (aig.Lit, error) {
	return b.c.evaluate(at, func(name string, first aig.Node) {
		b.made = append(b.made, madeBy{first, name})
	})
}

func (b *builder) note(text string, args ...any) {
	b.d.Notes = append(b.d.Notes, fmt.Sprintf(text, args...))
}

// inputs makes the inputs: the ports in their order, and what nothing drives.
func (b *builder) inputs() error {
	names := sortedKeys(b.net.Ports)
	sort.SliceStable(names, func(i, k int) bool {
		return firstBit(b.net.Ports[names[i]].Bits) < firstBit(b.net.Ports[names[k]].Bits)
	})
	for _, name := range names {
		p := b.net.Ports[name]
		if p.Direction == "output" {
			continue
		}
		for i, at := range p.Bits {
			label := name
			if len(p.Bits) > 1 {
				label = fmt.Sprintf("%s[%d]", name, hdlIndex(i, len(p.Bits), p.Offset, p.Upto))
			}
			if label == b.inv.clockName {
				b.c.clock = at
				continue
			}
			l := b.input(label)
			b.ports[label] = l
			if at < 0 {
				continue
			}
			if err := b.c.setLeaf(at, l, &cell{Attributes: b.net.attributes(name)}); err != nil {
				return err
			}
		}
	}
	for _, name := range b.net.cellsOf(func(kind string) bool { return kind == "$anyseq" }) {
		cl := b.net.Cells[name]
		for i, at := range cl.pin("Y") {
			b.freeInput(name, i, at, cl.Attributes["src"] != "")
		}
	}
	return nil
}

func (b *builder) input(label string) aig.Lit {
	l := b.n.Graph.Input()
	b.n.Inputs = append(b.n.Inputs, netlist.Input{Lit: l, Name: b.h.full(label)})
	return l
}

// freeInput makes an input of an $anyseq cell: at once when the source asks for
// it, else when something reads it.
func (b *builder) freeInput(name string, i int, at bit, wanted bool) {
	label := netOf(b.net, []bit{at})
	private := label[0] == '$'
	if private {
		label = fmt.Sprintf("x%s[%d]", name[strings.LastIndexByte(name, '$')+1:], i)
	}
	if wanted {
		l := b.input(label)
		b.c.free[at] = func() aig.Lit { return l }
		return
	}
	b.c.free[at] = func() aig.Lit {
		switch {
		case private:
			b.unnamed++
		case !ofChecker(label):
			b.undriven = append(b.undriven, b.h.full(label))
		}
		return b.input(label)
	}
}

// clockAsData completes the refusal of a clock that is read as data.
func (b *builder) clockAsData(err error, reader string, at place) error {
	if !errors.Is(err, errClock) {
		return err
	}
	return &Error{
		File: at.file, Line: at.line, What: fmt.Sprintf("the clock %s is read as data by %s", b.inv.clockName, reader), Option: "Multiclock",
		Cure: "use the clock as a clock only, or ask for steps in which any clock may change",
	}
}

func firstBit(bits []bit) bit {
	if len(bits) == 0 {
		return bitZ
	}
	return bits[0]
}

// properties makes the bad-state literals and constraints, in the order of the
// source.
func (b *builder) properties() error {
	asserts := b.formalCells("$assert", b.inv.asserts)
	assumes := b.formalCells("$assume", b.inv.assumes)
	for _, p := range asserts {
		violated, err := b.condition(p.cell, false)
		if err != nil {
			return b.clockAsData(err, p.name, place{file: p.origin.File, line: p.origin.Line})
		}
		b.n.Bads = append(b.n.Bads, netlist.Signal{Lit: violated, Name: p.name})
		b.d.Properties = append(b.d.Properties, p.origin)
	}
	for _, p := range b.formalCells("$cover", b.inv.covers) {
		reached, err := b.condition(p.cell, true)
		if err != nil {
			return b.clockAsData(err, p.name, place{file: p.origin.File, line: p.origin.Line})
		}
		b.n.Bads = append(b.n.Bads, netlist.Signal{Lit: reached, Name: p.name})
		b.d.Properties = append(b.d.Properties, p.origin)
	}
	for _, p := range b.formalCells("$live", b.inv.lives) {
		often, err := b.condition(p.cell, false)
		if err != nil {
			return b.clockAsData(err, p.name, place{file: p.origin.File, line: p.origin.Line})
		}
		b.n.Justice = append(b.n.Justice, netlist.Justice{Lits: []aig.Lit{often}, Name: p.name})
		b.d.Properties = append(b.d.Properties, p.origin)
	}
	for _, p := range b.formalCells("$fair", b.inv.fairs) {
		often, err := b.condition(p.cell, true)
		if err != nil {
			return b.clockAsData(err, p.name, place{file: p.origin.File, line: p.origin.Line})
		}
		b.n.Fairness = append(b.n.Fairness, netlist.Signal{Lit: often, Name: p.name})
	}
	for _, p := range assumes {
		violated, err := b.condition(p.cell, false)
		if err != nil {
			return b.clockAsData(err, p.name, place{file: p.origin.File, line: p.origin.Line})
		}
		b.n.Constraints = append(b.n.Constraints, netlist.Signal{Lit: violated.Not(), Name: p.name})
	}
	return nil
}

// condition returns EN and A, or EN and not A: where a cover is reached, or an
// assertion violated. A conditional assert comes as two equal trees
// of multiplexers, in which A is x where EN is 0: they are walked together, so
// that such an x is never read.
func (b *builder) condition(c *cell, holds bool) (aig.Lit, error) {
	w := &conditionWalk{b: b, holds: holds, known: map[[2]bit]aig.Lit{}}
	return w.walk(c.one("A"), c.one("EN"))
}

type conditionWalk struct {
	b     *builder
	holds bool
	known map[[2]bit]aig.Lit
}

func (w *conditionWalk) walk(a, en bit) (aig.Lit, error) {
	b := w.b
	if en == bit0 {
		return aig.False, nil
	}
	key := [2]bit{a, en}
	if l, ok := w.known[key]; ok {
		return l, nil
	}
	var l aig.Lit
	ma, me := b.multiplexer(a), b.multiplexer(en)
	sel, same, err := w.selector(ma, me)
	if err != nil {
		return 0, err
	}
	if same {
		var branches [2]aig.Lit
		for i, pin := range []string{"A", "B"} {
			v, err := w.walk(ma.one(pin), me.one(pin))
			if err != nil {
				return 0, err
			}
			branches[i] = v
		}
		b.madeByAssert()
		l = b.c.mux(sel, branches[1], branches[0])
	} else {
		holds, err := b.eval(a)
		if err != nil {
			return 0, err
		}
		enabled, err := b.eval(en)
		if err != nil {
			return 0, err
		}
		b.madeByAssert()
		l = b.c.and(enabled, holds.XorSign(!w.holds))
	}
	w.known[key] = l
	return l, nil
}

// selector returns the selector of two multiplexers if it is the same.
func (w *conditionWalk) selector(x, y *cell) (aig.Lit, bool, error) {
	if x == nil || y == nil {
		return 0, false, nil
	}
	a, err := w.b.eval(x.one("S"))
	if err != nil {
		return 0, false, err
	}
	b, err := w.b.eval(y.one("S"))
	return a, a == b, err
}

// multiplexer returns the multiplexer that drives a net, or nil.
func (b *builder) multiplexer(at bit) *cell {
	if at < 0 {
		return nil
	}
	if c := b.net.Cells[b.c.driver[at]]; c != nil && c.Type == "$_MUX_" {
		return c
	}
	return nil
}

// madeByAssert says that the nodes from here on are an assert's own.
func (b *builder) madeByAssert() {
	b.made = append(b.made, madeBy{aig.Node(b.n.Graph.Size()), ""})
}

// formalCell is an assert or assume with its name and place.
type formalCell struct {
	cell   *cell
	name   string
	origin design.Origin
}

func (b *builder) formalCells(kind string, cells []string) []formalCell {
	var list []formalCell
	for _, cellName := range cells {
		c := b.net.Cells[cellName]
		labelled := cellName[0] != '$'
		p := b.h.propertyPlace(c, labelled)
		path, label := b.h.owner(cellName), cellName
		if scoped := b.inv.scoped[cellName]; scoped != "" {
			path, label = b.h.owner(scoped), scoped
		} else if !labelled {
			path = b.h.privateOwner(cellName)
			word, suffix := kind[1:], ""
			if kind == "$live" {
				word = "assert"
			} else if kind == "$fair" {
				word = "assume"
			} else if kind == "$cover" && b.lowered.antecedent(placeOf(c.Attributes)) {
				word, suffix = "assert", sva.AntecedentSuffix
			}
			label = join(path, fmt.Sprintf("%s:%s:%d%s", word, baseName(p.file), p.line, suffix))
		}
		list = append(list, formalCell{c, b.h.full(label), design.Origin{
			Register: b.h.full(label), Bit: -1, Instance: b.h.full(path), Module: b.h.modules[path], File: p.file, Line: p.line,
		}})
	}
	sort.SliceStable(list, func(i, k int) bool {
		x, y := &list[i].origin, &list[k].origin
		if x.Instance != y.Instance {
			return naturalLess(x.Instance, y.Instance)
		}
		if x.File != y.File {
			return x.File < y.File
		}
		if x.Line != y.Line {
			return x.Line < y.Line
		}
		return naturalLess(x.Register, y.Register)
	})
	seen := map[string]int{}
	for i := range list {
		f := &list[i]
		seen[f.name]++
		if n := seen[f.name]; n > 1 {
			f.name = fmt.Sprintf("%s#%d", f.name, n)
			f.origin.Register = f.name
		}
	}
	return list
}

func baseName(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }

// readOutputs evaluates the output ports, so that their gates belong to the
// design, and lists them where the netlist has properties: without, outputs
// would count as such.
func (b *builder) readOutputs() error {
	names := sortedKeys(b.net.Ports)
	sort.SliceStable(names, func(i, k int) bool {
		return firstBit(b.net.Ports[names[i]].Bits) < firstBit(b.net.Ports[names[k]].Bits)
	})
	for _, name := range names {
		p := b.net.Ports[name]
		if p.Direction != "output" {
			continue
		}
		for i, at := range p.Bits {
			if at == bitX || at == bitZ {
				continue
			}
			l, err := b.eval(at)
			if errors.Is(err, errClock) {
				b.note("output %s shows the clock and is left out", name)
				continue
			}
			if err != nil {
				return err
			}
			label := name
			if len(p.Bits) > 1 {
				label = fmt.Sprintf("%s[%d]", name, hdlIndex(i, len(p.Bits), p.Offset, p.Upto))
			}
			b.outputs = append(b.outputs, netlist.Signal{Lit: l, Name: b.h.full(label)})
		}
	}
	if len(b.n.Bads) > 0 {
		b.n.Outputs = b.outputs
	} else {
		b.d.Outputs = b.outputs
	}
	return nil
}

// roots returns all edges that something of the design reads.
func (b *builder) roots(withOutputs bool) []aig.Lit {
	var roots []aig.Lit
	for _, l := range b.n.Latches {
		roots = append(roots, l.Next)
	}
	for _, j := range b.n.Justice {
		roots = append(roots, j.Lits...)
	}
	for _, ss := range [][]netlist.Signal{b.n.Bads, b.n.Constraints, b.n.Fairness} {
		for _, s := range ss {
			roots = append(roots, s.Lit)
		}
	}
	if withOutputs {
		for _, s := range b.outputs {
			roots = append(roots, s.Lit)
		}
	}
	return roots
}

// gates lists the AND nodes of the design with the lines they come from: those that
// something reads, and those behind the registers. Those of an assert's own expression
// are artefacts.
func (b *builder) gates(registers []aig.Lit) {
	var formal []place
	for _, c := range b.net.Cells {
		if isProperty(c) {
			formal = append(formal, placeOf(c.Attributes))
		}
	}
	at := 0
	roots := b.roots(true)
	for _, l := range registers {
		if l != aig.Undef {
			roots = append(roots, l)
		}
	}
	nodes := slices.DeleteFunc(b.n.Graph.Cone(roots...), func(n aig.Node) bool { return b.n.Graph.Kind(n) != aig.KindAnd })
	b.n.Gates = make([]aig.Lit, len(nodes))
	b.d.Gates = make([]design.Origin, len(nodes))
	for i, node := range nodes {
		known := i > 0 // of the gate that the node before comes from
		for at+1 < len(b.made) && b.made[at+1].first <= node {
			at++
			known = false
		}
		b.n.Gates[i] = aig.MkLit(node, false)
		if known {
			b.d.Gates[i] = b.d.Gates[i-1]
		} else {
			b.d.Gates[i] = b.gateOrigin(b.made[at].gate, formal)
		}
	}
}

func (b *builder) gateOrigin(name string, formal []place) design.Origin {
	if name == "" { // of an assert itself
		return design.Origin{Bit: -1, Artefact: true}
	}
	c := b.net.Cells[name]
	path := b.h.privateOwner(name)
	label := netOf(b.net, c.pin("Y"))
	if label[0] == '$' {
		label = ""
	} else {
		path = b.h.owner(strings.TrimSuffix(label, "]"))
		label = b.h.full(label)
	}
	p := placeOf(c.Attributes)
	o := design.Origin{Register: label, Bit: -1, Instance: b.h.full(path), Module: b.h.modules[path], File: p.file, Line: p.line}
	o.Artefact = b.lowered.checker(p) != nil || b.h.ofBound(path) || ofChecker(netOf(b.net, c.pin("Y")))
	for _, f := range formal {
		o.Artefact = o.Artefact || p.line > 0 && f.contains(p)
	}
	return o
}

// naturalLess orders names with numbers by the numbers: mem[2] before mem[10].
func naturalLess(a, b string) bool {
	for a != "" && b != "" {
		na, nb := leadingDigits(a), leadingDigits(b)
		if na > 0 && nb > 0 {
			x, y := strings.TrimLeft(a[:na], "0"), strings.TrimLeft(b[:nb], "0")
			if len(x) != len(y) {
				return len(x) < len(y)
			}
			if x != y {
				return x < y
			}
			a, b = a[na:], b[nb:]
			continue
		}
		if a[0] != b[0] {
			return a[0] < b[0]
		}
		a, b = a[1:], b[1:]
	}
	return len(a) < len(b)
}

func leadingDigits(s string) int {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n
}
