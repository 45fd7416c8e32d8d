package report

import (
	"fmt"
	"math/big"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
)

// Simulation is the simulation coverage of an implementation (schema
// netcov-simulate/1).
type Simulation struct {
	Schema         string `json:"schema"`
	Implementation string `json:"implementation"`
	Specification  string `json:"specification"`
	States         [2]int `json:"states"` // of both
	Transitions    [2]int `json:"transitions"`
	// Compared lists the propositions on which labels must agree.
	Compared []string `json:"compared"`
	// Fair says that the question is fair simulation.
	Fair bool `json:"fair,omitempty"`
	// Simulated is missing when the run stopped before it was known.
	Simulated *bool              `json:"simulated,omitempty"`
	Reason    *Reason            `json:"reason,omitempty"` // why not
	Algorithm string             `json:"algorithm"`
	Signals   []SimulationSignal `json:"signals"`
	Mutants   int                `json:"mutants,omitempty"` // size of the mutant vector
	Covered   [][2]string        `json:"mutants_covered"`   // its covered mutants
	Effort    *Effort            `json:"effort,omitempty"`  // of the mutant vector
	Tail
}

// Reason is why the specification does not simulate the implementation: a path
// of the implementation whose last state nothing simulates, or, with fairness, a fair
// path that is answered by unfair ones only.
type Reason struct {
	Steps []Step `json:"steps"`
	// Loop is the step to which an endless path goes back.
	Loop *int `json:"loop,omitempty"`
	// Trace says that no path, with fairness no fair path, of the specification has these
	// labels. Else the specification would have to choose before it knows how the path
	// goes on.
	Trace bool `json:"no_path_has_these_labels"`
}

// SimulationSignal is the coverage of one signal. Uncovered lists reachable states only.
type SimulationSignal struct {
	Name      string   `json:"name"`
	Covered   []string `json:"covered"`
	Uncovered []string `json:"uncovered"`
	Effort    *Effort  `json:"effort,omitempty"`
}

// Effort is what a coverage computation took.
type Effort struct {
	Calls      int64   `json:"similarity_calls,omitempty"`
	Work       int64   `json:"similarity_work,omitempty"`
	Variables  int     `json:"bdd_variables,omitempty"`
	PeakNodes  int     `json:"bdd_peak_nodes,omitempty"`
	Iterations int     `json:"iterations,omitempty"`
	Seconds    float64 `json:"seconds"`
}

// Verdict implements Report.
func (r *Simulation) Verdict() (*bool, string) { return r.Simulated, r.Stopped }

func (r *Simulation) subject() string { return r.Implementation + " against " + r.Specification }

func (r *Simulation) describe(d *document, rows int) {
	if r.States[0] > 0 { // else stopped before
		fmt.Fprintf(d, "implementation %s: %d states, %d transitions\n", r.Implementation, r.States[0], r.Transitions[0])
		fmt.Fprintf(d, "specification %s: %d states, %d transitions\n", r.Specification, r.States[1], r.Transitions[1])
		fmt.Fprintf(d, "compared on: %s\n", strings.Join(r.Compared, ", "))
	}
	r.writeNotes(d)
	switch {
	case r.Simulated == nil:
		d.WriteString("not decided\n")
	case *r.Simulated:
		fmt.Fprintf(d, "the specification simulates the implementation%s\n", onFairPaths(r.Fair))
	default:
		fmt.Fprintf(d, "the specification does NOT simulate the implementation%s, so coverage is not defined\n", onFairPaths(r.Fair))
		r.Reason.write(d, r.Fair)
	}
	if len(r.Signals) > 0 {
		t := newTable(table.Row{"signal", "covered", "uncovered", "coverage", uncoveredStates}, 2, 3, 4)
		for _, s := range r.Signals {
			all := len(s.Covered) + len(s.Uncovered)
			t.add(table.Row{s.Name, len(s.Covered), len(s.Uncovered), share(len(s.Covered), all), list(s.Uncovered, rows)})
		}
		d.table(t)
		for _, s := range r.Signals {
			if len(s.Covered) == 0 {
				fmt.Fprintf(d, "%s: no state is covered, as if the specification did not speak of it\n", s.Name)
			}
			s.Effort.write(d, s.Name)
		}
	}
	if r.Mutants > 0 && r.Effort != nil {
		fmt.Fprintf(d, "mutants covered: %d of %d (%s)\n", len(r.Covered), r.Mutants, share(len(r.Covered), r.Mutants))
		var pairs []string
		for _, m := range r.Covered {
			pairs = append(pairs, m[0]+":"+m[1])
		}
		if len(pairs) > 0 {
			fmt.Fprintf(d, "  %s\n", list(pairs, rows))
		}
		r.Effort.write(d, "mutants")
	}
	r.end(d, "", rows)
}

func onFairPaths(fair bool) string {
	if fair {
		return " with fair paths for fair paths"
	}
	return ""
}

func (e *Effort) write(d *document, what string) {
	if e != nil && e.Variables > 0 {
		fmt.Fprintf(d, "%s: %d decision diagram variables (3·%d), at most %d nodes, %d iterations\n", what, e.Variables, e.Variables/3, e.PeakNodes, e.Iterations)
	}
}

func (r *Reason) write(d *document, fair bool) {
	header := table.Row{"step", "state", "true"}
	if !r.Trace {
		header = append(header, "best answer of the specification")
	}
	t := newTable(header)
	for n, s := range r.Steps {
		row := table.Row{n, s.State, strings.Join(s.Holds, ", ")}
		if !r.Trace {
			answer := s.Answer
			if answer == "" {
				answer = "none"
			}
			row = append(row, answer)
		}
		t.add(row)
	}
	d.table(t)
	if r.Loop != nil {
		fmt.Fprintf(d, "and back to step %d, again and again: a fair path of the implementation\n", *r.Loop)
		if r.Trace {
			d.WriteString("no fair path of the specification has these labels\n")
		} else {
			d.WriteString("the answers beside it are not fair, and whatever the specification chooses, the implementation has steps that keep its answers from being fair, or that it cannot follow; these are its best\n")
		}
		return
	}
	word := ""
	if fair {
		word = "fair "
	}
	last := r.Steps[len(r.Steps)-1].State
	if r.Trace {
		fmt.Fprintf(d, "no %spath of the specification has these labels: nothing simulates %s at the end\n", word, last)
		return
	}
	if fair {
		fmt.Fprintf(d, "whatever the specification chooses, the implementation has a step that it cannot follow, or steps that keep its answers from being fair; with the best answers nothing simulates %s at the end\n", last)
		return
	}
	fmt.Fprintf(d, "each path has a path of the specification with the same labels, but whatever the specification chooses, the implementation has a step that it cannot follow; with the best answers nothing simulates %s at the end\n", last)
}

// picture shows as covered the states of the implementation that are covered for some
// signal, or with their mutant.
func (r *Simulation) picture() (*picture, error) {
	var layers []layer
	for _, s := range r.Signals {
		layers = append(layers, layer{signal: s.Name, covered: s.Covered})
	}
	for _, m := range r.Covered {
		layers = append(layers, layer{covered: m[:1]})
	}
	return r.draw(layers)
}

func share(part, whole int) string { return percent(big.NewInt(int64(part)), big.NewInt(int64(whole))) }
