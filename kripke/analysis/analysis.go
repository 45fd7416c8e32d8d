// Package analysis runs what the commands on Kripke structures do: CTL and LTL
// coverage, simulation coverage, and the comparison with a tableau. Each has a
// request, and a report that also says what was known when a limit ended the run.
package analysis

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"netcov/kripke/bdd"
	"netcov/kripke/circuit"
	"netcov/kripke/formula"
	"netcov/kripke/load"
	"netcov/kripke/ltl"
	"netcov/kripke/report"
)

// Room is what an analysis may use.
type Room struct {
	// NodeLimit bounds the nodes of decision diagrams; 0 is no bound, or the
	// algorithm's own.
	NodeLimit int
	// Progress is told what happens.
	Progress func(string)
}

// ended is how every run ends: what stopped it early goes into the report, and other
// errors are returned. Whole reports that everything was computed.
func ended(ctx context.Context, path string, err error, t *report.Tail) (whole bool, _ error) {
	words, early := stopped(ctx, path, err)
	if early {
		t.Stopped = words
		return false, nil
	}
	return err == nil, err
}

// unconfirmed notes what the second opinion does not confirm: it stays open.
func unconfirmed(t *report.Tail, what string, doubt *ltl.Unconfirmed) {
	t.Note(fmt.Sprintf("warning: %s: %v", what, doubt))
	t.Stopped = what + " is not decided: the second opinion does not agree"
}

// stopped says in words what ended a run early, a context or the diagrams' room,
// and what was going on; false when the error has another cause.
func stopped(ctx context.Context, path string, err error) (string, bool) {
	if err == nil {
		return "", false
	}
	cause := context.Cause(ctx)
	var limit *bdd.LimitError
	if cause == nil && errors.As(err, &limit) {
		cause = limit
	}
	if cause == nil {
		return "", false
	}
	words := cause.Error()
	if errors.Is(cause, context.DeadlineExceeded) {
		words = "the time limit was reached"
	}
	before, of := strings.CutSuffix(strings.TrimPrefix(err.Error(), path+": "), cause.Error())
	if before = strings.TrimSuffix(before, ": "); of && before != "" {
		words += " (" + before + ")"
	}
	return words, true
}

// at puts the file's name before an error.
func at(path string, err error) error {
	if err == nil || strings.HasPrefix(err.Error(), path+":") {
		return err
	}
	return fmt.Errorf("%s: %w", path, err)
}

// specifications are those that were asked for, or else the file's own: as they
// are written, and with comparisons of words resolved.
func specifications(src *load.Source, asked []formula.Formula, logic formula.Logic) (written, resolved []formula.Formula, err error) {
	if written = asked; len(written) == 0 {
		if written, err = src.Formulas(logic); err != nil {
			return nil, nil, err
		}
	}
	for _, f := range written {
		g, err := src.Resolve(f)
		if err != nil {
			return nil, nil, err
		}
		resolved = append(resolved, g)
	}
	return written, resolved, nil
}

// with adds the names that are missing.
func with(names []string, more ...string) []string {
	out := slices.Clone(names)
	for _, n := range more {
		if !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	return out
}

func since(start time.Time) float64 { return time.Since(start).Seconds() }

// TooLarge reports whether a bound on listed states ended a run.
func TooLarge(err error) bool { return errors.Is(err, circuit.ErrTooLarge) }
