package coverage

import (
	"testing"
	"time"
)

// TestWaysToWork: the way that settled more lately is taken, and the other one is tried.
func TestWaysToWork(t *testing.T) {
	r := &singles{}
	if !r.proofs() {
		t.Error("a long run comes first")
	}
	r.long.add(yield{time.Second, 5})
	if r.proofs() {
		t.Error("short slices are tried, too")
	}
	r.short.add(yield{time.Second, 1})
	if !r.proofs() {
		t.Error("long runs settled more")
	}
	for range 100 {
		r.long.add(yield{time.Second, 0})
	}
	r.short.add(yield{100 * time.Second, 100})
	if r.proofs() {
		t.Error("long runs have settled nothing lately")
	}
	r.short.add(yield{2000 * time.Second, 0})
	if !r.proofs() {
		t.Error("long runs are tried again")
	}
}

// TestLongSlices: a long slice is a few proofs of the design, within bounds.
func TestLongSlices(t *testing.T) {
	for _, c := range []struct{ proof, budget, slice, want time.Duration }{
		{time.Millisecond, 0, firstSlice, firstSlice},
		{time.Second, 0, firstSlice, 3 * time.Second},
		{time.Minute, 0, firstSlice, proofMost},
		{time.Minute, 0, 9 * firstSlice, 9 * proofMost},
		{time.Second, 10 * time.Second, firstSlice, time.Second},
		{time.Second, 10 * time.Millisecond, firstSlice, firstSlice},
	} {
		s := &session{budget: c.budget, proof: &Answer{Time: c.proof}}
		if got := s.longSliceOf(c.slice); got != c.want {
			t.Errorf("a proof of %v, a budget of %v, a slice of %v: %v, want %v", c.proof, c.budget, c.slice, got, c.want)
		}
	}
}
