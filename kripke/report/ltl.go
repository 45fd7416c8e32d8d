package report

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"

	"netcov/kripke/ltl"
)

// LTL is the LTL coverage of a model (schema netcov-ltl/1).
type LTL struct {
	Head
	Algorithm string `json:"algorithm"`
	// Flip says who reads a flipped signal: "spec" or "design".
	Flip string `json:"flip"`
	// Holds says whether every specification does; missing when that is not known.
	Holds *bool     `json:"holds,omitempty"`
	Specs []LTLSpec `json:"specs"`
	// Combined is the coverage of the specifications together, when there are
	// several and all hold: a state is covered when one of them covers it.
	Combined []LTLSignal `json:"combined,omitempty"`
	Tail
}

// LTLSpec is the outcome for one specification.
type LTLSpec struct {
	Formula   string    `json:"formula"` // for an automaton, "automaton" and its file
	Automaton Automaton `json:"automaton"`
	Outcome
	Signals []LTLSignal `json:"signals"`
	// EmptySignals lists the signals for which no state is covered.
	EmptySignals []string `json:"empty_signals,omitempty"`
	Seconds      float64  `json:"seconds"`
}

// Automaton is the size of the automaton of wrong behaviours. Its acceptance
// stands on edges.
type Automaton struct {
	States   int  `json:"states"`
	Edges    int  `json:"edges"`
	Sets     int  `json:"acceptance_sets"`
	Terminal bool `json:"terminal"` // the specification is a safety property
}

// LTLSignal is the coverage of one signal: the covered states by each notion that
// was asked for.
type LTLSignal struct {
	Name string `json:"name"`
	Kind string `json:"kind"`
	// Source is the file and line of a register.
	Source    string    `json:"source,omitempty"`
	Structure *[]string `json:"structure,omitempty"`
	Node      *[]string `json:"node,omitempty"`
	Tree      *[]string `json:"tree,omitempty"`
	// Uncovered lists the reachable states that no notion asked for covers;
	// missing when there are too many to list.
	Uncovered *[]string `json:"uncovered,omitempty"`
	// UncoveredWords describes the uncovered states by the values of words.
	UncoveredWords []string `json:"uncovered_words,omitempty"`
	// Counts of the states by notion, and of the uncovered ones; lists may be cut. By
	// diagrams "covered" counts those that some notion asked for covers.
	Counts    map[string]*big.Int `json:"counts"`
	Truncated bool                `json:"truncated,omitempty"`
	// Complete is false when the SAT engines found some covered states and did
	// not look for more.
	Complete *bool `json:"complete,omitempty"`
	// Cubes of the SAT engines; the lists have a state of each. When complete, there are
	// no covered states outside of them.
	Cubes []Cube `json:"cubes,omitempty"`
	// Variables tells what the decision diagrams took, by notion.
	Variables map[string]ltl.Variables `json:"bdd,omitempty"`
	// Indicator is the indicator formula as a system of equations, Closed as one
	// formula where it is short.
	Indicator      string `json:"indicator,omitempty"`
	IndicatorDepth *int   `json:"indicator_alternation_depth,omitempty"`
	Closed         string `json:"indicator_formula,omitempty"`
	// Witness is a computation that fails when the signal is flipped.
	Witness *Witness `json:"witness,omitempty"`
	// FirstUncovered is a shortest path to a state that no notion asked for covers.
	FirstUncovered *Computation `json:"first_uncovered,omitempty"`
	Seconds        float64      `json:"seconds"`
}

// Cube is a set of covered control states: the reachable ones in which some registers
// have some values.
type Cube struct {
	Coverage string `json:"coverage,omitempty"` // the notion, in LTL
	Cube     string `json:"cube"`               // literals
	State    string `json:"state"`
	// Automaton limits the cube to the states that a run reaches while the automaton
	// of wrong behaviours is in this state.
	Automaton *int `json:"automaton,omitempty"`
	// Computation fails when the signal is flipped in State.
	Computation *Computation `json:"computation,omitempty"`
}

// Of is the list of a notion.
func (s *LTLSignal) Of(k ltl.Kind) **[]string {
	switch k {
	case ltl.StructureCoverage:
		return &s.Structure
	case ltl.NodeCoverage:
		return &s.Node
	}
	return &s.Tree
}

// Witness shows why a state is covered.
type Witness struct {
	State       string       `json:"state"`
	Coverage    string       `json:"coverage"`
	Computation *Computation `json:"computation"`
}

// name is the state as the computation shows it.
func (w *Witness) name() string {
	for _, s := range w.Computation.Steps {
		if s.State == w.State {
			return cmp.Or(s.Words, s.State)
		}
	}
	return w.State
}

// Empty reports that no state is covered.
func (s *LTLSignal) Empty() bool {
	for _, k := range ltl.Kinds {
		if list := *s.Of(k); list != nil && len(*list) > 0 {
			return false
		}
	}
	return true
}

// Verdict implements Report.
func (r *LTL) Verdict() (*bool, string) { return r.Holds, r.Stopped }

// Covered counts the pairs of a signal and a reachable state, and those that some
// specification covers by some notion asked for; known is false where the uncovered
// states were not counted.
func (r *LTL) Covered() (covered, all *big.Int, known bool) {
	signals := r.Combined
	if len(r.Specs) == 1 {
		signals = r.Specs[0].Signals
	}
	covered, all = new(big.Int), new(big.Int)
	known = len(r.Specs) == 1 || signals != nil
	for i := range signals {
		s := &signals[i]
		left, ok := s.Counts["uncovered"]
		if !ok {
			return nil, nil, false
		}
		n, ok := s.Counts["covered"]
		if !ok {
			hit := map[string]bool{}
			for _, k := range ltl.Kinds {
				if states := *s.Of(k); states != nil {
					for _, state := range *states {
						hit[state] = true
					}
				}
			}
			n = big.NewInt(int64(len(hit)))
		}
		covered.Add(covered, n)
		all.Add(all, new(big.Int).Add(n, left))
	}
	return covered, all, known
}

func (r *LTL) describe(d *document, rows int) {
	var together func(*document)
	if len(r.Combined) > 0 {
		together = func(d *document) { writeLTLSignals(d, r.Combined, rows) }
	}
	writeSpecs(d, &r.Head, &r.Tail, r.Specs, rows, together)
}

// picture shows as covered the states that are covered for some signal by some
// specification, in some of the senses asked for.
func (r *LTL) picture() (*picture, error) {
	var layers []layer
	for _, s := range r.Specs {
		for _, sig := range s.Signals {
			for _, kind := range ltl.Kinds {
				if list := *sig.Of(kind); list != nil {
					layers = append(layers, layer{sig.Name, *list, sig.Truncated})
				}
			}
		}
	}
	return r.draw(layers)
}

func (s LTLSpec) formula() string { return s.Formula }

func (s LTLSpec) write(d *document, rows int) {
	a := s.Automaton
	kind := ""
	if a.Terminal {
		kind = " (safety)"
	}
	fmt.Fprintf(d, "automaton of wrong behaviours: %s, %s, %s%s\n", plural(a.States, "state"),
		plural(a.Edges, "edge"), plural(a.Sets, "acceptance set"), kind)
	if !s.Outcome.write(d, s.Seconds, rows) {
		return
	}
	writeLTLSignals(d, s.Signals, rows)
	if len(s.EmptySignals) > 0 {
		fmt.Fprintf(d, "no state is covered for %s: the specification may be vacuous there\n", strings.Join(s.EmptySignals, ", "))
	}
	for _, sig := range s.Signals {
		sig.details(d, rows)
	}
}

func writeLTLSignals(d *document, signals []LTLSignal, rows int) {
	if len(signals) == 0 {
		d.WriteString("no signal to cover\n")
		return
	}
	header := table.Row{"signal", "class"}
	var kinds []ltl.Kind
	var right []int
	for _, k := range ltl.Kinds {
		if *signals[0].Of(k) != nil {
			kinds = append(kinds, k)
			header = append(header, k.String())
			right = append(right, len(header))
		}
	}
	t := newTable(append(header, "uncovered", uncoveredStates), append(right, len(header)+1)...)
	for _, s := range signals {
		row := table.Row{s.Name, s.Kind}
		for _, k := range kinds {
			n := s.Counts[k.String()].String()
			if s.Cubes != nil {
				n = plural(len(*(*s.Of(k))), "cube")
			}
			if s.Complete != nil && !*s.Complete {
				n = "≥ " + n
			}
			row = append(row, n)
		}
		if s.Uncovered == nil {
			left := "?"
			if n, ok := s.Counts["uncovered"]; ok {
				left = n.String()
			}
			row = append(row, left, "not listed")
		} else {
			row = append(row, s.Counts["uncovered"], describeStates(*s.Uncovered, s.UncoveredWords, rows))
		}
		t.add(row)
	}
	t.sources(func(i int) string { return signals[i].Source })
	d.table(t)
	var meaning []string
	for _, k := range kinds {
		meaning = append(meaning, k.String()+" "+flipped[k])
	}
	fmt.Fprintf(d, "covered: the specification fails when the signal is flipped in this state: %s\n", strings.Join(meaning, ", "))
	var paths []pathTo
	for _, s := range signals {
		paths = append(paths, pathTo{s.Name, s.FirstUncovered})
	}
	writeFirstUncovered(d, paths)
}

// flipped says when each notion flips a signal.
var flipped = map[ltl.Kind]string{
	ltl.StructureCoverage: "at every visit", ltl.NodeCoverage: "at one visit", ltl.TreeCoverage: "at some visits",
}

// writeCubes writes the cubes in which a signal is covered.
func writeCubes(d *document, signal string, cubes []Cube, complete *bool, rows int) {
	for i, q := range cubes {
		if i == 0 {
			which := "the reachable states of"
			if !*complete {
				which = "at least " + which
			}
			fmt.Fprintf(d, "%s is covered in %s\n", signal, which)
		}
		if rows > 0 && i == rows {
			fmt.Fprintf(d, "  … %d more\n", len(cubes)-rows)
			break
		}
		fmt.Fprintf(d, "  %s", q.Cube)
		if q.Coverage != "" {
			fmt.Fprintf(d, " (%s)", q.Coverage)
		}
		if q.Automaton != nil {
			fmt.Fprintf(d, " that a run reaches with the automaton in state %d", *q.Automaton)
		}
		d.WriteString("\n")
	}
}

// details writes what an algorithm has to say beyond the sets.
func (s *LTLSignal) details(d *document, rows int) {
	for _, k := range ltl.Kinds {
		v, ok := s.Variables[k.String()]
		if !ok {
			continue
		}
		fmt.Fprintf(d, "%s, %s: %d decision diagram variables, 2 for each of", s.Name, k, v.Allocated)
		for _, part := range []struct {
			n    int
			name string
		}{
			{v.State, "register bits"},
			{v.Input, "input bits"},
			{v.Automaton, "automaton bits"},
			{v.Choice, "choice bits"},
			{v.Flip, "flip"},
			{v.Flag, "flag"},
			{v.W, "bits of w"},
		} {
			if part.n > 0 {
				fmt.Fprintf(d, " %d %s,", part.n, part.name)
			}
		}
		fmt.Fprintf(d, " at most %d nodes\n", v.PeakNodes)
	}
	writeCubes(d, s.Name, s.Cubes, s.Complete, rows)
	if s.Indicator != "" {
		lines := strings.Split(strings.TrimSuffix(s.Indicator, "\n"), "\n")
		fmt.Fprintf(d, "indicator of %s, alternation depth %d:\n", s.Name, *s.IndicatorDepth)
		if rows > 0 && len(lines) > rows {
			last := lines[len(lines)-3:]
			lines = append(slices.Clone(lines[:max(0, rows-3)]), "…")
			lines = append(lines, last...)
		}
		for _, l := range lines {
			fmt.Fprintf(d, "  %s\n", l)
		}
		if s.Closed != "" {
			fmt.Fprintf(d, "  as one formula: %s\n", s.Closed)
		}
	}
	if s.Witness != nil {
		title := fmt.Sprintf("%s coverage of %s: a computation that fails when it is flipped in %s (★)", s.Witness.Coverage, s.Name, s.Witness.name())
		s.Witness.Computation.write(d, title, rows)
	}
}
