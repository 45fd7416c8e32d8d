package suggest

// mineRelation: two words are equal, ordered, or have a constant sum or difference;
// the difference or sum of two is the third, as of the pointers and the count of a
// FIFO.
func mineRelation(g *group, propose func(given []*term, then *term)) {
	if g.r.Width() < 2 {
		return
	}
	var words []*Word
	for _, w := range g.words[1:] {
		if w.Width() > 1 {
			words = append(words, w)
		}
	}
	words = words[:min(len(words), 10)]
	r := now(g.r)
	always := func(t *term) { g.when(t, nil, 0, propose) }
	for _, w := range words {
		x := now(w)
		always(apply(opEq, r, x))
		if w.Width() == g.r.Width() {
			always(apply(opEq, r, apply(opNot, x)))
			g.when(apply(opEq, r, x), g.now, 1, propose)
			g.constant(apply(opSub, r, x), propose)
		}
		always(apply(opLe, r, x))
		always(apply(opLe, x, r))
		g.constant(apply(opAdd, r, x), propose)
	}
	for i, w := range words {
		for _, v := range words[:i] {
			if w.Width() != g.r.Width() || v.Width() != g.r.Width() {
				continue
			}
			x, y := now(w), now(v)
			always(apply(opEq, r, apply(opSub, x, y)))
			always(apply(opEq, r, apply(opSub, y, x)))
			always(apply(opEq, r, apply(opAdd, x, y)))
		}
	}
}

// constant proposes that a sum or difference has the value of the first sample.
func (g *group) constant(t *term, propose func(given []*term, then *term)) {
	if g.s.size == 0 {
		return
	}
	n := t.self()
	v := t.eval(n, func(w *Word, _ int) uint64 { return g.column(w)[0] })
	if v != 0 || t.op == opAdd {
		g.when(apply(opEq, t, number(v, n)), nil, 0, propose)
	}
}
