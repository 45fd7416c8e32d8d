package proof

import (
	"fmt"

	"netcov/sat"
)

// Check replays every resolution step of a proof, on literal sets of its own,
// and returns the proved clause. Each leaf is handed to input, which returns an
// error when it is not one of the clauses that were added. A step is rejected
// when the pivot is not in the antecedent, its negation not in the clause so
// far, or the resolvent a tautology.
//
// The checker reads the log and shares no code with the solver's search.
func Check(p *Proof, input func(id ID, tag int32, lits []sat.Lit) error) ([]sat.Lit, error) {
	r := newReplay(p)
	var err error
	p.Walk(func(id ID, tag int32, lits []sat.Lit) {
		if err != nil {
			return
		}
		if input != nil {
			if e := input(id, tag, lits); e != nil {
				err = fmt.Errorf("proof leaf %d (tag %d): %w", id, tag, e)
				return
			}
		}
		err = r.leaf(id, lits)
	}, func(id ID, antecedents []ID, pivots []sat.Lit) {
		if err == nil {
			err = r.chain(id, antecedents, pivots)
		}
	})
	if err != nil {
		return nil, err
	}
	return r.clauses[p.Final()], nil
}

// replay holds the literals of the clauses that later steps of a walk still
// need.
type replay struct {
	clauses map[ID][]sat.Lit
	uses    map[ID]int // that are still to come
	in      []bool     // by literal: in the clause so far
	lits    []sat.Lit  // superset of the clause so far
}

func newReplay(p *Proof) *replay {
	r := &replay{clauses: map[ID][]sat.Lit{}, uses: map[ID]int{p.Final(): 1}}
	p.Walk(nil, func(_ ID, antecedents []ID, _ []sat.Lit) {
		for _, a := range antecedents {
			r.uses[a]++
		}
	})
	return r
}

func (r *replay) add(l sat.Lit) {
	for int(l|1) >= len(r.in) {
		r.in = append(r.in, make([]bool, len(r.in)+64)...)
	}
	if !r.in[l] {
		r.in[l] = true
		r.lits = append(r.lits, l)
	}
}

// store ends a clause, checks that it is no tautology and keeps it.
func (r *replay) store(id ID) error {
	var clause []sat.Lit
	var err error
	for _, l := range r.lits {
		if r.in[l] {
			clause = append(clause, l)
			if r.in[l.Not()] {
				err = fmt.Errorf("proof step %d: tautology in variable %d", id, l.Var())
			}
		}
	}
	for _, l := range r.lits {
		r.in[l] = false
	}
	r.lits = r.lits[:0]
	r.clauses[id] = clause
	return err
}

func (r *replay) leaf(id ID, lits []sat.Lit) error {
	for _, l := range lits {
		r.add(l)
	}
	return r.store(id)
}

func (r *replay) chain(id ID, antecedents []ID, pivots []sat.Lit) error {
	if len(antecedents) != len(pivots)+1 {
		return fmt.Errorf("proof step %d: %d antecedents, %d pivots", id, len(antecedents), len(pivots))
	}
	for i, a := range antecedents {
		lits, known := r.clauses[a]
		if !known || a >= id {
			return fmt.Errorf("proof step %d: antecedent %d is not derived before", id, a)
		}
		if i > 0 {
			p := pivots[i-1]
			if int(p|1) >= len(r.in) || !r.in[p.Not()] {
				return fmt.Errorf("proof step %d: literal %d is not in the clause before antecedent %d", id, p.Not().Dimacs(), a)
			}
			r.in[p.Not()] = false
		}
		found := i == 0
		for _, l := range lits {
			if i > 0 && l == pivots[i-1] {
				found = true
				continue
			}
			r.add(l)
		}
		if !found {
			return fmt.Errorf("proof step %d: pivot %d is not in antecedent %d", id, pivots[i-1].Dimacs(), a)
		}
	}
	if err := r.store(id); err != nil {
		return err
	}
	for _, a := range antecedents {
		if r.uses[a]--; r.uses[a] == 0 {
			delete(r.clauses, a)
		}
	}
	return nil
}

// Core returns the input clauses that the proof uses, in the order of their
// IDs.
func (p *Proof) Core() []Input {
	var core []Input
	p.walkMarked(p.cone(), func(in Input, _ []sat.Lit) { core = append(core, in) }, nil)
	return core
}
