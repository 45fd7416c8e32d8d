package suggest

// mineExclusion: two signals that are never 1 at once. One of them is the register, or
// is computed from it, so that the assertion is about it.
func mineExclusion(g *group, propose func(given []*term, then *term)) {
	for _, a := range g.bits {
		for _, b := range g.bits {
			if a == b {
				break
			}
			if g.concerns(a) || g.concerns(b) {
				g.when(apply(opUnless, apply(opBoth, now(a), now(b))), nil, 0, propose)
			}
		}
	}
}

// mineImplication: a value of the register, or of what is computed from it, under one or
// two conditions of the same step.
func mineImplication(g *group, propose func(given []*term, then *term)) {
	for _, w := range g.words[:min(len(g.words), 12)] {
		if w.Input || !g.concerns(w) {
			continue
		}
		var thens []*term
		if w.Width() == 1 {
			thens = append(thens, now(w), apply(opUnless, now(w)))
		} else if w.Width() <= widestNumbered {
			for _, v := range append([]uint64{0}, g.named(w)...) {
				thens = append(thens, apply(opEq, now(w), number(v, w.Width())), apply(opNe, now(w), number(v, w.Width())))
			}
			for i := range w.Width() {
				thens = append(thens, slice(now(w), i, i), apply(opUnless, slice(now(w), i, i)))
			}
		}
		var atoms []atom
		for _, a := range g.now {
			if !speaksOf(a.t, w) {
				atoms = append(atoms, a)
			}
		}
		for _, t := range thens {
			g.when(t, atoms, 2, propose)
		}
	}
}

// concerns tells whether a word is the register, or is computed from it.
func (g *group) concerns(w *Word) bool {
	return w == g.r || g.near.reads[w][g.r] > 0
}

func speaksOf(t *term, w *Word) bool {
	found := false
	t.leaves(func(x *Word, _ int) { found = found || x == w })
	return found
}
