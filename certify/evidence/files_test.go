package evidence_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"netcov/certify/evidence"
)

// TestOddFiles: evidence whose files are pipes, devices, directories, packed, huge,
// or links that lead elsewhere does not stand. Verification ends, and says what is
// wrong, without reading them.
func TestOddFiles(t *testing.T) {
	run := example(t)
	elsewhere := filepath.Join(t.TempDir(), "elsewhere")
	for name, c := range map[string]struct {
		put  func(path string, good []byte) error
		want string
	}{
		"pipe":      {func(path string, _ []byte) error { return syscall.Mkfifo(path, 0o666) }, "no regular file"},
		"device":    {func(path string, _ []byte) error { return os.Symlink("/dev/zero", path) }, "leads out"},
		"directory": {func(path string, _ []byte) error { return os.Mkdir(path, 0o777) }, "no regular file"},
		"loop":      {func(path string, _ []byte) error { return os.Symlink(filepath.Base(path), path) }, ""},
		"nothing":   {func(string, []byte) error { return nil }, "no such file"},
		"empty":     {func(path string, _ []byte) error { return os.WriteFile(path, nil, 0o666) }, "this is not a"},
		"link to a copy elsewhere": {func(path string, good []byte) error {
			if err := os.WriteFile(elsewhere, good, 0o666); err != nil {
				return err
			}
			return os.Symlink(elsewhere, path)
		}, "leads out"},
		"relative link out": {func(path string, _ []byte) error { return os.Symlink("../../../../../../../etc/hostname", path) }, "leads out"},
		"sparse": {func(path string, good []byte) error {
			if err := os.WriteFile(path, good, 0o666); err != nil {
				return err
			}
			return os.Truncate(path, 100<<30)
		}, "107374182400 bytes, at most"},
		"sparse, of nothing": {func(path string, _ []byte) error {
			if err := os.WriteFile(path, nil, 0o666); err != nil {
				return err
			}
			return os.Truncate(path, 15<<20)
		}, ""},
		"packed": {func(path string, good []byte) error {
			var b bytes.Buffer
			w := gzip.NewWriter(&b)
			if _, err := w.Write(good); err != nil {
				return err
			}
			if err := w.Close(); err != nil {
				return err
			}
			return os.WriteFile(path, b.Bytes(), 0o666)
		}, ""},
	} {
		for _, file := range []string{evidence.IndexName, "design.aag", "p0/t0.wit", "p0/original.witness.aig", "p0/original.model.aig"} {
			dir := filepath.Join(t.TempDir(), "e")
			if err := evidence.Write(context.Background(), dir, run, evidence.WriteOptions{}); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(dir, filepath.FromSlash(file))
			good, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			if err := c.put(path, good); err != nil {
				t.Skip(err)
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			r, err := evidence.Verify(context.Background(), dir, evidence.Options{Jobs: 1})
			runtime.ReadMemStats(&after)
			if used := after.TotalAlloc - before.TotalAlloc; used > 64<<20 {
				t.Errorf("%s in the place of %s takes %d bytes", name, file, used)
			}
			if file == evidence.IndexName {
				if err == nil || !strings.Contains(err.Error(), c.want) {
					t.Errorf("%s in the place of %s: %v", name, file, err)
				}
				continue
			}
			if err != nil || r.Outcome != evidence.Refused || !strings.Contains(r.Failures[0].Where, file) || !strings.Contains(r.Failures[0].What, c.want) {
				t.Errorf("%s in the place of %s: %v, %v", name, file, err, r.Failures)
			}
		}
	}
}

// TestLinkedFolder: a folder that is a link out of the directory is not entered.
func TestLinkedFolder(t *testing.T) {
	dir := mustWrite(t, example(t), evidence.WriteOptions{})
	away := filepath.Join(t.TempDir(), "away")
	if err := os.Rename(filepath.Join(dir, "p0"), away); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(away, filepath.Join(dir, "p0")); err != nil {
		t.Skip(err)
	}
	r := mustVerify(t, dir, evidence.Options{})
	if r.Outcome != evidence.Refused || !strings.Contains(r.Failures[0].What, "leads out") {
		t.Errorf("%v", r.Failures)
	}
}

// TestPaths: an index names files below its directory only, each in one way.
func TestPaths(t *testing.T) {
	for _, path := range []string{"/etc/passwd", "../x", "p0/../../x", "p0/../design.aag", "./design.aag", "p0//t0.wit", "", ".", "p0/", "a\\b", "a\x00b", evidence.IndexName} {
		dir := mustWrite(t, example(t), evidence.WriteOptions{})
		if err := evidence.Forge(dir, func(x *evidence.Index) { x.Files[0].Path, x.Design.File = path, path }); err != nil {
			t.Fatal(err)
		}
		r := mustVerify(t, dir, evidence.Options{})
		if r.Outcome != evidence.Refused || !strings.Contains(r.Failures[0].What, "not below its directory") {
			t.Errorf("%q: %v", path, r.Failures)
		}
	}
}
