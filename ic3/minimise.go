package ic3

import (
	"context"
	"math/rand/v2"
	"slices"

	"netcov/cert"
	"netcov/ic3/internal/framesat"
	"netcov/netlist"
	"netcov/sat"
)

// minimiser looks for a small subset of an invariant's clauses that still is an
// invariant and proves the property (Ivrii, Gurfinkel, Belov: Small inductive
// safe invariants, FMCAD 2014). Each clause has an activation literal; a clause
// is needed when the core of the safety query, or of the consecution of a needed
// clause, has it.
type minimiser struct {
	e     *Engine
	cubes []cube
	act   []sat.Lit
	need  []bool
	order []int
}

// Minimise returns an invariant with fewer clauses, and shorter ones, that
// proves the property like the one given, which must be an inductive invariant
// of clauses that proves it. Where it is not, or has formulas, or ctx ends
// first, the invariant is returned as it is, with false. Of the options only
// Check counts.
func Minimise(ctx context.Context, m *netlist.Model, inv *cert.Invariant, opt Options) (*cert.Invariant, bool) {
	if len(inv.Formulas) > 0 {
		return inv, false
	}
	return newEngine(m, Options{Check: opt.Check}, len(inv.Clauses)).minimise(ctx, inv)
}

// Minimise makes the invariant of a finished run smaller, as the function of
// that name does, without encoding the model anew. The run must have ended with
// Holds.
func (e *Engine) Minimise(ctx context.Context) (*cert.Invariant, bool) {
	inv := e.result.Invariant
	fresh := fromTemplate(e.m, Options{Check: e.opt.Check}, e.t.reduced(inv, len(inv.Clauses)))
	return fresh.minimise(ctx, inv)
}

// minimise works in an engine that has not run, with a spare variable for each
// clause.
func (e *Engine) minimise(ctx context.Context, inv *cert.Invariant) (*cert.Invariant, bool) {
	e.begin(ctx, Budget{})
	z := &minimiser{e: e}
	for _, c := range inv.Clauses {
		q := e.asCube(c)
		if q == nil {
			return inv, false
		}
		z.cubes = append(z.cubes, q)
	}
	for i := range z.cubes {
		z.act = append(z.act, sat.MkLit(e.t.extra+sat.Var(i), false))
		z.order = append(z.order, i)
	}
	z.addClauses(z.order)
	slices.SortStableFunc(z.order, func(a, b int) int { return len(z.cubes[a]) - len(z.cubes[b]) })
	const rounds = 3
	rng := rand.New(rand.NewPCG(uint64(len(z.cubes)), 0))
	for range rounds {
		before := len(z.order)
		if !z.closure() {
			return inv, false
		}
		if len(z.order) == before {
			break
		}
		rng.Shuffle(len(z.order), func(i, j int) { z.order[i], z.order[j] = z.order[j], z.order[i] })
	}
	out := &cert.Invariant{}
	slices.Sort(z.order)
	for _, i := range z.order {
		l := lemma{cube: z.cubes[i]}
		out.Clauses = append(out.Clauses, l.clause())
	}
	e.opt.checkInvariant(ctx, e.m, out)
	return out, true
}

func (z *minimiser) addClauses(which []int) {
	for _, i := range which {
		z.e.s.AddLemma(append(z.e.negation(z.cubes[i]), z.act[i]^1), framesat.TagInf)
	}
}

// closure replaces the order by the clauses that the property needs.
func (z *minimiser) closure() bool {
	z.need = make([]bool, len(z.cubes))
	var list []int
	if !z.query(&list, z.e.t.bad, nil) {
		return false
	}
	for k := 0; k < len(list); k++ {
		i := list[k]
		if !z.query(&list, sat.LitUndef, z.cubes[i]) {
			return false
		}
		// Literals that the refutation did not need go.
		if c := z.e.core(z.cubes[i]); len(c) < len(z.cubes[i]) {
			z.cubes[i] = c
			z.addClauses([]int{i})
		}
	}
	z.order = list
	return true
}

// query refutes a bad state or a step into a cube, and appends the clauses that
// were needed for the first time. The needed ones are tried alone first.
func (z *minimiser) query(list *[]int, bad sat.Lit, c cube) bool {
	for _, all := range []bool{false, true} {
		as := make([]sat.Lit, 0, len(z.order)+len(c)+1)
		if bad != sat.LitUndef {
			as = append(as, bad)
		}
		for _, l := range c {
			as = append(as, z.e.nextLit(l))
		}
		for _, i := range *list {
			as = append(as, z.act[i])
		}
		if all {
			for _, i := range z.order {
				if !z.need[i] {
					as = append(as, z.act[i])
				}
			}
		}
		switch z.e.s.Solve(framesat.TagInf, as, nil) {
		case sat.Unknown:
			return false
		case sat.Unsat:
			for _, i := range z.order {
				if !z.need[i] && z.e.s.InCore(z.act[i]) {
					z.need[i] = true
					*list = append(*list, i)
				}
			}
			return true
		}
	}
	return false
}
