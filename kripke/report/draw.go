package report

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strings"

	"netcov/internal/atomicfile"
	"netcov/kripke/structure"
)

// MaxDrawn bounds the states of a drawing.
const MaxDrawn = 2000

// layer is a signal's part of a drawing; single mutants belong to no signal.
type layer struct {
	signal    string
	covered   []string
	truncated bool
}

// draw draws the structure, or the graph of a circuit's control states, as a
// Graphviz graph. A state is covered when it is for some signal; without signals
// nothing is known of the others.
func (t *Tail) draw(w io.Writer, layers []layer) error {
	if t.Graph == nil {
		return errors.New("nothing to draw: the run stopped before the model was built")
	}
	covered := map[string]bool{}
	var names []string
	for _, l := range layers {
		if l.truncated {
			return errors.New("the lists of covered states are cut, so they cannot be drawn")
		}
		if l.signal != "" {
			names = append(names, l.signal)
		}
		for _, state := range l.covered {
			covered[state] = true
		}
	}
	g, err := t.Graph()
	if err != nil {
		return err
	}
	if g.Len() > MaxDrawn {
		return fmt.Errorf("%d states are too many for a drawing, at most %d are drawn", g.Len(), MaxDrawn)
	}
	reached := g.Reachable()
	title := ""
	if names = distinct(names); len(names) > 0 {
		title = "coverage for " + strings.Join(names, ", ")
	}
	return g.WriteDot(w, title, func(s int) structure.Class {
		switch {
		case !reached.Has(s):
			return structure.Unreachable
		case covered[g.States[s]]:
			return structure.Covered
		case len(names) == 0:
			return structure.Plain
		}
		return structure.Uncovered
	})
}

func distinct(names []string) (out []string) {
	seen := map[string]bool{}
	for _, n := range names {
		if !seen[n] {
			out = append(out, n)
		}
		seen[n] = true
	}
	return out
}

// DrawFile writes a report's drawing to a file, atomically; one whose name ends
// in .svg is drawn by Graphviz' dot.
func DrawFile(path string, r Report) error {
	write := r.WriteDot
	if strings.EqualFold(filepath.Ext(path), ".svg") {
		program, err := exec.LookPath("dot")
		if err != nil {
			return errors.New("an SVG needs Graphviz' dot, which is not installed; name a .dot file instead")
		}
		write = func(w io.Writer) error {
			var graph bytes.Buffer
			if err := r.WriteDot(&graph); err != nil {
				return err
			}
			cmd := exec.Command(program, "-Tsvg")
			cmd.Stdin, cmd.Stdout = &graph, w
			if err := cmd.Run(); err != nil {
				return fmt.Errorf("dot failed: %w", err)
			}
			return nil
		}
	}
	if err := atomicfile.Write(path, write); err != nil {
		return fmt.Errorf("drawing %s: %w", path, err)
	}
	return nil
}
