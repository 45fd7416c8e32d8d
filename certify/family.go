package certify

import (
	"context"
	"slices"

	"netcov/aig"
	"netcov/cert"
	"netcov/mutant"
)

// A family of invariants is checked in one query. Mutants of one design have
// invariants that are alike: all but a few conjuncts of each are those of the design.
// So each conjunct is encoded once, and stands under the condition that the mutation
// is one of a member that has it; exactly one mutation is active.

// Member is an invariant with the mutants that it is to serve.
type Member struct {
	Invariant *cert.Invariant
	Mutants   []Mutation // one at least
}

// Invariants is Invariant for each member, in the order given. It may be much faster
// than that.
func (k *Checker) Invariants(ctx context.Context, family []Member) error {
	if k.err != nil {
		return k.err
	}
	if len(family) > 1 {
		if ok, err := k.atOnce(ctx, family); ok || err != nil {
			return err
		}
	}
	for _, m := range family {
		if err := k.Invariant(ctx, m.Invariant, m.Mutants); err != nil {
			return err
		}
	}
	return nil
}

// atOnce reports whether one query proves all members. Where it does not, some
// member may be wrong, or need that the constraints hold after the step, too.
func (k *Checker) atOnce(ctx context.Context, family []Member) (bool, error) {
	var all []Mutation
	for _, m := range family {
		if err := k.wellFormed(m.Invariant); err != nil {
			return false, err
		}
		all = append(all, m.Mutants...)
	}
	s := k.getScratch()
	defer k.scratch.Put(s)
	if err := s.cuts.set(k, all); err != nil {
		return false, err
	}
	if len(s.cuts.list) < 2 {
		return false, nil
	}
	u := newUnion(family)
	s.restart()
	f, c := &s.frames[0], &s.cnf
	f.initial = true
	start := query{c: c, kind: k.Solver, cubes: violations(c, u.all, f.stored)}
	if sat, err := start.possible(ctx); err != nil || sat {
		return false, err
	}

	s.restart()
	s.cuts.selectors(c)
	var active []lit                       // by mutation
	byMember := make([][]lit, len(family)) // the same, by member
	byCut := map[*cut][]lit{}              // the same, by node
	faults := map[*cut][]choice{}
	for i, m := range family {
		for _, x := range m.Mutants {
			at := s.cuts.at(k, x)
			l := c.fresh()
			active, byMember[i], byCut[at] = append(active, l), append(byMember[i], l), append(byCut[at], l)
			faults[at] = append(faults[at], choice{l, x.Fault})
		}
	}
	c.exactlyOne(active)
	for _, at := range s.cuts.list {
		for _, l := range byCut[at] {
			c.add(-l, at.sel)
		}
		c.add(append(slices.Clone(byCut[at]), -at.sel)...)
	}
	now, next := u.literals(c, f.stored), u.literals(c, f.next)
	q := query{c: c, kind: k.Solver}
	for i, of := range u.of {
		if len(of) == len(family) {
			c.add(now[i])
			q.cubes = append(q.cubes, []lit{-next[i]})
			continue
		}
		asked := c.fresh()
		some := []lit{-asked}
		for _, m := range of {
			some = append(some, byMember[m]...)
			for _, l := range byMember[m] {
				c.add(-l, now[i])
			}
		}
		c.add(some...)
		q.cubes = append(q.cubes, []lit{asked, -next[i]})
	}
	for _, l := range k.file.Constraints {
		c.add(f.lit(l))
	}
	for _, l := range k.bads {
		q.cubes = append(q.cubes, []lit{f.lit(l)})
	}
	for _, at := range s.cuts.list {
		for _, x := range faults[at] {
			at.choose(c, x.active, x.fault)
		}
	}
	q.cubes = slices.DeleteFunc(q.cubes, func(cube []lit) bool { return slices.Contains(cube, no) })
	for i, cube := range q.cubes {
		q.cubes[i] = slices.DeleteFunc(cube, func(l lit) bool { return l == yes })
	}
	sat, err := q.possible(ctx)
	return !sat && err == nil, err
}

// choice is a fault of a node that is the one where a literal holds.
type choice struct {
	active lit
	fault  mutant.Fault
}

// at returns the node that a mutation meets.
func (s *cuts) at(k *Checker, m Mutation) *cut {
	v, _ := k.variable(m) // set has asked
	return s.find(v, m)
}

// union is all conjuncts of a family, each once.
type union struct {
	all *cert.Invariant // its clauses, then its formulas, are the conjuncts
	of  [][]int         // by conjunct: the members that have it
}

func newUnion(family []Member) *union {
	var clauses, formulas [][]int
	g := aig.NewGraph()
	u := &union{all: &cert.Invariant{Graph: g}}
	clauseAt, formulaAt, latchAt := map[string]int{}, map[aig.Lit]int{}, map[int]aig.Lit{}
	note := func(of *[]int, member int) {
		if n := len(*of); n == 0 || (*of)[n-1] != member {
			*of = append(*of, member)
		}
	}
	for m, x := range family {
		inv := x.Invariant
		for _, clause := range inv.Clauses {
			key := clauseKey(clause)
			i, known := clauseAt[key]
			if !known {
				i = len(clauses)
				clauseAt[key] = i
				clauses = append(clauses, nil)
				u.all.Clauses = append(u.all.Clauses, clause)
			}
			note(&clauses[i], m)
		}
		if len(inv.Formulas) == 0 {
			continue
		}
		to := make([]aig.Lit, inv.Graph.Size())
		for _, s := range inv.Support {
			l, known := latchAt[s.Latch]
			if !known {
				l = g.Latch()
				latchAt[s.Latch] = l
				u.all.Support = append(u.all.Support, cert.SupportLatch{Lit: l, Latch: s.Latch})
			}
			to[s.Lit.Node()] = l
		}
		edge := func(l aig.Lit) aig.Lit { return to[l.Node()] ^ l&1 }
		for _, n := range conjunctCone(inv) {
			if inv.Graph.Kind(n) == aig.KindAnd {
				a, b := inv.Graph.Fanins(n)
				to[n] = g.And(edge(a), edge(b))
			}
		}
		for _, l := range inv.Formulas {
			i, known := formulaAt[edge(l)]
			if !known {
				i = len(formulas)
				formulaAt[edge(l)] = i
				formulas = append(formulas, nil)
				u.all.Formulas = append(u.all.Formulas, edge(l))
			}
			note(&formulas[i], m)
		}
	}
	u.of = append(clauses, formulas...)
	return u
}

// literals returns a literal for each conjunct in a state.
func (u *union) literals(c *cnf, state func(int) lit) []lit {
	var out []lit
	for _, clause := range u.all.Clauses {
		violated := yes
		for _, l := range clause {
			violated = c.and(violated, -stateLit(l, state))
		}
		out = append(out, -violated)
	}
	return append(out, formulas(c, u.all, state)...)
}

// clauseKey is the same for clauses of the same literals.
func clauseKey(clause cert.Clause) string {
	sorted := slices.Sorted(slices.Values(clause))
	b := make([]byte, 0, 4*len(sorted))
	for _, l := range slices.Compact(sorted) {
		b = append(b, byte(l), byte(l>>8), byte(l>>16), byte(l>>24))
	}
	return string(b)
}
