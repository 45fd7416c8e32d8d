package campaign

import (
	"fmt"
	"io"
	"path/filepath"

	"netcov/aiger"
	"netcov/aiger/sim"
	"netcov/coverage/waveform"
	"netcov/internal/atomicfile"
	"netcov/mutant"
)

// WriteGaps writes the trace of each gap: a waveform of design and mutant, and their
// miter with the trace as a witness of it.
func (d *Design) WriteGaps(dir string, x *Explained) error {
	words := d.Words()
	for i, m := range x.Mutants {
		if x.Found[i].Reason != mutant.Gap {
			continue
		}
		path := filepath.Join(dir, fmt.Sprintf("%s%d-%v", m.Target.Kind(), m.Target.Index, m.Fault))
		fault, w := d.Fault(m.Target, m.Fault, x.Problem.Mux), x.Found[i].Witness
		waves, err := waveform.Run(d.File, w, fault, words)
		if err != nil {
			return err
		}
		miter, err := sim.Miter(d.File, fault, x.Problem.Observe.Points(d.File, fault.Var))
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
			return aiger.WriteWitness(out, sim.MiterTrace(d.File, w, fault))
		})
		if err != nil {
			return err
		}
	}
	return nil
}
