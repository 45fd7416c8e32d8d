package ctl

import (
	"context"
	"math/rand/v2"

	"netcov/kripke/structure"
)

// HalvingStats says how much work the halving algorithm did.
type HalvingStats struct {
	Graph     int   // gates of the first graph
	Variables int   // mutations that the first graph depends on
	Calls     int64 // incomplete model checking calls
	Work      int64 // gates evaluated in all calls
}

// halving finds the covered cells by incomplete model checking with random
// halving (CKV01 section 3.2): the mutations of one half stay open while those
// of the other are fixed to "not mutated", and the graph shrinks to what is
// still undecided. When the root is decided, no open mutation is covered; when
// one mutation is open, evaluating the small graph with it decides it.
type halving struct {
	ctx     context.Context
	rng     *rand.Rand
	s       *shrinker
	levels  []*graph // one graph a recursion depth, reused
	covered structure.Set
	stats   HalvingStats
}

func runHalving(ctx context.Context, f *frame, p program, change mutantKind, seed uint64) (structure.Set, HalvingStats, error) {
	g, err := buildGraph(ctx, f, p, change)
	if err != nil {
		return nil, HalvingStats{}, err
	}
	h := &halving{
		ctx: ctx, rng: rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15)),
		s: newShrinker(p, f.cells, g.len()), covered: structure.NewSet(f.cells),
	}
	h.stats.Graph = g.len()
	h.stats.Calls++
	if h.s.evaluate(g) == unknown {
		first := h.level(0)
		h.s.shrink(g, first)
		h.stats.Variables = len(first.vars)
		h.split(first, 0)
	}
	h.stats.Work = h.s.work
	return h.covered, h.stats, ctx.Err()
}

func (h *halving) level(depth int) *graph {
	for len(h.levels) <= depth {
		h.levels = append(h.levels, &graph{})
	}
	return h.levels[depth]
}

// split decides the open mutations of a graph, g.vars.
func (h *halving) split(g *graph, depth int) {
	if h.ctx.Err() != nil {
		return
	}
	vars := g.vars
	if len(vars) == 1 {
		h.s.assign[vars[0]] = yes
		h.stats.Calls++
		if h.s.evaluate(g) == no {
			h.covered.Add(int(vars[0]))
		}
		h.s.assign[vars[0]] = unknown
		return
	}
	h.rng.Shuffle(len(vars), func(i, j int) { vars[i], vars[j] = vars[j], vars[i] })
	half := len(vars) / 2
	for _, closed := range [][]int32{vars[half:], vars[:half]} {
		for _, x := range closed {
			h.s.assign[x] = no
		}
		h.stats.Calls++
		if h.s.evaluate(g) == unknown {
			dst := h.level(depth + 1)
			h.s.shrink(g, dst)
			for _, x := range closed {
				h.s.assign[x] = unknown
			}
			h.split(dst, depth+1)
			continue
		}
		for _, x := range closed {
			h.s.assign[x] = unknown
		}
	}
}
