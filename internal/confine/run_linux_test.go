package confine

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// shell runs a script, and returns what it writes.
func shell(ctx context.Context, t *testing.T, memory int64, script string) (string, error) {
	t.Helper()
	var said bytes.Buffer
	err := Run(ctx, t.TempDir(), memory, func(cmd *exec.Cmd) { cmd.Stdout = &said }, "sh", "-c", script)
	return strings.TrimSpace(said.String()), err
}

// grow doubles a string of the shell without end.
const grow = "x=0123456789abcdef; while :; do x=$x$x; done"

// TestMemory: a program that needs more than its limit ends, and so does one whose child
// does; one that needs less is left alone.
func TestMemory(t *testing.T) {
	ctx, end := context.WithTimeout(t.Context(), time.Minute)
	defer end()
	for _, script := range []string{grow, "sh -c '" + grow + "'; true", "(" + grow + ") & wait"} {
		if _, err := shell(ctx, t, 64<<20, script); !errors.Is(err, ErrMemory) {
			t.Errorf("%s: %v", script, err)
		}
	}
	if said, err := shell(ctx, t, 64<<20, "sleep 0.1; echo done"); err != nil || said != "done" {
		t.Errorf("%q, %v", said, err)
	}
	if err := Run(ctx, t.TempDir(), 0, func(*exec.Cmd) {}, "no such program"); !errors.Is(err, exec.ErrNotFound) {
		t.Error(err)
	}
	if Memory() < 1<<20 {
		t.Errorf("the machine has %d bytes", Memory())
	}
}

// TestChildrenEnd: with its time a program's children end, too.
func TestChildrenEnd(t *testing.T) {
	ctx, end := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer end()
	begin := time.Now()
	said, err := shell(ctx, t, 0, "sleep 100 & echo $!; wait")
	if err == nil || time.Since(begin) > 20*time.Second {
		t.Errorf("%v after %v", err, time.Since(begin))
	}
	if pid, err := strconv.Atoi(said); err != nil || !gone(pid) {
		t.Errorf("%q still runs, %v", said, err)
	}
}

// gone waits for the end of a process, dead or not waited for.
func gone(pid int) bool {
	for range 200 {
		if syscall.Kill(pid, 0) != nil {
			return true
		}
		stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
		if err != nil || strings.Contains(string(stat), ") Z ") {
			return true
		}
		time.Sleep(10 * time.Millisecond)
	}
	return false
}

// TestOutlivesNobody: where the process that runs a program is killed, the program ends.
func TestOutlivesNobody(t *testing.T) {
	if os.Getenv("CONFINE_TEST_CHILD") != "" {
		_ = Run(t.Context(), t.TempDir(), 0, func(cmd *exec.Cmd) { cmd.Stdout = os.Stdout }, "sh", "-c", "echo $$; exec sleep 100")
		return
	}
	cmd := exec.Command(os.Args[0], "-test.run", "TestOutlivesNobody")
	cmd.Env = append(os.Environ(), "CONFINE_TEST_CHILD=1")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	text := make([]byte, 32)
	n, _ := out.Read(text)
	pid, err := strconv.Atoi(strings.TrimSpace(string(text[:n])))
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if !gone(pid) {
		t.Errorf("process %d still runs", pid)
	}
}
