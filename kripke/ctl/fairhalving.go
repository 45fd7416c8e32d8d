package ctl

import (
	"context"
	"math"
	"math/rand/v2"

	"netcov/kripke/structure"
)

// Halving with fairness. The nested fixpoints of fair paths do not fit into the
// and-or graph of halving.go, so the structure does not shrink with the open
// mutations; model checking is as incomplete: a set of mutations is open, each of
// them may or may not have happened, and what is evaluated is what holds for certain.
// A literal of the flipped proposition is then false in the open cells, and a
// transition into an open cell must do there and in its twin; under a negation it is
// enough that it does in one of them. When the specification holds for certain, no
// open mutation is covered, and one model checking has told it of all of them.
//
// Groups pay where few are covered, so their size follows the share that has been
// covered so far: about as many as have none covered half of the time, and one where
// more than a tenth are.

const (
	firstAlone = 16 // cells whose share the first groups follow
	manyShare  = 0.1
)

type fairHalving struct {
	ctx     context.Context
	c       *checker
	change  mutantKind
	covered structure.Set
	decided int
	stats   HalvingStats
}

func runFairHalving(ctx context.Context, f *frame, p program, change mutantKind, seed uint64) (structure.Set, HalvingStats, error) {
	h := &fairHalving{ctx: ctx, c: newChecker(f, p), change: change, covered: structure.NewSet(f.cells)}
	h.stats.Graph = f.states * len(p)
	cells := f.candidates.List()
	h.stats.Variables = len(cells)
	rng := rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15))
	rng.Shuffle(len(cells), func(i, j int) { cells[i], cells[j] = cells[j], cells[i] })
	if !h.holdsOpen(cells) {
		for len(cells) > 0 && ctx.Err() == nil {
			n := min(h.size(), len(cells))
			h.split(cells[:n])
			cells = cells[n:]
		}
	}
	return h.covered, h.stats, ctx.Err()
}

// size is the number of cells of the next group.
func (h *fairHalving) size() int {
	share := (float64(h.covered.Count()) + 0.5) / float64(h.decided+1)
	if h.decided < firstAlone || share > manyShare {
		return 1
	}
	return int(math.Ln2 / share)
}

// split decides the mutations of some cells.
func (h *fairHalving) split(cells []int) {
	switch {
	case h.ctx.Err() != nil:
		return
	case len(cells) == 1:
		if !h.holds(h.change.at(int32(cells[0]))) {
			h.covered.Add(cells[0])
		}
		h.decided++
	case h.holdsOpen(cells):
		h.decided += len(cells)
	default:
		h.split(cells[:len(cells)/2])
		h.split(cells[len(cells)/2:])
	}
}

// holdsOpen reports whether the specification holds for certain with open cells.
func (h *fairHalving) holdsOpen(cells []int) bool {
	return h.holds(mutant{
		cell: -1, flip: h.change.flip, redirect: h.change.redirect, open: structure.SetOf(h.c.f.cells, cells...),
	})
}

func (h *fairHalving) holds(m mutant) bool {
	h.stats.Calls++
	h.stats.Work += int64(h.stats.Graph)
	return h.c.holds(m)
}
