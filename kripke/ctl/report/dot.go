package report

import (
	"io"
	"slices"

	"netcov/kripke/internal/drawing"
)

// WriteDot draws the structure, or the graph of a circuit's control states, as
// a Graphviz graph: covered are the states that are covered for some signal by
// some specification.
func (r *Report) WriteDot(w io.Writer) error {
	covered := map[string]bool{}
	var names []string
	for _, s := range r.Specs {
		for _, sig := range s.Signals {
			if sig.Truncated {
				return drawing.ErrTruncated
			}
			if !slices.Contains(names, sig.Name) {
				names = append(names, sig.Name)
			}
			for _, state := range sig.Covered {
				covered[state] = true
			}
		}
	}
	return drawing.Write(w, r.graph, names, covered)
}
