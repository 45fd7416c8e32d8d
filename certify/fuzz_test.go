package certify

import (
	"bytes"
	"context"
	"testing"

	"netcov/aiger"
)

// FuzzCertificate takes any bytes for the witness circuit of a model that is
// safe and of one that is not: no witness makes the checker panic, or accept the
// second.
func FuzzCertificate(f *testing.F) {
	read := func(text string) *aiger.File {
		m, err := aiger.Read(bytes.NewReader([]byte(text)), "model", aiger.Options{})
		if err != nil {
			f.Fatal(err)
		}
		return m
	}
	safe := read("aag 4 1 2 0 1 1\n2\n4 5\n6 4\n8\n8 4 6\n")
	unsafe := read("aag 3 1 2 0 0 1\n2\n4 2\n6 4\n6\n")
	for _, seed := range []string{
		"aag 4 1 2 0 1 1\n2\n4 5\n6 4\n8\n8 4 6\n",
		"aag 3 1 2 0 0 1\n2\n4 2\n6 4\n6\ni0 = 2\nl0 = 4\nl1 = 6\n",
		"aag 5 1 3 0 1 1\n2\n4 5\n6 4 6\n8 10 1\n10\n10 4 6\n",
		"aag 3 1 2 1 0 0 0\n2\n4 2 1\n6 4 4\n0\n",
	} {
		f.Add([]byte(seed), true)
		f.Add([]byte(seed), false)
	}
	f.Fuzz(func(t *testing.T, data []byte, useUnsafe bool) {
		w, err := aiger.Read(bytes.NewReader(data), "witness", aiger.Options{})
		if err != nil || len(w.Ands) > 10000 {
			return
		}
		model := safe
		if useUnsafe {
			model = unsafe
		}
		if err := CheckWitness(context.Background(), Gini, model, w); err == nil && useUnsafe {
			t.Errorf("a model that fails is accepted by the witness %q", data)
		}
	})
}
