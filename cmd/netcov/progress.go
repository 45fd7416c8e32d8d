package main

import (
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"

	"netcov/coverage"
	"netcov/coverage/report"
)

// display shows on a terminal what is going on: at once, and anew a few times a second,
// also while nothing is decided. The nil display shows nothing.
type display struct {
	mu    sync.Mutex
	bar   *progressbar.ProgressBar
	begin time.Time
	what  string
	now   coverage.Progress
	since time.Time // when the first mutant was decided
	stop  chan struct{}
	ended sync.WaitGroup
}

// refresh is the time between two looks.
const refresh = 250 * time.Millisecond

// newDisplay begins to show what is done.
func newDisplay(w io.Writer, what string) *display {
	d := &display{what: what, begin: time.Now(), stop: make(chan struct{})}
	d.bar = progressbar.NewOptions(-1, progressbar.OptionSetWriter(w), progressbar.OptionClearOnFinish(),
		progressbar.OptionSetWidth(24), progressbar.OptionSpinnerType(14), progressbar.OptionSetElapsedTime(false), progressbar.OptionSetPredictTime(false))
	d.draw()
	d.ended.Go(func() {
		tick := time.NewTicker(refresh)
		defer tick.Stop()
		for {
			select {
			case <-d.stop:
				return
			case <-tick.C:
				d.draw()
			}
		}
	})
	return d
}

// show takes note of what is known.
func (d *display) show(p coverage.Progress) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.now.Decided == 0 && p.Decided > 0 {
		d.since = time.Now()
	}
	d.now = p
}

// end clears the display.
func (d *display) end() {
	if d == nil {
		return
	}
	close(d.stop)
	d.ended.Wait()
	_ = d.bar.Finish()
}

// draw draws the line.
func (d *display) draw() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.now.Mutants > 0 {
		d.bar.ChangeMax(d.now.Mutants)
		_ = d.bar.Set(d.now.Decided)
	}
	d.bar.Describe(d.line(time.Now()))
	_ = d.bar.RenderBlank()
}

// line is what is going on, in words. The lock must be held.
func (d *display) line(now time.Time) string {
	p, took := d.now, now.Sub(d.begin).Round(100*time.Millisecond)
	switch {
	case p.Mutants > 0:
		out := fmt.Sprintf("%s: %d of %s decided", p.Stage, p.Decided, report.Plural(p.Mutants, "mutant"))
		if s := now.Sub(d.since).Seconds(); p.Decided > 0 && s >= 1 {
			out += fmt.Sprintf(", %.0f/s", float64(p.Decided)/s)
		}
		return fmt.Sprintf("%s, %v", out, took)
	case p.Properties > 0:
		return fmt.Sprintf("%s: %d of %s answered, %v", p.Stage, p.Answered, report.Plural(p.Properties, "property"), took)
	}
	return fmt.Sprintf("%s, %v", d.what, took)
}

// display shows what is done while a terminal watches.
func (f *coverFlags) display(w io.Writer, what string) *display {
	if f.quiet || f.verbose || !isTerminal(w) {
		return nil
	}
	return newDisplay(w, what)
}

// progress shows the run while a terminal watches; the function returned ends it.
func (f *coverFlags) progress(w io.Writer, opt *coverage.Options) func() {
	d := f.display(w, "preparing")
	if d != nil {
		opt.Progress = d.show
	}
	return d.end
}
