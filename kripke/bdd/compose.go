package bdd

import (
	"errors"
	"fmt"
	"slices"
)

// Composition is a relational product of two relations over interleaved
// variables, done in one pass and without variables of its own.
//
// The variables come in groups of `tracks`: group i holds the i-th bit of each
// of the `tracks` vectors. Each operand reads a track as one of the vectors of
// the result or as a quantified vector, so a vector may stand on one track in
// an operand and on another in the result. With 2 tracks this is KGG99's
// compose and compose_odd on 2n variables, with 3 tracks CK02's (3:0)- and
// (3:2)-compose on 3n variables.
type Composition struct {
	id     uint32
	tracks int
	fIndex [][]uint8 // for each valuation of the result's group bits and each of the quantified bits: which cofactor of f
	gIndex [][]uint8
}

// NewComposition prepares ∃(f ∧ g). The slices name the vector on each track:
// result[t] names what track t of the result means, and f[t] and g[t] what
// track t of the operands means; "" is a track that the operand does not use.
// Names that are not in the result are quantified. For example
//
//	NewComposition([]string{"w", "v"}, []string{"w", "u"}, []string{"u", "v"})
//
// is ∃u (f(w, u) ∧ g(u, v)). An operand that depends on a track it declares
// unused is treated as if the variables on it were 0.
func (m *Manager) NewComposition(result, f, g []string) (*Composition, error) {
	tracks := len(result)
	if tracks == 0 || tracks > 4 || len(f) != tracks || len(g) != tracks {
		return nil, errors.New("bdd: a composition needs 1 to 4 tracks, the same number in both operands and the result")
	}
	if m.vars%tracks != 0 {
		return nil, fmt.Errorf("bdd: %d variables do not form groups of %d", m.vars, tracks)
	}
	var quantified []string
	for _, name := range append(slices.Clone(f), g...) {
		if name != "" && !slices.Contains(result, name) && !slices.Contains(quantified, name) {
			quantified = append(quantified, name)
		}
	}
	m.ids++
	c := &Composition{id: m.ids, tracks: tracks}
	cofactor := func(names []string, r, q int) uint8 {
		index := 0
		for t, name := range names {
			bit := 0
			if i := slices.Index(result, name); name != "" && i >= 0 {
				bit = r >> i & 1
			} else if i := slices.Index(quantified, name); name != "" && i >= 0 {
				bit = q >> i & 1
			}
			index |= bit << t
		}
		return uint8(index)
	}
	for r := range 1 << tracks {
		var fi, gi []uint8
		for q := range 1 << len(quantified) {
			a, b := cofactor(f, r, q), cofactor(g, r, q)
			if !slices.Contains(pairs(fi, gi), [2]uint8{a, b}) {
				fi, gi = append(fi, a), append(gi, b)
			}
		}
		c.fIndex, c.gIndex = append(c.fIndex, fi), append(c.gIndex, gi)
	}
	return c, nil
}

func pairs(a, b []uint8) (out [][2]uint8) {
	for i := range a {
		out = append(out, [2]uint8{a[i], b[i]})
	}
	return out
}

// Compose applies a composition.
func (m *Manager) Compose(c *Composition, f, g Ref) Ref {
	if f == False || g == False {
		return False
	}
	if f == True && g == True {
		return True
	}
	if r, ok := m.lookup(opCompose, uint32(f), uint32(g), c.id); ok {
		return r
	}
	if m.err != nil {
		return False
	}
	first := min(m.level(f), m.level(g)) / uint32(c.tracks) * uint32(c.tracks)
	var fs, gs, rs [16]Ref
	m.cofactors(f, first, c.tracks, &fs)
	m.cofactors(g, first, c.tracks, &gs)
	for r := range 1 << c.tracks {
		acc := False
		for i, fi := range c.fIndex[r] {
			if acc = m.Or(acc, m.Compose(c, fs[fi], gs[c.gIndex[r][i]])); acc == True {
				break
			}
		}
		rs[r] = acc
	}
	// rs is indexed by the bits of the group, track 0 lowest: join the last
	// track first.
	for t := c.tracks - 1; t >= 0; t-- {
		for r := range 1 << t {
			rs[r] = m.mk(first+uint32(t), rs[r], rs[r|1<<t])
		}
	}
	m.store(opCompose, uint32(f), uint32(g), c.id, rs[0])
	return rs[0]
}

// cofactors fills out with f's cofactors for the valuations of a group of
// levels; bit t of the index is the value on track t.
func (m *Manager) cofactors(f Ref, first uint32, tracks int, out *[16]Ref) {
	out[0] = f
	for t := range tracks {
		for i := range 1 << t {
			low, high := m.at(out[i], first+uint32(t))
			out[i], out[i|1<<t] = low, high
		}
	}
}
