// Package browse lets tests use a page as a reader does, in headless Chromium. Tests skip
// where it is not installed.
package browse

import (
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// Page is an open page.
type Page struct {
	t   *testing.T
	ctx context.Context
}

// Open writes a page to a file and opens that. Windows are width pixels wide.
func Open(t *testing.T, width int, write func(io.Writer) error) *Page {
	t.Helper()
	program, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("chromium is not installed")
	}
	path := filepath.Join(t.TempDir(), "page.html")
	out, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := write(out); err != nil {
		t.Fatal(err)
	}
	out.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 90*time.Second)
	ctx, stop := chromedp.NewExecAllocator(ctx, append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(program), chromedp.NoSandbox, chromedp.WindowSize(width, 900),
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true))...)
	ctx, end := chromedp.NewContext(ctx)
	t.Cleanup(func() { end(); stop(); cancel() })
	p := &Page{t, ctx}
	p.Do(chromedp.Navigate("file://" + path))
	return p
}

// Do acts as a reader.
func (p *Page) Do(actions ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	for _, a := range actions {
		if _, err := chromedp.Run(p.ctx, a); err != nil {
			p.t.Fatal(err)
		}
	}
}

// Ask evaluates an expression.
func Ask[T any](p *Page, expression string) T {
	p.t.Helper()
	got, err := chromedp.Run(p.ctx, chromedp.Evaluate[T](expression))
	if err != nil {
		p.t.Fatalf("%s: %v", expression, err)
	}
	return got
}

// Want evaluates an expression and compares.
func Want[T comparable](p *Page, expression string, want T) {
	p.t.Helper()
	if got := Ask[T](p, expression); got != want {
		p.t.Errorf("%s: %v, want %v", expression, got, want)
	}
}

// Await is Want once the page has done what it does after an event: a link that was
// followed is announced to it later.
func Await[T comparable](p *Page, expression string, want T) {
	p.t.Helper()
	for end := time.Now().Add(10 * time.Second); Ask[T](p, expression) != want && time.Now().Before(end); {
		time.Sleep(5 * time.Millisecond)
	}
	Want(p, expression, want)
}
