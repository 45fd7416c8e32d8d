package certify

import (
	"context"
	"fmt"

	"netcov/cert"
	"netcov/mutant"
)

// Pairs of runs: the design and one mutant read the same inputs and start in the same
// state. Invariants of pairs speak of 2·(n+1)+1 latches, n being those of the file: the
// design's, the latch "first frame", the mutant's, that latch again, and the one of a
// mutant that remembers.

// PairFailure says what is wrong with an invariant of a pair.
type PairFailure struct {
	Condition string
	Mutation  Mutation
}

// Error returns one line.
func (f *PairFailure) Error() string {
	return fmt.Sprintf("the invariant of the design and its mutant (%v) fails: %s", f.Mutation, f.Condition)
}

// Pair checks an invariant R of the pair of the design and a mutant: it holds
// initially; it is kept by steps within the constraints on both sides; and where they
// hold, no observation point differs. With same, it must also exclude that the
// constraints hold on one side only. It returns nil, a *PairFailure, or the error that
// kept it from deciding.
func (c *Comparison) Pair(ctx context.Context, inv *cert.Invariant, m Mutation, same bool) error {
	k := c.k
	if k.err != nil {
		return k.err
	}
	v, err := k.variable(m)
	if err != nil {
		return err
	}
	if err := speaksOf(inv, 2*len(k.file.Latches)+2); err != nil {
		return err
	}
	fail := func(condition string) error { return &PairFailure{condition, m} }

	p, err := k.newPair(m, true)
	if err != nil {
		return err
	}
	q := query{c: p.c, kind: k.Solver, cubes: violations(p.c, inv, p.stored)}
	if sat, err := q.possible(ctx); err != nil || sat {
		return orFailure(err, fail("it leaves out an initial state"))
	}

	if p, err = k.newPair(m, false); err != nil {
		return err
	}
	p.share(inv)
	assert(p.c, inv, p.stored)
	holds := []lit{p.constraints(&p.design), p.constraints(&p.mutant)}
	if same {
		q := query{c: p.c, kind: k.Solver, cubes: [][]lit{{-p.c.equal(holds[0], holds[1])}}}
		if sat, err := p.possible(ctx, &q); err != nil || sat {
			return orFailure(err, fail("the constraints can tell the two apart"))
		}
	}
	p.c.add(holds[0])
	p.c.add(holds[1])
	out, err := c.stepsOut(ctx, p, inv)
	if err != nil {
		return err
	}
	q = query{c: p.c, kind: k.Solver, cubes: out}
	if sat, err := q.possible(ctx); err != nil || sat {
		return orFailure(err, fail("a step leads out of it"))
	}
	q = query{c: p.c, kind: k.Solver}
	for _, l := range c.observe.Points(k.file, v) {
		if d := -p.c.equal(p.design.lit(l), p.mutant.lit(l)); d != no {
			q.cubes = append(q.cubes, []lit{d})
		}
	}
	if sat, err := p.possible(ctx, &q); err != nil || sat {
		return orFailure(err, fail("an observation point differs"))
	}
	return nil
}

func orFailure(err, failure error) error {
	if err != nil {
		return err
	}
	return failure
}

// pair is one frame of the design and the same one of the mutant.
type pair struct {
	k              *Checker
	c              *cnf
	design, mutant frame
}

func (k *Checker) newPair(m Mutation, initial bool) (*pair, error) {
	p := &pair{k: k, c: &cnf{vars: 1, gates: map[[2]lit]lit{}}}
	none := &cuts{mark: make([]cutMark, len(k.kind))}
	cut := &cuts{mark: make([]cutMark, len(k.kind))}
	if err := cut.set(k, []Mutation{m}); err != nil {
		return nil, err
	}
	for _, f := range []*frame{&p.design, &p.mutant} {
		*f = frame{
			k: k, c: p.c, cuts: none, initial: initial, seen: make([]lit, len(k.kind)),
			state: make([]lit, len(k.file.Latches)), after: make([]lit, len(k.file.Latches)),
		}
		f.seen[0] = no
	}
	p.mutant.cuts = cut
	for _, l := range k.file.Inputs {
		p.mutant.seen[l>>1] = p.design.lit(l)
	}
	if !initial {
		p.mutant.first = p.design.isFirst()
		return p, nil
	}
	for i := range k.file.Latches {
		p.mutant.state[i] = p.design.stored(i)
	}
	return p, nil
}

// share gives the two sides one literal for each latch that the invariant says to be
// equal, by two clauses. So gates above such latches are the same.
func (p *pair) share(inv *cert.Invariant) {
	n := len(p.k.file.Latches)
	half := make([][2]bool, n) // by latch and sign of the design's literal
	for _, c := range inv.Clauses {
		if len(c) != 2 {
			continue
		}
		a, b := c[0], c[1]
		if a.Latch() > b.Latch() {
			a, b = b, a
		}
		if i := a.Latch(); i < n && b.Latch() == i+n+1 && a.Neg() != b.Neg() {
			sign := 0
			if a.Neg() {
				sign = 1
			}
			half[i][sign] = true
		}
	}
	for i, h := range half {
		if h[0] && h[1] {
			p.mutant.state[i] = p.design.stored(i)
		}
	}
}

// stored returns what a latch of the pair stores.
func (p *pair) stored(i int) lit {
	if n := len(p.k.file.Latches) + 1; i >= n {
		return p.mutant.stored(i - n)
	}
	return p.design.stored(i)
}

// next returns what a latch of the pair stores after the step.
func (p *pair) next(i int) lit {
	if n := len(p.k.file.Latches) + 1; i >= n {
		return p.mutant.next(i - n)
	}
	return p.design.next(i)
}

// constraints returns a literal that holds where all constraints do.
func (p *pair) constraints(f *frame) lit {
	all := yes
	for _, l := range p.k.file.Constraints {
		all = p.c.and(all, f.lit(l))
	}
	return all
}

// possible decides a query whose cubes may be constant.
func (p *pair) possible(ctx context.Context, q *query) (bool, error) {
	var cubes [][]lit
	for _, cube := range q.cubes {
		switch cube[0] {
		case no:
		case yes:
			cubes = append(cubes, nil)
		default:
			cubes = append(cubes, cube)
		}
	}
	q.cubes = cubes
	return q.possible(ctx)
}

// Constant checks that an inductive invariant of the design makes the values of nodes, as
// their readers see them, equal to those of stuck-at faults, within the constraints. It
// returns nil, or what is wrong, or the error that kept it from deciding.
func (c *Comparison) Constant(ctx context.Context, inv *cert.Invariant, ms ...Mutation) error {
	k := c.k
	if k.err != nil || len(ms) == 0 {
		return k.err
	}
	if err := k.wellFormed(inv); err != nil {
		return err
	}
	fail := func(condition string) error {
		return fmt.Errorf("the invariant that makes %v constant fails: %s", ms[0], condition)
	}
	p, err := k.newPair(ms[0], true)
	if err != nil {
		return err
	}
	q := query{c: p.c, kind: k.Solver, cubes: violations(p.c, inv, p.design.stored)}
	if sat, err := q.possible(ctx); err != nil || sat {
		return orFailure(err, fail("it leaves out an initial state"))
	}
	if p, err = k.newPair(ms[0], false); err != nil {
		return err
	}
	f := &p.design
	assert(p.c, inv, f.stored)
	p.c.add(p.constraints(f))
	q = query{c: p.c, kind: k.Solver, cubes: violations(p.c, inv, f.next)}
	if sat, err := q.possible(ctx); err != nil || sat {
		return orFailure(err, fail("a step leads out of it"))
	}
	q = query{c: p.c, kind: k.Solver}
	for _, m := range ms {
		v, err := k.variable(m)
		if err != nil {
			return err
		}
		one, stuck := m.Fault.Stuck()
		if !stuck {
			return fmt.Errorf("%v: no node has the value of that fault always", m)
		}
		value := f.lit(2 * v)
		if !m.Gate && m.place() == mutant.AtNext {
			value = f.next(m.Index)
		}
		if one {
			value = -value
		}
		q.cubes = append(q.cubes, []lit{value})
	}
	if sat, err := p.possible(ctx, &q); err != nil || sat {
		return orFailure(err, fail("a node has the other value in some step"))
	}
	return nil
}
