package preprocess

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var words = regexp.MustCompile(`"[^"]*"|[A-Za-z0-9_$]+|\S`)

// randomSource draws definitions, uses, branches and comments. All macros that are
// used are defined, and none uses itself.
type randomSource struct {
	r     *rand.Rand
	text  strings.Builder
	args  map[string]int // macros → arguments, -1 without a list
	names []string
}

func (s *randomSource) pick(list ...string) string { return list[s.r.IntN(len(list))] }

// phrase draws text that may use macros and the given arguments.
func (s *randomSource) phrase(depth int, args []string) string {
	var parts []string
	for range 1 + s.r.IntN(3) {
		switch n := s.r.IntN(10); {
		case n < 3 && len(s.names) > 0 && depth > 0:
			parts = append(parts, s.use(depth-1, args))
		case n < 6 && len(args) > 0:
			parts = append(parts, args[s.r.IntN(len(args))])
		case n == 6:
			parts = append(parts, s.pick("\"p, q)\"", "\"x\"", "(1 + 2)", "{x, y}", "f(x, y)", "[3:0]", "/* c, ) */ q"))
		default:
			parts = append(parts, s.pick("x", "y", "8", "+", "<=", "4 'hf", "$z"))
		}
	}
	return strings.Join(parts, " ")
}

func (s *randomSource) use(depth int, args []string) string {
	name := s.names[s.r.IntN(len(s.names))]
	n := s.args[name]
	if n < 0 {
		return "`" + name
	}
	var given []string
	for range n {
		given = append(given, s.phrase(depth, args))
	}
	return "`" + name + "(" + strings.Join(given, s.pick(",", ", ")) + ")"
}

func (s *randomSource) define(i int) {
	name := fmt.Sprintf("M%d", i)
	n := s.r.IntN(4) - 1
	args := []string{"a", "b"}[:max(n, 0)]
	list := ""
	if n == 0 {
		n = 1
		args = []string{"a"}
	}
	if n > 0 {
		list = "(" + strings.Join(args, ", ") + ")"
	}
	body := s.phrase(1, args)
	if s.r.IntN(3) == 0 {
		body += " \\\n " + s.phrase(1, args)
	}
	fmt.Fprintf(&s.text, "`define %s%s %s\n", name, list, body)
	s.names = append(s.names, name)
	s.args[name] = n
}

func (s *randomSource) lines(depth int) {
	for range 1 + s.r.IntN(5) {
		switch n := s.r.IntN(8); {
		case n < 4:
			s.text.WriteString(s.phrase(2, nil) + "\n")
		case n < 6 && depth > 0:
			fmt.Fprintf(&s.text, "`%s M%d\n", s.pick("ifdef", "ifndef"), s.r.IntN(8))
			s.lines(depth - 1)
			if s.r.IntN(2) == 0 {
				fmt.Fprintf(&s.text, "`elsif M%d\n", s.r.IntN(8))
				s.lines(depth - 1)
			}
			if s.r.IntN(2) == 0 {
				s.text.WriteString("`else\n")
				s.lines(depth - 1)
			}
			s.text.WriteString("`endif\n")
		default:
			s.text.WriteString(s.pick("// `ifdef M0\n", "/* `else\n*/ z\n", "\"`M0\"\n", "\n"))
		}
	}
}

// TestRandom compares with iverilog's preprocessor.
func TestRandom(t *testing.T) {
	if _, err := exec.LookPath("iverilog"); err != nil {
		t.Skip("iverilog is not installed")
	}
	count := 300
	if testing.Short() {
		count = 60
	}
	dir := t.TempDir()
	path, out := filepath.Join(dir, "t.v"), filepath.Join(dir, "out")
	for seed := range count {
		s := &randomSource{r: rand.New(rand.NewPCG(uint64(seed), 1)), args: map[string]int{}}
		for i := range 5 {
			s.define(i)
		}
		s.lines(3)
		if err := os.WriteFile(path, []byte(s.text.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		r, err := Run(Options{Files: []string{path}})
		if err != nil {
			t.Fatalf("%v in\n%s", err, s.text.String())
		}
		if said, err := exec.Command("iverilog", "-g2012", "-E", "-o", out, path).CombinedOutput(); err != nil || len(said) > 0 {
			t.Fatalf("iverilog: %v, %s in\n%s", err, said, s.text.String())
		}
		want, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		plain := regexp.MustCompile("(?s:/\\*.*?\\*/)|//[^\n]*|`line[^\n]*").ReplaceAllString(string(want), " ")
		a, b := words.FindAllString(string(r.Texts[0].Text), -1), words.FindAllString(plain, -1)
		if strings.Join(a, " ") != strings.Join(b, " ") {
			t.Fatalf("seed %d:\n got %v\nwant %v\nin\n%s", seed, a, b, s.text.String())
		}
	}
}

// FuzzRun: any text is refused in one line or becomes lines that have places.
func FuzzRun(f *testing.F) {
	for _, s := range []string{"`define A(x,y=1) x``y `\"x`\"\n`A(1)\n", "`ifdef A\n`elsif B\n`else\n`endif", "\\a`b \"c\\\"\" // d\n/* e\n*/", "`include \"t.v\"", "`define A `B\n`define B `A\n`A", "`define A `define B\n`A"} {
		f.Add(s)
	}
	dir := f.TempDir()
	path := filepath.Join(dir, "t.v")
	f.Fuzz(func(t *testing.T, text string) {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		r, err := Run(Options{Files: []string{path}})
		if err != nil {
			return
		}
		if n := strings.Count(string(r.Texts[0].Text), "\n"); n != len(r.Texts[0].Lines) {
			t.Errorf("%d lines, %d places", n, len(r.Texts[0].Lines))
		}
	})
}
