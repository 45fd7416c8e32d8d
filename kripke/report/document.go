package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// A document is a report as a reader sees it: headings, lines and tables. Text and HTML
// are two forms of one document, so that they tell the same.
type document struct {
	blocks []block
	open   strings.Builder // lines that are not yet a block
}

// block is a heading, some lines, or a table.
type block struct {
	Heading string // empty for the others
	Level   int    // of a heading, 1 or 2
	Lines   string
	Table   *grid
}

// Write adds to the lines; it never fails.
func (d *document) Write(p []byte) (int, error) { return d.open.Write(p) }

// WriteString adds to the lines; it never fails.
func (d *document) WriteString(s string) (int, error) { return d.open.WriteString(s) }

// heading begins a part after an empty line.
func (d *document) heading(level int, format string, args ...any) {
	d.close()
	d.blocks = append(d.blocks, block{Heading: fmt.Sprintf(format, args...), Level: level})
}

// table adds a table.
func (d *document) table(g *grid) {
	d.close()
	d.blocks = append(d.blocks, block{Table: g})
}

// close makes a block of the lines.
func (d *document) close() {
	if d.open.Len() > 0 {
		d.blocks = append(d.blocks, block{Lines: d.open.String()})
		d.open.Reset()
	}
}

// writeText writes the document for a terminal.
func (d *document) writeText(w io.Writer) error {
	d.close()
	for _, b := range d.blocks {
		words := b.Lines
		switch {
		case b.Table != nil:
			words = b.Table.text() + "\n"
		case b.Heading != "":
			words = "\n" + b.Heading + "\n"
		}
		if _, err := io.WriteString(w, words); err != nil {
			return err
		}
	}
	return nil
}

// grid is a table: a header, rows, and a line below them, nil for none.
type grid struct {
	Header, Footer table.Row
	Rows           []table.Row
	right          []int // columns, from 1, that are flush right
}

// newTable makes a table with the given header, the numbered columns (from 1) flush
// right.
func newTable(header table.Row, right ...int) *grid { return &grid{Header: header, right: right} }

func (g *grid) add(row table.Row) { g.Rows = append(g.Rows, row) }

// sources adds a column with what source says of each row, where it says anything.
func (g *grid) sources(source func(row int) string) {
	known := false
	for i := range g.Rows {
		known = known || source(i) != ""
	}
	if !known {
		return
	}
	g.Header = append(g.Header, "source")
	for i := range g.Rows {
		g.Rows[i] = append(g.Rows[i], source(i))
	}
}

// text draws the table with lines of characters.
func (g *grid) text() string {
	t := table.NewWriter()
	t.SetStyle(table.StyleLight)
	t.Style().Format.Header, t.Style().Format.Footer = text.FormatDefault, text.FormatDefault
	t.AppendHeader(g.Header)
	t.AppendRows(g.Rows)
	if g.Footer != nil {
		t.AppendFooter(g.Footer)
	}
	configs := []table.ColumnConfig{{Name: uncoveredStates, WidthMax: 60}}
	for _, n := range g.right {
		configs = append(configs, table.ColumnConfig{Number: n, Align: text.AlignRight})
	}
	t.SetColumnConfigs(configs)
	return t.Render()
}
