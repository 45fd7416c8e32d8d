package coverage

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"netcov/aiger"
	"netcov/cert"
	"netcov/certify"
	"netcov/mutant"
	"netcov/netlist"
)

// The curve never falls, never tells of more than was decided by then, and ends
// with the accuracy of the run.
func TestAccuracyOverTime(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		var ms []*Mutant
		decided := 0
		for range r.IntN(60) {
			m := &Mutant{}
			if r.IntN(4) > 0 {
				m.Verdict = mutant.NotCovered
				m.decided = time.Duration(r.IntN(4)) * time.Duration(r.IntN(1e6)) * time.Nanosecond
				decided++
			}
			ms = append(ms, m)
		}
		var at []time.Duration
		for _, m := range ms {
			if m.Verdict != mutant.Unknown {
				at = append(at, m.decided)
			}
		}
		curve := accuracyOverTime(at, len(ms))
		for i, p := range curve {
			by := 0
			for _, m := range ms {
				if m.Verdict != mutant.Unknown && m.decided.Seconds() <= p.Seconds {
					by++
				}
			}
			if len(ms) > 0 && p.Accuracy > float64(by)/float64(len(ms))+1e-9 {
				t.Fatalf("%v: %d of %d were decided by then", p, by, len(ms))
			}
			if i > 0 && (p.Seconds < curve[i-1].Seconds || p.Accuracy < curve[i-1].Accuracy) {
				t.Fatalf("%v after %v", p, curve[i-1])
			}
		}
		want := 1.0
		if len(ms) > 0 {
			want = float64(decided) / float64(len(ms))
		}
		if last := curve[len(curve)-1]; last.Accuracy != want {
			t.Fatalf("the curve ends at %v, the run at %v", last, want)
		}
	}
}

// A second opinion outlives the budget by the grace, and no longer.
func TestGrace(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	late, end := withGrace(ctx, 300*time.Millisecond)
	defer end()
	cancel()
	if late.Err() != nil {
		t.Fatal("it ended with the budget")
	}
	select {
	case <-late.Done():
	case <-time.After(10 * time.Second):
		t.Fatal("it does not end")
	}
}

// dying is a context that ends after some looks at it.
type dying struct {
	context.Context
	looks int
}

func (d *dying) Err() error {
	if d.looks--; d.looks < 0 {
		return context.Canceled
	}
	return nil
}

// A second opinion that says no ends the run, even when the time for it is over by
// then.
func TestLateNo(t *testing.T) {
	f, err := aiger.Read(strings.NewReader(chain3), "chain", aiger.Options{})
	if err != nil {
		t.Fatal(err)
	}
	none := &cert.Invariant{} // true is no invariant that proves it
	for looks := range 10 {
		n := netlist.FromAIGER(f)
		opt := Options{Opinion: certify.Gophersat}.withDefaults(n)
		q := question{file: f, netlist: n, properties: []int{0}, names: []int{0}}
		for _, x := range opt.Targets {
			q.targets = append(q.targets, target{x, x})
		}
		s := newSession(q, opt)
		var no *certify.Failure
		if !errors.As(s.opinion.checker.Invariant(&dying{context.Background(), looks}, none, nil), &no) {
			continue // the time was over before the answer
		}
		s.stop, s.opinion.late = func() {}, &dying{context.Background(), looks}
		if s.secondOpinion("a test", none, nil) || s.failure == nil {
			t.Fatalf("an answer after %d looks at the clock, the last ones, is lost", looks)
		}
		return
	}
	t.Fatal("no answer came: the test tests nothing")
}

const chain3 = "aag 3 0 3 0 0 1\n2 0\n4 2\n6 4\n6\n"

// A run that is stopped as soon as a test has decided something still reports
// that, with its second opinion.
func TestStoppedRunKeepsItsVerdicts(t *testing.T) {
	randomOracles(t, 9, rounds(t, 100), func(o *oracle) {
		all, _ := o.run(t, Options{Tests: []string{TestSupport}})
		if all == 0 {
			return
		}
		decided, _ := o.run(t, Options{Tests: []string{TestSupport, TestIC3}, StopAt: 1e-6})
		if decided < all {
			t.Fatalf("stopped, it reports %d verdicts, SUPPORT alone has %d", decided, all)
		}
	})
}
