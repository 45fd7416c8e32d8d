package coverage

import (
	"slices"
	"sync"
	"time"

	"netcov/mutant"
	"netcov/netlist"
)

// ledger holds the mutants of a run and the verdicts on them. A verdict is
// written once, complete, after the second opinion agreed, and never changed. A
// claim is a verdict that still waits for that opinion: no test looks at its
// mutant again, and it counts towards the accuracy asked for.
type ledger struct {
	stop     func() // ends the tests: the accuracy asked for is reached
	stopAt   float64
	progress func(Progress)
	journal  *recorder // nil where nothing is recorded

	// The mutants of all questions, and those that earlier questions decided.
	all, before int

	mu      sync.Mutex
	mutants []*Mutant
	byCut   [][netlist.Forces]*Mutant // [cut][force]; nil where there is no such mutant
	order   *order                    // nil where registers alone are mutated
	decided int
	final   int       // decided, and not to be asked about again
	claimed int       // of those that a verdict would make final
	start   time.Time // of the coverage tests
	stage   string    // the running test
	tests   map[string]*TestStats
}

// TestStats counts what one test settled.
type TestStats struct {
	Covered    int
	NotCovered int
	Time       time.Duration
}

// newLedger lists a mutant for each target and fault that is asked about.
func newLedger(q question, opt Options, model *netlist.Model) *ledger {
	l := &ledger{all: q.all, before: q.decided, stopAt: opt.StopAt, progress: opt.Progress, byCut: make([][netlist.Forces]*Mutant, len(model.Cuts)), tests: map[string]*TestStats{}}
	for _, t := range q.targets {
		for _, fault := range opt.Faults {
			if !q.netlist.Has(t.part, fault) || q.skip != nil && q.skip(t.whole, fault) {
				continue
			}
			m := &Mutant{Target: t.whole, Fault: fault, Property: q.names[0], Depth: -1, cut: -1, part: t.part, in: q.in}
			m.last = q.final == nil || q.final(t.whole, fault)
			l.mutants = append(l.mutants, m)
			if cut, force, inside := model.Find(t.part, fault); inside {
				m.cut, m.force = cut, force
				l.byCut[cut][force] = m
			}
		}
	}
	if l.all == 0 {
		l.all = len(l.mutants)
	}
	if slices.ContainsFunc(q.targets, func(t target) bool { return t.part.Gate }) {
		l.order = newOrder(model.Dominance(), l.byCut)
	}
	return l
}

// begin starts the clock of the tests.
func (l *ledger) begin(tests []string, stop func()) {
	l.start, l.stop = time.Now(), stop
	for _, name := range tests {
		l.tests[name] = &TestStats{}
	}
}

// open returns the mutants that are not settled, in the order of the file.
func (l *ledger) open() []*Mutant {
	return l.filter(func(*Mutant) bool { return true })
}

// inside returns the open mutants inside of the cone; of those that are the same, one.
func (l *ledger) inside() []*Mutant {
	return l.filter(func(m *Mutant) bool { return m.cut >= 0 && !l.order.follows(m) })
}

func (l *ledger) filter(keep func(*Mutant) bool) []*Mutant {
	l.mu.Lock()
	defer l.mu.Unlock()
	var out []*Mutant
	for _, m := range l.mutants {
		if m.open() && keep(m) {
			out = append(out, m)
		}
	}
	return out
}

func (l *ledger) isOpen(m *Mutant) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return m.open()
}

// stillOpen returns the hits on mutants without a verdict.
func (l *ledger) stillOpen(hits []hit) []hit {
	l.mu.Lock()
	defer l.mu.Unlock()
	var out []hit
	for _, h := range hits {
		if h.m.Verdict == mutant.Unknown {
			out = append(out, h)
		}
	}
	return out
}

// served returns the open ones of the mutants, and adds those that do no more: of a free
// mutant the stuck-at ones of the cut, and all of cuts that it dominates; and those that
// are the same.
func (l *ledger) served(ms []*Mutant) []*Mutant {
	all := make(map[*Mutant]bool, 3*len(ms))
	var list []*Mutant
	var add func(m *Mutant)
	add = func(m *Mutant) {
		if m == nil || all[m] || !m.open() {
			return
		}
		all[m] = true
		list = append(list, m)
		for _, other := range l.order.alike(m) {
			add(other)
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, m := range ms {
		add(m)
		if !m.free() || m.cut < 0 {
			continue
		}
		for _, k := range l.order.under(m.cut) {
			for _, other := range l.byCut[k] {
				add(other)
			}
		}
	}
	return list
}

// sibling returns the mutant that forces the same cut in another way, or nil.
func (l *ledger) sibling(m *Mutant, f netlist.Force) *Mutant {
	if m.cut < 0 {
		return nil
	}
	return l.byCut[m.cut][f]
}

// work starts the clock of one mutant; the function returned stops it. A verdict
// that comes in between is recorded with the time so far.
func (l *ledger) work(m *Mutant) (done func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	m.began = time.Now()
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		m.addTime()
	}
}

// bound records that an open mutant, and those that are the same, have no counterexample of
// at most depth steps.
func (l *ledger) bound(m *Mutant, depth int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	deepen := func(m *Mutant) {
		if m.Verdict == mutant.Unknown && depth > m.Depth {
			m.Depth = depth
		}
	}
	deepen(m)
	for _, same := range l.order.alike(m) {
		deepen(same)
	}
}

// claim notes verdicts that wait for the second opinion. Their moment is now.
func (l *ledger) claim(ms []*Mutant) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, m := range ms {
		m.claimed, m.decided = true, time.Since(l.start)
		if m.last {
			l.claimed++
		}
	}
	l.enough()
}

// unclaim opens claimed mutants again; with keep, for the verdict that follows,
// which has the moment of the claim.
func (l *ledger) unclaim(ms []*Mutant, keep bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, m := range ms {
		m.claimed = false
		if !keep {
			m.decided = 0
		}
		if m.last {
			l.claimed--
		}
	}
}

// begins notes that a test begins.
func (l *ledger) begins(test string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.stage = test
	l.tell()
}

// tell says how far the tests are. The lock must be held.
func (l *ledger) tell() {
	if l.progress != nil {
		l.progress(Progress{Stage: l.stage, Mutants: l.all, Decided: l.before + l.final})
	}
}

// settle writes verdicts, once for each mutant, and records them in the journal.
func (l *ledger) settle(test string, v mutant.Verdict, e Evidence, ms []*Mutant) {
	l.mu.Lock()
	defer l.mu.Unlock()
	var settled []*Mutant
	for _, m := range ms {
		if m.Verdict != mutant.Unknown {
			continue
		}
		if m.decided == 0 {
			m.decided = time.Since(l.start)
		}
		m.addTime()
		l.write(m, test, v, e)
		settled = append(settled, m)
	}
	l.journal.verdicts(settled, e)
	l.enough()
	l.tell()
}

// restore writes the verdict of an earlier run, which its journal has already.
func (l *ledger) restore(r restored) {
	l.mu.Lock()
	defer l.mu.Unlock()
	r.m.Time = r.time
	l.write(r.m, r.test, r.verdict(), r.evidence)
}

// write puts a verdict down. The lock must be held.
func (l *ledger) write(m *Mutant, test string, v mutant.Verdict, e Evidence) {
	m.Verdict, m.Test, m.Evidence, m.Depth = v, test, e, -1
	stats := l.tests[test]
	if v == mutant.Covered {
		m.Depth = e.Trace.Depth()
		stats.Covered++
		m.Property = e.property
	} else {
		stats.NotCovered++
	}
	l.decided++
	if v == mutant.Covered || m.last {
		l.final++
	}
}

// enough stops the tests when the accuracy asked for is reached, claims included.
// The lock must be held.
func (l *ledger) enough() {
	if l.stopAt < 1 && float64(l.before+l.final+l.claimed) >= l.stopAt*float64(l.all) {
		l.stop()
	}
}

// settledSoFar returns the number of verdicts.
func (l *ledger) settledSoFar() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.decided
}

// accuracy is the share of all mutants that are decided.
func (l *ledger) accuracy() float64 {
	if l.all == 0 {
		return 1
	}
	return float64(l.before+l.final) / float64(l.all)
}
