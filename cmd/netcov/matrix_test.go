package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"netcov/coverage/matrix"
	"netcov/coverage/report"
	"netcov/mutant"
)

// TestMatrixReports: a report with a matrix has the form of the schema, and one whose
// matrix was changed is refused.
func TestMatrixReports(t *testing.T) {
	dir := t.TempDir()
	design, proofs, out := filepath.Join(dir, "d.aag"), filepath.Join(dir, "e"), filepath.Join(dir, "r.json")
	// Two counters: properties 0 and 1 are about the first, 2 about the second, 3 is a constant.
	text := "aag 8 1 4 0 3 4\n2\n4 5\n6 4\n8 9\n10 8\n12\n14\n16\n0\n12 6 4\n14 12 2\n16 10 8\n"
	if err := os.WriteFile(design, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	if code, _, e := call(t, "cover", design, "--quiet", "--matrix", "--format", "json", "-o", out, "--evidence", proofs); code != exitDone {
		t.Fatal(code, e)
	}
	good, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(good))
	if err != nil {
		t.Fatal(err)
	}
	if err := compileSchema(t, "netcov.json", report.JSONSchema).Validate(doc); err != nil {
		t.Fatal(err)
	}
	covered := func(r *report.Report) *report.Mutant {
		i := slices.IndexFunc(r.Mutants, func(m report.Mutant) bool { return m.Verdict == mutant.Covered })
		return &r.Mutants[i]
	}
	for name, change := range map[string]func(r *report.Report){
		"no matrix":         func(r *report.Report) { r.Matrix = nil },
		"no list":           func(r *report.Report) { r.Mutants[0].Properties = nil },
		"shorter list":      func(r *report.Report) { x := covered(r).Properties; x.Fail = x.Fail[:len(x.Fail)-1] },
		"unknown cell":      func(r *report.Report) { x := covered(r).Properties; x.Unknown = append(x.Unknown, 3) },
		"property twice":    func(r *report.Report) { x := covered(r).Properties; x.Fail = append(x.Fail, x.Fail[0]) },
		"another property":  func(r *report.Report) { x := covered(r).Properties; x.Fail = append(x.Fail, 9) },
		"covered_low":       func(r *report.Report) { r.Matrix.Properties[0].CoveredLow++ },
		"covered_high":      func(r *report.Report) { r.Matrix.Properties[0].CoveredHigh++ },
		"alone_low":         func(r *report.Report) { r.Matrix.Properties[2].AloneLow-- },
		"alone_high":        func(r *report.Report) { r.Matrix.Properties[2].AloneHigh++ },
		"redundant":         func(r *report.Report) { r.Matrix.Properties[2].Redundant = matrix.Yes },
		"idle":              func(r *report.Report) { r.Matrix.Properties[2].Idle = "constant" },
		"cone":              func(r *report.Report) { r.Matrix.Properties[0].Cone = 0 },
		"used":              func(r *report.Report) { n := 0; r.Matrix.Properties[0].Used = &n },
		"property left out": func(r *report.Report) { r.Matrix.Properties = r.Matrix.Properties[1:] },
		"set":               func(r *report.Report) { r.Matrix.Set.CoveredLow++ },
		"cells":             func(r *report.Report) { r.Matrix.Cells++ },
		"unknown":           func(r *report.Report) { r.Matrix.Unknown++ },
		"stopped":           func(r *report.Report) { r.Matrix.Stopped = "budget" },
		"smaller choice":    func(r *report.Report) { r.Matrix.Smallest.Properties = r.Matrix.Smallest.Properties[1:] },
		"bound":             func(r *report.Report) { r.Matrix.Smallest.AtLeast++ },
		"optimal":           func(r *report.Report) { r.Matrix.Smallest.AtLeast-- },
		"order":             func(r *report.Report) { r.Matrix.Order[0].Adds++ },
		"shorter order":     func(r *report.Report) { r.Matrix.Order = r.Matrix.Order[1:] },
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
		if bytes.Equal(text.Bytes(), good) {
			t.Errorf("%s: the text is not changed", name)
		}
		if err := os.WriteFile(out, text.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
		if code, o, e := call(t, "verify", proofs, "--report", out); code != exitFailure || !strings.Contains(o, "FAILS") {
			t.Errorf("%s: exit code %d, %s%s", name, code, o, e)
		}
	}
}
