package coverage

import (
	"cmp"
	"slices"

	"netcov/cert"
	"netcov/certify"
	"netcov/certify/evidence"
	"netcov/mutant"
)

// Records returns what a run of the set proved, as evidence files are written from
// it: the properties, those of a group as one, with the group's verdicts. mux is the
// run's place of the multiplexer.
func (s *Set) Records(mux mutant.Mux) []evidence.Property {
	var out []evidence.Property
	grouped := map[int]bool{}
	for _, g := range s.Groups {
		for _, p := range g.Properties {
			grouped[p] = true
		}
		out = append(out, g.records(mux))
	}
	for _, o := range s.Outcomes {
		if grouped[o.Position] {
			continue
		}
		p := evidence.Property{Position: o.Position, Status: cert.Unknown}
		if o.Proof.Status == cert.Fails {
			p.Status, p.Trace = cert.Fails, o.Proof.Trace
		}
		out = append(out, p)
	}
	slices.SortFunc(out, func(a, b evidence.Property) int { return cmp.Compare(a.Position, b.Position) })
	return out
}

// records returns the verdicts of a group.
func (r *Result) records(mux mutant.Mux) evidence.Property {
	p := evidence.Property{Position: r.Properties[0], With: r.Properties[1:], Rounds: r.Proof.Rounds, Status: cert.Holds, Invariant: r.Invariant()}
	for _, m := range r.Mutants {
		p.Mutants = append(p.Mutants, evidence.Mutant{
			Mutation:  certify.Mutation{Gate: m.Target.Gate, Index: m.Target.Index, Fault: m.Fault, Mux: mux},
			Verdict:   m.Verdict,
			Property:  m.Property,
			Trace:     m.Trace(),
			Invariant: m.Invariant(),
		})
	}
	return p
}
