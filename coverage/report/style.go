package report

import (
	"regexp"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"netcov/internal/visible"
	"netcov/mutant"
)

// How the text form looks: tables that fit the terminal, and a few colours. Text of a
// design is made visible before it is coloured, so the only escape sequences that reach
// a terminal are those of this file.

// NewTable returns an empty table in the style of all reports.
func NewTable(header ...string) table.Writer {
	t := table.NewWriter()
	s := table.StyleLight
	s.Format.Header = text.FormatDefault
	s.Options.DrawBorder = false
	s.Options.SeparateColumns = false
	t.SetStyle(s)
	t.SuppressTrailingSpaces()
	row := make(table.Row, len(header))
	for i, h := range header {
		row[i] = h
	}
	t.AppendHeader(row)
	return t
}

// grid is a table whose widest columns of words are wrapped until it fits.
type grid struct {
	header []string
	rows   [][]string
	right  map[int]bool // columns of numbers
}

// leastColumn is the width below which no column is wrapped.
const leastColumn = 7

// render lays the table out in at most width columns, as far as that is possible; 0 is
// any width.
func (g *grid) render(width int) string {
	widths := make([]int, len(g.header))
	for _, row := range append([][]string{g.header}, g.rows...) {
		for i, cell := range row {
			widths[i] = max(widths[i], text.StringWidthWithoutEscSequences(cell))
		}
	}
	total := 0
	for _, w := range widths {
		total += w + 2
	}
	limits := make([]int, len(widths))
	for total > width && width > 0 {
		widest := 0
		for i, w := range widths {
			if w > widths[widest] {
				widest = i
			}
		}
		if widths[widest] <= leastColumn {
			break
		}
		widths[widest]--
		total--
		limits[widest] = widths[widest]
	}
	t := NewTable(g.header...)
	var columns []table.ColumnConfig
	for i := range widths {
		c := table.ColumnConfig{Number: i + 1}
		if limits[i] > 0 {
			c.WidthMax, c.WidthMaxEnforcer = limits[i], text.WrapSoft
		}
		if g.right[i] {
			c.Align, c.AlignHeader = text.AlignRight, text.AlignRight
		}
		columns = append(columns, c)
	}
	t.SetColumnConfigs(columns)
	for _, row := range g.rows {
		cells := make(table.Row, len(row))
		for i, cell := range row {
			cells[i] = cell
		}
		t.AppendRow(cells)
	}
	return t.Render() + "\n"
}

// The colours, as a terminal takes them.
const (
	bold   = "\x1b[1m"
	red    = "\x1b[31m"
	green  = "\x1b[32m"
	yellow = "\x1b[33m"
	plain  = "\x1b[0m"
)

var ownSequence = regexp.MustCompile(`\x1b\[(0|1|31|32|33)m`)

// page is a text form that is being written.
type page struct {
	strings.Builder
	opt Rendering
}

// paint colours a text where colours are wanted.
func (p *page) paint(colour, s string) string {
	if !p.opt.Colour || s == "" {
		return s
	}
	return colour + s + plain
}

// paintVerdict colours a verdict, or what is said of a register, as the table shows it.
func (p *page) paintVerdict(s string) string {
	switch s {
	case word(mutant.NotCovered), unchecked.String():
		return p.paint(red, s)
	case word(mutant.Unknown), undecided.String(), inPart.String():
		return p.paint(yellow, s)
	case word(mutant.Covered), checked.String():
		return p.paint(green, s)
	}
	return s
}

// sentence writes a line, wrapped to the terminal with the continuation indented.
func (p *page) sentence(s string) { p.led("", "", s) }

// led writes a line that begins with a coloured lead.
func (p *page) led(colour, lead, s string) {
	s = lead + s
	if p.opt.Width > 0 {
		s = strings.ReplaceAll(text.WrapSoft(s, max(leastColumn, p.opt.Width-2)), "\n", "\n  ")
	}
	if rest, ok := strings.CutPrefix(s, lead); ok && colour != "" {
		s = p.paint(colour, lead) + rest
	}
	for line := range strings.SplitSeq(s, "\n") {
		p.WriteString(strings.TrimRight(line, " ") + "\n")
	}
}

// finished is the page with what would act on a terminal escaped, but for the page's own
// colours.
func (p *page) finished() string {
	all := p.String()
	if !p.opt.Colour {
		return visible.Text(all)
	}
	var out strings.Builder
	at := 0
	for _, m := range ownSequence.FindAllStringIndex(all, -1) {
		out.WriteString(visible.Text(all[at:m[0]]) + all[m[0]:m[1]])
		at = m[1]
	}
	out.WriteString(visible.Text(all[at:]))
	return out.String()
}

// bar draws a share as ten blocks.
func bar(share float64) string {
	n := min(10, max(0, int(share*10+0.5)))
	if share < 1 {
		n = min(n, 9)
	}
	return strings.Repeat("█", n) + strings.Repeat("░", 10-n)
}
