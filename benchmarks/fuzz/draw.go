package main

import (
	"math/rand/v2"

	"netcov/aiger/randaig"
	"netcov/coverage"
	"netcov/mutant"
)

func randomShape(r *rand.Rand) randaig.Shape {
	s := randaig.Everything()
	s.Ands = 4 + r.IntN(24)
	s.Latches = 1 + r.IntN(6)
	s.Inputs = r.IntN(4)
	s.Constraints = r.IntN(3)
	return s
}

func randomOptions(r *rand.Rand) coverage.Options {
	opt := coverage.Options{
		Engine: coverage.Engines[r.IntN(3)],
		Mux:    mutant.Mux(r.IntN(2)),
		Seed:   r.Uint64(),
		Jobs:   1 + r.IntN(2),

		Paranoid: r.IntN(4) == 0,
	}
	switch r.IntN(3) {
	case 0:
		opt.Tests = coverage.DAC10Tests()
	case 1: // some of the tests, in any order
		for _, i := range r.Perm(len(coverage.AllTests())) {
			if r.IntN(2) == 0 {
				opt.Tests = append(opt.Tests, coverage.AllTests()[i])
			}
		}
	}
	return opt
}

// largeShape is of designs that enumeration does not manage.
func largeShape(r *rand.Rand) randaig.Shape {
	s := randomShape(r)
	s.Ands = 40 + r.IntN(160)
	s.Latches = 10 + r.IntN(30)
	s.Inputs = 2 + r.IntN(8)
	return s
}
