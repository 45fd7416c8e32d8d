package circuit

import "testing"

func TestConditions(t *testing.T) {
	for _, c := range []struct {
		constrained bool
		sets        int
		want        string
	}{
		{false, 0, ""},
		{false, 1, ", 1 fairness set"},
		{true, 0, ", an invariant constraint"},
		{true, 2, ", an invariant constraint, 2 fairness sets"},
	} {
		if got := Conditions(c.constrained, c.sets); got != c.want {
			t.Errorf("%v, %d: %q, want %q", c.constrained, c.sets, got, c.want)
		}
	}
}
