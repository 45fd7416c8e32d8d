package evidence_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"netcov/aiger"
	"netcov/aiger/randaig"
	"netcov/cert"
	"netcov/certify"
	"netcov/certify/evidence"
	"netcov/coverage"
	"netcov/coverage/subject"
	"netcov/coverage/why"
	"netcov/liveness"
	"netcov/mutant"
	"netcov/netlist"
)

// randomRun runs coverage on a random file, over all its properties, and on some files
// at some of the nodes alone; nil when the file has no property.
func randomRun(t testing.TB, r *rand.Rand, shape randaig.Shape) *evidence.Run {
	t.Helper()
	f := randaig.New(r, shape)
	return runOn(t, r, f, len(f.Ands)%4 == 0)
}

// runOn runs coverage on a file, over all its properties, with options drawn at
// random, at all nodes or at some; nil when the file has none.
func runOn(t testing.TB, r *rand.Rand, f *aiger.File, some bool) *evidence.Run {
	t.Helper()
	n := netlist.FromAIGER(f)
	opt := coverage.Options{Mux: mutant.Mux(r.IntN(2)), NoRecheck: r.IntN(2) == 0}
	for i := range f.Latches {
		opt.Targets = append(opt.Targets, mutant.Target{Index: i})
	}
	if r.IntN(2) == 0 {
		for i := range f.Ands {
			opt.Targets = append(opt.Targets, mutant.Target{Gate: true, Index: i})
		}
	}
	if len(n.Properties()) == 0 || len(opt.Targets) == 0 {
		return nil
	}
	if some { // the others are tools' own, and are not due
		r.Shuffle(len(opt.Targets), func(i, j int) { opt.Targets[i], opt.Targets[j] = opt.Targets[j], opt.Targets[i] })
		opt.Targets = opt.Targets[:1+r.IntN(len(opt.Targets))]
	}
	opt.Faults = slices.DeleteFunc(n.FaultsAt(opt.Targets), func(f mutant.Fault) bool { return f.Remembers() && len(n.Justice) > 0 })
	run := &evidence.Run{Design: f, Name: "random \"file\".aag", Scope: scopeOf(opt)}
	run.Scope.At(f, opt.Targets)
	var safety []int
	for i, p := range n.Properties() {
		if p.Kind != netlist.PropertyJustice {
			safety = append(safety, i)
		}
	}
	alone := 0
	if r.IntN(2) == 0 && len(safety) > 1 {
		set, err := coverage.RunSet(context.Background(), f, n, safety, opt)
		if err != nil {
			t.Fatal(err)
		}
		run.Properties = set.Records(opt.Mux)
		alone = len(safety)
	}
	for i := alone; i < len(n.Properties()); i++ {
		run.Properties = append(run.Properties, runAlone(t, f, n, i, opt))
	}
	if r.IntN(4) > 0 {
		explain(t, r, run, n, opt.Mux)
	}
	return run
}

// explain adds the reasons of the mutants that no property notices.
func explain(t testing.TB, r *rand.Rand, run *evidence.Run, n *netlist.Netlist, mux mutant.Mux) {
	t.Helper()
	p := why.Problem{File: run.Design, Netlist: n, Mux: mux, Observe: certify.Observation(r.IntN(3))}
	if p.Observe == certify.ObserveOutputs && len(run.Design.Bads) == 0 {
		p.Observe = certify.ObserveDefault
	}
	uncovered := map[certify.Mutation]bool{}
	var order []certify.Mutation
	for _, x := range run.Properties {
		if x.Status != cert.Holds {
			continue
		}
		p.Properties = append(append(p.Properties, x.Position), x.With...)
		for _, m := range x.Mutants {
			if _, known := uncovered[m.Mutation]; !known {
				uncovered[m.Mutation] = true
				order = append(order, m.Mutation)
			}
			uncovered[m.Mutation] = uncovered[m.Mutation] && m.Verdict == mutant.NotCovered
		}
	}
	var ms []why.Mutant
	var mutations []certify.Mutation
	for _, m := range order {
		if uncovered[m] {
			ms = append(ms, why.Mutant{Target: mutant.Target{Gate: m.Gate, Index: m.Index}, Fault: m.Fault})
			mutations = append(mutations, m)
		}
	}
	if len(p.Properties) == 0 {
		return
	}
	opt := why.Options{Proofs: true}
	if r.IntN(8) == 0 {
		opt.Budget = time.Millisecond // some stay open
	}
	found, err := why.Explain(context.Background(), p, ms, opt)
	if err != nil {
		t.Fatal(err)
	}
	run.Observe = p.Observe.In(run.Design).String()
	for i, x := range found {
		run.Reasons = append(run.Reasons, evidence.Explained{Mutation: mutations[i], Reason: x.Reason, Invariant: x.Invariant, Trace: x.Witness})
	}
}

// runAlone runs coverage on one property. Of a justice property, the search for a lasso
// may begin after some rounds.
func runAlone(t testing.TB, f *aiger.File, n *netlist.Netlist, property int, opt coverage.Options) evidence.Property {
	t.Helper()
	if p := n.Properties()[property]; p.Kind == netlist.PropertyJustice && property%2 == 1 {
		s, err := liveness.Safety(f, p.Index, property)
		if err != nil {
			t.Fatal(err)
		}
		opt.Proof = coverage.Check(context.Background(), netlist.FromAIGER(s), 0, coverage.CheckOptions{})
		opt.Proof.Rounds = property
	}
	s, err := subject.New(f, n, property)
	if err != nil {
		t.Fatal(err)
	}
	res, err := s.Cover(context.Background(), opt)
	if err != nil {
		t.Fatal(err)
	}
	set := coverage.NewSet(n, opt.Targets, opt.Faults)
	set.AddOutcome(n.Properties()[property], res)
	return set.Records(opt.Mux)[0]
}

// scopeOf is the scope of a run with its faults at all nodes of the targets' kinds.
func scopeOf(opt coverage.Options) evidence.Scope {
	gates := slices.ContainsFunc(opt.Targets, func(t mutant.Target) bool { return t.Gate })
	faults := opt.Faults
	if len(faults) == 0 {
		faults = mutant.Standard()
	}
	return evidence.NewScope(true, gates, faults, opt.Mux)
}

func mustWrite(t testing.TB, run *evidence.Run, opt evidence.WriteOptions) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "evidence")
	if err := evidence.Write(context.Background(), dir, run, opt); err != nil {
		t.Fatal(err)
	}
	return dir
}

func mustVerify(t testing.TB, dir string, opt evidence.Options) *evidence.Report {
	t.Helper()
	r, err := evidence.Verify(context.Background(), dir, opt)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func rounds(n int) int {
	if testing.Short() {
		return n / 10
	}
	return n
}

// dueOf is the number of mutants of a run's scope.
func dueOf(run *evidence.Run) int {
	due := 0
	for _, kind := range run.Scope.Nodes {
		for i := range map[string]int{"latch": len(run.Design.Latches), "gate": len(run.Design.Ands)}[kind] {
			if only := run.Scope.Only[kind]; only != nil && !slices.Contains(only, i) {
				continue
			}
			for _, word := range run.Scope.Faults {
				if f, _ := mutant.ParseFault(word); certify.Has(run.Design, certify.Mutation{Gate: kind == "gate", Index: i, Fault: f}) {
					due++
				}
			}
		}
	}
	return due
}

// TestWriteVerify writes the evidence of random runs and verifies it.
func TestWriteVerify(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 1))
	var total evidence.Counts
	certificates, traces := 0, 0
	for round := range rounds(120) {
		run := randomRun(t, r, randaig.Everything())
		if run == nil {
			continue
		}
		dir := mustWrite(t, run, evidence.WriteOptions{NoMutants: r.IntN(3) == 0})
		rep := mustVerify(t, dir, evidence.Options{Solver: certify.Solver(r.IntN(30) / 14), Jobs: 1 + r.IntN(2)})
		if !rep.Stands() {
			t.Fatalf("round %d: %v", round, rep.Failures)
		}
		want, properties := 0, 0
		for _, p := range run.Properties {
			properties += 1 + len(p.With)
			if p.Status == cert.Holds {
				want = dueOf(run)
			}
		}
		if rep.Mutants.Mutants != want || rep.Properties != properties || len(rep.Partial) > 0 {
			t.Fatalf("round %d: %+v, %d mutants and %d properties were written", round, rep, want, properties)
		}
		total.Covered += rep.Mutants.Covered
		total.NotCovered += rep.Mutants.NotCovered
		certificates, traces = certificates+rep.Certificates, traces+rep.Traces
		os.RemoveAll(dir)
	}
	t.Logf("%+v, %d certificates, %d traces", total, certificates, traces)
	if total.Covered < rounds(50) || total.NotCovered < rounds(500) {
		t.Error("the test says little")
	}
}

// example is a run with all kinds of evidence: a toggling latch, one that
// follows it, and one outside of the cone.
func example(t testing.TB) *evidence.Run {
	t.Helper()
	text := `aag 6 1 3 1 2 2 0
2
4 5
6 4
8 2
12
10
12
10 4 6
12 11 2
l0 toggle
l1 follow
b0 both
c
an example
`
	f, err := aiger.Read(strings.NewReader(text), "example.aag", aiger.Options{})
	if err != nil {
		t.Fatal(err)
	}
	n := netlist.FromAIGER(f)
	opt := coverage.Options{Targets: []mutant.Target{{Index: 0}, {Index: 1}, {Index: 2}, {Gate: true, Index: 0}, {Gate: true, Index: 1}}}
	run := &evidence.Run{Design: f, Name: "example.aag", Source: []byte(text), Scope: scopeOf(opt)}
	for i := range 2 {
		p := runAlone(t, f, n, i, opt)
		for i := range p.Mutants {
			if m := &p.Mutants[i]; !m.Gate && m.Index == 2 {
				m.Invariant = nil // outside of the cone
			}
		}
		run.Properties = append(run.Properties, p)
	}
	return run
}

// files lists the paths below a directory.
func files(t testing.TB, dir string) []string {
	t.Helper()
	var all []string
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			all = append(all, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestDamage damages the files of a directory in every simple way; all must be
// noticed.
func TestDamage(t *testing.T) {
	dir := mustWrite(t, example(t), evidence.WriteOptions{})
	all := files(t, dir)
	if rep := mustVerify(t, dir, evidence.Options{}); !rep.Stands() || rep.Certificates < 2 || rep.Traces < 3 {
		t.Fatalf("%+v", rep)
	}
	r := rand.New(rand.NewPCG(9, 2))
	noticed := func(what string) {
		t.Helper()
		rep, err := evidence.Verify(context.Background(), dir, evidence.Options{})
		if err == nil && rep.Stands() {
			t.Errorf("%s was not noticed", what)
		}
	}
	for i, path := range all {
		good, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		name, _ := filepath.Rel(dir, path)
		restore := func() {
			t.Helper()
			if err := os.WriteFile(path, good, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		flips := 20
		if filepath.Base(path) == evidence.IndexName {
			flips = rounds(300)
		}
		for range flips {
			bad := append([]byte(nil), good...)
			bit := r.IntN(8 * len(bad))
			bad[bit/8] ^= 1 << (bit % 8)
			os.WriteFile(path, bad, 0o666)
			noticed(fmt.Sprintf("bit %d of %s flipped", bit, name))
		}
		for range 4 {
			n := r.IntN(len(good))
			os.WriteFile(path, good[:n], 0o666)
			noticed(fmt.Sprintf("%s cut to %d bytes", name, n))
		}
		os.WriteFile(path, append(append([]byte(nil), good...), '\n'), 0o666)
		noticed(name + " lengthened")
		os.Remove(path)
		noticed(name + " removed")
		other, err := os.ReadFile(all[(i+1)%len(all)])
		if err != nil {
			t.Fatal(err)
		}
		os.WriteFile(path, other, 0o666)
		noticed(name + " exchanged")
		restore()
	}
	if rep := mustVerify(t, dir, evidence.Options{}); !rep.Stands() {
		t.Fatalf("the directory was not restored: %v", rep.Failures)
	}
}

// TestWriteRefuses: records without evidence, and directories that are in use.
func TestWriteRefuses(t *testing.T) {
	ctx := context.Background()
	for name, spoil := range map[string]func(p *evidence.Property){
		"no invariant":       func(p *evidence.Property) { p.Invariant = nil },
		"not proved":         func(p *evidence.Property) { p.Status = cert.Unknown },
		"no trace":           func(p *evidence.Property) { find(p, mutant.Covered, true).Trace = nil },
		"no proof":           func(p *evidence.Property) { find(p, mutant.NotCovered, true).Invariant = nil },
		"node":               func(p *evidence.Property) { p.Mutants[0].Index = 99 },
		"twice":              func(p *evidence.Property) { p.Mutants = append(p.Mutants, p.Mutants[0]) },
		"position":           func(p *evidence.Property) { p.Position = 2 },
		"no free value":      func(p *evidence.Property) { cut(find(p, mutant.Covered, true)) },
		"invariant too wide": func(p *evidence.Property) { p.Invariant.Clauses = append(p.Invariant.Clauses, cert.Clause{2 * 99}) },
	} {
		run := example(t)
		at := 0
		if run.Properties[0].Status != cert.Holds {
			at = 1
		}
		spoil(&run.Properties[at])
		parent := t.TempDir()
		if err := evidence.Write(ctx, filepath.Join(parent, "e"), run, evidence.WriteOptions{}); err == nil {
			t.Errorf("%s: accepted", name)
		}
		if left := files(t, parent); len(left) > 0 {
			t.Errorf("%s: left %v behind", name, left)
		}
	}
	dir := t.TempDir()
	if err := evidence.Write(ctx, dir, example(t), evidence.WriteOptions{}); err != nil {
		t.Errorf("an empty directory: %v", err)
	}
	if err := evidence.Write(ctx, dir, example(t), evidence.WriteOptions{}); err == nil {
		t.Error("a directory in use was taken")
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	if err := evidence.Write(ended, filepath.Join(dir, "x"), example(t), evidence.WriteOptions{}); err == nil {
		t.Error("an ended context was ignored")
	}
	if _, err := evidence.Verify(ended, dir, evidence.Options{}); err == nil {
		t.Error("an ended context was ignored by Verify")
	}
	if _, err := evidence.Verify(ctx, t.TempDir(), evidence.Options{}); err == nil {
		t.Error("a directory without an index was verified")
	}
}

// find returns a mutant with a verdict, one with evidence of its own.
func find(p *evidence.Property, v mutant.Verdict, proof bool) *evidence.Mutant {
	for i := range p.Mutants {
		m := &p.Mutants[i]
		if m.Verdict == v && (m.Trace != nil || m.Invariant != nil) == proof && (m.Trace == nil || m.Fault == mutant.Nondet) {
			return m
		}
	}
	panic("the example has no such mutant")
}

// cut takes the free values off a trace.
func cut(m *evidence.Mutant) {
	tr := &cert.Trace{Latches: m.Trace.Latches}
	for _, row := range m.Trace.Inputs {
		tr.Inputs = append(tr.Inputs, row[:len(row)-1])
	}
	m.Trace = tr
}
