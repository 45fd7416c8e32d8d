package coverage

import (
	"time"

	"netcov/mutant"
)

// Opinion is what becomes of what a round says of a mutant: see AddRound.
type Opinion uint8

const (
	// Kept verdicts are those of the set.
	Kept Opinion = iota
	// Dropped ones are asked about again in a later round.
	Dropped
	// Unfounded is that a mutant is covered: it is unknown.
	Unfounded
)

// AddRound adds what another set says of mutants that the rounds before left open. It is
// about the same targets and faults, of another netlist that stands for the same source,
// and what it says may not hold there. A mutant of which nothing is kept lies outside of
// all cones: of each other one something is to be kept in some round.
func (s *Set) AddRound(r *Set, opinion func(mutant.Target, mutant.Fault) Opinion) {
	var before time.Duration
	for _, g := range s.Groups {
		before += g.Cover
	}
	for _, g := range r.Groups {
		kept := *g
		kept.Mutants = nil
		for _, m := range g.Mutants {
			what := opinion(m.Target, m.Fault)
			if what == Dropped {
				continue
			}
			if what == Unfounded && m.Verdict == mutant.Covered {
				m = &Mutant{Target: m.Target, Fault: m.Fault, Property: m.Property, Depth: -1, Time: m.Time}
			}
			if m.decided > 0 {
				m.decided += before
			}
			kept.Mutants = append(kept.Mutants, m)
			if k := s.slot(m.Target, m.Fault); k >= 0 {
				s.records[k] = append(s.records[k], groupRecord{&kept, m})
			}
		}
		s.Groups = append(s.Groups, &kept)
	}
}
