package liveness

import "netcov/aiger"

// Layout has the positions of what Safety adds to a design.
type Layout struct {
	Save    int         // input
	Latches int         // of the design; the added ones come after them
	Added   int         // latches
	Started int         // of latches
	Saved   int         //
	Seen    []int       // by literal
	Copies  map[int]int // by the position of what is copied
	Rounds  int
}

// LayoutOf returns the layout of a translation.
func LayoutOf(f *aiger.File, justice, rounds int) Layout {
	due := literals(f, justice)
	at := len(f.Latches)
	l := Layout{Save: len(f.Inputs), Latches: at, Started: at, Saved: at + 1, Copies: map[int]int{}, Rounds: rounds}
	at += 2
	for range due {
		l.Seen = append(l.Seen, at)
		at++
	}
	needed := cone(f, due, f.Constraints)
	for i, latch := range f.Latches {
		if needed[latch.Lit>>1] {
			l.Copies[i] = at
			at++
		}
	}
	if rounds > 0 && len(due) > 1 {
		at += len(due)
	}
	l.Added = at + rounds - l.Latches
	return l
}
