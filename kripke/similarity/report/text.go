package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"netcov/kripke/internal/names"
)

// WriteText writes the report for a reader at a terminal; rows bounds lists of
// states, 0 shows all.
func (r *Report) WriteText(w io.Writer, rows int) error {
	var b strings.Builder
	if r.States[0] > 0 { // else stopped before
		fmt.Fprintf(&b, "implementation %s: %d states, %d transitions\n", r.Implementation, r.States[0], r.Transitions[0])
		fmt.Fprintf(&b, "specification %s: %d states, %d transitions\n", r.Specification, r.States[1], r.Transitions[1])
		fmt.Fprintf(&b, "compared on: %s\n", strings.Join(r.Compared, ", "))
	}
	for _, n := range r.Notes {
		fmt.Fprintf(&b, "note: %s\n", n)
	}
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
		t := newTable()
		t.AppendHeader(table.Row{"signal", "covered", "uncovered", "coverage", "uncovered states"})
		t.SetColumnConfigs([]table.ColumnConfig{
			{Number: 2, Align: text.AlignRight},
			{Number: 3, Align: text.AlignRight},
			{Number: 4, Align: text.AlignRight},
			{Number: 5, WidthMax: 60},
		})
		for _, s := range r.Signals {
			all := len(s.Covered) + len(s.Uncovered)
			t.AppendRow(table.Row{s.Name, len(s.Covered), len(s.Uncovered), percent(len(s.Covered), all), names.List(s.Uncovered, rows)})
		}
		b.WriteString(t.Render() + "\n")
		for _, s := range r.Signals {
			if len(s.Covered) == 0 {
				fmt.Fprintf(&b, "%s: no state is covered, as if the specification did not speak of it\n", s.Name)
			}
			s.Effort.write(&b, s.Name)
		}
	}
	if r.Mutants > 0 && r.Effort != nil {
		fmt.Fprintf(&b, "mutants covered: %d of %d (%s)\n", len(r.Covered), r.Mutants, percent(len(r.Covered), r.Mutants))
		var pairs []string
		for _, m := range r.Covered {
			pairs = append(pairs, m[0]+":"+m[1])
		}
		if len(pairs) > 0 {
			fmt.Fprintf(&b, "  %s\n", names.List(pairs, rows))
		}
		r.Effort.write(&b, "mutants")
	}
	if n := len(r.Unreachable); n > 0 {
		fmt.Fprintf(&b, "unreachable (%d): %s\n", n, names.List(r.Unreachable, rows))
	}
	if r.Stopped != "" {
		fmt.Fprintf(&b, "stopped: %s\n", r.Stopped)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (e *Effort) write(b *strings.Builder, what string) {
	if e != nil && e.Variables > 0 {
		fmt.Fprintf(b, "%s: %d decision diagram variables (3·%d), at most %d nodes, %d iterations\n", what, e.Variables, e.Variables/3, e.PeakNodes, e.Iterations)
	}
}

func (r *Reason) write(b *strings.Builder) {
	t := newTable()
	header := table.Row{"step", "state", "true"}
	if !r.Trace {
		header = append(header, "best answer of the specification")
	}
	t.AppendHeader(header)
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
	b.WriteString(t.Render() + "\n")
	last := r.Steps[len(r.Steps)-1].State
	if r.Trace {
		fmt.Fprintf(b, "no path of the specification has these labels: nothing simulates %s at the end\n", last)
		return
	}
	fmt.Fprintf(b, "each path has a path of the specification with the same labels, but whatever the specification chooses, the implementation has a step that it cannot follow; with the best answers nothing simulates %s at the end\n", last)
}

func newTable() table.Writer {
	t := table.NewWriter()
	t.SetStyle(table.StyleLight)
	t.Style().Format.Header, t.Style().Format.Footer = text.FormatDefault, text.FormatDefault
	return t
}

func percent(part, whole int) string {
	if whole == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f%%", 100*float64(part)/float64(whole))
}
