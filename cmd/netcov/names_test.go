package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestOddNames: whatever files and nodes are called, an error is one line, and
// nothing that a terminal would obey is written to it.
func TestOddNames(t *testing.T) {
	dir := t.TempDir()
	design := "aag 1 0 1 0 0 1\n2 2\n2\nl0 a\x1b[31mred\nb0 \xe2\x80\xaep\xff\xfe\n"
	for _, name := range []string{"a b.aag", "two\nlines.aag", "größe.aag", "esc\x1b[2J.aag", "-x.aag", "'quote\".aag", "\xff.aag"} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(design), 0o666); err != nil {
			t.Fatal(err)
		}
		for _, command := range []string{"cover", "info"} {
			code, out, errOut := capture(t, command, path)
			if code != 0 || errOut != "" {
				t.Errorf("%s %q: exit code %d, %s", command, name, code, errOut)
			}
			if strings.ContainsAny(out, "\x1b\x07") || strings.Contains(out, "\u202e") || !strings.Contains(out, "\\u202ep") {
				t.Errorf("%s %q writes %q", command, name, out)
			}
		}
		code, _, errOut := capture(t, "cover", path+".missing")
		if code != exitFailure || strings.Count(errOut, "\n") != 1 || strings.Contains(errOut, "\x1b") {
			t.Errorf("%q is missing: exit code %d, %q", name, code, errOut)
		}
		report := path + ".json"
		if code, _, errOut := capture(t, "cover", path, "--format", "json", "-o", report, "--evidence", path+".d", "--witness-dir", path+".w"); code != 0 {
			t.Errorf("%q: %s", name, errOut)
		}
		if code, out, _ := capture(t, "verify", path+".d", "--report", report, "--design", path); code != 0 || strings.Contains(out, "\x1b") {
			t.Errorf("%q: exit code %d, %q", name, code, out)
		}
	}
}
