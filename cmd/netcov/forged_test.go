package main

import (
	"path/filepath"
	"strings"
	"testing"

	"netcov/internal/shared"
)

// TestForgedCases: directories of evidence that were forged by hand, each with a
// report that agrees, beside the true design.
func TestForgedCases(t *testing.T) {
	for name, c := range map[string]struct {
		code int
		want string
	}{
		"prop2-no-mutants":     {exitPartial, "property 2: only 0 of 5 latches have mutants (zero, one, nondet)"},
		"prop2-fault-one-only": {exitPartial, "property 2: only 0 of 5 gates have mutants (zero, nondet)"},
		"prop2-latches-only":   {exitPartial, "property 2: only 0 of 5 gates have mutants (zero, one, nondet)"},
		"inverted":             {exitFailure, `it calls latch 0 "a" of register "a", inverted, the design "a" of register "a"`},
		"names-exchanged":      {exitFailure, `it calls latch 0 "b" of register "b", the design "a" of register "a"`},
		"register-renamed":     {exitFailure, `it calls latch 3 "secret_key"`},
		"gap":                  {exitFailure, "which is no reason for a property of the kind bad"},
	} {
		dir := shared.Dir(t, "cases/forged/"+name)
		args := []string{"verify", filepath.Join(dir, "e"), "--report", filepath.Join(dir, "r.json")}
		for _, given := range []bool{false, true} {
			if given {
				args = append(args, "--design", filepath.Join(dir, "design.aag"))
			}
			if code, out, _ := call(t, args...); code != c.code || !strings.Contains(out, c.want) || strings.Contains(out, "everything") {
				t.Errorf("%s: exit code %d, %s", name, code, out)
			}
		}
	}
}
