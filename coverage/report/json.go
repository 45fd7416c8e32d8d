package report

import (
	_ "embed"
	"encoding/json"
	"io"
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
