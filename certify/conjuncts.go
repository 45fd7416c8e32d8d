package certify

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"netcov/aig"
	"netcov/aiger"
	"netcov/cert"
)

// An invariant as a file: a circuit without latches, whose inputs are the latches that
// the invariant speaks of, and whose outputs are its conjuncts. Names tie the inputs to
// the design:
//
//	design 3    latch 3 of the design
//	first       1 in the first step, 0 ever after
//	missed      of an invariant of the design: the latch of faults that remember
//	mutant 3    latch 3 of the mutant
//	mutant first, mutant missed

// latchNames returns the names of an invariant's latches by position. Of a pair it
// speaks of the design's latches, the latch "first frame", and the same of the mutant.
func (c *Comparison) latchNames(pair bool) []string {
	var names []string
	for i := range c.k.file.Latches {
		names = append(names, fmt.Sprintf("design %d", i))
	}
	names = append(names, "first")
	if !pair {
		return append(names, "missed")
	}
	for i := range c.k.file.Latches {
		names = append(names, fmt.Sprintf("mutant %d", i))
	}
	return append(names, "mutant first", "mutant missed")
}

// Circuit returns an invariant, of the pair of design and mutant or of the design, as a
// circuit.
func (c *Comparison) Circuit(inv *cert.Invariant, pair bool) (*aiger.File, error) {
	names := c.latchNames(pair)
	if err := speaksOf(inv, len(names)-1); err != nil {
		return nil, err
	}
	used := make([]bool, len(names))
	for _, clause := range inv.Clauses {
		for _, l := range clause {
			used[l.Latch()] = true
		}
	}
	for _, s := range inv.Support {
		used[s.Latch] = true
	}
	b := newBuilder()
	at := make([]aiger.Lit, len(names))
	for i, name := range names {
		if used[i] {
			at[i] = b.input(name)
		}
	}
	b.Outputs = b.invariant(inv, func(i int) aiger.Lit { return at[i] })
	of := "the design"
	if pair {
		of = "the design and a mutant of it"
	}
	b.Comment = "an inductive invariant of " + of + ": all outputs are 1\n"
	return &b.File, nil
}

// ReadCircuit is the inverse of Circuit. The invariant is not checked; the error says in
// what the file is none.
func (c *Comparison) ReadCircuit(f *aiger.File, pair bool) (*cert.Invariant, error) {
	if len(f.Latches)+len(f.Bads)+len(f.Constraints)+len(f.Justice)+len(f.Fairness) > 0 {
		return nil, errors.New("an invariant is a circuit of inputs, gates and outputs, and has nothing else")
	}
	position := make(map[string]int)
	for i, name := range c.latchNames(pair) {
		position[name] = i
	}
	r := &circuitReader{f: f, latch: make(map[aiger.Lit]int, len(f.Inputs)), gate: make(map[aiger.Lit]aiger.And, len(f.Ands))}
	for i, l := range f.Inputs {
		name := strings.TrimSpace(f.Symbols.Inputs[i])
		at, known := position[name]
		if !known {
			return nil, fmt.Errorf("input %d of the invariant is named %s, which is no latch, or a second time", i, strconv.Quote(name))
		}
		delete(position, name)
		r.latch[l] = at
	}
	for _, a := range f.Ands {
		r.gate[a.Lhs] = a
	}
	return r.invariant(), nil
}

// circuitReader turns a circuit into clauses, and what is no clause into formulas.
type circuitReader struct {
	f     *aiger.File
	latch map[aiger.Lit]int
	gate  map[aiger.Lit]aiger.And
	left  int // gates that may still be walked for clauses
}

func (r *circuitReader) invariant() *cert.Invariant {
	inv := &cert.Invariant{}
	var rest []aiger.Lit
	r.left = 64 * (len(r.f.Ands) + len(r.f.Outputs))
	for _, l := range r.f.Outputs {
		if c := r.clause(l); c != nil {
			inv.Clauses = append(inv.Clauses, c)
		} else {
			rest = append(rest, l)
		}
	}
	if len(rest) == 0 {
		return inv
	}
	inv.Graph = aig.NewGraph()
	to := make([]aig.Lit, r.f.MaxVar+1)
	edge := func(l aiger.Lit) aig.Lit { return to[l>>1] ^ aig.Lit(l&1) }
	for _, l := range r.f.Inputs {
		to[l>>1] = inv.Graph.Latch()
		inv.Support = append(inv.Support, cert.SupportLatch{Lit: to[l>>1], Latch: r.latch[l]})
	}
	for _, a := range r.f.Ands {
		to[a.Lhs>>1] = inv.Graph.And(edge(a.Rhs0), edge(a.Rhs1))
	}
	for _, l := range rest {
		inv.Formulas = append(inv.Formulas, edge(l))
	}
	return inv
}

// clause returns an output as a disjunction of latches, nil where it is none: its
// complement is a tree of gates over them.
func (r *circuitReader) clause(l aiger.Lit) cert.Clause {
	var c cert.Clause
	for stack := []aiger.Lit{l ^ 1}; len(stack) > 0; {
		no := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if a, is := r.gate[no]; is {
			if r.left--; r.left < 0 {
				return nil
			}
			stack = append(stack, a.Rhs1, a.Rhs0)
			continue
		}
		at, is := r.latch[no&^1]
		if !is {
			return nil
		}
		c = append(c, cert.MkStateLit(at, no&1 == 0))
	}
	return c
}
