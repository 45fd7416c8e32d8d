package vcd

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// read reads a dump back: for each full name, the value in each step. Steps in which
// nothing changes may be left out where sparse is set.
func read(t *testing.T, text string, sparse bool) map[string][]string {
	t.Helper()
	out := map[string][]string{}
	names := map[string]string{}
	now := map[string]string{}
	var scope []string
	fields := strings.Fields(text)
	step := -1
	flush := func() {
		if step < 0 {
			return
		}
		for id, full := range names {
			out[full] = append(out[full], now[id])
		}
	}
	for i := 0; i < len(fields); i++ {
		f := fields[i]
		switch {
		case f == "$scope":
			scope = append(scope, fields[i+2])
			i += 3
		case f == "$upscope":
			scope = scope[:len(scope)-1]
			i++
		case f == "$var":
			full := strings.Join(append(append([]string{}, scope...), fields[i+4]), ".")
			names[fields[i+3]] = full
			for ; fields[i] != "$end"; i++ {
			}
		case f == "$dumpvars" || f == "$end": // values stand between them
		case f[0] == '$':
			for ; fields[i] != "$end"; i++ {
			}
		case f[0] == '#':
			at, err := strconv.Atoi(f[1:])
			if err != nil || at%10 != 0 || at <= 10*step || !sparse && at != 10*(step+1) {
				t.Fatalf("time %s after step %d", f, step)
			}
			for ; step < at/10; step++ {
				flush()
			}
		case f[0] == 'b':
			now[fields[i+1]] = f[1:]
			i++
		default:
			now[f[1:]] = f[:1]
		}
	}
	if sparse {
		flush()
	}
	return out
}

// TestReadBack writes random signals in random scopes and reads them back.
func TestReadBack(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 6))
	for range 200 {
		var all []Signal
		steps := 1 + r.IntN(6)
		for i := range 1 + r.IntN(200) {
			s := Signal{Path: [][]string{{"top"}, {"top", "u1"}, {"top", "u1", "deep"}, {"other"}}[r.IntN(4)], Name: fmt.Sprintf("s%d", i), Kind: "wire", High: -1, Low: -1}
			if r.IntN(2) == 0 {
				s.Low = r.IntN(4)
				s.High = s.Low + r.IntN(70)
			}
			for range steps {
				v := ""
				for range s.width() {
					v += string("01x"[r.IntN(3)])
				}
				s.Values = append(s.Values, v)
			}
			all = append(all, s)
		}
		var b bytes.Buffer
		if err := Write(&b, "a comment with $end", all); err != nil {
			t.Fatal(err)
		}
		got := read(t, b.String(), false)
		if len(got) != len(all) {
			t.Fatalf("%d signals, wrote %d", len(got), len(all))
		}
		for _, s := range all {
			if full := strings.Join(append(append([]string{}, s.Path...), s.Name), "."); fmt.Sprint(got[full]) != fmt.Sprint(s.Values) {
				t.Fatalf("%s: read %v, wrote %v", full, got[full], s.Values)
			}
		}
	}
}

// TestGTKWave: the readers of GTKWave make an FST file of a dump, and of that a dump with
// the same values.
func TestGTKWave(t *testing.T) {
	for _, program := range []string{"vcd2fst", "fst2vcd"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip(program + " is not installed")
		}
	}
	r := rand.New(rand.NewPCG(17, 7))
	dir := t.TempDir()
	before, fst, after := filepath.Join(dir, "a.vcd"), filepath.Join(dir, "a.fst"), filepath.Join(dir, "b.vcd")
	for range 20 {
		var all []Signal
		steps := 1 + r.IntN(6)
		for i := range 1 + r.IntN(50) {
			s := Signal{Path: [][]string{{"top"}, {"top", "u1"}, {"other"}}[r.IntN(3)], Name: fmt.Sprintf("s%d", i), Kind: "wire", High: -1, Low: -1}
			if r.IntN(2) == 0 {
				s.High, s.Low = 1+r.IntN(70), 0
			}
			for range steps {
				v := ""
				for range s.width() {
					v += string("01x"[r.IntN(3)])
				}
				s.Values = append(s.Values, v)
			}
			all = append(all, s)
		}
		var b bytes.Buffer
		if err := Write(&b, "a comment", all); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(before, b.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
		for _, args := range [][]string{{"vcd2fst", "-v", before, "-f", fst}, {"fst2vcd", "-f", fst, "-o", after}} {
			if out, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
				t.Fatalf("%v: %v\n%s", args, err, out)
			}
		}
		text, err := os.ReadFile(after)
		if err != nil {
			t.Fatal(err)
		}
		got := read(t, string(text), true)
		for _, s := range all {
			full := strings.Join(append(append([]string{}, s.Path...), s.Name), ".")
			if len(got[full]) == 0 {
				t.Fatalf("%s is lost", full)
			}
			for step, want := range s.Values {
				v := got[full][min(step, len(got[full])-1)] // at the end nothing changes
				if v == "" {
					v = strings.Repeat("x", s.width()) // no value yet
				}
				if v != want {
					t.Fatalf("%s: read %v, wrote %v", full, got[full], s.Values)
				}
			}
		}
	}
}

// TestCodes: identifiers differ.
func TestCodes(t *testing.T) {
	seen := map[string]int{}
	for i := range 20000 {
		c := code(i)
		if k, twice := seen[c]; twice {
			t.Fatalf("%d and %d are both %q", k, i, c)
		}
		seen[c] = i
	}
}

// TestNames: what would break the syntax is replaced.
func TestNames(t *testing.T) {
	for in, want := range map[string]string{"a b": "a_b", "": "_", "$end": "_$end", "é": "_", "x[3]": "x[3]"} {
		if got := name(in); got != want {
			t.Errorf("%q becomes %q, not %q", in, got, want)
		}
	}
}
