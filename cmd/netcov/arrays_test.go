package main

import (
	"maps"
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

// TestCoverArraysByWord: verdicts on the registers beside an array above the limit are those
// with the array as registers; what cannot be said is refused by its name.
func TestCoverArraysByWord(t *testing.T) {
	const text = "1 sort bitvec 1\n2 sort bitvec 4\n3 sort array 2 2\n4 input 2 at\n5 input 2 data\n6 input 1 we\n7 zero 2\n8 constd 2 9\n9 state 3 mem\n10 init 3 9 7\n" +
		"11 state 2 p\n12 init 2 11 7\n13 state 2 got\n14 init 2 13 7\n15 ult 1 5 8\n16 state 1 en\n17 one 1\n18 init 1 16 17\n19 next 1 16 17\n20 ite 2 15 5 7\n" +
		"21 write 3 9 4 20\n22 and 1 6 16\n23 ite 3 22 21 9\n24 next 3 9 23\n25 read 2 9 11\n26 next 2 13 25\n27 next 2 11 4\n28 ugte 1 13 8\n29 bad 28\n30 neq 1 16 17\n31 bad 30\n"
	path := filepath.Join(t.TempDir(), "design.btor2")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	verdicts := func(args ...string) map[string]bool {
		code, out, errOut := capture(t, append([]string{"cover", path, "--why", "none", "--format", "csv"}, args...)...)
		if code != 0 {
			t.Fatalf("%v: exit code %d\n%s", args, code, errOut)
		}
		rows := map[string]bool{}
		for line := range strings.Lines(out) {
			if row := regexp.MustCompile(`\b(p|got|en)(\[\d\])?,.*?(covered|notcovered|unknown)`).FindString(line); row != "" {
				rows[row] = true
			}
		}
		return rows
	}
	whole, words := verdicts(), verdicts("--memory-bits", "10")
	if len(whole) != 27 || !maps.Equal(whole, words) {
		t.Errorf("whole: %v\nby word: %v", whole, words)
	}
	for _, flags := range []string{"--evidence=x", "--journal=x", "--matrix", "--why=1s", "--vcd=x", "--nodes=all", "--mux=next", "--fault=zero,missed"} {
		code, _, errOut := capture(t, "cover", path, "--memory-bits", "10", flags)
		if name, _, _ := strings.Cut(flags, "="); code != 2 || !strings.Contains(errOut, name) || !strings.Contains(errOut, "kept by word") {
			t.Errorf("%s: exit code %d\n%s", flags, code, errOut)
		}
	}
	_, _, errOut := capture(t, "cover", path, "--memory-bits", "10")
	if !strings.Contains(errOut, "mem (line 9)") || !strings.Contains(errOut, "has no mutants") {
		t.Errorf("no note:\n%s", errOut)
	}
}

// TestConvertQuiet: --quiet leaves the notes out.
func TestConvertQuiet(t *testing.T) {
	path := filepath.Join(t.TempDir(), "design.btor2")
	if err := os.WriteFile(path, []byte("1 sort bitvec 1\n2 state 1 s\n3 zero 1\n4 init 1 2 3\n5 bad 2\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for quiet, lines := range map[string]int{"--quiet": 1, "--quiet=false": 2} {
		if _, out, errOut := capture(t, "convert", path, path+".aag", quiet); strings.Count(out, "\n") != lines || errOut != "" {
			t.Errorf("%s: %s%s", quiet, out, errOut)
		}
	}
}
