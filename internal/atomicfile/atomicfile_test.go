package atomicfile

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

func TestWrite(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out")
	put := func(text string, fail error) error {
		return Write(path, func(w io.Writer) error {
			if _, err := io.WriteString(w, text); err != nil {
				return err
			}
			return fail
		})
	}
	if err := put("first", nil); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, 0o640); err != nil {
		t.Fatal(err)
	}
	if err := put("second", nil); err != nil {
		t.Fatal(err)
	}
	stop := errors.New("stop")
	if err := put("half of the thi", stop); !errors.Is(err, stop) {
		t.Fatalf("error %v", err)
	}
	got, err := os.ReadFile(path)
	if err != nil || string(got) != "second" {
		t.Errorf("%q, %v", got, err)
	}
	if info, _ := os.Stat(path); info.Mode().Perm() != 0o640 {
		t.Errorf("mode %v", info.Mode())
	}
	if list, _ := os.ReadDir(dir); len(list) != 1 {
		t.Errorf("left behind: %v", list)
	}
	if err := Write(filepath.Join(dir, "none", "out"), func(io.Writer) error { return nil }); err == nil {
		t.Error("a missing folder is no error")
	}
	if err := Write(dir, func(io.Writer) error { return nil }); err == nil {
		t.Error("a folder is replaced")
	}
	if list, _ := os.ReadDir(dir); len(list) != 1 {
		t.Errorf("left behind: %v", list)
	}
}

// TestProbe: it agrees with Write, and changes nothing.
func TestProbe(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, []byte("text"), 0o666); err != nil {
		t.Fatal(err)
	}
	for path, good := range map[string]bool{
		"": true, file: true, filepath.Join(dir, "new"): true, "/dev/null": true,
		dir: false, filepath.Join(dir, "none", "new"): false, filepath.Join(file, "new"): false,
	} {
		if err := Probe(path); (err == nil) != good {
			t.Errorf("%s: %v", path, err)
		}
	}
	list, _ := os.ReadDir(dir)
	if got, err := os.ReadFile(file); len(list) != 1 || err != nil || string(got) != "text" {
		t.Errorf("%v, %q, %v", list, got, err)
	}
}

// TestNotRegular: a link is followed, and a pipe is written to, not replaced.
func TestNotRegular(t *testing.T) {
	dir := t.TempDir()
	hello := func(w io.Writer) error {
		_, err := io.WriteString(w, "hello")
		return err
	}
	link, target := filepath.Join(dir, "link"), filepath.Join(dir, "target")
	if err := os.WriteFile(target, []byte("old"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, link); err != nil {
		t.Skip(err)
	}
	if err := Write(link, hello); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(target); err != nil || string(got) != "hello" {
		t.Errorf("the link's target holds %q, %v", got, err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Error("the link is gone")
	}
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o666); err != nil {
		t.Skip(err)
	}
	got := make(chan string)
	go func() {
		b, _ := os.ReadFile(pipe)
		got <- string(b)
	}()
	if err := Write(pipe, hello); err != nil {
		t.Fatal(err)
	}
	if text := <-got; text != "hello" {
		t.Errorf("the pipe gave %q", text)
	}
}
