package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"netcov/aiger"
	"netcov/aiger/sim"
	"netcov/mutant"
)

// abcProgram runs ABC for comparison. Its start-up is measured once and
// subtracted from every figure.
type abcProgram struct {
	path    string
	startup float64
}

// findABC returns nil where ABC is not installed.
func findABC(name string) *abcProgram {
	if name == "" {
		return nil
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return nil
	}
	a := &abcProgram{path: path}
	for range 3 {
		cpu, _ := a.script("quit")
		if a.startup == 0 || cpu < a.startup {
			a.startup = cpu
		}
	}
	return a
}

func (a *abcProgram) script(text string) (cpu float64, out string) {
	c := exec.Command(a.path, "-q", text)
	b, _ := c.CombinedOutput()
	cpu, _ = usage(c)
	return cpu, string(b)
}

// solve returns the CPU seconds of an engine, or -1 when it did not decide.
func (a *abcProgram) solve(file, engine string, limit time.Duration) float64 {
	cpu, out := a.script(fmt.Sprintf("read_aiger %s; %s -T %d; print_status", file, engine, int(limit.Seconds())))
	if !strings.Contains(out, "Status = 1") && !strings.Contains(out, "Status =  1") &&
		!strings.Contains(out, "Status = 0") && !strings.Contains(out, "Status =  0") {
		return -1
	}
	return max(cpu-a.startup, 0.001)
}

// beside fills in ABC's figures for a file, and the estimated time of its pdr
// over all mutants from a sample. ABC reads plain designs only: no constraints,
// all resets 0.
func (a *abcProgram) beside(r *row, path string, limit time.Duration, sample int) {
	r.pdr = a.solve(path, "pdr", limit)
	r.interp = a.solve(path, "int", limit)
	if sample == 0 {
		return
	}
	f, err := aiger.ReadFile(path, aiger.Options{})
	if err != nil || len(f.Constraints) > 0 || len(f.Latches) == 0 {
		return
	}
	for _, l := range f.Latches {
		if l.Reset != 0 {
			return
		}
	}
	dir, err := os.MkdirTemp("", "harness")
	if err != nil {
		return
	}
	defer os.RemoveAll(dir)
	rng := rand.New(rand.NewPCG(1, uint64(len(f.Latches))))
	total := 0.0
	for range sample {
		m, err := sim.Mutant(f, sim.Fault{Var: f.Latches[rng.IntN(len(f.Latches))].Lit >> 1, Kind: mutant.Fault(rng.IntN(3))})
		if err != nil {
			return
		}
		m.Symbols, m.Comment = aiger.Symbols{}, ""
		file := filepath.Join(dir, "mutant.aig")
		if aiger.WriteFile(file, m) != nil {
			return
		}
		seconds := a.solve(file, "pdr", limit)
		if seconds < 0 {
			seconds = limit.Seconds() // at least
		}
		total += seconds
	}
	r.naive = total / float64(sample) * float64(r.mutants)
}
