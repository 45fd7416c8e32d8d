package report

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"

	"netcov/kripke/structure"
	"netcov/kripke/tableau"
)

// Comparison is the comparison of a design with the tableau of its specification
// (schema netcov-compare/1).
type Comparison struct {
	Schema         string   `json:"schema"`
	Implementation string   `json:"implementation"`
	Specification  []string `json:"specification"` // formulas, or a file
	// States are those of the implementation, reachable. Numbers that may be beyond an
	// int are json.Number.
	States json.Number `json:"states"`
	// Observed lists the propositions on which implementation states look alike
	// or not.
	Observed []string `json:"observed"`
	// Holds is missing when the run stopped before it was known.
	Holds     *bool                  `json:"holds,omitempty"`
	Reason    []PairStep             `json:"reason,omitempty"` // why not: a path
	Trace     bool                   `json:"no_path_has_these_labels,omitempty"`
	Tableau   Size                   `json:"tableau"`
	Pairs     json.Number            `json:"reachable_simulation_pairs"`
	Algorithm string                 `json:"algorithm"`
	Totals    map[string]json.Number `json:"totals"` // of each criterion, before the filters
	Criteria  map[string][]*Entry    `json:"criteria"`
	Complete  bool                   `json:"complete"` // criteria 1-3 are empty: bisimilar
	Variables int                    `json:"bdd_variables,omitempty"`
	PeakNodes int                    `json:"bdd_peak_nodes,omitempty"`
	Iteration int                    `json:"iterations,omitempty"`
	Seconds   float64                `json:"seconds"`
	// Missing are the states and steps of the tableau that the design never shows.
	Missing Missing `json:"-"`
	Tail
}

// Missing names states of a tableau by their numbers, and steps by both.
type Missing struct {
	States []int
	Steps  [][2]int
}

// Size is the size of a tableau.
type Size struct {
	States      json.Number `json:"states"`
	Transitions json.Number `json:"transitions"`
	Initial     json.Number `json:"initial"`
}

// Entry is an element of a criterion.
type Entry struct {
	// Literals are those of the tableau state (the source of a transition), or
	// of the implementation state in OneToMany; ToLiterals those of a
	// transition's target.
	Literals       []string       `json:"literals"`
	ToLiterals     *[]string      `json:"to_literals,omitempty"`
	Tableau        []TableauState `json:"tableau"`
	Implementation []ImplState    `json:"implementation,omitempty"`
	// Consequence says that an unimplemented state follows from others only.
	Consequence bool       `json:"consequence,omitempty"`
	Path        []PairStep `json:"path"`
	OtherPath   []PairStep `json:"other_path,omitempty"`
}

// TableauState is a tableau state: what must hold now, and in all successors.
type TableauState struct {
	State    int      `json:"state"`
	Name     string   `json:"name,omitempty"`
	Literals []string `json:"literals"`
	Next     []string `json:"next,omitempty"`
}

// ImplState is an implementation state with its observed literals.
type ImplState struct {
	State    string   `json:"state"`
	Literals []string `json:"literals"`
}

// PairStep is a step of corresponding paths; the implementation's part is missing
// where it has no such step, the tableau's in a reason where nothing follows.
type PairStep struct {
	Implementation *ImplState `json:"implementation,omitempty"`
	Tableau        *int       `json:"tableau,omitempty"`
	Literals       []string   `json:"literals,omitempty"`
}

// Verdict implements Report.
func (r *Comparison) Verdict() (*bool, string) { return r.Holds, r.Stopped }

func (r *Comparison) subject() string { return r.Implementation }

// picture shows the tableau: as covered the states that the design reaches, and the steps
// that it never takes.
func (r *Comparison) picture() (*picture, error) {
	p, err := r.draw(nil)
	if err != nil || r.Holds == nil || !*r.Holds {
		return p, err
	}
	p.title, p.missing = "the specification's tableau", r.Missing.Steps
	for s := range p.class {
		p.class[s] = structure.Covered
	}
	for _, s := range r.Missing.States {
		p.class[s] = structure.Uncovered
	}
	return p, nil
}

func (r *Comparison) describe(d *document, rows int) {
	if r.States != "" { // else stopped before
		fmt.Fprintf(d, "implementation %s: %s reachable states\n", r.Implementation, r.States)
	}
	for _, s := range r.Specification {
		fmt.Fprintf(d, "specification %s\n", s)
	}
	r.writeNotes(d)
	if r.Tableau.States != "" {
		fmt.Fprintf(d, "tableau: %s states, %s transitions, %s initial\n", r.Tableau.States, r.Tableau.Transitions, r.Tableau.Initial)
	}
	if r.Variables > 0 && r.Algorithm == string(tableau.Symbolic) {
		fmt.Fprintf(d, "%d decision diagram variables (2·%d), at most %d nodes, %d iterations\n", r.Variables, r.Variables/2, r.PeakNodes, r.Iteration)
	}
	switch {
	case r.Holds == nil:
		d.WriteString("not decided\n")
	case !*r.Holds:
		d.WriteString("the specification does NOT hold, so there is nothing to compare\n")
		r.writeReason(d)
	default:
		r.writeCriteria(d, rows)
	}
	r.end(d, "", rows)
}

func (r *Comparison) writeReason(d *document) {
	if len(r.Reason) == 0 {
		return
	}
	writePath(d, "the design takes this path:", r.Reason, 0)
	last := r.Reason[len(r.Reason)-1].Implementation.State
	if r.Tableau.States == "0" {
		d.WriteString("no design at all satisfies the specification\n")
	} else if r.Trace {
		fmt.Fprintf(d, "the specification forbids this path: it allows nothing like %s at the end\n", last)
	} else {
		fmt.Fprintf(d, "whatever choice the specification makes along this path, the design has a step that it forbids; with the best choices, that to %s\n", last)
	}
}

func (r *Comparison) writeCriteria(d *document, rows int) {
	d.WriteString("the specification holds\n")
	t := newTable(table.Row{"criterion", "entries", "shown"}, 2, 3)
	for _, k := range tableau.Criteria {
		t.add(table.Row{string(k), r.Totals[string(k)], len(r.Criteria[string(k)])})
	}
	d.table(t)
	if r.Complete {
		d.WriteString("the first three are empty: the specification describes the design completely, they behave alike (bisimilar)\n")
	}
	for _, k := range tableau.Criteria {
		entries := r.Criteria[string(k)]
		if len(entries) == 0 {
			continue
		}
		d.heading(2, "%s", k)
		fmt.Fprintln(d, k.Meaning())
		for n, e := range entries {
			if rows > 0 && n == rows {
				fmt.Fprintf(d, "… %d more\n", len(entries)-n)
				break
			}
			e.write(d, k, n+1, rows)
		}
	}
}

func (e *Entry) write(d *document, k tableau.Criterion, number, rows int) {
	fmt.Fprintf(d, "%d. ", number)
	switch k {
	case tableau.UnImplementedStartState:
		fmt.Fprintf(d, "never a start: %s\n", set(e.Literals))
	case tableau.UnImplementedState:
		fmt.Fprintf(d, "never reached: %s", set(e.Literals))
		if e.Consequence {
			d.WriteString(" (follows from other entries)")
		}
		d.WriteString("\n")
	case tableau.UnImplementedTransition:
		fmt.Fprintf(d, "never taken from %s: %s → %s\n", e.Implementation[0].State, set(e.Literals), set(*e.ToLiterals))
	case tableau.ManyToOne:
		fmt.Fprintf(d, "%s stands for %s and %s\n", set(e.Literals), e.Implementation[0].State, e.Implementation[1].State)
	case tableau.OneToMany:
		fmt.Fprintf(d, "%s %s is described by", e.Implementation[0].State, set(e.Literals))
		for n, t := range e.Tableau {
			if n > 0 {
				d.WriteString(" and")
			}
			fmt.Fprintf(d, " %s", set(t.Literals))
		}
		d.WriteString("\n")
	}
	if len(e.Path) > 1 || e.OtherPath != nil {
		writePath(d, "", e.Path, rows)
	}
	if len(e.OtherPath) > 0 {
		writePath(d, "and", e.OtherPath, rows)
	}
}

func writePath(d *document, title string, path []PairStep, rows int) {
	if title != "" {
		d.WriteString(title + "\n")
	}
	t := newTable(table.Row{"step", "design", "shows", "specification demands"})
	skip := 0
	if rows > 0 && len(path) > rows {
		skip = len(path) - rows
		t.add(table.Row{"…", fmt.Sprintf("%d steps before", skip)})
	}
	for n, s := range path[skip:] {
		row := table.Row{n + skip, "never", "", ""}
		if s.Implementation != nil {
			row[1], row[2] = s.Implementation.State, strings.Join(s.Implementation.Literals, " ")
		}
		if s.Tableau != nil {
			row[3] = set(s.Literals)
		}
		t.add(row)
	}
	d.table(t)
}

func set(literals []string) string { return "{" + strings.Join(literals, ", ") + "}" }
