package plainfile

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

func TestNoPipe(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := NoPipe(pipe); err != nil {
		t.Errorf("a file that is not there: %v", err)
	}
	if err := syscall.Mkfifo(pipe, 0o666); err != nil {
		t.Skip(err)
	}
	if NoPipe(pipe) == nil {
		t.Error("a pipe passes")
	}
}

func TestCheck(t *testing.T) {
	dir := t.TempDir()
	file, link := filepath.Join(dir, "file"), filepath.Join(dir, "link")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{file, dir, filepath.Join(dir, "none"), "-"} {
		if err := Check(path); err != nil {
			t.Error(err)
		}
	}
	if _, err := os.Stat("/dev/zero"); err != nil {
		t.Skip(err)
	}
	if err := os.Symlink("/dev/zero", link); err != nil {
		t.Skip(err)
	}
	for _, path := range []string{link, "/dev/zero"} {
		if Check(path) == nil {
			t.Errorf("%s passes", path)
		}
	}
}

func TestCheckText(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, []byte("text"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := CheckText(file); err != nil {
		t.Error(err)
	}
	if err := os.Truncate(file, MaxText+1); err != nil { // sparse
		t.Skip(err)
	}
	if CheckText(file) == nil {
		t.Error("a huge file passes")
	}
	if err := Check(file); err != nil {
		t.Error(err)
	}
}
