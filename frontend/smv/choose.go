package smv

import (
	"netcov/aig"
)

// Sets never become values: a set is tested for membership, or one of its
// elements is chosen by inputs.

// element of a set that is there under a condition; or, with hi > lo, all
// integers lo..hi.
type element struct {
	on     aig.Lit
	val    value
	lo, hi int64
	ranged bool
}

// elements lists a set's elements, and says where the set fails.
func (ev *evaluator) elements(n *node, at moment) (out []element, fails aig.Lit) {
	type visit struct {
		n  *node
		on aig.Lit
		at moment
	}
	for stack := []visit{{n, aig.True, at}}; len(stack) > 0; {
		x := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		switch u := x.n.under(); {
		case !u.typ.set:
			v := ev.eval(x.n, x.at)
			fails = ev.g.Or(fails, ev.g.And(x.on, v.fail))
			out = append(out, element{on: x.on, val: v})
		case u.op == opSet || u.op == opUnion:
			for i := len(u.args) - 1; i >= 0; i-- {
				stack = append(stack, visit{u.args[i], x.on, x.at})
			}
		case u.op == opRange:
			out = append(out, element{on: x.on, lo: u.num, hi: u.num2, ranged: true})
		default: // opCase, opIte
			b := ev.branches(u, x.at)
			fails = ev.g.Or(fails, ev.g.And(x.on, b.fail))
			for i := len(b.values) - 1; i >= 0; i-- {
				stack = append(stack, visit{b.values[i], ev.g.And(x.on, b.take[i]), x.at})
			}
		}
	}
	return out, fails
}

// member is the condition under which a value equals an element.
func (ev *evaluator) member(n *node, v value, e element) aig.Lit {
	if !e.ranged {
		return ev.g.And(e.on, ev.equal(n, v, e.val))
	}
	if v.kind == kInt {
		return ev.g.And(e.on, ev.between(v, e.lo, e.hi))
	}
	var in []aig.Lit
	for _, g := range ev.guarded(v, n.pos).guards {
		if !g.c.isSym() && int64(g.c) >= e.lo && int64(g.c) <= e.hi {
			in = append(in, g.on)
		}
	}
	return ev.g.And(e.on, ev.g.OrAll(in...))
}

// between is the condition under which an integer lies in lo..hi.
func (ev *evaluator) between(v value, lo, hi int64) aig.Lit {
	in := aig.True
	if w := max(len(v.bits), signedWidth(lo, hi)); v.lo < lo {
		in = ev.slt(signExtend(v.bits, w), constBits(uint64(lo), w)).Not()
	}
	if w := max(len(v.bits), signedWidth(lo, hi)); v.hi > hi {
		in = ev.g.And(in, ev.slt(constBits(uint64(hi), w), signExtend(v.bits, w)).Not())
	}
	return in
}

// inclusion evaluates a in b: every element of a is one of b.
func (ev *evaluator) inclusion(n *node, at moment) value {
	left, f1 := ev.elements(n.args[0], at)
	right, f2 := ev.elements(n.args[1], at)
	var all []aig.Lit
	for _, l := range left {
		if !l.ranged {
			all = append(all, ev.g.Or(l.on.Not(), ev.memberOfAny(n, l.val, right)))
			continue
		}
		if l.hi-l.lo >= maxElements {
			fail(n.pos, "a range of more than %d values on the left of in", maxElements)
		}
		for k := l.lo; k <= l.hi; k++ {
			all = append(all, ev.g.Or(l.on.Not(), ev.memberOfAny(n, intConstant(k), right)))
		}
	}
	v := boolValue(ev.g.AndAll(all...))
	v.fail = ev.g.Or(f1, f2)
	return v
}

func (ev *evaluator) memberOfAny(n *node, v value, set []element) aig.Lit {
	in := make([]aig.Lit, len(set))
	for i, e := range set {
		in[i] = ev.member(n, v, e)
	}
	return ev.g.OrAll(in...)
}

// choices are the inputs that choose elements for one assignment. Parts of the
// expression that exclude each other share them.
type choices struct {
	lits []aig.Lit
	make func(i int) aig.Lit
}

func (c *choices) bits(from, n int) []aig.Lit {
	for len(c.lits) < from+n {
		c.lits = append(c.lits, c.make(len(c.lits)))
	}
	return c.lits[from : from+n]
}

// choose evaluates an expression; of a set it takes the element that the choice
// inputs from a position on say. Every element can be chosen, and nothing else.
func (ev *evaluator) choose(n *node, at moment, c *choices, from int, k kind) value {
	u := n.under()
	if !u.typ.set {
		return ev.convert(ev.eval(n, at), k, n.pos)
	}
	switch u.op {
	case opSet, opUnion:
		return ev.chooseOne(u.args, at, c, from, k)
	case opRange:
		size := u.num2 - u.num + 1
		raw := c.bits(from, indexWidth(size))
		offset := append(append([]aig.Lit(nil), ev.fold(raw, size)...), aig.False)
		w := max(signedWidth(u.num, u.num2), len(offset))
		sum, _ := ev.add(signExtend(offset, w), constBits(uint64(u.num), w), aig.False)
		return ev.convert(intValue(sum, u.num, u.num2), k, n.pos)
	}
	b := ev.branches(u, at)
	vals := make([]value, len(b.values))
	for i, a := range b.values {
		vals[i] = ev.choose(a, at, c, from, k)
	}
	return ev.pick(b, vals)
}

// chooseOne takes one of several sets or values.
func (ev *evaluator) chooseOne(args []*node, at moment, c *choices, from int, k kind) value {
	size := int64(len(args))
	w := indexWidth(size)
	index := ev.fold(c.bits(from, w), size)
	var b branches
	vals := make([]value, len(args))
	for i, a := range args {
		b.take = append(b.take, ev.eq(index, constBits(uint64(i), w)))
		vals[i] = ev.choose(a, at, c, from+w, k)
	}
	return ev.pick(b, vals)
}

// indexWidth is the number of bits that count 0 to size-1.
func indexWidth(size int64) int {
	w := 0
	for int64(1)<<w < size {
		w++
	}
	return w
}

// fold maps raw codes onto 0 to size-1: those outside lose their top bit, all
// others stay. It is onto, since size is more than half of the codes.
func (ev *evaluator) fold(raw []aig.Lit, size int64) []aig.Lit {
	w := len(raw)
	if w == 0 || size == int64(1)<<w {
		return raw
	}
	out := append([]aig.Lit(nil), raw...)
	half := int64(1) << (w - 1)
	out[w-1] = ev.g.And(raw[w-1], ev.ult(raw[:w-1], constBits(uint64(size-half), w-1)))
	return out
}
