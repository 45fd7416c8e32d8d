package report

import (
	"strings"
	"testing"
)

// TestSimulationStoppedBefore: a run that ends before the states are listed tells of none.
func TestSimulationStoppedBefore(t *testing.T) {
	var b strings.Builder
	if err := WriteText(&b, &Simulation{Tail: Tail{Stopped: "the time limit was reached"}}, 0); err != nil {
		t.Fatal(err)
	}
	if b.String() != "not decided\nstopped: the time limit was reached\n" {
		t.Error(b.String())
	}
}
