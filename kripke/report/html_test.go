package report

import (
	"bytes"
	"io"
	"math/big"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"pgregory.net/rapid"

	"netcov/internal/webpage/browse"
	"netcov/kripke/structure"
)

// TestLayers: a layer has the states of one distance, and each state stands in one.
func TestLayers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 12).Draw(t, "states")
		b := structure.NewBuilder(nil)
		var step [12][12]bool
		for s := range n {
			b.AddState(string(rune('a' + s)))
		}
		for s := range n {
			for _, to := range rapid.SliceOfN(rapid.IntRange(0, n-1), 1, 4).Draw(t, "steps") {
				b.AddTransition(s, to)
				step[s][to] = true
			}
		}
		b.AddInitial(rapid.IntRange(0, n-1).Draw(t, "initial"))
		g, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		// Distances by repeated relaxation.
		far := make([]int, n)
		for s := range far {
			far[s] = n
		}
		far[g.Initial[0]] = 0
		for range n {
			for s := range n {
				for to := range n {
					if step[s][to] {
						far[to] = min(far[to], far[s]+1)
					}
				}
			}
		}
		seen := map[int]bool{}
		for i, layer := range layers(g) {
			for _, s := range layer {
				if far[s] != i && far[s] != n || seen[s] {
					t.Errorf("state %d at distance %d stands in layer %d", s, far[s], i)
				}
				seen[s] = true
			}
		}
		if len(seen) != n {
			t.Errorf("%d of %d states stand in a layer", len(seen), n)
		}
	})
}

const hostile = `"><img src=x onerror="document.title='ran'"><script>document.title='ran'</script>`

// hostileReport has names that would run where they are not escaped: two states, of which
// the first is covered for a signal and the second for none, and one that is not reached.
func hostileReport(t *testing.T) *CTL {
	b := structure.NewBuilder([]string{hostile, "b"})
	b.AddState(hostile, hostile)
	b.AddState("second", "b")
	b.AddState("third")
	for s := range 3 {
		b.AddTransition(s, (s+1)%2)
	}
	b.AddInitial(0)
	g, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	holds := true
	one, two := big.NewInt(1), big.NewInt(2)
	signals := []CTLSignal{
		{Name: hostile, Covered: []string{hostile}, Uncovered: []string{"second"}, CoveredN: one, UncoveredN: one},
		{Name: "b", Uncovered: []string{hostile, "second"}, CoveredN: new(big.Int), UncoveredN: two},
	}
	return &CTL{
		Head: Head{File: hostile, Model: "structure"}, Holds: &holds,
		Specs: []CTLSpec{{Formula: hostile, Outcome: Outcome{Holds: &holds}, Signals: signals}},
		Tail:  Tail{Notes: []string{hostile}, Graph: func() (*structure.Structure, error) { return g, nil }},
	}
}

// TestPageInBrowser: no name runs, and the drawing shows the coverage of the signal that
// is chosen.
func TestPageInBrowser(t *testing.T) {
	r := hostileReport(t)
	p := browse.Open(t, 1000, func(w io.Writer) error { return WriteHTML(w, r, 0) })
	const states = `[...document.querySelectorAll(".state")].map(s => s.getAttribute("class").replace("state", "").trim()).join(" ")`
	browse.Want(p, `document.title`, "netcov: "+hostile)
	browse.Want(p, `document.querySelectorAll("img").length + document.querySelectorAll("script").length`, 1)
	browse.Want(p, states, "covered uncovered unreachable")
	browse.Want(p, `signal.value = "1"; signal.dispatchEvent(new Event("change")); `+states, "uncovered uncovered unreachable")
	p.Do(chromedp.SendKeys("#filter", "sec"))
	browse.Want(p, `shown.textContent`, "1 of 3 rows")
	browse.Want(p, `document.querySelectorAll("path.step").length`, 4)
}

// TestPageWithoutDrawing: a run that stopped, and a graph beyond the bounds, say why there
// is none.
func TestPageWithoutDrawing(t *testing.T) {
	var b bytes.Buffer
	if err := WriteHTML(&b, &Comparison{Implementation: "a.smv", Tail: Tail{Stopped: "the time limit was reached"}}, 0); err != nil {
		t.Fatal(err)
	}
	if s := b.String(); !strings.Contains(s, "No drawing: nothing to draw") || !strings.Contains(s, "stopped: the time limit was reached") {
		t.Error(s)
	}
}
