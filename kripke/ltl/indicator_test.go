package ltl

import (
	"context"
	"math/rand/v2"
	"testing"

	"netcov/kripke/automaton"
	"netcov/kripke/bdd"
	"netcov/kripke/formula"
	"netcov/kripke/ltl/mu"
	"netcov/kripke/structure"
	"netcov/kripke/symbolic"
)

// TestIndicator compares the states that satisfy the indicator, as a system of
// equations and as one closed formula, with the product algorithm; with explicit
// sets and with decision diagrams.
func TestIndicator(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 0))
	ctx := context.Background()
	covered, closedForms, depth := 0, 0, [3]int{}
	for range *count * 2 {
		k, f, wrong := randomCase(t, rng)
		ck := checkedModel(t, k, wrong)
		for _, signal := range k.AP {
			want := byProduct(t, ck, NodeCoverage, signal)
			covered += want.Count()
			ind := NewIndicator(wrong, signal, len(k.Fair))
			depth[ind.System.AlternationDepth()]++
			model := mu.Explicit{K: k, Ctx: ctx}
			got, err := mu.Solve(model, ind.System)
			if err != nil {
				t.Fatal(err)
			}
			if !got.Equal(want) {
				t.Fatalf("the indicator of %s holds in %v, node covered are %v\n%s%s", signal, got.List(), want.List(), describe(k, f), ind)
			}
			closed := ind.System.Formula(2000)
			if closed == nil {
				continue
			}
			closedForms++
			if got, err = mu.Evaluate(model, closed); err != nil || !got.Equal(want) {
				t.Fatalf("%v: the closed indicator of %s holds in %v, node covered are %v\n%s%s\n%s", err, signal, got.List(), want.List(), describe(k, f), ind, closed)
			}
			if len(k.Fair) > 0 {
				continue
			}
			sys, err := symbolic.FromStructure(k, bdd.Options{})
			if err != nil {
				t.Fatal(err)
			}
			set, err := mu.Solve(mu.Symbolic{Sys: sys}, ind.System)
			if err != nil {
				t.Fatal(err)
			}
			if codes := structure.SetOf(k.Len(), sys.Codes(0, set)...); !codes.Equal(want) {
				t.Fatalf("with decision diagrams the indicator of %s holds in %v, node covered are %v", signal, codes.List(), want.List())
			}
		}
	}
	t.Logf("%d covered states; %d closed formulas; alternation depths 0, 1, 2: %v", covered, closedForms, depth)
	if covered == 0 || closedForms == 0 || depth[2] == 0 {
		t.Errorf("the sample is one-sided")
	}
}

// TestIndicatorDepth checks that safety formulas have alternation-free
// indicators, and liveness formulas those of depth 2 (CKKV01 section 4).
func TestIndicatorDepth(t *testing.T) {
	for _, test := range []struct {
		text  string
		depth int
	}{
		{"G q", 1},
		{"G (p -> X q)", 1},
		{"p W q", 1},
		{"G (p -> (q W p))", 1},
		{"p & X q", 1},
		{"G (p -> F q)", 1}, // its automaton is weak
		{"G F q", 1},
		{"F G q", 2},
		{"G F p -> G F q", 2},
	} {
		f, err := formula.Parse(test.text, formula.LTL)
		if err != nil {
			t.Fatal(err)
		}
		a, err := automaton.FromLTL(formula.Not(f), automaton.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if d := NewIndicator(a, "q", 0).System.AlternationDepth(); d > test.depth {
			t.Errorf("%s: alternation depth %d, at most %d expected", test.text, d, test.depth)
		}
	}
}

// TestIndicatorText pins the printed form for G q. A state is covered when a path
// on which q held leads to it and it has q; or has not, and the path goes wrong
// later, which does not happen where G q holds.
func TestIndicatorText(t *testing.T) {
	f, err := formula.Parse("G q", formula.LTL)
	if err != nil {
		t.Fatal(err)
	}
	ind := NewIndicator(negated(t, f), "q", 0)
	const equations = `R0 =µ init | EY (R0 & q)
A0 =µ q & EX A0 | !q
Plus = R0 & q
Minus = R0 & !q & EX A0
Ind = Plus | Minus
`
	if got := ind.String(); got != equations {
		t.Errorf("the indicator of G q is printed as\n%s", got)
	}
	const want = "(mu R0. init | EY (R0 & q)) & q | (mu R0. init | EY (R0 & q)) & !q & EX (mu A0. q & EX A0 | !q)"
	if got := ind.System.Formula(1000).String(); got != want {
		t.Errorf("the closed indicator of G q is %s", got)
	}
	if f := ind.System.Formula(10); f != nil {
		t.Errorf("a limit of 10 symbols gave %s", f)
	}
}
