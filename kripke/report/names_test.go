package report

import (
	"strings"
	"testing"
)

func TestList(t *testing.T) {
	long := strings.Repeat("x", 200)
	for _, c := range []struct {
		names []string
		most  int
		want  string
	}{
		{nil, 3, ""},
		{[]string{"a", "b"}, 2, "a b"},
		{[]string{"a", "b", "c"}, 2, "a b and 1 more"},
		{[]string{"a", "b", "c"}, 0, "a b c"},
		{[]string{"x=1 y=2", "x=2 y=2"}, 5, "x=1 y=2; x=2 y=2"},
		{[]string{long, long}, 5, long + " and 1 more"},
		{[]string{long, long}, 0, long + " " + long},
	} {
		if got := list(c.names, c.most); got != c.want {
			t.Errorf("%v, %d: %q, want %q", c.names, c.most, got, c.want)
		}
	}
}
