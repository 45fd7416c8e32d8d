package atomicfile

import (
	"errors"
	"io"
	"os"
	"path/filepath"
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
