// Package shared finds the shared benchmark folder that stands beside a
// developer's checkout. It is absent on a user's machine: tests that need it
// skip then.
package shared

import (
	"os"
	"path/filepath"
	"testing"
)

// Dir returns the path of name inside the shared benchmark folder (the
// directory in NETCOV_SHARED, or else ../shared beside the repository root),
// and skips the test when it is not there.
func Dir(tb testing.TB, name string) string {
	tb.Helper()
	root := os.Getenv("NETCOV_SHARED")
	if root == "" {
		root = besideRepository()
	}
	path := filepath.Join(root, name)
	if _, err := os.Stat(path); root == "" || err != nil {
		tb.Skipf("the shared benchmark folder has no %s here", name)
	}
	return path
}

// besideRepository walks up from the working directory to the module's root.
func besideRepository() string {
	dir, err := os.Getwd()
	if err != nil {
		return ""
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return filepath.Join(filepath.Dir(dir), "shared")
		}
		up := filepath.Dir(dir)
		if up == dir {
			return ""
		}
		dir = up
	}
}
