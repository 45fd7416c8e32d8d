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
	netcov := built(t)
	design := filepath.Join(designs, "fifo.aag")
	want := filepath.Join(dir, "want.csv")
	begin := time.Now()
	if out, err := exec.Command(netcov, "cover", design, "--format", "csv", "-o", want).CombinedOutput(); err != nil {
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
			c := exec.Command(netcov, "cover", design, "--format", "csv", "-o", got, "--journal", journal)
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
	t.Logf("%d runs, %d kills, %d journals", runs, kills, taken)
}

// readVerdicts reads a CSV report: node and fault to verdict and note.
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
		out[strings.Join([]string{row[0], row[1], row[4]}, " ")] = row[6] + " " + row[10]
	}
	return out
}
