package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"netcov/coverage/report"
)

func isTerminal(w io.Writer) bool {
	f, ok := onFile(w)
	return ok && term.IsTerminal(int(f.Fd()))
}

// onFile is the file that a writer writes to.
func onFile(w io.Writer) (*os.File, bool) {
	if c, ok := w.(*checkedWriter); ok {
		w = c.w
	}
	f, ok := w.(*os.File)
	return f, ok
}

// terminal tells how wide the terminal is that a writer writes to, 0 where there is
// none, and whether it is to show colours: see https://no-color.org.
func terminal(w io.Writer) (width int, colour bool) {
	if !isTerminal(w) {
		return 0, false
	}
	f, _ := onFile(w)
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		width = 0
	}
	return width, os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

// howToExplain returns the command that tells more about the register of a
// node of this run's design.
func (f *coverFlags) howToExplain(c *cobra.Command, paths []string) func(report.Node) string {
	words := []string{"netcov", "explain"}
	own := pflag.NewFlagSet("", pflag.ContinueOnError)
	new(netlistFlags).add(own)
	c.Flags().Visit(func(g *pflag.Flag) {
		if own.Lookup(g.Name) == nil && g.Name != "property" {
			return
		}
		values := []string{g.Value.String()}
		if list, ok := g.Value.(pflag.SliceValue); ok {
			values = list.GetSlice()
		}
		for _, v := range values {
			words = append(words, quoted("--"+g.Name+"="+v))
		}
	})
	for _, p := range paths {
		words = append(words, quoted(p))
	}
	return func(n report.Node) string {
		if n.Kind != "latch" {
			return ""
		}
		register := cmp.Or(n.Register, n.Name, fmt.Sprintf("latch:%d", n.Index))
		return strings.Join(append(words, quoted(register)), " ")
	}
}

// quoted is a word as a shell takes it.
func quoted(s string) string {
	const safe = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=:,./@%"
	if s != "" && strings.Trim(s, safe) == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
