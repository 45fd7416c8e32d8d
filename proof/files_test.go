//go:build unix

package proof

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"netcov/proof/dimacs"
	"netcov/sat"
)

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
		for _, opts := range []Options{{Log: true, logCompactBytes: 1 << 20}, {Log: true, Eliminate: true}} {
			s := NewCDCL(opts)
			load(s, cnf)
			s.SetConflictLimit(30000)
			if s.Solve(context.Background()) != sat.Unsat {
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

// load adds a formula to an empty solver.
func load(s sat.Solver, cnf *dimacs.CNF) {
	for range cnf.Vars {
		s.NewVar()
	}
	var lits []sat.Lit
	for _, c := range cnf.Clauses {
		lits = lits[:0]
		for _, l := range c {
			lits = append(lits, sat.MkLit(sat.Var(max(l, -l)-1), l < 0))
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
