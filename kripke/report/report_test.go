package report

import "testing"

func TestAll(t *testing.T) {
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
		got := All(c.holds)
		if (got == nil) != (c.want == nil) || got != nil && *got != *c.want {
			t.Errorf("%v gives %v, want %v", c.holds, got, c.want)
		}
	}
}
