package ltl

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"netcov/kripke/circuit"
	"netcov/kripke/internal/random"
	"netcov/kripke/structure"
)

// TestNearest compares with the distances in the listed structure, and follows the paths
// there: of structures and of circuits, of which a state has inputs too.
func TestNearest(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 32))
	found, none := 0, 0
	for range 10 * *count {
		var k *structure.Structure
		var m *Model
		var err error
		cellOf := func(name string) string { return name }
		if rng.IntN(2) == 0 {
			k = random.Structure(rng, 1+rng.IntN(7), 2, 1+rng.IntN(2))
			m, err = FromStructure(k, k.AP)
		} else {
			c := random.Circuit(rng, rng.IntN(3), 1+rng.IntN(3), 2, true)
			if k, err = c.Structure(circuit.StructureOptions{}); err != nil {
				t.Fatal(err)
			}
			if len(c.Inputs) > 0 {
				cellOf = func(name string) string { return name[:strings.LastIndexByte(name, ',')] }
			}
			m, err = FromCircuit(t.Context(), c, k.AP, 0)
		}
		if err != nil {
			t.Fatal(err)
		}
		target := map[string]bool{}
		for _, c := range m.Cells {
			if rng.IntN(4) == 0 {
				target[c] = true
			}
		}
		// layers of the listed structure
		layer, seen, want := k.InitialSet(), k.InitialSet(), -1
		for depth := 0; !layer.Empty(); depth++ {
			if slices.ContainsFunc(layer.List(), func(s int) bool { return target[cellOf(k.States[s])] }) {
				want = depth
				break
			}
			next := structure.NewSet(k.Len())
			for s := range layer.All() {
				for _, u := range k.Successors(s) {
					if !seen.Has(int(u)) {
						next.Add(int(u))
						seen.Add(int(u))
					}
				}
			}
			layer = next
		}
		got := m.Nearest(func(cell int) bool { return target[m.Cells[cell]] })
		if want < 0 {
			if none++; got != nil {
				t.Fatalf("a path to an unreachable state: %v", got.Steps)
			}
			continue
		}
		found++
		if got == nil || len(got.Steps) != want+1 || got.Loop != len(got.Steps) || !target[got.Steps[want].State] {
			t.Fatalf("path %+v, want %d steps", got, want)
		}
		if !follows(k, cellOf, m.AP, got) {
			t.Fatalf("no path with the steps %v", got.Steps)
		}
	}
	if found < 3**count || none < *count/4 {
		t.Errorf("%d paths, %d unreachable", found, none)
	}
}

// follows reports whether a structure has a path, from an initial state, with the cells
// and letters of a computation; a flip does not change its letter.
func follows(k *structure.Structure, cellOf func(string) string, ap []string, c *Computation) bool {
	can := k.InitialSet()
	for _, s := range c.Steps {
		next := structure.NewSet(k.Len())
		here := false
		for x := range can.All() {
			fits := cellOf(k.States[x]) == s.State
			for i, name := range ap {
				p, _ := k.Proposition(name)
				fits = fits && (s.Flipped || k.Holds(x, p) == s.Letter[i])
			}
			if fits {
				here = true
				for _, u := range k.Successors(x) {
					next.Add(int(u))
				}
			}
		}
		if !here {
			return false
		}
		can = next
	}
	return true
}
