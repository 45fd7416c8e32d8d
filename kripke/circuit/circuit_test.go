package circuit_test

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"netcov/aig"
	"netcov/aiger"
	"netcov/internal/shared"
	"netcov/kripke/circuit"
	"netcov/kripke/internal/random"
	"netcov/netlist"
)

// value is the naive twin of the evaluator: one valuation, by recursion.
func value(g *aig.Graph, l aig.Lit, leaf map[aig.Node]bool) bool {
	v := false
	switch g.Kind(l.Node()) {
	case aig.KindAnd:
		a, b := g.Fanins(l.Node())
		v = value(g, a, leaf) && value(g, b, leaf)
	case aig.KindInput, aig.KindLatch:
		v = leaf[l.Node()]
	}
	return v != l.Neg()
}

func leaves(c *circuit.Circuit, control, input int) map[aig.Node]bool {
	m := map[aig.Node]bool{}
	for i, s := range c.Controls {
		m[s.Lit.Node()] = control>>i&1 != 0 != s.Lit.Neg()
	}
	for i, s := range c.Inputs {
		m[s.Lit.Node()] = input>>i&1 != 0
	}
	return m
}

func number(bits []bool) int {
	n := 0
	for i, b := range bits {
		if b {
			n |= 1 << i
		}
	}
	return n
}

func TestSpaceAgainstNaiveSimulation(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 3))
		inputs, controls := rng.IntN(4), 1+rng.IntN(4)
		if seed%20 == 0 {
			inputs = 7
		}
		c := random.Circuit(rng, inputs, controls, 2, seed%2 == 0)
		var atoms []aig.Lit
		for _, s := range c.Outputs {
			atoms = append(atoms, s.Lit)
		}
		sp, err := circuit.NewSpace(c, atoms, 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		var got, want [][2]int
		for _, s := range sp.Initial() {
			got = append(got, [2]int{number(sp.Bits(s.Control)), s.Input})
		}
		for s := range 1 << controls {
			for i := range 1 << inputs {
				ok := true
				m := leaves(c, s, i)
				for _, r := range c.Controls {
					ok = ok && value(c.Graph, r.Reset, m) == value(c.Graph, r.Lit, m)
				}
				if ok {
					want = append(want, [2]int{s, i})
				}
			}
		}
		slices.SortFunc(got, slicesCompare)
		slices.SortFunc(want, slicesCompare)
		if !slices.Equal(got, want) {
			t.Fatalf("seed %d: initial states %v, want %v", seed, got, want)
		}
		for cell := 0; cell < sp.Len(); cell++ {
			next, err := sp.Successors(cell)
			if err != nil {
				t.Fatal(err)
			}
			twin, err := sp.Twin(cell, 0)
			if err != nil || number(sp.Bits(twin)) != number(sp.Bits(cell))^1 {
				t.Fatalf("seed %d: twin", seed)
			}
			for i := range 1 << inputs {
				m := leaves(c, number(sp.Bits(cell)), i)
				to := 0
				for j, r := range c.Controls {
					if value(c.Graph, r.Next, m) {
						to |= 1 << j
					}
				}
				if got := number(sp.Bits(int(next[i]))); got != to {
					t.Fatalf("seed %d: ρ = %b, want %b", seed, got, to)
				}
				for a, l := range atoms {
					if sp.Holds(cell, i, a) != value(c.Graph, l, m) {
						t.Fatalf("seed %d: output %d", seed, a)
					}
				}
			}
		}
	}
}

func slicesCompare(a, b [2]int) int { return slices.Compare(a[:], b[:]) }

func TestNames(t *testing.T) {
	g := aig.NewGraph()
	in, l1, l2 := g.Input(), g.Latch(), g.Latch()
	base := circuit.Circuit{
		Graph: g, Constraint: aig.True,
		Inputs:   []circuit.Signal{{Name: "req", Lit: in}},
		Controls: []circuit.Control{{Name: "busy", Lit: l1, Next: in}, {Lit: l2, Next: l1}},
		Outputs:  []circuit.Signal{{Name: "busy", Lit: l1}, {Lit: l2.Not()}, {Name: "req", Lit: in}},
	}
	c, err := circuit.New(base)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]circuit.Kind{
		"req": circuit.Input, "busy": circuit.VisibleControl, "l1": circuit.PureControl, "o1": circuit.PureOutput, "x": circuit.Unknown,
	} {
		if got := c.Kind(name); got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
	if got := c.Signals(); !slices.Equal(got, []string{"busy", "o1", "l1"}) {
		t.Errorf("signals %v", got)
	}
	bad := base
	bad.Outputs = []circuit.Signal{{Name: "busy", Lit: l2}}
	if _, err := circuit.New(bad); err == nil || !strings.Contains(err.Error(), "same name") {
		t.Errorf("%v", err)
	}
	k, err := c.Structure(circuit.StructureOptions{EmptyFirst: true})
	if err != nil || k.States[k.Initial[0]] != "00,0" || len(k.Initial) != 1 || k.Len() != 8 || k.Transitions() != 16 {
		t.Errorf("%v %v", k, err)
	}
	if _, err := c.Structure(circuit.StructureOptions{Limit: 3}); !errors.Is(err, circuit.ErrTooLarge) {
		t.Errorf("%v", err)
	}
}

// TestSharedCircuits compares ρ, δ, θ and the reachable states with the tables
// of the shared cases.
func TestSharedCircuits(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join(shared.Dir(t, "kripke-cases"), "circuit", "*.json"))
	if len(files) < 50 {
		t.Errorf("only %d cases", len(files))
	}
	for _, file := range files {
		var want struct {
			Controls, Outputs []string
			Kinds             map[string]string `json:"signal_kinds"`
			Theta             string
			States            []string   `json:"control_states"`
			Valuations        []string   `json:"input_valuations"`
			Rho               [][]string `json:"rho"`
			Delta             [][]string
			Reachable         []string
		}
		data, err := os.ReadFile(file)
		if err == nil {
			err = json.Unmarshal(data, &want)
		}
		if err != nil {
			t.Fatal(err)
		}
		a, err := aiger.ReadFile(strings.TrimSuffix(file, ".json")+".aag", aiger.Options{})
		if err != nil {
			t.Fatal(err)
		}
		c, err := circuit.FromNetlist(netlist.FromAIGER(a), "")
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		for name, kind := range want.Kinds {
			if got := c.Kind(name).String(); got != kind {
				t.Errorf("%s: %s is %s, want %s", file, name, got, kind)
			}
		}
		var atoms []aig.Lit
		for _, o := range want.Outputs {
			l, _ := c.Lit(o)
			atoms = append(atoms, l)
		}
		sp, err := circuit.NewSpace(c, atoms, 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		if got := circuit.BitString(sp.Bits(sp.Initial()[0].Control)); got != want.Theta || len(sp.Initial()) != len(want.Valuations) {
			t.Errorf("%s: θ = %s, want %s", file, got, want.Theta)
		}
		var reached []string
		for cell := 0; cell < sp.Len(); cell++ {
			name := circuit.BitString(sp.Bits(cell))
			reached = append(reached, name)
			row := slices.Index(want.States, name)
			next, err := sp.Successors(cell)
			if err != nil {
				t.Fatal(err)
			}
			for i, v := range want.Valuations {
				input := strings.Index(strings.Join(want.Valuations, " "), v) / (len(v) + 1)
				if input != i {
					t.Fatalf("%s: input valuations %v", file, want.Valuations)
				}
				if got := circuit.BitString(sp.Bits(int(next[i]))); got != want.Rho[row][i] {
					t.Errorf("%s: ρ(%s, %s) = %s, want %s", file, name, v, got, want.Rho[row][i])
				}
				for a, o := range want.Outputs {
					if sp.Holds(cell, i, a) != slices.Contains(want.Delta[row], o) {
						t.Errorf("%s: δ(%s) and %s", file, name, o)
					}
				}
			}
		}
		slices.Sort(reached)
		slices.Sort(want.Reachable)
		if !slices.Equal(reached, want.Reachable) {
			t.Errorf("%s: reachable %v, want %v", file, reached, want.Reachable)
		}
	}
}

func TestConstraint(t *testing.T) {
	g := aig.NewGraph()
	i, c, d := g.Input(), g.Latch(), g.Latch()
	// Registers c and d pass the input on, and d must stay 0.
	ct, err := circuit.New(circuit.Circuit{
		Graph: g, Constraint: g.And(g.And(c, i).Not(), d.Not()),
		Inputs:   []circuit.Signal{{Name: "i", Lit: i}},
		Controls: []circuit.Control{{Name: "c", Lit: c, Next: i}, {Name: "d", Lit: d, Next: c}},
	})
	if err != nil {
		t.Fatal(err)
	}
	k, err := ct.Structure(circuit.StructureOptions{})
	if err != nil {
		t.Fatal(err)
	}
	// i = 1 leads to c = 1 and then to d = 1, which the constraint forbids.
	if !slices.Equal(k.States, []string{"00,0"}) || k.Transitions() != 1 {
		t.Errorf("states %v, %d transitions", k.States, k.Transitions())
	}
	never, err := circuit.New(circuit.Circuit{Graph: g, Constraint: g.And(i, i.Not()), Inputs: ct.Inputs, Controls: ct.Controls})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := never.Structure(circuit.StructureOptions{}); !errors.Is(err, circuit.ErrNoRun) {
		t.Errorf("%v", err)
	}
}
