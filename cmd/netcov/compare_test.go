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

// TestCompareSharedCases runs the command on every tableau case with both
// algorithms and in both forms, and checks the reports against the schema and
// the tables.
func TestCompareSharedCases(t *testing.T) {
	schema := compileSchema(t, "netcov-compare.json", report.JSONSchema("compare"))
	dir := shared.Dir(t, "kripke-cases")
	cases, _ := filepath.Glob(filepath.Join(dir, "tab", "*.json"))
	if testing.Short() {
		cases = cases[:min(len(cases), 5)]
	}
	known, _ := filepath.Glob(filepath.Join(dir, "known", "arbiter*.json"))
	for n, file := range append(cases, known...) {
		var want struct {
			Formula   string
			Counts    report.Size `json:"tableau_counts"`
			Tableau   []struct{ Literals []string }
			Start     []json.RawMessage    `json:"UnImplementedStartState"`
			State     []json.RawMessage    `json:"UnImplementedState"`
			Step      [][2]json.RawMessage `json:"UnImplementedTransition_somestate"`
			ManyToOne []json.RawMessage
			OneToMany []json.RawMessage
		}
		data, err := os.ReadFile(file)
		if err == nil {
			err = json.Unmarshal(data, &want)
		}
		if err != nil {
			t.Fatal(err)
		}
		// A tableau state of a table is its number, or its literals.
		text := func(raw json.RawMessage) string {
			var id int
			var s string
			if json.Unmarshal(raw, &id) == nil {
				return words(want.Tableau[id].Literals)
			}
			if err := json.Unmarshal(raw, &s); err != nil {
				t.Fatal(err)
			}
			return words(strings.Fields(s))
		}
		base := strings.TrimSuffix(file, ".json")
		for m, form := range []string{".hoa", ".smv"} {
			if _, err := os.Stat(base + form); err != nil {
				continue
			}
			code, out, errOut := capture(t, "compare", base+form, "--spec", want.Formula, "--format", "json",
				"--algorithm", []string{"explicit", "symbolic", "implicit", "auto"}[(n+m)%4])
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
			var got report.Comparison
			if err := json.Unmarshal([]byte(out), &got); err != nil {
				t.Fatal(err)
			}
			if got.Tableau != want.Counts {
				t.Errorf("%s%s: tableau %v, want %v", base, form, got.Tableau, want.Counts)
			}
			check := func(name string, wanted []string) {
				t.Helper()
				var have []string
				for _, e := range got.Criteria[name] {
					s := words(e.Literals)
					if e.ToLiterals != nil {
						s += " → " + words(*e.ToLiterals)
					}
					have = append(have, s)
				}
				slices.Sort(have)
				slices.Sort(wanted)
				if !slices.Equal(have, wanted) {
					t.Errorf("%s%s: %s\n got %q\nwant %q", base, form, name, have, wanted)
				}
			}
			each := func(raws []json.RawMessage) (out []string) {
				for _, r := range raws {
					out = append(out, text(r))
				}
				return out
			}
			check("UnImplementedStartState", each(want.Start))
			check("UnImplementedState", each(want.State))
			check("ManyToOne", each(want.ManyToOne))
			var steps []string
			for _, s := range want.Step {
				steps = append(steps, text(s[0])+" → "+text(s[1]))
			}
			check("UnImplementedTransition", steps)
			if len(got.Criteria["OneToMany"]) != len(want.OneToMany) {
				t.Errorf("%s%s: %d one to many, want %d", base, form, len(got.Criteria["OneToMany"]), len(want.OneToMany))
			}
		}
	}
}

// words sorts and joins.
func words(s []string) string {
	s = slices.Clone(s)
	slices.Sort(s)
	return strings.Join(s, " ")
}
