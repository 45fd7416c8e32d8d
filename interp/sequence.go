package interp

import (
	"netcov/aig"
	"netcov/proof"
	"netcov/sat"
)

// Chain describes a refutation whose input clauses are split into a sequence of
// parts, numbered from 0 by their tags.
type Chain struct {
	Parts int
	// Span gives the first and the last part whose clauses may hold a variable.
	Span func(v sat.Var) (first, last int)
	// Edge gives a variable's edge in the interpolants' graph; it is asked
	// for variables whose span holds more than one part.
	Edge func(v sat.Var) aig.Lit
}

// Sequence returns the interpolation sequence of a refutation (Vizel and
// Grumberg, FMCAD 2009): of n parts, n-1 formulas I[0], …, I[n-2] of which I[j]
// is an interpolant of (parts 0…j, parts j+1…n-1). They come from one proof by
// one system, therefore I[j] and part j+1 imply I[j+1].
func Sequence(p *proof.Proof, g *aig.Graph, sys System, c Chain) []aig.Lit {
	cuts := c.Parts - 1
	at := 0
	builders := make([]*Builder, cuts)
	for j := range builders {
		builders[j] = NewBuilder(g, sys, Partition{
			Clause: func(tag int32) Side {
				if int(tag) <= j {
					return SideA
				}
				return SideB
			},
			Var: func(v sat.Var) Side {
				switch first, last := c.Span(v); {
				case last <= j:
					return SideA
				case first > j:
					return SideB
				}
				return Shared
			},
			Edge: c.Edge,
		})
	}
	// One walk fills the partial interpolants of all cuts, a row a clause.
	rows := map[proof.ID]int{}
	var partial []aig.Lit
	p.Walk(
		func(id proof.ID, tag int32, lits []sat.Lit) {
			rows[id] = at
			at += cuts
			for _, b := range builders {
				partial = append(partial, b.leaf(b.part.Clause(tag), lits))
			}
		},
		func(id proof.ID, antecedents []proof.ID, pivots []sat.Lit) {
			rows[id] = at
			at += cuts
			for j, b := range builders {
				r := partial[rows[antecedents[0]]+j]
				for i, l := range pivots {
					r = b.resolve(r, partial[rows[antecedents[i+1]]+j], l)
				}
				partial = append(partial, r)
			}
		})
	return partial[rows[p.Final()]:][:cuts]
}
