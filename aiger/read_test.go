package aiger

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"netcov/internal/shared"
)

func read(t testing.TB, text string) *File {
	t.Helper()
	f, err := Read(strings.NewReader(text), "test", Options{})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestReadEverything(t *testing.T) {
	f := read(t, `aag 8 2 3 1 2 2 1 2 1
2
4
6 7
8 6 1
10 12 10
16
3
2
1
2
0
4
6
5
12 4 2
16 13 1
i0 request a
i1 
l2 grün [3]
b1 same
c0 same
j1 empty
f0 fair
o0 same
c
first
i0 no symbol
`)
	want := &File{
		MaxVar: 8, Inputs: []Lit{2, 4},
		Latches: []Latch{{6, 7, 0}, {8, 6, 1}, {10, 12, 10}},
		Outputs: []Lit{16}, Bads: []Lit{3, 2}, Constraints: []Lit{1},
		Justice: [][]Lit{{4, 6}, nil}, Fairness: []Lit{5},
		Ands: []And{{12, 4, 2}, {16, 13, 1}},
		Symbols: Symbols{
			Inputs: Names{0: "request a", 1: ""}, Latches: Names{2: "grün [3]"},
			Outputs: Names{0: "same"}, Bads: Names{1: "same"}, Constraints: Names{0: "same"},
			Justice: Names{1: "empty"}, Fairness: Names{0: "fair"},
		},
		Comment: "first\ni0 no symbol\n", SHA256: f.SHA256,
	}
	if !reflect.DeepEqual(f, want) {
		t.Errorf("got  %+v\nwant %+v", f, want)
	}
}

func TestReadBinary(t *testing.T) {
	f := read(t, "aig 4 1 2 1 1\n4\n8 1\n9\n\x02\x04l1 x\nc\nhi\n")
	want := &File{
		MaxVar: 4, Binary: true, Inputs: []Lit{2},
		Latches: []Latch{{4, 4, 0}, {6, 8, 1}}, Outputs: []Lit{9},
		Ands:    []And{{8, 6, 2}},
		Symbols: Symbols{Latches: Names{1: "x"}}, Comment: "hi\n", SHA256: f.SHA256,
	}
	if !reflect.DeepEqual(f, want) {
		t.Errorf("got  %+v\nwant %+v", f, want)
	}
}

// TestAndOrder reads gates in an order that is not topological: they come out
// sorted, and the file's positions stay known.
func TestAndOrder(t *testing.T) {
	f := read(t, "aag 5 1 0 1 4\n2\n10\n10 8 6\n4 2 2\n8 6 5\n6 4 2\n")
	place := map[Lit]int{}
	filePos := map[Lit]int{10: 0, 4: 1, 8: 2, 6: 3}
	for i, a := range f.Ands {
		place[a.Lhs] = i
		if got := f.AndPosition(i); got != filePos[a.Lhs] {
			t.Errorf("gate %d: position %d, want %d", a.Lhs, got, filePos[a.Lhs])
		}
	}
	if !(place[4] < place[6] && place[6] < place[8] && place[8] < place[10]) {
		t.Errorf("order %v", f.Ands)
	}
	if f := read(t, "aag 3 1 0 1 2\n2\n4\n6 2 2\n4 6 2\n"); f.AndPos != nil || f.Ands[0].Lhs != 6 {
		t.Errorf("a topological order was changed: %v %v", f.Ands, f.AndPos)
	}
}

func TestInitialOrder(t *testing.T) {
	// Latch 4 is reset to gate 8, which needs latch 6.
	f := read(t, "aag 4 1 2 0 1\n2\n4 4 8\n6 6 1\n8 6 2\n")
	order, err := f.InitialOrder()
	if err != nil || !reflect.DeepEqual(order, []uint32{3, 4, 2}) {
		t.Errorf("order %v, error %v", order, err)
	}
}

func TestProperties(t *testing.T) {
	lits, names, kind := read(t, "aag 1 1 0 2 0\n2\n2\n3\no1 x\n").Properties()
	if !reflect.DeepEqual(lits, []Lit{2, 3}) || kind != "output" || names[1] != "x" {
		t.Error(lits, names, kind)
	}
	lits, names, kind = read(t, "aag 1 1 0 1 0 1\n2\n2\n3\nb0 y\n").Properties()
	if !reflect.DeepEqual(lits, []Lit{3}) || kind != "bad" || names[0] != "y" {
		t.Error(lits, names, kind)
	}
}

func TestLenientText(t *testing.T) {
	f, err := Read(strings.NewReader("\xef\xbb\xbfaag 1 1 0 1 0\r\n2\r\n3\r\ni0 x\r\nc\r\nhi\r\nthere"), "test", Options{Lenient: true})
	if err != nil {
		t.Fatal(err)
	}
	if f.Symbols.Inputs[0] != "x" || f.Comment != "hi\nthere\n" {
		t.Errorf("%+v", f)
	}
}

func TestReadFile(t *testing.T) {
	text := "aag 1 1 0 1 0\n2\n3\n"
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_, _ = w.Write([]byte(text))
	w.Close()
	dir := t.TempDir()
	for name, data := range map[string]string{"a.aag": text, "a.aag.gz": packed.String(), "mute": packed.String()} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := ReadFile(path, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if want := fmt.Sprintf("%x", sha256.Sum256([]byte(data))); f.SHA256 != want || len(f.Inputs) != 1 {
			t.Errorf("%s: %+v", name, f)
		}
	}
	old := os.Stdin
	defer func() { os.Stdin = old }()
	var err error
	if os.Stdin, err = os.Open(filepath.Join(dir, "a.aag.gz")); err != nil {
		t.Fatal(err)
	}
	if f, err := ReadFile("-", Options{}); err != nil || len(f.Inputs) != 1 {
		t.Errorf("standard input: %v", err)
	}

	if _, err := ReadFile(filepath.Join(dir, "none"), Options{}); !os.IsNotExist(err) {
		t.Errorf("missing file: %v", err)
	}
	if _, err := ReadFile(dir, Options{}); err == nil {
		t.Error("a directory is read")
	}
	for _, cut := range []int{2, 5, 15, packed.Len() - 3} {
		_, err := Read(bytes.NewReader(packed.Bytes()[:cut]), "cut.gz", Options{})
		if err == nil || !strings.HasPrefix(err.Error(), "cut.gz: damaged gzip data") {
			t.Errorf("cut at %d: %v", cut, err)
		}
	}
	if _, err := Read(bytes.NewReader(packed.Bytes()), "big", Options{MaxBytes: 5}); err == nil || !strings.Contains(err.Error(), "more than 5 bytes") {
		t.Errorf("limit: %v", err)
	}
}

// benchFiles lists all AIGER files of the shared benchmark folder.
func benchFiles(t testing.TB) []string {
	t.Helper()
	dir := shared.Dir(t, "bench")
	var all []string
	for _, pattern := range []string{"*/*.aig", "*/*.aag"} {
		list, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, list...)
	}
	if len(all) < 500 {
		t.Fatalf("only %d files in %s", len(all), dir)
	}
	return all
}

func TestReadBench(t *testing.T) {
	for _, path := range benchFiles(t) {
		if _, err := ReadFile(path, Options{}); err != nil {
			t.Error(err)
		}
	}
}
