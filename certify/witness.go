package certify

import (
	"fmt"

	"netcov/aig"
	"netcov/aiger"
	"netcov/cert"
)

// Certificate turns an invariant of all mutants in ms (of the design itself when
// there are none) into a pair of circuits: their Model, and a witness circuit as
// certificate checkers of hardware model checking take it (Yu, Froleyks, Biere,
// Heljanko; the competition's rules of 2024). The witness simulates the model,
// and its property, "the invariant holds and the state is not bad", is
// inductive. Its symbols map its inputs and latches to the model's literals.
//
// The invariant is not checked here.
func (k *Checker) Certificate(inv *cert.Invariant, ms []Mutation) (model, witness *aiger.File, err error) {
	model, err = k.Model(ms)
	if err != nil {
		return nil, nil, err
	}
	if err := k.wellFormed(inv); err != nil {
		return nil, nil, err
	}
	return model, k.witnessCircuit(model, inv), nil
}

// witnessCircuit copies the model and replaces its property.
//
// The invariant speaks of the latches as they are stored when reset functions
// are read through the latch "first frame". In the model they hold the values of
// those functions in frame 0. So the witness has the latch "first frame", reads
// latches with reset functions as 0 there, and its property says that all
// latches are at their resets in that frame.
func (k *Checker) witnessCircuit(model *aiger.File, inv *cert.Invariant) *aiger.File {
	b := newBuilder()
	for _, l := range model.Inputs {
		b.input(fmt.Sprintf("= %d", l))
	}
	var started, missed aiger.Lit
	for i, l := range model.Latches {
		b.latch(fmt.Sprintf("= %d", l.Lit))
		if i >= len(k.file.Latches) && model.Symbols.Latches[i] == nameStarted {
			started = l.Lit
		}
		if i >= len(k.file.Latches) && model.Symbols.Latches[i] == nameMissed {
			missed = l.Lit
		}
	}
	functions := false
	for _, l := range k.file.Latches {
		functions = functions || l.HasResetFunction()
	}
	first := aiger.Lit(0)
	if mentions := k.mentionsFirst(inv); mentions || functions {
		if started != 0 {
			first = started ^ 1
		} else {
			first = b.latch(nameFirst)
			b.Latches[len(b.Latches)-1].Reset = 1
		}
	}

	to := make([]aiger.Lit, model.MaxVar+1)
	for i := range to[:1+len(model.Inputs)+len(model.Latches)] {
		to[i] = 2 * aiger.Lit(i)
	}
	edge := func(l aiger.Lit) aiger.Lit { return to[l>>1] ^ l&1 }
	for _, a := range model.Ands {
		to[a.Lhs>>1] = b.gate(edge(a.Rhs0), edge(a.Rhs1))
	}
	for i, l := range model.Latches {
		b.Latches[i].Next, b.Latches[i].Reset = edge(l.Next), edge(l.Reset)
	}
	for _, l := range model.Constraints {
		b.Constraints = append(b.Constraints, edge(l))
	}

	good := []aiger.Lit{edge(model.Bads[0]) ^ 1}
	if functions {
		var atReset []aiger.Lit
		for i, l := range k.file.Latches {
			if l.Reset != l.Lit {
				atReset = append(atReset, b.equal(b.Latches[i].Lit, b.Latches[i].Reset))
			}
		}
		good = append(good, b.or(first^1, b.all(atReset)))
	}
	stored := func(i int) aiger.Lit {
		switch {
		case i == len(k.file.Latches):
			return first
		case i > len(k.file.Latches): // 0 where no fault remembers
			return missed
		case k.file.Latches[i].HasResetFunction():
			return b.and(b.Latches[i].Lit, first^1)
		}
		return b.Latches[i].Lit
	}
	good = append(good, b.invariant(inv, stored)...)
	b.Bads = []aiger.Lit{b.all(good) ^ 1}
	b.Comment = "WITNESS of the model without bad states; the property is inductive\n" + model.Comment
	return &b.File
}

// mentionsFirst reports whether the invariant speaks of the latch "first frame".
func (k *Checker) mentionsFirst(inv *cert.Invariant) bool {
	for _, c := range inv.Clauses {
		for _, l := range c {
			if l.Latch() == len(k.file.Latches) {
				return true
			}
		}
	}
	for _, s := range inv.Support {
		if s.Latch == len(k.file.Latches) {
			return true
		}
	}
	return false
}

// invariant returns the conjuncts of an invariant as literals.
func (b *builder) invariant(inv *cert.Invariant, stored func(int) aiger.Lit) []aiger.Lit {
	var good []aiger.Lit
	for _, c := range inv.Clauses {
		var no []aiger.Lit
		for _, l := range c {
			p := stored(l.Latch()) ^ 1
			if l.Neg() {
				p ^= 1
			}
			no = append(no, p)
		}
		good = append(good, b.all(no)^1)
	}
	if inv.Graph == nil || len(inv.Formulas) == 0 {
		return good
	}
	values := make([]aiger.Lit, inv.Graph.Size())
	support := make(map[aig.Node]int, len(inv.Support))
	for _, s := range inv.Support {
		support[s.Lit.Node()] = s.Latch
	}
	edge := func(l aig.Lit) aiger.Lit { return values[l.Node()] ^ aiger.Lit(l&1) }
	for _, n := range conjunctCone(inv) {
		if inv.Graph.Kind(n) == aig.KindAnd {
			x, y := inv.Graph.Fanins(n)
			values[n] = b.and(edge(x), edge(y))
		} else {
			values[n] = stored(support[n])
		}
	}
	for _, l := range inv.Formulas {
		good = append(good, edge(l))
	}
	return good
}
