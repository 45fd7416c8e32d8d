package report

import (
	"bytes"
	"encoding/json"
	"fmt"

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
		return nil, fmt.Errorf("this is no JSON report of the form %s", Schema)
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
