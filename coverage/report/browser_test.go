package report

import (
	"fmt"
	"io"
	"testing"

	"github.com/chromedp/chromedp"

	"netcov/aiger"
	"netcov/cert"
	"netcov/coverage/waveform"
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

// walked is a report with something of every part of the page, whose names would run.
func walked() *Report {
	const hostile = `"><img src=x onerror="document.title='ran'">`
	rep := &Report{Schema: Schema, Design: Design{File: "a.v", Apart: []string{hostile}}}
	rep.Properties = []Property{{Name: hostile, Status: cert.Holds}}
	rep.Summary.ByFault = map[string]Counts{"zero": {Mutants: 2}}
	rep.Summary.Counts = Counts{Mutants: 2, Covered: 1, NotCovered: 1}
	rep.Summary.ByInstance = []Group{{Name: "top." + hostile + ".u1", Module: hostile, Bits: 2, Counts: Counts{Mutants: 2, Covered: 1}}}
	rep.Summary.Suggestions = &Suggestions{File: hostile, Source: hostile, List: []Suggestion{{Register: hostile, Assertion: hostile}}}
	rep.Waivers = []Waiver{{Node: hostile, Reason: hostile, State: WaiverUnused}}
	rep.Matrix = &Matrix{Properties: []MatrixProperty{{IdleDetail: hostile, Idle: "cone"}}, Smallest: Smallest{Properties: []int{0}}}
	for i, verdict := range []mutant.Verdict{mutant.NotCovered, mutant.Covered} {
		n := Node{Kind: "latch", Index: i, Name: hostile + "[" + string(rune('0'+i)) + "]", Register: hostile, Instance: hostile, File: "a.v", Line: 1}
		m := Mutant{Node: n, Fault: "zero", Verdict: verdict, Properties: &Failing{}}
		if verdict == mutant.Covered {
			m.Properties.Fail = []int{0}
		} else {
			word := waveform.Word{Name: hostile, High: 3, Low: 0, Bits: make([]aiger.Lit, 4)}
			bit := waveform.Word{Kind: waveform.Output, Name: hostile, High: -1, Low: -1, Bits: make([]aiger.Lit, 1)}
			w := &waveform.Waves{Words: []waveform.Word{word, bit}, Steps: 2, Fault: 0}
			w.Values = [2][][]string{{{"0000", "0001"}, {"x", "1"}}, {{"0000", "0000"}, {"x", "0"}}}
			rep.ShowGaps([]Gap{{Node: n, Fault: "zero", Waves: w}}, 3)
		}
		rep.Mutants = append(rep.Mutants, m)
	}
	return rep
}

// TestPageWalk: the keyboard reaches all that can be used and shows where it is; a link
// unfolds a gap; the page fits a narrow screen; no name runs.
func TestPageWalk(t *testing.T) {
	rep := walked()
	source := func(string) (string, bool) { return `<script>document.title='ran'</script>` + "\n", true }
	p := browse.Open(t, 400, func(w io.Writer) error { return rep.writeHTML(w, Rendering{Source: source}) })
	browse.Want(p, `document.title`, "netcov: a.v")
	browse.Want(p, `document.querySelectorAll("img").length + document.querySelectorAll("script").length`, 1)
	browse.Want(p, `document.documentElement.scrollWidth <= innerWidth`, true)
	browse.Want(p, `[...document.querySelectorAll("h2, h3")].map(h => h.textContent).join(", ")`,
		"Modules, Registers, Registers that only properties read, Gaps, Waivers, Suggested assertions, Properties, What each property adds, Which property notices which register, Tests, Sources")

	// Tab visits in their order whatever is no part of something folded.
	due := browse.Ask[int](p, `window.all = [...document.querySelectorAll("a, button, input, select, summary, .wide")].filter(e => e.checkVisibility() && (!e.matches(".wide") || e.scrollWidth > e.clientWidth && !e.querySelector("button"))); all.length`)
	if due < 20 {
		t.Errorf("only %d things can be used", due)
	}
	for i := range due {
		p.Do(chromedp.KeyEvent("\t"))
		if !browse.Ask[bool](p, fmt.Sprintf(`document.activeElement === all[%d] && getComputedStyle(document.activeElement).outlineStyle !== "none"`, i)) {
			t.Fatalf("key %d does not reach, or does not show, %s, but %s", i, browse.Ask[string](p, fmt.Sprintf(`all[%d].outerHTML.slice(0, 200)`, i)), browse.Ask[string](p, `document.activeElement.outerHTML.slice(0, 200)`))
		}
	}

	browse.Want(p, `g0.open`, false)
	p.Do(chromedp.Focus(`#lines a[href="#g0"]`), chromedp.KeyEvent("\r"))
	browse.Await(p, `g0.open`, true)
	browse.Want(p, `[...g0.querySelectorAll(".lane")].map(l => l.getAttribute("class")).join(", ")`, "lane design, lane mutant, lane design, lane mutant")
	p.Do(chromedp.Focus(`#g0 summary`), chromedp.KeyEvent("\r"))
	browse.Want(p, `g0.open`, false)
	browse.Want(p, `document.querySelectorAll(".grid rect.covered").length`, 1)
}
