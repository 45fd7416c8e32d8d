package alloctest

import "testing"

type recorder struct {
	testing.TB
	failed bool
}

func (r *recorder) Helper()               {}
func (r *recorder) Errorf(string, ...any) { r.failed = true }

var sink []byte

func TestCheck(t *testing.T) {
	for _, c := range []struct {
		size int
		want bool
	}{{100, false}, {free, false}, {2*free + 1000, true}} {
		r := &recorder{TB: t}
		Check(r, 1000, 1, func() { sink = make([]byte, c.size) })
		if r.failed != c.want {
			t.Errorf("%d bytes: failed %v", c.size, r.failed)
		}
	}
}
