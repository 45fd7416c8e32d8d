package confine

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
)

// TestConfine: a program in the place of yosys writes inside of its folder only.
func TestConfine(t *testing.T) {
	inside, outside := t.TempDir(), t.TempDir()
	possible := make(chan bool)
	go func() {
		runtime.LockOSThread()
		possible <- confine(inside)
	}()
	if !<-possible {
		t.Skip("this kernel has no Landlock")
	}
	old := filepath.Join(outside, "old")
	if err := os.WriteFile(old, []byte("kept"), 0o666); err != nil {
		t.Fatal(err)
	}
	script := "echo x > " + inside + "/new; mkdir " + inside + "/dir; echo x > " + inside + "/dir/new; echo x > " + outside + "/new; echo x > " + old + "; rm -f " + old + "; mv " + inside + "/new " + outside +
		"/moved; ln -s / " + outside + "/link; echo x > /dev/null && echo x > " + inside + "/null; cat " + old + " > " + inside + "/read; head -c 1 /dev/zero > " + inside + "/zero && echo x > " + inside + "/device; true"
	if err := Run(t.Context(), inside, 0, func(*exec.Cmd) {}, "sh", "-c", script); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"new", "dir/new", "null", "read"} {
		if _, err := os.Stat(filepath.Join(inside, name)); err != nil {
			t.Errorf("%s was not written inside", name)
		}
	}
	if _, err := os.Stat(filepath.Join(inside, "device")); err == nil {
		t.Error("it reads a device")
	}
	entries, err := os.ReadDir(outside)
	if err != nil || len(entries) != 1 {
		t.Errorf("outside are %v, %v", entries, err)
	}
	if text, _ := os.ReadFile(old); string(text) != "kept" {
		t.Errorf("the file outside is %q", text)
	}
	if err := os.WriteFile(filepath.Join(outside, "after"), nil, 0o666); err != nil {
		t.Errorf("the test itself is confined: %v", err)
	}
}
