package coverage

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"netcov/aiger"
	"netcov/cert"
	"netcov/internal/clock"
	"netcov/internal/memlimit"
	"netcov/netlist"
	"netcov/propset"
)

// Result is all that a run found out about a property, or about several as one.
type Result struct {
	Properties []int // positions among the netlist's properties
	Proof      *Answer
	// Mutants is empty unless the properties hold on the original. Those that an
	// earlier question covered are not among them, nor those outside of the cone of
	// several properties.
	Mutants []*Mutant
	// Tests are the tests that ran, in order, and what each settled.
	Tests []TestResult
	// Cover is the time of the coverage tests, Recheck the share of it that the
	// second opinion took.
	Cover, Recheck time.Duration
	// Stopped says why mutants are left undecided: "", "budget", "accuracy",
	// "memory", "interrupted", or "tests" when those asked for decide no more.
	Stopped string
	// JournalErr says why the journal is not complete, if it is not. The rest of
	// the result stands.
	JournalErr error

	in *excerpt // what the proof's invariant speaks of
}

// Invariant returns the invariant that proves the properties as one of the design; the
// same for the same.
func (r *Result) Invariant() *cert.Invariant { return r.in.invariant(r.Proof.Invariant) }

// TestResult is what one test settled.
type TestResult struct {
	Name string
	TestStats
}

// Run model checks a property of the original and then decides its mutants. The
// file is what the netlist was built from; the second opinion reads it anew.
//
// When ctx ends, what is decided so far is returned, without an error. An error
// wraps ErrRecheck, or says why the property can not be treated.
func Run(ctx context.Context, f *aiger.File, n *netlist.Netlist, property int, opt Options) (*Result, error) {
	opt = opt.withDefaults(n)
	if err := cmp.Or(CheckTests(opt.Tests), opt.checkFaults(n)); err != nil {
		return nil, err
	}
	p := n.Property(property)
	r := &Result{Properties: []int{property}}
	if p.Kind == netlist.PropertyJustice {
		return nil, fmt.Errorf("property %d: justice (liveness) properties are not supported yet", property)
	}
	free := opt.Engine == "" || opt.Engine == EngineSet
	if free {
		opt.Engine = DefaultEngine
	}
	if bundles := inParts(n, p.Bad, opt); bundles != nil {
		return runParts(ctx, f, n, property, bundles, opt)
	}
	label := max(property, opt.Label)
	q := question{file: f, netlist: n, properties: r.Properties, names: []int{label}, skip: opt.leftOut, earlier: earlierPart{Earlier: opt.Earlier}}
	for _, t := range opt.Targets {
		q.targets = append(q.targets, target{t, t})
	}
	records, err := decodeRecords(opt.Resume, false)
	if err != nil {
		return r, resumeError(err)
	}
	s := newSession(q, opt)
	original := s.stock.model.Original()
	taken, verdicts, err := s.restore(records[label])
	if err == nil && taken == nil && len(verdicts) > 0 {
		err = errNoOutcome
	}
	if err != nil {
		return r, resumeError(err)
	}
	s.opinion.off = opt.NoRecheck && taken == nil // a journal is never believed
	switch {
	case taken != nil:
		r.Proof = taken
	case opt.Proof != nil:
		r.Proof = opt.Proof
		s.ledger.journal.outcome(r.Proof)
	case opt.Role == Merger:
		r.Proof = &Answer{Engine: opt.Engine, Bound: -1, Reason: noOutcome}
	default:
		if opt.Progress != nil {
			opt.Progress(Progress{Stage: StageProving, Properties: 1})
		}
		r.Proof = s.provedBefore(ctx, original)
		if r.Proof == nil {
			r.Proof = s.checkOriginal(ctx, original, free)
		}
		s.ledger.journal.outcome(r.Proof)
	}
	opt.Log.Info("model checking done", "property", property, "status", r.Proof.Status, "engine", r.Proof.Engine,
		"k", r.Proof.K, "m", r.Proof.M, "seconds", r.Proof.Time.Seconds())
	if r.Proof.Err != nil {
		return r, r.Proof.Err
	}
	if r.Proof.Status != cert.Holds {
		r.JournalErr = s.ledger.journal.failure()
		return r, s.recheckTrace(r.Proof, taken != nil)
	}
	return r, s.decide(ctx, r, original, taken != nil, verdicts)
}

// decide runs the tests of a property that holds and fills in the result.
func (s *session) decide(ctx context.Context, r *Result, original *netlist.Model, taken bool, verdicts []restored) error {
	s.proof = r.Proof
	err := s.run(ctx, r, original, taken, verdicts)
	r.Mutants, r.Recheck = s.ledger.mutants, s.opinion.time
	r.Stopped = s.stopped(ctx)
	r.JournalErr = s.ledger.journal.failure()
	for _, name := range s.opt.Tests {
		if t := s.ledger.tests[name]; t != nil {
			r.Tests = append(r.Tests, TestResult{name, *t})
		}
	}
	return err
}

// checkOriginal model checks the design within the limits of time and memory. Where the
// engine is free, IC3 takes turns with k-induction of small bounds.
func (s *session) checkOriginal(ctx context.Context, m *netlist.Model, free bool) *Answer {
	limited, cancel := clock.Limit(ctx, s.opt.ProofTime(1))
	defer cancel()
	s.stop = cancel
	watched, end := memlimit.Watch(limited, s.opt.MemoryLimit)
	defer end()
	var p *Answer
	if free {
		p = s.checkInTurn(watched, m)
	} else {
		p = modelCheck(watched, s.opt.Engine, m, s.probes())
	}
	if s.failure != nil {
		p.Err = s.failure
	}
	if p.Status == cert.Unknown && memlimit.Exceeded(watched) {
		p.Reason = outOfMemory
	}
	return p
}

// ic3Turn is the first turn of IC3, and the most that k-induction may take after it.
// What is proved within it has the invariant of IC3, on which the tests do best.
const ic3Turn = time.Second

// checkInTurn gives IC3 a turn, then k-induction with k up to 2, which costs a few
// queries and settles properties that compare registers, and the rest to IC3.
func (s *session) checkInTurn(ctx context.Context, m *netlist.Model) *Answer {
	begin := time.Now()
	search := &Search{model: m, look: s.probes()}
	p := search.Prove(ctx, ic3Turn)
	if p.Status == cert.Unknown && p.Err == nil && ctx.Err() == nil {
		if q := quickInduction(ctx, s.netlist, s.properties, s.probes()); q != nil {
			p = q
		} else {
			p = search.Prove(ctx, 0)
		}
	}
	p.Time = time.Since(begin)
	return p
}

// quickInduction is nil where a property is not k-inductive with a small k.
func quickInduction(ctx context.Context, n *netlist.Netlist, property []int, look probes) *Answer {
	limited, cancel := clock.Limit(ctx, ic3Turn)
	defer cancel()
	var p *Answer
	opt := propset.Options{Quick: true, Check: look.check, Effort: look.effort, Found: func(a *propset.Answer) error {
		p = &Answer{Status: cert.Holds, Engine: a.Engine, K: 1, Bound: -1, Invariant: a.Invariant}
		if a.Trace != nil {
			p.Status, p.Trace = cert.Fails, a.Trace
		}
		return nil
	}}
	if _, err := propset.Check(limited, n, property, opt); err != nil && limited.Err() == nil {
		return &Answer{Engine: propset.EngineInduction, Bound: -1, Err: err}
	}
	return p
}

// run does the coverage part under its budget. Where the proof was taken from an
// earlier run, that and its verdicts are confirmed first.
func (s *session) run(ctx context.Context, r *Result, original *netlist.Model, taken bool, verdicts []restored) error {
	stoppable, stop := context.WithCancel(ctx)
	defer stop()
	s.stop = stop
	s.ledger.begin(s.opt.Tests, stop)
	if s.stock.small {
		s.stock.pool.add(s.proof.Invariant)
		s.stock.pool.add(s.stock.shared)
	} else {
		s.stock.shared = s.proof.Invariant
	}
	switch {
	case s.opt.Role == Worker:
		s.opinion.off, s.opinion.confirmed = s.opt.NoRecheck, true
	case taken:
		s.takeUp(stoppable, verdicts)
		s.opinion.off = s.opt.NoRecheck && s.opinion.confirmed
	}
	budget, bounded := s.opt.Budget.Duration(s.proof.Time)
	if !bounded {
		budget = 0
	}
	s.budget = budget
	tests, endTests := clock.Limit(stoppable, budget)
	defer endTests()
	ctx, cancel := clock.Limit(ctx, budget)
	defer cancel()
	s.opinion.late, cancel = withGrace(ctx, grace(budget))
	defer cancel()
	if stoppable.Err() == nil && !s.enough && s.opt.Role != Merger { // else what is restored may be open again, and must not be recorded twice
		s.takeHints(tests)
		s.cascade(tests, original, budget)
	}
	s.confirm()
	s.outOfTime = ctx.Err() != nil || tests.Err() != nil && stoppable.Err() == nil // that of the tests began, and ends, first
	if s.opinion.asked() && !s.opinion.confirmed && s.failure == nil {
		r.Proof.Reason = unconfirmed
	}
	r.Proof.Invariant, r.Proof.engine = s.stock.shared, nil
	r.Cover = time.Since(s.ledger.start)
	return s.failure
}

func (s *session) stopped(ctx context.Context) string {
	switch {
	case s.ledger.decided == len(s.ledger.mutants):
		return ""
	case ctx.Err() != nil:
		return "interrupted"
	case s.outOfMemory:
		return "memory"
	case s.enough || s.opt.StopAt < 1 && s.ledger.accuracy() >= s.opt.StopAt:
		return "accuracy"
	case s.outOfTime:
		return "budget"
	}
	return "tests"
}

// unconfirmed is the reason of a proof without a second opinion.
const unconfirmed = "the run ended before the second opinion on the proof"

// recheckTrace asks for a second opinion on the design's counterexample; taken: of an
// earlier run's.
func (s *session) recheckTrace(p *Answer, taken bool) error {
	if !s.opinion.asked() || p.Status != cert.Fails {
		return nil
	}
	switch err := s.opinion.checker.Trace(p.Trace); {
	case err == nil:
		return nil
	case taken:
		return resumeError(fmt.Errorf("the original: %w", err))
	default:
		return fmt.Errorf("%w: the original: %w", ErrRecheck, err)
	}
}

// noOutcome is the reason of a proof that no journal has.
const noOutcome = "no outcome of model checking is recorded"

// outOfMemory is the reason of a proof that the memory limit ended.
const outOfMemory = "undecided: the memory limit was reached"
