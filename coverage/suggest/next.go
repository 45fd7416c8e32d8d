package suggest

import "math"

// mineNext: what the register becomes under a condition of the step before.
func mineNext(g *group, propose func(given []*term, then *term)) {
	n := g.r.Width()
	for _, next := range g.nextValues() {
		if t := apply(opEq, now(g.r), next); n == 1 || g.explains(t) {
			g.when(t, g.before, 3, propose)
		}
	}
	if n == 1 {
		g.both(propose)
	}
	if n > 1 {
		g.when(apply(opNe, now(g.r), number(0, n)), g.before, 3, propose)
		for i := 0; n <= widestNumbered && i < n; i++ {
			g.when(slice(now(g.r), i, i), g.before, 2, propose)
			g.when(apply(opUnless, slice(now(g.r), i, i)), g.before, 2, propose)
		}
		// Bits that only another word lets through, as grants follow requests.
		for _, w := range g.words[1:] {
			if w.Width() == n {
				g.when(apply(opEq, apply(opAnd, now(g.r), apply(opNot, before(w, 1))), number(0, n)), g.before, 1, propose)
			}
		}
	}
	// A narrower word may be loaded into a part of the register.
	for _, w := range g.words[1:] {
		if n := w.Width(); n < g.r.Width() && n > 1 {
			g.when(apply(opEq, slice(now(g.r), n-1, 0), before(w, 1)), g.before, 3, propose)
		}
	}
}

// both proposes that a register of one bit becomes 1 where two conditions are met, or one
// of two.
func (g *group) both(propose func(given []*term, then *term)) {
	simple := g.before[:min(len(g.before), 32)]
	for i, a := range simple {
		for _, b := range simple[:i] {
			if a.t.op == opUnless && b.t.op == opUnless || only(a.t) == only(b.t) {
				continue
			}
			g.when(apply(opEq, now(g.r), apply(opBoth, b.t, a.t)), nil, 0, propose)
			g.when(apply(opEq, now(g.r), apply(opEither, b.t, a.t)), nil, 0, propose)
		}
	}
}

// explains tells whether a next value is right often enough where the register changes: a
// word of n bits is right by chance in one of 2^n changes.
func (g *group) explains(t *term) bool {
	const least = 0.1
	right := g.where(t).and(g.changed).count()
	return right >= leastSupport && float64(right) >= float64(g.changed.count())*min(least, 2/math.Pow(2, float64(g.r.Width())))
}

// nextValues lists what the next value may be: a number, another word, the last value
// and one more or less, or moved by a place; the sum or difference of words.
func (g *group) nextValues() []*term {
	n := g.r.Width()
	var out []*term
	last := before(g.r, 1)
	for _, v := range append([]uint64{0}, g.named(g.r)...) {
		out = append(out, number(v, n))
	}
	var same, narrow []*Word
	for _, w := range g.words[1:] {
		switch {
		case w.Width() == n:
			same = append(same, w)
		case w.Width() < n:
			narrow = append(narrow, w)
		}
	}
	for _, w := range same {
		out = append(out, before(w, 1))
		if n == 1 {
			out = append(out, apply(opNot, before(w, 1)))
		}
	}
	if n == 1 {
		for _, w := range g.words[1:min(len(g.words), 16)] {
			for i := 0; w.Width() > 1 && w.Width() <= widestNumbered && i < w.Width(); i++ {
				out = append(out, slice(before(w, 1), i, i))
			}
		}
		out = append(out, apply(opNot, last))
		for _, a := range g.before {
			if a.t.op != opWord && a.t.op != opSlice && !(a.t.op == opUnless) {
				out = append(out, a.t)
			}
		}
		return out
	}
	one := number(1, n)
	out = append(out, apply(opAdd, last, one), apply(opSub, last, one), apply(opNot, last))
	for _, w := range same {
		x := before(w, 1)
		out = append(out, apply(opAdd, x, one), apply(opSub, x, one), apply(opAdd, last, x), apply(opSub, last, x))
	}
	for _, w := range narrow {
		x := before(w, 1)
		out = append(out, apply(opAdd, last, x), apply(opSub, last, x))
	}
	if n <= widestTaken-1 {
		ends := []*term{number(0, 1), number(1, 1)}
		for _, w := range g.bits {
			ends = append(ends, before(w, 1))
		}
		ends = append(ends, slice(last, 0, 0), slice(last, n-1, n-1))
		for _, e := range ends {
			out = append(out, apply(opConcat, e, slice(last, n-1, 1)), apply(opConcat, slice(last, n-2, 0), e))
		}
	}
	for i, w := range same[:min(len(same), 8)] {
		for _, v := range same[:i] {
			x, y := before(w, 1), before(v, 1)
			out = append(out, apply(opAdd, x, y), apply(opSub, x, y), apply(opSub, y, x), apply(opAnd, x, y), apply(opOr, x, y), apply(opXor, x, y))
		}
	}
	// Two signals of one bit that count up and down.
	for i, a := range g.bits[:min(len(g.bits), 8)] {
		for k, b := range g.bits[:min(len(g.bits), 8)] {
			if i != k && n > 1 {
				out = append(out, apply(opSub, apply(opAdd, last, before(a, 1)), before(b, 1)))
			}
		}
	}
	return out
}
