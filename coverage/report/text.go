package report

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"netcov/cert"
	"netcov/internal/visible"
	"netcov/mutant"
)

// faults lists the faults in the order of tables.
var faults = mutant.FaultNames()

func init() {
	register(Format{"text", "for a reader at a terminal", (*Report).WriteText})
}

// WriteText writes the report for a reader at a terminal.
func (r *Report) WriteText(w io.Writer, opt Rendering) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s, %s, %s", visible.Line(r.Design.File),
		Plural(r.Design.Inputs, "input"), Plural(r.Design.Latches, "latch"), Plural(r.Design.Ands, "gate"))
	if r.Design.Constraints > 0 {
		fmt.Fprintf(&b, ", %s", Plural(r.Design.Constraints, "constraint"))
	}
	b.WriteString("\n")
	if r.Design.RunSteps != nil {
		fmt.Fprintf(&b, "WARNING: %s\n", Vacuous(*r.Design.RunSteps))
	}
	r.writeProperties(&b)
	if r.Summary.Mutants > 0 {
		r.writeCoverage(&b, opt)
	}
	_, err := io.WriteString(w, visible.Text(b.String()))
	return err
}

// mostListed is the number of proved properties up to which each has a line.
const mostListed = 8

// writeProperties tells the outcome of model checking: a line for each property, or,
// where many are proved, one line for these and a line for each of the others.
func (r *Report) writeProperties(b *strings.Builder) {
	proved := map[string]int{}
	for _, p := range r.Properties {
		if p.proved() {
			proved[p.Engine]++
		}
	}
	all := 0
	var by []string
	for _, engine := range slices.Sorted(maps.Keys(proved)) {
		all += proved[engine]
		by = append(by, fmt.Sprintf("%d by %s", proved[engine], engine))
	}
	if all > mostListed {
		fmt.Fprintf(b, "%d of %s hold, proved in %.2f s: %s\n", all, Plural(len(r.Properties), "property"), r.Summary.CheckSeconds, strings.Join(by, ", "))
	}
	for _, p := range r.Properties {
		if all <= mostListed || !p.proved() {
			fmt.Fprintf(b, "%s: %s\n", p.title(), p.outcome())
		}
	}
}

// proved reports whether the property holds and the second opinion agreed.
func (p Property) proved() bool { return p.Status == cert.Holds && p.Reason == "" }

// Vacuous words the warning about constraints that end every run after so many
// steps.
func Vacuous(steps int) string {
	if steps == 0 {
		return "the constraints exclude every run: every property holds, whatever the design does"
	}
	return fmt.Sprintf("the constraints exclude every run of more than %s: no property is checked beyond", Plural(steps, "step"))
}

func (p Property) title() string {
	t := fmt.Sprintf("property %d (%s", p.Index, p.Kind)
	if p.Name != "" {
		t += " " + p.Name
	}
	return t + ")"
}

func (p Property) outcome() string {
	switch p.Status {
	case cert.Holds:
		if p.Reason != "" {
			return fmt.Sprintf("holds by %s, in %.2f s, but is not confirmed: %s", p.Engine, p.Seconds, p.Reason)
		}
		return fmt.Sprintf("holds, proved by %s in %.2f s", p.Engine, p.Seconds)
	case cert.Fails:
		return fmt.Sprintf("FAILS on the design itself, with a counterexample of %s: no coverage", Plural(*p.Depth, "step"))
	}
	why := p.Reason
	if why == "" {
		why = fmt.Sprintf("undecided after %.2f s", p.Seconds)
	}
	return why + ": no coverage"
}

func (r *Report) writeCoverage(b *strings.Builder, opt Rendering) {
	c := r.Summary.Counts
	held := r.held()
	if held > 1 {
		fmt.Fprintf(b, "\ncoverage of the %d properties together: ", held)
	} else {
		b.WriteString("\ncoverage: ")
	}
	if c.Unknown == 0 {
		fmt.Fprintf(b, "%s (%d of %s), all decided\n", percent(c.Low), c.Covered, Plural(c.Mutants, "mutant"))
	} else {
		fmt.Fprintf(b, "between %s and %s (%d covered, %d not covered, %d unknown of %s); accuracy %s\n",
			percent(c.Low), percent(c.High), c.Covered, c.NotCovered, c.Unknown, Plural(c.Mutants, "mutant"), percent(c.Accuracy))
		switch r.Summary.Stopped {
		case "":
		case "tests":
			b.WriteString("the tests asked for decide no more\n")
		default:
			fmt.Fprintf(b, "stopped by: %s\n", r.Summary.Stopped)
		}
	}
	r.writeReasons(b)
	if e := r.Summary.Sample; e != nil {
		fmt.Fprintf(b, "this is an estimate from %d of %d nodes, drawn at random: the coverage of all is between %s and %s (95%% interval)\n",
			e.Nodes, e.Population, percent(e.Low), percent(e.High))
	}
	fmt.Fprintf(b, "time: %.2f s model checking, %.2f s coverage, of which %.2f s for the second opinion",
		r.Summary.CheckSeconds, r.Summary.CoverageSeconds, r.Summary.RecheckSeconds)
	if s := r.Summary.WhySeconds; s > 0 {
		fmt.Fprintf(b, "; %.2f s for the reasons", s)
	}
	b.WriteString("\n\n")

	t := NewTable("fault", "mutants", "covered", "not covered", "unknown", "coverage")
	for _, f := range faults {
		if c, ok := r.Summary.ByFault[f]; ok {
			t.AppendRow(table.Row{f, c.Mutants, c.Covered, c.NotCovered, c.Unknown, interval(c)})
		}
	}
	b.WriteString(t.Render() + "\n\n")

	t = NewTable("test", "covered", "not covered", "seconds")
	for _, x := range r.Summary.ByTest {
		t.AppendRow(table.Row{x.Test, x.Covered, x.NotCovered, fmt.Sprintf("%.3f", x.Seconds)})
	}
	b.WriteString(t.Render() + "\n\n")
	r.writeInstances(b)
	r.writeNodes(b, opt)
}

// writeInstances lists the instances of a design that has several, the least
// covered first.
func (r *Report) writeInstances(b *strings.Builder) {
	if len(r.Summary.ByInstance) < 2 {
		return
	}
	t := NewTable("instance", "module", "register bits", "mutants", "coverage")
	for _, g := range r.Summary.ByInstance {
		t.AppendRow(table.Row{g.Name, g.Module, g.Bits, g.Mutants, interval(g.Counts)})
	}
	b.WriteString(t.Render() + "\n\n")
}

// writeNodes lists the nodes whose mutants are not all covered.
func (r *Report) writeNodes(b *strings.Builder, opt Rendering) {
	var open []*nodeRow
	gaps, undecided := 0, 0
	for _, n := range r.nodeList() {
		switch n.worst() {
		case notCovered:
			gaps++
		case unknown:
			undecided++
		default:
			continue
		}
		open = append(open, n)
	}
	if len(open) == 0 {
		b.WriteString("every mutant of every node is covered\n")
		return
	}
	switch {
	case undecided == 0:
		fmt.Fprintf(b, "%s with a mutant that no property notices:\n", Plural(gaps, "node"))
	case gaps == 0:
		fmt.Fprintf(b, "%s with a mutant that is undecided:\n", Plural(undecided, "node"))
	default:
		fmt.Fprintf(b, "%s with a mutant that no property notices, %d more with an undecided one:\n", Plural(gaps, "node"), undecided)
	}
	asked := r.asked()
	header := append(append([]string{"node", "name"}, asked...), "why")
	lines := merge(open, asked)
	shown := lines
	if opt.Rows > 0 && len(lines) > opt.Rows {
		shown = lines[:opt.Rows]
	}
	place := slices.ContainsFunc(shown, func(l line) bool { return l.node.File != "" })
	if place {
		header = append(header, "source")
	}
	t := NewTable(header...)
	for _, l := range shown {
		row := table.Row{l.number, l.name}
		for _, w := range l.words {
			row = append(row, w)
		}
		row = append(row, l.why)
		if place {
			row = append(row, l.source())
		}
		t.AppendRow(row)
	}
	b.WriteString(t.Render() + "\n")
	if len(shown) < len(lines) {
		fmt.Fprintf(b, "… and %d more", len(lines)-len(shown))
		if opt.HowAll != "" {
			fmt.Fprintf(b, " (%s)", opt.HowAll)
		}
		b.WriteString("\n")
	}
}

// word is a verdict as the table shows it.
func word(v string) string {
	if v == "notcovered" {
		return "not covered"
	}
	return v
}

// NewTable returns an empty table in the style of all reports.
func NewTable(header ...string) table.Writer {
	t := table.NewWriter()
	s := table.StyleLight
	s.Format.Header = text.FormatDefault
	s.Options.DrawBorder = false
	s.Options.SeparateColumns = false
	t.SetStyle(s)
	t.SuppressTrailingSpaces()
	row := make(table.Row, len(header))
	for i, h := range header {
		row[i] = h
	}
	t.AppendHeader(row)
	return t
}

func interval(c Counts) string {
	if c.Unknown == 0 {
		return percent(c.Low)
	}
	return percent(c.Low) + " to " + percent(c.High)
}

func percent(x float64) string { return fmt.Sprintf("%.1f%%", 100*x) }

// Plural counts things: "1 latch", "2 latches".
func Plural(n int, what string) string {
	switch {
	case n == 1:
		return "1 " + what
	case strings.HasSuffix(what, "ch"):
		return fmt.Sprintf("%d %ses", n, what)
	case strings.HasSuffix(what, "ty"):
		return fmt.Sprintf("%d %sies", n, strings.TrimSuffix(what, "y"))
	}
	return fmt.Sprintf("%d %ss", n, what)
}
