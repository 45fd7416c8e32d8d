package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"netcov/internal/jsonsize"
)

// Parse reads the text of a JSON report. It accepts only what the writer of
// reports makes of its own reading: so no key is there twice, unknown or spelled
// in another way, and all readers see the same.
func Parse(data []byte) (*Report, error) {
	if err := jsonsize.Check(data); err != nil {
		return nil, err
	}
	var r Report
	if err := json.Unmarshal(data, &r); err != nil || r.Schema != Schema {
		return nil, unlike(data, err)
	}
	var again bytes.Buffer
	if err := r.WriteJSON(&again); err != nil {
		return nil, err
	}
	if line := firstDifference(plainMarks(data), plainMarks(again.Bytes())); line > 0 {
		return nil, fmt.Errorf("line %d is not as netcov writes reports; give the report as netcov cover wrote it", line)
	}
	return &r, nil
}

// unlike says why a text is no JSON report; err is what the decoder says, or nil.
func unlike(data []byte, err error) error {
	var form struct{ Schema string }
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	line := func(offset int64) int { return 1 + bytes.Count(data[:min(int(offset), len(data))], []byte("\n")) }
	switch {
	case errors.As(err, &syntax) && strings.HasPrefix(string(data), "{") && syntax.Offset >= int64(len(data)):
		return fmt.Errorf("the report ends in line %d, before its end; write it again with netcov cover", line(syntax.Offset))
	case errors.As(err, &syntax):
		return fmt.Errorf("this is no JSON report of the form %s: line %d: %s; give a report that netcov cover has written as JSON", Schema, line(syntax.Offset), syntax.Error())
	case json.Unmarshal(data, &form) == nil && form.Schema != Schema && strings.HasPrefix(form.Schema, "netcov/"):
		return fmt.Errorf("the report has the form %q, and this netcov reads %s; write it again with netcov cover", form.Schema, Schema)
	case errors.As(err, &kind) && kind.Field != "":
		return fmt.Errorf("line %d: %s has a value that does not belong there; give the report as netcov cover wrote it", line(kind.Offset), kind.Field)
	case form.Schema == Schema && err != nil:
		return fmt.Errorf("%w; give the report as netcov cover wrote it", err)
	}
	return fmt.Errorf("this is no JSON report of the form %s; give a report that netcov cover has written as JSON", Schema)
}

// plainMarks spells the replacement character in one way: the writer of a name
// that is no UTF-8 escapes it, the writer of what was read of that does not.
func plainMarks(text []byte) []byte {
	return bytes.ReplaceAll(text, []byte(`\ufffd`), []byte("\ufffd"))
}

// firstDifference returns the first line in which two texts differ, from 1, and
// 0 where they are equal.
func firstDifference(a, b []byte) int {
	if bytes.Equal(a, b) {
		return 0
	}
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return 1 + bytes.Count(a[:n], []byte("\n"))
}
