package smv

import (
	"math/bits"

	"netcov/aig"
)

// arith builds bit-vector arithmetic on the graph. Vectors are little-endian.
type arith struct{ g *aig.Graph }

func constBits(value uint64, width int) []aig.Lit {
	out := make([]aig.Lit, width)
	for i := range out {
		if i < 64 && value>>i&1 == 1 {
			out[i] = aig.True
		}
	}
	return out
}

// signExtend widens or cuts a two's complement number.
func signExtend(a []aig.Lit, width int) []aig.Lit {
	if width <= len(a) {
		return a[:width]
	}
	out := append(make([]aig.Lit, 0, width), a...)
	for len(out) < width {
		out = append(out, a[len(a)-1])
	}
	return out
}

// zeroExtend widens or cuts an unsigned number.
func zeroExtend(a []aig.Lit, width int) []aig.Lit {
	if width <= len(a) {
		return a[:width]
	}
	return append(append(make([]aig.Lit, 0, width), a...), make([]aig.Lit, width-len(a))...)
}

func not(a []aig.Lit) []aig.Lit {
	out := make([]aig.Lit, len(a))
	for i := range a {
		out[i] = a[i].Not()
	}
	return out
}

// bitwise applies f bit by bit.
func bitwise(f func(a, b aig.Lit) aig.Lit, a, b []aig.Lit) []aig.Lit {
	out := make([]aig.Lit, len(a))
	for i := range a {
		out[i] = f(a[i], b[i])
	}
	return out
}

// add returns a + b + carry, of the operands' width, and the carry out.
func (x arith) add(a, b []aig.Lit, carry aig.Lit) ([]aig.Lit, aig.Lit) {
	out := make([]aig.Lit, len(a))
	for i := range a {
		half := x.g.Xor(a[i], b[i])
		out[i] = x.g.Xor(half, carry)
		carry = x.g.Or(x.g.And(a[i], b[i]), x.g.And(half, carry))
	}
	return out, carry
}

func (x arith) sub(a, b []aig.Lit) []aig.Lit {
	d, _ := x.add(a, not(b), aig.True)
	return d
}

func (x arith) neg(a []aig.Lit) []aig.Lit {
	return x.sub(make([]aig.Lit, len(a)), a)
}

// mul returns the product modulo 2 to the width.
func (x arith) mul(a, b []aig.Lit) []aig.Lit {
	w := len(a)
	sum := make([]aig.Lit, w)
	for i := range b {
		if b[i] == aig.False {
			continue
		}
		part := make([]aig.Lit, w)
		for j := 0; i+j < w; j++ {
			part[i+j] = x.g.And(a[j], b[i])
		}
		sum, _ = x.add(sum, part, aig.False)
	}
	return sum
}

func (x arith) eq(a, b []aig.Lit) aig.Lit {
	same := make([]aig.Lit, len(a))
	for i := range a {
		same[i] = x.g.Xor(a[i], b[i]).Not()
	}
	return x.g.AndAll(same...)
}

func (x arith) ult(a, b []aig.Lit) aig.Lit {
	_, carry := x.add(a, not(b), aig.True)
	return carry.Not()
}

// slt compares two's complement numbers: unsigned, with the sign bits swapped.
func (x arith) slt(a, b []aig.Lit) aig.Lit {
	n := len(a) - 1
	a, b = append([]aig.Lit(nil), a...), append([]aig.Lit(nil), b...)
	a[n], b[n] = b[n], a[n]
	return x.ult(a, b)
}

func (x arith) mux(sel aig.Lit, t, e []aig.Lit) []aig.Lit {
	return bitwise(func(a, b aig.Lit) aig.Lit { return x.g.Mux(sel, a, b) }, t, e)
}

// udivrem is the restoring division of unsigned numbers of one width.
func (x arith) udivrem(a, b []aig.Lit) (quot, rem []aig.Lit) {
	w := len(a)
	quot, rem = make([]aig.Lit, w), make([]aig.Lit, w+1)
	wide := zeroExtend(b, w+1)
	for i := w - 1; i >= 0; i-- {
		rem = append([]aig.Lit{a[i]}, rem[:w]...)
		d, fits := x.add(rem, not(wide), aig.True)
		quot[i] = fits
		rem = x.mux(fits, d, rem)
	}
	return quot, rem[:w]
}

// sdivrem divides two's complement numbers, towards zero.
func (x arith) sdivrem(a, b []aig.Lit) (quot, rem []aig.Lit) {
	sa, sb := a[len(a)-1], b[len(b)-1]
	quot, rem = x.udivrem(x.mux(sa, x.neg(a), a), x.mux(sb, x.neg(b), b))
	return x.mux(x.g.Xor(sa, sb), x.neg(quot), quot), x.mux(sa, x.neg(rem), rem)
}

// shift moves a by an unsigned amount, left or right, and fills with a bit.
func (x arith) shift(a, amount []aig.Lit, left bool, fill aig.Lit) []aig.Lit {
	w := len(a)
	for k, s := range amount {
		if s == aig.False {
			continue
		}
		by := w
		if k < bits.Len(uint(w)) {
			by = min(w, 1<<k)
		}
		moved := make([]aig.Lit, w)
		for i := range moved {
			from := i + by
			if left {
				from = i - by
			}
			if moved[i] = fill; from >= 0 && from < w {
				moved[i] = a[from]
			}
		}
		a = x.mux(s, moved, a)
	}
	return a
}

// sum counts the literals that hold, as an unsigned number.
func (x arith) sum(lits []aig.Lit) []aig.Lit {
	if len(lits) == 1 {
		return lits
	}
	a, b := x.sum(lits[:len(lits)/2]), x.sum(lits[len(lits)/2:])
	w := max(len(a), len(b))
	s, carry := x.add(zeroExtend(a, w), zeroExtend(b, w), aig.False)
	return append(s, carry)
}
