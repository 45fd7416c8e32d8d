package circuit

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"netcov/aig"
)

// randomCircuit is a circuit whose functions are random gates over the registers
// and inputs; some registers have resets that read an input or themselves.
func randomCircuit(rng *rand.Rand, inputs, controls int) (*Circuit, []aig.Lit) {
	g := aig.NewGraph()
	c := Circuit{Graph: g}
	edges := []aig.Lit{aig.False}
	for range inputs {
		c.Inputs = append(c.Inputs, Signal{Lit: g.Input()})
		edges = append(edges, c.Inputs[len(c.Inputs)-1].Lit)
	}
	for range controls {
		c.Controls = append(c.Controls, Control{Lit: g.Latch()})
		edges = append(edges, c.Controls[len(c.Controls)-1].Lit)
	}
	pick := func() aig.Lit { return edges[rng.IntN(len(edges))].XorSign(rng.IntN(2) == 0) }
	for range 4 + rng.IntN(12) {
		edges = append(edges, g.And(pick(), pick()))
	}
	for i := range c.Controls {
		r := &c.Controls[i]
		r.Next, r.Reset = pick(), aig.False.XorSign(rng.IntN(2) == 0)
		if n := rng.IntN(6); n == 0 {
			r.Reset = r.Lit
		} else if n == 1 && inputs > 0 {
			r.Reset = c.Inputs[0].Lit
		}
	}
	done, err := New(c)
	if err != nil {
		panic(err)
	}
	return done, []aig.Lit{pick(), pick()}
}

// TestMovesAgainstValuations compares the classes of inputs, found by simulation
// and by diagrams, with the successors and atoms of every single valuation.
func TestMovesAgainstValuations(t *testing.T) {
	for seed := range uint64(500) {
		rng := rand.New(rand.NewPCG(seed, 22))
		c, atoms := randomCircuit(rng, rng.IntN(9), 1+rng.IntN(5))
		sp, err := NewSpace(c, atoms, 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		for _, diagrams := range []bool{false, true} {
			m, err := NewMoves(c, atoms, nil, 1<<20)
			if err != nil {
				t.Fatal(err)
			}
			if diagrams && m.group.eval != nil {
				m.group = m.group.withDiagrams()
			}
			compareMoves(t, fmt.Sprintf("seed %d, diagrams %v", seed, diagrams), c, sp, m, len(atoms))
		}
	}
}

func compareMoves(t *testing.T, what string, c *Circuit, sp *Space, m *Moves, atoms int) {
	t.Helper()
	var got, want []string
	for _, s := range m.Starts() {
		all := s.Inputs
		if all == nil {
			for i := range sp.Width() {
				all = append(all, valuation(c, i))
			}
		}
		for _, in := range all {
			got = append(got, BitString(m.Bits(s.Control))+","+BitString(in))
		}
	}
	for _, s := range sp.Initial() {
		want = append(want, BitString(sp.Bits(s.Control))+","+InputString(s.Input, len(c.Inputs)))
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Fatalf("%s: initial states %v, want %v", what, got, want)
	}
	for cell := 0; cell < m.Len(); cell++ {
		if cell == 0 {
			if _, err := m.Twin(0, 0); err != nil {
				t.Fatal(err)
			}
		}
		n, err := m.Expand(cell)
		if err != nil {
			t.Fatal(err)
		}
		same, met := sp.find(func(i int) bool { return m.Bit(cell, i) })
		if !met {
			if same, err = sp.cell(func(i int) bool { return m.Bit(cell, i) }); err != nil {
				t.Fatal(err)
			}
		}
		next, err := sp.Successors(same)
		if err != nil {
			t.Fatal(err)
		}
		used := make([]bool, n)
		different := map[string]bool{}
		for i, to := range next {
			mv := m.Under(cell, valuation(c, i))
			used[mv] = true
			key := BitString(sp.Bits(int(to)))
			if g := BitString(m.Bits(int(m.To(cell, mv)[0]))); g != key {
				t.Fatalf("%s: ρ = %s, want %s", what, g, key)
			}
			for a := range atoms {
				if m.Holds(cell, mv, a) != sp.Holds(same, i, a) {
					t.Fatalf("%s: atom %d", what, a)
				}
				key += fmt.Sprint(sp.Holds(same, i, a))
			}
			different[key] = true
		}
		if len(different) != n || slices.Contains(used, false) {
			t.Fatalf("%s: %d moves, used %v; %d are different", what, n, used, len(different))
		}
		for mv := range n {
			if m.Under(cell, m.Inputs(cell, mv)) != mv {
				t.Fatalf("%s: a move's inputs are of another", what)
			}
		}
	}
}

func valuation(c *Circuit, i int) []bool {
	out := make([]bool, len(c.Inputs))
	for j := range out {
		out[j] = i>>j&1 != 0
	}
	return out
}

// TestMovesOfManyInputs: the number of inputs does not matter, the number of classes does.
func TestMovesOfManyInputs(t *testing.T) {
	g := aig.NewGraph()
	c := Circuit{Graph: g}
	r := g.Latch()
	any := aig.False
	for range 60 {
		c.Inputs = append(c.Inputs, Signal{Lit: g.Input()})
		any = g.Or(any, c.Inputs[len(c.Inputs)-1].Lit)
	}
	c.Controls = []Control{{Lit: r, Next: g.And(any, r.Not())}}
	done, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	m, err := NewMoves(done, nil, nil, 100)
	if err != nil {
		t.Fatal(err)
	}
	for cell, want := range []int{2, 1} {
		if n, err := m.Expand(cell); err != nil || n != want {
			t.Errorf("state %d: %d moves, %v, want %d", cell, n, err, want)
		}
	}
	c.Controls = nil
	for _, in := range c.Inputs[:10] {
		c.Controls = append(c.Controls, Control{Lit: g.Latch(), Next: in.Lit})
	}
	if done, err = New(c); err != nil {
		t.Fatal(err)
	}
	if m, err = NewMoves(done, nil, nil, 1000); err != nil {
		t.Fatal(err)
	}
	if n, err := m.Expand(0); err == nil {
		t.Errorf("%d moves within a limit of 1000", n)
	}
}
