package aiger

import (
	"bytes"
	"compress/gzip"
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
