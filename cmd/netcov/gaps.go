package main

import (
	"fmt"
	"io"
	"path/filepath"

	"netcov/aiger"
	"netcov/aiger/sim"
	"netcov/coverage/waveform"
	"netcov/coverage/why"
	"netcov/internal/atomicfile"
	"netcov/mutant"
)

// simFault is a mutant in the terms of the AIGER file.
func (in *input) simFault(t mutant.Target, fault mutant.Fault, mux mutant.Mux) sim.Fault {
	if t.Gate {
		return sim.Fault{Var: in.file.GateLiterals()[t.Index] >> 1, Kind: fault, Mux: mux}
	}
	return sim.Fault{Var: in.file.Latches[t.Index].Lit >> 1, Kind: fault, Mux: mux}
}

// words are the named words of the design.
func (in *input) words() []waveform.Word {
	describe := in.describe()
	return waveform.Words(in.file, func(latch int) (string, bool) {
		n := describe(mutant.Target{Index: latch})
		return n.Name, n.Inverted
	})
}

// writeGaps writes the trace of each gap: a waveform of design and mutant, and their
// miter with the trace as a witness of it.
func writeGaps(dir string, in *input, x *explained) error {
	words := in.words()
	for i, m := range x.mutants {
		if x.found[i].Reason != why.Gap {
			continue
		}
		kind := "latch"
		if m.Target.Gate {
			kind = "gate"
		}
		path := filepath.Join(dir, fmt.Sprintf("%s%d-%v", kind, m.Target.Index, m.Fault))
		fault, w := in.simFault(m.Target, m.Fault, x.problem.Mux), x.found[i].Witness
		waves, err := waveform.Run(in.file, w, fault, words)
		if err != nil {
			return err
		}
		miter, err := sim.Miter(in.file, fault, x.problem.Observe.Points(in.file, fault.Var))
		if err != nil {
			return err
		}
		err = atomicfile.Write(path+".vcd", func(out io.Writer) error { return waves.VCD(out, "netcov: gap of "+m.String()) })
		if err != nil {
			return err
		}
		if err := aiger.WriteFile(path+".aig", miter); err != nil {
			return err
		}
		err = atomicfile.Write(path+".wit", func(out io.Writer) error {
			return aiger.WriteWitness(out, sim.MiterTrace(in.file, w, fault))
		})
		if err != nil {
			return err
		}
	}
	return nil
}
