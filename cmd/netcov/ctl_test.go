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

	"netcov/internal/shared"
	"netcov/kripke/report"
)

// compileSchema prepares a schema that a package carries.
func compileSchema(t *testing.T, name string, data []byte) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource(name, doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile(name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestCTLSharedCases runs the command on every shared case in each of its
// forms, checks the reports against the schema and the covered states against
// the tables.
func TestCTLSharedCases(t *testing.T) {
	schema := compileSchema(t, "netcov-ctl.json", report.JSONSchema("ctl"))
	dir := shared.Dir(t, "kripke-cases")
	for kind, forms := range map[string][]string{"ctl": {".hoa", ".smv"}, "circuit": {".aag", ".smv"}} {
		cases, _ := filepath.Glob(filepath.Join(dir, kind, "*.json"))
		if testing.Short() {
			cases = cases[:min(len(cases), 5)]
		}
		for _, file := range cases {
			var want struct {
				Formula     string
				Covered     map[string][]string
				CoveredFree map[string][]string `json:"covered_free"`
				Fixed0      []string            `json:"fixed0_covered_free"`
				Fixed1      []string            `json:"fixed1_covered_free"`
			}
			data, err := os.ReadFile(file)
			if err == nil {
				err = json.Unmarshal(data, &want)
			}
			if err != nil {
				t.Fatal(err)
			}
			if want.Covered == nil {
				want.Covered = want.CoveredFree
			}
			var signals []string
			for s := range want.Covered {
				signals = append(signals, s)
			}
			for _, form := range forms {
				view := "auto"
				if kind == "ctl" {
					view = "structure" // a model whose next states are determined is a circuit, too
				}
				code, out, errOut := capture(t, "ctl", "--as", view, strings.TrimSuffix(file, ".json")+form, "--spec", want.Formula,
					"--signal", strings.Join(signals, ","), "--format", "json")
				if code != exitDone {
					t.Errorf("%s%s: exit code %d: %s", file, form, code, errOut)
					continue
				}
				doc, err := jsonschema.UnmarshalJSON(strings.NewReader(out))
				if err != nil {
					t.Fatal(err)
				}
				if err := schema.Validate(doc); err != nil {
					t.Errorf("%s%s: %v", file, form, err)
				}
				var got report.CTL
				if err := json.Unmarshal([]byte(out), &got); err != nil {
					t.Fatal(err)
				}
				spec := got.Specs[0]
				for _, s := range spec.Signals {
					slices.Sort(want.Covered[s.Name])
					slices.Sort(s.Covered)
					if !slices.Equal(s.Covered, want.Covered[s.Name]) {
						t.Errorf("%s%s: %s covered in %v, want %v", file, form, s.Name, s.Covered, want.Covered[s.Name])
					}
				}
				if len(spec.Signals) != len(signals) || !slices.Equal(spec.Fixed0, want.Fixed0) || !slices.Equal(spec.Fixed1, want.Fixed1) {
					t.Errorf("%s%s: %d signals, fixed %v and %v", file, form, len(spec.Signals), spec.Fixed0, spec.Fixed1)
				}
			}
		}
	}
}
