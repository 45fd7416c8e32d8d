package coverage

import (
	"testing"
	"time"
)

// The time of a proof is the smaller one of what its properties have and what is left.
func TestProofTime(t *testing.T) {
	for _, c := range []struct {
		timeout, budget, spent time.Duration
		properties             int
		want                   time.Duration
	}{
		{0, 0, time.Hour, 5, 0},
		{time.Second, 0, time.Hour, 5, 5 * time.Second},
		{0, time.Minute, 0, 5, time.Minute},
		{time.Second, time.Minute, 0, 5, 5 * time.Second},
		{time.Second, time.Minute, 0, 500, time.Minute},
		{time.Second, time.Minute, 58 * time.Second, 5, 2 * time.Second},
		{time.Second, time.Minute, time.Hour, 5, 1}, // never 0, which is no limit
		{0, time.Minute, time.Minute, 1, 1},
	} {
		o := Options{Timeout: c.timeout, ProofBudget: c.budget}
		o.SpendProof(c.spent)
		if got := o.ProofTime(c.properties); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}
