package report

import (
	"fmt"
	"io"
	"math/big"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"netcov/kripke/internal/names"
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

func (s *Spec) write(b *strings.Builder, opt TextOptions) {
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
	if s.ReachableStates != nil && len(s.Signals) > 0 {
		fmt.Fprintf(b, "covered for at least one signal: %s of %s states (%s)\n", s.CoveredStates, s.ReachableStates, percent(s.CoveredStates, s.ReachableStates))
	}
	if len(s.EmptySignals) > 0 {
		fmt.Fprintf(b, "no state is covered for %s: the specification may be vacuous there\n", strings.Join(s.EmptySignals, ", "))
	}
	if len(s.Fixed0)+len(s.Fixed1)+len(s.UncoveredControls) > 0 {
		fmt.Fprintf(b, "control signals whose fixing is noticed: to 0: %s; to 1: %s\n", orNone(s.Fixed0), orNone(s.Fixed1))
		fmt.Fprintf(b, "uncovered control signals (they can be fixed unnoticed): %s\n", orNone(s.UncoveredControls))
	}
	if in := s.Interesting; in != nil {
		if len(in.Vacuous) > 0 {
			fmt.Fprintf(b, "vacuous: with FALSE for %s the specification still holds\n", strings.Join(in.Vacuous, ", or for "))
		}
		if in.Computation != nil {
			in.Computation.write(b, "interesting witness, which depends on "+strings.Join(in.Exercised, ", "), opt)
		}
	}
	if u := s.Uncovered; u != nil {
		title := fmt.Sprintf("computation with %d states that are not covered", u.Met)
		if u.Met == 1 {
			title = "computation with one state that is not covered"
		}
		if u.Only {
			title = "non-interesting witness: no state of this computation is covered"
		}
		u.Computation.write(b, title, opt)
	} else if s.Interesting != nil && len(s.Signals) > 0 {
		b.WriteString("every reachable state is covered for some signal\n")
	}
}

func writeSignals(b *strings.Builder, signals []Signal, opt TextOptions) {
	if len(signals) == 0 {
		b.WriteString("no signal to cover\n")
		return
	}
	t := newTable()
	t.AppendHeader(table.Row{"signal", "class", "covered", "uncovered", "coverage", "uncovered states"})
	t.SetColumnConfigs([]table.ColumnConfig{
		{Number: 3, Align: text.AlignRight},
		{Number: 4, Align: text.AlignRight},
		{Number: 5, Align: text.AlignRight},
		{Number: 6, WidthMax: 60},
	})
	for _, s := range signals {
		total := new(big.Int).Add(s.CoveredN, s.UncoveredN)
		t.AppendRow(table.Row{s.Name, s.Kind, s.CoveredN, s.UncoveredN, percent(s.CoveredN, total), names.List(s.Uncovered, opt.States)})
	}
	b.WriteString(t.Render())
	b.WriteByte('\n')
}

func newTable() table.Writer {
	t := table.NewWriter()
	t.SetStyle(table.StyleLight)
	t.Style().Format.Header, t.Style().Format.Footer = text.FormatDefault, text.FormatDefault
	return t
}

func percent(part, whole *big.Int) string {
	if whole.Sign() == 0 {
		return "-"
	}
	f, _ := new(big.Rat).SetFrac(new(big.Int).Mul(part, big.NewInt(100)), whole).Float64()
	return fmt.Sprintf("%.1f%%", f)
}

func orNone(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

func (c *Computation) write(b *strings.Builder, title string, opt TextOptions) {
	fmt.Fprintf(b, "%s:\n", title)
	t := newTable()
	inputs := false
	for _, s := range c.Steps {
		inputs = inputs || s.Inputs != ""
	}
	row := func(step any, s Step) table.Row {
		if inputs {
			return table.Row{step, s.State, s.Inputs, strings.Join(s.Holds, ", ")}
		}
		return table.Row{step, s.State, strings.Join(s.Holds, ", ")}
	}
	header := table.Row{"step", "state", "true"}
	if inputs {
		header = table.Row{"step", "state", "inputs", "true"}
	}
	t.AppendHeader(header)
	for i, s := range c.Steps {
		if opt.Steps > 0 && i == opt.Steps {
			t.AppendFooter(table.Row{"…", fmt.Sprintf("%d more", len(c.Steps)-i)})
			break
		}
		step := fmt.Sprint(i)
		if c.Loop != nil && *c.Loop == i {
			step += " ←"
		}
		t.AppendRow(row(step, s))
	}
	b.WriteString(t.Render())
	b.WriteByte('\n')
	if c.Loop != nil {
		fmt.Fprintf(b, "and again from step %d\n", *c.Loop)
	}
	if c.Shows != "" {
		fmt.Fprintf(b, "the last state satisfies %s\n", c.Shows)
	}
}
