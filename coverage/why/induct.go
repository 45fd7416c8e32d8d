package why

import (
	"context"
	"time"

	"netcov/aig"
	"netcov/cert"
	"netcov/internal/clock"
	"netcov/sat"
)

// Register correspondence by induction (van Eijk, TCAD 2000), for the design and one
// mutant: the largest set of registers that stay equal. All are assumed to be equal
// but those that simulation has seen differ; a register whose next values can differ
// leaves the set, and so on until none does. The proofs that the properties hold on
// both are assumed as well.

// correspondence asks about one mutant after the other, in one solver.
type correspondence struct {
	d *design
	c *copies
	e *encoder
}

// restart makes a new graph and solver where the old ones have grown too much.
func (k *correspondence) restart() {
	if k.c != nil && k.c.g.Size() < 4*k.c.size+100_000 {
		return
	}
	k.c = newCopies(k.d)
	k.e = newEncoder(k.c.g)
	for _, l := range conjuncts(k.c.g, k.d.Invariant, func(i int) aig.Lit { return k.c.latch[i] }) {
		k.e.require(l, sat.LitUndef)
	}
}

// inductionTime is the most that induction may take for one mutant at first; search
// tries it again.
const inductionTime = 50 * time.Millisecond

// outcome is what induction says of a mutant.
type outcome struct {
	differs   []bool // latches of the model that may differ
	invariant *cert.Invariant
	w, s      bool // the facts that are proved
}

// induct finds the registers that stay equal. It returns nil when ctx ends first.
func (k *correspondence) induct(ctx context.Context, m Mutant, differs []bool) *outcome {
	for {
		k.restart()
		x := k.c.copy(m, differs, false)
		on := k.assume(x)
		var latches []int
		var wrong []aig.Lit
		for i, l := range k.d.model.Latches {
			if !l.InCone || differs[i] {
				continue
			}
			if w := x.differ(l.Next); w != aig.False {
				latches, wrong = append(latches, i), append(wrong, w)
			}
		}
		design, other := x.constraints()
		both := k.c.g.And(design, other)
		status := sat.Unsat
		if len(wrong) > 0 {
			status = k.e.solve(ctx, on, k.e.lit(both), k.e.oneOf(wrong))
		}
		switch status {
		case sat.Unknown:
			return nil
		case sat.Sat:
			for i, w := range wrong {
				if k.e.value(w) {
					differs[latches[i]] = true
				}
			}
			continue
		}
		out := &outcome{differs: differs, invariant: k.d.pairInvariant(m, differs)}
		switch k.e.solve(ctx, on, k.e.lit(both), k.e.lit(x.shows())) {
		case sat.Unknown:
			return nil
		case sat.Unsat:
			out.w = true
			out.s = k.e.solve(ctx, on, k.e.lit(k.c.g.Xor(design, other))) == sat.Unsat
		}
		return out
	}
}

// assume returns a literal under which the mutant's own invariant holds.
func (k *correspondence) assume(x *mutated) sat.Lit {
	on := sat.MkLit(k.e.s.NewVar(), false)
	if x.m.Invariant != nil {
		for _, l := range conjuncts(k.c.g, x.m.Invariant, func(i int) aig.Lit { return x.own[i] }) {
			k.e.require(l, on)
		}
	}
	return on
}

// pairInvariant is the invariant of the pair that induction rests on.
func (d *design) pairInvariant(m Mutant, differs []bool) *cert.Invariant {
	all := []*cert.Invariant{d.Invariant}
	if m.Invariant != nil {
		all = append(all, d.ofMutant(m.Invariant))
	}
	var same [][2]int
	for i, l := range d.model.Latches[:d.latches] {
		if l.InCone && !differs[i] {
			same = append(same, [2]int{i, d.other(i)})
		}
	}
	return cert.Conjunction(append(all, equalities(same))...)
}

// correspond settles the open mutants by induction, as far as it goes. Free faults come
// first: what is proved for one is proved for the node's stuck-at faults.
func (r *run) correspond(ctx context.Context) {
	k := &correspondence{d: r.design}
	for _, x := range r.freeFirst() {
		if ctx.Err() != nil {
			return
		}
		if !x.open() {
			continue
		}
		k.try(ctx, min(r.slice, inductionTime), x)
		if x.induction != nil && x.induction.w && x.constant != maybe {
			r.holds(ctx, x, factW, x.induction.invariant, x.induction.s)
		}
	}
}

// try does the induction for one mutant if it takes no longer than slice.
func (k *correspondence) try(ctx context.Context, slice time.Duration, x *work) {
	ctx, cancel := clock.Limit(ctx, slice)
	defer cancel()
	x.induction = k.induct(ctx, x.m, x.differed.bools(len(k.d.model.Latches)))
	if x.induction == nil {
		k.c = nil // the solver may have much to forget
	}
}
