package main

import (
	"strings"
	"sync"
	"testing"
	"time"

	"netcov/coverage"
)

// lockedWriter is a writer that several goroutines may use.
type lockedWriter struct {
	mu sync.Mutex
	b  strings.Builder
}

func (w *lockedWriter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.b.Write(p)
}

func (w *lockedWriter) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.b.String()
}

// TestDisplay: something is shown at once, the time goes on while nothing is decided, and
// each stage has its figures.
func TestDisplay(t *testing.T) {
	w := &lockedWriter{}
	d := newDisplay(w, "reading the design")
	if !strings.Contains(w.String(), "reading the design, 0s") {
		t.Errorf("nothing is shown at once: %q", w.String())
	}
	time.Sleep(3 * refresh)
	if n := strings.Count(w.String(), "reading the design"); n < 2 {
		t.Errorf("the line is drawn %d times", n)
	}
	d.end()
	var none *display
	none.end()

	begin := time.Now()
	for _, c := range []struct {
		p   coverage.Progress
		due string
	}{
		{coverage.Progress{Stage: "proving", Properties: 60, Answered: 12}, "proving: 12 of 60 properties answered, 2s"},
		{coverage.Progress{Stage: "IC3", Mutants: 700}, "IC3: 0 of 700 mutants decided, 2s"},
		{coverage.Progress{Stage: "IC3", Mutants: 700, Decided: 100}, "IC3: 100 of 700 mutants decided, 50/s, 2s"},
	} {
		d := &display{begin: begin, since: begin, now: c.p}
		if got := d.line(begin.Add(2 * time.Second)); got != c.due {
			t.Errorf("%q, %q is due", got, c.due)
		}
	}
}
