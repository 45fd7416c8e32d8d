package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestArraysInRuns: a counterexample is shown in the design's own signals, and arrays by
// element.
func TestArraysInRuns(t *testing.T) {
	const bits = "1 sort bitvec 1\n2 sort bitvec 3\n3 sort array 2 1\n4 zero 1\n5 state 3 a\n6 init 3 5 4\n7 input 2 i\n8 input 1 d\n9 write 3 5 7 8\n10 next 3 5 9\n11 input 2 r\n12 read 1 5 11\n13 constd 2 5\n14 eq 1 11 13\n15 and 1 12 14\n16 bad 15\n"
	for _, c := range []struct {
		name, text, limit string
		want              []string // rows
	}{
		{"elements of a bit", bits, "100", []string{`input r\[2:0\] x 0x5`, `register a\[5\] 0 1`, `register a\[2\] 0 0`}},
		{"many elements", strings.ReplaceAll(strings.ReplaceAll(bits, "bitvec 3", "bitvec 7"), "constd 2 5", "constd 2 77"), "1000", []string{`register a\[77\] 0 1`}},
		{"by word", bits, "1", []string{`input r\[2:0\] \S+ 0x5`, `input i\[2:0\] 0x5 \S+`, `register a\[5\] 0 1`}},
		{"an input by word", "1 sort bitvec 2\n2 sort array 1 1\n3 input 2 m\n4 input 1 r\n5 read 1 3 4\n6 sort bitvec 1\n7 redand 6 5\n8 eq 6 4 5\n9 and 6 7 8\n10 bad 9\n", "1", []string{`input r\[1:0\] 0x3`, `input m\[3\]\[1:0\] 0x3`}},
	} {
		path := filepath.Join(t.TempDir(), "design.btor2")
		if err := os.WriteFile(path, []byte(c.text), 0o666); err != nil {
			t.Fatal(err)
		}
		code, out, errOut := capture(t, "check", path, "--format", "text", "--memory-bits", c.limit)
		out = regexp.MustCompile(` +`).ReplaceAllString(out, " ")
		if code != 3 {
			t.Errorf("%s: exit code %d\n%s", c.name, code, errOut)
		}
		for _, row := range c.want {
			if !regexp.MustCompile(`(?m)^ ` + row + `\s*$`).MatchString(out) {
				t.Errorf("%s: no row %s\n%s", c.name, row, out)
			}
		}
		if own := regexp.MustCompile(`(read|equal|differ|address|word)\d`).FindString(out); own != "" {
			t.Errorf("%s: %s is no signal of the design\n%s", c.name, own, strings.TrimSpace(out))
		}
	}
}
