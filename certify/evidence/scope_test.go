package evidence_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"netcov/aiger"
	"netcov/cert"
	"netcov/certify/evidence"
	"netcov/mutant"
)

// TestScope: whatever the evidence leaves out is named, whether the index tells of
// it or not; what it says of a property that is not there fails.
func TestScope(t *testing.T) {
	run := liveExample(t)
	drop := func(x *evidence.Index, at int) {
		folder := "p" + string(rune('0'+x.Properties[at].Index)) + "/"
		x.Properties = slices.Delete(x.Properties, at, at+1)
		x.Files = slices.DeleteFunc(x.Files, func(f evidence.IndexFile) bool { return strings.HasPrefix(f.Path, folder) })
	}
	for name, c := range map[string]struct {
		change  func(x *evidence.Index)
		partial string
		fails   string
	}{
		"silent":           {func(*evidence.Index) {}, "does not speak of property 2 (justice live)", ""},
		"property dropped": {func(x *evidence.Index) { drop(x, 1) }, "does not speak of the properties 1-2", ""},
		"all dropped": {func(x *evidence.Index) {
			drop(x, 1)
			drop(x, 0)
		}, "does not speak of the properties 0-2", ""},
		"two dropped": {func(x *evidence.Index) {
			drop(x, 0)
		}, "does not speak of the properties 0, 2", ""},
		"together": {func(x *evidence.Index) {
			x.Properties[0].With = []int{2}
		}, "", "justice property, and stands together"},
		"justice as safety": {func(x *evidence.Index) {
			x.Properties[1].Index = 2
		}, "", `in the design justice "live"`},
		"no scope": {func(x *evidence.Index) { x.Scope = nil }, "", ""},
		"no nodes": {func(x *evidence.Index) {
			x.Scope.Nodes = nil
		}, "", "0 kinds of nodes"},
		"no faults":     {func(x *evidence.Index) { x.Scope.Faults = nil }, "", "0 faults"},
		"faults twice":  {func(x *evidence.Index) { x.Scope.Faults[1] = "zero" }, "", "twice"},
		"nodes twice":   {func(x *evidence.Index) { x.Scope.Nodes[1] = "latch" }, "", "twice"},
		"unknown fault": {func(x *evidence.Index) { x.Scope.Faults[1] = "two" }, "", "unknown fault"},
		"unknown node":  {func(x *evidence.Index) { x.Scope.Nodes[1] = "wire" }, "", "unknown kind"},
		"unknown place": {func(x *evidence.Index) { x.Scope.Mux = "input" }, "", "unknown place"},
		"other place":   {func(x *evidence.Index) { x.Scope.Mux = "next" }, "", "outside of the scope"},
		"fewer faults":  {func(x *evidence.Index) { x.Scope.Faults = x.Scope.Faults[1:] }, "", "outside of the scope"},
		"fewer nodes":   {func(x *evidence.Index) { x.Scope.Nodes = x.Scope.Nodes[1:] }, "", "outside of the scope"},
		"other nodes":   {func(x *evidence.Index) { x.Scope.Only = map[string][]int{"latch": {1}} }, "", "outside of the scope"},
		"no such node":  {func(x *evidence.Index) { x.Scope.Only = map[string][]int{"latch": {0, 99}} }, "", "not in the design"},
		"node below 0":  {func(x *evidence.Index) { x.Scope.Only = map[string][]int{"latch": {-1, 0}} }, "", "not in the design"},
		"node twice":    {func(x *evidence.Index) { x.Scope.Only = map[string][]int{"latch": {0, 0}} }, "", "out of order"},
		"list of none":  {func(x *evidence.Index) { x.Scope.Only = map[string][]int{"latch": {}} }, "", "0 nodes of the kind"},
		"list of wires": {func(x *evidence.Index) { x.Scope.Only = map[string][]int{"wire": {0}} }, "", `1 nodes of the kind "wire"`},
		"label of nothing": {func(x *evidence.Index) {
			x.Labels = []evidence.Label{{Kind: "latch", Index: 3}}
		}, "", "label of latch 3"},
		"label twice": {func(x *evidence.Index) {
			x.Labels = []evidence.Label{{Kind: "latch", Name: "x"}, {Kind: "latch", Name: "y"}}
		}, "", "label of latch 0"},
	} {
		dir := mustWrite(t, run, evidence.WriteOptions{})
		if err := evidence.Forge(dir, c.change); err != nil {
			t.Fatal(err)
		}
		rep := mustVerify(t, dir, evidence.Options{})
		if c.fails != "" {
			named := slices.ContainsFunc(rep.Failures, func(f evidence.Failure) bool { return strings.Contains(f.String(), c.fails) })
			if rep.Stands() || !named {
				t.Errorf("%s: %v", name, rep.Failures)
			}
			continue
		}
		if !rep.Stands() || !strings.Contains(strings.Join(rep.Partial, "\n"), c.partial) {
			t.Errorf("%s: %v, partial %q", name, rep.Failures, rep.Partial)
		}
	}
}

// liveExample is the example with a liveness property, called live, beside the
// two others.
func liveExample(t *testing.T) *evidence.Run {
	t.Helper()
	run := example(t)
	run.Design.Justice = [][]aiger.Lit{{4}}
	run.Design.Symbols.Justice = aiger.Names{0: "live"}
	run.Source = nil // which knows nothing of it
	return run
}

// TestUnknown: what is undecided is no failure, but makes the evidence partial.
func TestUnknown(t *testing.T) {
	run := example(t)
	for i := range run.Properties {
		p := &run.Properties[i]
		if p.Status != cert.Holds {
			p.Status, p.Trace = cert.Unknown, nil
			continue
		}
		m := &p.Mutants[0]
		m.Verdict, m.Trace, m.Invariant = mutant.Unknown, nil, nil
	}
	rep := mustVerify(t, mustWrite(t, run, evidence.WriteOptions{}), evidence.Options{Claims: claimsOf(run)})
	all := strings.Join(rep.Partial, "\n")
	if !rep.Stands() || len(rep.Partial) != 2 || !strings.Contains(all, "1 of 15 mutants are unknown") || !strings.Contains(all, "undecided on the design") {
		t.Errorf("%v, partial %q", rep.Failures, rep.Partial)
	}
}

// TestOrigin: the hash of the design is checked where that can be, and called a
// claim where it can not.
func TestOrigin(t *testing.T) {
	run := example(t)
	dir := mustWrite(t, run, evidence.WriteOptions{})
	stored := filepath.Join(dir, "design.aag")
	f, err := aiger.ReadFile(stored, aiger.Options{})
	if err != nil || f.SHA256 != run.Design.SHA256 {
		t.Fatalf("the example is not stored as it is: %v", err)
	}
	if rep := mustVerify(t, dir, evidence.Options{}); rep.Origin != evidence.Stored {
		t.Errorf("the stored file has the hash, but its origin is %q", rep.Origin)
	}
	if rep := mustVerify(t, dir, evidence.Options{Design: stored}); rep.Origin != evidence.Given || !rep.Stands() {
		t.Errorf("the given file: %q, %v", rep.Origin, rep.Failures)
	}
	if err := evidence.Forge(dir, func(x *evidence.Index) { x.Design.SHA256 = strings.Repeat("0", 64) }); err != nil {
		t.Fatal(err)
	}
	if rep := mustVerify(t, dir, evidence.Options{}); rep.Origin != evidence.Claimed {
		t.Errorf("a made up hash: %q", rep.Origin)
	}
	if rep := mustVerify(t, dir, evidence.Options{Design: stored}); rep.Stands() || rep.Origin != evidence.Claimed {
		t.Errorf("a made up hash beside the file: %q, %v", rep.Origin, rep.Failures)
	}
	for name, source := range map[string]string{"lost": "", "changed": string(run.Source) + "more\n", "packed": "\x1f\x8b"} {
		run.Source = []byte(source)
		dir := mustWrite(t, run, evidence.WriteOptions{})
		if rep := mustVerify(t, dir, evidence.Options{}); rep.Origin != evidence.Claimed || !rep.Stands() {
			t.Errorf("the source is %s: %q, %v", name, rep.Origin, rep.Failures)
		}
	}
	verilog := filepath.Join(t.TempDir(), "x.v")
	if err := os.WriteFile(verilog, []byte("module x; endmodule\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	rep := mustVerify(t, dir, evidence.Options{Design: verilog})
	if rep.Stands() || !strings.Contains(rep.Failures[0].What, "no AIGER file") {
		t.Errorf("Verilog as the design: %v", rep.Failures)
	}
}

// TestLabels: names that are not those of the design's symbols are stored, and a
// report must have them.
func TestLabels(t *testing.T) {
	run := example(t)
	run.Labels = []evidence.Label{
		{Kind: "latch", Index: 0, Name: "toggle", Register: "toggle"}, // as the symbol says
		{Kind: "latch", Index: 2, Name: "u.\xff\xfe[0]", Register: "u.x", Module: "m", Line: 7, Inverted: true},
		{Kind: evidence.KindProperty, Index: 1, Name: "p"},
	}
	dir := mustWrite(t, run, evidence.WriteOptions{})
	listed := 0
	if err := evidence.Forge(dir, func(x *evidence.Index) { listed = len(x.Labels) }); err != nil || listed != 2 {
		t.Errorf("%d labels are listed, 2 are due: %v", listed, err)
	}
	if rep := mustVerify(t, dir, evidence.Options{Claims: claimsOf(run)}); rep.Stands() {
		t.Error("a report without the labels stands")
	}
	claims := claimsOf(run)
	claims.Properties[1].Name = "p"
	for i := range claims.Mutants {
		if n := &claims.Mutants[i].Node; n.Kind == "latch" && n.Index == 2 {
			*n = run.Labels[1]
			n.Name = "u.\ufffd\ufffd[0]" // as JSON has it
		}
	}
	for name, c := range map[string]struct {
		mapped bool
		source []byte
		given  []evidence.Label
		want   evidence.Outcome
	}{
		"an AIGER file":                        {false, run.Source, nil, evidence.Refused},
		"with a file of names":                 {true, run.Source, nil, evidence.Partial},
		"with a file of names, which is given": {true, run.Source, run.Labels, evidence.Stands},
		"without that the index tells":         {false, run.Source, run.Labels, evidence.Stands},
		"with another file of names":           {true, run.Source, run.Labels[:2], evidence.Refused},
		"another language":                     {false, nil, nil, evidence.Partial},
	} {
		run.Mapped, run.Source = c.mapped, c.source
		rep := mustVerify(t, mustWrite(t, run, evidence.WriteOptions{}), evidence.Options{Claims: claims, Labels: c.given})
		if rep.Outcome != c.want {
			t.Errorf("%s: %s, %v, %v", name, rep.Outcome, rep.Failures, rep.Partial)
		}
	}
}
