// Package explain writes all that is known about one register on one page: where it
// stands in the source, what reads it, the verdict on each of its faults with the
// trace or the reason, and what to try next.
package explain

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"netcov/aig"
	"netcov/aiger"
	"netcov/cert"
	"netcov/coverage"
	"netcov/coverage/campaign"
	"netcov/coverage/report"
	"netcov/coverage/waveform"
	"netcov/internal/visible"
	"netcov/mutant"
	"netcov/netlist"
)

// Question says what to tell of which register.
type Question struct {
	Targets []mutant.Target // the register's nodes, at least one
	Faults  []mutant.Fault  // of the register: as the source has them
	Mux     mutant.Mux
	Traces  int // to show of each kind and fault; 0 shows none
}

// Write writes the page. The verdicts are those of a run over the targets, and the
// reasons those of the same run, or nil.
func Write(w io.Writer, d *campaign.Design, q Question, set *coverage.Set, reasons *campaign.Explained) error {
	p := &page{Question: q, in: d, describe: d.Describe(), words: d.Words(), set: set, reasons: reasons}
	var b strings.Builder
	if err := p.write(&b); err != nil {
		return err
	}
	_, err := io.WriteString(w, visible.Text(b.String()))
	return err
}

// page is what there is to tell about one register.
type page struct {
	Question
	in       *campaign.Design
	describe func(mutant.Target) report.Node
	words    []waveform.Word
	set      *coverage.Set
	reasons  *campaign.Explained
}

// told is what is known of one mutant.
type told struct {
	target   mutant.Target
	fault    mutant.Fault // of the literal
	shown    mutant.Fault // of the register
	verdict  mutant.Verdict
	property int // that notices it
	trace    *cert.Trace
	reason   mutant.Reason
	witness  *aiger.Witness
}

// tell gathers what the run says of a mutant.
func (p *page) tell(t mutant.Target, f mutant.Fault) told {
	j := p.set.Judge(t, f)
	x := told{target: t, fault: f, verdict: j.Verdict}
	if j.Verdict == mutant.Covered {
		x.property, x.trace = j.Mutant.Property, j.Mutant.Trace()
	}
	if p.reasons == nil {
		return x
	}
	for i, m := range p.reasons.Mutants {
		if m.Target == t && m.Fault == f {
			x.reason, x.witness = p.reasons.Found[i].Reason, p.reasons.Found[i].Witness
		}
	}
	return x
}

func (p *page) write(b *strings.Builder) error {
	first := p.describe(p.Targets[0])
	name := p.label(p.Targets[0])
	if len(p.Targets) > 1 && first.Register != "" {
		name = first.Register
	}
	fmt.Fprintf(b, "%s, %s of %s\n", name, report.Plural(len(p.Targets), "register bit"), p.in.Path)
	if line := sourceLine(first.File, first.Line); line != "" {
		fmt.Fprintf(b, "  %s:%d: %s\n", first.File, first.Line, line)
	}
	b.WriteString("\n")
	p.writeCones(b)
	if len(p.set.Groups) == 0 {
		b.WriteString("no property holds on the design: there is no coverage\n")
		return nil
	}
	var all []told
	t := report.NewTable("bit", "fault", "verdict", "noticed by, or why not")
	for _, target := range p.Targets {
		n := p.describe(target)
		for _, shown := range p.Faults {
			f := shown
			if n.Inverted {
				f = f.Complement()
			}
			if !p.in.Netlist.Has(target, f) {
				continue
			}
			x := p.tell(target, f)
			x.shown = shown
			all = append(all, x)
			label := p.label(target)
			switch x.verdict {
			case mutant.Covered:
				t.AppendRow([]any{label, shown.String(), "covered", fmt.Sprintf("%s, in %s", p.property(x.property), report.Plural(x.trace.Depth(), "step"))})
			case mutant.NotCovered:
				t.AppendRow([]any{label, shown.String(), "not covered", x.reason.String()})
			default:
				t.AppendRow([]any{label, shown.String(), "unknown", ""})
			}
		}
	}
	b.WriteString(t.Render() + "\n")
	if err := p.writeTraces(b, all); err != nil {
		return err
	}
	p.writeAdvice(b, all)
	return nil
}

// writeCones tells which properties, constraints and outputs depend on the register, and
// which properties do not count.
func (p *page) writeCones(b *strings.Builder) {
	n := p.in.Netlist
	reads := func(cone []bool) bool {
		return slices.ContainsFunc(p.Targets, func(t mutant.Target) bool {
			if t.Gate {
				return cone[n.Gates[t.Index].Node()]
			}
			return cone[n.Latches[t.Index].Lit.Node()]
		})
	}
	var properties, outputs, constraints []string
	for i, x := range n.Properties() {
		roots := []aig.Lit{x.Bad}
		if x.Kind == netlist.PropertyJustice {
			roots = n.Justice[x.Index].Lits
		}
		if reads(n.SequentialCone(roots...)) {
			properties = append(properties, p.property(i))
		}
	}
	for i, x := range n.Constraints {
		if reads(n.SequentialCone(x.Lit)) {
			constraints = append(constraints, signalName("constraint", i, x.Name))
		}
	}
	for i, x := range n.Outputs {
		if len(n.Bads) > 0 && reads(n.SequentialCone(x.Lit)) {
			outputs = append(outputs, signalName("output", i, x.Name))
		}
	}
	fmt.Fprintf(b, "in the cone of properties: %s\n", list(properties))
	if len(n.Constraints) > 0 {
		fmt.Fprintf(b, "in the cone of constraints: %s\n", list(constraints))
	}
	if len(n.Bads) > 0 && len(n.Outputs) > 0 {
		fmt.Fprintf(b, "reaches outputs: %s\n", list(outputs))
	}
	var left []string
	for _, x := range p.set.Outcomes {
		if x.Proof.Status != cert.Holds {
			left = append(left, fmt.Sprintf("%s (%v)", p.property(x.Position), x.Proof.Status))
		}
	}
	if len(left) > 0 {
		fmt.Fprintf(b, "left out, as they are not proved: %s\n", list(left))
	}
	b.WriteString("\n")
}

// writeTraces shows, for each fault, how it is noticed, and what goes unnoticed.
func (p *page) writeTraces(b *strings.Builder, all []told) error {
	noticed, gaps := map[mutant.Fault]int{}, map[mutant.Fault]int{}
	for _, x := range all {
		w, title := x.witness, ""
		label := fmt.Sprintf("%s, %v", p.label(x.target), x.shown)
		switch {
		case x.verdict == mutant.Covered && noticed[x.fault] < p.Traces:
			noticed[x.fault]++
			s, err := p.in.Subject(x.property)
			if err != nil {
				return err
			}
			if s.Live() {
				continue // a lasso of the translation
			}
			if w, err = s.Witness(x.trace, x.fault.Free()); err != nil {
				return err
			}
			bads, _, _ := p.in.File.Properties()
			fault := p.in.Fault(x.target, x.fault, p.Mux)
			if w, err = waveform.Blur(p.in.File, w, &fault, bads[x.property]); err != nil {
				return err
			}
			title = fmt.Sprintf("%s: noticed by %s, which fails in the last step", label, p.property(x.property))
		case x.reason == mutant.Gap && w != nil && gaps[x.fault] < p.Traces:
			gaps[x.fault]++
			title = label + ": goes unnoticed, every property holds on both"
		default:
			continue
		}
		waves, err := waveform.Run(p.in.File, w, p.in.Fault(x.target, x.fault, p.Mux), p.words)
		if err != nil {
			return err
		}
		fmt.Fprintf(b, "\n%s\n%s", title, waves.Table())
	}
	return nil
}

// writeAdvice says what to try next.
func (p *page) writeAdvice(b *strings.Builder, all []told) {
	var said []mutant.Reason
	for _, x := range all {
		if text := advice[x.reason]; text != "" && !slices.Contains(said, x.reason) {
			if len(said) == 0 {
				b.WriteString("\nwhat to try next\n")
			}
			said = append(said, x.reason)
			fmt.Fprintf(b, "  %v: %s\n", x.reason, text)
		}
	}
}

var advice = map[mutant.Reason]string{
	mutant.Outside:    "no property that holds reads the register; assert something about it, or about an output that it reaches",
	mutant.Constant:   "the register never has another value; is it needed, or is something missing that should change it?",
	mutant.Equivalent: "nothing observed depends on it; observe the registers too, or ask whether it is needed",
	mutant.Vacuous:    "the constraints leave no run in which it would show; are they too strong?",
	mutant.Gap:        "assert what the last step of the trace breaks: the signals with a star should not be as the mutant has them",
	mutant.Open:       "give the reasons more time",
}

// label is the name of a register bit or gate, or its position.
func (p *page) label(t mutant.Target) string {
	if name := p.describe(t).Name; name != "" {
		return name
	}
	return t.String()
}

// property names a property.
func (p *page) property(i int) string {
	if name := p.in.Netlist.Property(i).Name; name != "" {
		return name
	}
	return fmt.Sprintf("property %d", i)
}

func signalName(what string, i int, name string) string {
	if name != "" {
		return name
	}
	return fmt.Sprintf("%s %d", what, i)
}

// list names at most eight things.
func list(names []string) string {
	const most = 8
	switch {
	case len(names) == 0:
		return "none"
	case len(names) > most:
		return fmt.Sprintf("%s, and %d more", strings.Join(names[:most], ", "), len(names)-most)
	}
	return strings.Join(names, ", ")
}

// sourceLine returns a line of a source file, "" where it cannot be read.
func sourceLine(path string, line int) string {
	if path == "" || line < 1 {
		return ""
	}
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	s := bufio.NewScanner(f)
	for s.Scan() {
		if line--; line == 0 {
			return strings.TrimSpace(s.Text())
		}
	}
	return ""
}
