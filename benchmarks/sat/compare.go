package main

import (
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"netcov/sat"
)

// compareMain solves each file of a directory with each solver, every time in a
// process of its own, so that the start, the reading and the garbage collection
// of each count. A run that does not end within the limit counts as the limit.
func compareMain(args []string) error {
	fs := flags("compare")
	list := fs.String("solvers", "minisat,gini,netcov,netcov+Log=true", "minisat and what solve -solver takes")
	limit := fs.Int("limit", 30, "seconds of CPU time a run")
	fs.Parse(args)
	if fs.NArg() != 1 {
		fs.Usage()
		os.Exit(2)
	}
	files, err := filepath.Glob(filepath.Join(fs.Arg(0), "*.cnf"))
	if err != nil {
		return err
	}
	if len(files) == 0 {
		return errors.New(fs.Arg(0) + ": no *.cnf")
	}
	solvers := strings.Split(*list, ",")
	t := &speedTable{solvers: solvers, limit: float64(*limit)}
	fmt.Printf("%-28s %-7s  %s\n", "file", "answer", strings.Join(solvers, "  "))
	for _, f := range files {
		if err := t.file(f, *limit); err != nil {
			return err
		}
	}
	t.summary()
	if t.disagreements > 0 {
		return fmt.Errorf("%d disagreements", t.disagreements)
	}
	return nil
}

// speedTable holds the CPU seconds by file and solver.
type speedTable struct {
	solvers       []string
	limit         float64
	seconds       [][]float64
	unsolved      []int // by solver
	disagreements int
}

// file measures one file and prints its line.
func (t *speedTable) file(path string, limit int) error {
	answer := sat.Unknown
	var text strings.Builder
	var row []float64
	if t.unsolved == nil {
		t.unsolved = make([]int, len(t.solvers))
	}
	for i, name := range t.solvers {
		run := runSelf
		if name == "minisat" {
			run = func(_, path string, limit int) (sat.Status, float64, error) {
				st, sec, _, err := minisat(path, limit)
				return st, sec, err
			}
		}
		st, sec, err := run(name, path, limit)
		if err != nil {
			return err
		}
		note := ""
		switch {
		case st == sat.Unknown || sec > t.limit:
			st, sec, note = sat.Unknown, t.limit, "?"
			t.unsolved[i]++
		case answer == sat.Unknown:
			answer = st
		case st != answer:
			t.disagreements++
			note = "!"
		}
		row = append(row, sec)
		fmt.Fprintf(&text, " %8.2f%s", sec, note)
	}
	t.seconds = append(t.seconds, row)
	fmt.Printf("%-28s %-7s %s\n", strings.TrimSuffix(filepath.Base(path), ".cnf"), word(answer), text.String())
	return nil
}

// summary prints the geometric mean of the ratio of each solver's time to each
// other's.
func (t *speedTable) summary() {
	fmt.Printf("\n%d files, %d disagreements. Geometric means of ratios, row over column:\n%-24s", len(t.seconds), t.disagreements, "")
	for _, name := range t.solvers {
		fmt.Printf(" %15.15s", name)
	}
	fmt.Println("   seconds  unsolved")
	for i, name := range t.solvers {
		fmt.Printf("%-24s", name)
		for j := range t.solvers {
			sum := 0.0
			for _, row := range t.seconds {
				sum += math.Log(row[i] / row[j])
			}
			fmt.Printf(" %15.2f", math.Exp(sum/float64(len(t.seconds))))
		}
		total := 0.0
		for _, row := range t.seconds {
			total += row[i]
		}
		fmt.Printf(" %9.1f %9d\n", total, t.unsolved[i])
	}
}

// runSelf solves a file in a process of this program.
func runSelf(spec, path string, limit int) (sat.Status, float64, error) {
	self, err := os.Executable()
	if err != nil {
		return sat.Unknown, 0, err
	}
	cmd := exec.Command(self, "solve", "-solver", spec, "-limit", strconv.Itoa(limit), path)
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		return sat.Unknown, 0, err
	}
	sec := cpuOf(cmd)
	switch cmd.ProcessState.ExitCode() {
	case exitSat:
		return sat.Sat, sec, nil
	case exitUnsat:
		return sat.Unsat, sec, nil
	case 0:
		return sat.Unknown, sec, nil
	}
	return sat.Unknown, sec, fmt.Errorf("%s on %s: %v: %s", spec, path, err, out)
}
