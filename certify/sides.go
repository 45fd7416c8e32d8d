package certify

import (
	"context"
	"encoding/binary"

	"netcov/cert"
)

// Most of an invariant of a pair is the design's own invariant, the same for all
// mutants, and often the mutant's, which says the same of registers that have equal
// values. That the design keeps the first is asked once. A clause of the second whose
// registers are to store what the design's store needs no question.

// sides divides an invariant of the pair: the clauses about the design alone, and the
// rest.
func (c *Comparison) sides(inv *cert.Invariant) (design, rest *cert.Invariant) {
	n := len(c.k.file.Latches)
	design, rest = &cert.Invariant{}, &cert.Invariant{Graph: inv.Graph, Formulas: inv.Formulas, Support: inv.Support}
next:
	for _, clause := range inv.Clauses {
		for _, l := range clause {
			if l.Latch() > n {
				rest.Clauses = append(rest.Clauses, clause)
				continue next
			}
		}
		design.Clauses = append(design.Clauses, clause)
	}
	return design, rest
}

// keeps reports whether the design's steps within the constraints keep an invariant. It
// asks once for each.
func (c *Comparison) keeps(ctx context.Context, inv *cert.Invariant) (bool, error) {
	var key []byte
	for _, clause := range inv.Clauses {
		key = binary.AppendUvarint(key, uint64(len(clause)))
		for _, l := range clause {
			key = binary.AppendUvarint(key, uint64(l))
		}
	}
	c.lock.Lock()
	defer c.lock.Unlock()
	if kept, asked := c.kept[string(key)]; asked {
		return kept, nil
	}
	k := c.k
	s := k.getScratch()
	defer k.scratch.Put(s)
	s.cuts.reset(k)
	s.restart()
	f := &s.frames[0]
	assert(&s.cnf, inv, f.stored)
	for _, l := range k.file.Constraints {
		s.cnf.add(f.lit(l))
	}
	q := query{c: &s.cnf, kind: k.Solver, cubes: violations(&s.cnf, inv, f.next)}
	broken, err := q.possible(ctx)
	if err != nil {
		return false, err
	}
	if c.kept == nil {
		c.kept = map[string]bool{}
	}
	c.kept[string(key)] = !broken
	return !broken, nil
}

// stepsOut returns cubes of which one is true where a step of the pair, which satisfies
// the invariant and the constraints, leads out of the invariant.
func (c *Comparison) stepsOut(ctx context.Context, p *pair, inv *cert.Invariant) ([][]lit, error) {
	design, rest := c.sides(inv)
	kept, err := c.keeps(ctx, design)
	if err != nil || !kept {
		return violations(p.c, inv, p.next), err
	}
	name := func(cube []lit) string {
		var key []byte
		for _, l := range cube {
			key = binary.AppendVarint(key, int64(l))
		}
		return string(key)
	}
	known := map[string]bool{}
	for _, cube := range violations(p.c, design, p.next) {
		known[name(cube)] = true
	}
	var out [][]lit
	for _, cube := range violations(p.c, rest, p.next) {
		if !known[name(cube)] {
			out = append(out, cube)
		}
	}
	return out, nil
}
