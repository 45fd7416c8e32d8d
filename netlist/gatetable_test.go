package netlist

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"netcov/sat"
)

// TestGateTable compares the table with a map.
func TestGateTable(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	table, want := &gateTable{}, map[string]sat.Lit{}
	found := 0
	for next := sat.Lit(0); next < 20000; {
		kind := shapeKind(1 + r.IntN(3))
		in := make([]sat.Lit, 2+r.IntN(4))
		for i := range in {
			in[i] = sat.Lit(r.IntN(20))
		}
		key := fmt.Sprint(kind, in)
		got, slot, hash := table.find(kind, in)
		out, known := want[key]
		if known != (got != unset) || known && got != out {
			t.Fatalf("%s: %d, want %d, %t", key, got, out, known)
		}
		if known {
			found++
			continue
		}
		table.add(kind, in, slot, hash, next)
		want[key] = next
		next++
	}
	if found < 1000 {
		t.Fatalf("%d gates found", found)
	}
}
