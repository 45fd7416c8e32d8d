package main

import (
	"fmt"
	"io"

	"netcov/aiger"
	"netcov/aiger/sim"
	"netcov/coverage"
	"netcov/internal/atomicfile"
	"netcov/mutant"
)

// writeCounterexample prints the run on which the design itself fails.
func writeCounterexample(w io.Writer, in *input, res *coverage.Result) error {
	v, err := in.view(res.Position)
	if err != nil {
		return err
	}
	format := "AIGER"
	if in.btor2 != nil {
		format = "BTOR2"
	}
	if _, err := fmt.Fprintf(w, "\ncounterexample of property %d, in %s's witness format:\n", res.Position, format); err != nil {
		return err
	}
	return v.writeWitness(w, res.Proof.Trace)
}

// writeWitnesses writes, for each covered mutant, its AIGER file and its trace.
func writeWitnesses(dir string, in *input, opt coverage.Options, results []*coverage.Result) error {
	for _, res := range results {
		v, err := in.view(res.Position)
		if err != nil {
			return err
		}
		for _, m := range res.Mutants {
			if m.Verdict != coverage.Covered {
				continue
			}
			faulty, err := sim.Mutant(in.file, faultOf(in, m, opt.Mux))
			if err != nil {
				return err
			}
			if err := aiger.WriteFile(witnessPath(dir, m, ".aig"), faulty); err != nil {
				return err
			}
			witness, err := v.witness(m.Evidence.Trace, m.Fault == mutant.Nondet)
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
	}
	return nil
}

// faultOf is a mutant in the terms of the AIGER file.
func faultOf(in *input, m *coverage.Mutant, mux mutant.Mux) sim.Fault {
	return sim.Fault{Var: in.literal()(m.Target) >> 1, Kind: m.Fault, Mux: mux}
}
