package report

import (
	"fmt"
	"slices"
	"strings"

	"netcov/cert"
	"netcov/internal/visible"
	"netcov/mutant"
)

// The answer stands on the first screen of the text form: the coverage of the set, how
// many registers are unchecked and where, and what to do next.

// mostWorst is the number of registers that the answer names.
const mostWorst = 5

// verdict is the coverage of the set in a few words.
func (r *Report) verdict() string {
	c := r.Summary.Counts
	if c.Unknown == 0 {
		return fmt.Sprintf("%s (%d of %s), all decided", percent(c.Low), c.Covered, Plural(c.Mutants, "mutant"))
	}
	return fmt.Sprintf("%s (%d covered, %d not covered, %d unknown of %s); accuracy %s",
		interval(c), c.Covered, c.NotCovered, c.Unknown, Plural(c.Mutants, "mutant"), percent(c.Accuracy))
}

// nothingWords says why no mutant was asked for, "" where some were or no property holds.
func (r *Report) nothingWords() string {
	switch {
	case r.Summary.Mutants+r.Summary.Waived > 0 || r.held() == 0:
		return ""
	case len(r.Design.Apart) > 0:
		return "only properties read the registers of the design: nothing to cut"
	case r.Design.Latches > 0 && r.Design.Ands == 0:
		return "the design has no nodes of the kind asked for: nothing to cut"
	}
	return "the design has no registers of its own: nothing to cut"
}

// writeAnswer writes what comes first. registers is the list, the worst first.
func (r *Report) writeAnswer(p *page, registers []*registerRow) {
	title := "coverage"
	if held := r.held(); held > 1 {
		title = fmt.Sprintf("coverage of the %d properties together", held)
	}
	p.led(bold, title+": "+interval(r.Summary.Counts), strings.TrimPrefix(r.verdict(), interval(r.Summary.Counts)))
	switch r.Summary.Stopped {
	case "":
	case "tests":
		if r.Summary.Unknown > 0 {
			p.sentence("the tests asked for decide no more")
		}
	case "merged":
		p.sentence("of some mutants the runs have decided some of the properties only")
	default:
		if r.Summary.Unknown > 0 {
			p.sentence("stopped by: " + r.Summary.Stopped)
		}
	}
	if s := r.Summary; s.Matters != nil && s.Matters.Mutants < s.Counts.Mutants {
		p.sentence(fmt.Sprintf("coverage of what can matter: %s (%d of %s; without %d that equal the design)",
			interval(*s.Matters), s.Matters.Covered, Plural(s.Matters.Mutants, "mutant"), s.Counts.Mutants-s.Matters.Mutants))
	}
	if e := r.Summary.Sample; e != nil {
		p.sentence(fmt.Sprintf("this is an estimate from %d of %d nodes, drawn at random: the coverage of all is between %s and %s (95%% interval)",
			e.Nodes, e.Population, percent(e.Low), percent(e.High)))
	}
	if words := r.waiverWords(); words != "" {
		p.sentence(words)
	}
	if words := r.apartWords(visible.Line); words != "" {
		p.sentence(words)
	}
	if words := r.antecedentWords(); words != "" {
		p.sentence(words)
	}
	p.sentence(tally(registers))
	p.writeWorst(registers)
	if words := r.reasonWords(); words != "" {
		p.sentence("why not covered: " + words + "; observed: " + r.Options.Observe)
	}
	p.writeNext(r, registers)
}

// tally counts the registers by how far they are checked.
func tally(registers []*registerRow) string {
	var n [checked + 1]int
	for _, x := range registers {
		n[x.checking()]++
	}
	if n[checked] == len(registers) {
		return fmt.Sprintf("registers: all checked (%d)", len(registers))
	}
	out := fmt.Sprintf("registers: %d of %d unchecked, %d checked in part, %d checked", n[unchecked], len(registers), n[inPart], n[checked])
	if n[undecided] > 0 {
		out += fmt.Sprintf(", %d undecided", n[undecided])
	}
	return out
}

// writeWorst names the registers about which most is missing.
func (p *page) writeWorst(registers []*registerRow) {
	left := 0
	var g grid
	g.header = []string{"", "", "", "", ""}
	for _, x := range registers {
		if c := x.checking(); c == checked || c == undecided {
			continue
		}
		if len(g.rows) == mostWorst {
			left++
			continue
		}
		g.rows = append(g.rows, []string{p.paintVerdict(x.checking().String()), x.name, interval(x.counts), strings.Join(x.why(), ", "), visible.Line(x.node.source())})
	}
	if len(g.rows) == 0 {
		return
	}
	// The table has neither a header nor a rule.
	lines := strings.SplitAfter(g.render(p.opt.Width), "\n")
	p.WriteString(strings.Join(lines[2:], ""))
	if left > 0 {
		fmt.Fprintf(p, "  … and %d more\n", left)
	}
}

// writeNext says what to do next: what the design itself needs first, then the register
// about which most is missing, then what is not decided.
func (p *page) writeNext(r *Report, registers []*registerRow) {
	var next []string
	fails, open := 0, 0
	for _, x := range r.Properties {
		switch x.Status {
		case cert.Fails:
			fails++
		case cert.Unknown:
			open++
		}
	}
	if fails > 0 {
		next = append(next, "mend what fails on the design itself: it gives no coverage")
	}
	if open > 0 {
		next = append(next, fmt.Sprintf("give more time to %s without a proof: no coverage comes from there", Plural(open, "property")))
	}
	if i := slices.IndexFunc(registers, func(x *registerRow) bool { return x.rank() == 0 }); i >= 0 {
		next = append(next, p.advice(registers[i]))
	}
	next = append(next, r.words(func(s section) func(*Report) string { return s.next })...)
	if r.Summary.Unknown > 0 {
		next = append(next, fmt.Sprintf("give more time to %s that are undecided", Plural(r.Summary.Unknown, "mutant")))
	}
	for _, n := range next {
		p.led(bold, "next: ", n)
	}
}

// advice says what to do about a register.
func (p *page) advice(x *registerRow) string {
	main := ""
	if words := x.why(); len(words) > 0 {
		main = words[0]
	}
	out := "write a property that notices when " + x.name + " is wrong"
	switch main {
	case mutant.Outside.String():
		out = "write a property about " + x.name + ": none depends on it"
	case mutant.Gap.String():
		out = "write a property about " + x.name + ": it can be wrong where all can see it, and none notices"
	case mutant.Vacuous.String():
		out = "look at the constraints: they exclude each run in which " + x.name + " would matter"
	}
	how := ""
	if p.opt.Explain != nil {
		how = visible.Line(p.opt.Explain(x.node))
	}
	switch {
	case how == "":
		return out
	case main == mutant.Gap.String():
		return out + "; a run that shows it: " + how
	}
	return out + "; more: " + how
}

// brief is the whole report in one line.
func (r *Report) brief(registers []*registerRow) string {
	var parts []string
	if words := r.nothingWords(); words != "" {
		parts = append(parts, words)
	}
	if r.Summary.Mutants > 0 {
		parts = append(parts, "coverage "+r.verdict(), tally(registers))
		if words := r.waiverWords(); words != "" {
			parts = append(parts, words)
		}
	}
	return strings.Join(append(parts, r.answers()), "; ")
}

// answers counts the properties by what model checking the design says of them.
func (r *Report) answers() string {
	fails, open := 0, 0
	for _, x := range r.Properties {
		switch x.Status {
		case cert.Fails:
			fails++
		case cert.Unknown:
			open++
		}
	}
	held, all := r.held(), len(r.Properties)
	words := fmt.Sprintf("%d of %s hold", held, Plural(all, "property"))
	switch {
	case held == all && all == 1:
		words = "1 property holds"
	case held == all:
		words = Plural(all, "property") + " hold"
	}
	if fails > 0 {
		words += fmt.Sprintf(", %d fail on the design itself", fails)
	}
	if open > 0 {
		words += fmt.Sprintf(", %d undecided", open)
	}
	return words
}
