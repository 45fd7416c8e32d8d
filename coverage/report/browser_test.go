package report

import (
	"io"
	"testing"

	"github.com/chromedp/chromedp"

	"netcov/internal/webpage/browse"
	"netcov/mutant"
)

// In a browser the page sorts by a click and by the keyboard, filters by text and
// by verdict, and runs no script of a design.
func TestPageInBrowser(t *testing.T) {
	rep := &Report{Schema: Schema, Design: Design{File: "<script>document.title='ran'</script>"}}
	rep.Summary.ByFault = map[string]Counts{"zero": {Mutants: 3}}
	for i, x := range []struct {
		name    string
		verdict mutant.Verdict
	}{{"b[10]", mutant.NotCovered}, {"a", mutant.Covered}, {"b[9]", mutant.NotCovered}, {"c", mutant.Unknown}} {
		rep.Mutants = append(rep.Mutants, Mutant{Node: Node{Kind: "latch", Index: i, Name: x.name}, Fault: "zero", Verdict: x.verdict})
	}
	rep.Summary.Counts = Counts{Mutants: 4, Covered: 1, NotCovered: 2, Unknown: 1}
	p := browse.Open(t, 1200, func(w io.Writer) error { return rep.writeHTML(w, Rendering{}) })
	const visible = `[...document.querySelectorAll("#lines tbody tr")].filter(r => !r.hidden).map(r => r.cells[0].textContent).join(" ")`
	title, first := browse.Ask[string](p, "document.title"), browse.Ask[string](p, visible)
	p.Do(chromedp.Click(`#lines th:nth-child(1) button`))
	byName := browse.Ask[string](p, visible)
	p.Do(chromedp.Focus(`#lines th:nth-child(1) button`))
	p.Do(chromedp.KeyEvent("\r"))
	byKey := browse.Ask[string](p, visible)
	p.Do(chromedp.SendKeys("#filter", "[10"))
	filtered := browse.Ask[string](p, visible)
	all := browse.Ask[string](p, `filter.value = ""; verdict.value = ""; verdict.dispatchEvent(new Event("change")); `+visible)
	for _, c := range []struct{ what, got, want string }{
		{"title", title, "netcov: <script>document.title='ran'</script>"},
		{"at first", first, "b[10] b[9]"},
		{"by name", byName, "b[9] b[10]"},
		{"by the keyboard", byKey, "b[10] b[9]"},
		{"filtered", filtered, "b[10]"},
		{"all", all, "c b[10] b[9] a"},
	} {
		if c.got != c.want {
			t.Errorf("%s: %q, want %q", c.what, c.got, c.want)
		}
	}
}
