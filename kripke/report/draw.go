package report

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
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

// picture is a drawing: a graph whose states are coloured by their coverage.
type picture struct {
	graph *structure.Structure
	title string
	class []structure.Class // of each state
	// signals are those whose coverage is drawn, and covered, of each state, the
	// positions of those for which it is covered.
	signals []string
	covered [][]int
	missing [][2]int // steps of a tableau that the design never takes
	// whole is the number of states before neighbours were merged; 0 for none.
	whole int
	// describe says by the values of words which states of both lists are in the first;
	// nil without words.
	describe func(in, out []string) []string
}

// draw draws the structure, or the graph of a circuit's control states. A state is
// covered when it is for some signal; without signals nothing is known of the others.
func (t *Tail) draw(layers []layer) (*picture, error) {
	if t.Graph == nil {
		return nil, errors.New("nothing to draw: the run stopped before the model was built")
	}
	p := &picture{describe: t.Describe}
	covered := map[string][]int{}
	for _, l := range layers {
		if l.truncated {
			return nil, errors.New("the lists of covered states are cut, so they cannot be drawn")
		}
		at := -1
		if l.signal != "" {
			if at = slices.Index(p.signals, l.signal); at < 0 {
				at = len(p.signals)
				p.signals = append(p.signals, l.signal)
			}
		}
		for _, state := range l.covered {
			if !slices.Contains(covered[state], at) {
				covered[state] = append(covered[state], at)
			}
		}
	}
	g, err := t.Graph()
	if err != nil {
		return nil, err
	}
	if g.Len() > MaxDrawn {
		return nil, fmt.Errorf("%d states are too many for a drawing, at most %d are drawn", g.Len(), MaxDrawn)
	}
	if len(p.signals) > 0 {
		p.title = "coverage for " + strings.Join(p.signals, ", ")
	}
	p.graph = g
	reached := g.Reachable()
	for s, name := range g.States {
		class := structure.Uncovered
		switch {
		case !reached.Has(s):
			class = structure.Unreachable
		case len(covered[name]) > 0:
			class = structure.Covered
		case len(p.signals) == 0:
			class = structure.Plain
		}
		p.class, p.covered = append(p.class, class), append(p.covered, covered[name])
	}
	return p, nil
}

// WriteDot draws a report's states, coloured by their coverage, for Graphviz.
func WriteDot(w io.Writer, r Report) error {
	p, err := r.picture()
	if err != nil {
		return err
	}
	p = p.merged(mostBoxes)
	return p.graph.WriteDot(w, p.title, func(s int) structure.Class { return p.class[s] })
}

// DrawFile writes a report's drawing to a file, atomically; one whose name ends
// in .svg is drawn by Graphviz' dot.
func DrawFile(path string, r Report) error {
	write := func(w io.Writer) error { return WriteDot(w, r) }
	if strings.EqualFold(filepath.Ext(path), ".svg") {
		program, err := exec.LookPath("dot")
		if err != nil {
			return errors.New("an SVG needs Graphviz' dot, which is not installed; name a .dot file instead")
		}
		write = func(w io.Writer) error {
			var graph bytes.Buffer
			if err := WriteDot(&graph, r); err != nil {
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
