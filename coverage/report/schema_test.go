package report

import (
	"encoding/json"
	"slices"
	"testing"

	"netcov/mutant"
)

// The schema lists the faults of the table.
func TestSchemaListsFaults(t *testing.T) {
	var schema struct {
		Defs struct {
			Fault struct{ Enum []string }
		} `json:"$defs"`
	}
	if err := json.Unmarshal(JSONSchema, &schema); err != nil {
		t.Fatal(err)
	}
	if got, want := schema.Defs.Fault.Enum, mutant.Words(mutant.Faults()); !slices.Equal(got, want) {
		t.Errorf("the schema has the faults %v, the table %v", got, want)
	}
}
