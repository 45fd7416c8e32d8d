package load

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"netcov/frontend"
	"netcov/internal/shared"
	"netcov/kripke/bdd"
	"netcov/kripke/circuit"
	"netcov/kripke/ctl"
	"netcov/kripke/formula"
	"netcov/kripke/symbolic"
)

type sharedCase struct {
	Formula      string
	Covered      map[string][]string
	CoveredFree  map[string][]string `json:"covered_free"`
	CoveredEmpty map[string][]string `json:"covered_empty"`
	Fixed0Free   []string            `json:"fixed0_covered_free"`
	Fixed1Free   []string            `json:"fixed1_covered_free"`
	Controls     []string
}

// TestSharedModels computes the coverage of the shared SMV models from the
// specification that they carry.
func TestSharedModels(t *testing.T) {
	ctx := context.Background()
	for _, kind := range []string{"ctl", "circuit"} {
		files, _ := filepath.Glob(filepath.Join(shared.Dir(t, "kripke-cases"), kind, "*.smv"))
		if len(files) < 50 {
			t.Errorf("only %d models", len(files))
		}
		for _, file := range files {
			var c sharedCase
			data, err := os.ReadFile(strings.TrimSuffix(file, ".smv") + ".json")
			if err == nil {
				err = json.Unmarshal(data, &c)
			}
			if err != nil {
				t.Fatal(err)
			}
			s, err := Open(ctx, file, frontend.Options{})
			if err != nil {
				t.Errorf("%s: %v", file, err)
				continue
			}
			fs, err := s.Formulas(formula.CTL)
			if err != nil || len(fs) != 1 {
				t.Errorf("%s: %v", file, err)
				continue
			}
			if want, _ := formula.Parse(c.Formula, formula.CTL); fs[0] != want {
				t.Errorf("%s: the file's specification is %s, want %s", file, fs[0], want)
			}
			isCircuit, _ := s.Circuit()
			if kind == "circuit" && !isCircuit {
				t.Errorf("%s: no circuit", file)
				continue
			}
			isCircuit = kind == "circuit" // the others' labels are to be flipped
			want := c.Covered
			var atoms []string
			for name := range c.Covered {
				atoms = append(atoms, name)
			}
			atoms = append(atoms, formula.Atoms(fs[0])...)
			slices.Sort(atoms)
			atoms = slices.Compact(atoms)
			var m *ctl.Model
			if isCircuit {
				want = c.CoveredFree
				var cc *circuit.Circuit
				if cc, err = s.AsCircuit(atoms); err == nil {
					for i, r := range cc.Controls {
						if r.Name != c.Controls[i] {
							t.Errorf("%s: register %d is %s, want %s", file, i, r.Name, c.Controls[i])
						}
					}
					m, err = ctl.CircuitModel(cc)
				}
			} else {
				k, kerr := s.AsStructure(ctx, atoms, 0)
				if err = kerr; err == nil {
					m, err = ctl.StructureModel(k)
				}
			}
			if err != nil {
				t.Errorf("%s: %v", file, err)
				continue
			}
			p, err := ctl.NewProblem(m, fs[0], ctl.Options{})
			if err != nil {
				t.Errorf("%s: %v", file, err)
				continue
			}
			if kind == "ctl" {
				systemCovers(t, s, fs[0], atoms, want)
			}
			for signal, states := range want {
				got, err := p.Cover(ctx, signal)
				if err != nil {
					t.Errorf("%s: %v", file, err)
					continue
				}
				a, b := slices.Sorted(slices.Values(got.Covered)), slices.Sorted(slices.Values(states))
				if !slices.Equal(a, b) {
					t.Errorf("%s: %s covered in %v, want %v", file, signal, a, b)
				}
			}
		}
	}
}

// systemCovers computes the same with decision diagrams built from the model's
// functions.
func systemCovers(t *testing.T, s *Source, f formula.Formula, atoms []string, want map[string][]string) {
	t.Helper()
	sys, err := s.AsSystem(atoms)
	if err != nil {
		t.Errorf("%s: %v", s.Path, err)
		return
	}
	p, err := ctl.NewProblem(sys.Model(), f, ctl.Options{})
	if err != nil {
		t.Errorf("%s: %v", s.Path, err)
		return
	}
	for signal, states := range want {
		got, err := p.Cover(context.Background(), signal)
		if err != nil {
			t.Errorf("%s: %v", s.Path, err)
			return
		}
		a, b := slices.Sorted(slices.Values(got.Covered)), slices.Sorted(slices.Values(states))
		if !slices.Equal(a, b) {
			t.Errorf("%s: %s covered in %v with diagrams, want %v", s.Path, signal, a, b)
		}
		if n := got.Diagrams.Variables; n%2 != 0 {
			t.Errorf("%s: %d variables", s.Path, n)
		}
	}
}

func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestPipe: a pipe, whose name does not tell the format, is read once.
func TestPipe(t *testing.T) {
	text := "ap p\n" + strings.Repeat("# a long comment\n", 10) + "init a\nstate a { p } -> a\n"
	aag := "aag 2 1 1 1 0\n2\n4 2\n4\ni0 req\nl0 busy\no0 busy\nc\n" + strings.Repeat("comment\n", 20)
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	if _, err := z.Write([]byte(aag)); err != nil || z.Close() != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ text, format string }{{text, "text"}, {aag, "aiger"}, {packed.String(), "aiger"}} {
		path := filepath.Join(t.TempDir(), "pipe")
		if err := exec.Command("mkfifo", path).Run(); err != nil {
			t.Skip(err)
		}
		go func() {
			if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
				t.Error(err)
			}
		}()
		s, err := Open(context.Background(), path, frontend.Options{})
		if err != nil || s.Format != c.format {
			t.Errorf("%q: %v, %v", c.text, s, err)
		}
	}
}

func TestFormats(t *testing.T) {
	ctx := context.Background()
	aag := "aag 2 1 1 1 0\n2\n4 2\n4\ni0 req\nl0 busy\no0 busy\n"
	for _, c := range []struct {
		name, text, format string
		circuit            bool
	}{
		{"k.kripke", "ap p\ninit a\nstate a { p } -> a\n", "text", false},
		{"k.hoa", "HOA: v1 States: 1 Start: 0 AP: 1 \"p\" Acceptance: 0 t --BODY-- State: [0] 0 0 --END--", "hoa", false},
		{"noname", "HOA: v1 States: 1 Start: 0 AP: 1 \"p\" Acceptance: 0 t --BODY-- State: [0] 0 0 --END--", "hoa", false},
		{"c.aag", aag, "aiger", true},
		{"unnamed", aag, "aiger", true},
		{"m.smv", "MODULE main\nVAR x : 0..3;\nINIT x = 0\nTRANS next(x) = x | next(x) = 3 - x\nSPEC AG (x = 0 | x = 3)\n", "smv", true},
		{"o.smv", "MODULE main\nVAR x : 0..3;\nINIT x = 0\nTRANS (next(x) = x | next(x) = 3 - x) & x != 1\nSPEC AG (x = 0 | x = 3)\n", "smv", false},
		{"n.smv", "MODULE main\nVAR x : 0..3;\nASSIGN init(x) := 0; next(x) := {x, 3 - x};\nSPEC AG (x = 0 | x = 3)\n", "smv", true},
		{"c.smv", "MODULE main\nVAR x : boolean;\nASSIGN init(x) := FALSE; next(x) := !x;\nSPEC AG EF x\n", "smv", true},
	} {
		s, err := Open(ctx, write(t, c.name, c.text), frontend.Options{})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		isCircuit, _ := s.Circuit()
		if s.Format != c.format || isCircuit != c.circuit {
			t.Errorf("%s: format %s, circuit %v", c.name, s.Format, isCircuit)
		}
		fs, err := s.Formulas(formula.CTL)
		if err != nil || len(fs) != strings.Count(c.text, "SPEC") {
			t.Errorf("%s: %v %v", c.name, fs, err)
		}
		k, err := s.AsStructure(ctx, formula.Atoms(fs...), 0)
		if err != nil || k.Len() == 0 {
			t.Errorf("%s: %v", c.name, err)
		}
		if c.name == "m.smv" && (k.Len() != 2 || k.States[1] != "3" || len(k.AP) != 2) {
			t.Errorf("states %v, propositions %v", k.States, k.AP)
		}
		if cc, err := s.AsCircuit(formula.Atoms(fs...)); (err == nil) != (c.format == "aiger" || c.format == "smv") {
			t.Errorf("%s: %v %v", c.name, cc, err)
		}
	}
	for _, c := range []struct{ name, text, want string }{
		{"d.smv", "MODULE main\nVAR x : boolean;\nTRANS x & !x\nSPEC AG x\n", "no successor"},
		{"e.smv", "MODULE main\nVAR x : boolean\n", "e.smv"},
		{"f.kripke", "ap p\n", "no initial state"},
	} {
		s, err := Open(ctx, write(t, c.name, c.text), frontend.Options{})
		if err == nil {
			_, err = s.AsStructure(ctx, nil, 0)
		}
		if c.name == "d.smv" {
			sys, serr := s.AsSystem(nil)
			if serr != nil {
				t.Fatal(serr)
			}
			if _, serr = sys.Make(bdd.Options{}); !errors.Is(serr, symbolic.ErrDeadlock) {
				t.Errorf("a deadlock in diagrams: %v", serr)
			}
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

func TestWords(t *testing.T) {
	text := "aag 4 1 3 1 0\n2\n4 2\n6 4\n8 6\n8\ni0 go\nl0 cnt[0]\nl1 cnt[1]\nl2 cnt[2]\no0 last\n"
	s, err := Open(context.Background(), write(t, "w.aag", text), frontend.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ in, want string }{
		{"AG (cnt = 5)", "AG (cnt[0] & !cnt[1] & cnt[2])"},
		{"cnt != 0b011 | last = 1", "!(cnt[0] & cnt[1] & !cnt[2]) | last"},
		{"go != 1", "!go"},
		{"cnt = 010", "!with 010"},
		{"cnt = 007", "cnt[0] & cnt[1] & cnt[2]"},
		{"cnt = 08", "!3 bits"},
		{"EF cnt in {4, 0x1}", "EF (!cnt[0] & !cnt[1] & cnt[2] | cnt[0] & !cnt[1] & !cnt[2])"},
		{"cnt in {idle}", "cnt in {idle}"},
		{"cnt in {1, 8}", "!3 bits"},
		{"cnt = 9", "!3 bits"},
		{"nope = 2", "!no signal"},
		{"cnt = 0q1", "!no number"},
	} {
		f, err := formula.Parse(c.in, formula.CTL)
		if err != nil {
			t.Fatal(err)
		}
		g, err := s.Resolve(f)
		if want, ok := strings.CutPrefix(c.want, "!"); ok && !strings.HasPrefix(c.want, "!(") && c.want != "!go" {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want %q", c.in, err, want)
			}
			continue
		}
		want, perr := formula.Parse(c.want, formula.CTL)
		if err != nil || perr != nil || g != want {
			t.Errorf("%s = %s (%v), want %s", c.in, g, err, c.want)
		}
	}
}

func TestVerilog(t *testing.T) {
	if _, err := exec.LookPath("yosys"); err != nil {
		t.Skip("yosys is not installed")
	}
	path := write(t, "counter.v", `module counter(input clk, input go, output done);
  reg [1:0] count = 2'd1;
  always @(posedge clk) if (go) count <= count + 1;
  assign done = count == 3;
endmodule
`)
	ctx := context.Background()
	s, err := Open(ctx, path, frontend.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if s.Notes != nil {
		t.Errorf("notes %q", s.Notes)
	}
	f, err := formula.Parse("AG (done <-> count = 3) & AG EF done & count = 1", formula.CTL)
	if err != nil {
		t.Fatal(err)
	}
	if f, err = s.Resolve(f); err != nil {
		t.Fatal(err)
	}
	c, err := s.AsCircuit(formula.Atoms(f))
	if err != nil {
		t.Fatal(err)
	}
	m, err := ctl.CircuitModel(c)
	if err != nil {
		t.Fatal(err)
	}
	p, err := ctl.NewProblem(m, f, ctl.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if ok, err := p.Holds(ctx); err != nil || !ok {
		t.Fatalf("%v %v; registers %v", ok, err, c.Signals())
	}
	got, err := p.Cover(ctx, "done")
	if err != nil || len(got.Covered) != 4 {
		t.Errorf("%v %v", got, err)
	}
}
