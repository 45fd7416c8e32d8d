package main

import (
	"bytes"
	"fmt"
	"os/exec"
	"regexp"
	"strconv"

	"netcov/sat"
)

// noConflict matches MiniSat's count of conflicts when there was none.
var noConflict = regexp.MustCompile(`(?m)^conflicts +: 0 `)

// minisat solves a DIMACS file with MiniSat, within a limit in seconds of CPU
// time. It returns the CPU seconds that its process took and whether it met a
// conflict.
func minisat(file string, limit int) (st sat.Status, sec float64, search bool, err error) {
	cmd := exec.Command("minisat", "-verb=1", "-cpu-lim="+strconv.Itoa(limit), file)
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		return sat.Unknown, 0, false, err
	}
	sec = cpuOf(cmd)
	search = bytes.Contains(out, []byte("conflicts ")) && !noConflict.Match(out)
	switch cmd.ProcessState.ExitCode() {
	case 10:
		return sat.Sat, sec, search, nil
	case 20:
		return sat.Unsat, sec, search, nil
	}
	if sec < 0.9*float64(limit) {
		return sat.Unknown, sec, search, fmt.Errorf("minisat %s: %v: %s", file, err, out)
	}
	return sat.Unknown, sec, search, nil
}

// cpuOf is the CPU time of a process that has ended, in seconds, and not less
// than 1 ms.
func cpuOf(cmd *exec.Cmd) float64 {
	s := cmd.ProcessState
	return max((s.UserTime() + s.SystemTime()).Seconds(), 0.001)
}
