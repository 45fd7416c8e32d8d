package report

import (
	"strings"
	"testing"
)

// TestStoppedBefore: a run that ends before the states are listed tells of none.
func TestStoppedBefore(t *testing.T) {
	var b strings.Builder
	if err := (&Report{Stopped: "the time limit was reached"}).WriteText(&b, 0); err != nil {
		t.Fatal(err)
	}
	if b.String() != "not decided\nstopped: the time limit was reached\n" {
		t.Error(b.String())
	}
}
