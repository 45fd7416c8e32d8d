package report

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"netcov/mutant"

	"github.com/chromedp/chromedp"
)

// In a browser the page sorts by a click and by the keyboard, filters by text and
// by verdict, and runs no script of a design.
func TestPageInBrowser(t *testing.T) {
	program, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("chromium is not installed")
	}
	rep := &Report{Schema: Schema, Design: Design{File: "<script>document.title='ran'</script>"}}
	rep.Summary.ByFault = map[string]Counts{"zero": {Mutants: 3}}
	for i, x := range []struct {
		name    string
		verdict mutant.Verdict
	}{{"b[10]", mutant.NotCovered}, {"a", mutant.Covered}, {"b[9]", mutant.NotCovered}, {"c", mutant.Unknown}} {
		rep.Mutants = append(rep.Mutants, Mutant{Node: Node{Kind: "latch", Index: i, Name: x.name}, Fault: "zero", Verdict: x.verdict})
	}
	rep.Summary.Counts = Counts{Mutants: 4, Covered: 1, NotCovered: 2, Unknown: 1}
	path := filepath.Join(t.TempDir(), "page.html")
	out, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := rep.writeHTML(out, Rendering{}); err != nil {
		t.Fatal(err)
	}
	out.Close()

	ctx, cancel := context.WithTimeout(context.Background(), 90*time.Second)
	defer cancel()
	ctx, stop := chromedp.NewExecAllocator(ctx, append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(program), chromedp.NoSandbox, chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true))...)
	defer stop()
	ctx, end := chromedp.NewContext(ctx)
	defer end()
	const visible = `[...document.querySelectorAll("#lines tbody tr")].filter(r => !r.hidden).map(r => r.cells[0].textContent).join(" ")`
	ask := func(expression string) string {
		t.Helper()
		got, err := chromedp.Run(ctx, chromedp.Evaluate[string](expression))
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	act := func(a chromedp.Action[chromedp.Void]) {
		t.Helper()
		if _, err := chromedp.Run(ctx, a); err != nil {
			t.Fatal(err)
		}
	}
	act(chromedp.Navigate("file://" + path))
	title, first := ask("document.title"), ask(visible)
	act(chromedp.Click(`#lines th:nth-child(1) button`))
	byName := ask(visible)
	act(chromedp.Focus(`#lines th:nth-child(1) button`))
	act(chromedp.KeyEvent("\r"))
	byKey := ask(visible)
	act(chromedp.SendKeys("#filter", "[10"))
	filtered := ask(visible)
	all := ask(`filter.value = ""; verdict.value = ""; verdict.dispatchEvent(new Event("change")); ` + visible)
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
