package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// fullDisk mounts a file system without any room.
func fullDisk(t *testing.T) string {
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=4k"); err != nil {
		t.Skip("mounting a small file system:", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, 0); err != nil {
			t.Error(err)
		}
	})
	if err := os.WriteFile(filepath.Join(dir, "filler"), make([]byte, 4096), 0o666); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestFullDisk: every output that does not fit is an error exit that says so,
// and leaves nothing behind that looks finished.
func TestFullDisk(t *testing.T) {
	full := fullDisk(t)
	design, evidence := filepath.Join(designs, "counter.aag"), filepath.Join(t.TempDir(), "evidence")
	if code, _, errOut := capture(t, "cover", design, "--evidence", evidence); code != 0 {
		t.Fatal(errOut)
	}
	at := func(name string) string { return filepath.Join(full, name) }
	for _, args := range [][]string{
		{"cover", design, "-o", at("report.txt")},
		{"cover", design, "-o", at("report.json"), "--format", "json"},
		{"cover", design, "-o", at("report.csv"), "--format", "csv"},
		{"cover", design, "--witness-dir", at("witnesses")},
		{"cover", design, "--evidence", at("evidence")},
		{"cover", design, "--journal", at("run.journal")},
		{"check", design, "--property", "0", "--certificate", at("certificate")},
		{"convert", design, at("out.aig")},
		{"convert", design, at("out.aag")},
	} {
		code, _, errOut := capture(t, args...)
		if code != exitFailure || !strings.Contains(errOut, "no space left on device") || strings.Count(errOut, "\n") != 1 {
			t.Errorf("%v: exit code %d, %q", args, code, errOut)
		}
		left, err := os.ReadDir(full)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range left {
			switch f.Name() {
			case "filler":
			case "run.journal", "witnesses": // begun, and of use for what they hold
				os.RemoveAll(at(f.Name()))
			default:
				t.Errorf("%v: leaves %s", args, f.Name())
				os.RemoveAll(at(f.Name()))
			}
		}
	}
}

// TestFullOutput writes the standard output of each command to a full device.
func TestFullOutput(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer full.Close()
	evidence := filepath.Join(t.TempDir(), "evidence")
	design := filepath.Join(designs, "counter.aag")
	if code, _, errOut := capture(t, "cover", design, "--evidence", evidence); code != 0 {
		t.Fatal(errOut)
	}
	for _, args := range [][]string{
		{"cover", design},
		{"cover", design, "--format", "json"},
		{"cover", design, "--format", "csv"},
		{"check", design},
		{"info", design},
		{"verify", evidence},
		{"verify", evidence, "--format", "json"},
		{"--help"},
		{"cover", "--help"},
		{"--version"},
	} {
		var errOut strings.Builder
		if code := run(args, strings.NewReader(""), full, &errOut); code != exitFailure || !strings.Contains(errOut.String(), "no space left on device") {
			t.Errorf("%v: exit code %d, %q", args, code, errOut.String())
		}
	}
}
