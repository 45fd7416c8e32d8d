package main

import (
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// TestNothingKeepsRunning: no goroutine is left after runs that ended early: by
// a time limit, a budget, a memory limit, or a signal.
func TestNothingKeepsRunning(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	design := filepath.Join(designs, "fifo.aag")
	for _, args := range [][]string{
		{"cover", design},
		{"cover", design, "--jobs", "4", "--recheck", "both"},
		{"cover", design, "--budget", "1ms", "--jobs", "4"},
		{"cover", design, "--budget", "20ms", "--recheck", "both", "--solver", "gini"},
		{"cover", design, "--budget", "20ms", "--solver", "gophersat"},
		{"cover", design, "--budget", "20ms", "--cascade", "dac10"},
		{"cover", design, "--timeout", "1us"},
		{"cover", design, "--timeout", "5ms", "--engine", "portfolio"},
		{"cover", design, "--stop-at", "50%", "--jobs", "3"},
		{"cover", design, "--memory-limit", "1KB"},
		{"cover", design, "--memory-limit", "100MB", "--jobs", "2"},
		{"check", design, "--timeout", "1ms", "--engine", "interp"},
		{"check", design, "--timeout", "1ms"},
	} {
		capture(t, args...)
	}
	late := make(chan os.Signal, 1) // takes a signal that comes after the run
	signal.Notify(late, syscall.SIGINT, syscall.SIGTERM)
	defer signal.Stop(late)
	for _, s := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		for _, args := range [][]string{
			{"cover", design, "--naive", "--engine", "interp", "--jobs", "2"},
			{"cover", design, "--recheck", "both", "--jobs", "2"},
			{"check", design, "--engine", "interp"},
		} {
			for _, after := range []time.Duration{time.Millisecond, 15 * time.Millisecond, 40 * time.Millisecond} {
				interruptedRun(t, s, after, args)
			}
		}
	}
}

// interruptedRun sends this process a signal while a command runs in it.
func interruptedRun(t *testing.T, s syscall.Signal, after time.Duration, args []string) {
	t.Helper()
	var out, errOut strings.Builder
	done := make(chan int)
	go func() { done <- run(args, strings.NewReader(""), &out, &errOut) }()
	time.Sleep(after)
	if err := syscall.Kill(os.Getpid(), s); err != nil {
		t.Fatal(err)
	}
	code := -1
	select {
	case code = <-done:
	case <-time.After(20 * time.Second):
		t.Fatalf("%v goes on 20 s after the signal", args)
	}
	want := exitInterrupt
	if s == syscall.SIGTERM {
		want = exitTerminated
	}
	name := map[syscall.Signal]string{syscall.SIGINT: "SIGINT", syscall.SIGTERM: "SIGTERM"}[s]
	if code != want && code != exitDone || code == want && !strings.Contains(errOut.String(), "interrupted ("+name+")") {
		t.Errorf("%v: exit code %d after %v: %s", args, code, s, errOut.String())
	}
}

// TestInterruptWaiting: a signal ends a run that waits for standard input.
func TestInterruptWaiting(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	netcov := filepath.Join(t.TempDir(), "netcov") // by this name it is the command
	if err := os.Symlink(self, netcov); err != nil {
		t.Skip(err)
	}
	for wait := 200 * time.Millisecond; ; wait *= 3 {
		c := exec.Command(netcov, "cover", "-")
		if _, err := c.StdinPipe(); err != nil {
			t.Fatal(err)
		}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(wait)
		if err := c.Process.Signal(syscall.SIGINT); err != nil {
			t.Fatal(err)
		}
		late := time.AfterFunc(20*time.Second, func() { _ = c.Process.Kill() })
		_ = c.Wait()
		if !late.Stop() {
			t.Fatal("the run goes on waiting")
		}
		switch code := c.ProcessState.ExitCode(); {
		case code == exitInterrupt:
			return
		case code >= 0 || wait > 10*time.Second: // else the signal came before the program listened
			t.Fatalf("exit code %d", code)
		}
	}
}
