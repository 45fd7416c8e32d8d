package suggest

// mineEncoding: one-hot, or zero or one-hot.
func mineEncoding(g *group, propose func(given []*term, then *term)) {
	n := g.r.Width()
	if n < 2 {
		return
	}
	w := now(g.r)
	zero := number(0, n)
	most := apply(opEq, apply(opAnd, w, apply(opSub, w, number(1, n))), zero) // at most one bit
	g.when(most, nil, 0, propose)
	g.when(apply(opBoth, apply(opNe, w, zero), most), nil, 0, propose)
}
