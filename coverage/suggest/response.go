package suggest

// mineResponse: a signal that was 1 is followed by another within some steps. One step
// alone is a matter of the next value.
func mineResponse(g *group, propose func(given []*term, then *term)) {
	for _, b := range g.bits {
		if b.Input || !g.concerns(b) {
			continue
		}
		for _, a := range g.bits {
			if a == b {
				continue
			}
			for n := 2; n <= maxHistory; n++ {
				answer := apply(opEither, now(b))
				for i := 1; i < n; i++ {
					answer.args = append(answer.args, before(b, i))
				}
				asked := g.ago(g.atom(now(a)), n)
				found := false
				g.when(answer, []atom{asked}, 1, func(given []*term, then *term) {
					found = true
					if len(given) > 0 && given[len(given)-1] == asked.t {
						propose(given, then)
					}
				})
				if found {
					break
				}
			}
		}
	}
}
