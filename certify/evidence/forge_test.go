package evidence_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"netcov/aiger"
	"netcov/certify"
	"netcov/certify/evidence"
	"netcov/internal/randaig"
	"netcov/netlist"
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
	trace := &netlist.Trace{Latches: make([]bool, len(f.Latches)+1)}
	for range 1 + r.IntN(4) {
		row := make([]bool, len(f.Inputs)+1)
		for i := range row {
			row[i] = r.IntN(2) == 0
		}
		trace.Inputs = append(trace.Inputs, row)
	}
	invariant := &netlist.Invariant{}
	if p.Invariant != nil && r.IntN(2) == 0 {
		invariant = p.Invariant
	} else if r.IntN(2) == 0 { // empty: nothing is ever bad
		invariant.Clauses = []netlist.Clause{{}}
	}
	switch {
	case p.Status == evidence.Fails:
		p.Status, p.Trace, p.Invariant = evidence.Holds, nil, invariant
		return "fails to holds"
	case p.Status == evidence.Holds && r.IntN(3) == 0:
		for i := range trace.Inputs {
			trace.Inputs[i] = trace.Inputs[i][:len(f.Inputs)]
		}
		p.Status, p.Trace, p.Invariant, p.Mutants = evidence.Fails, trace, nil, nil
		return "holds to fails"
	case len(p.Mutants) == 0:
		return ""
	}
	var covered *evidence.Mutant
	for i := range p.Mutants {
		if m := &p.Mutants[i]; m.Verdict == evidence.Covered && (covered == nil || r.IntN(3) == 0) {
			covered = m
		}
	}
	if covered != nil && r.IntN(2) == 0 {
		covered.Verdict, covered.Trace, covered.Invariant = evidence.NotCovered, nil, invariant
		return "covered to notcovered"
	}
	for i := range p.Mutants {
		m := &p.Mutants[r.IntN(len(p.Mutants))]
		if m.Verdict != evidence.NotCovered {
			continue
		}
		m.Verdict, m.Invariant, m.Trace = evidence.Covered, nil, trace
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
	mutant := func(x *evidence.Index, v evidence.Verdict, outside bool) *evidence.IndexMutant {
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
			case evidence.Covered:
				p.Counts.Covered--
			case evidence.NotCovered:
				p.Counts.NotCovered--
			}
		},
		"mutant doubled": func(x *evidence.Index, _ string) {
			p := &x.Properties[at]
			m := mutant(x, evidence.NotCovered, true)
			p.Mutants = append(p.Mutants, *m)
			p.Counts.Mutants++
			p.Counts.NotCovered++
		},
		"counts":           func(x *evidence.Index, _ string) { x.Properties[at].Counts.Covered++ },
		"property doubled": func(x *evidence.Index, _ string) { x.Properties = append(x.Properties, x.Properties[0]) },
		"property number":  func(x *evidence.Index, _ string) { x.Properties[at].Index = 7 },
		"property name":    func(x *evidence.Index, _ string) { x.Properties[at].Name = "another" },
		"property kind":    func(x *evidence.Index, _ string) { x.Properties[at].Kind = "output" },
		"status word":      func(x *evidence.Index, _ string) { x.Properties[at].Status = "great" },
		"no proof":         func(x *evidence.Index, _ string) { x.Properties[at].Proof = nil },
		"verdict word":     func(x *evidence.Index, _ string) { x.Properties[at].Mutants[0].Verdict = "great" },
		"fault word":       func(x *evidence.Index, _ string) { x.Properties[at].Mutants[0].Fault = "two" },
		"kind word":        func(x *evidence.Index, _ string) { x.Properties[at].Mutants[0].Kind = "wire" },
		"mux word":         func(x *evidence.Index, _ string) { x.Properties[at].Mutants[0].Mux = "input" },
		"mux":              func(x *evidence.Index, _ string) { x.Properties[at].Mutants[0].Mux = "next" },
		"node":             func(x *evidence.Index, _ string) { x.Properties[at].Mutants[0].Index = 1000 },
		"negative node":    func(x *evidence.Index, _ string) { x.Properties[at].Mutants[0].Index = -1 },
		"outside": func(x *evidence.Index, _ string) {
			m := mutant(x, evidence.NotCovered, false)
			m.Outside, m.Certificate = true, nil
		},
		"certificate number": func(x *evidence.Index, _ string) {
			n := 1000
			mutant(x, evidence.NotCovered, false).Certificate = &n
		},
		"negative certificate": func(x *evidence.Index, _ string) {
			n := -1
			mutant(x, evidence.NotCovered, false).Certificate = &n
		},
		"covered by a certificate": func(x *evidence.Index, _ string) {
			m := mutant(x, evidence.Covered, false)
			n := 0
			m.Verdict, m.Trace, m.Model, m.Certificate = evidence.NotCovered, "", "", &n
		},
		"unknown with evidence": func(x *evidence.Index, _ string) {
			mutant(x, evidence.Covered, false).Verdict = evidence.Unknown
		},
		"trace of another file": func(x *evidence.Index, _ string) {
			mutant(x, evidence.Covered, false).Trace = x.Properties[at].Proof.Model
		},
		"unlisted trace": func(x *evidence.Index, _ string) {
			mutant(x, evidence.Covered, false).Trace = "p0/none.wit"
		},
		"schema":        func(x *evidence.Index, _ string) { x.Schema = "netcov-evidence/2" },
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
			rewrite(t, filepath.Join(dir, mutant(x, evidence.Covered, false).Model), func(f *aiger.File) { f.Bads[0] ^= 1 })
		},
		"trace changed": func(x *evidence.Index, dir string) {
			path := filepath.Join(dir, mutant(x, evidence.Covered, false).Trace)
			os.WriteFile(path, []byte("1\nb1\n000\n00\n.\n"), 0o666)
		},
		"trace that holds": func(x *evidence.Index, dir string) {
			os.WriteFile(filepath.Join(dir, mutant(x, evidence.Covered, false).Trace), []byte("0\nb0\n.\n"), 0o666)
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
	// An incomplete set is no lie when the index says so; the report does too.
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
		p.Complete = false
	})
	if err != nil {
		t.Fatal(err)
	}
	if rep := mustVerify(t, dir, evidence.Options{}); !rep.Stands() || len(rep.Partial) != 1 {
		t.Errorf("incomplete: %+v", rep)
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
	rep := mustVerify(t, dir, evidence.Options{})
	other := filepath.Join(t.TempDir(), "other.aag")
	os.WriteFile(other, []byte("aag 0 0 0 0 0\n"), 0o666)
	if rep := mustVerify(t, dir, evidence.Options{Design: other}); rep.Stands() {
		t.Error("another design file was accepted")
	}
	var text strings.Builder
	fmt.Fprintf(&text, `{"schema":"netcov/1","design":{"sha256":%q},"options":{"mux":"output"},"properties":[`, rep.Design.SHA256)
	var mutants []string
	for i, p := range run.Properties {
		fmt.Fprintf(&text, `%.*s{"index":%d,"kind":"bad","status":%q}`, i, ",", p.Position, p.Status)
		for _, m := range p.Mutants {
			kind := "latch"
			if m.Gate {
				kind = "gate"
			}
			mutants = append(mutants, fmt.Sprintf(`{"node":{"kind":%q,"index":%d},"fault":%q,"property":%d,"verdict":%q}`, kind, m.Index, m.Fault, p.Position, m.Verdict))
		}
	}
	text.WriteString(`],"mutants":[`)
	path := filepath.Join(t.TempDir(), "report.json")
	for name, c := range map[string]struct {
		text string
		want bool
	}{
		"equal":          {text.String() + strings.Join(mutants, ",") + "]}", true},
		"one less":       {text.String() + strings.Join(mutants[1:], ",") + "]}", false},
		"other verdict":  {strings.Replace(text.String()+strings.Join(mutants, ",")+"]}", `"notcovered"`, `"covered"`, 1), false},
		"other design":   {strings.Replace(text.String()+strings.Join(mutants, ",")+"]}", rep.Design.SHA256, "00", 1), false},
		"other status":   {strings.Replace(text.String()+strings.Join(mutants, ",")+"]}", `"fails"`, `"unknown"`, 1), false},
		"other property": {strings.Replace(text.String()+strings.Join(mutants, ",")+"]}", `"index":1,"kind":"bad"`, `"index":2,"kind":"bad"`, 1), false},
		"no report":      {"{", false},
	} {
		os.WriteFile(path, []byte(c.text), 0o666)
		if rep := mustVerify(t, dir, evidence.Options{Report: path}); rep.Stands() != c.want {
			t.Errorf("%s: %v", name, rep.Failures)
		}
	}
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
	f.Add([]byte(`{"schema":"netcov-evidence/1","files":null}`))
	f.Add([]byte("{}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		x, err := evidence.ReadIndex(data)
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
	truth := map[string]evidence.Verdict{}
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
			if p.Status != evidence.Undecided && p.Status != run.Properties[p.Index].Status {
				t.Errorf("property %d was verified as %q", p.Index, p.Status)
			}
			for i := range p.Mutants {
				m, err := p.Mutants[i].Mutation()
				if v := p.Mutants[i].Verdict; err != nil || v != evidence.Unknown && v != truth[fmt.Sprint(p.Index, m)] {
					t.Errorf("%v was verified as %q", m, v)
				}
			}
		}
	})
}

// FuzzReport takes any bytes for the report beside true evidence: nothing panics,
// and a report that stands has the right verdicts.
func FuzzReport(f *testing.F) {
	run := example(f)
	dir := filepath.Join(f.TempDir(), "e")
	if err := evidence.Write(context.Background(), dir, run, evidence.WriteOptions{}); err != nil {
		f.Fatal(err)
	}
	type node struct {
		Kind  string `json:"kind"`
		Index int    `json:"index"`
	}
	type mutant struct {
		Node     node             `json:"node"`
		Fault    string           `json:"fault"`
		Property int              `json:"property"`
		Verdict  evidence.Verdict `json:"verdict"`
	}
	type property struct {
		Index  int             `json:"index"`
		Status evidence.Status `json:"status"`
	}
	type report struct {
		Schema     string            `json:"schema"`
		Design     map[string]string `json:"design"`
		Options    map[string]string `json:"options"`
		Properties []property        `json:"properties"`
		Mutants    []mutant          `json:"mutants"`
	}
	right := report{Schema: "netcov/1", Design: map[string]string{"sha256": run.Design.SHA256}, Options: map[string]string{"mux": "output"}}
	truth := map[string]evidence.Verdict{}
	for _, p := range run.Properties {
		right.Properties = append(right.Properties, property{p.Position, p.Status})
		for _, m := range p.Mutants {
			kind := "latch"
			if m.Mutation.Gate {
				kind = "gate"
			}
			right.Mutants = append(right.Mutants, mutant{node{kind, m.Mutation.Index}, m.Mutation.Fault.String(), p.Position, m.Verdict})
			truth[fmt.Sprintf("%d %s %d %s", p.Position, kind, m.Mutation.Index, m.Mutation.Fault)] = m.Verdict
		}
	}
	data, err := json.Marshal(right)
	if err != nil {
		f.Fatal(err)
	}
	path := filepath.Join(f.TempDir(), "report.json")
	stands := func(t testing.TB, data []byte) bool {
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
		rep, err := evidence.Verify(context.Background(), dir, evidence.Options{Jobs: 1, Report: path})
		if err != nil {
			t.Fatal(err)
		}
		return rep.Stands()
	}
	if !stands(f, data) {
		f.Fatal("the right report does not stand")
	}
	f.Add(data)
	f.Add([]byte(strings.ReplaceAll(string(data), "notcovered", "covered")))
	f.Add([]byte(strings.ReplaceAll(string(data), `"zero"`, `"one"`)))
	f.Add([]byte(`{"schema":"netcov/1","mutants":null}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		if !stands(t, data) {
			return
		}
		var r report
		if err := json.Unmarshal(data, &r); err != nil {
			t.Fatal(err)
		}
		if len(r.Mutants) != len(truth) {
			t.Errorf("%d mutants stand, there are %d", len(r.Mutants), len(truth))
		}
		for _, m := range r.Mutants {
			if v := truth[fmt.Sprintf("%d %s %d %s", m.Property, m.Node.Kind, m.Node.Index, m.Fault)]; v != m.Verdict {
				t.Errorf("%v stands, the verdict is %s", m, v)
			}
		}
	})
}
