package report

import (
	"bufio"
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"io"
)

func init() {
	register(Format{"json", "everything, for programs", func(r *Report, w io.Writer, _ Rendering) error { return r.WriteJSON(w) }})
}

// JSONSchema is the JSON Schema (draft 2020-12) of a report.
//
//go:embed schema.json
var JSONSchema []byte

// WriteJSON writes the report as one indented JSON object. The rows of mutants are
// written one by one, into the place of an empty list.
func (r *Report) WriteJSON(w io.Writer) error {
	frame := *r
	frame.Mutants = []Mutant{}
	text, err := indented("", frame)
	if err != nil {
		return err
	}
	before, after, ok := bytes.Cut(text, []byte("\n \"mutants\": []"))
	if !ok {
		return errors.New("the report has no list of mutants")
	}
	out := bufio.NewWriter(w)
	out.Write(before)
	out.WriteString("\n \"mutants\": [")
	separator, end := "\n  ", ""
	for m := range r.Rows() {
		row, err := indented("  ", m)
		if err != nil {
			return err
		}
		out.WriteString(separator)
		if _, err := out.Write(bytes.TrimSuffix(row, []byte("\n"))); err != nil {
			return err
		}
		separator, end = ",\n  ", "\n "
	}
	out.WriteString(end + "]")
	out.Write(after)
	return out.Flush()
}

// indented is a value as JSON, in lines.
func indented(prefix string, v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetIndent(prefix, " ")
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return b.Bytes(), err
}
