package liveness

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"netcov/aiger/randaig"
)

// TestLayout: what a translation adds stands where the layout says.
func TestLayout(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 8))
	copies := 0
	for range 500 {
		f := randaig.New(r, randaig.Everything())
		for j := range f.Justice {
			rounds := r.IntN(3)
			g, err := Safety(f, j, rounds)
			if err != nil {
				t.Fatal(err)
			}
			l := LayoutOf(f, j, rounds)
			is := func(at int, name string) {
				t.Helper()
				if g.Symbols.Latches[at] != name {
					t.Fatalf("latch %d is %s, not %s", at, g.Symbols.Latches[at], name)
				}
			}
			is(l.Started, startedName)
			is(l.Saved, savedName)
			for k, at := range l.Seen {
				is(at, fmt.Sprint(seenName, k))
			}
			for i, at := range l.Copies {
				is(at, fmt.Sprint(copyName, i))
				copies++
			}
			if g.Symbols.Inputs[l.Save] != saveName || l.Latches+l.Added != len(g.Latches) {
				t.Fatalf("%+v is not the layout of a translation with %d latches", l, len(g.Latches))
			}
		}
	}
	if copies == 0 {
		t.Error("nothing was copied")
	}
}
