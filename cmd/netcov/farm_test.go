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
			dir := filepath.Join(t.TempDir(), "N's \"odd\" $(touch N)\n-d")
			if err := os.Mkdir(dir, 0o755); err != nil {
				t.Fatal(err)
			}
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

// TestImitatedSchedulers follows the page of documentation with LSF's commands and with
// those of SGE, for which the page has a launcher; both are imitated by scripts that take
// the arguments that the real ones are documented to take, and no others.
func TestImitatedSchedulers(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the imitations are scripts for Linux")
	}
	program, dir := built(t), t.TempDir()
	bin := filepath.Join(dir, "bin")
	if err := os.Mkdir(bin, 0o777); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		// a job is a process group; its ID is that of the group
		"bsub": `while [ $# -gt 0 ]; do
	case "$1" in
	-r) shift;;
	-J|-n|-o|-M|-W|-q) eval "opt_${1#-}=\$2"; shift 2;;
	-w) wait=${2#ended(}; wait=${wait%)}; shift 2;;
	-*) echo "bsub: Illegal option $1" >&2; exit 255;;
	*) break;;
	esac
done
echo "$opt_M $opt_W $opt_q" >>"$LIMITS"
case "$opt_J" in *\[1-*) last=${opt_J##*-}; last=${last%]};; *) last=0;; esac
(
	[ -z "$wait" ] || while kill -s 0 -- -$wait 2>/dev/null; do sleep 0.1; done
	if [ $last = 0 ]; then "$@"; else seq 1 $last | xargs -P 4 -I N env LSB_JOBINDEX=N "$@"; fi
) >>"$LIMITS.log" 2>&1 </dev/null &
echo "Job <$$> is submitted to default queue <normal>."
`,
		"bjobs": `for id; do :; done
if kill -s 0 -- -$id 2>/dev/null; then echo $id; else echo "Job <$id> is not found" >&2; exit 255; fi
`,
		"bkill": `kill -9 -$1
`,
		"qsub": `while [ $# -gt 0 ]; do
	case "$1" in
	-terse|-cwd) shift;;
	-N|-o|-j|-l) shift 2;;
	-t) last=${2#1-}; shift 2;;
	-hold_jid) wait=$2; shift 2;;
	-*) echo "qsub: Unknown option" >&2; exit 1;;
	*) break;;
	esac
done
(
	[ -z "$wait" ] || while kill -s 0 -- -$wait 2>/dev/null; do sleep 0.1; done
	if [ -z "$last" ]; then sh "$@"; else seq 1 $last | xargs -P 4 -I N env SGE_TASK_ID=N sh "$@"; fi
) >/dev/null 2>&1 </dev/null &
echo "$$${last:+.1-$last:1}"
`,
		"qstat": `kill -s 0 -- -$2 2>/dev/null
`,
		"qdel": `kill -9 -$1
`,
	} {
		if err := os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\n"+text), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	limits := filepath.Join(dir, "limits")
	t.Setenv("LIMITS", limits)
	page, err := os.ReadFile("../../docs/farm.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(page), "```toml\n")
	text, _, _ := strings.Cut(rest, "```")
	sge := filepath.Join(dir, "sge.toml")
	if err := os.WriteFile(sge, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	c := farmCases[2]
	design, one := filepath.Join(designs, c.design), filepath.Join(dir, "one.json")
	mustRun(t, program, append([]string{"cover", design, "--why", "none", "--format", "json", "-o", one}, c.flags...)...)
	for launcher, named := range map[string][]string{"lsf": nil, sge: {"--launcher", sge}} {
		farm := filepath.Join(dir, filepath.Base(launcher)+".farm")
		args := append([]string{
			"farm", "submit", design, "--dir", farm, "--tasks", "3", "--launcher", launcher, "--budget", "1ms", "--lease", "1s", "--why", "none",
			"--memory-limit", "1GiB", "--time", "90m",
		}, c.flags...)
		if named == nil {
			args = append(args, "--launcher-option=-q", "--launcher-option=long")
		} else if out, err := exec.Command(program, "farm", "status", farm).CombinedOutput(); err == nil {
			t.Errorf("%s", out)
		}
		mustRun(t, program, args...)
		mustRun(t, program, append([]string{"farm", "status", farm}, named...)...)
		mustRun(t, program, append([]string{"farm", "wait", farm}, named...)...)
		sameVerdicts(t, one, filepath.Join(farm, "report.json"))
		if named != nil { // a launcher's file is not taken from the directory
			out, err := exec.Command(program, "farm", "status", farm).CombinedOutput()
			if err == nil || !strings.Contains(string(out), "launcher of your own") {
				t.Errorf("%v: %s", err, out)
			}
		}
		mustRun(t, program, append([]string{"farm", "cancel", farm}, named...)...)
	}
	if text, err := os.ReadFile(limits); err != nil || string(text) != "1024MB 90 long\n1024MB  long\n" {
		t.Errorf("LSF is given the limits %q, %v", text, err)
	}
}

// TestFarmFullDisk: a worker that cannot write ends with an error, its batch goes back,
// and nothing is lost when there is room again.
func TestFarmFullDisk(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=512k"); err != nil {
		t.Skip("mounting a small file system:", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, 0); err != nil {
			t.Error(err)
		}
	})
	design, farm, merged := filepath.Join(designs, "fifo.aag"), filepath.Join(dir, "farm"), filepath.Join(t.TempDir(), "merged.csv")
	submit := []string{"farm", "submit", design, "--dir", farm, "--tasks", "2", "--launcher", "none", "--budget", "1ms", "--why", "none"}
	if code, _, errOut := capture(t, submit...); code != 0 {
		t.Fatal(errOut)
	}
	filler := filepath.Join(dir, "filler")
	_ = os.WriteFile(filler, make([]byte, 1<<20), 0o666) // fails when the disk is full
	for _, args := range [][]string{{"farm", "worker", farm, "--quiet"}, submit} {
		code, _, errOut := capture(t, args...)
		if code != exitFailure || !strings.Contains(errOut, "no space left on device") || strings.Count(errOut, "\n") != 1 {
			t.Errorf("%v: exit code %d, %q", args, code, errOut)
		}
	}
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{submit, {"farm", "worker", farm, "--quiet"}, {"farm", "merge", farm, "--format", "csv", "-o", merged}} {
		if code, _, errOut := capture(t, args...); code != 0 {
			t.Fatalf("%v: %s", args, errOut)
		}
	}
	for k, v := range readVerdicts(t, merged) {
		if strings.HasPrefix(v, "unknown") {
			t.Errorf("%s is %s", k, v)
		}
	}
}
