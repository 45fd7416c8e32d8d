package interp

import (
	"fmt"

	"netcov/aig"
	"netcov/proof"
	"netcov/sat"
)

// System is an interpolation system: how a resolution refutation becomes a
// formula. All three give interpolants of the same partition; they differ in
// strength (D'Silva, Kroening, Purandare, Weissenbacher, VMCAI 2010), McMillan's
// implying Pudlák's, which implies the inverse one's.
type System uint8

// The systems.
const (
	// McMillan is the system of McMillan, CAV 2003, as in DAC10, section 2.4:
	// the strongest interpolants, so the most exact images.
	McMillan System = iota
	// Pudlak is the symmetric system (Huang 1995, Krajíček 1997, Pudlák 1997).
	Pudlak
	// InverseMcMillan gives the negation of McMillan's interpolant of the
	// swapped partition: the weakest, so the largest images.
	InverseMcMillan
)

// String returns the name that an option gives the system.
func (s System) String() string {
	switch s {
	case McMillan:
		return "mcmillan"
	case Pudlak:
		return "pudlak"
	case InverseMcMillan:
		return "inverse"
	}
	return fmt.Sprintf("System(%d)", uint8(s))
}

// Side is where a clause or a variable lies in a partition (A, B).
type Side uint8

// The sides. Clauses are in A or in B; a variable is Shared when both may hold
// it.
const (
	SideA Side = iota
	SideB
	Shared
)

// Partition splits the leaves of a proof in two, and says how shared variables
// are spelt in interpolants.
type Partition struct {
	// Clause gives the side of the input clauses with a tag, SideA or SideB.
	Clause func(tag int32) Side
	// Var gives the side of a variable. A variable that clauses of both sides
	// hold must be Shared.
	Var func(v sat.Var) Side
	// Edge gives a shared variable's edge in the interpolant's graph.
	Edge func(v sat.Var) aig.Lit
}

// A Builder turns the proofs of one solver into interpolants of one partition.
// It keeps what it built for each clause, so that the proofs of an incremental
// solver cost only their new part.
type Builder struct {
	sys     System
	part    Partition
	g       *aig.Graph
	partial []aig.Lit // by clause ID, Undef where not built
	lits    []aig.Lit
}

// NewBuilder returns a builder of interpolants in g.
func NewBuilder(g *aig.Graph, sys System, part Partition) *Builder {
	return &Builder{sys: sys, part: part, g: g}
}

// Interpolant returns the interpolant of a refutation. Where the proof is one
// of a clause, the negated failed assumptions of a query, those assumptions
// count as clauses of the side that holds their variable; none may be Shared.
// It returns Undef when stop, which may be nil, ends it; what was built by then
// is kept.
func (b *Builder) Interpolant(p *proof.Proof, stop func() bool) aig.Lit {
	for len(b.partial) <= int(p.Final()) {
		b.partial = append(b.partial, aig.Undef)
	}
	known := func(id proof.ID) bool { return b.partial[id] != aig.Undef }
	stopped, steps := false, 0
	p.WalkUntil(known,
		func(id proof.ID, tag int32, lits []sat.Lit) {
			b.partial[id] = b.leaf(b.part.Clause(tag), lits)
		},
		func(id proof.ID, antecedents []proof.ID, pivots []sat.Lit) {
			if steps += len(antecedents); steps > 1<<14 && stop != nil {
				stopped = stopped || stop()
				steps = 0
			}
			if stopped {
				return
			}
			r := b.partial[antecedents[0]]
			for i, l := range pivots {
				r = b.resolve(r, b.partial[antecedents[i+1]], l)
			}
			b.partial[id] = r
		})
	return b.partial[p.Final()]
}

// leaf is the partial interpolant of an input clause.
func (b *Builder) leaf(side Side, clause []sat.Lit) aig.Lit {
	switch {
	case b.sys == Pudlak || side == SideA && b.sys == InverseMcMillan || side == SideB && b.sys == McMillan:
		return aig.False.XorSign(side == SideB)
	}
	lits := b.lits[:0]
	for _, l := range clause {
		if b.part.Var(l.Var()) == Shared {
			lits = append(lits, b.part.Edge(l.Var()).XorSign(l.Neg()))
		}
	}
	b.lits = lits
	return b.g.OrAll(lits...).XorSign(side == SideB)
}

// resolve is the partial interpolant of a resolvent, x being the clause in
// which the negation of the pivot occurs and y that in which the pivot does.
func (b *Builder) resolve(x, y aig.Lit, pivot sat.Lit) aig.Lit {
	switch side := b.part.Var(pivot.Var()); {
	case side == SideA || side == Shared && b.sys == InverseMcMillan:
		return b.g.Or(x, y)
	case side == SideB || b.sys == McMillan:
		return b.g.And(x, y)
	}
	// Where the pivot is false, y's clause is what remains to be refuted.
	l := b.part.Edge(pivot.Var()).XorSign(pivot.Neg())
	return b.g.Mux(l, x, y)
}
