//go:build unix

package proof

import (
	"context"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"netcov/proof/dimacs"
)

// TestCompareSpeed solves each DIMACS file of a directory with several solvers,
// one after the other, and prints CPU seconds and geometric means of the ratios
// to the first. It runs when NETCOV_CNF names the directory, for instance
//
//	NETCOV_CNF=dir NETCOV_SOLVERS=minisat,cdcl,cdcl+Log=true,gini go test -run CompareSpeed -v -timeout 2h ./proof
//
// Solvers: cdcl, gini, gophersat, and any program that takes a DIMACS file. After
// cdcl, options may follow: cdcl+Log=true+VarDecay=0.9. A run gets NETCOV_LIMIT seconds of CPU time
// (default 60); one that does not end counts as the limit.
func TestCompareSpeed(t *testing.T) {
	dir := os.Getenv("NETCOV_CNF")
	if dir == "" {
		t.Skip("NETCOV_CNF names no directory of DIMACS files")
	}
	names := strings.Split(os.Getenv("NETCOV_SOLVERS"), ",")
	if names[0] == "" {
		names = []string{"minisat", "cdcl", "cdcl+Log=true", "gini"}
	}
	limit := 60
	if n, err := strconv.Atoi(os.Getenv("NETCOV_LIMIT")); err == nil {
		limit = n
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.cnf"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no *.cnf in %s (%v)", dir, err)
	}
	logSum := make([]float64, len(names))
	total := make([]float64, len(names))
	fmt.Printf("%-30s %s\n", "file", strings.Join(names, " "))
	for _, f := range files {
		fmt.Printf("%-30s", strings.TrimSuffix(filepath.Base(f), ".cnf"))
		answer := Unknown
		var first float64
		for i, name := range names {
			st, sec, note := runSolver(t, name, f, limit)
			if st != Unknown {
				if answer != Unknown && st != answer {
					t.Errorf("%s: %s says %v", f, name, st)
				}
				answer = st
			}
			if i == 0 {
				first = sec
			}
			logSum[i] += math.Log(sec / first)
			total[i] += sec
			fmt.Printf("  %6.2f%s", sec, note)
		}
		fmt.Println()
	}
	for i, name := range names {
		fmt.Printf("%-12s geometric mean of ratios %.2f, sum %.1f s\n", name, math.Exp(logSum[i]/float64(len(files))), total[i])
	}
}

// TestProofsOfFiles replays the proof of each unsatisfiable file of the directory
// that NETCOV_CNF names, and hands its text to the LRAT checker. It prints what
// the chain log costs.
func TestProofsOfFiles(t *testing.T) {
	dir := os.Getenv("NETCOV_CNF")
	if dir == "" {
		t.Skip("NETCOV_CNF names no directory of DIMACS files")
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.cnf"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no *.cnf in %s (%v)", dir, err)
	}
	for _, f := range files {
		r, err := os.Open(f)
		if err != nil {
			t.Fatal(err)
		}
		cnf, err := dimacs.Read(r)
		r.Close()
		if err != nil {
			t.Fatal(err)
		}
		for _, opts := range []Options{{Log: true, LogCompactBytes: 1 << 20}, {Log: true, Eliminate: true}} {
			s := NewCDCL(opts)
			load(s, cnf)
			s.SetConflictLimit(30000)
			if s.Solve(context.Background()) != Unsat {
				continue
			}
			p := s.Proof()
			if final, err := Check(p, nil); err != nil || len(final) != 0 {
				t.Errorf("%s: %v, proved %v", f, err, final)
			}
			st := s.Stats()
			fmt.Printf("%-30s %d conflicts, log %.1f MB, dropped %.1f MB, core %d of %d clauses\n",
				filepath.Base(f), st.Conflicts, float64(st.LogBytes)/1e6, float64(st.LogDropped)/1e6, len(p.Core()), len(cnf.Clauses))
			checkText(t, p)
		}
	}
}

// runSolver returns the answer, the seconds of CPU time taken (in this process
// without reading the file), and a note; with NETCOV_STATS set, some counters.
func runSolver(t *testing.T, name, file string, limit int) (Status, float64, string) {
	var s Solver
	kind, option, _ := strings.Cut(name, "+")
	switch kind {
	case "cdcl":
		s = NewCDCL(parseOptions(t, option))
	case "gini":
		s = NewGini()
	case "gophersat":
		s = NewGophersat()
	default:
		cmd := exec.Command("sh", "-c", fmt.Sprintf("ulimit -t %d; exec %s %s", limit, name, file))
		out, _ := cmd.CombinedOutput()
		sec := max((cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds(), 0.001)
		switch {
		case sec >= float64(limit):
			return Unknown, float64(limit), "?"
		case strings.Contains(string(out), "UNSAT"):
			return Unsat, sec, ""
		case strings.Contains(string(out), "SAT"):
			return Sat, sec, ""
		}
		t.Fatalf("%s %s: %s", name, file, out)
	}
	r, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	cnf, err := dimacs.Read(r)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	start := cpuSeconds()
	go func() {
		for ctx.Err() == nil && cpuSeconds()-start < float64(limit) {
			time.Sleep(20 * time.Millisecond)
		}
		cancel()
	}()
	load(s, cnf)
	st := s.Solve(ctx)
	sec := cpuSeconds() - start
	cancel()
	note := ""
	if c, ok := s.(*CDCL); ok && os.Getenv("NETCOV_STATS") != "" {
		x := c.Stats()
		note = fmt.Sprintf(" [%dk confl, %.1fM props, %d restarts, %.1f lits, log %d MB, mem %d MB]", x.Conflicts/1000, float64(x.Propagations)/1e6, x.Restarts, float64(x.LearntLits)/float64(max(x.Learnt, 1)), x.LogBytes>>20, x.MemoryBytes>>20)
	}
	if st == Unknown {
		return Unknown, float64(limit), "?" + note
	}
	return st, sec, note
}

// parseOptions reads name=value pairs, joined by +.
func parseOptions(t *testing.T, text string) Options {
	var o Options
	for pair := range strings.SplitSeq(text, "+") {
		name, value, _ := strings.Cut(pair, "=")
		if name == "" {
			continue
		}
		f := reflect.ValueOf(&o).Elem().FieldByName(name)
		if !f.IsValid() {
			t.Fatalf("no option %s", name)
		}
		var err error
		switch f.Kind() {
		case reflect.Bool:
			var b bool
			b, err = strconv.ParseBool(value)
			f.SetBool(b)
		case reflect.Float64:
			var x float64
			x, err = strconv.ParseFloat(value, 64)
			f.SetFloat(x)
		default:
			var n int64
			n, err = strconv.ParseInt(value, 10, 64)
			f.SetInt(n)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return o
}

// load adds a formula to an empty solver.
func load(s Solver, cnf *dimacs.CNF) {
	for range cnf.Vars {
		s.NewVar()
	}
	var lits []Lit
	for _, c := range cnf.Clauses {
		lits = lits[:0]
		for _, l := range c {
			lits = append(lits, MkLit(Var(max(l, -l)-1), l < 0))
		}
		s.AddClause(lits...)
	}
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
