package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"netcov/aig"
	"netcov/aiger"
	"netcov/cert"
	"netcov/certify"
	"netcov/coverage"
	"netcov/coverage/report"
	"netcov/coverage/waveform"
	"netcov/coverage/why"
	"netcov/internal/visible"
	"netcov/mutant"
	"netcov/netlist"
)

// explainFlags are the settings of netcov explain.
type explainFlags struct {
	input    netlistFlags
	property string
	mux      string
	observe  string
	why      string
	traces   int
}

func newExplainCommand() *cobra.Command {
	var f explainFlags
	c := &cobra.Command{
		Use:   "explain FILE... REGISTER[:FAULT]",
		Short: "Tell everything about one register: who reads it, what covers it, why not",
		Long: `Tells on one page about one register: where it stands in the source, which
properties have it in their cone, which outputs it reaches, the verdict on each
fault, the trace by which a covered fault is noticed and the property that notices
it, why a fault is not covered, the trace of a gap, and what to try next.

REGISTER is a name, such as top.u1.count (all bits), count[2], or latch:3. FAULT is
zero, one or nondet; without it all three are told.

` + designHelp,
		Args: cobra.MinimumNArgs(2),
		RunE: func(c *cobra.Command, args []string) error { return f.run(c, args) },
	}
	f.input.add(c.Flags())
	c.Flags().StringVar(&f.property, "property", "all", "property: its number from 0, its name, or all")
	c.Flags().StringVar(&f.mux, "mux", "output", "place of the fault: output (every reader, from frame 0 on) or next (the next-state input)")
	c.Flags().StringVar(&f.observe, "observe", "default", "where a mutant must differ from the design to be a gap: outputs, registers, or default: outputs where there are some")
	c.Flags().StringVar(&f.why, "why", "60s", "time for the reasons")
	c.Flags().IntVar(&f.traces, "traces", 1, "traces to show of each kind and fault")
	f.input.given = c.Flags().Changed
	return c
}

func (f *explainFlags) run(c *cobra.Command, args []string) error {
	paths, which := args[:len(args)-1], args[len(args)-1]
	faults := mutant.Faults()
	if at := strings.LastIndexByte(which, ':'); at >= 0 {
		if fault, known := mutant.ParseFault(which[at+1:]); known {
			which, faults = which[:at], []mutant.Fault{fault}
		}
	}
	mux, known := mutant.ParseMux(f.mux)
	if !known {
		return usagef("--mux %q: it is output or next", f.mux)
	}
	if f.traces < 0 {
		return usagef("--traces %d: give a number of traces, or 0 for none", f.traces)
	}
	if limit, err := whyBudget(f.why, 0); err != nil || limit == 0 {
		return usagef("--why %q: give a time (60s) or a multiple (2x)", f.why)
	}
	if _, err := certify.ParseObservation(f.observe); err != nil {
		return usagef("--observe: %v", err)
	}
	in, err := f.input.read(c.Context(), paths)
	if err != nil {
		return err
	}
	properties, err := in.choose(f.property)
	if err != nil {
		return err
	}
	p := &page{in: in, mux: mux, traces: f.traces, describe: in.describe(), words: in.words()}
	if p.targets, err = in.find(which); err != nil {
		return err
	}
	opt := coverage.Options{Targets: p.targets, Mux: mux}
	if p.set, err = runAll(c.Context(), in, properties, opt); err != nil {
		return err
	}
	if p.reasons, err = explain(c.Context(), in, f.why, f.observe, opt, p.set); err != nil {
		return err
	}
	p.faults = faults
	var b strings.Builder
	if err := p.write(&b); err != nil {
		return err
	}
	if _, err := io.WriteString(c.OutOrStdout(), visible.Text(b.String())); err != nil {
		return err
	}
	return interrupted(c.Context())
}

// find returns the latches of a register: all bits of a name, one bit, or latch:N. A
// name may leave out scopes as long as one register fits.
func (in *input) find(which string) ([]mutant.Target, error) {
	if number, ok := strings.CutPrefix(which, "latch:"); ok {
		i, err := strconv.Atoi(number)
		if err != nil || i < 0 || i >= len(in.netlist.Latches) {
			return nil, usagef("%s has no latch %q; it has %d, numbered from 0", in.path, number, len(in.netlist.Latches))
		}
		return []mutant.Target{{Index: i}}, nil
	}
	describe := in.describe()
	by := map[string][]mutant.Target{}
	var names []string
	for i := range in.netlist.Latches {
		t := mutant.Target{Index: i}
		n := describe(t)
		for _, name := range slices.Compact([]string{n.Register, n.Name}) {
			fits := name != "" && (name == which || strings.HasSuffix(name, "."+which))
			if !fits {
				continue
			}
			if by[name] == nil {
				names = append(names, name)
			}
			by[name] = append(by[name], t)
		}
	}
	for _, name := range names {
		if name == which {
			return by[name], nil
		}
	}
	switch len(names) {
	case 0:
		return nil, usagef("%s has no register %q; netcov info lists the registers, and latch:N names one by its number", in.path, which)
	case 1:
		return by[names[0]], nil
	}
	return nil, usagef("several registers are called %q: %s; give more of the name", which, strings.Join(names, ", "))
}

// page is what there is to tell about one register.
type page struct {
	in       *input
	mux      mutant.Mux
	traces   int
	describe func(mutant.Target) report.Node
	words    []waveform.Word
	targets  []mutant.Target
	faults   []mutant.Fault // as the source has them
	set      *coverage.Set
	reasons  *explained
}

// told is what is known of one mutant.
type told struct {
	target   mutant.Target
	fault    mutant.Fault // of the literal
	shown    mutant.Fault // of the register
	verdict  coverage.Verdict
	property int // that notices it
	trace    *cert.Trace
	reason   why.Reason
	witness  *aiger.Witness
}

// tell gathers what the run says of a mutant.
func (p *page) tell(t mutant.Target, f mutant.Fault) told {
	j := p.set.Judge(t, f)
	x := told{target: t, fault: f, verdict: j.Verdict}
	if j.Verdict == coverage.Covered {
		x.property, x.trace = j.Mutant.Property, j.Group.Trace(j.Mutant)
	}
	if p.reasons == nil {
		return x
	}
	for i, m := range p.reasons.mutants {
		if m.Target == t && m.Fault == f {
			x.reason, x.witness = p.reasons.found[i].Reason, p.reasons.found[i].Witness
		}
	}
	return x
}

func (p *page) write(b *strings.Builder) error {
	first := p.describe(p.targets[0])
	name := first.Name
	if len(p.targets) > 1 && first.Register != "" {
		name = first.Register
	}
	fmt.Fprintf(b, "%s, %s of %s\n", name, report.Plural(len(p.targets), "register bit"), p.in.path)
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
	for _, target := range p.targets {
		n := p.describe(target)
		for _, shown := range p.faults {
			f := shown
			if n.Inverted {
				f = f.Complement()
			}
			x := p.tell(target, f)
			x.shown = shown
			all = append(all, x)
			label := n.Name
			if label == "" {
				label = target.String()
			}
			switch x.verdict {
			case coverage.Covered:
				t.AppendRow([]any{label, shown.String(), "covered", fmt.Sprintf("%s, in %s", p.property(x.property), report.Plural(x.trace.Depth(), "step"))})
			case coverage.NotCovered:
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

// writeCones tells which properties and constraints depend on the register, and which
// outputs do.
func (p *page) writeCones(b *strings.Builder) {
	n := p.in.netlist
	reads := func(cone []bool) bool {
		return slices.ContainsFunc(p.targets, func(t mutant.Target) bool { return cone[n.Latches[t.Index].Lit.Node()] })
	}
	var properties, outputs, constraints []string
	for i, x := range n.Properties() {
		roots := []aig.Lit{x.Bad}
		if x.Kind == netlist.PropertyJustice {
			roots = n.Justice[x.Index].Lits
		}
		if reads(n.SequentialCone(roots...)) {
			label := x.Name
			if label == "" {
				label = fmt.Sprintf("property %d", i)
			}
			properties = append(properties, label)
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
	b.WriteString("\n")
}

// writeTraces shows, for each fault, how it is noticed, and what goes unnoticed.
func (p *page) writeTraces(b *strings.Builder, all []told) error {
	noticed, gaps := map[mutant.Fault]int{}, map[mutant.Fault]int{}
	for _, x := range all {
		w, title := x.witness, ""
		label := fmt.Sprintf("%s, %v", p.describe(x.target).Name, x.shown)
		switch {
		case x.verdict == coverage.Covered && noticed[x.fault] < p.traces:
			noticed[x.fault]++
			s, err := p.in.subject(x.property)
			if err != nil {
				return err
			}
			if s.Live() {
				continue // a lasso of the translation
			}
			if w, err = s.Witness(x.trace, x.fault == mutant.Nondet); err != nil {
				return err
			}
			bads, _, _ := p.in.file.Properties()
			if w, err = waveform.Blur(p.in.file, w, p.in.simFault(x.target, x.fault, p.mux), bads[x.property]); err != nil {
				return err
			}
			title = fmt.Sprintf("%s: noticed by %s, which fails in the last step", label, p.property(x.property))
		case x.reason == why.Gap && w != nil && gaps[x.fault] < p.traces:
			gaps[x.fault]++
			title = label + ": goes unnoticed, every property holds on both"
		default:
			continue
		}
		waves, err := waveform.Run(p.in.file, w, p.in.simFault(x.target, x.fault, p.mux), p.words)
		if err != nil {
			return err
		}
		fmt.Fprintf(b, "\n%s\n%s", title, waves.Table())
	}
	return nil
}

// writeAdvice says what to try next.
func (p *page) writeAdvice(b *strings.Builder, all []told) {
	var said []why.Reason
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

var advice = map[why.Reason]string{
	why.Outside:    "no property that holds reads the register; assert something about an output that it reaches",
	why.Constant:   "the register never has another value; is it needed, or is something missing that should change it?",
	why.Equivalent: "nothing observed depends on it; look at it with --observe registers, or ask whether it is needed",
	why.Vacuous:    "the constraints leave no run in which it would show; are they too strong?",
	why.Gap:        "assert what the last step of the trace breaks: the signals with a star should not be as the mutant has them",
	why.Open:       "give more time: --why 10m",
}

// property names a property.
func (p *page) property(i int) string {
	if name := p.in.netlist.Properties()[i].Name; name != "" {
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
