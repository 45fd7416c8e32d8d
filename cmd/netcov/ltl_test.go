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

// TestLTLSharedCases runs the command on every shared case in each of its forms
// and with each algorithm, checks the reports against the schema and the covered
// states against the tables.
func TestLTLSharedCases(t *testing.T) {
	schema := compileSchema(t, "netcov-ltl.json", report.JSONSchema("ltl"))
	dir := shared.Dir(t, "kripke-cases")
	compared := 0
	for pattern, forms := range map[string][]string{
		"ltl/*.json": {".hoa", ".smv"}, "aut/*.json": {".hoa"}, "known/theorem1-*.json": {".hoa", ".smv"},
	} {
		cases, _ := filepath.Glob(filepath.Join(dir, pattern))
		if testing.Short() {
			cases = cases[:min(len(cases), 5)]
		}
		for i, file := range cases {
			var want struct {
				Formula               string
				Structure, Node, Tree map[string][]string
			}
			data, err := os.ReadFile(file)
			if err == nil {
				err = json.Unmarshal(data, &want)
			}
			if err != nil {
				t.Fatal(err)
			}
			var signals []string
			for s := range want.Node {
				signals = append(signals, s)
			}
			base := strings.TrimSuffix(file, ".json")
			for _, form := range forms {
				for j, algorithm := range []string{"product", "symbolic", "indicator", "naive"} {
					if form == ".smv" && i%4 != j {
						continue // the structure is the same
					}
					args := []string{"ltl", base + form, "--signal", strings.Join(signals, ","), "--format", "json", "--algorithm", algorithm}
					switch {
					case want.Formula == "":
						args = append(args, "--automaton", base+".aut.hoa")
					case form == ".hoa":
						args = append(args, "--spec", want.Formula)
					}
					code, out, errOut := capture(t, args...)
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
					var got report.LTL
					if err := json.Unmarshal([]byte(out), &got); err != nil {
						t.Fatal(err)
					}
					check := func(signal, what string, list *[]string, wanted []string) {
						if list == nil {
							t.Errorf("%s%s, %s: no %s coverage of %s", file, form, algorithm, what, signal)
							return
						}
						slices.Sort(wanted)
						slices.Sort(*list)
						if !slices.Equal(*list, wanted) {
							t.Errorf("%s%s, %s: %s coverage of %s is %v, want %v", file, form, algorithm, what, signal, *list, wanted)
						}
						compared++
					}
					for _, s := range got.Specs[0].Signals {
						check(s.Name, "node", s.Node, want.Node[s.Name])
						if algorithm != "indicator" {
							check(s.Name, "structure", s.Structure, want.Structure[s.Name])
							check(s.Name, "tree", s.Tree, want.Tree[s.Name])
						}
					}
				}
			}
		}
	}
	t.Logf("%d sets compared", compared)
}
