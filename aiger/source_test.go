package aiger

import (
	"bytes"
	"compress/gzip"
	"io"
	"strings"
	"testing"
)

// endless gives one byte for ever, and fails the test when it is read too far.
type endless struct {
	t    *testing.T
	b    byte
	read int
}

func (e *endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = e.b
	}
	if e.read += len(p); e.read > 1<<20 {
		e.t.Fatal("the reader goes on and on")
	}
	return len(p), nil
}

// TestEndless: what cannot be AIGER is refused by its beginning.
func TestEndless(t *testing.T) {
	for _, b := range []byte{0, 'y', '\n', ' '} {
		_, err := Read(&endless{t: t, b: b}, "pipe", Options{})
		if err == nil || !strings.Contains(err.Error(), "pipe:1: this is no AIGER file") {
			t.Errorf("%q: %v", b, err)
		}
	}
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	for range 100 {
		if _, err := z.Write(make([]byte, 1<<20)); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(&packed, "bomb.gz", Options{}); err == nil || !strings.Contains(err.Error(), "bomb.gz:1: this is no AIGER file") {
		t.Error(err)
	}
}

// TestLong: what begins as it should is read to its end.
func TestLong(t *testing.T) {
	w := &Witness{Status: Fails, Properties: []Property{{Kind: 'b'}}, Init: make([]Ternary, 70)}
	for i := range 500 {
		row := make([]Ternary, 300)
		row[i%300] = True
		w.Inputs = append(w.Inputs, row)
	}
	for _, before := range []string{"", "c a comment\n", "u0\n"} {
		var text bytes.Buffer
		text.WriteString(before)
		if err := WriteWitness(&text, w); err != nil {
			t.Fatal(err)
		}
		got, err := ReadWitnesses(&text, "long", nil)
		if err != nil || len(got) != 1 || len(got[0].Inputs) != 500 || len(got[0].Inputs[499]) != 300 {
			t.Errorf("%q: %d witnesses, %v", before, len(got), err)
		}
	}
	if _, err := ReadWitnesses(&endless{t: t, b: 'y'}, "pipe", nil); err == nil {
		t.Error("an endless witness is read")
	}
	f := &File{MaxVar: 5000}
	for i := range 5000 {
		f.Inputs = append(f.Inputs, 2*Lit(i+1))
	}
	for _, write := range []func(io.Writer, *File) error{WriteASCII, WriteBinary} {
		for _, before := range []string{"", "\xef\xbb\xbf"} {
			var text bytes.Buffer
			text.WriteString(before)
			f.Comment = strings.Repeat("a long comment\n", 5000)
			if err := write(&text, f); err != nil {
				t.Fatal(err)
			}
			g, err := Read(&text, "long", Options{Lenient: true})
			if err != nil || len(g.Inputs) != 5000 || g.Comment != f.Comment {
				t.Errorf("%q: %v", before, err)
			}
		}
	}
}
