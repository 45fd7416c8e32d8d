package frontend

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// samples are one source of each kind whose content tells what it is.
var samples = map[string]struct {
	ext, text string
	graph     bool
}{
	"aiger":       {".aag", "aag 2 1 1 1 0\n2\n4 2\n4\ni0 req\nl0 busy\no0 busy\n", false},
	"smv":         {".smv", "-- a toggle\nMODULE main\nVAR x : boolean;\nASSIGN init(x) := FALSE; next(x) := !x;\nINVARSPEC x\n", false},
	"btor2":       {".btor2", "; a toggle\n1 sort bitvec 1\n2 state 1 x\n3 not 1 2\n4 next 1 2 3\n5 bad 2\n", false},
	"hoa":         {".hoa", "HOA: v1 States: 1 Start: 0 AP: 1 \"p\" Acceptance: 0 t --BODY-- State: [0] 0 0 --END--", true},
	"text":        {".kripke", "# one state\nap p\ninit a\nstate a { p } -> a\n", true},
	"smv block":   {".xmv", "/-- a\ntoggle --/\nMODULE main\nVAR x : boolean;\n", false},
	"long head":   {".smv", strings.Repeat("-- a long comment\n", 500) + "MODULE main\nVAR x : boolean;\n", false},
	"text second": {".kripke", "\ninit a\nap p\nstate a { p } -> a\n", true},
}

func packed(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(text)); err != nil || z.Close() != nil {
		t.Fatal(err)
	}
	return b.String()
}

func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestKinds: a source is what its name says, else what its content says, compressed
// or not, as a file or a pipe; and a command that wants a circuit reads the same.
func TestKinds(t *testing.T) {
	ctx := context.Background()
	for name, s := range samples {
		kind, _, _ := strings.Cut(name, " ")
		if kind == "long" {
			kind = "smv"
		}
		for _, file := range []string{"m" + s.ext, "M" + strings.ToUpper(s.ext), "m", "m.txt", "m.gz", "m" + s.ext + ".gz"} {
			text := s.text
			if strings.HasSuffix(file, ".gz") {
				text = packed(t, text)
			}
			path := write(t, file, text)
			graph := ""
			src, err := Open(ctx, []string{path}, Options{Graph: func(_ string, text []byte) error { graph = string(text); return nil }})
			if err != nil || src.Kind != kind || src.Path != path || s.graph && graph != s.text || !s.graph && graph != "" {
				t.Errorf("%s, %s: %+v, %v", name, file, src, err)
				continue
			}
			c, err := Open(ctx, []string{path}, Options{})
			switch {
			case s.graph && (err == nil || !strings.Contains(err.Error(), "this is a Kripke structure; give a circuit: AIGER (.aag")):
				t.Errorf("%s, %s: a circuit: %v", name, file, err)
			case !s.graph && (err != nil || c.Design == nil || len(c.File.Latches) != len(c.Design.Netlist.Latches) || len(c.File.SHA256) != 64 || c.File.SHA256 != c.Design.SHA256):
				t.Errorf("%s, %s: a circuit: %+v, %v", name, file, c, err)
			}
		}
		pipe := filepath.Join(t.TempDir(), "pipe")
		if err := exec.Command("mkfifo", pipe).Run(); err != nil {
			continue
		}
		go func() {
			if err := os.WriteFile(pipe, []byte(s.text), 0o600); err != nil {
				t.Error(err)
			}
		}()
		if src, err := Open(ctx, []string{pipe}, wanting(false, 0)); err != nil || src.Kind != kind || src.Raw() != nil {
			t.Errorf("%s, pipe: %+v, %v", name, src, err)
		}
	}
}

// TestHash: the hash is that of the file's bytes, compressed or not.
func TestHash(t *testing.T) {
	for name, s := range samples {
		if s.graph {
			continue
		}
		plain, err := Open(context.Background(), []string{write(t, "m"+s.ext, s.text)}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		again, err := Open(context.Background(), []string{write(t, "m"+s.ext+".gz", packed(t, s.text))}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if plain.File.SHA256 == again.File.SHA256 {
			t.Errorf("%s: the compressed file has the hash of the other", name)
		}
	}
}

// TestRefusals: what is no source is refused by name, in one line.
func TestRefusals(t *testing.T) {
	ctx := context.Background()
	for _, c := range []struct{ name, text, want string }{
		{"m.xyz", "modul \\m\nend\n", "m.xyz: unknown kind of file .xyz; netcov reads AIGER (.aag, .aig), Verilog (.v, .sv, .vh, .svh), SymbiYosys projects (.sby), VHDL (.vhd, .vhdl), RTLIL (.il, .rtlil), yosys JSON (.json), BLIF (.blif), SMV (.smv, .xmv) and BTOR2 (.btor, .btor2)"},
		{"m.edf", "entity m is\n", "unknown kind of file .edf; netcov reads AIGER"},
		{"m.edif.gz", packed(t, "(edif m)\n"), "unknown kind of file .edif; netcov reads"},
		{"noname", "", "noname: unknown kind of file; netcov reads"},
		{"zeros", strings.Repeat("\x00", 1<<20), "unknown kind of file; netcov reads"},
		{"m.gz", "\x1f\x8bdamaged", "unknown kind of file"},
		{"m.v.gz", packed(t, "module m; endmodule\n"), "compressed Verilog is not read; unpack it"},
		{"m.smv", "aag 0 0 0 0 0\n", "m.smv:1"}, // the name tells
		{"m.smv.gz", packed(t, "MODULE main VAR x : ;\n"), "m.smv.gz:1"},
		{"nomodule", "MODULE main VAR x : ;\n", "nomodule:1"},
	} {
		for _, circuit := range []bool{true, false} {
			if c.name == "m.xyz" && !circuit {
				continue // structures are listed, too
			}
			_, err := Open(ctx, []string{write(t, c.name, c.text)}, wanting(circuit, 0))
			if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%s: %v", c.name, err)
			}
		}
	}
	_, err := Open(ctx, []string{write(t, "m.xyz", "")}, wanting(false, 0))
	if err == nil || !strings.HasSuffix(err.Error(), "BTOR2 (.btor, .btor2), HOA (.hoa) and Kripke structures (.kripke)") {
		t.Error(err)
	}
	if _, err := Open(ctx, []string{filepath.Join(t.TempDir(), "none.aag")}, Options{}); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
	if _, err := Open(ctx, []string{write(t, "m.smv", samples["smv"].text)}, Options{Names: "names.map"}); err == nil || !strings.Contains(err.Error(), "goes with an AIGER file") {
		t.Error(err)
	}
}

// wanting are the options for a circuit, or for a Kripke structure too.
func wanting(circuit bool, memory int64) Options {
	o := Options{Memory: memory}
	if !circuit {
		o.Graph = func(string, []byte) error { return nil }
	}
	return o
}

// TestMemory: the limit bounds the text of any kind, and the netlist of a word-level
// one.
func TestMemory(t *testing.T) {
	ctx := context.Background()
	wide := "1 sort bitvec 1000\n2 state 1 x\n3 input 1 i\n4 mul 1 2 3\n5 next 1 2 4\n6 redor 1 2\n"
	wide = strings.Replace(wide, "6 redor 1 2\n", "6 sort bitvec 1\n7 redor 6 2\n8 bad 7\n", 1)
	for _, circuit := range []bool{true, false} {
		if _, err := Open(ctx, []string{write(t, "wide.btor2", wide)}, wanting(circuit, 1<<30)); err == nil || !strings.Contains(err.Error(), "gates") {
			t.Errorf("a wide product: %v", err)
		}
		big := packed(t, "-- "+strings.Repeat("x", 70<<20)+"\nMODULE main\n")
		if _, err := Open(ctx, []string{write(t, "big.smv.gz", big)}, wanting(circuit, 100<<20)); err == nil {
			t.Error("a text of 70 MiB is read within 100 MiB")
		}
	}
}

// TestInterrupted: Open returns when its context ends, though standard input or a
// pipe keeps the reader waiting.
func TestInterrupted(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := exec.Command("mkfifo", pipe).Run(); err != nil {
		t.Skip(err)
	}
	w, err := os.OpenFile(pipe, os.O_RDWR, 0)
	if err != nil {
		t.Skip(err)
	}
	defer w.Close()
	why := errors.New("why")
	ctx, stop := context.WithCancelCause(context.Background())
	stop(why)
	if _, err := Open(ctx, []string{pipe}, wanting(false, 0)); !errors.Is(err, why) {
		t.Error(err)
	}
}
