package interp

import (
	"netcov/aig"
	"netcov/proof"
	"netcov/sat"
)

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

// A Builder turns the proofs of one solver into interpolants of one partition, by
// the system of McMillan (CAV 2003; DAC10, section 2.4). Of the known systems its
// interpolants are the strongest, so its images are the most exact (D'Silva,
// Kroening, Purandare, Weissenbacher, VMCAI 2010). Left out: those of Pudlák and
// the inverse one.
// It keeps what it built for each clause, so that the proofs of an incremental
// solver cost only their new part.
type Builder struct {
	part    Partition
	g       *aig.Graph
	partial []aig.Lit // by clause ID, Undef where not built
	lits    []aig.Lit
}

// NewBuilder returns a builder of interpolants in g.
func NewBuilder(g *aig.Graph, part Partition) *Builder {
	return &Builder{part: part, g: g}
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
	if side == SideB {
		return aig.True
	}
	lits := b.lits[:0]
	for _, l := range clause {
		if b.part.Var(l.Var()) == Shared {
			lits = append(lits, b.part.Edge(l.Var()).XorSign(l.Neg()))
		}
	}
	b.lits = lits
	return b.g.OrAll(lits...)
}

// resolve is the partial interpolant of a resolvent, x and y being those of the
// clauses resolved.
func (b *Builder) resolve(x, y aig.Lit, pivot sat.Lit) aig.Lit {
	if b.part.Var(pivot.Var()) == SideA {
		return b.g.Or(x, y)
	}
	return b.g.And(x, y)
}
