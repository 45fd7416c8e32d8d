package proof

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"netcov/sat"
)

// randomCircuit is a random and-inverter graph as clauses: gate v is the
// conjunction of two earlier literals.
type randomCircuit struct {
	inputs int
	gates  [][2]sat.Lit // of variable inputs+i
}

func newRandomCircuit(r *rand.Rand, inputs, gates int) *randomCircuit {
	c := &randomCircuit{inputs: inputs}
	for i := range gates {
		n := inputs + i
		c.gates = append(c.gates, [2]sat.Lit{randomLit(r, n), randomLit(r, n)})
	}
	return c
}

func (c *randomCircuit) vars() int { return c.inputs + len(c.gates) }

func (c *randomCircuit) addTo(add func(lits ...sat.Lit)) {
	for i, g := range c.gates {
		out := sat.MkLit(sat.Var(c.inputs+i), false)
		add(out.Not(), g[0])
		add(out.Not(), g[1])
		add(out, g[0].Not(), g[1].Not())
	}
}

// cone returns the variables that the roots depend on.
func (c *randomCircuit) cone(roots []sat.Lit) []sat.Var {
	in := make([]bool, c.vars())
	for _, l := range roots {
		in[l.Var()] = true
	}
	var cone []sat.Var
	for v := c.vars() - 1; v >= 0; v-- {
		if in[v] {
			cone = append(cone, sat.Var(v))
			if g := v - c.inputs; g >= 0 {
				in[c.gates[g][0].Var()] = true
				in[c.gates[g][1].Var()] = true
			}
		}
	}
	return cone
}

// eval returns the values of all variables under the inputs.
func (c *randomCircuit) eval(inputs uint32) []bool {
	val := make([]bool, c.vars())
	for v := range c.inputs {
		val[v] = inputs>>v&1 == 1
	}
	for i, g := range c.gates {
		val[c.inputs+i] = val[g[0].Var()] != g[0].Neg() && val[g[1].Var()] != g[1].Neg()
	}
	return val
}

// TestDomain runs an IC3-like load, many small queries over cones with lemmas
// over the inputs under activation literals, and compares restricted answers
// with enumeration of the circuit's inputs.
func TestDomain(t *testing.T) {
	for _, logged := range []bool{false, true} {
		for seed := range rounds(t, 400) {
			domainRun(t, uint64(seed), logged)
		}
	}
}

func domainRun(t *testing.T, seed uint64, logged bool) {
	r := rand.New(rand.NewPCG(seed, 13))
	ctx := context.Background()
	c := newRandomCircuit(r, 2+r.IntN(6), 1+r.IntN(30))
	s := NewCDCL(Options{Log: logged, reduceFirst: 1 + r.IntN(20), reduceStep: 1, logCompactBytes: 1, Eliminate: r.IntN(2) == 0})
	s.elimMin, s.elimEffort = r.IntN(10), 0
	for range c.vars() {
		s.NewVar()
	}
	var added [][]sat.Lit
	add := func(lits ...sat.Lit) {
		s.AddClauseTagged(int32(10+len(added)), lits...)
		added = append(added, slices.Clone(lits))
	}
	c.addTo(add)
	act := []sat.Lit{sat.MkLit(s.NewVar(), false), sat.MkLit(s.NewVar(), false)}
	var lemmas [2][][]sat.Lit // under act[i]
	var always [][]sat.Lit
	eval := func(inputs uint32) []bool { return append(c.eval(inputs), false, false) }
	satisfies := func(val []bool, cl []sat.Lit) bool {
		return slices.ContainsFunc(cl, func(l sat.Lit) bool { return val[l.Var()] != l.Neg() })
	}
	for range 25 {
		if r.IntN(3) == 0 { // a lemma over the inputs
			k := r.IntN(2)
			cl := randomClause(r, c.inputs, 4)
			lemmas[k] = append(lemmas[k], cl)
			add(append([]sat.Lit{act[k].Not()}, cl...)...)
		}
		if r.IntN(40) == 0 { // a constraint for good, over the inputs
			cl := randomClause(r, c.inputs, 3)
			always = append(always, cl)
			add(cl...)
		}
		if r.IntN(10) == 0 {
			s.Simplify()
		}
		var roots, assumps, clause []sat.Lit
		for range 1 + r.IntN(3) {
			l := randomLit(r, c.vars())
			roots = append(roots, l)
			assumps = append(assumps, l)
		}
		used := always
		for k, a := range act {
			if r.IntN(2) == 0 {
				assumps = append(assumps, a)
				used = append(slices.Clone(used), lemmas[k]...)
			}
		}
		if r.IntN(2) == 0 {
			clause = randomClause(r, c.vars(), 3)
			roots = append(roots, clause...)
			used = append(slices.Clone(used), clause)
		}
		// Lemmas and constraints speak of inputs: they belong to the domain.
		domain := c.cone(roots)
		for v := range c.inputs {
			if !slices.Contains(domain, sat.Var(v)) {
				domain = append(domain, sat.Var(v))
			}
		}
		possible := func(assumps []sat.Lit) bool {
			for m := range uint32(1) << c.inputs {
				val := eval(m)
				for k := range act {
					val[act[k].Var()] = true
				}
				if !slices.ContainsFunc(used, func(cl []sat.Lit) bool { return !satisfies(val, cl) }) &&
					!slices.ContainsFunc(assumps, func(l sat.Lit) bool { return val[l.Var()] == l.Neg() }) {
					return true
				}
			}
			return false
		}
		want := sat.Unsat
		if possible(assumps) {
			want = sat.Sat
		}
		var got sat.Status
		plain := r.IntN(4) == 0
		switch {
		case plain && clause == nil:
			got = s.Solve(ctx, assumps...)
		case clause == nil:
			got = s.SolveDomain(ctx, domain, assumps...)
		default:
			s.SetDomain(domain)
			got = s.SolveWithClause(ctx, clause, assumps...)
			s.domOnce = true // as SolveDomain does: the next query is free
		}
		if got != want {
			t.Fatalf("seed %d: got %v, want %v", seed, got, want)
		}
		if got == sat.Unsat {
			if possible(s.Failed()) {
				t.Fatalf("seed %d: failed %v of %v do not suffice", seed, s.Failed(), assumps)
			}
			if logged {
				checkProof(t, s, added)
			}
			continue
		}
		// The inputs of the model must give the values of the whole domain.
		var m uint32
		for v := range c.inputs {
			if s.Value(sat.MkLit(sat.Var(v), false)) {
				m |= 1 << v
			}
		}
		val := eval(m)
		for _, v := range domain {
			if s.Value(sat.MkLit(v, false)) != val[v] {
				t.Fatalf("seed %d: variable %d is wrong in the model", seed, v)
			}
		}
		for _, l := range assumps {
			if !s.Value(l) {
				t.Fatalf("seed %d: assumption %d is false in the model", seed, l)
			}
		}
		for _, cl := range used {
			if !satisfies(val, cl) {
				t.Fatalf("seed %d: clause %v is false in the model", seed, cl)
			}
		}
	}
}

// TestDomainTouchesOnlyDomain asks a query over one of many separate cones and
// checks that the others stay unassigned.
func TestDomainTouchesOnlyDomain(t *testing.T) {
	s := NewCDCL(Options{})
	var roots []sat.Lit
	var cones [][]sat.Var
	for range 100 {
		a, b, g := s.NewVar(), s.NewVar(), s.NewVar()
		out := sat.MkLit(g, false)
		s.AddClause(out.Not(), sat.MkLit(a, false))
		s.AddClause(out.Not(), sat.MkLit(b, false))
		s.AddClause(out, sat.MkLit(a, true), sat.MkLit(b, true))
		roots = append(roots, out)
		cones = append(cones, []sat.Var{a, b, g})
	}
	if s.SolveDomain(context.Background(), cones[5], roots[5].Not()) != sat.Sat {
		t.Fatal("not satisfiable")
	}
	if s.tail != 3 {
		t.Errorf("%d variables assigned", s.tail)
	}
	if s.Solve(context.Background(), roots[5].Not()) != sat.Sat || s.tail != 300 {
		t.Errorf("%d variables assigned without domain", s.tail)
	}
	s.SetDomain(slices.Concat(cones[1], cones[2]))
	if s.Solve(context.Background()) != sat.Sat || s.tail != 6 {
		t.Errorf("%d variables assigned in two cones", s.tail)
	}
	s.ClearDomain()
	if s.Solve(context.Background()) != sat.Sat || s.tail != 300 {
		t.Errorf("%d variables assigned after ClearDomain", s.tail)
	}
}

// TestQueriesDoNotAllocate holds small queries to no allocation at all.
func TestQueriesDoNotAllocate(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	c := newRandomCircuit(r, 30, 2000)
	s := NewCDCL(Options{})
	for range c.vars() {
		s.NewVar()
	}
	c.addTo(s.AddClause)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	root := sat.MkLit(sat.Var(c.vars()-1), true)
	domain := c.cone([]sat.Lit{root})
	clause := []sat.Lit{sat.MkLit(0, false), sat.MkLit(1, true)}
	assumps := []sat.Lit{root, sat.MkLit(2, false)}
	query := func() {
		s.SetDomain(domain)
		s.SolveWithClause(ctx, clause, assumps...)
		s.SolveDomain(ctx, domain, assumps...)
	}
	for range 3000 {
		query()
	}
	if n := testing.AllocsPerRun(1000, query); n > 0 {
		t.Errorf("%v allocations a query", n)
	}
	if n := s.NumVars(); n != c.vars()+1 {
		t.Errorf("%d variables after the queries, %d before", n, c.vars())
	}
}
