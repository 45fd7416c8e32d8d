// Package drawing draws which states of a structure are covered.
package drawing

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"netcov/kripke/structure"
)

// MaxStates bounds the states of a drawing.
const MaxStates = 2000

// ErrTruncated says that a report does not list all covered states.
var ErrTruncated = errors.New("the lists of covered states are cut, so they cannot be drawn")

// Write draws the structure, or the graph of a circuit's control states, as a
// Graphviz graph. Covered are the states, by name, that are covered for some of
// the signals; without signals nothing is known of them. A nil graph is that of
// a run that stopped early.
func Write(w io.Writer, graph func() (*structure.Structure, error), signals []string, covered map[string]bool) error {
	if graph == nil {
		return errors.New("nothing to draw: the run stopped before the model was built")
	}
	g, err := graph()
	if err != nil {
		return err
	}
	if g.Len() > MaxStates {
		return fmt.Errorf("%d states are too many for a drawing, at most %d are drawn", g.Len(), MaxStates)
	}
	reached := g.Reachable()
	title := ""
	if len(signals) > 0 {
		title = "coverage for " + strings.Join(signals, ", ")
	}
	return g.WriteDot(w, title, func(s int) structure.Class {
		switch {
		case !reached.Has(s):
			return structure.Unreachable
		case len(signals) == 0:
			return structure.Plain
		case covered[g.States[s]]:
			return structure.Covered
		}
		return structure.Uncovered
	})
}
