package report

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"netcov/cert"
	"netcov/coverage"
	"netcov/internal/visible"
	"netcov/mutant"
)

// The text form is for a reader at a terminal: the answer first, then faults,
// properties, modules and registers, the worst first, and how it was found out.

// faults lists the faults in the order of tables.
var faults = mutant.Words(mutant.Faults())

func init() {
	register(Format{"text", "for a reader at a terminal", (*Report).WriteText})
}

// WriteText writes the report for a reader at a terminal.
func (r *Report) WriteText(w io.Writer, opt Rendering) error {
	p := &page{opt: opt}
	nodes := r.nodeList()
	registers := registerList(nodes)
	if opt.Brief {
		fmt.Fprintf(p, "%s: %s\n", visible.Line(r.Design.File), r.brief(registers))
		_, err := io.WriteString(w, p.finished())
		return err
	}
	head := fmt.Sprintf("%s: %s, %s, %s", visible.Line(r.Design.File),
		Plural(r.Design.Inputs, "input"), Plural(r.Design.Latches, "latch"), Plural(r.Design.Ands, "gate"))
	if r.Design.Constraints > 0 {
		head += ", " + Plural(r.Design.Constraints, "constraint")
	}
	p.sentence(head)
	if r.Design.RunSteps != nil {
		p.led(red, "WARNING: ", Vacuous(*r.Design.RunSteps, r.Design.Conflict))
	}
	if words := r.nothingWords(); words != "" {
		p.sentence(words)
		if words := r.apartWords(visible.Line); words != "" {
			p.sentence(words)
		}
	}
	some := r.Summary.Mutants+r.Summary.Waived > 0
	if some {
		r.writeAnswer(p, registers)
		p.WriteString("\n")
		r.writeFaults(p)
	}
	r.writeProperties(p)
	if some {
		for _, s := range sections {
			if s.afterProperties != nil {
				s.afterProperties(r, p)
			}
		}
		r.writeInstances(p)
		r.writeNodes(p, nodes, registers)
		for _, s := range sections {
			if s.afterNodes != nil {
				s.afterNodes(r, p)
			}
		}
		r.writeTests(p)
	}
	_, err := io.WriteString(w, p.finished())
	return err
}

// writeFaults counts the mutants of each fault under the set of properties.
func (r *Report) writeFaults(p *page) {
	g := grid{header: []string{"fault", "mutants", "covered", "not covered", "unknown", "coverage"}, right: map[int]bool{1: true, 2: true, 3: true, 4: true}}
	for _, f := range faults {
		if c, ok := r.Summary.ByFault[f]; ok {
			g.rows = append(g.rows, []string{f, fmt.Sprint(c.Mutants), fmt.Sprint(c.Covered), fmt.Sprint(c.NotCovered), fmt.Sprint(c.Unknown), interval(c)})
		}
	}
	p.WriteString(g.render(p.opt.Width) + "\n")
}

// mostListed is the number of proved properties up to which each has a row.
const mostListed = 8

// writeProperties tells the outcome of model checking: those that are not proved first,
// and those that are vacuous, then the others, a row each or, where they are many, a row for each engine.
func (r *Report) writeProperties(p *page) {
	g := grid{header: []string{"property", "name", "answer", "by", "seconds"}, right: map[int]bool{4: true}}
	proved := map[string][]Property{}
	all := 0
	for _, x := range r.Properties {
		if x.plain() {
			proved[x.Engine] = append(proved[x.Engine], x)
			all++
			continue
		}
		colour := yellow
		if x.Status == cert.Fails {
			colour = red
		}
		g.rows = append(g.rows, []string{x.number(), visible.Line(x.Name), p.paint(colour, visible.Line(x.outcome())), x.Engine, fmt.Sprintf("%.2f", x.Seconds)})
	}
	if left := len(g.rows) - p.opt.Rows; p.opt.Rows > 0 && left > 0 {
		g.rows = append(g.rows[:p.opt.Rows], []string{fmt.Sprintf("… %d more", left), "", "are not proved, or vacuous", "", ""})
	}
	for _, engine := range slices.Sorted(maps.Keys(proved)) {
		list := proved[engine]
		if all > mostListed {
			seconds := 0.0
			for _, x := range list {
				seconds += x.Seconds
			}
			g.rows = append(g.rows, []string{Plural(len(list), "property"), "", "hold", engine, fmt.Sprintf("%.2f", seconds)})
			continue
		}
		for _, x := range list {
			g.rows = append(g.rows, []string{x.number(), visible.Line(x.Name), x.outcome(), engine, fmt.Sprintf("%.2f", x.Seconds)})
		}
	}
	p.WriteString(g.render(p.opt.Width))
}

// proved reports whether the property holds and the second opinion agreed.
func (p Property) proved() bool { return p.Status == cert.Holds && p.Reason == "" }

// plain reports whether there is nothing more to say of the property.
func (p Property) plain() bool { return p.proved() && !p.Vacuous() }

// Vacuous words the warning about constraints that end every run after so many
// steps, and names those that do.
func Vacuous(steps int, conflict []string) string {
	text := "the constraints exclude every run: every property holds, whatever the design does"
	if steps > 0 {
		text = fmt.Sprintf("the constraints exclude every run of more than %s: no property is checked beyond", Plural(steps, "step"))
	}
	if len(conflict) > 0 {
		text += "; look at " + visible.Line(strings.Join(conflict, ", "))
	}
	return text
}

// number is the property's kind and number, as users give it.
func (p Property) number() string { return fmt.Sprintf("%s %d", p.Kind, p.Index) }

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
			return "holds, but is not confirmed: " + p.Reason
		}
		if p.Vacuous() {
			return "holds, " + vacuousWords
		}
		return "holds"
	case cert.Fails:
		if p.Depth == nil {
			return "FAILS: no coverage"
		}
		return fmt.Sprintf("FAILS on the design itself, with a counterexample of %s: no coverage", Plural(*p.Depth, "step"))
	}
	words := cmp.Or(p.Reason, "undecided")
	if p.Bound != nil {
		words += fmt.Sprintf(", does not fail within %s", Plural(*p.Bound, "step"))
	}
	return words + ": no coverage"
}

// writeInstances lists the instances of a design that has several, the least
// covered first.
func (r *Report) writeInstances(p *page) {
	all := r.Summary.ByInstance
	if len(all) < 2 {
		return
	}
	g := grid{header: []string{"instance", "module", "register bits", "mutants", "", "coverage"}, right: map[int]bool{2: true, 3: true}}
	shown := all
	if p.opt.Rows > 0 && len(all) > p.opt.Rows {
		shown = all[:p.opt.Rows]
	}
	for _, x := range shown {
		g.rows = append(g.rows, []string{visible.Line(x.Name), visible.Line(x.Module), fmt.Sprint(x.Bits), fmt.Sprint(x.Mutants), bar(x.Low), interval(x.Counts)})
	}
	p.WriteString("\n" + g.render(p.opt.Width))
	p.more(len(all) - len(shown))
}

// more tells that rows are left out, and how to see them.
func (p *page) more(left int) {
	if left <= 0 {
		return
	}
	fmt.Fprintf(p, "… and %d more", left)
	if p.opt.HowAll != "" {
		fmt.Fprintf(p, " (%s)", p.opt.HowAll)
	}
	p.WriteString("\n")
}

// writeNodes lists the nodes whose mutants are not all covered, in the order of
// registers, the worst first.
func (r *Report) writeNodes(p *page, nodes []*nodeRow, registers []*registerRow) {
	var open []*nodeRow
	gaps, undecided := 0, 0
	for _, x := range registers {
		for _, n := range x.nodes {
			switch n.worst() {
			case mutant.NotCovered:
				gaps++
			case mutant.Unknown:
				undecided++
			default:
				continue
			}
			open = append(open, n)
		}
	}
	p.WriteString("\n")
	switch {
	case len(open) == 0:
		p.sentence("every mutant of every node is covered")
		p.WriteString("\n")
		return
	case undecided == 0:
		p.sentence(fmt.Sprintf("%s with a mutant that no property notices, by register, the worst first:", Plural(gaps, "node")))
	case gaps == 0:
		p.sentence(fmt.Sprintf("%s with a mutant that is undecided:", Plural(undecided, "node")))
	default:
		p.sentence(fmt.Sprintf("%s with a mutant that no property notices, %d more with an undecided one, by register, the worst first:", Plural(gaps, "node"), undecided))
	}
	asked := r.asked()
	g := grid{header: append(append([]string{"node", "name"}, asked...), "why")}
	lines := merge(open, asked)
	shown := lines
	if p.opt.Rows > 0 && len(lines) > p.opt.Rows {
		shown = lines[:p.opt.Rows]
	}
	where := slices.ContainsFunc(shown, func(l line) bool { return l.node.File != "" })
	if where {
		g.header = append(g.header, "source")
	}
	for _, l := range shown {
		row := []string{l.number, visible.Line(l.name)}
		for _, w := range l.words {
			row = append(row, p.paintVerdict(w))
		}
		row = append(row, l.why)
		if where {
			row = append(row, visible.Line(l.node.source()))
		}
		g.rows = append(g.rows, row)
	}
	p.WriteString(g.render(p.opt.Width))
	p.more(len(lines) - len(shown))
	p.WriteString("\n")
}

// writeTests tells how the mutants were decided, and in what time.
func (r *Report) writeTests(p *page) {
	g := grid{header: []string{"test", "covered", "not covered", "seconds"}, right: map[int]bool{1: true, 2: true, 3: true}}
	for _, x := range r.Summary.ByTest {
		g.rows = append(g.rows, []string{x.Test, fmt.Sprint(x.Covered), fmt.Sprint(x.NotCovered), fmt.Sprintf("%.3f", x.Seconds)})
	}
	p.WriteString(g.render(p.opt.Width) + "\n")
	if words := r.takenUp(); words != "" {
		p.sentence(words)
	}
	time := fmt.Sprintf("time: %.2f s model checking, %.2f s coverage, of which %.2f s for the second opinion",
		r.Summary.CheckSeconds, r.Summary.CoverageSeconds, r.Summary.RecheckSeconds)
	spent := r.words(func(s section) func(*Report) string { return s.time })
	p.sentence(strings.Join(append([]string{time}, spent...), "; "))
}

// takenUp says how much an earlier run's evidence saved, "" where there was none.
func (r *Report) takenUp() string {
	i := slices.IndexFunc(r.Summary.ByTest, func(t TestCounts) bool { return t.Test == coverage.TestBaseline })
	if i < 0 {
		return ""
	}
	t, proofs := r.Summary.ByTest[i], 0
	for _, p := range r.Properties {
		if p.Engine == coverage.EngineBaseline {
			proofs++
		}
	}
	return fmt.Sprintf("from the earlier run's evidence: %s proved, %s decided, in %.2f s",
		Plural(proofs, "property"), Plural(t.Covered+t.NotCovered, "mutant"), t.Seconds)
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
