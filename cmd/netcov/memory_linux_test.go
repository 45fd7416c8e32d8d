package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// manyProperties is a design of toggling registers, in AIGER's ASCII form, with a
// property about each: none is ever 1 together with its copy a step later.
func manyProperties(n int) string {
	var latches, bads, gates strings.Builder
	for k := range n {
		one := 2 * (2*k + 2)
		copied, gate := one+2, 2*(2*n+2+k)
		fmt.Fprintf(&latches, "%d %d\n%d %d\n", one, one^1, copied, one)
		fmt.Fprintf(&bads, "%d\n", gate)
		fmt.Fprintf(&gates, "%d %d %d\n", gate, copied, one)
	}
	return fmt.Sprintf("aag %d 1 %d 0 %d %d\n2\n%s%s%s", 3*n+1, 2*n, n, n, latches.String(), bads.String(), gates.String())
}

// TestManyPropertiesNeedLittle: memory does not grow with properties times
// registers, and a signal is answered at once. A model of the whole design for each
// property, or a row for each property and mutant, takes hundreds of MB.
func TestManyPropertiesNeedLittle(t *testing.T) {
	dir := t.TempDir()
	netcov, design := built(t), filepath.Join(dir, "d.aag")
	if err := os.WriteFile(design, []byte(manyProperties(300)), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"--memory-limit", "100MiB"}, {"--format", "csv", "-o", filepath.Join(dir, "r.csv")}} {
		c := exec.Command(netcov, append([]string{"cover", design}, args...)...)
		if mib := peakOf(t, c); mib == 0 || mib > 164 {
			t.Errorf("%v: a peak of %d MiB", args, mib)
		}
	}
	large := filepath.Join(dir, "large.aag")
	if err := os.WriteFile(large, []byte(manyProperties(3000)), 0o666); err != nil {
		t.Fatal(err)
	}
	// A signal may come before the process is ready for it, which on a busy machine takes long.
	for wait := 400 * time.Millisecond; ; wait *= 2 {
		code, text, after := terminated(t, exec.Command(netcov, "cover", large), wait)
		if code == -1 && wait < 10*time.Second {
			continue
		}
		if code != exitTerminated || !strings.Contains(text, " hold") {
			t.Errorf("exit code %d\n%.300s", code, text)
		}
		if after > time.Second {
			t.Errorf("the signal was answered after %v", after)
		}
		return
	}
}

// terminated sends a command a signal after some time: its exit code, -1 where the signal
// killed it, what it wrote, and how long it took to answer.
func terminated(t *testing.T, c *exec.Cmd, wait time.Duration) (code int, text string, after time.Duration) {
	t.Helper()
	var out strings.Builder
	c.Stdout = &out
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(wait)
	if err := c.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	begin := time.Now()
	_ = c.Wait()
	used := c.ProcessState.UserTime() + c.ProcessState.SystemTime()
	return c.ProcessState.ExitCode(), out.String(), min(time.Since(begin), used) // on a busy machine the process may wait
}

// peakOf runs a command and returns its largest resident set, in MiB. The usage
// that the system tells of an ended process begins with that of its parent before
// the exec, so it is no measure here.
func peakOf(t *testing.T, c *exec.Cmd) (mib int) {
	t.Helper()
	var out strings.Builder
	c.Stderr = &out
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	for {
		status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", c.Process.Pid))
		if _, after, ok := strings.Cut(string(status), "VmHWM:"); ok {
			var kb int
			if _, err := fmt.Sscan(after, &kb); err == nil {
				mib = max(mib, kb>>10)
			}
		}
		select {
		case err := <-ended:
			if err != nil {
				t.Fatalf("%v: %s", err, out.String())
			}
			return mib
		case <-time.After(5 * time.Millisecond):
		}
	}
}
