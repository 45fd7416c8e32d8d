package main

import (
	"fmt"
	"os/exec"
	"strconv"

	"netcov/proof"
)

// minisat solves a DIMACS file with MiniSat, within a limit in seconds of CPU
// time, and returns the CPU seconds that its process took.
func minisat(file string, limit int) (proof.Status, float64, error) {
	cmd := exec.Command("minisat", "-verb=0", "-cpu-lim="+strconv.Itoa(limit), file)
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		return proof.Unknown, 0, err
	}
	sec := cpuOf(cmd)
	switch cmd.ProcessState.ExitCode() {
	case 10:
		return proof.Sat, sec, nil
	case 20:
		return proof.Unsat, sec, nil
	}
	if sec < 0.9*float64(limit) {
		return proof.Unknown, sec, fmt.Errorf("minisat %s: %v: %s", file, err, out)
	}
	return proof.Unknown, sec, nil
}

// cpuOf is the CPU time of a process that has ended, in seconds, and not less
// than 1 ms.
func cpuOf(cmd *exec.Cmd) float64 {
	s := cmd.ProcessState
	return max((s.UserTime() + s.SystemTime()).Seconds(), 0.001)
}
