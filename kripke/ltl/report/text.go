package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"netcov/kripke/internal/names"
	"netcov/kripke/ltl"
)

// TextOptions says how much the text form shows.
type TextOptions struct {
	// States bounds the lists of states, Steps the tables of computations; 0
	// shows all.
	States, Steps int
}

// WriteText writes the report for a reader at a terminal.
func (r *Report) WriteText(w io.Writer, opt TextOptions) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", r.File, r.Model)
	for _, n := range r.Notes {
		fmt.Fprintf(&b, "note: %s\n", n)
	}
	for i, s := range r.Specs {
		fmt.Fprintf(&b, "\nspecification %d: %s\n", i+1, s.Formula)
		s.write(&b, opt)
	}
	if len(r.Combined) > 0 {
		b.WriteString("\nall specifications together\n")
		writeSignals(&b, r.Combined, opt)
	}
	if n := len(r.Unreachable); n > 0 {
		fmt.Fprintf(&b, "\nunreachable (%d): %s\n", n, names.List(r.Unreachable, opt.States))
	}
	if r.Stopped != "" {
		fmt.Fprintf(&b, "\nstopped: %s\n", r.Stopped)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

func (s *Spec) write(b *strings.Builder, opt TextOptions) {
	a := s.Automaton
	kind := ""
	if a.Terminal {
		kind = " (safety)"
	}
	fmt.Fprintf(b, "automaton of wrong behaviours: %s, %s, %s%s\n", plural(a.States, "state", "states"),
		plural(a.Edges, "edge", "edges"), plural(a.Sets, "acceptance set", "acceptance sets"), kind)
	switch {
	case s.Holds == nil:
		b.WriteString("not decided\n")
		return
	case !*s.Holds:
		b.WriteString("does NOT hold, so its coverage is not defined\n")
		if s.Counterexample != nil {
			s.Counterexample.write(b, "counterexample", opt)
		}
		return
	}
	fmt.Fprintf(b, "holds (%.2f s)\n", s.Seconds)
	writeSignals(b, s.Signals, opt)
	if len(s.EmptySignals) > 0 {
		fmt.Fprintf(b, "no state is covered for %s: the specification may be vacuous there\n", strings.Join(s.EmptySignals, ", "))
	}
	for _, sig := range s.Signals {
		sig.details(b, opt)
	}
}

func writeSignals(b *strings.Builder, signals []Signal, opt TextOptions) {
	if len(signals) == 0 {
		b.WriteString("no signal to cover\n")
		return
	}
	t := newTable()
	header := table.Row{"signal", "class"}
	var kinds []ltl.Kind
	for _, k := range ltl.Kinds {
		if *signals[0].of(k) != nil {
			kinds = append(kinds, k)
			header = append(header, k.String())
		}
	}
	header = append(header, "uncovered", "uncovered states")
	t.AppendHeader(header)
	var configs []table.ColumnConfig
	for i := range kinds {
		configs = append(configs, table.ColumnConfig{Number: 3 + i, Align: text.AlignRight})
	}
	configs = append(configs, table.ColumnConfig{Number: 3 + len(kinds), Align: text.AlignRight},
		table.ColumnConfig{Number: 4 + len(kinds), WidthMax: 60})
	t.SetColumnConfigs(configs)
	for _, s := range signals {
		row := table.Row{s.Name, s.Kind}
		for _, k := range kinds {
			n := s.Counts[k.String()].String()
			if s.Complete != nil && !*s.Complete {
				n = "≥ " + n
			}
			row = append(row, n)
		}
		if s.Uncovered == nil {
			row = append(row, "?", "not listed")
		} else {
			row = append(row, s.Counts["uncovered"], names.List(*s.Uncovered, opt.States))
		}
		t.AppendRow(row)
	}
	b.WriteString(t.Render())
	b.WriteByte('\n')
}

// details writes what an algorithm has to say beyond the sets.
func (s *Signal) details(b *strings.Builder, opt TextOptions) {
	for _, k := range ltl.Kinds {
		v, ok := s.Variables[k.String()]
		if !ok {
			continue
		}
		fmt.Fprintf(b, "%s, %s: %d decision diagram variables, 2 for each of", s.Name, k, v.Allocated)
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
				fmt.Fprintf(b, " %d %s,", part.n, part.name)
			}
		}
		fmt.Fprintf(b, " at most %d nodes\n", v.PeakNodes)
	}
	if s.Indicator != "" {
		lines := strings.Split(strings.TrimSuffix(s.Indicator, "\n"), "\n")
		fmt.Fprintf(b, "indicator of %s, alternation depth %d:\n", s.Name, *s.IndicatorDepth)
		if opt.Steps > 0 && len(lines) > opt.Steps {
			last := lines[len(lines)-3:]
			lines = append(slices.Clone(lines[:max(0, opt.Steps-3)]), "…")
			lines = append(lines, last...)
		}
		for _, l := range lines {
			fmt.Fprintf(b, "  %s\n", l)
		}
		if s.Closed != "" {
			fmt.Fprintf(b, "  as one formula: %s\n", s.Closed)
		}
	}
	if s.Witness != nil {
		title := fmt.Sprintf("%s coverage of %s: a computation that fails when it is flipped in %s (★)", s.Witness.Coverage, s.Name, s.Witness.State)
		s.Witness.Computation.write(b, title, opt)
	}
}

func newTable() table.Writer {
	t := table.NewWriter()
	t.SetStyle(table.StyleLight)
	t.Style().Format.Header, t.Style().Format.Footer = text.FormatDefault, text.FormatDefault
	return t
}

func (c *Computation) write(b *strings.Builder, title string, opt TextOptions) {
	fmt.Fprintf(b, "%s:\n", title)
	t := newTable()
	t.AppendHeader(table.Row{"step", "state", "true"})
	for i, s := range c.Steps {
		if opt.Steps > 0 && i == opt.Steps {
			t.AppendFooter(table.Row{"…", fmt.Sprintf("%d more", len(c.Steps)-i)})
			break
		}
		step := fmt.Sprint(i)
		if c.Loop != nil && *c.Loop == i {
			step += " ←"
		}
		state := s.State
		if s.Flipped {
			state += " ★"
		}
		t.AppendRow(table.Row{step, state, strings.Join(s.Holds, ", ")})
	}
	b.WriteString(t.Render())
	b.WriteByte('\n')
	if c.Loop != nil {
		fmt.Fprintf(b, "and again from step %d\n", *c.Loop)
	}
}
