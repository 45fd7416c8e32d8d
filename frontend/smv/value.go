package smv

import (
	"math/bits"

	"netcov/aig"
)

// value is what an expression evaluates to, bit by bit.
//
// Integers are two's complement numbers with the bounds that their expression
// shows; they have the fewest bits that hold these bounds. Symbols, and mixtures
// of symbols and integers, are lists of constants with the condition under which
// the value is that constant; the conditions exclude each other.
type value struct {
	kind   kind
	bits   []aig.Lit // kBool (one bit), kInt, kWord
	lo, hi int64     // kInt
	guards []guard   // kSym, kMixed
	// fail holds where the value does not exist (no case applies, division by
	// zero); the other fields mean nothing there.
	fail aig.Lit
}

type guard struct {
	c  cst
	on aig.Lit
}

func boolValue(l aig.Lit) value { return value{kind: kBool, bits: []aig.Lit{l}} }

func (v *value) bit() aig.Lit { return v.bits[0] }

// signedWidth is the number of bits that hold lo..hi in two's complement.
func signedWidth(lo, hi int64) int {
	w := 1
	for _, n := range []int64{lo, hi} {
		if n < 0 {
			n = ^n
		}
		w = max(w, 1+bits.Len64(uint64(n)))
	}
	return w
}

// intValue makes an integer from bits that hold at least lo..hi.
func intValue(b []aig.Lit, lo, hi int64) value {
	return value{kind: kInt, bits: signExtend(b, signedWidth(lo, hi)), lo: lo, hi: hi}
}

func intConstant(n int64) value { return intValue(constBits(uint64(n), 64), n, n) }

// constInt is the value of an integer whose bits are constant.
func (v *value) constInt() (int64, bool) {
	n := int64(0)
	for i, l := range v.bits {
		if !l.Const() {
			return 0, false
		}
		if l == aig.True {
			if i == len(v.bits)-1 {
				n -= 1 << i
			} else {
				n += 1 << i
			}
		}
	}
	return n, true
}

// equals is the condition under which an integer is n.
func (x arith) equals(v value, n int64) aig.Lit {
	if n < v.lo || n > v.hi {
		return aig.False
	}
	return x.eq(v.bits, constBits(uint64(n), len(v.bits)))
}

// guarded gives a scalar as a list of constants.
func (ev *evaluator) guarded(v value, pos Pos) value {
	if v.kind != kInt {
		return v
	}
	if v.hi-v.lo >= maxElements {
		fail(pos, "an integer of %d..%d cannot be compared with symbols: more than %d values", v.lo, v.hi, maxElements)
	}
	out := value{kind: kMixed, fail: v.fail}
	for n := v.lo; n <= v.hi; n++ {
		if on := ev.equals(v, n); on != aig.False {
			out.guards = append(out.guards, guard{cst(n), on})
		}
	}
	return out
}

// fromGuards makes an integer from a list of constants, all of them integers.
func (ev *evaluator) fromGuards(gs []guard, fail aig.Lit) value {
	lo, hi := int64(gs[0].c), int64(gs[0].c)
	for _, g := range gs {
		lo, hi = min(lo, int64(g.c)), max(hi, int64(g.c))
	}
	w := signedWidth(lo, hi)
	b := make([]aig.Lit, w)
	for i := range b {
		var on []aig.Lit
		for _, g := range gs {
			if g.c>>i&1 == 1 {
				on = append(on, g.on)
			}
		}
		b[i] = ev.g.OrAll(on...)
	}
	v := intValue(b, lo, hi)
	v.fail = fail
	return v
}

// sameScalar is the condition under which two values of kind kSym or kMixed
// are equal.
func (ev *evaluator) sameScalar(a, b value) aig.Lit {
	at := make(map[cst]aig.Lit, len(b.guards))
	for _, g := range b.guards {
		at[g.c] = g.on
	}
	var same []aig.Lit
	for _, g := range a.guards {
		if on, ok := at[g.c]; ok {
			same = append(same, ev.g.And(g.on, on))
		}
	}
	return ev.g.OrAll(same...)
}

// convert gives a value the kind that its context has (kSym and kInt widen to
// kMixed).
func (ev *evaluator) convert(v value, k kind, pos Pos) value {
	if k == kMixed && v.kind == kInt {
		return ev.guarded(v, pos)
	}
	if k == kMixed {
		v.kind = kMixed
	}
	return v
}

// choice selects among values by conditions that exclude each other; where none
// holds the result means nothing. The values' failures are not looked at.
func (ev *evaluator) choice(sel []aig.Lit, vals []value) value {
	out := vals[0]
	out.fail = aig.False
	switch {
	case len(vals) == 1:
	case out.kind == kSym || out.kind == kMixed:
		out.guards = ev.choiceGuards(sel, vals)
	default:
		for i := range vals {
			if vals[i].kind == kInt {
				out.lo, out.hi = min(out.lo, vals[i].lo), max(out.hi, vals[i].hi)
			}
		}
		w := len(out.bits)
		if out.kind == kInt {
			w = signedWidth(out.lo, out.hi)
		}
		wide := make([][]aig.Lit, len(vals))
		for i := range vals {
			wide[i] = signExtend(vals[i].bits, w)
		}
		out.bits = ev.choiceBits(sel, wide)
	}
	return out
}

func (ev *evaluator) choiceBits(sel []aig.Lit, vals [][]aig.Lit) []aig.Lit {
	out := make([]aig.Lit, len(vals[0]))
	parts := make([]aig.Lit, len(vals))
	for b := range out {
		same := true
		for i := range vals {
			same = same && vals[i][b] == vals[0][b]
			parts[i] = ev.g.And(sel[i], vals[i][b])
		}
		if out[b] = vals[0][b]; !same {
			out[b] = ev.g.OrAll(parts...)
		}
	}
	return out
}

func (ev *evaluator) choiceGuards(sel []aig.Lit, vals []value) []guard {
	on := map[cst][]aig.Lit{}
	var order []cst
	for i, v := range vals {
		for _, g := range v.guards {
			l := ev.g.And(sel[i], g.on)
			if l == aig.False {
				continue
			}
			if _, ok := on[g.c]; !ok {
				order = append(order, g.c)
			}
			on[g.c] = append(on[g.c], l)
		}
	}
	out := make([]guard, len(order))
	for i, c := range order {
		out[i] = guard{c, ev.g.OrAll(on[c]...)}
	}
	return out
}
