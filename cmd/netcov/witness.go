package main

import (
	"fmt"
	"io"
	"strings"

	"netcov/aiger"
	"netcov/aiger/sim"
	"netcov/cert"
	"netcov/coverage"
	"netcov/coverage/subject"
	"netcov/internal/atomicfile"
	"netcov/mutant"
)

// writeCounterexample prints the run on which the design itself fails.
func writeCounterexample(w io.Writer, in *input, o coverage.Outcome) error {
	s, err := in.subject(o.Position)
	if err != nil {
		return err
	}
	format := "AIGER"
	if in.design.WriteWitness != nil {
		format = strings.ToUpper(in.design.Format)
	}
	if _, err := fmt.Fprintf(w, "\ncounterexample of property %d, in %s's witness format:\n", o.Position, format); err != nil {
		return err
	}
	return in.writeWitness(w, s, o.Proof.Trace)
}

// writeWitnesses writes, for each covered mutant, its AIGER file and its trace.
func writeWitnesses(dir string, in *input, opt coverage.Options, set *coverage.Set) error {
	subjects := map[int]*subject.Subject{}
	for j := range set.All() {
		if j.Verdict != coverage.Covered {
			continue
		}
		m := j.Mutant
		s := subjects[m.Property]
		if s == nil {
			var err error
			if s, err = in.subject(m.Property); err != nil {
				return err
			}
			subjects[m.Property] = s
		}
		faulty, err := sim.Mutant(in.file, s.Fault(m, opt.Mux))
		if err != nil {
			return err
		}
		if err := aiger.WriteFile(witnessPath(dir, m, ".aig"), faulty); err != nil {
			return err
		}
		witness, err := s.Witness(j.Group.Trace(m), m.Fault == mutant.Nondet)
		if err != nil {
			return err
		}
		err = atomicfile.Write(witnessPath(dir, m, ".wit"), func(w io.Writer) error {
			return aiger.WriteWitness(w, witness)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// writeWitness writes a counterexample of the design in the format that goes with
// its language where it has one, for a safety property, else AIGER's.
func (in *input) writeWitness(w io.Writer, s *subject.Subject, t *cert.Trace) error {
	if in.design.WriteWitness != nil && !s.Live() {
		return in.design.WriteWitness(w, s.Number(), t)
	}
	witness, err := s.Witness(t, false)
	if err != nil {
		return err
	}
	return aiger.WriteWitness(w, witness)
}
