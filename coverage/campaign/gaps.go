package campaign

import (
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"netcov/aiger"
	"netcov/aiger/sim"
	"netcov/coverage/report"
	"netcov/coverage/waveform"
	"netcov/internal/atomicfile"
	"netcov/mutant"
)

// Gaps are runs of gaps for a page, at most so many, and the number of gaps that are left
// out. Each register has one before some have more.
func (d *Design) Gaps(x *Explained, most int) ([]report.Gap, int, error) {
	describe, words := d.Describe(), d.Words()
	type gap struct {
		report.Gap
		at, before int // position among the mutants, and gaps of the register before it
	}
	var all []gap
	seen := map[string]int{}
	for i, m := range x.Mutants {
		if x.Found[i].Reason != mutant.Gap {
			continue
		}
		n := describe(m.Target)
		register := cmp.Or(n.Register, fmt.Sprint(n.Kind, n.Index))
		all = append(all, gap{report.Gap{Node: n, Fault: n.Shown(m.Fault).String()}, i, seen[register]})
		seen[register]++
	}
	slices.SortStableFunc(all, func(a, b gap) int { return a.before - b.before })
	left := max(0, len(all)-most)
	all = all[:len(all)-left]
	slices.SortStableFunc(all, func(a, b gap) int { return a.at - b.at })
	var out []report.Gap
	for _, g := range all {
		m := x.Mutants[g.at]
		waves, err := waveform.Run(d.File, x.Found[g.at].Witness, d.Fault(m.Target, m.Fault, x.Problem.Mux), words)
		if err != nil {
			return nil, 0, err
		}
		g.Waves = waves
		out = append(out, g.Gap)
	}
	return out, left, nil
}

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
