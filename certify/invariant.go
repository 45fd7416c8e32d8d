package certify

import (
	"context"
	"fmt"
	"slices"

	"netcov/aig"
	"netcov/cert"
)

// Invariant checks that inv, over what the latches store, is an inductive
// invariant of every mutant in ms that excludes the bad states of each property;
// with an empty ms, of the design itself. It returns nil, a *Failure that names a condition and a
// mutant that fails it, or the error that kept it from deciding.
//
// All mutants go into one query: each mutated node has a selector. The selectors
// are left free at first (then any number of nodes may be mutated at once, and
// none); only when that is satisfiable, exactly one is let be active.
func (k *Checker) Invariant(ctx context.Context, inv *cert.Invariant, ms []Mutation) error {
	if k.err != nil {
		return k.err
	}
	if err := k.wellFormed(inv); err != nil {
		return err
	}
	s := k.getScratch()
	defer k.scratch.Put(s)
	if err := s.cuts.set(k, ms); err != nil {
		return err
	}
	if err := k.initiation(ctx, s, inv); err != nil {
		return err
	}
	return k.step(ctx, s, inv)
}

// initiation checks I => R. The initial states are the same in all mutants;
// where R leaves out some of them, they must break a mutant's constraints.
func (k *Checker) initiation(ctx context.Context, s *scratch, inv *cert.Invariant) error {
	s.restart()
	f := &s.frames[0]
	f.initial = true
	c := &s.cnf
	q := query{c: c, kind: k.Solver, cubes: violations(c, inv, f.stored)}
	sat, err := q.possible(ctx)
	if err != nil || !sat {
		return err
	}
	if len(k.file.Constraints) > 0 {
		s.cuts.selectors(c)
		if len(s.cuts.list) > 1 {
			s.cuts.exactlyOne(c)
		}
		for _, l := range k.file.Constraints {
			c.add(f.lit(l))
		}
		if sat, err = q.possible(ctx); err != nil || !sat {
			return err
		}
		return &Failure{Initiation, s.cuts.active(q.value)}
	}
	if len(s.cuts.list) > 0 {
		return &Failure{Initiation, s.cuts.list[0].mutation(q.value)}
	}
	return &Failure{Condition: Initiation}
}

// step checks consecution and safety, R & C & (B or T & not R'), at once, B being
// the disjunction of the bad-state literals.
func (k *Checker) step(ctx context.Context, s *scratch, inv *cert.Invariant) error {
	s.restart()
	c, f := &s.cnf, &s.frames[0]
	s.cuts.selectors(c)
	assert(c, inv, f.stored)
	for _, l := range k.file.Constraints {
		c.add(f.lit(l))
	}
	q := query{c: c, kind: k.Solver, cubes: violations(c, inv, f.next)}
	var bad []lit
	for _, l := range k.bads {
		switch p := f.lit(l); p {
		case yes:
			q.cubes, bad = [][]lit{{}}, []lit{yes}
		case no:
			continue
		default:
			bad = append(bad, p)
		}
		if bad[0] == yes {
			break
		}
		q.cubes = append(q.cubes, bad[len(bad)-1:])
	}
	sat, err := q.possible(ctx)
	if sat && err == nil && len(s.cuts.list) > 1 {
		s.cuts.exactlyOne(c)
		sat, err = q.possible(ctx)
	}
	if sat && err == nil && len(k.file.Constraints) > 0 {
		after := &s.frames[1]
		after.before = f
		for _, l := range k.file.Constraints {
			c.add(append(slices.Clone(bad), after.lit(l))...)
		}
		sat, err = q.possible(ctx)
	}
	if err != nil || !sat {
		return err
	}
	failure := &Failure{Consecution, s.cuts.active(q.value)}
	if slices.ContainsFunc(bad, func(p lit) bool { return p == yes || q.value(p) }) {
		failure.Condition = Safety
	}
	return failure
}

// violations returns cubes of which one is true exactly where the invariant does
// not hold, with each latch's value given by state: one a clause or formula. Those
// that can never be violated are left out.
func violations(c *cnf, inv *cert.Invariant, state func(int) lit) [][]lit {
	var all [][]lit
next:
	for _, clause := range inv.Clauses {
		cube := make([]lit, 0, len(clause))
		for _, l := range clause {
			switch p := stateLit(l, state); p {
			case yes:
				continue next
			case no:
			default:
				cube = append(cube, -p)
			}
		}
		if cube, never := normal(cube); !never {
			all = append(all, cube)
		}
	}
	for _, p := range formulas(c, inv, state) {
		switch p {
		case yes:
		case no:
			all = append(all, nil)
		default:
			all = append(all, []lit{-p})
		}
	}
	return all
}

// assert adds clauses that make the invariant hold.
func assert(c *cnf, inv *cert.Invariant, state func(int) lit) {
	var lits []lit
	for _, clause := range inv.Clauses {
		lits = lits[:0]
		for _, l := range clause {
			lits = append(lits, stateLit(l, state))
		}
		c.add(lits...)
	}
	for _, p := range formulas(c, inv, state) {
		c.add(p)
	}
}

func stateLit(l cert.StateLit, state func(int) lit) lit {
	if l.Neg() {
		return -state(l.Latch())
	}
	return state(l.Latch())
}

// formulas encodes the conjuncts that are graphs.
func formulas(c *cnf, inv *cert.Invariant, state func(int) lit) []lit {
	if inv.Graph == nil || len(inv.Formulas) == 0 {
		return nil
	}
	values := make([]lit, inv.Graph.Size())
	values[0] = no
	support := make(map[aig.Node]int, len(inv.Support))
	for _, s := range inv.Support {
		support[s.Lit.Node()] = s.Latch
	}
	edge := func(l aig.Lit) lit {
		if l.Neg() {
			return -values[l.Node()]
		}
		return values[l.Node()]
	}
	for _, n := range conjunctCone(inv) {
		if inv.Graph.Kind(n) == aig.KindAnd {
			a, b := inv.Graph.Fanins(n)
			values[n] = c.and(edge(a), edge(b))
		} else {
			values[n] = state(support[n])
		}
	}
	all := make([]lit, len(inv.Formulas))
	for i, l := range inv.Formulas {
		all[i] = edge(l)
	}
	return all
}

// conjunctCone lists the nodes that the formulas depend on, operands first, the
// constant left out. Operands have smaller numbers than their gates.
func conjunctCone(inv *cert.Invariant) []aig.Node {
	needed := make([]bool, inv.Graph.Size())
	highest := aig.Node(0)
	for _, l := range inv.Formulas {
		needed[l.Node()] = true
		highest = max(highest, l.Node())
	}
	for n := highest; n > 0; n-- {
		if needed[n] && inv.Graph.Kind(n) == aig.KindAnd {
			a, b := inv.Graph.Fanins(n)
			needed[a.Node()], needed[b.Node()] = true, true
		}
	}
	var cone []aig.Node
	for n := aig.Node(1); n <= highest; n++ {
		if needed[n] {
			cone = append(cone, n)
		}
	}
	return cone
}

// wellFormed checks that the invariant speaks of nothing but latches of the
// file, the latch "first frame", and the one of faults that remember.
func (k *Checker) wellFormed(inv *cert.Invariant) error {
	return speaksOf(inv, len(k.file.Latches)+1)
}

// speaksOf checks that the invariant speaks of nothing but latches up to a position.
func speaksOf(inv *cert.Invariant, most int) error {
	for _, c := range inv.Clauses {
		for _, l := range c {
			if l.Latch() > most {
				return fmt.Errorf("the invariant speaks of latch %d, the file has %d", l.Latch(), most)
			}
		}
	}
	if len(inv.Formulas) == 0 {
		return nil
	}
	if inv.Graph == nil {
		return fmt.Errorf("the invariant has formulas without a graph")
	}
	size := aig.Node(inv.Graph.Size())
	support := make(map[aig.Node]bool, len(inv.Support))
	for _, s := range inv.Support {
		if s.Latch < 0 || s.Latch > most {
			return fmt.Errorf("the invariant speaks of latch %d, the file has %d", s.Latch, most)
		}
		if s.Lit.Neg() || s.Lit.Node() >= size || inv.Graph.Kind(s.Lit.Node()) == aig.KindAnd {
			return fmt.Errorf("the support of the invariant names edge %d, which is no leaf", s.Lit)
		}
		support[s.Lit.Node()] = true
	}
	for _, l := range inv.Formulas {
		if l.Node() >= size {
			return fmt.Errorf("the invariant names edge %d beyond its graph", l)
		}
	}
	for _, n := range conjunctCone(inv) {
		if inv.Graph.Kind(n) != aig.KindAnd && !support[n] {
			return fmt.Errorf("node %d of the invariant is a leaf outside of its support", n)
		}
	}
	return nil
}
