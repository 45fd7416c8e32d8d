package suggest

import (
	"fmt"
	"strconv"
	"strings"

	"netcov/aig"
)

// Terms are expressions over words of the design, with the meaning that Verilog gives
// them (IEEE 1800-2017, clause 11): the operands of a comparison are as wide as the
// widest of them, arithmetic wraps around there, and a concatenation or slice has its
// own width. All values are unsigned. A term has three meanings that must agree: a
// number on a sample, a circuit, and a text.

// op is what a term does.
type op uint8

const (
	opWord   op = iota // the value of a word, some steps ago
	opConst            // a number
	opSlice            // bits of its argument, a word
	opConcat           // the first argument is the highest
	opAdd
	opSub
	opAnd
	opOr
	opXor
	opNot
	// Of one bit from here on.
	opEq
	opNe
	opLe
	opBoth   // all of its arguments
	opEither // one of them
	opUnless // not its argument
)

// term is an expression.
type term struct {
	op        op
	args      []*term
	word      *Word
	past      int    // steps ago
	value     uint64 // of a constant
	width     int    // of a constant
	high, low int    // of a slice, positions from 0
}

func now(w *Word) *term               { return &term{op: opWord, word: w} }
func before(w *Word, n int) *term     { return &term{op: opWord, word: w, past: n} }
func number(v uint64, n int) *term    { return &term{op: opConst, value: v, width: n} }
func apply(o op, args ...*term) *term { return &term{op: o, args: args} }

// slice returns bits of a word.
func slice(w *term, high, low int) *term {
	if low == 0 && high == w.word.Width()-1 {
		return w
	}
	return &term{op: opSlice, args: []*term{w}, high: high, low: low}
}

// self is the width that a term has by itself.
func (t *term) self() int {
	switch t.op {
	case opWord:
		return t.word.Width()
	case opConst:
		return t.width
	case opSlice:
		return t.high - t.low + 1
	case opConcat:
		n := 0
		for _, a := range t.args {
			n += a.self()
		}
		return n
	case opAdd, opSub, opAnd, opOr, opXor, opNot:
		return t.widest()
	}
	return 1
}

func (t *term) widest() int {
	n := 0
	for _, a := range t.args {
		n = max(n, a.self())
	}
	return n
}

func mask(width int) uint64 {
	if width >= 64 {
		return ^uint64(0)
	}
	return uint64(1)<<width - 1
}

// eval returns the value in a context of a width; word gives that of a word.
func (t *term) eval(width int, word func(w *Word, past int) uint64) uint64 {
	arg := func(i, width int) uint64 { return t.args[i].eval(width, word) }
	truth := func(b bool) uint64 {
		if b {
			return 1
		}
		return 0
	}
	switch t.op {
	case opWord:
		return word(t.word, t.past)
	case opConst:
		return t.value
	case opSlice:
		return arg(0, t.args[0].self()) >> t.low & mask(t.self())
	case opConcat:
		v := uint64(0)
		for i, a := range t.args {
			v = v<<a.self() | arg(i, a.self())
		}
		return v
	case opAdd:
		return (arg(0, width) + arg(1, width)) & mask(width)
	case opSub:
		return (arg(0, width) - arg(1, width)) & mask(width)
	case opAnd:
		return arg(0, width) & arg(1, width)
	case opOr:
		return arg(0, width) | arg(1, width)
	case opXor:
		return arg(0, width) ^ arg(1, width)
	case opNot:
		return ^arg(0, width) & mask(width)
	case opEq:
		return truth(arg(0, t.widest()) == arg(1, t.widest()))
	case opNe:
		return truth(arg(0, t.widest()) != arg(1, t.widest()))
	case opLe:
		return truth(arg(0, t.widest()) <= arg(1, t.widest()))
	case opUnless:
		return 1 - arg(0, 1)
	}
	all := t.op == opBoth
	for i := range t.args {
		if (arg(i, 1) == 1) != all {
			return truth(!all)
		}
	}
	return truth(all)
}

// build returns the term's circuit in a context of a width, the lowest bit first; word
// gives the bits of a word.
func (t *term) build(g *aig.Graph, width int, word func(w *Word, past int) []aig.Lit) []aig.Lit {
	arg := func(i, width int) []aig.Lit { return t.args[i].build(g, width, word) }
	bitwise := func(f func(a, b aig.Lit) aig.Lit) []aig.Lit {
		a, b := arg(0, width), arg(1, width)
		out := make([]aig.Lit, width)
		for i := range out {
			out[i] = f(a[i], b[i])
		}
		return out
	}
	one := func(l aig.Lit) []aig.Lit { return extend([]aig.Lit{l}, width) }
	switch t.op {
	case opWord:
		return extend(word(t.word, t.past), width)
	case opConst:
		return extend(constant(t.value, t.width), width)
	case opSlice:
		return extend(arg(0, t.args[0].self())[t.low:t.high+1], width)
	case opConcat:
		var out []aig.Lit
		for i := len(t.args) - 1; i >= 0; i-- {
			out = append(out, arg(i, t.args[i].self())...)
		}
		return extend(out, width)
	case opAdd:
		return add(g, arg(0, width), arg(1, width), aig.False)
	case opSub:
		return add(g, arg(0, width), invert(arg(1, width)), aig.True)
	case opAnd:
		return bitwise(g.And)
	case opOr:
		return bitwise(g.Or)
	case opXor:
		return bitwise(g.Xor)
	case opNot:
		return invert(arg(0, width))
	case opEq, opNe:
		a, b := arg(0, t.widest()), arg(1, t.widest())
		same := aig.True
		for i := range a {
			same = g.And(same, g.Xor(a[i], b[i]).Not())
		}
		return one(same.XorSign(t.op == opNe))
	case opLe:
		a, b := arg(0, t.widest()), arg(1, t.widest())
		less := aig.True // of the bits so far
		for i := range a {
			less = g.Mux(g.Xor(a[i], b[i]), b[i], less)
		}
		return one(less)
	case opUnless:
		return one(arg(0, 1)[0].Not())
	}
	var all []aig.Lit
	for i := range t.args {
		all = append(all, arg(i, 1)[0])
	}
	if t.op == opBoth {
		return one(g.AndAll(all...))
	}
	return one(g.OrAll(all...))
}

func extend(bits []aig.Lit, width int) []aig.Lit {
	out := append([]aig.Lit{}, bits...)
	for len(out) < width {
		out = append(out, aig.False)
	}
	return out[:width]
}

func constant(v uint64, width int) []aig.Lit {
	out := make([]aig.Lit, width)
	for i := range out {
		if out[i] = aig.False; v>>i&1 == 1 {
			out[i] = aig.True
		}
	}
	return out
}

func invert(bits []aig.Lit) []aig.Lit {
	out := make([]aig.Lit, len(bits))
	for i, b := range bits {
		out[i] = b.Not()
	}
	return out
}

func add(g *aig.Graph, a, b []aig.Lit, carry aig.Lit) []aig.Lit {
	out := make([]aig.Lit, len(a))
	for i := range a {
		x := g.Xor(a[i], b[i])
		out[i] = g.Xor(x, carry)
		carry = g.Or(g.And(a[i], b[i]), g.And(x, carry))
	}
	return out
}

// strength is how tightly an operator binds.
var strength = map[op]int{opEither: 1, opBoth: 2, opOr: 3, opXor: 4, opAnd: 5, opEq: 6, opNe: 6, opLe: 7, opAdd: 8, opSub: 8, opNot: 9, opUnless: 9}

var symbol = map[op]string{
	opEither: "||", opBoth: "&&", opOr: "|", opXor: "^", opAnd: "&", opEq: "==", opNe: "!=", opLe: "<=", opAdd: "+", opSub: "-", opNot: "~", opUnless: "!",
}

// text returns the term in SystemVerilog; name gives the name of a word.
func (t *term) text(name func(*Word) string) string {
	switch t.op {
	case opWord:
		return past(name(t.word), t.past)
	case opConst:
		if t.width <= 4 || t.value < 10 {
			return fmt.Sprintf("%d'd%d", t.width, t.value)
		}
		return fmt.Sprintf("%d'h%x", t.width, t.value)
	case opSlice:
		w := t.args[0].word
		low := w.lowest() + t.low
		if t.high == t.low {
			return past(fmt.Sprintf("%s[%d]", name(w), low), t.args[0].past)
		}
		return past(fmt.Sprintf("%s[%d:%d]", name(w), low+t.high-t.low, low), t.args[0].past)
	case opConcat:
		var parts []string
		for _, a := range t.args {
			parts = append(parts, a.text(name))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	}
	var parts []string
	for i, a := range t.args {
		s := a.text(name)
		if inner := strength[a.op]; inner > 0 && (inner < strength[t.op] || inner == strength[t.op] && (i > 0 || len(t.args) == 1)) ||
			(a.op == opOr || a.op == opXor || a.op == opAnd) && strength[t.op] > 2 {
			s = "(" + s + ")"
		}
		parts = append(parts, s)
	}
	if len(parts) == 1 && (t.op == opNot || t.op == opUnless) {
		return symbol[t.op] + parts[0]
	}
	return strings.Join(parts, " "+symbol[t.op]+" ")
}

func past(s string, n int) string {
	switch n {
	case 0:
		return s
	case 1:
		return "$past(" + s + ")"
	}
	return "$past(" + s + ", " + strconv.Itoa(n) + ")"
}

// leaves calls f for each word of the term, with the steps ago.
func (t *term) leaves(f func(w *Word, past int)) {
	if t.op == opWord {
		f(t.word, t.past)
	}
	for _, a := range t.args {
		a.leaves(f)
	}
}

// literals counts what a reader has to look at: words and numbers.
func (t *term) literals() int {
	if t.op == opWord || t.op == opConst {
		return 1
	}
	n := 0
	for _, a := range t.args {
		n += a.literals()
	}
	return n
}

// history is the number of steps that the term looks back.
func (t *term) history() int {
	n := 0
	t.leaves(func(_ *Word, past int) { n = max(n, past) })
	return n
}

// ago returns the term n steps earlier.
func (t *term) ago(n int) *term {
	c := *t
	if t.op == opWord {
		c.past += n
	}
	c.args = nil
	for _, a := range t.args {
		c.args = append(c.args, a.ago(n))
	}
	return &c
}
