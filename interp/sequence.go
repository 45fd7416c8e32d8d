package interp

import (
	"netcov/netlist"
	"netcov/proof"
)

// Chain describes a refutation whose input clauses are split into a sequence of
// parts, numbered from 0 by their tags.
type Chain struct {
	Parts int
	// Span gives the first and the last part whose clauses may hold a variable.
	Span func(v proof.Var) (first, last int)
	// Edge gives a variable's edge in the interpolants' graph; it is asked
	// for variables whose span holds more than one part.
	Edge func(v proof.Var) netlist.Lit
}

// Sequence returns the interpolation sequence of a refutation (Vizel and
// Grumberg, FMCAD 2009): of n parts, n-1 formulas I[0], …, I[n-2] of which I[j]
// is an interpolant of (parts 0…j, parts j+1…n-1). They come from one proof by
// one system, therefore I[j] and part j+1 imply I[j+1].
func Sequence(p *proof.Proof, g *netlist.Graph, sys System, c Chain) []netlist.Lit {
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
			Var: func(v proof.Var) Side {
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
	var partial []netlist.Lit
	p.Walk(
		func(id proof.ID, tag int32, lits []proof.Lit) {
			rows[id] = at
			at += cuts
			for _, b := range builders {
				partial = append(partial, b.leaf(b.part.Clause(tag), lits))
			}
		},
		func(id proof.ID, antecedents []proof.ID, pivots []proof.Lit) {
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
