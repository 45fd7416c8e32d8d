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

// Each has a share of the time for all, of what those before it have left.
func TestShareProof(t *testing.T) {
	o := Options{ProofBudget: 10 * time.Second}
	if got := o.ShareProof(3, 4).ProofBudget; got != 7500*time.Millisecond {
		t.Errorf("three of four have %v", got)
	}
	o.SpendProof(2 * time.Second)
	if got := o.ShareProof(1, 1).ProofBudget; got != 8*time.Second {
		t.Errorf("the last one has %v", got)
	}
	if got := (Options{ProofBudget: 1}).ShareProof(1, 3).ProofBudget; got != 1 {
		t.Errorf("a share of next to nothing is %v", got)
	}
	if got := (Options{}).ShareProof(1, 3).ProofBudget; got != 0 {
		t.Errorf("a share of no limit is %v", got)
	}
}
