package coverage

import (
	"netcov/aiger"
	"netcov/aiger/explicit"
	"netcov/aiger/sim"
	"netcov/mutant"
)

// truth decides one mutant by enumeration.
func truth(f *aiger.File, property int, t mutant.Target, fault mutant.Fault, place mutant.Mux) mutant.Verdict {
	sf := sim.Fault{Kind: fault, Mux: place}
	if !t.Gate {
		sf.Var = f.Latches[t.Index].Lit >> 1
	} else {
		for i, a := range f.Ands {
			if f.AndPosition(i) == t.Index {
				sf.Var = a.Lhs >> 1
			}
		}
	}
	covered, err := explicit.Covered(f, property, sf)
	if err != nil {
		panic(err)
	}
	if covered {
		return mutant.Covered
	}
	return mutant.NotCovered
}
