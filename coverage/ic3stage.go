package coverage

import (
	"context"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"netcov/cert"
	"netcov/explore"
	"netcov/ic3"
	"netcov/internal/clock"
	"netcov/internal/memlimit"
	"netcov/interp"
	"netcov/netlist"
	"netcov/proof"
	"netcov/propset"
)

// TestIC3 is the name of this test.
const TestIC3 = "IC3"

// Model checking of single mutants, for what no cheaper test decides: IC3 seeded
// with all known clauses, in turn with deeper bounded search. All of them get
// slices of growing length, so that a hard mutant holds no easy one up, and all
// can be taken up again.

const (
	firstSlice  = 10 * time.Millisecond
	sliceGrowth = 3
	gateSlice   = 3 // where gates are mutated: times the proof of the design
	longSlice   = 80 * time.Millisecond
	subsetShare = 10 // a round's time over that for the subsets of the clauses it found
	// keepFew is the number of open mutants up to which unfinished searches
	// beside IC3 are kept, and keepUnrolled the number of nodes of their models together; with
	// more, memory counts more than their progress.
	keepFew      = 100
	keepUnrolled = 1 << 18
	// keepNodes bounds the engines of IC3 that are kept between slices, by the nodes of
	// their models together: some 30 bytes each at first, and more as they learn.
	keepNodes = 1 << 22
)

// singles is what IC3 and bounded search have settled so far in runs on single mutants:
// what says how they share the time of later ones.
type singles struct {
	mu           sync.Mutex
	ic3, bounded yield
	explored     yield
	long, short  arm
}

// single does some work on one mutant and adds what it settled to a yield. Where gates are
// mutated, all that its trace or invariant settles counts.
func (s *session) single(to *yield, work func()) {
	y := s.measure(work)
	r := &s.singles
	r.mu.Lock()
	defer r.mu.Unlock()
	if !s.gates() {
		y.settled = min(y.settled, 1)
		to.add(y)
		return
	}
	to.add(y)
	fade(&r.ic3, &r.bounded, &r.explored)
}

// pace is the time for bounded search over that for IC3.
func (r *singles) pace() float64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return pace(r.bounded, r.ic3, leastBounded, mostBounded)
}

// exploration reports whether a mutant may be explored for some time: as long as that
// settles more than IC3 in the same time, and for the least share of it.
func (r *singles) exploration(each time.Duration, least float64) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return due(r.explored, r.ic3, least, mostExplored) >= each
}

// attempt is the state of the work on one mutant.
type attempt struct {
	m        *Mutant
	model    *netlist.Model
	engine   *ic3.Engine
	set      *propset.Run    // of several properties: half of the time
	bounded  *interp.Bounded // in short slices, and in every other long one
	checker  *interp.Checker // in the long slices between
	search   *explore.Search
	turns    int
	explored int  // times
	long     bool // the slice is long enough for a proof
}

// runIC3 decides the open mutants.
func runIC3(ctx context.Context, s *session) { s.prove(ctx, s.ledger.inside()) }

// spareIC3 is what IC3 does after the memory limit was reached: each open mutant
// gets an engine of its own, and one whose engine reaches the limit alone stays
// unknown.
func spareIC3(ctx context.Context, s *session) {
	for _, m := range s.ledger.inside() {
		s.release()
		if ctx.Err() != nil {
			return
		}
		watched, end := memlimit.Watch(ctx, s.opt.MemoryLimit)
		s.prove(watched, []*Mutant{m})
		end()
	}
}

// prove decides the open mutants one by one. The free mutant of a register comes before its
// stuck-at mutants, since its invariant is theirs too. Where gates are mutated, what one run
// finds serves hundreds of others: neighbours stand apart, and the first slices are as long as
// the proof of the design.
func (s *session) prove(ctx context.Context, ms []*Mutant) {
	slice := firstSlice
	if s.gates() {
		ms, slice = alternating(ms), max(slice, gateSlice*s.proof.Time)
	} else {
		ms = freeFirst(ms)
	}
	var queue []*attempt
	for _, m := range ms {
		queue = append(queue, &attempt{m: m})
	}
	known := s.stock.pool.size()
	size := s.stock.model.Graph.Size()
	few, most := keepFew, max(keepFew, keepNodes/size)
	if s.gates() {
		few = min(few, keepUnrolled/size)
	}
	for ; len(queue) > 0 && ctx.Err() == nil; slice *= sliceGrowth {
		begin := time.Now()
		s.parallel(ctx, queue, func(a *attempt) {
			if !s.ledger.isOpen(a.m) {
				return
			}
			s.takeTurn(ctx, a, slice)
			if len(queue) > few || !s.ledger.isOpen(a.m) {
				a.bounded, a.checker, a.search = nil, nil, nil
			}
			if len(queue) > most || !s.ledger.isOpen(a.m) {
				a.engine, a.model = nil, nil
			}
		})
		if n := s.stock.pool.size(); n > known {
			known = n
			limited, cancel := clock.Limit(ctx, time.Since(begin)/subsetShare)
			s.subsets(limited, TestIC3)
			cancel()
		}
		queue = slices.DeleteFunc(queue, func(a *attempt) bool { return !s.ledger.isOpen(a.m) })
	}
}

// alternating orders mutants: neighbours stand apart, and free mutants take turns with
// stuck-at ones.
func alternating(ms []*Mutant) []*Mutant {
	list := spreadOut(ms)
	first := slices.IndexFunc(list, (*Mutant).free)
	if first < 0 {
		return list
	}
	stuck, free := list[:first], list[first:]
	out := make([]*Mutant, 0, len(list))
	for len(stuck)+len(free) > 0 {
		if len(free) > 0 {
			out, free = append(out, free[0]), free[1:]
		}
		if len(stuck) > 0 {
			out, stuck = append(out, stuck[0]), stuck[1:]
		}
	}
	return out
}

// parallel does the work on all attempts, by as many workers as there are jobs.
func (s *session) parallel(ctx context.Context, queue []*attempt, work func(*attempt)) {
	if s.opt.Jobs == 1 {
		for _, a := range queue {
			if ctx.Err() != nil {
				return
			}
			work(a)
		}
		return
	}
	var workers errgroup.Group
	workers.SetLimit(s.opt.Jobs)
	for _, a := range queue {
		workers.Go(func() error {
			if ctx.Err() == nil {
				work(a)
			}
			return nil
		})
	}
	_ = workers.Wait() // no worker returns an error
}

// attempt spends one slice on a mutant.
func (s *session) attempt(ctx context.Context, a *attempt, slice time.Duration) {
	defer s.ledger.work(a.m)()
	if len(s.properties) > 1 {
		slice /= 2
		if s.attemptSet(ctx, a, slice); !s.ledger.isOpen(a.m) {
			return
		}
	}
	if s.exploreInTurn(ctx, a, slice) {
		return
	}
	if s.single(&s.singles.ic3, func() { s.runIC3On(ctx, a, slice) }); !s.ledger.isOpen(a.m) || ctx.Err() != nil {
		return
	}
	if a.turns++; slice < longSlice || a.turns%2 == 1 {
		s.single(&s.singles.bounded, func() {
			s.searchDeeper(ctx, a, time.Duration(s.singles.pace()*float64(slice)))
		})
		return
	}
	s.interpolate(ctx, a, slice/2)
}

// runIC3On spends a slice of IC3 on a mutant.
func (s *session) runIC3On(ctx context.Context, a *attempt, slice time.Duration) {
	if a.engine == nil {
		a.model = s.stock.model.Mutant(a.m.cut, a.m.force)
		a.engine = ic3.New(a.model, s.seeds(ctx, a, slice))
	}
	r := a.engine.Run(ctx, ic3.Budget{Time: slice})
	switch {
	case r.Err != nil:
		s.fail(r.Err)
	case r.Status == cert.Holds:
		s.provedBy(ctx, a, r.Invariant, a.engine.Minimise)
	case r.Status == cert.Fails:
		s.refutedBy(ctx, TestIC3, a.m, r.Trace)
	default:
		s.ledger.bound(a.m, r.Depth)
	}
}

// seeds are the options of a run that begins with what is known of a mutant.
func (s *session) seeds(ctx context.Context, a *attempt, slice time.Duration) ic3.Options {
	if a.long {
		if known, rest, ok := s.lemmas(ctx, a.m, a.model, slice); ok {
			opt := s.probes().ic3(rest)
			opt.Known = known
			return opt
		}
	}
	return s.probes().ic3(s.stock.pool.all())
}

// attemptSet spends one slice on a mutant of several properties, with the engines for
// sets in turn.
func (s *session) attemptSet(ctx context.Context, a *attempt, slice time.Duration) {
	if a.set == nil {
		if a.set = s.newRun(ctx, a.m); a.set == nil {
			return
		}
	}
	r, err := a.set.Round(ctx, slice/propset.Shares)
	switch {
	case err != nil:
		s.fail(err)
	case r == nil:
		s.ledger.bound(a.m, a.set.Bound())
	case r.Trace != nil:
		s.refutedBy(ctx, TestIC3, a.m, r.Trace)
	default:
		s.exclude(TestIC3, r.Invariant, []*Mutant{a.m})
	}
}

// interpolate spends a slice on interpolation, which searches deeper on the way.
func (s *session) interpolate(ctx context.Context, a *attempt, slice time.Duration) {
	if a.checker == nil {
		a.checker = interp.NewChecker(a.model, s.probes().interp())
	}
	limited, cancel := clock.Limit(ctx, slice)
	defer cancel()
	r, err := a.checker.Run(limited)
	switch {
	case err != nil:
		s.fail(err)
	case r.Status == cert.Holds:
		s.provedBy(ctx, a, r.Invariant, func(ctx context.Context) (*cert.Invariant, bool) {
			return ic3.Minimise(ctx, a.model, r.Invariant, s.probes().ic3(nil))
		})
	case r.Status == cert.Fails:
		s.refutedBy(ctx, TestIC3, a.m, r.Trace)
	default:
		s.ledger.bound(a.m, r.Bound)
	}
}

// searchDeeper spends a slice on bounded search.
func (s *session) searchDeeper(ctx context.Context, a *attempt, slice time.Duration) {
	if a.bounded == nil {
		a.bounded = interp.NewBounded(a.model, proof.NewCDCL(s.probes().bounded()))
	}
	limited, cancel := clock.Limit(ctx, slice)
	defer cancel()
	for limited.Err() == nil {
		t, err := a.bounded.Extend(limited, a.bounded.Bound()+1)
		if t != nil {
			s.refutedBy(ctx, TestIC3, a.m, t)
			return
		}
		if err != nil && limited.Err() == nil {
			s.fail(err)
			return
		}
		s.ledger.bound(a.m, a.bounded.Bound())
		s.opt.Effort.Of(EngineBMC).Frame(a.bounded.Bound())
		if a.bounded.Exhausted() {
			return
		}
	}
}

// provedBy settles a mutant by an invariant and, where others are open, all that
// the invariant made smaller serves.
func (s *session) provedBy(ctx context.Context, a *attempt, inv *cert.Invariant, smaller func(context.Context) (*cert.Invariant, bool)) {
	var others []*Mutant
	for _, m := range s.ledger.inside() {
		if m != a.m && !(a.m.free() && m.cut == a.m.cut) {
			others = append(others, m)
		}
	}
	kept := []*Mutant{a.m}
	if len(others) > 0 {
		inv, _ = smaller(ctx)
		s.stock.pool.add(inv)
		kept = append(kept, s.keeping(ctx, inv, others)...)
	}
	s.exclude(TestIC3, inv, kept)
}

// refutedBy settles a mutant by a trace, and tries the trace on all others.
func (s *session) refutedBy(ctx context.Context, test string, m *Mutant, t *cert.Trace) {
	s.cover(test, m, t)
	s.tryTrace(ctx, test, t)
}
