package suggest

import "slices"

// mineInvariant: small clauses of the proof of the properties, as implications between
// bits of registers.
func mineInvariant(g *group, propose func(given []*term, then *term)) {
	for _, c := range g.clauses {
		at := slices.IndexFunc(c, func(t *term) bool { return speaksOf(t, g.r) })
		if at < 0 {
			continue
		}
		var given []*term
		for i, t := range c {
			if i != at {
				given = append(given, negate(t))
			}
		}
		propose(given, c[at])
	}
}

func negate(t *term) *term {
	if t.op == opUnless {
		return t.args[0]
	}
	return apply(opUnless, t)
}
