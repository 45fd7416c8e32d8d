package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"netcov/internal/shared"
	"netcov/kripke/report"
)

// TestSimulateSharedCases runs the command on every shared case with every
// algorithm and in both forms, and checks the reports against the schema and
// the tables.
func TestSimulateSharedCases(t *testing.T) {
	schema := compileSchema(t, "netcov-simulate.json", report.JSONSchema("simulate"))
	dir := shared.Dir(t, "kripke-cases")
	cases, _ := filepath.Glob(filepath.Join(dir, "sim", "*.json"))
	if testing.Short() {
		cases = cases[:min(len(cases), 5)]
	}
	for _, k := range []string{"ck02-first-call", "ck02-self-loop", "figure4"} {
		cases = append(cases, filepath.Join(dir, "known", k+".json"))
	}
	for n, file := range cases {
		var want struct {
			Covered    map[string][]string
			Mut        [][2]string
			MutCovered [][2]string `json:"mut_covered"`
		}
		data, err := os.ReadFile(file)
		if err == nil {
			err = json.Unmarshal(data, &want)
		}
		if err != nil {
			t.Fatal(err)
		}
		var signals []string
		for q := range want.Covered {
			signals = append(signals, q)
		}
		base := strings.TrimSuffix(file, ".json")
		for _, form := range []string{".hoa", ".smv"} {
			if _, err := os.Stat(base + ".impl" + form); err != nil {
				continue
			}
			args := []string{
				"simulate", base + ".impl" + form, base + ".spec" + form, "--format", "json",
				"--signal", strings.Join(signals, ","), "--algorithm", []string{"halving", "symbolic", "naive"}[n%3],
			}
			if want.Mut != nil && form == ".hoa" {
				var lines strings.Builder
				for _, m := range want.Mut {
					lines.WriteString(m[0] + " " + m[1] + "\n")
				}
				path := filepath.Join(t.TempDir(), "mutants.txt")
				if err := os.WriteFile(path, []byte(lines.String()), 0o666); err != nil {
					t.Fatal(err)
				}
				args = append(args, "--mutants", path)
			}
			code, out, errOut := capture(t, args...)
			if code != exitDone {
				t.Errorf("%s%s: exit code %d: %s", base, form, code, errOut)
				continue
			}
			doc, err := jsonschema.UnmarshalJSON(strings.NewReader(out))
			if err != nil {
				t.Fatal(err)
			}
			if err := schema.Validate(doc); err != nil {
				t.Errorf("%s%s: %v", base, form, err)
			}
			var got report.Simulation
			if err := json.Unmarshal([]byte(out), &got); err != nil {
				t.Fatal(err)
			}
			if len(got.Signals) != len(signals) {
				t.Errorf("%s%s: %d signals", base, form, len(got.Signals))
			}
			for _, s := range got.Signals {
				slices.Sort(s.Covered)
				slices.Sort(want.Covered[s.Name])
				if !slices.Equal(s.Covered, want.Covered[s.Name]) {
					t.Errorf("%s%s: %s covered in %v, want %v", base, form, s.Name, s.Covered, want.Covered[s.Name])
				}
			}
			if form == ".hoa" && want.Mut != nil {
				less := func(a, b [2]string) int { return slices.Compare(a[:], b[:]) }
				slices.SortFunc(got.Covered, less)
				slices.SortFunc(want.MutCovered, less)
				if !slices.Equal(got.Covered, want.MutCovered) || got.Mutants != len(want.Mut) {
					t.Errorf("%s: mutants %v covered, want %v", base, got.Covered, want.MutCovered)
				}
			}
		}
	}
}
