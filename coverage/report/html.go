package report

import (
	"cmp"
	"embed"
	"fmt"
	"html/template"
	"io"
	"maps"
	"slices"
	"strings"

	"netcov/internal/visible"
	"netcov/internal/webpage"
	"netcov/mutant"
)

// The HTML form is one page that needs nothing else: summary, modules, registers
// in a table that sorts and filters, properties, tests, and the sources with
// their lines coloured. What comes from a design is text: the template escapes
// it, and the page's security policy lets only the page's own script run.

//go:embed page/*.html
var pageFiles embed.FS

func init() {
	register(Format{"html", "one page to read, sort and filter", (*Report).writeHTML})
}

var pageTemplate = webpage.Parse(pageFiles, "page/*.html", template.FuncMap{
	"percent": percent, "interval": interval, "seconds": seconds, "plural": Plural,
	"middle": func(x int) int { return x + 11 },
	"label":  func(y int) int { return y + 12 },
	"brief": func(name string) string {
		const room = 21
		if short := []rune(name); len(short) > room {
			return "…" + string(short[len(short)-room+1:])
		}
		return name
	},
	"share": func(part, all int) float64 { return 100 * float64(part) / float64(max(all, 1)) },
})

// pageData is what the template shows.
type pageData struct {
	*Report
	Held        int
	Nothing     string // why no mutant was asked for
	Faults      []string
	Lines       []pageLine
	Files       []pageFile
	Gaps        *pageGaps
	Modules     []pageModule
	Curve       string // points of a polyline, 0 to 100 both ways
	Seconds     float64
	Most        int // verdicts of the busiest test
	ApartRule   string
	Antecedents bool // some property has one
}

// pageLine is a row of the table of registers.
type pageLine struct {
	Name, Number, Instance, Why string
	Gap                         int // position of one in the list of gaps, -1 for none
	File                        int // position in Files, -1 where the source is not shown
	Source                      string
	At                          int // line
	Words                       []string
	Worst                       string
}

// pageFile is a source file with its lines.
type pageFile struct {
	Name  string
	Lines []sourceLine
	Counts
}

// sourceLine is a line of a source file; Counts are the mutants of the registers
// that it declares.
type sourceLine struct {
	Number int
	Text   string
	Class  string // covered, partly, uncovered, or empty
	Counts
}

func (r *Report) writeHTML(w io.Writer, opt Rendering) error {
	d := &pageData{
		Report: r, Held: r.held(), Nothing: r.nothingWords(), Faults: r.asked(), ApartRule: apartRule, Antecedents: r.antecedentWords() != "",
	}
	nodes := r.nodeList()
	d.addSources(nodes, opt)
	d.addLines(nodes)
	d.addTests()
	d.Gaps, d.Modules = r.gapList(), r.moduleTree()
	return webpage.Write(w, pageTemplate, r.Design.File, d)
}

// addLines merges the nodes into rows, the worst first.
func (d *pageData) addLines(nodes []*nodeRow) {
	at := map[string]int{}
	for i, f := range d.Files {
		at[f.Name] = i
	}
	gaps := map[string]int{} // by node
	for i, g := range slices.Backward(d.Report.gaps) {
		gaps[fmt.Sprintf("%s %d", g.Node.Kind, g.Node.Index)] = i
	}
	for _, l := range merge(nodes, d.Faults) {
		row := pageLine{
			Name: visible.Line(l.title()), Number: l.number, Instance: visible.Line(l.node.Instance), Why: l.why,
			Gap: -1, File: -1, Source: visible.Line(l.node.source()), At: l.node.Line, Words: l.words, Worst: word(l.worst),
		}
		for _, number := range l.nodes {
			if i, shown := gaps[number]; shown && row.Gap < 0 {
				row.Gap = i
			}
		}
		if i, shown := at[l.node.File]; shown {
			row.File = i
		}
		d.Lines = append(d.Lines, row)
	}
	rank := map[string]int{word(mutant.NotCovered): 0, word(mutant.Unknown): 1, word(mutant.Covered): 2}
	slices.SortStableFunc(d.Lines, func(a, b pageLine) int { return cmp.Compare(rank[a.Worst], rank[b.Worst]) })
}

// addSources gathers the source files whose text is there.
func (d *pageData) addSources(nodes []*nodeRow, opt Rendering) {
	if opt.Source == nil {
		return
	}
	counts := map[string]map[int]*Counts{}
	for _, n := range nodes {
		if n.node.File == "" || n.node.Line == 0 {
			continue
		}
		if counts[n.node.File] == nil {
			counts[n.node.File] = map[int]*Counts{}
		}
		c := counts[n.node.File][n.node.Line]
		if c == nil {
			c = &Counts{}
			counts[n.node.File][n.node.Line] = c
		}
		for _, f := range d.Faults {
			if m, here := n.marks[f]; !here || !m.waived {
				c.Add(m.verdict)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		text, ok := opt.Source(name)
		if !ok {
			continue
		}
		f := pageFile{Name: name}
		for i, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
			l := sourceLine{Number: i + 1, Text: visible.Line(strings.TrimSuffix(strings.ReplaceAll(line, "\t", "    "), "\r"))}
			if c := counts[name][l.Number]; c != nil {
				l.Counts, l.Class = *c, "partly"
				switch {
				case c.Mutants == 0:
					l.Class = waived
				case c.Covered == c.Mutants:
					l.Class = "covered"
				case c.Covered == 0:
					l.Class = "uncovered"
				}
				f.join(*c)
			}
			f.Lines = append(f.Lines, l)
		}
		f.finish()
		d.Files = append(d.Files, f)
	}
}

// addTests prepares the curve of accuracy and the bars of the tests.
func (d *pageData) addTests() {
	for _, t := range d.Summary.ByTest {
		d.Most = max(d.Most, t.Covered+t.NotCovered)
	}
	points := d.Summary.Accuracy
	if len(points) == 0 {
		return
	}
	d.Seconds = max(points[len(points)-1].Seconds, 1e-9)
	var b strings.Builder
	last := 0.0
	for _, p := range points {
		x := 100 * p.Seconds / d.Seconds
		fmt.Fprintf(&b, "%.2f,%.2f %.2f,%.2f ", x, 100-100*last, x, 100-100*p.Accuracy)
		last = p.Accuracy
	}
	d.Curve = strings.TrimSpace(b.String())
}
