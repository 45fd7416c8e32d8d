package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"netcov/kripke/report"
)

// TestSimulateFairness: a handshake that may wait for ever is simulated without fairness,
// and not where the specification's fairness forbids that, with the endless wait as the
// reason; with the same fairness all its labels matter.
func TestSimulateFairness(t *testing.T) {
	schema := compileSchema(t, "netcov-simulate.json", report.JSONSchema("simulate"))
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	plain := "ap req ack\ninit idle\nstate idle -> idle want\nstate want {req} -> want done hung\nstate done {ack} -> idle\nstate hung {req ack} -> hung\n"
	waits, fair := write("waits.txt", plain), write("fair.txt", plain+"fair idle done\n")
	smv := func(name, fairness string) string {
		return write(name, "MODULE main\nVAR go : boolean; n : 0..3; odd : boolean;\nASSIGN init(n) := 0; init(odd) := FALSE;\n"+
			"next(n) := go ? (n + 1) mod 4 : n; next(odd) := n mod 2 = 0;\n"+fairness)
	}
	free, goes := smv("free.smv", ""), smv("goes.smv", "FAIRNESS go\nJUSTICE n = 3\n")
	for _, c := range []struct {
		impl, spec string
		code, loop int // loop is -1 without an endless reason
		says       string
	}{
		{waits, waits, exitDone, -1, "simulates the implementation\n"},
		{fair, waits, exitDone, -1, "simulates the implementation with fair paths for fair paths"},
		{fair, fair, exitDone, -1, "left out, since no fair path starts there: 1 reachable states: hung"},
		{waits, fair, exitFails, -1, "no fair path of the specification has these labels: nothing simulates hung"},
		{goes, free, exitDone, -1, "simulates the implementation with fair paths"},
		{goes, goes, exitDone, -1, "simulates the implementation with fair paths"},
		{free, goes, exitFails, 1, "again and again: a fair path of the implementation"},
	} {
		code, out, errOut := capture(t, "simulate", c.impl, c.spec)
		if code != c.code || !strings.Contains(out, c.says) {
			t.Errorf("%s, %s: exit code %d, %s%s", c.impl, c.spec, code, out, errOut)
		}
		var first *report.Simulation
		for _, algorithm := range []string{"auto", "halving", "symbolic", "naive"} {
			code, out, errOut := capture(t, "simulate", c.impl, c.spec, "--format", "json", "--algorithm", algorithm)
			doc, err := jsonschema.UnmarshalJSON(strings.NewReader(out))
			if err == nil {
				err = schema.Validate(doc)
			}
			if code != c.code || err != nil {
				t.Fatalf("%s, %s, %s: exit code %d, %v: %s", c.impl, c.spec, algorithm, code, err, errOut)
			}
			got := &report.Simulation{}
			if err := json.Unmarshal([]byte(out), got); err != nil {
				t.Fatal(err)
			}
			if first == nil {
				first = got
			}
			if !slices.EqualFunc(first.Signals, got.Signals, func(a, b report.SimulationSignal) bool {
				return slices.Equal(a.Covered, b.Covered) && slices.Equal(a.Uncovered, b.Uncovered)
			}) {
				t.Errorf("%s, %s, %s: %v, first %v", c.impl, c.spec, algorithm, got.Signals, first.Signals)
			}
			if endless := got.Reason != nil && got.Reason.Loop != nil; endless != (c.loop >= 0) || endless && *got.Reason.Loop != c.loop {
				t.Errorf("%s, %s: reason %+v, want loop %d", c.impl, c.spec, got.Reason, c.loop)
			}
		}
	}
	strong := smv("strong.smv", "COMPASSION (go, odd)\n")
	if code, _, errOut := capture(t, "simulate", strong, free); code != exitFailure || !strings.Contains(errOut, "COMPASSION (strong fairness) is supported for LTL specifications only") {
		t.Errorf("COMPASSION: exit code %d: %s", code, errOut)
	}
}
