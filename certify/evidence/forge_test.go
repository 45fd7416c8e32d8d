package evidence_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"netcov/aiger"
	"netcov/aiger/randaig"
	"netcov/cert"
	"netcov/certify"
	"netcov/certify/evidence"
	"netcov/internal/alloctest"
	"netcov/mutant"
)

// TestForgedVerdicts lets the writer itself lie: a verdict of a random run is
// turned over and given evidence of the right form, from another mutant or made
// up. The files are all consistent; only checking the proof can tell.
func TestForgedVerdicts(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 3))
	forged := map[string]int{}
	for range rounds(200) {
		run := randomRun(t, r, randaig.Everything())
		if run == nil {
			continue
		}
		p := &run.Properties[r.IntN(len(run.Properties))]
		what := forge(r, run.Design, p)
		if what == "" {
			continue
		}
		dir := filepath.Join(t.TempDir(), "e")
		if evidence.Write(context.Background(), dir, run, evidence.WriteOptions{}) != nil {
			continue
		}
		rep := mustVerify(t, dir, evidence.Options{Jobs: 1})
		if rep.Stands() {
			t.Fatalf("%s: verified", what)
		}
		forged[what]++
		os.RemoveAll(dir)
	}
	t.Log(forged)
	for _, what := range []string{"covered to notcovered", "notcovered to covered", "fails to holds", "holds to fails"} {
		if forged[what] < rounds(20)/10 {
			t.Errorf("%s: only %d cases", what, forged[what])
		}
	}
}

// forge turns one verdict over.
func forge(r *rand.Rand, f *aiger.File, p *evidence.Property) string {
	trace := &cert.Trace{Latches: make([]bool, len(f.Latches)+1)}
	for range 1 + r.IntN(4) {
		row := make([]bool, len(f.Inputs)+1)
		for i := range row {
			row[i] = r.IntN(2) == 0
		}
		trace.Inputs = append(trace.Inputs, row)
	}
	invariant := &cert.Invariant{}
	if p.Invariant != nil && r.IntN(2) == 0 {
		invariant = p.Invariant
	} else if r.IntN(2) == 0 { // empty: nothing is ever bad
		invariant.Clauses = []cert.Clause{{}}
	}
	switch {
	case p.Status == cert.Fails:
		p.Status, p.Trace, p.Invariant = cert.Holds, nil, invariant
		return "fails to holds"
	case p.Status == cert.Holds && r.IntN(3) == 0:
		for i := range trace.Inputs {
			trace.Inputs[i] = trace.Inputs[i][:len(f.Inputs)]
		}
		p.Status, p.Trace, p.Invariant, p.Mutants = cert.Fails, trace, nil, nil
		return "holds to fails"
	case len(p.Mutants) == 0:
		return ""
	}
	var covered *evidence.Mutant
	for i := range p.Mutants {
		if m := &p.Mutants[i]; m.Verdict == mutant.Covered && (covered == nil || r.IntN(3) == 0) {
			covered = m
		}
	}
	if covered != nil && r.IntN(2) == 0 {
		covered.Verdict, covered.Trace, covered.Invariant = mutant.NotCovered, nil, invariant
		return "covered to notcovered"
	}
	for i := range p.Mutants {
		m := &p.Mutants[r.IntN(len(p.Mutants))]
		if m.Verdict != mutant.NotCovered {
			continue
		}
		m.Verdict, m.Invariant, m.Trace = mutant.Covered, nil, trace
		if covered != nil && len(covered.Trace.Inputs[0]) == len(f.Inputs)+1 {
			m.Trace = covered.Trace
		}
		_ = i
		return "notcovered to covered"
	}
	return ""
}

// TestForgedIndex changes what an index says, with right hashes.
func TestForgedIndex(t *testing.T) {
	run := example(t)
	at := 0 // the property that has mutants
	if len(run.Properties[0].Mutants) == 0 {
		at = 1
	}
	find := func(x *evidence.Index, v mutant.Verdict, outside bool) *evidence.IndexMutant {
		ms := x.Properties[at].Mutants
		for i := range ms {
			if ms[i].Verdict == v && ms[i].Outside == outside {
				return &ms[i]
			}
		}
		t.Fatal("the example has no such mutant")
		return nil
	}
	for name, change := range map[string]func(x *evidence.Index, dir string){
		"mutant left out": func(x *evidence.Index, _ string) {
			p := &x.Properties[at]
			last := p.Mutants[len(p.Mutants)-1]
			p.Mutants = p.Mutants[:len(p.Mutants)-1]
			p.Counts.Mutants--
			switch last.Verdict {
			case mutant.Covered:
				p.Counts.Covered--
			case mutant.NotCovered:
				p.Counts.NotCovered--
			}
		},
		"mutant doubled": func(x *evidence.Index, _ string) {
			p := &x.Properties[at]
			m := find(x, mutant.NotCovered, true)
			p.Mutants = append(p.Mutants, *m)
			p.Counts.Mutants++
			p.Counts.NotCovered++
		},
		"counts":           func(x *evidence.Index, _ string) { x.Properties[at].Counts.Covered++ },
		"property doubled": func(x *evidence.Index, _ string) { x.Properties = append(x.Properties, x.Properties[0]) },
		"property number":  func(x *evidence.Index, _ string) { x.Properties[at].Index = 7 },
		"property name":    func(x *evidence.Index, _ string) { x.Properties[at].Name = "another" },
		"property kind":    func(x *evidence.Index, _ string) { x.Properties[at].Kind = "output" },
		"status":           func(x *evidence.Index, _ string) { x.Properties[at].Status = cert.Fails },
		"no proof":         func(x *evidence.Index, _ string) { x.Properties[at].Proof = nil },
		"fault word":       func(x *evidence.Index, _ string) { x.Properties[at].Mutants[0].Fault = "two" },
		"kind word":        func(x *evidence.Index, _ string) { x.Properties[at].Mutants[0].Kind = "wire" },
		"mux word":         func(x *evidence.Index, _ string) { x.Properties[at].Mutants[0].Mux = "input" },
		"mux":              func(x *evidence.Index, _ string) { x.Properties[at].Mutants[0].Mux = "next" },
		"node":             func(x *evidence.Index, _ string) { x.Properties[at].Mutants[0].Index = 1000 },
		"negative node":    func(x *evidence.Index, _ string) { x.Properties[at].Mutants[0].Index = -1 },
		"outside": func(x *evidence.Index, _ string) {
			m := find(x, mutant.NotCovered, false)
			m.Outside, m.Certificate = true, nil
		},
		"certificate number": func(x *evidence.Index, _ string) {
			n := 1000
			find(x, mutant.NotCovered, false).Certificate = &n
		},
		"negative certificate": func(x *evidence.Index, _ string) {
			n := -1
			find(x, mutant.NotCovered, false).Certificate = &n
		},
		"covered by a certificate": func(x *evidence.Index, _ string) {
			m := find(x, mutant.Covered, false)
			n := 0
			m.Verdict, m.Trace, m.Model, m.Certificate = mutant.NotCovered, "", "", &n
		},
		"unknown with evidence": func(x *evidence.Index, _ string) {
			find(x, mutant.Covered, false).Verdict = mutant.Unknown
		},
		"trace of another file": func(x *evidence.Index, _ string) {
			find(x, mutant.Covered, false).Trace = x.Properties[at].Proof.Model
		},
		"unlisted trace": func(x *evidence.Index, _ string) {
			find(x, mutant.Covered, false).Trace = "p0/none.wit"
		},
		"schema":        func(x *evidence.Index, _ string) { x.Schema = "netcov-evidence/1" },
		"design file":   func(x *evidence.Index, _ string) { x.Design.File = x.Properties[at].Proof.Model },
		"path outside":  func(x *evidence.Index, _ string) { x.Files[0].Path = "../design.aag" },
		"absolute path": func(x *evidence.Index, _ string) { x.Files[0].Path = "/etc/passwd" },
		"file unused": func(x *evidence.Index, dir string) {
			os.WriteFile(filepath.Join(dir, "z"), nil, 0o666)
			x.Files = append(x.Files, evidence.IndexFile{Path: "z"})
		},
		"design changed": func(x *evidence.Index, dir string) {
			path := filepath.Join(dir, "design.aag")
			data, _ := os.ReadFile(path)
			os.WriteFile(path, []byte(strings.Replace(string(data), "4 5", "4 4", 1)), 0o666)
		},
		"witness without claims": func(x *evidence.Index, dir string) {
			rewrite(t, filepath.Join(dir, x.Properties[at].Proof.Witness), func(f *aiger.File) { f.Bads[0] = 0 })
		},
		"witness with a false claim": func(x *evidence.Index, dir string) {
			rewrite(t, filepath.Join(dir, x.Properties[at].Certificates[0].Witness), func(f *aiger.File) { f.Bads[0] ^= 1 })
		},
		"mutant changed": func(x *evidence.Index, dir string) {
			rewrite(t, filepath.Join(dir, find(x, mutant.Covered, false).Model), func(f *aiger.File) { f.Bads[0] ^= 1 })
		},
		"trace changed": func(x *evidence.Index, dir string) {
			path := filepath.Join(dir, find(x, mutant.Covered, false).Trace)
			os.WriteFile(path, []byte("1\nb1\n000\n00\n.\n"), 0o666)
		},
		"trace that holds": func(x *evidence.Index, dir string) {
			os.WriteFile(filepath.Join(dir, find(x, mutant.Covered, false).Trace), []byte("0\nb0\n.\n"), 0o666)
		},
	} {
		dir := mustWrite(t, run, evidence.WriteOptions{})
		if err := evidence.Forge(dir, func(x *evidence.Index) { change(x, dir) }); err != nil {
			t.Fatal(err)
		}
		if rep := mustVerify(t, dir, evidence.Options{Solver: certify.Both}); rep.Stands() {
			t.Errorf("%s: verified", name)
		} else if testing.Verbose() {
			t.Logf("%s: %v", name, rep.Failures[0])
		}
	}
	// A mutant outside of the cone need not be listed.
	dir := mustWrite(t, run, evidence.WriteOptions{})
	err := evidence.Forge(dir, func(x *evidence.Index) {
		p := &x.Properties[at]
		for i := range p.Mutants {
			if p.Mutants[i].Outside {
				p.Mutants = append(p.Mutants[:i], p.Mutants[i+1:]...)
				break
			}
		}
		p.Counts.Mutants--
		p.Counts.NotCovered--
	})
	if err != nil {
		t.Fatal(err)
	}
	if rep := mustVerify(t, dir, evidence.Options{}); rep.Outcome != evidence.Stands {
		t.Errorf("a mutant outside of the cone is not listed: %+v", rep)
	}
}

// TestIndexWords: an index with a status of its own making is refused.
func TestIndexWords(t *testing.T) {
	dir := mustWrite(t, example(t), evidence.WriteOptions{})
	path := filepath.Join(dir, evidence.IndexName)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	forged := bytes.Replace(data, []byte(`"status": "holds"`), []byte(`"status": "great"`), 1)
	if bytes.Equal(forged, data) {
		t.Fatal("the example has no property that holds")
	}
	os.WriteFile(path, forged, 0o666)
	if rep := mustVerify(t, dir, evidence.Options{}); rep.Stands() || !strings.Contains(rep.Failures[0].What, `"great" is no status`) {
		t.Errorf("%+v", rep.Failures)
	}
}

func rewrite(t *testing.T, path string, change func(*aiger.File)) {
	t.Helper()
	f, err := aiger.ReadFile(path, aiger.Options{})
	if err != nil {
		t.Fatal(err)
	}
	change(f)
	if err := aiger.WriteFile(path, f); err != nil {
		t.Fatal(err)
	}
}

// TestCompare: the user's own design file, and a report.
func TestCompare(t *testing.T) {
	run := example(t)
	dir := mustWrite(t, run, evidence.WriteOptions{})
	other := filepath.Join(t.TempDir(), "other.aag")
	os.WriteFile(other, []byte("aag 0 0 0 0 0\n"), 0o666)
	if rep := mustVerify(t, dir, evidence.Options{Design: other}); rep.Stands() {
		t.Error("another design file was accepted")
	}
	for name, c := range map[string]struct {
		change func(c *evidence.Claims)
		want   string
	}{
		"equal":            {func(*evidence.Claims) {}, ""},
		"one less":         {func(c *evidence.Claims) { c.Mutants = c.Mutants[1:] }, "the report has not"},
		"one twice":        {func(c *evidence.Claims) { c.Mutants = append(c.Mutants, c.Mutants[0]) }, "twice"},
		"one of no node":   {func(c *evidence.Claims) { c.Mutants[0].Node.Index = 99 }, "no such node"},
		"other verdict":    {func(c *evidence.Claims) { c.Mutants[0].Verdict = mutant.Unknown }, `says "unknown"`},
		"other fault":      {func(c *evidence.Claims) { c.Mutants[0].Fault = "two" }, "the evidence has not"},
		"other literal":    {func(c *evidence.Claims) { c.Mutants[0].Literal ^= 1 }, "literal is 5, it is 4"},
		"other name":       {func(c *evidence.Claims) { c.Mutants[0].Node.Name = "x" }, `the evidence "toggle"`},
		"other register":   {func(c *evidence.Claims) { c.Mutants[0].Node.Register = "x" }, `of register "x"`},
		"other evidence":   {func(c *evidence.Claims) { c.Mutants[0].Evidence = "" }, "the evidence is"},
		"other mux":        {func(c *evidence.Claims) { c.Mux = "next" }, "the evidence has not"},
		"other design":     {func(c *evidence.Claims) { c.Design.SHA256 = "00" }, "another design"},
		"other file":       {func(c *evidence.Claims) { c.Design.Name = "x" }, `the evidence "example.aag"`},
		"other size":       {func(c *evidence.Claims) { c.Latches++ }, "4 latches"},
		"other status":     {func(c *evidence.Claims) { c.Properties[0].Status = cert.Unknown }, `says "unknown"`},
		"other property":   {func(c *evidence.Claims) { c.Properties[1].Index = 2 }, "the design has not"},
		"property twice":   {func(c *evidence.Claims) { c.Properties[1].Index = 0 }, "twice"},
		"other kind":       {func(c *evidence.Claims) { c.Properties[0].Kind = evidence.KindJustice }, "justice"},
		"other title":      {func(c *evidence.Claims) { c.Properties[0].Name = "x" }, `the evidence bad "both"`},
		"other depth":      {func(c *evidence.Claims) { *depth(c)++ }, "depth"},
		"no depth":         {func(c *evidence.Claims) { c.Mutants[covered(c)].Depth = nil }, "depth"},
		"depth of a proof": {func(c *evidence.Claims) { c.Mutants[notCovered(c)].Depth = depth(c) }, "depth"},
		"contradiction":    {func(c *evidence.Claims) { c.Wrong = []string{"it is wrong"} }, "it is wrong"},
	} {
		claims := claimsOf(run)
		c.change(claims)
		rep := mustVerify(t, dir, evidence.Options{Claims: claims})
		if rep.Stands() != (c.want == "") || c.want != "" && !strings.Contains(fmt.Sprint(rep.Failures), c.want) || len(rep.Partial) > 0 {
			t.Errorf("%s: %v %v", name, rep.Failures, rep.Partial)
		}
	}
}

func covered(c *evidence.Claims) int {
	return slices.IndexFunc(c.Mutants, func(m evidence.ClaimedMutant) bool { return m.Verdict == mutant.Covered })
}

func notCovered(c *evidence.Claims) int {
	return slices.IndexFunc(c.Mutants, func(m evidence.ClaimedMutant) bool { return m.Verdict == mutant.NotCovered })
}

// depth returns the depth of a trace, to be changed.
func depth(c *evidence.Claims) *int { return c.Mutants[covered(c)].Depth }

// claimsOf returns what an honest report says of a run whose nodes have no
// labels but the design's symbols.
func claimsOf(run *evidence.Run) *evidence.Claims {
	f := run.Design
	_, names, kind := f.Properties()
	c := &evidence.Claims{
		Where: "report.json", Design: evidence.IndexDesign{Name: run.Name, SHA256: f.SHA256},
		Inputs: len(f.Inputs), Latches: len(f.Latches), Ands: len(f.Ands), Constraints: len(f.Constraints), Mux: run.Scope.Mux, Faults: run.Scope.Faults,
	}
	last := func(tr *cert.Trace) *int {
		if tr == nil {
			return nil
		}
		d := tr.Depth()
		return &d
	}
	for _, p := range run.Properties {
		c.Properties = append(c.Properties, evidence.ClaimedProperty{
			Index: p.Position, Kind: kind, Name: names[p.Position], Status: p.Status, Depth: last(p.Trace),
		})
		for _, m := range p.Mutants {
			out := evidence.ClaimedMutant{
				Node: evidence.Label{Kind: "latch", Index: m.Index}, Fault: m.Fault.String(),
				Verdict: m.Verdict, Depth: last(m.Trace),
			}
			if m.Trace != nil {
				out.Property = &p.Position
			}
			if m.Gate {
				out.Node.Kind, out.Literal = "gate", f.Ands[m.Index].Lhs
			} else {
				out.Node.Name, out.Literal = f.Symbols.Latches[m.Index], f.Latches[m.Index].Lit
				out.Node.Register = out.Node.Name // of one bit
			}
			switch {
			case m.Trace != nil:
				out.Evidence = "trace"
			case m.Invariant != nil:
				out.Evidence = "invariant"
			}
			c.Mutants = append(c.Mutants, out)
		}
	}
	return c
}

// FuzzReadIndex: any bytes are read without a panic, and what is accepted is
// what the writer would write.
func FuzzReadIndex(f *testing.F) {
	dir := filepath.Join(f.TempDir(), "e")
	if err := evidence.Write(context.Background(), dir, example(f), evidence.WriteOptions{}); err != nil {
		f.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(dir, evidence.IndexName))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add([]byte(`{"schema":"netcov-evidence/2","files":null}`))
	f.Add([]byte("{}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		var x *evidence.Index
		var err error
		alloctest.Check(t, len(data), 500, func() { x, err = evidence.ReadIndex(data) })
		if err != nil {
			return
		}
		for _, p := range x.Properties {
			for i := range p.Mutants {
				_, _ = p.Mutants[i].Mutation()
			}
		}
	})
}

// FuzzVerify forges indexes, with right hashes, over true files: nothing panics,
// and what stands claims no wrong verdict.
func FuzzVerify(f *testing.F) {
	run := example(f)
	dir := filepath.Join(f.TempDir(), "e")
	if err := evidence.Write(context.Background(), dir, run, evidence.WriteOptions{}); err != nil {
		f.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(dir, evidence.IndexName))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add([]byte(strings.ReplaceAll(string(data), "notcovered", "covered")))
	f.Add([]byte(strings.ReplaceAll(string(data), `"zero"`, `"one"`)))
	truth := map[string]mutant.Verdict{}
	for _, p := range run.Properties {
		for _, m := range p.Mutants {
			truth[fmt.Sprint(p.Position, m.Mutation)] = m.Verdict
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var x evidence.Index
		if json.Unmarshal(data, &x) != nil || evidence.Forge(dir, func(old *evidence.Index) { *old = x }) != nil {
			return
		}
		rep, err := evidence.Verify(context.Background(), dir, evidence.Options{Jobs: 1})
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range x.Properties {
			if !rep.Stands() {
				break
			}
			if p.Status != cert.Unknown && p.Status != run.Properties[p.Index].Status {
				t.Errorf("property %d was verified as %q", p.Index, p.Status)
			}
			for i := range p.Mutants {
				m, err := p.Mutants[i].Mutation()
				if v := p.Mutants[i].Verdict; err != nil || v != mutant.Unknown && v != truth[fmt.Sprint(p.Index, m)] {
					t.Errorf("%v was verified as %q", m, v)
				}
			}
		}
	})
}

// FuzzClaims takes any claims beside true evidence: nothing panics, and claims
// that stand have the right verdicts.
func FuzzClaims(f *testing.F) {
	run := example(f)
	dir := filepath.Join(f.TempDir(), "e")
	if err := evidence.Write(context.Background(), dir, run, evidence.WriteOptions{}); err != nil {
		f.Fatal(err)
	}
	stands := func(t testing.TB, c *evidence.Claims) bool {
		rep, err := evidence.Verify(context.Background(), dir, evidence.Options{Jobs: 1, Claims: c})
		if err != nil {
			t.Fatal(err)
		}
		return rep.Stands()
	}
	right := claimsOf(run)
	if !stands(f, right) {
		f.Fatal("the right claims do not stand")
	}
	key := func(m evidence.ClaimedMutant) string {
		return fmt.Sprintf("%s %d %s", m.Node.Kind, m.Node.Index, m.Fault)
	}
	truth := map[string]mutant.Verdict{}
	for _, m := range right.Mutants {
		truth[key(m)] = m.Verdict
	}
	data, err := json.Marshal(right)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add([]byte(strings.ReplaceAll(string(data), "notcovered", "covered")))
	f.Add([]byte(strings.ReplaceAll(string(data), `"zero"`, `"one"`)))
	f.Add([]byte(`{"Mutants":null}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		c := &evidence.Claims{}
		if json.Unmarshal(data, c) != nil || !stands(t, c) {
			return
		}
		if len(c.Mutants) != len(truth) {
			t.Errorf("%d mutants stand, there are %d", len(c.Mutants), len(truth))
		}
		for _, m := range c.Mutants {
			if v := truth[key(m)]; v != m.Verdict {
				t.Errorf("%v stands, the verdict is %s", m, v)
			}
		}
	})
}
