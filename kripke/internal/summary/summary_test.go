package summary

import "testing"

func TestTogether(t *testing.T) {
	yes, no := true, false
	for _, c := range []struct {
		holds []*bool
		want  *bool
	}{
		{nil, nil},
		{[]*bool{&yes, &yes}, &yes},
		{[]*bool{&yes, nil}, nil},
		{[]*bool{nil, &no, &yes}, &no},
	} {
		got := Together(c.holds)
		if (got == nil) != (c.want == nil) || got != nil && *got != *c.want {
			t.Errorf("%v gives %v, want %v", c.holds, got, c.want)
		}
	}
}

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
