package campaign

import (
	"fmt"
	"io"
	"path/filepath"

	"netcov/aiger"
	"netcov/aiger/sim"
	"netcov/cert"
	"netcov/coverage"
	"netcov/coverage/subject"
	"netcov/internal/atomicfile"
	"netcov/mutant"
)

// WriteWitnesses writes, for each covered mutant, its AIGER file and its trace.
func (d *Design) WriteWitnesses(dir string, opt coverage.Options, set *coverage.Set) error {
	subjects := map[int]*subject.Subject{}
	for j := range set.All() {
		if j.Verdict != mutant.Covered {
			continue
		}
		m := j.Mutant
		s := subjects[m.Property]
		if s == nil {
			var err error
			if s, err = d.Subject(m.Property); err != nil {
				return err
			}
			subjects[m.Property] = s
		}
		faulty, err := sim.Mutant(d.File, s.Fault(m, opt.Mux))
		if err != nil {
			return err
		}
		if err := aiger.WriteFile(witnessPath(dir, m, ".aig"), faulty); err != nil {
			return err
		}
		witness, err := s.Witness(m.Trace(), m.Fault.Free())
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

// WriteWitness writes a counterexample of the design in the format that goes with
// its language where it has one, for a safety property, else AIGER's.
func (d *Design) WriteWitness(w io.Writer, s *subject.Subject, t *cert.Trace) error {
	if d.Design.WriteWitness != nil && !s.Live() {
		return d.Design.WriteWitness(w, s.Number(), t)
	}
	witness, err := s.Witness(t, false)
	if err != nil {
		return err
	}
	return aiger.WriteWitness(w, witness)
}

// witnessName is the name of a covered mutant's files, without extension.
func witnessName(m *coverage.Mutant) string {
	return fmt.Sprintf("p%d-%s%d-%s", m.Property, m.Target.Kind(), m.Target.Index, m.Fault)
}

func witnessPath(dir string, m *coverage.Mutant, ext string) string {
	return filepath.Join(dir, witnessName(m)+ext)
}
