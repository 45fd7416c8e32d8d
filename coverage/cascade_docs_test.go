package coverage

import (
	"os"
	"regexp"
	"slices"
	"testing"
)

// TestCascadeTable: the table of docs/cascade.md has the tests of the program.
func TestCascadeTable(t *testing.T) {
	text, err := os.ReadFile("../docs/cascade.md")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range regexp.MustCompile(`(?m)^\| ([A-Z0-9]+) \|`).FindAllStringSubmatch(string(text), -1) {
		got = append(got, m[1])
	}
	if want := AllTests(); !slices.Equal(slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(want))) {
		t.Errorf("the table has %v, the program %v", got, want)
	}
}
