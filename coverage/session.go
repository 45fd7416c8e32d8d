package coverage

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"netcov/aiger"
	"netcov/certify"
	"netcov/netlist"
)

// session is one property's run through the cascade: the model with its cuts,
// what the model checker left behind, and the mutants.
type session struct {
	opt   Options
	model *netlist.Model // with cuts
	proof *Proof
	core  *netlist.Invariant // the invariant, minimised: see minimise
	pool  *pool              // clauses that proofs have used
	check *certify.Checker

	property   int
	invariants map[*netlist.Invariant]int // in the journal, by number
	restored   []*Mutant                  // settled by the run that is taken up
	taken      bool                       // the proof is that run's
	journalErr error

	mu          sync.Mutex
	mutants     []*Mutant
	byCut       [][3]*Mutant // [cut][fault]; nil where a fault is not asked for
	decided     int
	claimed     int // mutants that wait for the second opinion
	start       time.Time
	recheck     time.Duration
	tests       map[string]*TestStats
	failure     error // a failed re-check: an internal error
	stop        context.CancelFunc
	stage       string
	claims      []claim
	families    []*family
	joint       *joint
	race        race
	confirmed   bool            // the second opinion has accepted the shared invariant
	small       bool            // core is the smaller invariant
	short       *shortWalks     // see runSimulation
	step        *oneStep        // see query
	unwatched   context.Context // of the running test, without the memory limit
	opinions    context.Context // of second opinions: see withGrace
	outOfMemory bool            // an engine was abandoned for want of memory
	outOfTime   bool            // the budget was used up
	simLock     sync.Mutex
	sim         *faultSimulator // see tryTrace
}

// TestStats counts what one test settled.
type TestStats struct {
	Covered    int
	NotCovered int
	Time       time.Duration
}

// ErrRecheck is in the chain of the error of a run whose second opinion
// contradicted the first: a bug in netcov, never a verdict.
var ErrRecheck = errors.New("the second opinion contradicts a verdict; this is a bug in netcov")

func newSession(f *aiger.File, n *netlist.Netlist, property int, opt Options) *session {
	s := &session{
		opt: opt, property: max(property, opt.Label), tests: map[string]*TestStats{}, invariants: map[*netlist.Invariant]int{},
	}
	targets := opt.Targets
	if targets == nil {
		for i := range n.Latches {
			targets = append(targets, netlist.Target{Index: i})
		}
	}
	s.model = netlist.Compile(n, n.Properties()[property].Bad, targets, opt.Mux)
	cutOf := make(map[netlist.Target]int, len(s.model.Cuts))
	for k, c := range s.model.Cuts {
		cutOf[c.Target] = k
	}
	s.byCut = make([][3]*Mutant, len(s.model.Cuts))
	for _, t := range targets {
		k, inside := cutOf[t]
		if !inside {
			k = -1
		}
		for _, fault := range opt.Faults {
			m := &Mutant{Target: t, Fault: fault, Property: s.property, Depth: -1, cut: k}
			s.mutants = append(s.mutants, m)
			if inside {
				s.byCut[k][fault] = m
			}
		}
	}
	if !opt.NoRecheck {
		s.check = certify.NewChecker(f, property)
		s.check.Solver = opt.Opinion
	}
	return s
}

// open returns the mutants that are not settled, in the order of the file.
func (s *session) open() []*Mutant {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []*Mutant
	for _, m := range s.mutants {
		if m.Verdict == Unknown && !m.claimed {
			out = append(out, m)
		}
	}
	return out
}

// cover settles a mutant as covered. The trace is replayed first.
func (s *session) cover(test string, m *Mutant, t *netlist.Trace) {
	s.coverAll(test, []hit{{m, t}})
}

// coverAll settles several mutants as covered.
func (s *session) coverAll(test string, hits []hit) {
	hits = s.stillOpen(hits)
	if len(hits) == 0 {
		return
	}
	if s.check != nil {
		begin := time.Now()
		traces := make([]*netlist.Trace, len(hits))
		ms := make([]certify.Mutation, len(hits))
		for i, h := range hits {
			traces[i], ms[i] = h.trace, s.mutation(h.m)
		}
		at, err := s.check.Traces(traces, ms)
		s.spent(&s.recheck, time.Since(begin))
		if err != nil {
			m := hits[at].m
			s.fail(fmt.Errorf("%w: %s: latch %d, %s: %w", ErrRecheck, test, m.Target.Index, m.Fault, err))
			return
		}
	}
	for _, h := range hits {
		s.settle(test, Covered, Evidence{Trace: h.trace}, []*Mutant{h.m})
		if free := s.sibling(h.m, netlist.FaultNondet); free != nil && !h.m.nondet() {
			// the same run, the fresh input held constant (SEMANTICS, monotonicity)
			wide := &netlist.Trace{Latches: h.trace.Latches}
			for _, in := range h.trace.Inputs {
				bits := append(make([]bool, 0, len(in)+1), in...)
				wide.Inputs = append(wide.Inputs, append(bits, h.m.Fault == netlist.FaultOne))
			}
			s.settle(test, Covered, Evidence{Trace: wide}, []*Mutant{free})
		}
	}
}

// stillOpen returns the hits on mutants that are not settled.
func (s *session) stillOpen(hits []hit) []hit {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []hit
	for _, h := range hits {
		if h.m.Verdict == Unknown {
			out = append(out, h)
		}
	}
	return out
}

// claim is a set of mutants that one test found not covered by the invariant
// that the inductive tests share, and that waits for the second opinion.
type claim struct {
	test string
	ms   []*Mutant
}

// exclude settles mutants as not covered, all by the same invariant. Where the
// nondet mutant of a node is among them the stuck-at mutants of the node are
// settled too. What rests on the shared invariant waits for confirm: one query
// of the second solver does for several tests.
func (s *session) exclude(test string, inv *netlist.Invariant, ms []*Mutant) {
	list := s.withStuck(ms)
	if len(list) == 0 {
		return
	}
	if inv == s.core && s.check != nil {
		s.mu.Lock()
		for _, m := range list {
			m.claimed, m.decided = true, time.Since(s.start)
		}
		s.claimed += len(list)
		s.enough()
		s.mu.Unlock()
		s.claims = append(s.claims, claim{test, list})
		return
	}
	if s.secondOpinion(test, inv, list) {
		s.settle(test, NotCovered, Evidence{Invariant: inv}, list)
	}
}

// withStuck adds the stuck-at mutants of nodes whose nondet mutant is listed,
// and leaves out what is settled.
func (s *session) withStuck(ms []*Mutant) []*Mutant {
	all := make(map[*Mutant]bool, 3*len(ms))
	var list []*Mutant
	add := func(m *Mutant) {
		if m != nil && !all[m] && m.Verdict == Unknown && !m.claimed {
			all[m] = true
			list = append(list, m)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, m := range ms {
		add(m)
		if m.nondet() && m.cut >= 0 {
			add(s.byCut[m.cut][netlist.FaultZero])
			add(s.byCut[m.cut][netlist.FaultOne])
		}
	}
	return list
}

// confirm asks for the second opinion on the shared invariant: on the original
// and on all mutants that wait for it.
func (s *session) confirm() {
	if s.check == nil {
		return
	}
	var all []*Mutant
	for _, c := range s.claims {
		all = append(all, c.ms...)
	}
	if s.confirmed && len(all) == 0 {
		return
	}
	ok := s.secondOpinion("the original's invariant", s.core, all)
	s.mu.Lock()
	for _, m := range all {
		m.claimed = false
		if !ok {
			m.decided = 0
		}
	}
	s.claimed -= len(all)
	s.mu.Unlock()
	if s.confirmed = s.confirmed || ok; ok {
		for _, c := range s.claims {
			s.settle(c.test, NotCovered, Evidence{Invariant: s.core}, c.ms)
		}
	}
	s.claims = nil
}

// secondOpinion asks whether the invariant serves all the mutants; with an empty
// list, the original. It is false when the run ended before the answer, and when
// the answer was no, which ends the run.
func (s *session) secondOpinion(test string, inv *netlist.Invariant, list []*Mutant) bool {
	if s.check == nil {
		return true
	}
	begin := time.Now()
	err := s.check.Invariant(s.opinions, inv, s.widest(list))
	s.spent(&s.recheck, time.Since(begin))
	if refuted(s.opinions, err) {
		s.fail(fmt.Errorf("%w: %s: %w", ErrRecheck, test, err))
	}
	return err == nil
}

// refuted tells whether a second opinion said no: an error that is not due to the
// end of the context.
func refuted(ctx context.Context, err error) bool {
	var no *certify.Failure
	return errors.As(err, &no) || err != nil && ctx.Err() == nil
}

// widest leaves out stuck-at mutants whose node's nondet mutant is in the list:
// what holds of that holds of them.
func (s *session) widest(list []*Mutant) []certify.Mutation {
	free := make(map[int]bool, len(list))
	for _, m := range list {
		if m.nondet() {
			free[m.cut] = true
		}
	}
	var out []certify.Mutation
	for _, m := range list {
		if m.nondet() || m.cut < 0 || !free[m.cut] {
			out = append(out, s.mutation(m))
		}
	}
	return out
}

func (s *session) sibling(m *Mutant, f netlist.Fault) *Mutant {
	if m.cut < 0 {
		return nil
	}
	return s.byCut[m.cut][f]
}

func (s *session) mutation(m *Mutant) certify.Mutation {
	return certify.Mutation{Gate: m.Target.Gate, Index: m.Target.Index, Fault: m.Fault, Mux: s.opt.Mux}
}

func (s *session) spent(to *time.Duration, d time.Duration) {
	s.mu.Lock()
	*to += d
	s.mu.Unlock()
}

// fail ends the run with an error.
func (s *session) fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.failure == nil {
		s.failure = err
		s.stop()
	}
}

// settle records verdicts, once for each mutant.
func (s *session) settle(test string, v Verdict, e Evidence, ms []*Mutant) {
	s.mu.Lock()
	defer s.mu.Unlock()
	stats := s.tests[test]
	var settled []*Mutant
	for _, m := range ms {
		if m.Verdict != Unknown {
			continue
		}
		settled = append(settled, m)
		if m.decided == 0 {
			m.decided = time.Since(s.start)
		}
		m.Verdict, m.Test, m.Evidence = v, test, e
		if v == Covered {
			m.Depth = e.Trace.Depth()
			stats.Covered++
		} else {
			m.Depth = -1
			stats.NotCovered++
		}
		s.decided++
	}
	s.writeVerdicts(settled, e)
	s.enough()
	if s.opt.Progress != nil {
		s.opt.Progress(Progress{s.stage, len(s.mutants), s.decided})
	}
}

// enough stops the tests when the accuracy asked for is reached, what waits for
// the second opinion included. The session's lock must be held.
func (s *session) enough() {
	if s.opt.StopAt < 1 && float64(s.decided+s.claimed) >= s.opt.StopAt*float64(len(s.mutants)) {
		s.stop()
	}
}

func (s *session) accuracy() float64 {
	if len(s.mutants) == 0 {
		return 1
	}
	return float64(s.decided) / float64(len(s.mutants))
}
