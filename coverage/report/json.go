package report

import (
	_ "embed"
	"encoding/csv"
	"encoding/json"
	"io"
	"strconv"
)

// JSONSchema is the JSON Schema (draft 2020-12) of a report.
//
//go:embed schema.json
var JSONSchema []byte

// WriteJSON writes the report as one indented JSON object.
func (r *Report) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", " ")
	e.SetEscapeHTML(false)
	return e.Encode(r)
}

// WriteCSV writes a row a mutant, after a header row.
func (r *Report) WriteCSV(w io.Writer) error {
	c := csv.NewWriter(w)
	if err := c.Write([]string{"kind", "index", "literal", "name", "fault", "property", "verdict", "test", "depth", "seconds", "note"}); err != nil {
		return err
	}
	for _, m := range r.Mutants {
		depth := ""
		if m.Depth != nil {
			depth = strconv.Itoa(*m.Depth)
		}
		row := []string{
			m.Node.Kind, strconv.Itoa(m.Node.Index), strconv.FormatUint(uint64(m.Node.Literal), 10), m.Node.Name,
			m.Fault, strconv.Itoa(m.Property), m.Verdict, m.Test, depth, strconv.FormatFloat(m.Seconds, 'f', 6, 64), m.Note,
		}
		if err := c.Write(row); err != nil {
			return err
		}
	}
	c.Flush()
	return c.Error()
}
