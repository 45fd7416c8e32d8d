package proof

import (
	"bufio"
	"fmt"
	"io"
	"strconv"

	"netcov/sat"
)

// Proofs as text, for checkers of other makes. WriteCNF, WriteLRAT and WriteDRAT
// agree in their numbering: the formula consists of the proof's leaves in the
// order of their IDs, then of one unit clause for each failed assumption; it is
// unsatisfiable by itself. LRAT (Cruz-Filipe et al., CADE 2017) lists for each
// clause the antecedents in the order in which they become unit, which is the
// reverse of our chains. DRAT (Wetzler, Heule, Hunt, SAT 2014) has the clauses
// only.

// textProof numbers a proof's clauses.
type textProof struct {
	w       *bufio.Writer
	numbers map[ID]int
	next    int
	replay  *replay
	err     error
}

// FinalClause replays the proof and returns the clause it proves: the negated
// failed assumptions, or none of them for the empty clause.
func (p *Proof) FinalClause() ([]sat.Lit, error) { return Check(p, nil) }

// WriteCNF writes the proof's leaves and the failed assumptions in DIMACS form.
func (p *Proof) WriteCNF(w io.Writer) error {
	final, err := p.FinalClause()
	if err != nil {
		return err
	}
	vars, clauses := 0, len(final)
	count := func(lits []sat.Lit) {
		for _, l := range lits {
			vars = max(vars, int(l.Var())+1)
		}
	}
	count(final)
	p.Walk(func(_ ID, _ int32, lits []sat.Lit) { clauses++; count(lits) }, nil)
	t := textProof{w: bufio.NewWriter(w)}
	fmt.Fprintf(t.w, "p cnf %d %d\n", vars, clauses)
	p.Walk(func(_ ID, _ int32, lits []sat.Lit) { t.clause(lits) }, nil)
	for _, l := range final {
		t.clause([]sat.Lit{l.Not()})
	}
	return t.w.Flush()
}

// WriteLRAT writes the proof for the formula of WriteCNF, deletions included.
func (p *Proof) WriteLRAT(w io.Writer) error {
	t := textProof{w: bufio.NewWriter(w), numbers: map[ID]int{}, next: 1, replay: newReplay(p)}
	final, err := p.FinalClause()
	if err != nil {
		return err
	}
	p.Walk(func(id ID, _ int32, lits []sat.Lit) {
		t.number(id)
		t.keep(t.replay.leaf(id, lits))
	}, nil)
	firstUnit := t.next
	t.next += len(final)
	p.Walk(nil, func(id ID, antecedents []ID, pivots []sat.Lit) {
		if t.err != nil {
			return
		}
		dead := t.lastUses(antecedents)
		t.keep(t.replay.chain(id, antecedents, pivots))
		t.number(id)
		t.lratStep(t.numbers[id], t.replay.clauses[id], func(hint func(int)) {
			for i := len(antecedents) - 1; i >= 0; i-- {
				hint(t.numbers[antecedents[i]])
			}
		})
		if len(dead) > 0 {
			t.int(t.numbers[id])
			t.w.WriteString("d ")
			for _, a := range dead {
				t.int(t.numbers[a])
				delete(t.numbers, a)
			}
			t.w.WriteString("0\n")
		}
	})
	if t.err != nil {
		return t.err
	}
	if len(final) > 0 || t.next == firstUnit {
		// Close with the units of the assumptions; or, when a leaf is empty
		// already, say so.
		t.lratStep(t.next, nil, func(hint func(int)) {
			for i := range final {
				hint(firstUnit + i)
			}
			hint(t.numbers[p.final])
		})
	}
	return t.w.Flush()
}

// WriteDRAT writes the proof for the formula of WriteCNF as clauses and
// deletions alone.
func (p *Proof) WriteDRAT(w io.Writer) error {
	t := textProof{w: bufio.NewWriter(w), replay: newReplay(p)}
	p.Walk(func(id ID, _ int32, lits []sat.Lit) { t.keep(t.replay.leaf(id, lits)) },
		func(id ID, antecedents []ID, pivots []sat.Lit) {
			if t.err != nil {
				return
			}
			var dead [][]sat.Lit
			for _, a := range t.lastUses(antecedents) {
				dead = append(dead, t.replay.clauses[a])
			}
			t.keep(t.replay.chain(id, antecedents, pivots))
			t.clause(t.replay.clauses[id])
			for _, c := range dead {
				t.w.WriteString("d ")
				t.clause(c)
			}
		})
	if t.err != nil {
		return t.err
	}
	if len(t.replay.clauses[p.final]) > 0 {
		t.clause(nil)
	}
	return t.w.Flush()
}

// lastUses returns those antecedents, once each, that no later step needs.
func (t *textProof) lastUses(antecedents []ID) []ID {
	var dead []ID
	left := map[ID]int{}
	for _, a := range antecedents {
		left[a]++
		if left[a] == t.replay.uses[a] {
			dead = append(dead, a)
		}
	}
	return dead
}

func (t *textProof) number(id ID) {
	t.numbers[id] = t.next
	t.next++
}

func (t *textProof) keep(err error) {
	if t.err == nil {
		t.err = err
	}
}

func (t *textProof) int(n int) {
	t.w.Write(strconv.AppendInt(t.w.AvailableBuffer(), int64(n), 10))
	t.w.WriteByte(' ')
}

func (t *textProof) lits(lits []sat.Lit) {
	for _, l := range lits {
		t.int(l.Dimacs())
	}
}

func (t *textProof) clause(lits []sat.Lit) {
	t.lits(lits)
	t.w.WriteString("0\n")
}

func (t *textProof) lratStep(number int, lits []sat.Lit, hints func(hint func(int))) {
	t.int(number)
	t.lits(lits)
	t.w.WriteString("0 ")
	hints(t.int)
	t.w.WriteString("0\n")
}
