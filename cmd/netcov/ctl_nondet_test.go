package main

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"netcov/kripke/report"
)

// TestFixingsAgreeWithCover: for an invariant, fixing a register to 0, to 1 and to don't
// care is noticed exactly when cover's faults zero, one and nondet of it are covered.
func TestFixingsAgreeWithCover(t *testing.T) {
	schema := compileSchema(t, "netcov-ctl.json", report.JSONSchema("ctl"))
	for design, properties := range map[string][]string{
		"counter":  {"at_most_9"},
		"bus-weak": {"one_grant"},
		"arbiter":  {"exclusive", "no_request_no_ack", "single_request_0", "single_request_1", "turn_to_1", "turn_to_0", "idle_at_first"},
	} {
		covered := map[string][]string{} // by property and fault
		for _, row := range readTable(t, filepath.Join(designs, design+".expected.tsv")) {
			if row[4] == "covered" {
				key := row[0] + " " + row[3]
				covered[key] = append(covered[key], row[2])
			}
		}
		for p, name := range properties {
			for _, algorithm := range []string{"auto", "naive", "halving", "pairs", "singles", "invariant"} {
				code, out, errOut := capture(t, "ctl", "--nondet", "--algorithm", algorithm, "--format", "json", "--spec", "AG !"+name, filepath.Join(designs, design+".aag"))
				if code != exitDone {
					t.Fatalf("%s: exit code %d: %s", design, code, errOut)
				}
				doc, err := jsonschema.UnmarshalJSON(strings.NewReader(out))
				if err != nil {
					t.Fatal(err)
				}
				if err := schema.Validate(doc); err != nil {
					t.Errorf("%s: %v", design, err)
				}
				var r report.CTL
				if err := json.Unmarshal([]byte(out), &r); err != nil {
					t.Fatal(err)
				}
				s := r.Specs[0]
				for fault, got := range map[string][]string{"zero": s.Fixed0, "one": s.Fixed1, "nondet": s.Nondet.DontCareCovered} {
					if want := covered[strconv.Itoa(p)+" "+fault]; !slices.Equal(got, want) {
						t.Errorf("%s, %s, %s: %s is noticed for %v, and cover has %v", design, name, algorithm, fault, got, want)
					}
				}
				for _, m := range s.Nondet.Merged {
					i := slices.IndexFunc(s.Signals, func(x report.CTLSignal) bool { return x.Name == m.Name })
					if !slices.Equal(m.Covered, s.Signals[i].Covered) {
						t.Errorf("%s, %s, %s: merging for %s is noticed in %v, flips are in %v", design, name, algorithm, m.Name, m.Covered, s.Signals[i].Covered)
					}
				}
			}
		}
	}
}
