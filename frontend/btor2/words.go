// Words of literals, and the circuits of the operators.

package btor2

import (
	"netcov/aig"
)

// word is a bit-vector, least significant bit first.
type word []aig.Lit

const falseBit = aig.False

// sign returns the most significant bit.
func (w word) sign() aig.Lit { return w[len(w)-1] }

func invert(a word) word {
	r := make(word, len(a))
	for i, l := range a {
		r[i] = l ^ 1
	}
	return r
}

func reverse(a word) word {
	r := make(word, len(a))
	for i, l := range a {
		r[len(a)-1-i] = l
	}
	return r
}

func concat(low, high word) word {
	return append(append(make(word, 0, len(low)+len(high)), low...), high...)
}

func extend(a word, n int, with aig.Lit) word {
	r := append(make(word, 0, len(a)+n), a...)
	for range n {
		r = append(r, with)
	}
	return r
}

func zero(width int) word { return make(word, width) }

// number returns the constant n, which must fit in the width.
func number(width, n int) word {
	r := zero(width)
	for i := range r {
		r[i] = aig.Lit(n & 1)
		n >>= 1
	}
	return r
}

// blaster builds circuits in a graph.
type blaster struct{ g *aig.Graph }

func (b *blaster) bitwise(f func(x, y aig.Lit) aig.Lit, a []word) word {
	r := make(word, len(a[0]))
	for i := range r {
		r[i] = f(a[0][i], a[1][i])
	}
	return r
}

func (b *blaster) andAll(a word) aig.Lit { return b.g.AndAll(a...) }

func (b *blaster) orAll(a word) aig.Lit { return b.g.OrAll(a...) }

func (b *blaster) xorAll(a word) aig.Lit {
	r := falseBit
	for _, l := range a {
		r = b.g.Xor(r, l)
	}
	return r
}

func (b *blaster) mux(sel aig.Lit, t, e word) word {
	r := make(word, len(t))
	for i := range r {
		r[i] = b.g.Mux(sel, t[i], e[i])
	}
	return r
}

func (b *blaster) eq(x, y word) aig.Lit {
	return b.orAll(b.bitwise(b.g.Xor, []word{x, y})) ^ 1
}

// carryAdd returns x + y + c and the carry out.
func (b *blaster) carryAdd(x, y word, c aig.Lit) (word, aig.Lit) {
	r := make(word, len(x))
	for i := range r {
		half := b.g.Xor(x[i], y[i])
		r[i] = b.g.Xor(half, c)
		c = b.g.Or(b.g.And(x[i], y[i]), b.g.And(half, c))
	}
	return r, c
}

func (b *blaster) add(x, y word) word {
	r, _ := b.carryAdd(x, y, aig.False)
	return r
}

func (b *blaster) sub(x, y word) word {
	r, _ := b.carryAdd(x, invert(y), aig.True)
	return r
}

func (b *blaster) inc(x word) word {
	r, _ := b.carryAdd(x, zero(len(x)), aig.True)
	return r
}

func (b *blaster) neg(x word) word { return b.inc(invert(x)) }

// ult computes the carry of y - x - 1 only: it is 1 iff x < y.
func (b *blaster) ult(x, y word) aig.Lit {
	less := falseBit
	for i := range x {
		differ := b.g.Xor(x[i], y[i])
		less = b.g.Mux(differ, y[i], less)
	}
	return less
}

func (b *blaster) slt(x, y word) aig.Lit {
	return b.ult(flipSign(x), flipSign(y))
}

func flipSign(x word) word {
	r := append(word(nil), x...)
	r[len(r)-1] ^= 1
	return r
}

// shiftRight shifts by y bits, of which those of weight below the width select
// stages; any other bit that is set shifts everything out.
func (b *blaster) shiftRight(x, y word, fill aig.Lit) word {
	k := 0
	for ; k < len(y) && 1<<k < len(x); k++ {
		x = b.mux(y[k], shifted(x, 1<<k, fill), x)
	}
	return b.mux(b.orAll(y[k:]), extend(nil, len(x), fill), x)
}

func shifted(x word, by int, fill aig.Lit) word {
	return extend(x[by:], by, fill)
}

func (b *blaster) shiftLeft(x, y word) word {
	return reverse(b.shiftRight(reverse(x), y, falseBit))
}

// rotateLeft rotates by y modulo the width.
func (b *blaster) rotateLeft(x, y word) word {
	n := len(x)
	if n == 1 {
		return x
	}
	if n&(n-1) != 0 {
		_, y = b.divide(y, number(n, n))
	}
	for k := 0; k < len(y) && 1<<k < n; k++ {
		x = b.mux(y[k], concat(x[n-1<<k:], x[:n-1<<k]), x)
	}
	return x
}

func (b *blaster) mul(x, y word) word {
	n := len(x)
	r := zero(n)
	for i := range y {
		if y[i] == aig.False {
			continue
		}
		part := make(word, n-i)
		for j := range part {
			part[j] = b.g.And(x[j], y[i])
		}
		r = concat(r[:i], b.add(r[i:], part))
	}
	return r
}

// divide is restoring division. For y = 0 every subtraction succeeds, which
// gives the quotient and remainder that SMT-LIB asks for.
func (b *blaster) divide(x, y word) (quotient, remainder word) {
	n := len(x)
	quotient = zero(n)
	remainder = zero(n)
	wide := extend(y, 1, falseBit)
	for i := n - 1; i >= 0; i-- {
		partial := concat(word{x[i]}, remainder)
		diff, noBorrow := b.carryAdd(partial, invert(wide), aig.True)
		quotient[i] = noBorrow
		remainder = b.mux(noBorrow, diff[:n], partial[:n])
	}
	return quotient, remainder
}

func (b *blaster) negIf(cond aig.Lit, x word) word { return b.mux(cond, b.neg(x), x) }

func (b *blaster) abs(x word) word { return b.negIf(x.sign(), x) }

func (b *blaster) sdiv(x, y word) word {
	q, _ := b.divide(b.abs(x), b.abs(y))
	return b.negIf(b.g.Xor(x.sign(), y.sign()), q)
}

// srem has the sign of the dividend.
func (b *blaster) srem(x, y word) word {
	_, r := b.divide(b.abs(x), b.abs(y))
	return b.negIf(x.sign(), r)
}

// smod has the sign of the divisor: srem plus the divisor where the signs
// differ and the remainder is not 0.
func (b *blaster) smod(x, y word) word {
	r := b.srem(x, y)
	fix := b.g.And(b.orAll(r), b.g.Xor(x.sign(), y.sign()))
	return b.mux(fix, b.add(r, y), r)
}

func (b *blaster) uaddo(x, y word) aig.Lit {
	_, c := b.carryAdd(x, y, aig.False)
	return c
}

// signedOverflow reports whether operands of equal sign gave the other sign.
func (b *blaster) signedOverflow(x, y, sum aig.Lit) aig.Lit {
	return b.g.And(b.g.Xor(x, y)^1, b.g.Xor(x, sum))
}

func (b *blaster) saddo(x, y word) aig.Lit {
	return b.signedOverflow(x.sign(), y.sign(), b.add(x, y).sign())
}

func (b *blaster) ssubo(x, y word) aig.Lit {
	return b.signedOverflow(x.sign(), y.sign()^1, b.sub(x, y).sign())
}

func (b *blaster) umulo(x, y word) aig.Lit {
	n := len(x)
	return b.orAll(b.mul(extend(x, n, falseBit), extend(y, n, falseBit))[n:])
}

func (b *blaster) smulo(x, y word) aig.Lit {
	n := len(x)
	p := b.mul(extend(x, n, x.sign()), extend(y, n, y.sign()))
	top := p[n-1:]
	return b.g.And(b.andAll(top)^1, b.orAll(top))
}

// sdivo: only the smallest number divided by -1 overflows.
func (b *blaster) sdivo(x, y word) aig.Lit {
	return b.g.And(b.andAll(y), b.g.And(x.sign(), b.orAll(x[:len(x)-1])^1))
}
