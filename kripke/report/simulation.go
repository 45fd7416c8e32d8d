package report

import (
	"fmt"
	"io"
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
// of the implementation whose last state nothing simulates.
type Reason struct {
	Steps []Step `json:"steps"`
	// Trace says that no path of the specification has these labels. Else it
	// has one for each path, but not one choice that fits all continuations.
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

// WriteText implements Report.
func (r *Simulation) WriteText(w io.Writer, rows int) error {
	var b strings.Builder
	if r.States[0] > 0 { // else stopped before
		fmt.Fprintf(&b, "implementation %s: %d states, %d transitions\n", r.Implementation, r.States[0], r.Transitions[0])
		fmt.Fprintf(&b, "specification %s: %d states, %d transitions\n", r.Specification, r.States[1], r.Transitions[1])
		fmt.Fprintf(&b, "compared on: %s\n", strings.Join(r.Compared, ", "))
	}
	r.writeNotes(&b)
	switch {
	case r.Simulated == nil:
		b.WriteString("not decided\n")
	case *r.Simulated:
		b.WriteString("the specification simulates the implementation\n")
	default:
		b.WriteString("the specification does NOT simulate the implementation, so coverage is not defined\n")
		r.Reason.write(&b)
	}
	if len(r.Signals) > 0 {
		t := newTable(table.Row{"signal", "covered", "uncovered", "coverage", uncoveredStates}, 2, 3, 4)
		for _, s := range r.Signals {
			all := len(s.Covered) + len(s.Uncovered)
			t.AppendRow(table.Row{s.Name, len(s.Covered), len(s.Uncovered), share(len(s.Covered), all), list(s.Uncovered, rows)})
		}
		render(&b, t)
		for _, s := range r.Signals {
			if len(s.Covered) == 0 {
				fmt.Fprintf(&b, "%s: no state is covered, as if the specification did not speak of it\n", s.Name)
			}
			s.Effort.write(&b, s.Name)
		}
	}
	if r.Mutants > 0 && r.Effort != nil {
		fmt.Fprintf(&b, "mutants covered: %d of %d (%s)\n", len(r.Covered), r.Mutants, share(len(r.Covered), r.Mutants))
		var pairs []string
		for _, m := range r.Covered {
			pairs = append(pairs, m[0]+":"+m[1])
		}
		if len(pairs) > 0 {
			fmt.Fprintf(&b, "  %s\n", list(pairs, rows))
		}
		r.Effort.write(&b, "mutants")
	}
	return r.end(w, &b, "", rows)
}

func (e *Effort) write(b *strings.Builder, what string) {
	if e != nil && e.Variables > 0 {
		fmt.Fprintf(b, "%s: %d decision diagram variables (3·%d), at most %d nodes, %d iterations\n", what, e.Variables, e.Variables/3, e.PeakNodes, e.Iterations)
	}
}

func (r *Reason) write(b *strings.Builder) {
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
		t.AppendRow(row)
	}
	render(b, t)
	last := r.Steps[len(r.Steps)-1].State
	if r.Trace {
		fmt.Fprintf(b, "no path of the specification has these labels: nothing simulates %s at the end\n", last)
		return
	}
	fmt.Fprintf(b, "each path has a path of the specification with the same labels, but whatever the specification chooses, the implementation has a step that it cannot follow; with the best answers nothing simulates %s at the end\n", last)
}

// WriteDot implements Report: covered are the states of the implementation that
// are covered for some signal, or with their mutant.
func (r *Simulation) WriteDot(w io.Writer) error {
	var layers []layer
	for _, s := range r.Signals {
		layers = append(layers, layer{signal: s.Name, covered: s.Covered})
	}
	for _, m := range r.Covered {
		layers = append(layers, layer{covered: m[:1]})
	}
	return r.draw(w, layers)
}

func share(part, whole int) string { return percent(big.NewInt(int64(part)), big.NewInt(int64(whole))) }
