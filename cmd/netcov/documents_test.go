package main

import (
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// What the documentation shows is what the commands print: the tests run each session of
// a document, `$ netcov ...` and its output in one block, and compare.

// fenced is a block of a document: what stands between two lines of ```.
type fenced struct{ language, text string }

func blocks(t *testing.T, document string) []fenced {
	t.Helper()
	text, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	var out []fenced
	parts := strings.Split("\n"+string(text), "\n```")
	for i := 1; i < len(parts); i += 2 {
		language, rest, _ := strings.Cut(parts[i], "\n")
		out = append(out, fenced{language, rest})
	}
	if len(out) == 0 {
		t.Fatalf("%s has no blocks", document)
	}
	return out
}

// word is one of a command's: in single quotes, or without blanks.
var word = regexp.MustCompile(`'[^']*'|[^ ']+`)

func arguments(line string) []string {
	var out []string
	for _, w := range word.FindAllString(line, -1) {
		out = append(out, strings.Trim(w, "'"))
	}
	return out
}

// moment is a time that a run took, the only thing that may differ.
var moment = regexp.MustCompile(`\b\d+\.\d\d+\b`)

func lines(text string) []string {
	var out []string
	for line := range strings.Lines(text) {
		out = append(out, moment.ReplaceAllString(strings.TrimRight(line, " \n"), "T"))
	}
	return out
}

// shows reports whether an output has what a document shows of it: lines that follow one
// another. A last line … stands for any more, and a … at the end of a line for its rest.
func shows(output, document string) bool {
	want := lines(document)
	if n := len(want); n > 0 && want[n-1] == "…" {
		want = want[:n-1]
	}
	got := lines(output)
	for i := 0; i+len(want) <= len(got); i++ {
		if slices.EqualFunc(got[i:i+len(want)], want, func(g, w string) bool {
			begin, cut := strings.CutSuffix(w, "…")
			return g == w || cut && strings.HasPrefix(g, begin)
		}) {
			return true
		}
	}
	return false
}

// session runs the command of a block and compares. It returns the output.
func session(t *testing.T, text string) string {
	t.Helper()
	line, want, _ := strings.Cut(text, "\n")
	args := arguments(strings.TrimPrefix(line, "$ netcov "))
	code, out, e := call(t, args...)
	if code != exitDone && code != exitFails {
		t.Fatalf("%s: exit code %d, %s", line, code, e)
	}
	if !shows(out, want) {
		t.Errorf("%s prints\n%s\nand the document has\n%s", line, out, want)
	}
	return out
}

// TestReadme: every session of the README, and its demonstration.
func TestReadme(t *testing.T) {
	t.Chdir("../..")
	sessions := 0
	for _, b := range blocks(t, "README.md") {
		if strings.HasPrefix(b.text, "$ netcov ") {
			sessions++
			session(t, b.text)
		}
		if strings.HasPrefix(b.text, "benchmarks/designs/counter.aag: ") {
			sessions++
			session(t, "$ netcov cover benchmarks/designs/counter.aag\n"+b.text)
		}
	}
	if sessions < 5 {
		t.Errorf("only %d sessions are seen", sessions)
	}
}

// TestTutorial follows the tutorial to the letter: its first source is the design, each
// later one is added below the last assertion, and what the commands print stands below
// them or in a block of its own.
func TestTutorial(t *testing.T) {
	if _, err := exec.LookPath("yosys"); err != nil {
		t.Skip("no yosys")
	}
	all := blocks(t, "../../docs/tutorial.md")
	whole, err := os.ReadFile("../../docs/tutorial/fifo.sv")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	var source, output string
	assertions, sessions := 0, 0
	for _, b := range all {
		switch {
		case b.language == "systemverilog" && source == "":
			source = b.text + "\n"
			if source != string(whole) {
				t.Error("docs/tutorial/fifo.sv is not the design of the tutorial")
			}
		case b.language == "systemverilog":
			assertions++
			at := strings.LastIndex(source, "assert property")
			at += strings.Index(source[at:], "\n") + 1
			source = source[:at] + b.text + "\n" + source[at:]
		case strings.HasPrefix(b.text, "$ netcov "):
			sessions++
			if err := os.WriteFile("fifo.sv", []byte(source), 0o666); err != nil {
				t.Fatal(err)
			}
			output = session(t, b.text)
		case !shows(output, b.text):
			t.Errorf("the output before it does not have\n%s", b.text)
		}
	}
	if assertions < 3 || sessions < 7 {
		t.Errorf("%d assertions and %d sessions are seen", assertions, sessions)
	}
	if code, _, e := call(t, "cover", "fifo.sv", "--baseline", "baseline.json", "--fail-on-regression", "--quiet"); code != exitDone {
		t.Errorf("against its own baseline: exit code %d, %s", code, e)
	}
}
