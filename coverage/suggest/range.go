package suggest

import "slices"

// mineRange: the largest and the least value of the register, and values between them
// that it never has.
func mineRange(g *group, propose func(given []*term, then *term)) {
	n := g.r.Width()
	if n < 2 {
		return
	}
	column := g.column(g.r)
	if len(column) == 0 {
		return
	}
	low, high := slices.Min(column), slices.Max(column)
	if high < mask(n) {
		propose(nil, apply(opLe, now(g.r), number(high, n)))
	}
	if low > 0 {
		propose(nil, apply(opLe, number(low, n), now(g.r)))
	}
	const mostMissing = 4
	if n > widestNumbered {
		return
	}
	seen := map[uint64]bool{}
	for _, v := range column {
		seen[v] = true
	}
	var missing []uint64
	for v := low; v <= high; v++ {
		if !seen[v] {
			missing = append(missing, v)
		}
	}
	if len(missing) <= mostMissing {
		for _, v := range missing {
			propose(nil, apply(opNe, now(g.r), number(v, n)))
		}
	}
}
