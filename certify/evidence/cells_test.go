package evidence_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"netcov/aiger"
	"netcov/aiger/explicit"
	"netcov/aiger/randaig"
	"netcov/aiger/sim"
	"netcov/certify/evidence"
	"netcov/coverage"
	"netcov/coverage/matrix"
	"netcov/mutant"
	"netcov/netlist"
)

// matrixRun runs the safety properties of a file as a set, with a matrix; nil where it has
// fewer than two that hold, or no latch.
func matrixRun(t *testing.T, r *rand.Rand, f *aiger.File) (*evidence.Run, *matrix.Matrix) {
	t.Helper()
	if len(f.Bads) < 2 || len(f.Latches) == 0 {
		return nil, nil
	}
	n := netlist.FromAIGER(f)
	opt := coverage.Options{Mux: mutant.Mux(r.IntN(2)), Faults: mutant.Standard(), Targets: []mutant.Target{}}
	for i := range f.Latches {
		opt.Targets = append(opt.Targets, mutant.Target{Index: i})
	}
	var all []int
	for i := range f.Bads {
		all = append(all, i)
	}
	set, err := coverage.RunSet(context.Background(), f, n, all, opt)
	if err != nil {
		t.Fatal(err)
	}
	m, err := matrix.Run(context.Background(), f, n, set, opt, matrix.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Properties) < 2 {
		return nil, nil
	}
	return &evidence.Run{Design: f, Name: "random.aag", Scope: scopeOf(opt), Properties: set.Records(opt.Mux), Cells: m.Records(set, opt.Mux)}, m
}

// withMatrix adds what a matrix says to the claims of a run.
func withMatrix(c *evidence.Claims, m *matrix.Matrix) *evidence.Claims {
	c.Matrix = true
	for i := range c.Mutants {
		x := &c.Mutants[i]
		f, _ := mutant.ParseFault(x.Fault)
		x.Fail, x.Unknown = m.Failing(matrix.Mutant{Target: mutant.Target{Gate: x.Node.Kind == "gate", Index: x.Node.Index}, Fault: f})
	}
	return c
}

// TestCells: all cells of a matrix have evidence that stands; a report that says anything
// else of a cell does not stand; and of forged cells only what enumeration finds true does.
func TestCells(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 4))
	shape := randaig.Everything()
	shape.Justice, shape.Fairness, shape.Bads, shape.Outputs = 0, 0, 6, 0
	traces, certificates, refused, harmless := 0, 0, 0, 0
	for range 150 {
		f := randaig.New(r, shape)
		run, m := matrixRun(t, r, f)
		if run == nil {
			continue
		}
		dir := mustWrite(t, run, evidence.WriteOptions{NoMutants: true})
		var forged *evidence.Index
		if err := evidence.Forge(dir, func(index *evidence.Index) { forged = index }); err != nil {
			t.Fatal(err)
		}
		claims := func() *evidence.Claims { return withMatrix(reportOf(dir, forged, f), m) }
		if rep := mustVerify(t, dir, evidence.Options{Claims: claims()}); rep.Outcome != evidence.Stands {
			t.Fatalf("%v, %v", rep.Failures, rep.Partial)
		}
		lie := claims()
		if len(lie.Mutants) == 0 {
			continue
		}
		x, p := &lie.Mutants[r.IntN(len(lie.Mutants))], m.Properties[r.IntN(len(m.Properties))]
		if i := slices.Index(x.Fail, p); i >= 0 {
			x.Fail = slices.Delete(slices.Clone(x.Fail), i, i+1)
		} else {
			x.Fail = append(x.Fail, p)
		}
		if rep := mustVerify(t, dir, evidence.Options{Claims: lie}); rep.Outcome == evidence.Stands {
			t.Fatalf("property %d on %v: a wrong cell of a report stands", p, *x)
		}
		err := evidence.Forge(dir, func(index *evidence.Index) {
			for _, c := range index.Cells {
				if c.Trace != "" {
					traces++
				} else {
					certificates++
				}
			}
			forgeCells(r, index, m.Properties)
			forged = index
		})
		if err != nil {
			t.Fatal(err)
		}
		rep := mustVerify(t, dir, evidence.Options{})
		if rep.Outcome != evidence.Stands {
			refused++
			continue
		}
		harmless++
		for _, c := range forged.Cells {
			for _, n := range c.Mutants {
				for _, p := range c.Properties {
					if fails := failsOn(t, f, p, n); fails != (c.Trace != "") {
						t.Fatalf("a forged cell stands: property %d on %v, fails: %v", p, n, fails)
					}
				}
			}
		}
	}
	t.Log(traces, certificates, refused, harmless)
	if traces == 0 || certificates == 0 || refused == 0 {
		t.Error("the sample says little")
	}
}

// forgeCells changes something about cells.
func forgeCells(r *rand.Rand, x *evidence.Index, properties []int) {
	if len(x.Cells) == 0 {
		return
	}
	c, d := &x.Cells[r.IntN(len(x.Cells))], &x.Cells[r.IntN(len(x.Cells))]
	switch r.IntN(6) {
	case 0:
		c.Properties, d.Properties = d.Properties, c.Properties
	case 1:
		c.Mutants, d.Mutants = d.Mutants, c.Mutants
	case 2:
		c.Properties = []int{properties[r.IntN(len(properties))]}
	case 3:
		c.Trace, d.Trace, c.Certificate, d.Certificate = d.Trace, c.Trace, d.Certificate, c.Certificate
	case 4:
		c.Mutants[0].Fault = mutant.Standard()[r.IntN(3)].String()
	case 5:
		c.Mutants = append(c.Mutants, d.Mutants...)
	}
}

// failsOn answers by enumeration.
func failsOn(t *testing.T, f *aiger.File, property int, n evidence.IndexNode) bool {
	t.Helper()
	kind, _ := mutant.ParseFault(n.Fault)
	mux, _ := mutant.ParseMux(n.Mux)
	fails, err := explicit.Covered(f, property, sim.Fault{Kind: kind, Mux: mux, Var: f.Latches[n.Index].Lit >> 1})
	if err != nil {
		t.Fatal(err)
	}
	return fails
}

// TestOddCells: an index whose cells make no sense is refused.
func TestOddCells(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 5))
	shape := randaig.Everything()
	shape.Justice, shape.Fairness, shape.Bads, shape.Outputs = 0, 0, 6, 0
	var run *evidence.Run
	for run == nil || len(run.Cells) == 0 {
		run, _ = matrixRun(t, r, randaig.New(r, shape))
	}
	for want, change := range map[string]func(c *evidence.IndexCells){
		"need mutants":          func(c *evidence.IndexCells) { c.Mutants = nil },
		"or a certificate":      func(c *evidence.IndexCells) { c.Trace, c.Certificate = "", nil },
		"with one property":     func(c *evidence.IndexCells) { c.Properties = nil },
		"is no safety property": func(c *evidence.IndexCells) { c.Properties = []int{99} },
		"is out of order":       func(c *evidence.IndexCells) { c.Properties = []int{-1} },
		"is listed twice":       func(c *evidence.IndexCells) { c.Mutants = append(c.Mutants, c.Mutants[0]) },
		"is not of the scope": func(c *evidence.IndexCells) {
			c.Mutants[0].Mux = map[string]string{"output": "next", "next": "output"}[c.Mutants[0].Mux]
		},
		"unknown fault": func(c *evidence.IndexCells) { c.Mutants[0].Fault = "two" },
		"unknown kind":  func(c *evidence.IndexCells) { c.Mutants[0].Kind = "input" },
		"999":           func(c *evidence.IndexCells) { c.Mutants[0].Index = 999 },
		"cells/none.wit": func(c *evidence.IndexCells) {
			c.Trace, c.Certificate, c.Properties = "cells/none.wit", nil, c.Properties[:1]
		},
		"belongs to no verdict": func(c *evidence.IndexCells) { *c = evidence.IndexCells{} },
	} {
		dir := mustWrite(t, run, evidence.WriteOptions{})
		if err := evidence.Forge(dir, func(x *evidence.Index) {
			if change(&x.Cells[0]); want == "belongs to no verdict" {
				x.Cells = x.Cells[1:]
			}
		}); err != nil {
			t.Fatal(err)
		}
		rep := mustVerify(t, dir, evidence.Options{})
		if rep.Outcome != evidence.Refused || !slices.ContainsFunc(rep.Failures, func(f evidence.Failure) bool { return strings.Contains(f.String(), want) }) {
			t.Errorf("%s: %s, %v", want, rep.Outcome, rep.Failures)
		}
	}
}
