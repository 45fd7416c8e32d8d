package coverage

import (
	"netcov/cert"
	"netcov/certify"
	"netcov/certify/evidence"
	"netcov/mutant"
)

// Records returns the verdicts with their proofs, as evidence files are written
// from them. mux is the run's place of the multiplexer.
func (r *Result) Records(mux mutant.Mux) evidence.Property {
	p := evidence.Property{Position: r.Position, Status: cert.Unknown}
	switch r.Proof.Status {
	case cert.Holds:
		p.Status, p.Invariant = cert.Holds, r.Proof.Invariant
	case cert.Fails:
		p.Status, p.Trace = cert.Fails, r.Proof.Trace
	}
	for m := range r.All() {
		p.Mutants = append(p.Mutants, evidence.Mutant{
			Mutation:  certify.Mutation{Gate: m.Target.Gate, Index: m.Target.Index, Fault: m.Fault, Mux: mux},
			Verdict:   evidence.Verdict(m.Verdict.String()),
			Trace:     m.Evidence.Trace,
			Invariant: m.Evidence.Invariant,
		})
	}
	return p
}
