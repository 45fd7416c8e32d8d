package analysis

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"netcov/frontend"
	"netcov/kripke/ctl"
	"netcov/kripke/formula"
	"netcov/kripke/load"
)

const bus = `MODULE main
VAR st : {idle, busy, done}; go : boolean; r : boolean;
ASSIGN init(st) := idle; next(st) := case st = idle & go : busy; st = busy : done; st = done : idle; TRUE : st; esac;
init(r) := FALSE; next(r) := st = busy ? !r : r;
DEFINE valid := st = done; data := st = done ? r : !r;
`

// TestOpenOutputs: data matters where it is valid, and elsewhere it is neither covered
// nor uncovered, in a circuit and in a graph of states.
func TestOpenOutputs(t *testing.T) {
	path := filepath.Join(t.TempDir(), "bus.smv")
	if err := os.WriteFile(path, []byte(bus), 0o600); err != nil {
		t.Fatal(err)
	}
	parse := func(text string) formula.Formula {
		f, err := formula.Parse(text, formula.CTL)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	for _, c := range []struct {
		spec, output, when string
		holds              bool
		circuit, structure [2]int // covered and uncovered
		err                string // in a circuit
	}{
		{"AG (valid -> (data <-> r))", "data", "!valid", true, [2]int{2, 0}, [2]int{4, 0}, ""},
		{"AG (valid -> (data <-> r))", "data", "st = idle", true, [2]int{2, 2}, [2]int{4, 4}, ""},
		{"AG (data <-> r)", "data", "!valid", false, [2]int{}, [2]int{}, ""},
		{"AG EF data", "data", "!valid", true, [2]int{1, 1}, [2]int{0, 4}, ""},
		{"AG EF data", "data", "st in {busy, done} | !r", false, [2]int{}, [2]int{}, ""},
		{"AG (data -> AX data)", "data", "!valid", false, [2]int{}, [2]int{}, "write it as specifications that each read it in one way"},
		{"AG !r", "r", "!valid", false, [2]int{}, [2]int{}, "is no pure output (it is: pure-control)"},
		{"AG valid", "data", "nothing", false, [2]int{}, [2]int{}, "nothing"},
	} {
		for _, structure := range []bool{false, true} {
			src, err := load.Open(t.Context(), path, frontend.Options{})
			if err != nil {
				t.Fatal(err)
			}
			q := CTL{
				Source: src, Specs: []formula.Formula{parse(c.spec)}, Signals: []string{"data"}, Structure: structure, Basic: true,
				Open: []ctl.Open{{Output: c.output, When: parse(c.when)}}, Options: ctl.Options{Progress: func(string) {}},
			}
			r, err := q.Run(t.Context())
			if err != nil || c.err != "" && !structure {
				if err == nil || c.err == "" || !strings.Contains(err.Error(), c.err) {
					t.Errorf("%s, %s when %s: %v", c.spec, c.output, c.when, err)
				}
				continue
			}
			var got, want [2]int
			if *r.Holds {
				s := r.Specs[0].Signals[0]
				got, want = [2]int{len(s.Covered), len(s.Uncovered)}, c.circuit
				if structure { // a state for each input
					want = c.structure
				}
			}
			if *r.Holds != c.holds || got != want {
				t.Errorf("%s, %s when %s, structure %v: %v, %v; want %v, %v", c.spec, c.output, c.when, structure, *r.Holds, got, c.holds, want)
			}
		}
	}
}
