package scratch

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestDir: a folder that nobody locks is removed by a later run, once it is old enough;
// one in use stays.
func TestDir(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	used, end, err := Dir("work-")
	if err != nil {
		t.Fatal(err)
	}
	young, old := filepath.Join(os.TempDir(), "work-young"), filepath.Join(os.TempDir(), "work-old")
	for _, dir := range []string{young, old} {
		if err := os.MkdirAll(filepath.Join(dir, "sub"), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	for _, dir := range []string{used, old} {
		past := time.Now().Add(-2 * unlocked)
		if err := os.Chtimes(dir, past, past); err != nil {
			t.Fatal(err)
		}
	}
	_, again, err := Dir("work-")
	if err != nil {
		t.Fatal(err)
	}
	for dir, want := range map[string]bool{used: true, young: true, old: false} {
		if _, err := os.Stat(dir); (err == nil) != want {
			t.Errorf("%s: %v", dir, err)
		}
	}
	end()
	again()
	if left, _ := filepath.Glob(filepath.Join(os.TempDir(), "work-*")); len(left) != 1 {
		t.Errorf("%v are left", left)
	}
}
