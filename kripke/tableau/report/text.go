package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"netcov/kripke/tableau"
)

// WriteText writes the report for a reader at a terminal. It shows that many
// entries of each criterion, and that many steps of a path; 0 shows all.
func (r *Report) WriteText(w io.Writer, rows int) error {
	var b strings.Builder
	if r.States > 0 { // else stopped before
		fmt.Fprintf(&b, "implementation %s: %d reachable states\n", r.Implementation, r.States)
	}
	for _, s := range r.Specification {
		fmt.Fprintf(&b, "specification %s\n", s)
	}
	for _, n := range r.Notes {
		fmt.Fprintf(&b, "note: %s\n", n)
	}
	if r.Holds != nil || r.Tableau.States > 0 {
		fmt.Fprintf(&b, "tableau: %d states, %d transitions, %d initial\n", r.Tableau.States, r.Tableau.Transitions, r.Tableau.Initial)
	}
	if r.Variables > 0 {
		fmt.Fprintf(&b, "%d decision diagram variables (2·%d), at most %d nodes, %d iterations\n", r.Variables, r.Variables/2, r.PeakNodes, r.Iteration)
	}
	switch {
	case r.Holds == nil:
		b.WriteString("not decided\n")
	case !*r.Holds:
		b.WriteString("the specification does NOT hold, so there is nothing to compare\n")
		r.writeReason(&b)
	default:
		r.writeCriteria(&b, rows)
	}
	if r.Stopped != "" {
		fmt.Fprintf(&b, "stopped: %s\n", r.Stopped)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (r *Report) writeReason(b *strings.Builder) {
	writePath(b, "the design takes this path:", r.Reason, 0)
	last := r.Reason[len(r.Reason)-1].Implementation.State
	if r.Tableau.States == 0 {
		b.WriteString("no design at all satisfies the specification\n")
	} else if r.Trace {
		fmt.Fprintf(b, "the specification forbids this path: it allows nothing like %s at the end\n", last)
	} else {
		fmt.Fprintf(b, "whatever choice the specification makes along this path, the design has a step that it forbids; with the best choices, that to %s\n", last)
	}
}

func (r *Report) writeCriteria(b *strings.Builder, rows int) {
	b.WriteString("the specification holds\n")
	t := newTable()
	t.AppendHeader(table.Row{"criterion", "entries", "shown"})
	t.SetColumnConfigs([]table.ColumnConfig{{Number: 2, Align: text.AlignRight}, {Number: 3, Align: text.AlignRight}})
	for _, k := range tableau.Criteria {
		t.AppendRow(table.Row{string(k), r.Totals[string(k)], len(r.Criteria[string(k)])})
	}
	b.WriteString(t.Render() + "\n")
	if r.Complete {
		b.WriteString("the first three are empty: the specification describes the design completely, they behave alike (bisimilar)\n")
	}
	for _, k := range tableau.Criteria {
		entries := r.Criteria[string(k)]
		if len(entries) == 0 {
			continue
		}
		fmt.Fprintf(b, "\n%s\n%s\n", k, k.Meaning())
		for n, e := range entries {
			if rows > 0 && n == rows {
				fmt.Fprintf(b, "… %d more\n", len(entries)-n)
				break
			}
			e.write(b, k, n+1, rows)
		}
	}
}

func (e *Entry) write(b *strings.Builder, k tableau.Criterion, number, rows int) {
	fmt.Fprintf(b, "%d. ", number)
	switch k {
	case tableau.UnImplementedStartState:
		fmt.Fprintf(b, "never a start: %s\n", set(e.Literals))
	case tableau.UnImplementedState:
		fmt.Fprintf(b, "never reached: %s", set(e.Literals))
		if e.Consequence {
			b.WriteString(" (follows from other entries)")
		}
		b.WriteString("\n")
	case tableau.UnImplementedTransition:
		fmt.Fprintf(b, "never taken from %s: %s → %s\n", e.Implementation[0].State, set(e.Literals), set(*e.ToLiterals))
	case tableau.ManyToOne:
		fmt.Fprintf(b, "%s stands for %s and %s\n", set(e.Literals), e.Implementation[0].State, e.Implementation[1].State)
	case tableau.OneToMany:
		fmt.Fprintf(b, "%s %s is described by", e.Implementation[0].State, set(e.Literals))
		for n, t := range e.Tableau {
			if n > 0 {
				b.WriteString(" and")
			}
			fmt.Fprintf(b, " %s", set(t.Literals))
		}
		b.WriteString("\n")
	}
	if len(e.Path) > 1 || e.OtherPath != nil {
		writePath(b, "", e.Path, rows)
	}
	if len(e.OtherPath) > 0 {
		writePath(b, "and", e.OtherPath, rows)
	}
}

func writePath(b *strings.Builder, title string, path []Step, rows int) {
	if title != "" {
		b.WriteString(title + "\n")
	}
	t := newTable()
	t.AppendHeader(table.Row{"step", "design", "shows", "specification demands"})
	skip := 0
	if rows > 0 && len(path) > rows {
		skip = len(path) - rows
		t.AppendRow(table.Row{"…", fmt.Sprintf("%d steps before", skip)})
	}
	for n, s := range path[skip:] {
		row := table.Row{n + skip, "never", "", ""}
		if s.Implementation != nil {
			row[1], row[2] = s.Implementation.State, strings.Join(s.Implementation.Literals, " ")
		}
		if s.Tableau != nil {
			row[3] = set(s.Literals)
		}
		t.AppendRow(row)
	}
	b.WriteString(t.Render() + "\n")
}

func set(literals []string) string { return "{" + strings.Join(literals, ", ") + "}" }

func newTable() table.Writer {
	t := table.NewWriter()
	t.SetStyle(table.StyleLight)
	t.Style().Format.Header, t.Style().Format.Footer = text.FormatDefault, text.FormatDefault
	return t
}
