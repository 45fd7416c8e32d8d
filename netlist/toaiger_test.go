package netlist_test

import (
	"bytes"
	"maps"
	"math/rand/v2"
	"testing"

	"netcov/aiger"
	"netcov/aiger/randaig"
	"netcov/netlist"
)

// TestRoundTrip: a file, read into a netlist and written again, is the same
// file up to the numbering of its variables.
func TestRoundTrip(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	for range 500 {
		f := randaig.New(r, randaig.Everything())
		g := netlist.FromAIGER(f).ToAIGER()
		if err := g.Check(); err != nil {
			t.Fatal(err)
		}
		f.Comment = "" // a netlist has none, nor does it tell an empty name from none
		for _, names := range []aiger.Names{
			f.Symbols.Inputs, f.Symbols.Latches, f.Symbols.Outputs, f.Symbols.Bads,
			f.Symbols.Constraints, f.Symbols.Justice, f.Symbols.Fairness,
		} {
			maps.DeleteFunc(names, func(_ int, s string) bool { return s == "" })
		}
		a, b := binary(t, f), binary(t, g)
		if !bytes.Equal(a, b) {
			t.Fatalf("changed:\n%q\n%q", a, b)
		}
	}
}

func binary(t *testing.T, f *aiger.File) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := aiger.WriteBinary(&b, f); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
