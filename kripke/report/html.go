package report

import (
	"embed"
	"fmt"
	"html/template"
	"io"
	"math/big"
	"slices"
	"strings"

	"netcov/internal/visible"
	"netcov/internal/webpage"
	"netcov/kripke/structure"
)

// The HTML form is a page in the look of all reports: the verdict, a drawing whose states
// are coloured for one signal or for all, what the text form tells, and a table of the
// states.

//go:embed page/page.html
var pageFiles embed.FS

var pageTemplate = webpage.Parse(pageFiles, "page/*.html", template.FuncMap{
	"column": func(g *grid, i int) string {
		if slices.Contains(g.right, i+1) {
			return "num"
		}
		return ""
	},
	"half": func(x float64) float64 { return x / 2 },
	"cell": func(x any) string { return visible.Line(fmt.Sprint(x)) },
})

// pageData is what the template shows.
type pageData struct {
	Subject, Verdict, Share string
	Blocks                  []block
	Signals                 []string
	Drawing                 *drawing
	States                  []pageState
	Why                     string // there is no drawing
}

// pageState is a row of the table of states.
type pageState struct {
	Name, Label, Class, Signals string
}

// words of the classes, as the other pages have them.
var classWords = map[structure.Class]string{
	structure.Plain: "", structure.Covered: "covered", structure.Uncovered: "not covered", structure.Unreachable: "unreachable",
}

// WriteHTML writes a report as a page that needs nothing else. Of each list and
// computation it shows that many rows; 0 shows all. The states are all there as long as
// they can be drawn.
func WriteHTML(w io.Writer, r Report, rows int) error {
	d := pageData{Subject: r.subject(), Verdict: "not decided"}
	if holds, _ := r.Verdict(); holds != nil {
		d.Verdict = map[bool]string{true: "holds", false: "fails"}[*holds]
	}
	var doc document
	r.describe(&doc, rows)
	doc.close()
	d.Blocks = doc.blocks
	if p, err := r.picture(); err != nil {
		d.Why = err.Error()
	} else {
		d.Signals = p.signals
		d.addStates(p)
		if d.Drawing, err = draw(p); err != nil {
			d.Why = err.Error()
		}
	}
	return webpage.Write(w, pageTemplate, d.Subject, d)
}

// addStates fills the table of the states.
func (d *pageData) addStates(p *picture) {
	covered, reached := 0, 0
	for s, name := range p.graph.States {
		row := pageState{Name: name, Label: strings.Join(p.graph.Label(s), ", "), Class: classWords[p.class[s]]}
		var signals []string
		for _, at := range p.covered[s] {
			if at >= 0 {
				signals = append(signals, p.signals[at])
			}
		}
		row.Signals = strings.Join(signals, ", ")
		d.States = append(d.States, row)
		switch p.class[s] {
		case structure.Covered:
			covered++
			reached++
		case structure.Uncovered:
			reached++
		}
	}
	if reached > 0 {
		d.Share = fmt.Sprintf("%s (%d of %d)", percent(big.NewInt(int64(covered)), big.NewInt(int64(reached))), covered, reached)
	}
}
