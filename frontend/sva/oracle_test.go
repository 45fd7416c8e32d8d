package sva

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// The oracle reads annex F.5 literally: tight satisfaction gives the lengths of
// the matches of a sequence at a position, and properties are evaluated on
// ultimately periodic words. top and bottom are the letters that satisfy every
// expression and none.

const (
	top    = -1
	bottom = -2
)

// horizon bounds the length of matches; it is larger than the words and the
// sequences of the tests need.
const horizon = 40

type lassoWord struct{ prefix, loop []int }

func (w lassoWord) letter(i int) int {
	if i < len(w.prefix) {
		return w.prefix[i]
	}
	return w.loop[(i-len(w.prefix))%len(w.loop)]
}

func (w lassoWord) positions() int { return len(w.prefix) + len(w.loop) }

func (w lassoWord) suffix(i int) lassoWord {
	if i <= len(w.prefix) {
		return lassoWord{w.prefix[i:], w.loop}
	}
	k := (i - len(w.prefix)) % len(w.loop)
	return lassoWord{nil, append(append([]int(nil), w.loop[k:]...), w.loop[:k]...)}
}

// cut is the first n letters, and then letter for ever.
func (w lassoWord) cut(n, letter int) lassoWord {
	var p []int
	for i := range n {
		p = append(p, w.letter(i))
	}
	return lassoWord{p, []int{letter}}
}

// dual exchanges top and bottom.
func (w lassoWord) dual() lassoWord {
	swap := func(ls []int) []int {
		var r []int
		for _, l := range ls {
			switch l {
			case top:
				l = bottom
			case bottom:
				l = top
			}
			r = append(r, l)
		}
		return r
	}
	return lassoWord{swap(w.prefix), swap(w.loop)}
}

// tree is a random property. Its leaves are numbers of signals, negated when odd.
type tree struct {
	op     string
	kids   []*tree
	leaf   int
	lo, hi int
}

// real reports whether the letters from i to j, excluded, satisfy 1: bottom does not.
func (w lassoWord) real(i, j int) bool {
	for ; i < j; i++ {
		if w.letter(i) == bottom {
			return false
		}
	}
	return true
}

func satisfies(letter, leaf int) bool {
	switch letter {
	case top:
		return true
	case bottom:
		return false
	}
	return (letter>>(leaf/2)&1 == 1) == (leaf%2 == 0)
}

type lengths [horizon + 1]bool

// matches returns the lengths of the matches of a sequence that begin at i.
func (w lassoWord) matches(t *tree, i int) (r lengths) {
	kid := func(k, i int) lengths { return w.matches(t.kids[k], i) }
	hi := func() int {
		if t.hi < 0 {
			return horizon
		}
		return t.hi
	}
	chain := func(first, then lengths, thenAt func(int) lengths) lengths {
		var r lengths
		for a, ok := range first {
			if !ok {
				continue
			}
			if thenAt != nil {
				then = thenAt(i + a)
			}
			for b, ok := range then {
				if ok && a+b <= horizon {
					r[a+b] = true
				}
			}
		}
		return r
	}
	power := func(once func(int) lengths, lo, hi int) lengths {
		var all, now lengths
		now[0] = true
		for n := 0; n <= hi && n <= horizon+lo; n++ {
			if n >= lo {
				for k, ok := range now {
					all[k] = all[k] || ok
				}
			}
			now = chain(now, lengths{}, once)
		}
		return all
	}
	letters := func(leaf int) func(int) lengths {
		return func(i int) (r lengths) {
			r[1] = satisfies(w.letter(i), leaf)
			return r
		}
	}
	switch t.op {
	case "bool":
		return letters(t.leaf)(i)
	case "##": // with two operands
		left := kid(0, i)
		for a, ok := range left {
			for k := t.lo; ok && k <= hi(); k++ {
				at := a + k - 1 // the first letter of the second sequence
				if k == 0 && a == 0 || at > horizon || k > 0 && !w.real(i+a, i+at) {
					continue
				}
				for b, ok := range kid(1, i+at) {
					if ok && at+b <= horizon && !(k == 0 && b == 0) {
						r[at+b] = true
					}
				}
			}
		}
	case "##_": // with one operand
		for k := t.lo; k <= hi() && k <= horizon && w.real(i, i+k); k++ {
			for b, ok := range kid(0, i+k) {
				if ok && k+b <= horizon {
					r[k+b] = true
				}
			}
		}
	case "[*":
		return power(func(i int) lengths { return kid(0, i) }, t.lo, hi())
	case "[->", "[=":
		leaf := t.kids[0].leaf
		once := func(i int) (r lengths) {
			for n := 1; n <= horizon; n++ {
				if satisfies(w.letter(i+n-1), leaf) {
					r[n] = true
				}
				if !satisfies(w.letter(i+n-1), leaf^1) {
					break
				}
			}
			return r
		}
		r = power(once, t.lo, hi())
		if t.op == "[=" {
			r = chain(r, lengths{}, func(at int) (l lengths) {
				for n := 0; n <= horizon; n++ {
					l[n] = true
					if !satisfies(w.letter(at+n), leaf^1) {
						break
					}
				}
				return l
			})
		}
	case "throughout":
		for n, ok := range kid(1, i) {
			for k := range n {
				ok = ok && satisfies(w.letter(i+k), t.kids[0].leaf)
			}
			r[n] = ok
		}
	case "within":
		for n, ok := range kid(1, i) {
			if !ok {
				continue
			}
			for from := 0; from <= n; from++ {
				for k, ok := range kid(0, i+from) {
					r[n] = r[n] || ok && from+k <= n && w.real(i, i+from) && w.real(i+from+k, i+n)
				}
			}
		}
	case "intersect", "sor":
		a, b := kid(0, i), kid(1, i)
		for n := range r {
			r[n] = a[n] && b[n] || t.op == "sor" && (a[n] || b[n])
		}
	case "sand":
		a, b := kid(0, i), kid(1, i)
		for m, x := range a {
			for n, y := range b {
				if x && y && w.real(i+min(m, n), i+max(m, n)) {
					r[max(m, n)] = true
				}
			}
		}
	case "first_match":
		for n, ok := range kid(0, i) {
			if ok {
				r[n] = true
				return r
			}
		}
	default:
		panic(t.op)
	}
	return r
}

var sequenceOps = map[string]bool{
	"bool": true, "##": true, "##_": true, "[*": true, "[->": true, "[=": true, "throughout": true,
	"within": true, "intersect": true, "sor": true, "sand": true, "first_match": true,
}

func (w lassoWord) some(t *tree) bool {
	for n, ok := range w.matches(t, 0) {
		if ok && n > 0 {
			return true
		}
	}
	return false
}

// holds evaluates a property at the start of the word. strong is what a
// sequence is by itself.
func (w lassoWord) holds(t *tree, strong bool) bool {
	kid := func(k int, w lassoWord) bool { return w.holds(t.kids[k], strong) }
	if sequenceOps[t.op] {
		if strong {
			return w.some(t)
		}
		return w.weakly(t)
	}
	switch t.op {
	case "strong":
		return w.some(t.kids[0])
	case "weak":
		return w.weakly(t.kids[0])
	case "not":
		return !kid(0, w.dual())
	case "and":
		return kid(0, w) && kid(1, w)
	case "or":
		return kid(0, w) || kid(1, w)
	case "implies":
		return !kid(0, w.dual()) || kid(1, w)
	case "iff":
		return (!kid(0, w.dual()) || kid(1, w)) && (!kid(1, w.dual()) || kid(0, w))
	case "if":
		yes := !satisfies(w.dual().letter(0), t.kids[0].leaf) || kid(1, w)
		return yes && (len(t.kids) < 3 || !satisfies(w.dual().letter(0), t.kids[0].leaf^1) || kid(2, w))
	case "|->", "|=>", "#-#", "#=#":
		follows := t.op[0] == '#'
		antecedent := w.dual()
		if follows {
			antecedent = w
		}
		for n, ok := range antecedent.matches(t.kids[0], 0) {
			if t.op == "|=>" || t.op == "#=#" {
				ok = ok && antecedent.letter(n) != bottom
				n++
			}
			if ok && n > 0 && kid(1, w.suffix(n-1)) == follows {
				return follows
			}
		}
		return !follows
	case "nexttime":
		return kid(0, w.suffix(t.lo))
	case "always", "eventually":
		always := t.op == "always"
		last := t.hi
		if last < 0 {
			last = t.lo + w.positions()
		}
		for i := t.lo; i <= last; i++ {
			if kid(0, w.suffix(i)) != always {
				return !always
			}
		}
		return always
	case "until", "s_until", "until_with", "s_until_with":
		for i := range 2 * w.positions() {
			p, q := kid(0, w.suffix(i)), kid(1, w.suffix(i))
			with := strings.HasSuffix(t.op, "with")
			switch {
			case q && (!with || p):
				return true
			case !p:
				return false
			}
		}
		return t.op[0] == 'u'
	case "accept_on":
		return w.accepts(t.kids[0].leaf, func(w lassoWord) bool { return kid(1, w) })
	case "reject_on":
		return !w.dual().accepts(t.kids[0].leaf, func(w lassoWord) bool { return !kid(1, w.dual()) })
	}
	panic(t.op)
}

func (w lassoWord) weakly(t *tree) bool {
	for n := 1; n <= horizon-8; n++ {
		if !w.cut(n, top).some(t) {
			return false
		}
	}
	return true
}

func (w lassoWord) accepts(leaf int, p func(lassoWord) bool) bool {
	for i := range w.positions() {
		if satisfies(w.letter(i), leaf) {
			return p(w.cut(i, top))
		}
	}
	return p(w)
}

var signals = []string{"a", "b", "c"}

// write gives the text of a property, with brackets around each operand.
func (t *tree) write() string {
	k := func(i int) string {
		if s := t.kids[i]; s.op == "bool" {
			return s.write()
		}
		return "(" + t.kids[i].write() + ")"
	}
	span := func(n int) string {
		switch {
		case n < 0:
			return "$"
		}
		return fmt.Sprint(n)
	}
	bounds := span(t.lo) + ":" + span(t.hi)
	if t.lo == t.hi {
		bounds = span(t.lo)
	}
	switch t.op {
	case "bool":
		return strings.Repeat("!", t.leaf%2) + signals[t.leaf/2]
	case "##":
		return k(0) + " ##[" + span(t.lo) + ":" + span(t.hi) + "] " + k(1)
	case "##_":
		return "##[" + span(t.lo) + ":" + span(t.hi) + "] " + k(0)
	case "[*", "[->", "[=":
		return k(0) + t.op + bounds + "]"
	case "sand":
		return k(0) + " and " + k(1)
	case "sor":
		return k(0) + " or " + k(1)
	case "first_match", "strong", "weak":
		return t.op + "(" + t.kids[0].write() + ")"
	case "not":
		return "not " + k(0)
	case "if":
		s := "if (" + t.kids[0].write() + ") " + k(1)
		if len(t.kids) > 2 {
			s += " else " + k(2)
		}
		return s
	case "accept_on", "reject_on":
		return t.op + "(" + t.kids[0].write() + ") " + k(1)
	case "nexttime":
		return "nexttime[" + span(t.lo) + "] " + k(0)
	case "always":
		if t.hi < 0 && t.lo == 0 {
			return "always " + k(0)
		}
		return "always[" + span(t.lo) + ":" + span(t.hi) + "] " + k(0)
	case "eventually":
		return "s_eventually[" + span(t.lo) + ":" + span(t.hi) + "] " + k(0)
	}
	return k(0) + " " + t.op + " " + k(1)
}

type generator struct{ *rand.Rand }

func (g generator) pick(s ...string) string { return s[g.IntN(len(s))] }

func (g generator) leaf() *tree { return &tree{op: "bool", leaf: g.IntN(2 * len(signals))} }

func (g generator) span(t *tree) {
	t.lo = g.IntN(3)
	t.hi = t.lo + g.IntN(3)
	if g.IntN(4) == 0 {
		t.hi = -1
	}
}

func (g generator) sequence(size int) *tree {
	if size <= 0 {
		return g.leaf()
	}
	t := &tree{op: g.pick("##", "##", "##", "##_", "[*", "[->", "[=", "throughout", "within", "intersect", "sor", "sand", "first_match", "bool")}
	g.span(t)
	switch t.op {
	case "bool":
		return g.leaf()
	case "[->", "[=":
		t.kids = []*tree{g.leaf()}
	case "##_", "[*", "first_match":
		t.kids = []*tree{g.sequence(size - 1)}
	case "throughout":
		t.kids = []*tree{g.leaf(), g.sequence(size - 1)}
	default:
		left := g.IntN(size)
		t.kids = []*tree{g.sequence(left), g.sequence(size - 1 - left)}
	}
	return t
}

func (g generator) property(size int) *tree {
	if size <= 0 || g.IntN(5) == 0 {
		return g.sequence(size)
	}
	t := &tree{op: g.pick("strong", "weak", "not", "and", "or", "implies", "iff", "if", "|->", "|=>", "|->", "|=>", "#-#", "#=#",
		"nexttime", "always", "eventually", "until", "s_until", "until_with", "s_until_with", "accept_on", "reject_on")}
	g.span(t)
	left := g.IntN(size)
	switch t.op {
	case "strong", "weak":
		t.kids = []*tree{g.sequence(size - 1)}
	case "not", "nexttime", "always", "eventually":
		t.kids = []*tree{g.property(size - 1)}
	case "if":
		t.kids = []*tree{g.leaf(), g.property(left)}
		if g.IntN(2) == 0 {
			t.kids = append(t.kids, g.property(size-1-left))
		}
	case "accept_on", "reject_on":
		t.kids = []*tree{g.leaf(), g.property(size - 1)}
	case "|->", "|=>", "#-#", "#=#":
		t.kids = []*tree{g.sequence(left), g.property(size - 1 - left)}
	default:
		t.kids = []*tree{g.property(left), g.property(size - 1 - left)}
		if sequenceOps[t.kids[0].op] && sequenceOps[t.kids[1].op] { // then it is a sequence
			switch t.op {
			case "and":
				t.op = "sand"
			case "or":
				t.op = "sor"
			}
		}
	}
	return t
}

func (g generator) word(prefix, loop int) lassoWord {
	var w lassoWord
	for range prefix {
		w.prefix = append(w.prefix, g.IntN(1<<len(signals)))
	}
	for range loop {
		w.loop = append(w.loop, g.IntN(1<<len(signals)))
	}
	return w
}

// Oracle is a random property and what annex F says of it, for the tests of other
// packages' parts of the flow.
type Oracle struct {
	Text string
	Live bool
	tree *tree
}

// NewOracles returns random properties that are not refused, about a, b and c.
func NewOracles(seed uint64, count, size int) []Oracle {
	g := generator{rand.New(rand.NewPCG(seed, 0))}
	var os []Oracle
	for len(os) < count {
		p := g.property(1 + g.IntN(size))
		text := p.write()
		if g.IntN(3) == 0 { // which accept_on says, too
			text = "disable iff (c) " + text
			p = &tree{op: "accept_on", kids: []*tree{{op: "bool", leaf: 4}, p}}
		}
		r, err := Lower("o.sv", "module m(input clk, a, b, c); p: assert property (@(posedge clk) "+text+"); endmodule")
		if err == nil && len(r.Checks) == 1 && r.Checks[0].Registers < 60 {
			os = append(os, Oracle{text, r.Checks[0].Live, p})
		}
	}
	return os
}

// Holds reports whether every attempt on the lasso satisfies the property.
func (o Oracle) Holds(prefix, loop []int) bool {
	w := lassoWord{prefix, loop}
	for i := range w.positions() {
		if !w.suffix(i).holds(o.tree, false) {
			return false
		}
	}
	return true
}
