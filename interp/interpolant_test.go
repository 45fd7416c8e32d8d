package interp

import (
	"context"
	"math/rand/v2"
	"testing"

	"netcov/aig"
	"netcov/proof"
	"netcov/sat"
)

// cnf is a random formula in parts: a list of clauses for each.
type cnf struct {
	vars  int
	parts [][][]sat.Lit
}

// randomCNF makes a formula near the threshold of satisfiability.
func randomCNF(r *rand.Rand, parts int) cnf {
	f := cnf{vars: 3 + r.IntN(8), parts: make([][][]sat.Lit, parts)}
	for range 4*f.vars + r.IntN(3*f.vars) {
		var c []sat.Lit
		for range 1 + r.IntN(3) {
			c = append(c, sat.MkLit(sat.Var(r.IntN(f.vars)), r.IntN(2) == 1))
		}
		p := r.IntN(parts)
		f.parts[p] = append(f.parts[p], c)
	}
	return f
}

// holds evaluates some parts.
func (f cnf) holds(assignment, from, to int) bool {
	for _, part := range f.parts[from:to] {
		for _, c := range part {
			ok := false
			for _, l := range c {
				ok = ok || assignment>>l.Var()&1 == 1 != l.Neg()
			}
			if !ok {
				return false
			}
		}
	}
	return true
}

// span gives the first and the last part that each variable occurs in.
func (f cnf) span() (first, last []int) {
	first, last = make([]int, f.vars), make([]int, f.vars)
	for i := range first {
		first[i] = len(f.parts)
		last[i] = -1
	}
	for p, part := range f.parts {
		for _, c := range part {
			for _, l := range c {
				first[l.Var()] = min(first[l.Var()], p)
				last[l.Var()] = max(last[l.Var()], p)
			}
		}
	}
	return first, last
}

// refute returns the formula's proof, nil when it is satisfiable.
func (f cnf) refute() *proof.Proof {
	s := proof.NewCDCL(proof.Options{Log: true})
	for range f.vars {
		s.NewVar()
	}
	for p, part := range f.parts {
		for _, c := range part {
			s.AddClauseTagged(int32(p), c...)
		}
	}
	if s.Solve(context.Background()) != sat.Unsat {
		return nil
	}
	return s.Proof()
}

// formula is an interpolant over the variables of a CNF, one input for each.
type formula struct {
	g     *aig.Graph
	edges []aig.Lit
}

func newFormula(vars int) formula {
	f := formula{g: aig.NewGraph()}
	for range vars {
		f.edges = append(f.edges, f.g.Input())
	}
	return f
}

func (f formula) eval(root aig.Lit, assignment int) bool {
	values := make([]bool, f.g.Size())
	for i, e := range f.edges {
		values[e.Node()] = assignment>>i&1 == 1
	}
	for n := range aig.Node(f.g.Size()) {
		if f.g.Kind(n) == aig.KindAnd {
			a, b := f.g.Fanins(n)
			values[n] = values[a.Node()] != a.Neg() && values[b.Node()] != b.Neg()
		}
	}
	return values[root.Node()] != root.Neg()
}

// TestInterpolantProperties checks the three defining properties of interpolants
// (DAC10, definition 1) on random formulas by
// enumeration.
func TestInterpolantProperties(t *testing.T) {
	proofs := 0
	for seed := range uint64(tries(6000)) {
		r := rand.New(rand.NewPCG(seed, 2))
		f := randomCNF(r, 2)
		p := f.refute()
		if p == nil {
			continue
		}
		proofs++
		first, last := f.span()
		form := newFormula(f.vars)
		b := NewBuilder(form.g, Partition{
			Clause: func(tag int32) Side { return Side(tag) },
			Var: func(v sat.Var) Side {
				switch {
				case last[v] == 0:
					return SideA
				case first[v] == 1:
					return SideB
				}
				return Shared
			},
			Edge: func(v sat.Var) aig.Lit { return form.edges[v] },
		})
		root := b.Interpolant(p, nil)
		for _, n := range form.g.Cone(root) {
			for v, e := range form.edges {
				if e.Node() == n && (first[v] != 0 || last[v] != 1) {
					t.Fatalf("seed %d: variable %d is not shared", seed, v)
				}
			}
		}
		for a := range 1 << f.vars {
			v := form.eval(root, a)
			if f.holds(a, 0, 1) && !v {
				t.Fatalf("seed %d: A does not imply the interpolant", seed)
			}
			if f.holds(a, 1, 2) && v {
				t.Fatalf("seed %d: the interpolant does not contradict B", seed)
			}
		}
	}
	if proofs < tries(1000) {
		t.Fatalf("only %d formulas were unsatisfiable", proofs)
	}
}
