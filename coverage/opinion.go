package coverage

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"netcov/cert"
	"netcov/certify"
	"netcov/internal/memlimit"
	"netcov/mutant"
)

// ErrRecheck is in the chain of the error of a run whose second opinion
// contradicted the first: a bug in netcov, never a verdict.
var ErrRecheck = errors.New("the second opinion contradicts a verdict; this is a bug in netcov")

// opinion asks certify, which shares no code with the engines, about all that the
// tests find: traces are replayed, invariants checked. Verdicts that rest on the
// shared invariant wait here as claims: one query does for several tests.
type opinion struct {
	checker *certify.Checker
	names   []int // of the checker's properties
	off     bool  // no second opinion is asked for
	mux     mutant.Mux
	memory  int64 // Options.MemoryLimit
	// late ends a while after the run's budget and its interruptions: what is
	// found by then still gets its opinion. See withGrace.
	late       context.Context
	confirmed  bool       // the shared invariant has been accepted for the design
	confirming sync.Mutex // one at a time takes claims up

	mu     sync.Mutex
	claims []claim
	time   time.Duration // spent
}

// claim is a set of mutants that one test found not covered by an invariant.
type claim struct {
	test string
	inv  *cert.Invariant // nil: the shared one, as it is when the opinion is asked
	ms   []*Mutant
}

// claim takes a claim down, and returns how many wait.
func (o *opinion) claim(c claim) int {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.claims = append(o.claims, c)
	return len(o.claims)
}

// take takes the claims away: those that rest on the shared invariant, and the others.
func (o *opinion) take() (shared, own []claim) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, c := range o.claims {
		if c.inv == nil {
			shared = append(shared, c)
		} else {
			own = append(own, c)
		}
	}
	o.claims = nil
	return shared, own
}

// family asks whether each claim's invariant serves its mutants; see invariant.
func (o *opinion) family(ctx context.Context, claims []claim) (bool, error) {
	defer o.stopwatch()()
	ctx, end := memlimit.Watch(ctx, o.memory)
	defer end()
	family := make([]certify.Member, len(claims))
	for i, c := range claims {
		family[i] = certify.Member{Invariant: c.inv, Mutants: o.widest(c.ms)}
	}
	err := o.checker.Invariants(ctx, family)
	if refuted(ctx, err) {
		return false, fmt.Errorf("%w: %s: %w", ErrRecheck, claims[0].test, err)
	}
	return err == nil, nil
}

func newOpinion(q question, opt Options) *opinion {
	o := &opinion{checker: opt.Checker, names: q.names, off: opt.NoRecheck, mux: opt.Mux, memory: opt.MemoryLimit}
	if o.checker == nil {
		o.checker = certify.NewChecker(q.file, q.properties...)
	}
	o.checker.Solver = opt.Opinion
	return o
}

// asked reports whether a second opinion is wanted.
func (o *opinion) asked() bool { return !o.off }

// stopwatch adds the time until the call of the function returned.
func (o *opinion) stopwatch() func() {
	begin := time.Now()
	return func() {
		o.mu.Lock()
		defer o.mu.Unlock()
		o.time += time.Since(begin)
	}
}

// traces replays the traces of covered mutants, and notes the property that fails
// at the end of each.
func (o *opinion) traces(test string, hits []hit) error {
	for i := range hits {
		hits[i].property = o.names[0]
	}
	if !o.asked() && len(o.names) == 1 || len(hits) == 0 {
		return nil
	}
	defer o.stopwatch()()
	ts, ms := make([]*cert.Trace, len(hits)), make([]certify.Mutation, len(hits))
	for i, h := range hits {
		ts[i], ms[i] = h.trace, o.mutation(h.m)
	}
	failing, at, err := o.checker.Traces(ts, ms)
	if err != nil {
		return fmt.Errorf("%w: %s: %s: %w", ErrRecheck, test, hits[at].m, err)
	}
	for i, p := range failing {
		hits[i].property = o.names[p]
	}
	return nil
}

// invariant asks whether the invariant serves all the mutants; with an empty list,
// the design. Without an error, false means that the time was over before the
// answer; an error means no.
func (o *opinion) invariant(ctx context.Context, test string, inv *cert.Invariant, list []*Mutant) (bool, error) {
	if !o.asked() {
		return true, nil
	}
	defer o.stopwatch()()
	ctx, end := memlimit.Watch(ctx, o.memory)
	defer end()
	err := o.checker.Invariant(ctx, inv, o.widest(list))
	if refuted(ctx, err) {
		return false, fmt.Errorf("%w: %s: %w", ErrRecheck, test, err)
	}
	return err == nil, nil
}

// refuted reports whether a second opinion said no: an error that is not due to
// the end of the context.
func refuted(ctx context.Context, err error) bool {
	var no *certify.Failure
	return errors.As(err, &no) || err != nil && ctx.Err() == nil
}

// widest leaves out stuck-at mutants whose node's nondet mutant is in the list:
// what holds of that holds of them.
func (o *opinion) widest(list []*Mutant) []certify.Mutation {
	free := make(map[int]bool, len(list))
	for _, m := range list {
		if m.free() {
			free[m.cut] = true
		}
	}
	var out []certify.Mutation
	for _, m := range list {
		if m.free() || m.cut < 0 || !free[m.cut] {
			out = append(out, o.mutation(m))
		}
	}
	return out
}

func (o *opinion) mutation(m *Mutant) certify.Mutation {
	return certify.Mutation{Gate: m.part.Gate, Index: m.part.Index, Fault: m.Fault, Mux: o.mux}
}

// When the budget ends, or the run is interrupted, what a test has decided still
// gets its second opinion, within this time: a share of the budget, and at least
// the minimum.
const (
	graceMinimum = 80 * time.Millisecond
	graceShare   = 0.04
)

// grace is the time for second opinions after a budget.
func grace(budget time.Duration) time.Duration {
	return max(graceMinimum, time.Duration(graceShare*float64(budget)))
}

// withGrace returns a context that ends a while after ctx.
func withGrace(ctx context.Context, grace time.Duration) (context.Context, context.CancelFunc) {
	late, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		select {
		case <-time.After(grace):
			cancel()
		case <-late.Done():
		}
	})
	return late, func() {
		stop()
		cancel()
	}
}
