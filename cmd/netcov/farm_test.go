package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"netcov/coverage/report"
)

// farmCase is a design, and flags with which enough is left to workers.
type farmCase struct {
	design string
	flags  []string
}

var farmCases = []farmCase{
	{"fifo.aag", []string{"--nodes", "all"}},
	{"arbiter.aag", []string{"--nodes", "all"}},
	{"bus-weak.aag", []string{"--mux", "next"}},
}

// mustRun runs the built program and returns its standard output.
func mustRun(t *testing.T, program string, args ...string) string {
	t.Helper()
	var out, errOut strings.Builder
	c := exec.Command(program, args...)
	c.Stdout, c.Stderr = &out, &errOut
	if err := c.Run(); err != nil {
		t.Fatalf("netcov %s: %v: %s", strings.Join(args, " "), err, errOut.String())
	}
	return out.String()
}

// verdictsOf reads what a JSON report says of design, options, properties and mutants:
// all but how and when a verdict was found, and which of several properties noticed.
func verdictsOf(t *testing.T, path string) map[string]string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var r report.Report
	if err := json.Unmarshal(text, &r); err != nil {
		t.Fatal(err)
	}
	out := map[string]string{
		"design":  fmt.Sprintf("%+v", r.Design),
		"options": fmt.Sprint(r.Options.Faults, r.Options.Mux, r.Options.Tests, r.Options.Engine, r.Options.Seed),
		"counts":  fmt.Sprintf("%+v", r.Summary.Counts),
		"stopped": r.Summary.Stopped,
	}
	for _, p := range r.Properties {
		out["property "+p.Name+strconv.Itoa(p.Index)] = p.Status.String()
	}
	for _, m := range r.Mutants {
		out[fmt.Sprint(m.Node, m.Fault)] = fmt.Sprint(m.Verdict)
	}
	return out
}

// sameVerdicts compares a merged report with that of one machine.
func sameVerdicts(t *testing.T, one, merged string) {
	t.Helper()
	want, got := verdictsOf(t, one), verdictsOf(t, merged)
	if len(want) < 20 {
		t.Fatalf("%s says little: %v", one, want)
	}
	if !maps.Equal(want, got) {
		for k, v := range want {
			if got[k] != v {
				t.Errorf("%s: %q is %q in the merged report, and %q of one machine", merged, k, got[k], v)
			}
		}
	}
}

// TestFarmEqualsOneMachine: three designs, 2, 8 and 32 workers of which some are killed;
// the merged report says what that of one machine says, and its evidence stands.
func TestFarmEqualsOneMachine(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the local launcher and the list of processes are those of Linux")
	}
	program := built(t)
	var killed atomic.Int64
	t.Cleanup(func() { // when all have ended
		if killed.Load() == 0 {
			t.Error("no worker was killed")
		}
		t.Logf("%d workers were killed", killed.Load())
	})
	for _, c := range farmCases {
		t.Run(c.design, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			design, one := filepath.Join(designs, c.design), filepath.Join(dir, "one.json")
			mustRun(t, program, append([]string{"cover", design, "--why", "none", "--format", "json", "-o", one}, c.flags...)...)
			for _, tasks := range []int{2, 8, 32} {
				farm, evidence, merged := filepath.Join(dir, "farm"+strconv.Itoa(tasks)), filepath.Join(dir, "evidence"+strconv.Itoa(tasks)), filepath.Join(dir, "merged.json")
				mustRun(t, program, append([]string{"farm", "submit", design, "--dir", farm, "--tasks", strconv.Itoa(tasks), "--budget", "1ms", "--lease", "1s", "--why", "none"}, c.flags...)...)
				killed.Add(int64(killWorkers(t, farm, min(2, tasks-1))))
				mustRun(t, program, "farm", "wait", farm)
				mustRun(t, program, "farm", "merge", farm, "--format", "json", "-o", merged, "--evidence", evidence, "--jobs", "2")
				sameVerdicts(t, one, merged)
				sameVerdicts(t, one, filepath.Join(farm, "report.json")) // of the dependent job
				if text := mustRun(t, program, "verify", evidence, "--design", design, "--report", merged); !strings.Contains(text, "everything stands") {
					t.Error(text)
				}
			}
		})
	}
}

// killWorkers kills some workers of a farm with signal 9, and returns how many.
func killWorkers(t *testing.T, farm string, most int) int {
	t.Helper()
	killed := 0
	for until := time.Now().Add(2 * time.Second); killed < most && time.Now().Before(until); time.Sleep(time.Duration(rand.IntN(20)) * time.Millisecond) {
		files, err := filepath.Glob("/proc/[0-9]*/cmdline")
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil || killed == most {
				continue
			}
			if args := strings.Split(string(text), "\x00"); len(args) > 3 && args[1] == "farm" && args[2] == "worker" && args[3] == farm {
				pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(file)))
				if syscall.Kill(pid, syscall.SIGKILL) == nil {
					killed++
				}
			}
		}
		if _, err := os.Stat(filepath.Join(farm, "report.json")); err == nil {
			break
		}
	}
	return killed
}
