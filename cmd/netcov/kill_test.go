package main

import (
	"encoding/csv"
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"netcov/aiger"
)

// TestKill kills the real process at random moments, starts it again with its
// journal, and compares the final reports. NETCOV_KILLS sets the number of runs;
// each is killed several times.
func TestKill(t *testing.T) {
	runs := 4
	if text := os.Getenv("NETCOV_KILLS"); text != "" {
		var err error
		if runs, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	dir := t.TempDir()
	ring := filepath.Join(dir, "ring.aag")
	if err := aiger.WriteFile(ring, tokenRing(8)); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{filepath.Join(designs, "fifo.aag")}, {ring, "--matrix"}} {
		killed(t, runs, args)
	}
}

// killed does so for one design and set of flags.
func killed(t *testing.T, runs int, args []string) {
	dir := t.TempDir()
	netcov := built(t)
	command := func(more ...string) *exec.Cmd {
		return exec.Command(netcov, append(append([]string{"cover", "--format", "csv"}, args...), more...)...)
	}
	want := filepath.Join(dir, "want.csv")
	begin := time.Now()
	if out, err := command("-o", want).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	whole := time.Since(begin)
	verdicts := readVerdicts(t, want)
	r := rand.New(rand.NewPCG(11, 11))
	kills, taken := 0, 0
	for run := range runs {
		journal := filepath.Join(dir, strconv.Itoa(run)+".journal")
		got := filepath.Join(dir, strconv.Itoa(run)+".csv")
		for attempt := 0; ; attempt++ {
			c := command("-o", got, "--journal", journal)
			var log strings.Builder
			c.Stderr = &log
			if err := c.Start(); err != nil {
				t.Fatal(err)
			}
			// later attempts live longer, so that every run comes to its end
			life := time.Duration(r.Int64N(int64(whole)*int64(attempt+2)/2) + 1)
			timer := time.AfterFunc(life, func() { _ = c.Process.Kill() })
			err := c.Wait()
			timer.Stop()
			if err == nil {
				break
			}
			var e *exec.ExitError
			if !errors.As(err, &e) || e.ExitCode() != -1 {
				t.Fatalf("run %d: %v: %s", run, err, log.String())
			}
			kills++
			if _, err := os.Stat(got); err == nil {
				break // killed after the report was written whole
			}
		}
		if info, err := os.Stat(journal); err == nil && info.Size() > 0 {
			taken++
		}
		final := readVerdicts(t, got)
		if len(final) != len(verdicts) {
			t.Fatalf("run %d: %d mutants, want %d", run, len(final), len(verdicts))
		}
		for k, v := range verdicts {
			if final[k] != v {
				t.Errorf("run %d: %s is %s, want %s", run, k, final[k], v)
			}
		}
	}
	t.Logf("%d mutants, %d runs, %d kills, %d journals", len(verdicts), runs, kills, taken)
}

// tokenRing is a ring of stations that pass a token on. Station 0 is served when it has
// the token and a request, and a request stays until then. Bad are two neighbours that
// are served at once; just is station 0 waiting for ever from some step on.
func tokenRing(stations int) *aiger.File {
	f := &aiger.File{}
	next := func() aiger.Lit { f.MaxVar++; return 2 * f.MaxVar }
	and := func(a, b aiger.Lit) aiger.Lit {
		l := next()
		f.Ands = append(f.Ands, aiger.And{Lhs: l, Rhs0: a, Rhs1: b})
		return l
	}
	latch := func() aiger.Lit {
		l := next()
		f.Latches = append(f.Latches, aiger.Latch{Lit: l})
		return l
	}
	for range stations + 1 {
		f.Inputs = append(f.Inputs, next())
	}
	tokens, served := make([]aiger.Lit, stations), make([]aiger.Lit, stations)
	for i := range stations {
		tokens[i] = latch()
	}
	for i := range stations {
		served[i] = latch()
	}
	waiting, watched, served0 := latch(), latch(), latch()
	for i := range stations {
		f.Latches[i].Next = tokens[(i+stations-1)%stations]
		f.Latches[stations+i].Next = and(tokens[i], f.Inputs[i])
		f.Bads = append(f.Bads, and(served[i], served[(i+1)%stations]))
	}
	f.Latches[0].Reset = 1
	request := and(waiting^1, f.Inputs[0]^1) ^ 1
	still := and(request, f.Latches[stations].Next^1)
	f.Latches[2*stations].Next = still
	f.Latches[2*stations+1].Next = and(watched^1, f.Inputs[stations]^1) ^ 1
	f.Latches[2*stations+2].Next = and(served0^1, and(watched, still^1)^1) ^ 1
	f.Constraints = []aiger.Lit{and(waiting, f.Inputs[0]^1) ^ 1}
	f.Justice = [][]aiger.Lit{{and(and(still, watched), served0^1)}}
	return f
}

// readVerdicts reads a CSV report: node and fault to verdict, note, and the
// properties that fail.
func readVerdicts(t *testing.T, path string) map[string]string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, row := range rows[1:] {
		out[strings.Join([]string{row[0], row[1], row[4]}, " ")] = row[6] + " " + strings.Join(row[10:], " ")
	}
	return out
}
