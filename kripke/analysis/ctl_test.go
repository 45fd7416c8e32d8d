package analysis

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"netcov/frontend"
	"netcov/kripke/ctl"
	"netcov/kripke/formula"
	"netcov/kripke/load"
	"netcov/kripke/report"
)

const light = `ap red green
init stop
state stop { red } -> stop go
state go { green } -> stop
state lost { red green } -> stop
`

func source(t *testing.T) *load.Source { return opened(t, "light.kripke", light) }

// opened is a model that is written to a file of a name.
func opened(t *testing.T, name, text string) *load.Source {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := load.Open(context.Background(), path, frontend.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func request(t *testing.T, specs ...string) CTL {
	t.Helper()
	q := CTL{Source: source(t), Options: ctl.Options{Progress: func(string) {}}}
	for _, text := range specs {
		f, err := formula.Parse(text, formula.CTL)
		if err != nil {
			t.Fatal(err)
		}
		q.Specs = append(q.Specs, f)
	}
	return q
}

// TestLimits: a run that stops early says why and keeps what it has.
func TestLimits(t *testing.T) {
	q := request(t, "AG !(red & green)")
	q.Options.Algorithm, q.Options.NodeLimit = ctl.Pairs, 12
	r, err := q.Run(context.Background())
	if err != nil || !strings.Contains(r.Stopped, "more than 12 nodes") {
		t.Errorf("%v %+v", err, r)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	r, err = request(t, "AG !(red & green)", "AG AF red").Run(ctx)
	if err != nil || r.Stopped == "" || len(r.Specs) != 2 || r.Specs[0].Holds != nil {
		t.Errorf("%v %+v", err, r)
	}
	var text bytes.Buffer
	if err := report.WriteText(&text, r, 0); err != nil || strings.Count(text.String(), "not decided") != 2 {
		t.Errorf("%v\n%s", err, text.String())
	}
}

// TestDrawing: both states that are reached are covered by one of the
// specifications, and the third is not reached.
func TestDrawing(t *testing.T) {
	r, err := request(t, "AG !(red & green)").Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := report.WriteDot(&b, r); err != nil {
		t.Fatal(err)
	}
	for state, colour := range map[string]string{"n0": "#9fd3a8", "n1": "#9fd3a8", "n2": "#e8e8e8"} {
		found := false
		for line := range strings.Lines(b.String()) {
			found = found || strings.HasPrefix(strings.TrimSpace(line), state+" [") && strings.Contains(line, colour)
		}
		if !found {
			t.Errorf("%s is not %s in\n%s", state, colour, b.String())
		}
	}
}

// TestCombined: the conjunction covers what one of its parts covers.
func TestCombined(t *testing.T) {
	q := request(t, "AG !(red & green)", "AG (green -> AX red)")
	both := request(t, "AG !(red & green) & AG (green -> AX red)")
	r, err := q.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	s, err := both.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range r.Combined {
		want := s.Specs[0].Signals[i]
		if strings.Join(c.Covered, " ") != strings.Join(want.Covered, " ") || c.UncoveredN.Cmp(want.UncoveredN) != 0 {
			t.Errorf("%s: %v, want %v", c.Name, c.Covered, want.Covered)
		}
	}
	if len(r.Combined) != 2 {
		t.Errorf("%d signals", len(r.Combined))
	}
}
