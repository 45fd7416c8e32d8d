package evidence_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"netcov/certify/evidence"
)

// TestOddFiles: evidence whose files are pipes, devices, directories or links that
// lead nowhere does not stand, and verification ends.
func TestOddFiles(t *testing.T) {
	run := example(t)
	for name, put := range map[string]func(path string) error{
		"pipe":      func(path string) error { return syscall.Mkfifo(path, 0o666) },
		"device":    func(path string) error { return os.Symlink("/dev/zero", path) },
		"directory": func(path string) error { return os.Mkdir(path, 0o777) },
		"loop":      func(path string) error { return os.Symlink(path, path) },
		"nothing":   func(string) error { return nil },
	} {
		for _, file := range []string{evidence.IndexName, "design.aag", "p0/t0.wit"} {
			dir := filepath.Join(t.TempDir(), "e")
			if err := evidence.Write(context.Background(), dir, run, evidence.WriteOptions{}); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(dir, filepath.FromSlash(file))
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			if err := put(path); err != nil {
				t.Skip(err)
			}
			r, err := evidence.Verify(context.Background(), dir, evidence.Options{Jobs: 1})
			if err == nil && (r.Stands() || !strings.Contains(r.Failures[0].Where, file)) {
				t.Errorf("%s in the place of %s: %v", name, file, r.Failures)
			}
			if file == evidence.IndexName && err == nil {
				t.Errorf("%s in the place of %s is no error", name, file)
			}
		}
	}
}
