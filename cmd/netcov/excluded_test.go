package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestExcludedWarning: both commands warn on standard error and in every form of the
// report where fairness leaves no path, strong fairness included, and nowhere else.
func TestExcludedWarning(t *testing.T) {
	for text, want := range map[string]string{
		"FAIRNESS n = 1;":                  "ltl ctl",
		"FAIRNESS n = 0;":                  "",
		"COMPASSION (a | !a, n = 1);":      "ltl",
		"COMPASSION (n = 1, n = 1);":       "",
		"FAIRNESS a; FAIRNESS n = 1 & !a;": "ltl ctl",
		"":                                 "",
	} {
		path := filepath.Join(t.TempDir(), "m.smv")
		model := "MODULE main\nVAR a : boolean; n : 0..1;\nASSIGN init(n) := 0; next(n) := n;\n" + text + "\n"
		if err := os.WriteFile(path, []byte(model), 0o600); err != nil {
			t.Fatal(err)
		}
		for command, spec := range map[string]string{"ltl": "F a | G !a", "ctl": "AG (a | !a)"} {
			if command == "ctl" && strings.HasPrefix(text, "COMPASSION") {
				continue // for LTL only
			}
			for _, form := range []string{"text", "json", "html"} {
				code, out, errOut := capture(t, command, path, "--spec", spec, "--format", form)
				const warning = "warning: the constraints exclude every path from the initial states"
				warned := strings.Contains(want, command)
				if code != 0 || strings.Contains(out, warning) != warned || strings.Count(errOut, warning) != map[bool]int{true: 1}[warned] {
					t.Errorf("%s, %s, %q: exit code %d, %s\n%.600s", command, form, text, code, errOut, out)
				}
			}
		}
	}
}
