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
	c := exec.Command(netcov, "cover", large)
	var out strings.Builder
	c.Stdout = &out
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(400 * time.Millisecond)
	used := func() time.Duration { return c.ProcessState.UserTime() + c.ProcessState.SystemTime() }
	if err := c.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	begin := time.Now()
	_ = c.Wait()
	if code := c.ProcessState.ExitCode(); code != exitTerminated || !strings.Contains(out.String(), " hold") {
		t.Errorf("exit code %d\n%.300s", code, out.String())
	}
	if after := min(time.Since(begin), used()); after > time.Second { // on a busy machine the process may wait
		t.Errorf("the signal was answered after %v", after)
	}
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
