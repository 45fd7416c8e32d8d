package coverage

import (
	"iter"

	"netcov/mutant"
)

// Most mutants of a design with many properties lie outside of a property's cone
// of influence. A finished result need not hold a record for each.

// Compact forgets the records of mutants outside of the cone of influence that
// CONE has settled; All makes them anew.
func (r *Result) Compact() {
	kept := 0
	for _, m := range r.Mutants {
		if !r.implied(m) {
			kept++
		}
	}
	if kept == len(r.Mutants) {
		return
	}
	ms := make([]*Mutant, 0, kept)
	for _, m := range r.Mutants {
		if r.implied(m) {
			r.Left[m.Fault]++
		} else {
			ms = append(ms, m)
		}
	}
	r.Mutants = ms
}

// implied tells whether All can make the record of a mutant.
func (r *Result) implied(m *Mutant) bool {
	return m.cut < 0 && m.Verdict == NotCovered && m.Test == TestCone && m.Note.Kind == NoteOutside && m.Time == 0 &&
		m.Evidence == Evidence{Invariant: r.Proof.Invariant}
}

// All goes through all mutants, in the order of targets and faults, those that
// Compact has left out too.
func (r *Result) All() iter.Seq[*Mutant] {
	return func(yield func(*Mutant) bool) {
		ms := r.Mutants
		if r.Left == [3]int{} {
			for _, m := range ms {
				if !yield(m) {
					return
				}
			}
			return
		}
		for _, t := range r.targets {
			for _, f := range r.faults {
				var m *Mutant
				if len(ms) > 0 && ms[0].Target == t && ms[0].Fault == f {
					m, ms = ms[0], ms[1:]
				} else {
					m = r.outside(t, f)
				}
				if !yield(m) {
					return
				}
			}
		}
	}
}

// outside is the record of a mutant outside of the cone of influence.
func (r *Result) outside(t mutant.Target, f mutant.Fault) *Mutant {
	return &Mutant{
		Target: t, Fault: f, Property: r.label, Verdict: NotCovered, Test: TestCone, Note: Note{Kind: NoteOutside}, Depth: -1,
		Evidence: Evidence{Invariant: r.Proof.Invariant}, cut: -1,
	}
}
