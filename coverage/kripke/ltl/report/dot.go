package report

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"netcov/coverage/kripke/ltl"
	"netcov/coverage/kripke/structure"
)

// maxDrawn bounds the states of a drawing.
const maxDrawn = 2000

// WriteDot draws the structure, or the graph of a circuit's control states, as a
// Graphviz graph: covered are the states that are covered for some signal by
// some specification, in some of the senses asked for.
func (r *Report) WriteDot(w io.Writer) error {
	if r.graph == nil {
		return errors.New("nothing to draw: the run stopped before the model was built")
	}
	graph, err := r.graph()
	if err != nil {
		return err
	}
	if graph.Len() > maxDrawn {
		return fmt.Errorf("%d states are too many for a drawing, at most %d are drawn", graph.Len(), maxDrawn)
	}
	covered, known := map[string]bool{}, false
	var names []string
	for i, s := range r.Specs {
		for _, sig := range s.Signals {
			if sig.Truncated {
				return errors.New("the lists of covered states are cut, so they cannot be drawn")
			}
			if known = true; i == 0 {
				names = append(names, sig.Name)
			}
			for _, kind := range ltl.Kinds {
				if list := *sig.of(kind); list != nil {
					for _, state := range *list {
						covered[state] = true
					}
				}
			}
		}
	}
	reached := graph.Reachable()
	title := "coverage for " + strings.Join(names, ", ")
	if !known {
		title = ""
	}
	return graph.WriteDot(w, title, func(s int) structure.Class {
		switch {
		case !reached.Has(s):
			return structure.Unreachable
		case !known:
			return structure.Plain
		case covered[graph.States[s]]:
			return structure.Covered
		}
		return structure.Uncovered
	})
}
