package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"netcov/certify/evidence"
	"netcov/coverage/claims"
	"netcov/coverage/report"
)

// FuzzReport takes any report beside the evidence of a design with a failing
// property, names and instances. What is refused is refused in one line; nothing
// panics; and a report that stands, as it is or once it is spelled as netcov
// does, has the right verdicts.
func FuzzReport(f *testing.F) {
	dir := f.TempDir()
	design, proofs, out := filepath.Join(dir, "d.aag"), filepath.Join(dir, "e"), filepath.Join(dir, "r.json")
	text := "aag 5 1 3 0 1 2\n2\n4 5\n6 4\n8 2\n10\n8\n10 4 6\nl0 u1.toggle[0]\nl1 u1.toggle[1]\nl2 u2.z\nb0 both\n"
	if err := os.WriteFile(design, []byte(text), 0o666); err != nil {
		f.Fatal(err)
	}
	quiet := []string{"cover", design, "--quiet", "--fault", "nondet", "--format", "json"}
	if code, _, e := call(f, append(quiet, "-o", out, "--evidence", proofs)...); code != exitFails {
		f.Fatal(code, e)
	}
	good, err := os.ReadFile(out)
	if err != nil {
		f.Fatal(err)
	}
	stands := func(t testing.TB, r *report.Report) bool {
		rep, err := evidence.Verify(context.Background(), proofs, evidence.Options{Jobs: 1, Claims: claims.Of("r.json", r)})
		if err != nil {
			t.Fatal(err)
		}
		return rep.Stands()
	}
	right, err := report.Parse(good)
	if err != nil || !stands(f, right) {
		f.Fatal("the honest report does not stand", err)
	}
	verdicts := func(r *report.Report) map[string]string {
		said := map[string]string{}
		for _, p := range r.Properties {
			said[fmt.Sprint(p.Index)] += p.Status.String()
		}
		for _, m := range r.Mutants {
			said[fmt.Sprintf("%s %d %s", m.Node.Kind, m.Node.Index, m.Fault)] += m.Verdict.String()
		}
		return said
	}
	truth := fmt.Sprint(verdicts(right))
	f.Add(good)
	f.Add(bytes.ReplaceAll(good, []byte("notcovered"), []byte("covered")))
	f.Add(bytes.ReplaceAll(good, []byte(`"nondet"`), []byte(`"one"`)))
	for _, args := range [][]string{{"--sample", "2", "--tests", "SIMULATION"}, {"--tests", "CONE"}, {"--property", "1"}, {"--property", "0", "--nodes", "all"}} {
		_, o, _ := call(f, append(quiet, args...)...)
		f.Add([]byte(o))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := report.Parse(data)
		if err != nil {
			if strings.ContainsAny(err.Error(), "\n\r") {
				t.Fatalf("refusal of several lines: %q", err)
			}
			r = &report.Report{}
			if json.Unmarshal(data, r) != nil {
				return
			}
			r.Schema = report.Schema
			var b bytes.Buffer
			if r.WriteJSON(&b) != nil {
				return
			}
			if r, err = report.Parse(b.Bytes()); err != nil {
				t.Fatalf("a report as netcov writes it is refused: %v\n%s", err, b.Bytes())
			}
		}
		if said := fmt.Sprint(verdicts(r)); said == truth {
			claims.Of("r.json", r)
		} else if stands(t, r) {
			t.Errorf("a false report stands: %s", said)
		}
	})
}
