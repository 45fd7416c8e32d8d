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
		var specs []CTLSpec
		for _, h := range c.holds {
			specs = append(specs, CTLSpec{Outcome: Outcome{Holds: h}})
		}
		got := All(specs)
		if (got == nil) != (c.want == nil) || got != nil && *got != *c.want {
			t.Errorf("%v gives %v, want %v", c.holds, got, c.want)
		}
	}
}
