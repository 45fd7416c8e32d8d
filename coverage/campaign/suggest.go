package campaign

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"netcov/aig"
	"netcov/coverage"
	"netcov/coverage/report"
	"netcov/coverage/suggest"
	"netcov/coverage/waveform"
	"netcov/internal/visible"
	"netcov/mutant"
	"netcov/netlist"
)

// Suggested are assertions that would notice mutants that no property notices.
type Suggested struct {
	*suggest.Result
	Time time.Duration
}

// Suggest looks for assertions that hold on the design and notice mutants that no
// property notices, within a budget, whose factor counts the time that the verdicts took.
// Mutants that equal the design are left out, as far as their reasons are known, and so
// are those that uncounted tells.
func (d *Design) Suggest(ctx context.Context, budget coverage.Budget, opt coverage.Options, set *coverage.Set, x *Explained, uncounted func(mutant.Target, mutant.Fault) bool) (*Suggested, error) {
	same := map[suggest.Mutant]bool{}
	if x != nil {
		for i, m := range x.Mutants {
			same[suggest.Mutant{Target: m.Target, Fault: m.Fault}] = !x.Found[i].Reason.Matters()
		}
	}
	describe := d.Describe()
	p := suggest.Problem{
		File: d.File, Netlist: d.Netlist, Words: d.suggestible(), Mux: opt.Mux,
		Register: func(t mutant.Target) string {
			n := describe(t)
			if n.Register == "" {
				return n.Name
			}
			return n.Register
		},
	}
	for j := range set.All() {
		if m := (suggest.Mutant{Target: j.Target, Fault: j.Fault}); j.Verdict != mutant.Covered && !same[m] && !uncounted(j.Target, j.Fault) {
			p.Mutants = append(p.Mutants, m)
		}
	}
	if w, _ := d.unexplained(set); w != nil {
		p.Invariant = w.Invariant
		all := d.Netlist.Properties()
		for _, i := range w.Properties {
			if all[i].Kind != netlist.PropertyJustice {
				p.Held = append(p.Held, i)
			}
		}
	}
	begin := time.Now()
	r, err := suggest.Run(ctx, p, suggest.Options{Budget: afterwards(budget, set), Opinion: opt.Opinion})
	return &Suggested{Result: r, Time: time.Since(begin)}, err
}

// suggestible are the words that assertions may speak of: those of the source, or, where
// the language tells no more than the netlist, what has a name there. What a file of
// SystemVerilog says is about words of the source alone: no others can be bound.
func (d *Design) suggestible() []*suggest.Word {
	var out []*suggest.Word
	for _, w := range d.Design.Words {
		out = append(out, &suggest.Word{Name: w.Name, High: w.High, Low: w.Low, Bits: w.Bits, Input: w.Input, Register: w.Register})
	}
	if out != nil || d.Design.Clock != nil {
		return out
	}
	to := make([]aig.Lit, d.File.MaxVar+1)
	latch := map[uint32]int{}
	for i, l := range d.File.Inputs {
		to[l>>1] = d.Netlist.Inputs[i].Lit
	}
	for i, l := range d.File.Latches {
		to[l.Lit>>1] = d.Netlist.Latches[i].Lit
		latch[l.Lit>>1] = i
	}
	for i, l := range d.File.GateLiterals() {
		if i < len(d.Netlist.Gates) {
			to[l>>1] = d.Netlist.Gates[i]
		}
	}
	describe := d.Describe()
	for _, w := range d.Words() {
		named := w.Kind == waveform.Output && len(d.Netlist.Bads) > 0
		for i, l := range d.File.Inputs {
			named = named || w.Kind == waveform.Input && slices.Contains(w.Bits, l) && d.File.Symbols.Inputs[i] != ""
		}
		s := &suggest.Word{Name: w.Name, High: w.High, Low: w.Low, Input: w.Kind == waveform.Input}
		for _, l := range slices.Backward(w.Bits) {
			s.Bits = append(s.Bits, to[l>>1]^aig.Lit(l&1))
		}
		if i, ok := latch[w.Bits[0]>>1]; ok && w.Kind == waveform.Register {
			n := describe(mutant.Target{Index: i})
			named = n.Name != "" && !d.Design.Artefact(i)
			if s.Register = n.Register; s.Register == "" {
				s.Register = n.Name
			}
		}
		if named {
			out = append(out, s)
		}
	}
	return out
}

// SuggestionFile is what a file of suggestions says: SystemVerilog where the source is
// Verilog, else text.
func (d *Design) SuggestionFile(s *Suggested, before, after string) string {
	if c := d.Design.Clock; c != nil {
		top, _, _ := strings.Cut(d.Design.Latches[0].Instance, ".")
		return s.Verilog(suggest.Source{Design: d.Design.File, Top: top, Clock: c.Name, Falling: c.Falling, Before: before, After: after})
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# Assertions that netcov suggests for %s. Each holds on the design: that was proved.\n", visible.Line(d.Path))
	b.WriteString("# It says what the design does; whether the design should do that, the engineer decides.\n")
	fmt.Fprintf(&b, "# coverage before: %s\n# coverage after:  %s\n", before, after)
	for _, x := range s.Suggestions {
		fmt.Fprintf(&b, "\n# %s, %s\n%s\n", x.Shape, visible.Line(strings.Join(x.Lines(), "; ")), visible.Line(x.Text()))
	}
	return b.String()
}

// Report is what a report says of the suggestions.
func (s *Suggested) Report(file string) *report.Suggestions {
	r := &report.Suggestions{File: file, Seconds: s.Time.Seconds(), Covered: s.Covered, Unknown: s.Unknown}
	for _, x := range s.Suggestions {
		r.List = append(r.List, report.Suggestion{
			Shape: x.Shape, Register: x.Register, Assertion: x.Text(), Literals: x.Literals(), Covers: len(x.Covers), Copies: x.Copies,
		})
	}
	return r
}
