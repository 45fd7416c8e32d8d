package matrix

import (
	"slices"

	"netcov/certify"
	"netcov/certify/evidence"
	"netcov/coverage"
	"netcov/mutant"
)

// Records returns what proves the cells of safety properties, as evidence files are
// written from it. What the evidence of the set shows is left out: the property that it
// names on a covered mutant, all of a group on one that is not covered, and liveness
// properties, which have all of their verdicts there. mux is the run's place of the
// multiplexer.
func (m *Matrix) Records(set *coverage.Set, mux mutant.Mux) []evidence.Cell {
	var out []evidence.Cell
	for _, g := range set.Groups {
		own := map[Mutant]*coverage.Mutant{}
		for _, x := range g.Mutants {
			own[Mutant{x.Target, x.Fault}] = x
		}
		for _, p := range g.Properties {
			i := m.place(p)
			for _, x := range m.Mutants {
				if y := own[x]; y != nil && (y.Verdict == mutant.NotCovered || y.Verdict == mutant.Covered && y.Property == p) {
					continue
				}
				if proof := m.Proof(i, x); proof != (Proof{}) {
					out = append(out, evidence.Cell{
						Property: p, Mutation: certify.Mutation{Gate: x.Target.Gate, Index: x.Target.Index, Fault: x.Fault, Mux: mux},
						Trace: proof.Trace, Invariant: proof.Invariant,
					})
				}
			}
		}
	}
	slices.SortStableFunc(out, func(a, b evidence.Cell) int { return a.Property - b.Property })
	return out
}
