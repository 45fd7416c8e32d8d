package plainfile

import (
	"os"
	"path/filepath"
	"testing"
)

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
