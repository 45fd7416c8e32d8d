package aiger_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"netcov/aiger"
	"netcov/aiger/randaig"
	"netcov/internal/shared"
)

func written(t testing.TB, f *aiger.File, write func(f *aiger.File, b *bytes.Buffer) error) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := write(f, &b); err != nil {
		t.Fatalf("%v\n%+v", err, f)
	}
	return b.Bytes()
}

func ascii(f *aiger.File, b *bytes.Buffer) error  { return aiger.WriteASCII(b, f) }
func binary(f *aiger.File, b *bytes.Buffer) error { return aiger.WriteBinary(b, f) }

func reread(t testing.TB, data []byte) *aiger.File {
	t.Helper()
	f, err := aiger.Read(bytes.NewReader(data), "written", aiger.Options{})
	if err != nil {
		t.Fatalf("%v\n%q", err, data)
	}
	return f
}

// plain removes what a round trip may change.
func plain(f *aiger.File) *aiger.File {
	g := *f
	g.SHA256, g.Binary = "", false
	return &g
}

// roundTrip checks the writers on f: ASCII gives back f, binary its normal form.
func roundTrip(t testing.TB, f *aiger.File) {
	t.Helper()
	text := written(t, f, ascii)
	g := reread(t, text)
	if again := written(t, g, ascii); !bytes.Equal(text, again) {
		t.Fatalf("ASCII written, read, written:\n%s\n%s", text, again)
	}
	if h := reread(t, written(t, g, ascii)); !reflect.DeepEqual(plain(g), plain(h)) {
		t.Fatalf("ASCII round trip\n%+v\n%+v", g, h)
	}
	packed := written(t, f, binary)
	h := reread(t, packed)
	if !h.Binary || !reflect.DeepEqual(plain(h), plain(f.Normalize())) {
		t.Fatalf("binary round trip\n%+v\n%+v", h, f.Normalize())
	}
	if again := written(t, h, binary); !bytes.Equal(packed, again) {
		t.Fatalf("binary written, read, written:\n%q\n%q", packed, again)
	}
	// The normal form through ASCII is the same file again.
	if k := reread(t, written(t, h, ascii)); !reflect.DeepEqual(plain(k), plain(h)) {
		t.Fatalf("binary to ASCII\n%+v\n%+v", k, h)
	}
}

func TestRoundTripRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	scattered := 0
	for range 2000 {
		f := randaig.New(r, randaig.Everything())
		if f.AndPos != nil {
			scattered++
		}
		roundTrip(t, f)
	}
	if scattered < 300 {
		t.Errorf("only %d files with gates out of order", scattered)
	}
}

func TestRoundTripBench(t *testing.T) {
	dir := shared.Dir(t, "bench")
	files, _ := filepath.Glob(filepath.Join(dir, "*", "*.a?g"))
	if len(files) < 500 {
		t.Fatalf("only %d files", len(files))
	}
	for _, path := range files {
		f, err := aiger.ReadFile(path, aiger.Options{})
		if err != nil {
			t.Fatal(err)
		}
		roundTrip(t, f)
	}
}

// TestBinaryExact writes binary files of the shared benchmark folder again and
// expects the same bytes.
func TestBinaryExact(t *testing.T) {
	dir := shared.Dir(t, "bench/hwmcc08")
	files, _ := filepath.Glob(filepath.Join(dir, "*.aig"))
	if len(files) < 300 {
		t.Fatalf("only %d files", len(files))
	}
	same := 0
	for _, path := range files {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Equal(data, written(t, reread(t, data), binary)) {
			same++
		}
	}
	if same < len(files)*9/10 { // a few have symbols in another order
		t.Errorf("%d of %d files come out byte for byte", same, len(files))
	}
}

// TestReadMatchesBuilt compares what the reader makes of a random file's text
// with the file itself, gate by gate.
func TestReadMatchesBuilt(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		f := randaig.New(r, randaig.Everything())
		g := reread(t, written(t, f, ascii))
		at := map[int]aiger.And{}
		for i, a := range f.Ands {
			at[f.AndPosition(i)] = a
		}
		for i, a := range g.Ands {
			if at[g.AndPosition(i)] != a {
				t.Fatalf("gate %d is %v, want %v", i, a, at[g.AndPosition(i)])
			}
		}
		a, b := *f, *plain(g)
		a.Ands, a.AndPos, b.Ands, b.AndPos = nil, nil, nil, nil
		if !reflect.DeepEqual(a, b) {
			t.Fatalf("\n%+v\n%+v", a, b)
		}
		if err := g.Check(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestWriteFile(t *testing.T) {
	f := reread(t, []byte("aag 2 1 0 1 1\n2\n5\n4 2 2\n"))
	dir := t.TempDir()
	for name, start := range map[string]string{"a.aag": "aag ", "a.aig": "aig ", "a": "aag ", "a.aig.gz": "\x1f\x8b"} {
		path := filepath.Join(dir, name)
		if err := aiger.WriteFile(path, f); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(path)
		if err != nil || !strings.HasPrefix(string(data), start) {
			t.Errorf("%s: %q %v", name, data, err)
		}
		g, err := aiger.ReadFile(path, aiger.Options{})
		if err != nil || !reflect.DeepEqual(g.Ands, f.Ands) {
			t.Errorf("%s: %v %v", name, g, err)
		}
	}
	f.Outputs[0] = 99
	if err := aiger.WriteFile(filepath.Join(dir, "a"), f); err == nil {
		t.Error("an undefined output is written")
	}
	if _, err := aiger.ReadFile(filepath.Join(dir, "a"), aiger.Options{}); err != nil {
		t.Errorf("a failed write left the old file as %v", err)
	}
}

type fullDisk struct{ room int }

func (d *fullDisk) Write(p []byte) (int, error) {
	if d.room -= len(p); d.room < 0 {
		return 0, errors.New("no space left")
	}
	return len(p), nil
}

func TestWriteErrors(t *testing.T) {
	f := reread(t, []byte("aag 2 1 0 1 1\n2\n5\n4 2 2\n"))
	if err := aiger.WriteASCII(&fullDisk{3}, f); err == nil {
		t.Error("ASCII: a failed write is no error")
	}
	if err := aiger.WriteBinary(&fullDisk{3}, f); err == nil {
		t.Error("binary: a failed write is no error")
	}
}

// TestCheck damages well-formed files in every way that Check knows.
func TestCheck(t *testing.T) {
	build := func() *aiger.File {
		return reread(t, []byte("aag 6 1 2 1 2\n2\n4 8 1\n6 4 4\n9\n8 4 2\n10 8 6\ni0 x\n"))
	}
	if err := build().Check(); err != nil {
		t.Fatal(err)
	}
	for name, damage := range map[string]func(f *aiger.File){
		"MaxVar too large":    func(f *aiger.File) { f.MaxVar = 1 << 31 },
		"odd input":           func(f *aiger.File) { f.Inputs[0] = 3 },
		"input twice":         func(f *aiger.File) { f.Inputs = []aiger.Lit{2, 2} },
		"latch twice":         func(f *aiger.File) { f.Latches[0].Lit = 2 },
		"latch beyond":        func(f *aiger.File) { f.Latches[0].Lit = 14 },
		"next undefined":      func(f *aiger.File) { f.Latches[0].Next = 12 },
		"reset undefined":     func(f *aiger.File) { f.Latches[0].Reset = 12 },
		"reset negated":       func(f *aiger.File) { f.Latches[0].Reset = 5 },
		"reset cyclic":        func(f *aiger.File) { f.Latches[0].Reset = 6 },
		"gate constant":       func(f *aiger.File) { f.Ands[0].Lhs = 0 },
		"gates out of order":  func(f *aiger.File) { f.Ands[0], f.Ands[1] = f.Ands[1], f.Ands[0] },
		"gate on itself":      func(f *aiger.File) { f.Ands[0].Rhs0 = 8 },
		"output undefined":    func(f *aiger.File) { f.Outputs[0] = 13 },
		"bad beyond":          func(f *aiger.File) { f.Bads = []aiger.Lit{14} },
		"constraint beyond":   func(f *aiger.File) { f.Constraints = []aiger.Lit{14} },
		"justice beyond":      func(f *aiger.File) { f.Justice = [][]aiger.Lit{{14}} },
		"fairness beyond":     func(f *aiger.File) { f.Fairness = []aiger.Lit{14} },
		"positions too few":   func(f *aiger.File) { f.AndPos = []uint32{0} },
		"positions twice":     func(f *aiger.File) { f.AndPos = []uint32{1, 1} },
		"symbol of nothing":   func(f *aiger.File) { f.Symbols.Inputs[1] = "y" },
		"symbol of two lines": func(f *aiger.File) { f.Symbols.Inputs[0] = "x\ni1 y" },
		"symbol of a return":  func(f *aiger.File) { f.Symbols.Inputs[0] = "x\r" },
	} {
		f := build()
		damage(f)
		if f.Check() == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}
