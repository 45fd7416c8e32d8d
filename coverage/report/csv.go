package report

import (
	"encoding/csv"
	"io"
	"slices"
	"strconv"
	"strings"

	"netcov/internal/visible"
)

// The CSV form: RFC 4180, a row a mutant after a header row. Names come from the
// design, and spreadsheets run what looks like a formula, so that each text cell
// goes through cell.

func init() {
	register(Format{"csv", "a row a mutant, for spreadsheets", func(r *Report, w io.Writer, _ Rendering) error { return r.WriteCSV(w) }})
}

var csvHeader = []string{"kind", "index", "literal", "name", "fault", "property", "verdict", "test", "depth", "seconds", "reason", "counted"}

// WriteCSV writes a row a mutant, after a header row.
func (r *Report) WriteCSV(w io.Writer) error {
	c := csv.NewWriter(w)
	header := slices.Clone(csvHeader)
	for _, s := range sections {
		if s.columns != nil {
			header = append(header, s.columns(r)...)
		}
	}
	if err := c.Write(header); err != nil {
		return err
	}
	for m := range r.Rows() {
		depth := ""
		if m.Depth != nil {
			depth = strconv.Itoa(*m.Depth)
		}
		property := ""
		if m.Property != nil {
			property = strconv.Itoa(*m.Property)
		}
		row := []string{
			m.Node.Kind, strconv.Itoa(m.Node.Index), strconv.FormatUint(uint64(m.Node.Literal), 10), cell(m.Node.Name),
			m.Fault, property, m.Verdict.String(), m.Test, depth, strconv.FormatFloat(m.Seconds, 'f', 6, 64), m.Reason, r.counted(m),
		}
		for _, s := range sections {
			if s.cells != nil {
				row = append(row, s.cells(&m)...)
			}
		}
		if err := c.Write(row); err != nil {
			return err
		}
	}
	c.Flush()
	return c.Error()
}

// counted says whether a mutant is in the counts, and else why it is not.
func (r *Report) counted(m Mutant) string {
	switch {
	case m.Waiver != nil:
		return waived
	case r.StandsApart(m.Node):
		return CheckersApart
	}
	return "yes"
}

// formulaStarts are the characters with which a spreadsheet takes a cell for a
// formula, as some do in their wide forms. Tabs and line ends are escaped before.
const formulaStarts = "=+-@＝＋－＠"

// cell is a text as a CSV cell: characters that do not print are escape sequences
// of Go's, and what a spreadsheet could take for a formula, blanks before it or
// not, begins with an apostrophe.
func cell(s string) string {
	s = visible.Line(s)
	if t := strings.TrimLeft(s, " "); t != "" && strings.ContainsRune(formulaStarts, []rune(t)[0]) {
		return "'" + s
	}
	return s
}
