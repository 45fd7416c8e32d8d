package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"netcov/netlist"
	"netcov/sat"
)

// Incremental use: one solver a design, a frame more at a time. In each frame the
// questions are whether the state can be bad and, with -latches, whether each of
// some latches can be true and can be false. All are assumptions, so the
// sequence of clauses and questions is the same for every solver as long as none
// of them runs out of time.

// bmcMain measures two solvers on some files of a directory, or, with -solver,
// asks one solver about one file and prints the time after each frame.
func bmcMain(args []string) error {
	fs := flags("bmc")
	dir := fs.String("dir", "", "directory of AIGER files")
	list := fs.String("solvers", "gini,netcov+Eliminate=false", "two of what solve -solver takes")
	solver := fs.String("solver", "", "ask only this solver about the file that follows")
	per := fs.Int("per", 1, "files a family")
	latches := fs.Int("latches", 0, "latches to ask about in each frame")
	depth := fs.Int("depth", 60, "frames")
	limit := fs.Float64("limit", 10, "seconds of CPU time a run")
	fs.Parse(args)
	if *solver != "" && fs.NArg() == 1 {
		return askFrames(*solver, fs.Arg(0), *latches, *depth, *limit)
	}
	solvers := strings.Split(*list, ",")
	if *dir == "" || fs.NArg() > 0 || len(solvers) != 2 {
		fs.Usage()
		os.Exit(2)
	}
	families, err := families(*dir)
	if err != nil {
		return err
	}
	sum, total, n, different := 0.0, [2]float64{}, 0, 0
	fmt.Printf("%-28s %6s %10s %10s\n", "file", "frames", solvers[0], solvers[1])
	for _, files := range families {
		for i := range min(*per, len(files)) {
			f := files[i*len(files) / *per]
			var runs [2][]frameTime
			for i, s := range solvers {
				runs[i], err = framesOf(s, f, "-latches", fmt.Sprint(*latches), "-depth", fmt.Sprint(*depth), "-limit", fmt.Sprint(*limit))
				if err != nil {
					return err
				}
			}
			k := min(len(runs[0]), len(runs[1]))
			for t := range k {
				if runs[0][t].answers != runs[1][t].answers {
					fmt.Printf("%s: frame %d: answers %s and %s\n", f, t, runs[0][t].answers, runs[1][t].answers)
					different++
				}
			}
			if k == 0 {
				continue
			}
			a, b := runs[0][k-1].seconds, runs[1][k-1].seconds
			fmt.Printf("%-28s %6d %10.3f %10.3f\n", filepath.Base(f), k, a, b)
			total[0], total[1] = total[0]+a, total[1]+b
			if max(a, b) < 0.05 {
				continue
			}
			sum += math.Log(b / a)
			n++
		}
	}
	if n == 0 {
		return errors.New("no file takes 0.05 s")
	}
	fmt.Printf("%d files of 0.05 s or more, %d frames with different answers, %s over %s: geometric mean %.2f; seconds %.1f and %.1f\n",
		n, different, solvers[1], solvers[0], math.Exp(sum/float64(n)), total[0], total[1])
	if different > 0 {
		return fmt.Errorf("%d frames with different answers", different)
	}
	return nil
}

// frameTime is what a run printed after a frame: its answers, a letter each, and
// the CPU seconds so far.
type frameTime struct {
	answers string
	seconds float64
}

// framesOf runs one solver on one file in a process of its own.
func framesOf(solver, file string, args ...string) ([]frameTime, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(self, append(append([]string{"bmc", "-solver", solver}, args...), file)...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %s: %w", file, solver, err)
	}
	var frames []frameTime
	for sc := bufio.NewScanner(bytes.NewReader(out)); sc.Scan(); {
		var f frameTime
		if _, err := fmt.Sscan(sc.Text(), &f.answers, &f.seconds); err != nil {
			return nil, fmt.Errorf("%s: %s: %q: %w", file, solver, sc.Text(), err)
		}
		frames = append(frames, f)
	}
	return frames, nil
}

// solverSink lets an unrolling write to a solver of any make.
type solverSink struct{ sat.Solver }

// askFrames asks one solver and prints a line a frame: the answers, and the CPU
// seconds since the file was read.
func askFrames(spec, file string, latches, depth int, limit float64) error {
	m, err := readModel(file)
	if err != nil {
		return err
	}
	s, err := newSolver(spec)
	if err != nil {
		return err
	}
	stopAfter(limit, func() {})
	start := cpuSeconds()
	fr := netlist.NewFrames(m, netlist.FramesOptions{Sink: netlist.SingleSink(solverSink{s}), Initial: true})
	ctx := context.Background()
	for t := range depth {
		if value, constant := fr.Const(t, m.Constraint); !constant || !value {
			s.AddClause(fr.Lit(t, m.Constraint))
		}
		var answers strings.Builder
		ask := func(l sat.Lit) { answers.WriteString(word(s.Solve(ctx, l))[:1]) }
		ask(fr.Lit(t, m.Bad))
		for i := range min(latches, len(m.Latches)) {
			l := fr.Latch(t, i*len(m.Latches)/min(latches, len(m.Latches)))
			ask(l)
			ask(l.Not())
		}
		fmt.Println(answers.String(), cpuSeconds()-start)
	}
	return nil
}
