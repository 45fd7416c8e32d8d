// From the table of nodes to a design: the nodes that something depends on are
// bit-blasted in the file's order.

package btor2

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"netcov/aig"
	"netcov/frontend/design"
	"netcov/netlist"
)

// Options bounds what is accepted. Zero values stand for the defaults.
type Options struct {
	MaxGates int // AND gates; 10 million
	// MemoryBits bounds the bits of one array, which become registers; 131072.
	MemoryBits int
	// Abstract takes arrays above the limit by word: see abstract.go.
	Abstract Abstract

	sooner   bool // the limit is that of Sooner
	probes   *probes
	maxWidth int // bits of one word; 65536
	maxBits  int // bits of all words together; 10 million
}

// Abstract says when arrays are taken by word.
type Abstract uint8

const (
	// Never refuses arrays above the limit.
	Never Abstract = iota
	// AboveLimit takes those above the limit.
	AboveLimit
	// Sooner lets the limit be 4096 bits, unless another one is asked for, where all that
	// the file asks can be answered by word.
	Sooner
)

func (o Options) withDefaults() Options {
	if o.maxWidth <= 0 {
		o.maxWidth = 1 << 16
	}
	if o.maxBits <= 0 {
		o.maxBits = 10_000_000
	}
	if o.MaxGates <= 0 {
		o.MaxGates = 10_000_000
	}
	if o.MemoryBits <= 0 {
		o.MemoryBits = 1 << 17
	}
	if o.Abstract != Never && o.probes == nil {
		o.probes = &probes{}
	}
	return o
}

// Model is a BTOR2 file as a design, with what a witness needs to speak of the
// file's own inputs and states.
type Model struct {
	Design *design.Design

	inputs, states []variable
	abs            *abstraction // nil: all arrays are there as a whole
}

// variable is an input or a state of the file.
type variable struct {
	name   string // its symbol, else ""
	width  int
	index  int   // width of the index of an array; 0 for a bit-vector
	huge   bool  // an array that is kept by word
	reset  bool  // has an init value
	input  []int // by bit: position of the netlist's input that is this variable
	latch  []int // by bit: position of the latch
	future []int // by bit: position of the input that is its next value
}

// Read reads one BTOR2 file to the end of r; name is what errors call it.
// Refusals are *Error.
func Read(r io.Reader, name string, opt Options) (*Model, error) {
	var data bytes.Buffer
	if _, err := data.ReadFrom(r); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if opt.Abstract == Sooner && opt.MemoryBits <= 0 {
		words := opt
		words.MemoryBits, words.sooner = wordBits, true
		m, err := readText(data.Bytes(), name, words.withDefaults())
		if e := (*Error)(nil); !errors.As(err, &e) || !e.whole {
			return m, err
		}
	}
	return readText(data.Bytes(), name, opt.withDefaults())
}

// wordBits is the size of an array from which model checking is faster by word.
const wordBits = 4096

func readText(data []byte, name string, opt Options) (*Model, error) {
	t, err := parse(data, name, opt)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(data)
	n := &netlist.Netlist{Graph: aig.NewGraph()}
	b := &builder{
		table: t, opt: opt, n: n,
		blaster: blaster{n.Graph},
		model: &Model{Design: &design.Design{
			File: name, SHA256: hex.EncodeToString(sum[:]), Format: "btor2", Netlist: n,
		}},
	}
	if err := b.build(name); err != nil {
		return nil, err
	}
	b.model.Design.WriteWitness = b.model.WriteWitness
	if b.abs != nil {
		b.abs.again = func() (*Model, error) { return readText(data, name, opt) }
		b.model.Design.Abstraction = b.model
	}
	return b.model, nil
}

type builder struct {
	*table
	blaster
	opt    Options
	n      *netlist.Netlist
	model  *Model
	abs    *abstraction
	latchy []int32 // [latch]: its state's node; -1: of none
	made   []span  // which node of the file made which nodes of the graph
}

// span says that the nodes of the graph from first on were made for a node of
// the file.
type span struct {
	first aig.Node
	node  int32
}

func (b *builder) build(name string) error {
	b.markNeeded()
	if err := b.startAbstraction(); err != nil {
		return err
	}
	b.variables()
	if err := b.blastAll(name); err != nil {
		return err
	}
	b.assign()
	b.signals()
	if b.abs != nil {
		b.demand()
		b.arrange()
	}
	if latch := resetCycle(b.n); latch >= 0 {
		return b.cycle(b.latchy[latch])
	}
	b.gates(name)
	return nil
}

// cycle refuses an initial value that depends on itself.
func (b *builder) cycle(state int32) error {
	s := &b.nodes[state]
	return &Error{File: b.model.Design.File, Line: s.initLine, What: fmt.Sprintf("the initial value of state %d depends on itself", s.id), Cure: "break the cycle of init lines"}
}

// markNeeded marks the nodes that a property, an output or a state depends on.
// Arguments stand above their node, so one pass from below reaches all.
func (b *builder) markNeeded() {
	need := func(r ref) {
		if r.node >= 0 {
			b.nodes[r.node].needed = true
		}
	}
	for _, i := range b.states {
		need(b.nodes[i].init)
		need(b.nodes[i].next)
	}
	for _, ms := range [][]mark{b.bads, b.constraints, b.fair, b.outputs} {
		for _, m := range ms {
			need(m.arg)
		}
	}
	for _, j := range b.justice {
		for _, a := range j.args {
			need(a)
		}
	}
	for i := len(b.nodes) - 1; i >= 0; i-- {
		if b.nodes[i].needed {
			for _, a := range b.nodes[i].args {
				need(a)
			}
		}
	}
}

// variables makes the inputs and latches.
func (b *builder) variables() {
	for _, i := range b.vars {
		n := &b.nodes[i]
		v := variable{name: n.symbol, width: n.width, index: n.index, huge: n.huge, reset: n.init.node >= 0}
		label := label(n)
		isLatch := n.kind == kindState && (n.next.node >= 0 || n.init.node >= 0)
		n.bits = make(word, n.width)
		for k := range n.bits {
			name := n.bitName(label, k)
			if !isLatch {
				v.input = append(v.input, len(b.n.Inputs))
				n.bits[k] = b.input(name)
				continue
			}
			v.latch = append(v.latch, len(b.n.Latches))
			n.bits[k] = b.g.Latch()
			b.n.Latches = append(b.n.Latches, netlist.Latch{Lit: n.bits[k], Reset: n.bits[k], Name: name})
			b.latchy = append(b.latchy, i)
			from := b.origin(n, k)
			if from.Artefact = n.huge; n.huge {
				b.abs.probeOf[v.latch[k]] = b.abs.probeOfWord(n.index, k/n.element)
			}
			b.model.Design.Latches = append(b.model.Design.Latches, from)
		}
		if isLatch && n.next.node < 0 {
			for k := range n.bits {
				v.future = append(v.future, len(b.n.Inputs))
				b.n.Latches[v.latch[k]].Next = b.input("next(" + n.bitName(label, k) + ")")
			}
			b.note("state %s (line %d) has an init but no next: it takes any value from step 1 on", label, n.line)
		}
		if n.huge {
			b.abs.variables[i] = v
			if n.init.node < 0 || n.next.node < 0 {
				b.agree(n)
			}
		}
		if n.kind == kindInput {
			b.model.inputs = append(b.model.inputs, v)
		} else {
			b.model.states = append(b.model.states, v)
		}
	}
}

func (b *builder) note(text string, args ...any) {
	d := b.model.Design
	d.Notes = append(d.Notes, fmt.Sprintf(text, args...))
}

func (b *builder) input(name string) aig.Lit {
	l := b.g.Input()
	b.n.Inputs = append(b.n.Inputs, netlist.Input{Lit: l, Name: name})
	return l
}

// blastAll gives every needed node its literals.
func (b *builder) blastAll(name string) error {
	for i := range b.nodes {
		n := &b.nodes[i]
		if n.kind != kindOp || !n.needed {
			continue
		}
		first := b.g.Size()
		cost := n.width
		if a := &b.nodes[n.args[0].node]; a.index > 0 {
			cost = 3 * a.width
			if a.huge {
				cost += 4 * a.index * b.opt.probes.count(a.index)
			}
		}
		if w := b.nodes[n.args[0].node].width; quadratic(n.op, w) {
			cost = w * w * 12
		}
		if first+cost > b.opt.MaxGates {
			return &Error{File: name, Line: n.line, What: fmt.Sprintf("more than %d gates up to this %s of %d bits", b.opt.MaxGates, n.op, n.width), Cure: "cut the design down, or its words"}
		}
		args := make([]word, len(n.args))
		for k, a := range n.args {
			args[k] = b.value(a)
		}
		switch {
		case slices.ContainsFunc(n.args, func(r ref) bool { return b.nodes[r.node].huge }):
			n.bits = b.blastHuge(int32(i), args)
		case n.op == "slice":
			n.bits = args[0][n.nums[1] : n.nums[0]+1]
		case n.op == "uext":
			n.bits = extend(args[0], n.nums[0], falseBit)
		case n.op == "sext":
			n.bits = extend(args[0], n.nums[0], args[0].sign())
		default:
			n.bits = operators[n.op].blast(&b.blaster, args)
		}
		if b.g.Size() > first {
			b.made = append(b.made, span{aig.Node(first), int32(i)})
		}
	}
	return nil
}

// initial is the initial value of a state that has one.
func (b *builder) initial(n *node) word {
	v := b.value(n.init)
	if n.index > 0 && b.nodes[n.init.node].index == 0 {
		return fill(v, n.width)
	}
	return v
}

func (t *table) value(r ref) word {
	if r.neg {
		return invert(t.nodes[r.node].bits)
	}
	return t.nodes[r.node].bits
}

// assign sets the next-state and reset functions.
func (b *builder) assign() {
	for i, l := range b.model.states {
		n := &b.nodes[b.states[i]]
		var next, initial word
		if n.next.node >= 0 {
			next = b.value(n.next)
		}
		if n.init.node >= 0 {
			initial = b.initial(n)
		}
		for k, at := range l.latch {
			if next != nil {
				b.n.Latches[at].Next = next[k]
			}
			if initial != nil {
				b.n.Latches[at].Reset = initial[k]
			}
		}
	}
}

// signals makes properties, constraints and outputs. A netlist without bad
// states takes its outputs for them, so outputs are left out then.
func (b *builder) signals() {
	d := b.model.Design
	convert := func(ms []mark) []netlist.Signal {
		var ss []netlist.Signal
		for _, m := range ms {
			v := b.value(m.arg)
			name := m.symbol
			for k := range v {
				s := netlist.Signal{Lit: v[k], Name: name}
				if len(v) > 1 && name != "" {
					s.Name = bitName(name, k, len(v))
				}
				ss = append(ss, s)
			}
		}
		return ss
	}
	b.n.Bads = convert(b.bads)
	b.n.Constraints = convert(b.constraints)
	b.n.Fairness = convert(b.fair)
	if len(b.bads) > 0 {
		b.n.Outputs = convert(slices.DeleteFunc(b.outputs, func(m mark) bool { return b.nodes[m.arg.node].huge }))
	} else if len(b.outputs) > 0 {
		b.note("outputs are no properties in BTOR2 (%d left out)", len(b.outputs))
	}
	for _, m := range b.bads {
		o := design.Origin{Register: m.symbol, Bit: -1, File: d.File, Line: m.line}
		if file, line, ok := position(m.comment); ok {
			o.File, o.Line = file, line
		}
		d.Properties = append(d.Properties, o)
	}
	for _, j := range b.justice {
		set := netlist.Justice{Name: j.symbol}
		for _, a := range j.args {
			set.Lits = append(set.Lits, b.value(a)[0])
		}
		b.n.Justice = append(b.n.Justice, set)
		d.Properties = append(d.Properties, design.Origin{Register: j.symbol, Bit: -1, File: d.File, Line: j.line})
	}
}

// gates lists the AND gates that something depends on, with the line of the
// file that made each.
func (b *builder) gates(name string) {
	var roots []aig.Lit
	for _, l := range b.n.Latches {
		roots = append(roots, l.Next, l.Reset)
	}
	for _, ss := range [][]netlist.Signal{b.n.Bads, b.n.Constraints, b.n.Fairness, b.n.Outputs} {
		for _, s := range ss {
			roots = append(roots, s.Lit)
		}
	}
	for _, j := range b.n.Justice {
		roots = append(roots, j.Lits...)
	}
	at := 0
	for _, n := range b.g.Cone(roots...) {
		if b.g.Kind(n) != aig.KindAnd {
			continue
		}
		if b.abs != nil { // some gates are of no node
			b.n.Gates = append(b.n.Gates, aig.MkLit(n, false))
			continue
		}
		for at+1 < len(b.made) && b.made[at+1].first <= n {
			at++
		}
		from := &b.nodes[b.made[at].node]
		b.n.Gates = append(b.n.Gates, aig.MkLit(n, false))
		o := b.origin(from, -1)
		if from.symbol == "" {
			o.Register = from.op + strconv.Itoa(from.id)
		}
		b.model.Design.Gates = append(b.model.Design.Gates, o)
	}
}

// label is the name that reports use for a variable: its symbol, else its
// number.
func label(n *node) string {
	if n.symbol != "" {
		return n.symbol
	}
	return n.op + strconv.Itoa(n.id)
}

// bitName names a bit of a node's value: label[2] of a word, label[5][2] of an
// array.
func (n *node) bitName(label string, bit int) string {
	if n.index == 0 {
		return bitName(label, bit, n.width)
	}
	w := n.kept()
	return bitName(n.wordName(label, bit/w), bit%w, w)
}

// wordName names a word of an array: an element, or one at an address that is kept.
func (n *node) wordName(label string, word int) string {
	if n.huge {
		return fmt.Sprintf("%s.word%d", label, word)
	}
	return fmt.Sprintf("%s[%d]", label, word)
}

func bitName(label string, bit, width int) string {
	if width == 1 {
		return label
	}
	return label + "[" + strconv.Itoa(bit) + "]"
}

// origin describes a bit of a node. Where the comment is a source position such
// as yosys writes it (file.v:12.3-14.5), that is the place, else the line of
// the BTOR2 file.
func (b *builder) origin(n *node, bit int) design.Origin {
	o := design.Origin{Register: label(n), Bit: bit, File: b.model.Design.File, Line: n.line}
	if w := n.kept(); n.index > 0 && bit >= 0 {
		o.Register, o.Bit = n.wordName(o.Register, bit/w), bit%w
		if w == 1 {
			o.Bit = -1
		}
	} else if n.width == 1 {
		o.Bit = -1
	}
	if dot := strings.LastIndexByte(o.Register, '.'); dot > 0 {
		o.Instance = o.Register[:dot]
	}
	if file, line, ok := position(n.comment); ok {
		o.File, o.Line = file, line
	}
	return o
}

// position reads "file:line.column-line.column", or the last of several that
// are joined by bars (the innermost one).
func position(comment string) (file string, line int, ok bool) {
	text := strings.TrimSpace(comment[strings.LastIndexByte(comment, '|')+1:])
	file, rest, found := strings.Cut(text, ":")
	if !found || file == "" || strings.ContainsAny(file, " \t") {
		return "", 0, false
	}
	digits, _, found := strings.Cut(rest, ".")
	line, err := strconv.Atoi(digits)
	return file, line, found && err == nil && line > 0
}
