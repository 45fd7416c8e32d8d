package coverage

import (
	"iter"
	"slices"
	"time"

	"netcov/cert"
	"netcov/mutant"
	"netcov/netlist"
)

// Set is what runs found out about the properties of a design together: the
// outcome of each, and for each mutant whether some property notices it.
type Set struct {
	Outcomes []Outcome
	// Groups are the results about properties that hold. All are about the same
	// targets and faults.
	Groups  []*Result
	Targets []mutant.Target
	Faults  []mutant.Fault
	// JournalErr is why the journal is not complete, if it is not.
	JournalErr error

	netlist *netlist.Netlist
	at      map[mutant.Target]int // position of a target
	records [][]groupRecord       // by target and fault, in their order: see slot
}

type mutantKey struct {
	t mutant.Target
	f mutant.Fault
}

// groupRecord is what one group says of a mutant.
type groupRecord struct {
	group *Result
	m     *Mutant
}

// NewSet returns an empty set of the mutants of a design; without faults, of the
// standard ones.
func NewSet(n *netlist.Netlist, targets []mutant.Target, faults []mutant.Fault) *Set {
	if len(faults) == 0 {
		faults = mutant.Standard()
	}
	return &Set{Targets: targets, Faults: faults, netlist: n, at: positions(targets), records: make([][]groupRecord, len(targets)*len(faults))}
}

// slot is the place of a mutant's records; -1 where it is none of the set's.
func (s *Set) slot(t mutant.Target, f mutant.Fault) int {
	i, known := s.at[t]
	k := slices.Index(s.Faults, f)
	if !known || k < 0 {
		return -1
	}
	return i*len(s.Faults) + k
}

// size is the number of mutants.
func (s *Set) size() int { return countMutants(s.netlist, s.Targets, s.Faults) }

// countMutants counts the mutants of targets: not every fault is at every node.
func countMutants(n *netlist.Netlist, targets []mutant.Target, faults []mutant.Fault) int {
	all := 0
	for _, t := range targets {
		for _, f := range faults {
			if n.Has(t, f) {
				all++
			}
		}
	}
	return all
}

// AddOutcome adds the result of a property that was run by itself.
func (s *Set) AddOutcome(p netlist.Property, r *Result) {
	s.Outcomes = append(s.Outcomes, Outcome{r.Properties[0], p, r.Proof})
	if r.Proof.Status == cert.Holds {
		s.Add(r)
	}
	if s.JournalErr == nil {
		s.JournalErr = r.JournalErr
	}
}

// Add adds the result about properties that hold. Its tests ran after those of the
// results that were added before.
func (s *Set) Add(r *Result) {
	var before time.Duration
	for _, g := range s.Groups {
		before += g.Cover
	}
	s.Groups = append(s.Groups, r)
	for _, m := range r.Mutants {
		if m.decided > 0 {
			m.decided += before
		}
		if k := s.slot(m.Target, m.Fault); k >= 0 {
			s.records[k] = append(s.records[k], groupRecord{r, m})
		}
	}
	if s.JournalErr == nil {
		s.JournalErr = r.JournalErr
	}
}

// Judgement is the verdict of the set on one mutant.
type Judgement struct {
	Target  mutant.Target
	Fault   mutant.Fault
	Verdict mutant.Verdict
	// Mutant is the record that decides: of the group that covers it, else of one
	// that leaves it unknown, else of the last one that decided. It is nil for a
	// mutant outside of the cones of all groups.
	Mutant *Mutant
	Group  *Result // that Mutant is of
	// Depth is that of the record; where several groups leave the mutant unknown,
	// the least bound.
	Depth int
	Test  string
	Time  time.Duration // of all groups

	records []groupRecord
	decided time.Duration
}

// All goes through the verdicts on all mutants, in the order of targets and
// faults. There are none where no property holds.
func (s *Set) All() iter.Seq[*Judgement] { return s.judged(func(*Result) bool { return true }) }

// judged goes through the verdicts of some of the groups.
func (s *Set) judged(by func(*Result) bool) iter.Seq[*Judgement] {
	return func(yield func(*Judgement) bool) {
		some := false
		for _, g := range s.Groups {
			some = some || by(g)
		}
		if !some {
			return
		}
		for i, t := range s.Targets {
			for k, f := range s.Faults {
				if s.netlist.Has(t, f) && !yield(s.judge(t, f, i*len(s.Faults)+k, by)) {
					return
				}
			}
		}
	}
}

// Judge returns the verdict on one mutant, of the targets and faults.
func (s *Set) Judge(t mutant.Target, f mutant.Fault) *Judgement {
	return s.judge(t, f, s.slot(t, f), func(*Result) bool { return true })
}

// judge unites what groups say of a mutant, whose records are in this slot.
func (s *Set) judge(t mutant.Target, f mutant.Fault, slot int, by func(*Result) bool) *Judgement {
	j := &Judgement{Target: t, Fault: f, Verdict: mutant.NotCovered, Depth: -1}
	if slot >= 0 {
		for _, r := range s.records[slot] {
			if by(r.group) {
				j.records = append(j.records, r)
				j.take(r)
			}
		}
	}
	if j.Mutant == nil {
		j.Test = TestCone
	}
	return j
}

// take unites a group's verdict with those before.
func (j *Judgement) take(r groupRecord) {
	m := r.m
	j.Time += m.Time
	better := j.Mutant == nil
	switch {
	case j.Verdict == mutant.Covered && j.Mutant != nil:
		return
	case m.Verdict == mutant.Covered:
		better = true
	case m.Verdict == mutant.Unknown:
		better = better || j.Verdict != mutant.Unknown || m.Depth < j.Depth
	default:
		better = better || j.Verdict == mutant.NotCovered && m.decided >= j.decided
	}
	if better {
		j.Mutant, j.Group, j.Verdict, j.Test, j.Depth, j.decided = m, r.group, m.Verdict, m.Test, m.Depth, m.decided
	}
}

// Invariants returns the invariants by which some of the groups leave the mutant
// uncovered, each once, as invariants of the design.
func (j *Judgement) Invariants(by func(*Result) bool) []*cert.Invariant {
	var all []*cert.Invariant
	for _, r := range j.records {
		if v := r.m.in.invariant(r.m.Evidence.Invariant); v != nil && by(r.group) && !slices.Contains(all, v) {
			all = append(all, v)
		}
	}
	return all
}

// Stopped says why mutants are left undecided: see Result.Stopped.
func (s *Set) Stopped() string {
	undecided := false
	for j := range s.All() {
		undecided = undecided || j.Verdict == mutant.Unknown
	}
	if !undecided {
		return ""
	}
	for _, why := range []string{"interrupted", "memory", "accuracy", "budget", "tests"} {
		for _, g := range s.Groups {
			if g.Stopped == why {
				return why
			}
		}
	}
	return "tests"
}

// Curve is the share of decided mutants over the time of the tests.
func (s *Set) Curve() []Point {
	if len(s.Groups) == 0 {
		return nil
	}
	var at []time.Duration
	for j := range s.All() {
		if j.Verdict != mutant.Unknown {
			at = append(at, j.decided)
		}
	}
	return accuracyOverTime(at, s.size())
}
