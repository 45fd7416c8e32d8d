package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
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
	cpu     time.Duration // of one run, beside the time limit; 0 for none
}

// findABC returns nil where ABC is not installed.
func findABC(name string, cpu time.Duration) *abcProgram {
	if name == "" {
		return nil
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return nil
	}
	a := &abcProgram{path: path, cpu: cpu}
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
	var b bytes.Buffer
	c.Stdout, c.Stderr = &b, &b
	_ = runFor(c, a.cpu)
	cpu, _ = usage(c)
	return cpu, b.String()
}

// solve returns the CPU seconds of an engine, or -1 when it did not decide.
func (a *abcProgram) solve(file, engine string, limit time.Duration) float64 {
	if cpu, decided := a.try(file, engine, limit); decided {
		return cpu
	}
	return -1
}

// try runs an engine and tells its CPU seconds.
func (a *abcProgram) try(file, engine string, limit time.Duration) (seconds float64, decided bool) {
	cpu, out := a.script(fmt.Sprintf("read_aiger %s; %s -T %d; print_status", file, engine, int(limit.Seconds())))
	decided = strings.Contains(out, "Status = 1") || strings.Contains(out, "Status =  1") ||
		strings.Contains(out, "Status = 0") || strings.Contains(out, "Status =  0")
	return max(cpu-a.startup, 0.001), decided
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
	if err != nil || len(f.Constraints) > 0 {
		return
	}
	a.loop(r, f, len(f.Latches), limit, sample)
}

// loop estimates the time of the naive loop from a sample of the mutants of the
// first latches.
func (a *abcProgram) loop(r *row, f *aiger.File, latches int, limit time.Duration, sample int) {
	if latches == 0 || slices.ContainsFunc(f.Latches, func(l aiger.Latch) bool { return l.Reset != 0 }) {
		return
	}
	dir, err := os.MkdirTemp("", "harness")
	if err != nil {
		return
	}
	defer os.RemoveAll(dir)
	rng := rand.New(rand.NewPCG(1, uint64(latches)))
	total := 0.0
	for range sample {
		m, err := sim.Mutant(f, sim.Fault{Var: f.Latches[rng.IntN(latches)].Lit >> 1, Kind: mutant.Fault(rng.IntN(3))})
		if err != nil {
			return
		}
		m.Symbols, m.Comment = aiger.Symbols{}, ""
		file := filepath.Join(dir, "mutant.aig")
		if aiger.WriteFile(file, m) != nil {
			return
		}
		seconds, _ := a.try(file, "pdr", limit) // at least so much, where it did not decide
		total += seconds
	}
	r.naive = total / float64(sample) * float64(r.mutants)
}
