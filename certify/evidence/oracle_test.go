package evidence_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"netcov/aiger"
	"netcov/aiger/sim"
	"netcov/cert"
	"netcov/certify/evidence"
	"netcov/frontend/yosysmap"
	"netcov/internal/explicit"
	"netcov/internal/randaig"
	"netcov/mutant"
)

// The forger's judge knows nothing of proofs: it enumerates the states of the small
// design and tells whether an index, and a report, say the truth about it, and all
// of it that is due.

// honest is a run on a random design with all that a forger may use.
type honest struct {
	run    *evidence.Run
	dir    string // its evidence
	design string // path of the design
	truth  map[verdict]bool
	holds  []bool // by property
}

// verdict is a question: does the property fail on the mutant?
type verdict struct {
	property   int
	kind       string
	index      int
	fault, mux string
}

// newHonest draws a design, as an AIGER file on the disk, runs, and writes the
// evidence; nil where the design has no property or no node.
func newHonest(t testing.TB, r *rand.Rand, shape randaig.Shape) *honest {
	t.Helper()
	shape.Justice, shape.Fairness = 0, 0
	h := &honest{design: filepath.Join(t.TempDir(), "given.aag"), truth: map[verdict]bool{}}
	if err := aiger.WriteFile(h.design, randaig.New(r, shape)); err != nil {
		t.Fatal(err)
	}
	f, err := aiger.ReadFile(h.design, aiger.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if h.run = runOn(t, r, f); h.run == nil {
		return nil
	}
	if h.run.Source, err = os.ReadFile(h.design); err != nil {
		t.Fatal(err)
	}
	h.dir = mustWrite(t, h.run, evidence.WriteOptions{NoMutants: r.IntN(2) == 0})
	lits, _, _ := f.Properties()
	for i := range lits {
		h.holds = append(h.holds, !explicit.Fails(f, i))
	}
	return h
}

// fails answers by enumeration.
func (h *honest) fails(t testing.TB, v verdict) bool {
	t.Helper()
	if known, ok := h.truth[v]; ok {
		return known
	}
	f := h.run.Design
	fault := sim.Fault{Kind: map[string]mutant.Fault{"zero": mutant.Zero, "one": mutant.One, "nondet": mutant.Nondet}[v.fault]}
	if v.mux == "next" {
		fault.Mux = mutant.AtNext
	}
	if v.kind == "latch" {
		fault.Var = f.Latches[v.index].Lit >> 1
	} else {
		for i, a := range f.Ands {
			if f.AndPosition(i) == v.index {
				fault.Var = a.Lhs >> 1
			}
		}
	}
	fails, err := explicit.Covered(f, v.property, fault)
	if err != nil {
		t.Fatal(err)
	}
	h.truth[v] = fails
	return fails
}

// lies tells what an index says wrongly of the design, or leaves out of what is
// due; "" for nothing.
func (h *honest) lies(t testing.TB, x *evidence.Index) string {
	t.Helper()
	scope := x.Scope
	if scope == nil {
		scope = &evidence.Scope{Nodes: []string{"latch", "gate"}, Faults: []string{"zero", "one", "nondet"}, Mux: h.run.Scope.Mux}
	}
	if x.Design.SHA256 != h.run.Design.SHA256 {
		return "another design"
	}
	said := map[int]cert.Status{}
	verdicts := map[verdict]evidence.Verdict{}
	_, names, kind := h.run.Design.Properties()
	for _, p := range x.Properties {
		if _, twice := said[p.Index]; twice || p.Index < 0 || p.Index >= len(h.holds) {
			return fmt.Sprintf("property %d", p.Index)
		}
		if p.Kind != kind || p.Name != names[p.Index] {
			return fmt.Sprintf("name of property %d", p.Index)
		}
		said[p.Index] = p.Status
		for _, m := range p.Mutants {
			k := verdict{p.Index, m.Kind, m.Index, m.Fault, m.Mux}
			if verdicts[k] != "" {
				return fmt.Sprintf("%v twice", k)
			}
			verdicts[k] = m.Verdict
		}
	}
	judged := 0
	for i, holds := range h.holds {
		if due := map[bool]cert.Status{true: cert.Holds, false: cert.Fails}[holds]; said[i] != due {
			return fmt.Sprintf("property %d is said to be %q", i, said[i])
		}
		if !holds {
			continue
		}
		for _, kind := range scope.Nodes {
			for at := range map[string]int{"latch": len(h.run.Design.Latches), "gate": len(h.run.Design.Ands)}[kind] {
				for _, fault := range scope.Faults {
					k := verdict{i, kind, at, fault, scope.Mux}
					due := map[bool]evidence.Verdict{true: evidence.Covered, false: evidence.NotCovered}[h.fails(t, k)]
					if verdicts[k] != due {
						return fmt.Sprintf("%v is said to be %q", k, verdicts[k])
					}
					judged++
				}
			}
		}
	}
	if judged != len(verdicts) {
		return "more mutants than there are"
	}
	for _, n := range x.Labels {
		symbol := ""
		if n.Kind == "latch" && n.Index >= 0 && n.Index < len(h.run.Design.Latches) {
			symbol = h.run.Design.Symbols.Latches[n.Index]
		}
		if n.Inverted || n.Kind != evidence.KindProperty && n.Name != symbol {
			return fmt.Sprintf("label %v", n)
		}
	}
	return ""
}

// disagrees tells in what a report's mutants are not those of an index.
func disagrees(x *evidence.Index, c *evidence.Claims) bool {
	var a, b []string
	for _, p := range x.Properties {
		for _, m := range p.Mutants {
			a = append(a, fmt.Sprint(p.Index, m.Kind, m.Index, m.Fault, m.Mux, m.Verdict))
		}
		a = append(a, fmt.Sprint(p.Index, p.Status))
	}
	for _, m := range c.Mutants {
		b = append(b, fmt.Sprint(m.Property, m.Node.Kind, m.Node.Index, m.Fault, c.Mux, m.Verdict))
	}
	for _, p := range c.Properties {
		b = append(b, fmt.Sprint(p.Index, p.Status))
	}
	slices.Sort(a)
	slices.Sort(b)
	return !slices.Equal(a, b)
}

// reportOf returns a report that says what an index says, whatever that is.
func reportOf(dir string, x *evidence.Index, f *aiger.File) *evidence.Claims {
	c := &evidence.Claims{
		Where: "report.json", Design: evidence.IndexDesign{Name: x.Design.Name, SHA256: x.Design.SHA256},
		Inputs: len(f.Inputs), Latches: len(f.Latches), Ands: len(f.Ands), Constraints: len(f.Constraints), Mux: "output",
		Faults: []string{"zero", "one", "nondet"},
	}
	if x.Scope != nil {
		c.Mux, c.Faults = x.Scope.Mux, x.Scope.Faults
	}
	labels := map[string]evidence.Label{}
	for _, n := range x.Labels {
		labels[fmt.Sprint(n.Kind, n.Index)] = n
	}
	depth := func(path string) *int {
		data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(path)))
		if path == "" || err != nil {
			return nil
		}
		ws, err := aiger.ReadWitnesses(bytes.NewReader(data), path, nil)
		if err != nil {
			return nil
		}
		last := len(ws[0].Inputs) - 1
		return &last
	}
	for _, p := range x.Properties {
		c.Properties = append(c.Properties, evidence.ClaimedProperty{Index: p.Index, Kind: p.Kind, Name: p.Name, Status: p.Status, Depth: depth(p.Trace)})
		for _, m := range p.Mutants {
			c.Mux = m.Mux
			out := evidence.ClaimedMutant{
				Node: evidence.Label{Kind: m.Kind, Index: m.Index}, Fault: m.Fault, Property: p.Index, Verdict: m.Verdict, Depth: depth(m.Trace),
			}
			switch {
			case m.Kind == "gate":
				for i, a := range f.Ands {
					if f.AndPosition(i) == m.Index {
						out.Literal = a.Lhs
					}
				}
			case m.Index >= 0 && m.Index < len(f.Latches):
				out.Literal, out.Node.Name = f.Latches[m.Index].Lit, f.Symbols.Latches[m.Index]
				if out.Node.Name != "" {
					o := yosysmap.ParseSymbol(out.Node.Name)
					out.Node.Register, out.Node.Instance = o.Register, o.Instance
				}
			}
			if n, ok := labels[fmt.Sprint(m.Kind, m.Index)]; ok {
				out.Node = n
			}
			if m.Trace != "" {
				out.Evidence = "trace"
			} else if m.Certificate != nil {
				out.Evidence = "invariant"
			}
			c.Mutants = append(c.Mutants, out)
		}
	}
	for _, g := range x.Gaps { // what the report makes of a property without evidence
		c.Properties = append(c.Properties, evidence.ClaimedProperty{Index: g.Index, Kind: g.Kind, Name: g.Name, Status: cert.Holds})
	}
	return c
}

// outcome verifies a directory beside its design and a report.
func (h *honest) outcome(t testing.TB, dir string, c *evidence.Claims, design string) *evidence.Report {
	t.Helper()
	rep, err := evidence.Verify(context.Background(), dir, evidence.Options{Jobs: 1, Claims: c, Design: design})
	if err != nil {
		t.Fatal(err)
	}
	return rep
}
