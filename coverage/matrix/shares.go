package matrix

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// Range is a number that unknown cells leave open: at least Low, at most High.
type Range struct{ Low, High int }

// Answer is yes, no, or not known while cells are unknown.
type Answer uint8

// The answers.
const (
	No Answer = iota
	Yes
	Maybe
)

var answerWords = [...]string{No: "no", Yes: "yes", Maybe: "unknown"}

// MarshalText returns the word that reports have.
func (a Answer) MarshalText() ([]byte, error) { return []byte(answerWords[a]), nil }

// UnmarshalText reads the word.
func (a *Answer) UnmarshalText(text []byte) error {
	at := slices.Index(answerWords[:], string(text))
	if at < 0 {
		return fmt.Errorf("%q is no answer: yes, no or unknown", text)
	}
	*a = Answer(at)
	return nil
}

// Levels are numbers of mutants: a property can notice those in its cone of influence
// only, of these those that its proof uses, and of these it notices those that it
// covers. What is in the cone may have no effect. What the proof uses another proof of
// the same property may do without. That the property fails is no matter of how it was
// proved, so the last level is the one to trust.
type Levels struct {
	Cone    int
	Used    int // -1: not known
	Covered Range
}

// Share is what one property adds to the set.
type Share struct {
	Property int
	Levels
	// Alone are the mutants that no other property covers.
	Alone Range
	// Redundant tells whether other properties cover all that it covers.
	Redundant Answer
	// Idle says why the property covers nothing, where it covers nothing.
	Idle Idle
	// Proof is the time of model checking it.
	Proof time.Duration
}

// judge computes what follows from the matrix.
func (r *runner) judge(ctx context.Context, own Options) error {
	m := r.matrix
	m.Shares = make([]Share, len(m.Properties))
	cone, used := map[Mutant]bool{}, map[Mutant]bool{}
	usedKnown := true
	for i, p := range m.Properties {
		s := m.share(i)
		for _, o := range r.set.Outcomes {
			if o.Position == p {
				s.Proof = o.Proof.Time
			}
		}
		err := r.usedBy(i, func(x Mutant, in, uses bool) {
			s.Cone++
			cone[x] = true
			if uses {
				s.Used++
				used[x] = true
			}
		})
		if err != nil {
			return err
		}
		if r.uses[i] == nil {
			s.Used, usedKnown = -1, false
		}
		m.Shares[i] = s
	}
	m.Whole = Levels{Cone: len(cone), Used: len(used)}
	if !usedKnown {
		m.Whole.Used = -1
	}
	for _, covered := range r.covered {
		m.Whole.Covered.High++
		if covered {
			m.Whole.Covered.Low++
		}
	}
	var err error
	for i, s := range m.Shares {
		if s.Covered.High == 0 {
			if m.Shares[i].Idle, err = r.idle(ctx, i, own.RunSteps); err != nil {
				return err
			}
		}
	}
	m.Order = m.order()
	m.Smallest = m.smallest(ctx)
	return nil
}

// share counts the cells of a property.
func (m *Matrix) share(i int) Share {
	r := m.rows[i]
	s := Share{Property: m.Properties[i]}
	s.Covered = Range{r.fails.count(), r.fails.count() + r.unknown.count()}
	others, perhaps := newSet(len(m.Mutants)), newSet(len(m.Mutants))
	for k, other := range m.rows {
		if k != i {
			others.join(other.fails)
			perhaps.join(other.unknown)
		}
	}
	mine := r.fails.without(others) // others may still cover them
	s.Alone.Low = mine.without(perhaps).count()
	s.Alone.High = mine.count() + r.unknown.without(others).count()
	switch {
	case s.Alone.High == 0:
		s.Redundant = Yes
	case s.Alone.Low == 0:
		s.Redundant = Maybe
	}
	return s
}

// Addition is a property in the order in which properties add most: each covers the
// most mutants that those before it do not.
type Addition struct {
	Property int
	Adds     int // mutants that none before covers
	Covered  int // by all so far
}

// order lists the properties that add something, by the cells that are known.
func (m *Matrix) order() []Addition {
	var out []Addition
	covered := newSet(len(m.Mutants))
	left := make([]int, len(m.rows))
	for i := range left {
		left[i] = i
	}
	for len(left) > 0 {
		best, adds := -1, 0
		left = slices.DeleteFunc(left, func(i int) bool {
			n := m.rows[i].fails.without(covered).count()
			if n > adds {
				best, adds = i, n
			}
			return n == 0
		})
		if best < 0 {
			break
		}
		covered.join(m.rows[best].fails)
		out = append(out, Addition{m.Properties[best], adds, covered.count()})
	}
	return out
}
