package suggest

// mineStable: the register stays as it is under a condition of the step before: unless
// something is asked of it.
func mineStable(g *group, propose func(given []*term, then *term)) {
	g.when(apply(opEq, now(g.r), before(g.r, 1)), g.before, 3, propose)
}
