package main

import (
	"context"
	"fmt"
	"os"
	"runtime/pprof"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/go-air/gini/dimacs"
	"github.com/go-air/gini/z"

	"netcov/proof"
	"netcov/sat"
)

// Exit codes of solving, those of the SAT competitions.
const (
	exitSat   = 10
	exitUnsat = 20
)

// solveMain solves one file in this process and exits with 10 (satisfiable), 20
// (unsatisfiable), or 0 when the CPU time ends before.
func solveMain(args []string) error {
	fs := flags("solve")
	spec := fs.String("solver", "netcov", "gini, gophersat, or netcov with options such as netcov+Log=true+Eliminate=false")
	limit := fs.Int("limit", 30, "seconds of CPU time")
	verbose := fs.Bool("v", false, "print counters")
	profile := fs.String("cpuprofile", "", "write a CPU profile")
	fs.Parse(args)
	if fs.NArg() != 1 {
		fs.Usage()
		os.Exit(2)
	}
	s, err := newSolver(*spec)
	if err != nil {
		return err
	}
	stop := func() {}
	if *profile != "" {
		f, err := os.Create(*profile)
		if err != nil {
			return err
		}
		if err := pprof.StartCPUProfile(f); err != nil {
			return err
		}
		stop = func() {
			pprof.StopCPUProfile()
			f.Close()
		}
	}
	if err := load(s, fs.Arg(0)); err != nil {
		return err
	}
	stopAfter(float64(*limit), func() {
		stop()
		fmt.Println("s UNKNOWN")
	})
	loaded := cpuSeconds()
	st := s.Solve(context.Background())
	stop()
	if c, ok := s.(*proof.CDCL); ok && *verbose {
		x := c.Stats()
		fmt.Printf("c %d clauses learnt of %.1f literals, %d restarts, %.1f M propagations, %d eliminated\n",
			x.Learnt, float64(x.LearntLits)/float64(max(x.Learnt, 1)), x.Restarts, float64(x.Propagations)/1e6, x.Eliminated)
		fmt.Printf("c %d MB held, log %d MB and %d MB dropped\n", x.MemoryBytes>>20, x.LogBytes>>20, x.LogDropped>>20)
	}
	if *verbose {
		fmt.Printf("c %.3f s of CPU time, %.3f s of it to load\n", cpuSeconds(), loaded)
	}
	switch st {
	case sat.Sat:
		fmt.Println("s SATISFIABLE")
		os.Exit(exitSat)
	case sat.Unsat:
		fmt.Println("s UNSATISFIABLE")
		os.Exit(exitUnsat)
	}
	return nil
}

// stopAfter ends the process, with exit code 0, once it has taken so many seconds
// of CPU time. A clock beside the solver, rather than a context, slows none of
// them by polling.
func stopAfter(limit float64, last func()) {
	go func() {
		for cpuSeconds() < limit {
			time.Sleep(20 * time.Millisecond)
		}
		last()
		os.Exit(0)
	}()
}

// newSolver makes a solver from its name. Variables are eliminated unless an
// option says no: MiniSat does that, too.
func newSolver(spec string) (sat.Solver, error) {
	kind, options, _ := strings.Cut(spec, "+")
	switch kind {
	case "gini":
		return proof.NewGini(), nil
	case "gophersat":
		return proof.NewGophersat(), nil
	case "netcov":
		o, err := parseOptions(options)
		return proof.NewCDCL(o), err
	}
	return nil, fmt.Errorf("no solver %q", kind)
}

// parseOptions reads switches of proof.Options, each NAME=true or NAME=false, joined
// by +.
func parseOptions(text string) (proof.Options, error) {
	o := proof.Options{Eliminate: true}
	switches := map[string]*bool{"Log": &o.Log, "Eliminate": &o.Eliminate}
	for pair := range strings.SplitSeq(text, "+") {
		if pair == "" {
			continue
		}
		name, value, _ := strings.Cut(pair, "=")
		if switches[name] == nil {
			return o, fmt.Errorf("no option %q", name)
		}
		on, err := strconv.ParseBool(value)
		if err != nil {
			return o, err
		}
		*switches[name] = on
	}
	return o, nil
}

// loading adds what gini's reader of DIMACS files reads to an empty solver.
type loading struct {
	sat.Solver
	clause []sat.Lit
}

func (l *loading) Init(vars, _ int) {
	for range vars {
		l.NewVar()
	}
}

func (l *loading) Add(m z.Lit) {
	if m != 0 {
		l.clause = append(l.clause, sat.MkLit(sat.Var(m.Var()-1), !m.IsPos()))
		return
	}
	l.AddClause(l.clause...)
	l.clause = l.clause[:0]
}

func (l *loading) Eof() {}

// load reads a DIMACS file into an empty solver.
func load(s sat.Solver, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := dimacs.ReadCnf(f, &loading{Solver: s}); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// cpuSeconds is the CPU time of this process so far.
func cpuSeconds() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	sec := func(tv syscall.Timeval) float64 { return float64(tv.Sec) + float64(tv.Usec)/1e6 }
	return sec(u.Utime) + sec(u.Stime)
}
