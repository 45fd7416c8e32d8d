package proof

import "netcov/sat"

// Proof is a resolution proof of a clause: of the empty one when the clauses
// are unsatisfiable, else of the clause of the negated failed assumptions. It is
// read-only and stays valid whatever happens to the solver.
type Proof struct {
	log   chainLog
	final ID
}

// Input names an input clause of a proof.
type Input struct {
	ID      ID
	Tag     int32 // as given to AddClauseTagged, or TagTemp
	Ordinal int   // the clause's place among all added, from 0; -1 when temporary
}

// Proof returns the proof of the last Unsat answer. It is nil when chains are
// not logged, when the last answer was another one, and when the failed
// assumptions contradict each other without any clause.
func (s *CDCL) Proof() *Proof {
	if s.log == nil || s.final == 0 {
		return nil
	}
	return &Proof{log: *s.log, final: s.final}
}

// Final is the ID of the proved clause.
func (p *Proof) Final() ID { return p.final }

// cone returns a bit set of the records that the final clause depends on.
func (p *Proof) cone() []uint64 {
	marks := make([]uint64, p.final/64+1)
	marks[p.final/64] |= 1 << (p.final % 64)
	p.log.markCone(marks, p.final)
	return marks
}

// Walk visits what the final clause depends on, itself last, antecedents first.
// A leaf is an input clause with its tag and its literals, without repetition. A
// chain starts with the clause antecedents[0] and resolves it with
// antecedents[i+1] on the variable of pivots[i], for i from 0; pivots[i] is the
// literal as it occurs in antecedents[i+1], and its negation occurs in the
// clause reached so far. Either function may be nil. The slices are reused.
func (p *Proof) Walk(leaf func(id ID, tag int32, lits []sat.Lit), chain func(id ID, antecedents []ID, pivots []sat.Lit)) {
	var inputLeaf func(in Input, lits []sat.Lit)
	if leaf != nil {
		inputLeaf = func(in Input, lits []sat.Lit) { leaf(in.ID, in.Tag, lits) }
	}
	p.walkMarked(p.cone(), inputLeaf, chain)
}

// WalkUntil is Walk without the records for which known is true: neither these
// nor what only they depend on is visited. IDs name the same clauses in all
// proofs of one solver, so what was computed for a clause in an earlier proof
// can be used again.
func (p *Proof) WalkUntil(known func(id ID) bool, leaf func(id ID, tag int32, lits []sat.Lit), chain func(id ID, antecedents []ID, pivots []sat.Lit)) {
	marks := make([]uint64, p.final/64+1)
	marks[p.final/64] |= 1 << (p.final % 64)
	p.log.markUnknownCone(marks, p.final, known)
	p.walkMarked(marks, func(in Input, lits []sat.Lit) { leaf(in.ID, in.Tag, lits) }, chain)
}

func (p *Proof) walkMarked(marks []uint64, leaf func(in Input, lits []sat.Lit), chain func(id ID, antecedents []ID, pivots []sat.Lit)) {
	var lits []sat.Lit
	var ids []ID
	for w, m := range marks {
		for bit := 0; m != 0; bit, m = bit+1, m>>1 {
			if m&1 == 0 {
				continue
			}
			id := ID(w*64 + bit)
			r := recordReader{b: p.log.record(id)}
			head := r.uint()
			n := int(head >> 1)
			lits, ids = lits[:0], ids[:0]
			if head&1 != 0 {
				if leaf == nil {
					continue
				}
				in := Input{ID: id, Tag: int32(r.int())}
				in.Ordinal = int(r.uint()) - 1
				for ; n > 0; n-- {
					lits = append(lits, sat.Lit(r.uint()))
				}
				leaf(in, lits)
				continue
			}
			if chain == nil {
				continue
			}
			ids = append(ids, id-ID(r.uint()))
			for n--; n > 0; n-- {
				lits = append(lits, sat.Lit(r.uint()))
				ids = append(ids, id-ID(r.uint()))
			}
			chain(id, ids, lits)
		}
	}
}
