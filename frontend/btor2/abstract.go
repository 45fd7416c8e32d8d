// Abstraction of large arrays by word (P. Bjesse, "A practical approach to word level
// model checking of industrial netlists", CAV 2008).
//
// Of an array above the limit only some words are kept, each at an address that is any
// value, chosen at the start and held: a latch a bit of the address, and for each array
// the bits of the word there. A read at a kept address gives that word, any other read
// a free input. The netlist so allows all that the design does, and more.
//
// What makes it precise enough is that a counterexample may choose the addresses. A probe
// is a word whose address is the one at which a certain node reads, so many steps before
// the bad state. Each run of the design on which a property fails has such an address, so
// the bad-state literal may demand it: a shift register carries "the node's address is
// this one" as many steps. A run that is shorter than that demands nothing.
//
// Two arrays are equal where a free input says so, and all kept words are. Where they
// differ, they do at an address, which is an input of its own (a Skolem function); where
// that is a kept address, the words there decide.
//
// A trace of the netlist is run on the arrays themselves (replay.go), which adds the
// probe that it needs where it is spurious.

package btor2

import (
	"fmt"
	"slices"

	"netcov/aig"
	"netcov/frontend/design"
	"netcov/netlist"
)

// probe is a kept word of all arrays of one width of index.
type probe struct {
	index      int    // the width of the address
	node       int32  // whose address it is: a read, a write, an equality; -1: constant
	delay      int    // steps before the bad state
	constant   string // a constant address, as of bitsOf
	properties []int  // whose traces demand it
}

// same reports whether two probes are one, whoever demands it.
func (p probe) same(q probe) bool {
	return p.node == q.node && p.delay == q.delay && p.constant == q.constant && p.index == q.index
}

// probes are the kept words. The words of one width of index keep their order.
type probes struct{ list []probe }

// count is the number of words that are kept of an array. Of nil it is 0.
func (ps *probes) count(index int) int {
	n := 0
	for i := 0; ps != nil && i < len(ps.list); i++ {
		if ps.list[i].index == index {
			n++
		}
	}
	return n
}

// add has a property demand a probe.
func (ps *probes) add(p probe, property int) {
	for i := range ps.list {
		if old := &ps.list[i]; old.same(p) {
			old.properties = append(old.properties, property)
			return
		}
	}
	p.properties = []int{property}
	ps.list = append(ps.list, p)
}

// abstraction is how a netlist keeps arrays by word.
type abstraction struct {
	*table
	list      []probe                // the words of this netlist
	found     *probes                // these, and what its traces ask for
	addresses []word                 // by probe
	latches   [][]int                // by probe: positions of its address
	probeOf   map[int]int            // of latches that are there for a probe
	reads     map[int32]freeRead     // by node
	equals    map[int32]*freeEqual   // by node
	at        map[aig.Node]int32     // the first input of a read or equality: its node
	bads      []aig.Lit              // the design's, without what traces demand
	variables map[int32]variable     // inputs and states that are such arrays
	inputOf   map[aig.Node]int       // position
	shown     map[int]*run           // by property: the run that its witness tells
	again     func() (*Model, error) // reads the file again
	cut       *design.Cut            // the mutant that traces are run on; nil: the design
}

// freeRead is a read of an array that is kept by word: positions of its inputs.
type freeRead []int

// freeEqual is an equality of two such arrays: the position of the input that says so,
// and of those with the address at which they differ, where a probe speaks of it.
type freeEqual struct {
	says   int
	differ []int
	lits   word // those of differ
}

// demanded reports whether a property demands a probe of a list.
func demanded(list []probe, p probe, property int) bool {
	return slices.ContainsFunc(list, func(q probe) bool { return q.same(p) && slices.Contains(q.properties, property) })
}

// words returns the addresses that are kept of arrays of a width of index.
func (a *abstraction) words(index int) []word {
	var out []word
	for i, p := range a.list {
		if p.index == index {
			out = append(out, a.addresses[i])
		}
	}
	return out
}

// probeOfWord is the probe of the word of a number that arrays of a width of index keep.
func (a *abstraction) probeOfWord(index, word int) int {
	for k, p := range a.list {
		if p.index != index {
			continue
		}
		if word == 0 {
			return k
		}
		word--
	}
	return -1
}

// startAbstraction makes the addresses, where a needed node is a large array.
func (b *builder) startAbstraction() error {
	at := slices.IndexFunc(b.nodes, func(n node) bool { return n.huge && (n.needed || n.kind != kindOp) })
	if at < 0 {
		return nil
	}
	if b.opt.sooner && len(b.justice) > 0 {
		return byWord(b.model.Design.File, b.justice[0].line, "a justice property beside %s", b.nodes[at].sort)
	}
	if err := b.plainInit(); err != nil {
		return err
	}
	a := &abstraction{
		table: b.table, found: b.opt.probes, reads: map[int32]freeRead{}, equals: map[int32]*freeEqual{},
		at: map[aig.Node]int32{}, variables: map[int32]variable{}, inputOf: map[aig.Node]int{},
		shown: map[int]*run{}, probeOf: map[int]int{},
	}
	b.abs, b.model.abs = a, a
	for _, p := range a.found.list {
		p.properties = slices.Clone(p.properties)
		a.list = append(a.list, p)
	}
	for i, p := range a.list {
		name := fmt.Sprintf("address%d", i)
		at := make(word, p.index)
		var latches []int
		for k := range at {
			if p.node < 0 {
				at[k] = aig.Lit(p.constant[k] - '0')
				continue
			}
			latches = append(latches, len(b.n.Latches))
			at[k] = b.helper(bitName(name, k, p.index), i)
			l := &b.n.Latches[latches[k]]
			l.Next, l.Reset = l.Lit, l.Lit
		}
		a.addresses, a.latches = append(a.addresses, at), append(a.latches, latches)
	}
	for _, i := range b.vars {
		if n := &b.nodes[i]; n.huge {
			b.note("%s (line %d), %s, is above the limit of %d bits: it is kept by word, at addresses that counterexamples need, and each counterexample has been run on the array itself",
				label(n), n.line, n.sort, b.opt.MemoryBits)
		}
	}
	return nil
}

// byWord refuses what is not taken by word.
func byWord(file string, line int, what string, args ...any) error {
	return &Error{File: file, Line: line, What: fmt.Sprintf(what, args...) + ", which is kept by word", Cure: "raise the limit of bits in a memory", whole: true}
}

// plainInit refuses initial values that read a large array, or compare two.
func (b *builder) plainInit() error {
	for _, s := range b.states {
		if b.startsFrom(s, s, map[int32]bool{}) {
			return b.cycle(s)
		}
	}
	seen := map[int32]bool{}
	var list []int32
	for _, s := range b.states {
		if from := b.nodes[s].init.node; from >= 0 {
			list = append(list, from)
		}
		for len(list) > 0 {
			at := list[len(list)-1]
			list = list[:len(list)-1]
			n := &b.nodes[at]
			if seen[at] || n.kind != kindOp {
				continue
			}
			seen[at] = true
			if n.index == 0 && slices.ContainsFunc(n.args, func(r ref) bool { return b.nodes[r.node].huge }) {
				return byWord(b.model.Design.File, b.nodes[s].initLine, "the initial value depends on a %s of %s", n.op, b.nodes[n.args[0].node].sort)
			}
			for _, r := range n.args {
				list = append(list, r.node)
			}
		}
	}
	return nil
}

// startsFrom reports whether the initial value of an array is made of that of another.
func (b *builder) startsFrom(i, of int32, seen map[int32]bool) bool {
	n := &b.nodes[i]
	next := n.args
	if n.kind == kindState {
		next = []ref{n.init}
	}
	for _, r := range next {
		if r.node < 0 || !b.nodes[r.node].huge || seen[r.node] {
			continue
		}
		seen[r.node] = true
		if r.node == of || b.startsFrom(r.node, of, seen) {
			return true
		}
	}
	return false
}

// helper makes a latch that is none of the design's, for a probe.
func (b *builder) helper(name string, probe int) aig.Lit {
	l := b.g.Latch()
	b.abs.probeOf[len(b.n.Latches)] = probe
	b.n.Latches = append(b.n.Latches, netlist.Latch{Lit: l, Name: name})
	b.latchy = append(b.latchy, -1)
	b.model.Design.Latches = append(b.model.Design.Latches, design.Origin{Register: name, Bit: -1, File: b.model.Design.File, Artefact: true})
	return l
}

// agree makes the words of an array whose values are free the same where their
// addresses are: each is the first of those at its address.
func (b *builder) agree(n *node) {
	addresses := b.abs.words(n.index)
	own := n.bits
	n.bits = slices.Clone(own)
	for j := range addresses {
		for i := j - 1; i >= 0; i-- {
			copy(n.bits[j*n.element:], b.mux(b.eq(addresses[i], addresses[j]), own[i*n.element:(i+1)*n.element], n.bits[j*n.element:(j+1)*n.element]))
		}
	}
}

// blastHuge is the value of a node with a large array among its arguments.
func (b *builder) blastHuge(i int32, args []word) word {
	n := &b.nodes[i]
	array := b.nodes[n.args[0].node].sort // of ite, the condition's
	addresses := b.abs.words(array.index)
	switch n.op {
	case "read":
		first := len(b.n.Inputs)
		value := make(word, n.width)
		for k := range value {
			value[k] = b.input(bitName(fmt.Sprintf("read%d", n.id), k, n.width))
			b.abs.reads[i] = append(b.abs.reads[i], first+k)
		}
		b.abs.at[value[0].Node()] = i
		for j := len(addresses) - 1; j >= 0; j-- {
			value = b.mux(b.eq(addresses[j], args[1]), args[0][j*n.width:(j+1)*n.width], value)
		}
		return value
	case "write":
		var out word
		for j, a := range addresses {
			out = append(out, b.mux(b.eq(a, args[1]), args[2], args[0][j*n.element:(j+1)*n.element])...)
		}
		return out
	case "eq", "neq":
		e := &freeEqual{says: len(b.n.Inputs)}
		says := b.input(fmt.Sprintf("equal%d", n.id))
		b.abs.at[says.Node()], b.abs.equals[i] = i, e
		if slices.ContainsFunc(b.abs.list, func(p probe) bool { return p.node == i }) {
			for k := range array.index {
				e.differ = append(e.differ, len(b.n.Inputs))
				e.lits = append(e.lits, b.input(bitName(fmt.Sprintf("differ%d", n.id), k, array.index)))
			}
			for _, a := range addresses {
				says = b.g.Or(says, b.eq(a, e.lits))
			}
		}
		same := b.g.And(says, b.eq(args[0], args[1]))
		return word{same.XorSign(n.op == "neq")}
	}
	return operators[n.op].blast(&b.blaster, args) // ite
}

// demand makes the bad states demand that addresses be those of the nodes' so many
// steps before.
func (b *builder) demand() {
	a := b.abs
	for _, s := range b.n.Bads {
		a.bads = append(a.bads, s.Lit)
	}
	for k, p := range a.list {
		if p.node < 0 {
			continue
		}
		was := b.was(k)
		for _, i := range p.properties {
			b.n.Bads[i].Lit = b.g.And(b.n.Bads[i].Lit, was)
		}
	}
	for k, in := range b.n.Inputs {
		a.inputOf[in.Lit.Node()] = k
	}
}

// was is true where the address of a probe was that of its node's, and in runs that are
// too short for that.
func (b *builder) was(k int) aig.Lit {
	p := b.abs.list[k]
	at := b.eq(b.abs.addresses[k], b.model.address(p.node))
	for d := range p.delay {
		l := b.helper(fmt.Sprintf("address%d.before%d", k, d+1), k)
		b.n.Latches[len(b.n.Latches)-1].Reset = aig.True
		b.n.Latches[len(b.n.Latches)-1].Next = at
		at = l
	}
	return at
}

// address is that of a read or write, or the one at which two arrays differ.
func (m *Model) address(i int32) word {
	if e := m.abs.equals[i]; e != nil {
		return e.lits
	}
	return m.abs.value(m.abs.nodes[i].args[1])
}

// arrange puts the latches of the file first and then those of each probe, so that a
// netlist with more probes has the latches of this one at the same positions.
func (b *builder) arrange() {
	a := b.abs
	of := func(latch int) int {
		if k, some := a.probeOf[latch]; some {
			return k
		}
		return -1
	}
	order := make([]int, len(b.n.Latches))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(x, y int) int { return of(x) - of(y) })
	latches, latchy, origins := slices.Clone(b.n.Latches), slices.Clone(b.latchy), slices.Clone(b.model.Design.Latches)
	to := make([]int, len(order))
	for at, was := range order {
		to[was] = at
		b.n.Latches[at], b.latchy[at], b.model.Design.Latches[at] = latches[was], latchy[was], origins[was]
	}
	lists := slices.Clone(a.latches)
	for _, v := range b.model.states {
		lists = append(lists, v.latch)
	}
	for _, list := range lists {
		for k := range list {
			list[k] = to[list[k]]
		}
	}
}
