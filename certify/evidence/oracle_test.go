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
	"netcov/aiger/explicit"
	"netcov/aiger/randaig"
	"netcov/aiger/sim"
	"netcov/cert"
	"netcov/certify"
	"netcov/certify/evidence"
	"netcov/frontend/yosysmap"
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
	h := &honest{design: filepath.Join(t.TempDir(), "given.aag"), truth: map[verdict]bool{}}
	if err := aiger.WriteFile(h.design, randaig.New(r, shape)); err != nil {
		t.Fatal(err)
	}
	f, err := aiger.ReadFile(h.design, aiger.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if h.run = runOn(t, r, f, false); h.run == nil {
		return nil
	}
	if h.run.Source, err = os.ReadFile(h.design); err != nil {
		t.Fatal(err)
	}
	h.dir = mustWrite(t, h.run, evidence.WriteOptions{NoMutants: r.IntN(2) == 0})
	for i := range propertiesOf(f) {
		h.holds = append(h.holds, !explicit.Fails(f, i))
	}
	return h
}

// named is a property of a design.
type named struct{ kind, name string }

// propertiesOf lists the properties of a design: safety, then justice.
func propertiesOf(f *aiger.File) []named {
	lits, names, kind := f.Properties()
	var out []named
	for i := range lits {
		out = append(out, named{kind, names[i]})
	}
	for i := range f.Justice {
		out = append(out, named{evidence.KindJustice, f.Symbols.Justice[i]})
	}
	return out
}

// fails answers by enumeration.
func (h *honest) fails(t testing.TB, v verdict) bool {
	t.Helper()
	if known, ok := h.truth[v]; ok {
		return known
	}
	f := h.run.Design
	kind, _ := mutant.ParseFault(v.fault)
	fault := sim.Fault{Kind: kind}
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

// widestFaults are the faults that an index without a scope is judged by.
func widestFaults(x *evidence.Index) []string {
	out := []string{"zero", "one", "nondet"}
	for _, p := range x.Properties {
		for _, m := range p.Mutants {
			if !slices.Contains(out, m.Fault) {
				out = append(out, m.Fault)
			}
		}
	}
	return out
}

// lies tells what an index says wrongly of the design, or leaves out of what is
// due; "" for nothing.
func (h *honest) lies(t testing.TB, x *evidence.Index) string {
	t.Helper()
	scope := x.Scope
	if scope == nil {
		scope = &evidence.Scope{Nodes: []string{"latch", "gate"}, Faults: widestFaults(x), Mux: h.run.Scope.Mux}
	}
	if x.Design.SHA256 != h.run.Design.SHA256 {
		return "another design"
	}
	said := map[int]cert.Status{}
	all := propertiesOf(h.run.Design)
	for _, p := range x.Properties {
		for _, at := range append([]int{p.Index}, p.With...) {
			if _, twice := said[at]; twice || at < 0 || at >= len(h.holds) {
				return fmt.Sprintf("property %d", at)
			}
			said[at] = p.Status
		}
		if p.Kind != all[p.Index].kind || p.Name != all[p.Index].name {
			return fmt.Sprintf("name of property %d", p.Index)
		}
	}
	for i, holds := range h.holds {
		if due := map[bool]cert.Status{true: cert.Holds, false: cert.Fails}[holds]; said[i] != due {
			return fmt.Sprintf("property %d is said to be %q", i, said[i])
		}
	}
	verdicts := rulings(x)
	due := map[mutation]bool{}
	if slices.Contains(h.holds, true) {
		for _, kind := range scope.Nodes {
			for at := range map[string]int{"latch": len(h.run.Design.Latches), "gate": len(h.run.Design.Ands)}[kind] {
				if only := scope.Only[kind]; only != nil && !slices.Contains(only, at) {
					continue
				}
				for _, fault := range scope.Faults {
					f, _ := mutant.ParseFault(fault)
					if certify.Has(h.run.Design, certify.Mutation{Gate: kind == "gate", Index: at, Fault: f}) {
						due[mutation{kind, at, fault, scope.Mux}] = true
					}
				}
			}
		}
	}
	for m, list := range verdicts {
		if !due[m] {
			return fmt.Sprintf("%v is not due", m)
		}
		for _, v := range list {
			if v.verdict == mutant.Unknown && !covers(list) {
				return fmt.Sprintf("%v is unknown", m)
			}
			if v.verdict == mutant.Covered && !slices.Contains(v.properties, v.property) {
				return fmt.Sprintf("%v is covered by another property", m)
			}
			for _, p := range v.properties {
				fails := h.fails(t, verdict{p, m.kind, m.index, m.fault, m.mux})
				if v.verdict == mutant.Covered && p == v.property && !fails || v.verdict == mutant.NotCovered && fails {
					return fmt.Sprintf("%v under %v is said to be %q", m, v.properties, v.verdict)
				}
			}
		}
	}
	for m := range due {
		if covers(verdicts[m]) {
			continue
		}
		if p := leftOpen(h.run.Design, x, m, verdicts[m]); p >= 0 {
			return fmt.Sprintf("%v is left out under property %d", m, p)
		}
	}
	if lie := h.wrongReasons(t, x); lie != "" {
		return lie
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

// wrongReasons tells in what the reasons of an index are not true, or not complete; "" for
// nothing. It takes the verdicts to be true.
func (h *honest) wrongReasons(t testing.TB, x *evidence.Index) string {
	t.Helper()
	if x.Reasons == nil {
		return ""
	}
	f := h.run.Design
	points, err := certify.ParseObservation(x.Reasons.Observe)
	if err != nil || points == certify.ObserveDefault {
		return "observation points"
	}
	var held []int
	for i, holds := range h.holds {
		if holds {
			held = append(held, i)
		}
	}
	said := map[mutation]bool{}
	verdicts := rulings(x)
	for _, e := range x.Reasons.Mutants {
		m := mutation{e.Kind, e.Index, e.Fault, e.Mux}
		if said[m] {
			return fmt.Sprintf("%v has two reasons", m)
		}
		said[m] = true
		kind, _ := mutant.ParseFault(e.Fault)
		if !certify.Has(f, certify.Mutation{Gate: e.Kind == "gate", Index: e.Index, Fault: kind}) {
			return fmt.Sprintf("%v is no mutant", m)
		}
		if len(verdicts[m]) > 0 && united(verdicts[m]).verdict != mutant.NotCovered {
			return fmt.Sprintf("%v is covered, and has a reason", m)
		}
		fault := sim.Fault{Kind: kind, Var: nodeOf(f, m)}
		fault.Mux, _ = mutant.ParseMux(e.Mux)
		facts, err := explicit.Compare(f, held, fault, points.Points(f, fault.Var))
		if err != nil {
			t.Fatal(err)
		}
		if !facts.True(e.Reason) {
			return fmt.Sprintf("%v is said to be %v, it is %v", m, e.Reason, facts.Reason())
		}
	}
	for m, list := range verdicts {
		if united(list).verdict == mutant.NotCovered && !said[m] {
			return fmt.Sprintf("%v has no reason", m)
		}
	}
	return ""
}

// nodeOf is the variable of a mutant's node.
func nodeOf(f *aiger.File, m mutation) uint32 {
	if m.kind == "latch" {
		return f.Latches[m.index].Lit >> 1
	}
	return f.GateLiterals()[m.index] >> 1
}

// mutation is a mutant, as an index has it.
type mutation struct {
	kind       string
	index      int
	fault, mux string
}

// said1 is what an entry of an index says of a mutant.
type said1 struct {
	properties []int
	verdict    mutant.Verdict
	property   int // that fails on it
	trace      string
	proved     bool
}

// rulings gathers what an index says of mutants.
func rulings(x *evidence.Index) map[mutation][]said1 {
	out := map[mutation][]said1{}
	for _, p := range x.Properties {
		for _, m := range p.Mutants {
			v := said1{append([]int{p.Index}, p.With...), m.Verdict, p.Index, m.Trace, m.Certificate != nil}
			if m.Property != nil {
				v.property = *m.Property
			}
			k := mutation{m.Kind, m.Index, m.Fault, m.Mux}
			out[k] = append(out[k], v)
		}
	}
	return out
}

// leftOpen returns a property that holds and says nothing of a mutant in its cone,
// though none covers it; -1 where there is none.
func leftOpen(f *aiger.File, x *evidence.Index, m mutation, list []said1) int {
	if covers(list) || m.index < 0 || m.index >= map[string]int{"latch": len(f.Latches), "gate": len(f.Ands)}[m.kind] {
		return -1
	}
	for _, p := range x.Properties {
		if p.Status == cert.Holds && !slices.ContainsFunc(list, func(v said1) bool { return v.properties[0] == p.Index }) &&
			inside(f, append([]int{p.Index}, p.With...), m) {
			return p.Index
		}
	}
	return -1
}

func covers(list []said1) bool {
	return slices.ContainsFunc(list, func(v said1) bool { return v.verdict == mutant.Covered })
}

// united is the verdict of several entries.
func united(list []said1) said1 {
	out := list[0]
	for _, v := range list[1:] {
		proved := out.proved || v.proved
		if out.verdict != mutant.Covered && (v.verdict == mutant.Covered || v.verdict == mutant.Unknown) {
			out = v
		}
		out.proved = proved
	}
	return out
}

// inside tells whether a node is in the cone of influence of properties, by walking
// the design.
func inside(f *aiger.File, properties []int, m mutation) bool {
	lits, _, _ := f.Properties()
	seen := make([]bool, f.MaxVar+1)
	var stack []aiger.Lit
	for _, p := range properties {
		if p < len(lits) {
			stack = append(stack, lits[p])
		} else {
			stack = append(append(stack, f.Justice[p-len(lits)]...), f.Fairness...)
		}
	}
	stack = append(stack, f.Constraints...)
	for len(stack) > 0 {
		v := stack[len(stack)-1] >> 1
		stack = stack[:len(stack)-1]
		if seen[v] {
			continue
		}
		seen[v] = true
		for _, l := range f.Latches {
			if l.Lit>>1 == v {
				stack = append(stack, l.Next, l.Reset)
			}
		}
		for _, a := range f.Ands {
			if a.Lhs>>1 == v {
				stack = append(stack, a.Rhs0, a.Rhs1)
			}
		}
	}
	if m.kind == "latch" {
		return seen[f.Latches[m.index].Lit>>1]
	}
	for i, a := range f.Ands {
		if f.AndPosition(i) == m.index {
			return seen[a.Lhs>>1]
		}
	}
	return false
}

// disagrees tells in what a report's mutants are not those of an index.
func disagrees(x *evidence.Index, c *evidence.Claims) bool {
	var a, b []string
	reasons := map[mutation]mutant.Reason{}
	if x.Reasons != nil {
		for _, e := range x.Reasons.Mutants {
			reasons[mutation{e.Kind, e.Index, e.Fault, e.Mux}] = e.Reason
		}
	}
	for m, list := range rulings(x) {
		a = append(a, fmt.Sprint(m.kind, m.index, m.fault, m.mux, united(list).verdict, reasons[m].String()))
	}
	for _, p := range x.Properties {
		for _, at := range append([]int{p.Index}, p.With...) {
			a = append(a, fmt.Sprint(at, p.Status))
		}
	}
	for _, m := range c.Mutants {
		b = append(b, fmt.Sprint(m.Node.Kind, m.Node.Index, m.Fault, c.Mux, m.Verdict, m.Reason))
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
		Faults: widestFaults(x),
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
		if ws[0].Properties[0].Kind == 'j' { // the loop is closed in one more
			last++
		}
		return &last
	}
	names := propertiesOf(f)
	for _, p := range x.Properties {
		c.Properties = append(c.Properties, evidence.ClaimedProperty{Index: p.Index, Kind: p.Kind, Name: p.Name, Status: p.Status, Depth: depth(p.Trace)})
		for _, at := range p.With {
			c.Properties = append(c.Properties, evidence.ClaimedProperty{Index: at, Kind: p.Kind, Name: names[at].name, Status: p.Status})
		}
	}
	reasons := map[mutation]mutant.Reason{}
	if x.Reasons != nil {
		c.Observe = x.Reasons.Observe
		for _, e := range x.Reasons.Mutants {
			reasons[mutation{e.Kind, e.Index, e.Fault, e.Mux}] = e.Reason
		}
	}
	for m, list := range rulings(x) {
		v := united(list)
		c.Mux = m.mux
		if leftOpen(f, x, m, list) >= 0 {
			continue // an honest reporter does not know
		}
		out := evidence.ClaimedMutant{Node: evidence.Label{Kind: m.kind, Index: m.index}, Fault: m.fault, Verdict: v.verdict, Reason: reasons[m].String()}
		switch {
		case m.kind == "gate":
			for i, a := range f.Ands {
				if f.AndPosition(i) == m.index {
					out.Literal = a.Lhs
				}
			}
		case m.index >= 0 && m.index < len(f.Latches):
			out.Literal, out.Node.Name = f.Latches[m.index].Lit, f.Symbols.Latches[m.index]
			if out.Node.Name != "" {
				o := yosysmap.ParseSymbol(out.Node.Name)
				out.Node.Register, out.Node.Instance = o.Register, o.Instance
			}
		}
		if n, ok := labels[fmt.Sprint(m.kind, m.index)]; ok {
			out.Node = n
		}
		switch {
		case v.verdict == mutant.Covered:
			out.Evidence, out.Property, out.Depth = "trace", &v.property, depth(v.trace)
		case v.verdict == mutant.NotCovered && v.proved:
			out.Evidence = "invariant"
		}
		c.Mutants = append(c.Mutants, out)
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
