package certify

import (
	"context"
	"math/rand/v2"
	"testing"
)

// Small questions of the tests of this package are asked in parts, too.
func init() { partsFrom = 30 }

// TestParts asks random questions, of islands of clauses with a few bridges between
// them, in parts and as a whole.
func TestParts(t *testing.T) {
	var answers [2]int
	parted := 0
	for seed := range uint64(4000) {
		r := rand.New(rand.NewPCG(seed, 12))
		c := &cnf{vars: 1}
		var all []lit
		var cubes [][]lit
		for range 1 + r.IntN(12) {
			island := []lit{c.fresh(), c.fresh(), c.fresh()}
			if len(all) > 0 && r.IntN(4) == 0 {
				island = append(island, all[r.IntN(len(all))])
			}
			literal := func() lit {
				l := island[r.IntN(len(island))]
				if r.IntN(2) == 0 {
					return -l
				}
				return l
			}
			for range r.IntN(6) {
				switch r.IntN(5) {
				case 0:
					island = append(island, c.mux(literal(), literal(), literal()))
				case 1:
					f, start := c.fresh(), len(c.flat)
					sel, value := literal(), literal()
					c.add(sel, -f, value)
					c.add(sel, f, -value)
					c.define(f, start)
					island = append(island, f)
				default:
					island = append(island, c.and(literal(), literal()))
				}
				if last := island[len(island)-1]; last == yes || last == no {
					island = island[:len(island)-1]
				}
			}
			for range r.IntN(6) {
				c.add(literal(), literal(), literal())
			}
			for range r.IntN(4) {
				if cube, never := normal([]lit{literal(), literal(), literal()}); !never {
					cubes = append(cubes, cube)
				}
			}
			all = append(all, island...)
		}
		if c.empty || len(cubes) == 0 {
			continue
		}
		want, _ := gophersat(c, cubes)
		q := query{c: c, kind: Gini, cubes: cubes}
		got, err := q.possible(context.Background())
		if err != nil || got != want {
			t.Fatalf("seed %d: %v, %v, want %v", seed, got, err, want)
		}
		if len(q.left) < len(cubes) {
			parted++
		}
		if got {
			answers[1]++
		} else {
			answers[0]++
		}
	}
	if parted < 300 || answers[0] < 100 || answers[1] < 300 {
		t.Errorf("answers %v, %d questions had cubes that a part settles", answers, parted)
	}
}
