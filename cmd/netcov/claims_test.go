package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"netcov/cert"
	"netcov/coverage"
	"netcov/coverage/report"
	"netcov/mutant"
)

// claimDesigns are designs whose reports have something of everything.
var claimDesigns = map[string]string{
	// names of registers in two instances
	"named": "aag 5 1 3 0 1 1\n2\n4 5\n6 4\n8 2\n10\n10 4 6\nl0 u1.toggle[0]\nl1 u1.toggle[1]\nl2 u2.z\n",
	// one that holds, one that fails, one more that holds
	"several": "aag 5 1 3 0 1 3\n2\n4 5\n6 4\n8 2\n10\n6\n8\n10 4 6\nb0 both\n",
	// liveness beside safety
	"live": "aag 2 0 2 0 0 0 0 1\n2 2\n4 5\n1\n4\n",
	// no symbols, gates out of order
	"gates": "aag 7 2 2 0 3 1\n2\n4\n6 14\n8 6\n10\n10 6 12\n12 2 4\n14 10 8\n",
}

// TestHonestReports: whatever run wrote a report, it stands beside the evidence of
// that run; all of it where the run left nothing out.
func TestHonestReports(t *testing.T) {
	dir := t.TempDir()
	names := filepath.Join(dir, "names.map")
	if err := os.WriteFile(names, []byte("latch 0 0 state\nlatch 1 1 state\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for name, text := range claimDesigns {
		for _, c := range []struct {
			whole bool
			args  []string
		}{
			{true, nil},
			{false, []string{"--property", "0"}},
			{true, []string{"--nodes", "all", "--mux", "next"}},
			{true, []string{"--nodes", "gates", "--fault", "zero,nondet"}},
			{false, []string{"--nodes", "all", "--sample", "2", "--fault", "one"}},
			{false, []string{"--tests", "CONE"}},
			{false, []string{"--stop-at", "30%"}},
			{false, []string{"--engine", "bmc", "--timeout", "1ms"}},
			{true, []string{"--cascade", "dac10"}},
			{true, []string{"--naive", "--no-recheck"}},
			{true, []string{"--matrix", "--nodes", "all"}},
			{false, []string{"--matrix", "--nodes", "all", "--mux", "next"}}, // which adds a register to mutants of gates
			{name == "gates", []string{"--map", names}},                      // which names no other latch
		} {
			design, proofs, out := filepath.Join(dir, name+".aag"), filepath.Join(t.TempDir(), "e"), filepath.Join(dir, "r.json")
			if err := os.WriteFile(design, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
			args := append([]string{"cover", design, "--quiet", "--format", "json", "-o", out, "--evidence", proofs}, c.args...)
			if code, _, e := call(t, args...); code == exitFailure || code == exitUsage {
				t.Errorf("%v: %s", args, e)
				continue
			}
			verify := []string{"verify", proofs, "--report", out, "--design", design}
			if slices.Contains(args, "--map") {
				if code, o, _ := call(t, verify...); code != exitPartial || !strings.Contains(o, "that 0 of them are stored inverted") {
					t.Errorf("%v without the names: exit code %d, %s", args, code, o)
				}
				verify = append(verify, "--map", names)
			}
			code, o, e := call(t, verify...)
			if code != exitDone && (c.whole || code != exitPartial) {
				t.Errorf("%v: exit code %d, %s%s", args, code, o, e)
			}
		}
	}
}

// TestForgedReports: a report that was changed anywhere but in times, notes and
// what only the run can know is refused.
func TestForgedReports(t *testing.T) {
	dir := t.TempDir()
	design, proofs, out := filepath.Join(dir, "d.aag"), filepath.Join(dir, "e"), filepath.Join(dir, "r.json")
	if err := os.WriteFile(design, []byte(claimDesigns["named"]), 0o666); err != nil {
		t.Fatal(err)
	}
	if code, _, e := call(t, "cover", design, "--quiet", "--nodes", "all", "--sample", "3", "--seed", "1", "--format", "json", "-o", out, "--evidence", proofs); code != exitDone {
		t.Fatal(e)
	}
	good, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	refused := func(name string, text []byte) {
		t.Helper()
		if bytes.Equal(text, good) {
			t.Errorf("%s: the text is not changed", name)
		}
		if err := os.WriteFile(out, text, 0o666); err != nil {
			t.Fatal(err)
		}
		if code, o, e := call(t, "verify", proofs, "--report", out); code != exitFailure || strings.Count(e, "\n") != 1 || !strings.Contains(o+e, out) && !strings.Contains(o, "FAILS") {
			t.Errorf("%s: exit code %d, %s%s", name, code, o, e)
		}
	}
	replace := func(old, fresh string) []byte {
		return bytes.Replace(good, []byte(old), []byte(fresh), 1)
	}
	for name, text := range map[string][]byte{
		"key in another case":   replace(`"verdict"`, `"VERDICT"`),
		"key twice":             replace(`"schema": "netcov/2"`, `"schema": "netcov/0", "schema": "netcov/2"`),
		"verdict twice":         replace(`"verdict": "covered"`, `"verdict": "notcovered",`+"\n   "+`"verdict": "covered"`),
		"verdict word":          replace(`"verdict": "covered"`, `"verdict": "great"`),
		"unknown key":           replace(`"schema"`, `"x": 1, "schema"`),
		"second array":          replace(`"mutants": [`, `"mutants": [], "mutants": [`),
		"other spelling":        replace(`"netcov/2"`, `"netcov\/2"`),
		"number as a fraction":  replace(`"property": 0`, `"property": 0.0`),
		"space":                 replace(`{`, `{ `),
		"more behind":           append(slices.Clone(good), '\n'),
		"a second report":       append(slices.Clone(good), good...),
		"no JSON":               []byte("{"),
		"another form":          replace("netcov/2", "netcov/1"),
		"nothing":               nil,
		"null":                  []byte("null\n"),
		"cut":                   good[:len(good)/2],
		"mark in place of name": replace("toggle", `\ufffd`),
	} {
		refused(name, text)
	}
	for name, change := range map[string]func(r *report.Report){
		"covered":       func(r *report.Report) { r.Summary.Covered++ },
		"coverage_low":  func(r *report.Report) { r.Summary.Low = 1 },
		"coverage_high": func(r *report.Report) { r.Summary.High = 0 },
		"accuracy":      func(r *report.Report) { r.Summary.Counts.Accuracy = 0 },
		"by_fault":      func(r *report.Report) { delete(r.Summary.ByFault, "zero") },
		"by_fault more": func(r *report.Report) { r.Summary.ByFault["two"] = report.Counts{} },
		"by_test":       func(r *report.Report) { r.Summary.ByTest[0].Covered++ },
		"no by_test":    func(r *report.Report) { r.Summary.ByTest = r.Summary.ByTest[:0] },
		"test twice": func(r *report.Report) {
			r.Summary.ByTest = append(r.Summary.ByTest, r.Summary.ByTest[len(r.Summary.ByTest)-1])
		},
		"reason": func(r *report.Report) {
			for i := range r.Mutants {
				if r.Mutants[i].Reason == "gap" {
					r.Mutants[i].Reason = "constant"
				}
			}
		},
		"reasons":        func(r *report.Report) { r.Summary.Reasons["gap"]++ },
		"matters":        func(r *report.Report) { r.Summary.Matters.Low = 1 },
		"no reasons":     func(r *report.Report) { r.Summary.Reasons, r.Summary.Matters = nil, nil },
		"test":           func(r *report.Report) { r.Mutants[0].Test = "LUCK" },
		"by_register":    func(r *report.Report) { r.Summary.ByRegister[0].Bits++ },
		"by_instance":    func(r *report.Report) { r.Summary.ByInstance = nil },
		"sample's nodes": func(r *report.Report) { r.Summary.Sample.Nodes++ },
		"sample's low":   func(r *report.Report) { r.Summary.Sample.Low = 0.99 },
		"population":     func(r *report.Report) { r.Summary.Sample.Population = 1000 },
		"curve":          func(r *report.Report) { r.Summary.Accuracy[len(r.Summary.Accuracy)-1].Accuracy = 0.5 },
		"falling curve": func(r *report.Report) {
			r.Summary.Accuracy = append([]coverage.Point{{Accuracy: 2}}, r.Summary.Accuracy...)
		},
		"no curve":         func(r *report.Report) { r.Summary.Accuracy = r.Summary.Accuracy[:0] },
		"stopped":          func(r *report.Report) { r.Summary.Stopped = "budget" },
		"check_seconds":    func(r *report.Report) { r.Summary.CheckSeconds++ },
		"literal":          func(r *report.Report) { r.Mutants[0].Node.Literal ^= 1 },
		"name":             func(r *report.Report) { r.Mutants[0].Node.Name = "x" },
		"register":         func(r *report.Report) { r.Mutants[0].Node.Register += "x" },
		"inverted":         func(r *report.Report) { r.Mutants[0].Node.Inverted = true },
		"fault":            func(r *report.Report) { r.Mutants[0].Fault = "two" },
		"verdict":          func(r *report.Report) { r.Mutants[0].Verdict = mutant.Unknown },
		"evidence":         func(r *report.Report) { r.Mutants[0].Evidence = "oath" },
		"depth":            func(r *report.Report) { d := 99; r.Mutants[0].Depth = &d },
		"mutant":           func(r *report.Report) { r.Mutants = r.Mutants[1:] },
		"mutant twice":     func(r *report.Report) { r.Mutants = append(r.Mutants, r.Mutants[0]) },
		"design's file":    func(r *report.Report) { r.Design.File = "x" },
		"design's format":  func(r *report.Report) { r.Design.Format = "verilog" },
		"design's hash":    func(r *report.Report) { r.Design.SHA256 = "x" },
		"design's latches": func(r *report.Report) { r.Design.Latches++ },
		"property's name":  func(r *report.Report) { r.Properties[0].Name = "x" },
		"property's depth": func(r *report.Report) { d := 1; r.Properties[0].Depth = &d },
		"status":           func(r *report.Report) { r.Properties[0].Status = cert.Fails },
		"no property":      func(r *report.Report) { r.Properties = r.Properties[:0] },
		"mux":              func(r *report.Report) { r.Options.Mux = "next" },
		"faults":           func(r *report.Report) { r.Options.Faults = r.Options.Faults[1:] },
	} {
		var r report.Report
		if err := json.Unmarshal(good, &r); err != nil {
			t.Fatal(err)
		}
		change(&r)
		var text bytes.Buffer
		if err := r.WriteJSON(&text); err != nil {
			t.Fatal(err)
		}
		refused(name, text.Bytes())
	}
}

// TestPartialEvidence: what has no evidence is named, and no word says that
// everything stands.
func TestPartialEvidence(t *testing.T) {
	dir := t.TempDir()
	design, proofs, out := filepath.Join(dir, "d.aag"), filepath.Join(dir, "e"), filepath.Join(dir, "r.json")
	if err := os.WriteFile(design, []byte("aag 1 0 1 0 0 1 0 1\n2 2\n2\n1\n2\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if code, _, e := call(t, "cover", design, "--property", "0", "--evidence", proofs, "--format", "json", "-o", out); code != exitDone {
		t.Fatal(e)
	}
	code, o, _ := call(t, "verify", proofs, "--report", out)
	for _, want := range []string{"the evidence does not speak of property 1 (justice)", "it is partial", "which the stored design has"} {
		if !strings.Contains(o, want) {
			t.Errorf("%q is missing", want)
		}
	}
	if code != exitPartial || strings.Contains(o, "everything") || strings.Contains(o, "FAILS") {
		t.Errorf("exit code %d, %s", code, o)
	}
}

// TestVerifyPipes: a pipe in the place of the design or of the report is refused,
// and not waited for.
func TestVerifyPipes(t *testing.T) {
	dir := t.TempDir()
	design, proofs, pipe := filepath.Join(dir, "d.aag"), filepath.Join(dir, "e"), filepath.Join(dir, "pipe")
	if err := os.WriteFile(design, []byte(claimDesigns["named"]), 0o666); err != nil {
		t.Fatal(err)
	}
	if code, _, e := call(t, "cover", design, "--quiet", "--evidence", proofs); code != exitDone {
		t.Fatal(e)
	}
	if err := syscall.Mkfifo(pipe, 0o666); err != nil {
		t.Skip(err)
	}
	for _, flag := range []string{"--design", "--report"} {
		code, o, e := call(t, "verify", proofs, flag, pipe)
		if code != exitFailure || !strings.Contains(o+e, pipe) || !strings.Contains(o+e, "no regular file") {
			t.Errorf("%s: exit code %d, %s%s", flag, code, o, e)
		}
	}
}
