package matrix

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestMinimumCover compares the choice and the bound with all subsets of rows, in time
// and after the end of time.
func TestMinimumCover(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 15))
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	hard, loose := 0, 0
	for range count(t, 3000) {
		n, columns := 1+r.IntN(9), r.IntN(25)
		rows := make([]set, n)
		due := newSet(columns)
		for i := range rows {
			rows[i] = newSet(columns)
			for k := range columns {
				if r.IntN(5) == 0 {
					rows[i].add(k)
				}
			}
			due.join(rows[i])
		}
		covers := func(chosen []int) bool {
			all := newSet(columns)
			for _, i := range chosen {
				all.join(rows[i])
			}
			return due.within(all)
		}
		optimum := n
		for bits := range 1 << n {
			var chosen []int
			for i := range n {
				if bits>>i&1 == 1 {
					chosen = append(chosen, i)
				}
			}
			if len(chosen) < optimum && covers(chosen) {
				optimum = len(chosen)
			}
		}
		if len(reduce(rows, due).columns) > 0 {
			hard++
		}
		chosen, least := minimumCover(context.Background(), rows, due)
		if !covers(chosen) || len(chosen) != optimum || least != optimum {
			t.Fatalf("%v: the choice %v, at least %d, the optimum %d", rows, chosen, least, optimum)
		}
		chosen, least = minimumCover(ended, rows, due)
		if !covers(chosen) || least > optimum || !slices.IsSorted(chosen) {
			t.Fatalf("%v: out of time: the choice %v, at least %d, the optimum %d", rows, chosen, least, optimum)
		}
		if least < optimum {
			loose++
		}
	}
	t.Log(hard, loose)
	if hard == 0 || loose == 0 && !testing.Short() {
		t.Error("the test says little")
	}
}
