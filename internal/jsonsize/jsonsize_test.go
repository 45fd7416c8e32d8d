package jsonsize

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestCheck(t *testing.T) {
	row := map[string]any{"seconds": 0, "accuracy": 0}
	rows := make([]any, 5000)
	for i := range rows {
		rows[i] = row
	}
	honest, err := json.MarshalIndent(map[string]any{"rows": rows, "name": strings.Repeat(`{"`, 1e5) + `\`}, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	if err := Check(honest); err != nil {
		t.Errorf("honest: %v", err)
	}
	for _, text := range []string{
		`{"rows":[` + strings.Repeat("{},", 5000) + `{}]}`,
		`{"a\"b":[` + strings.Repeat(`{"":0},`, 5000) + `{}]}`,
		strings.Repeat("{", 5000),
	} {
		if Check([]byte(text)) == nil {
			t.Errorf("%.20s… passes", text)
		}
	}
}
