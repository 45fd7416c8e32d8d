package suggest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"netcov/aig"
	"netcov/aiger"
	"netcov/aiger/explicit"
	"netcov/aiger/randaig"
	"netcov/aiger/sim"
	"netcov/mutant"
	"netcov/netlist"
)

// shortWalks makes sampling cheap for designs of a few latches.
func shortWalks(t *testing.T) {
	a, b, c := walkLengths, longWalks, noticeLengths
	walkLengths, longWalks, noticeLengths = []int{4, 8}, []int{16}, []int{4, 8, 16}
	t.Cleanup(func() { walkLengths, longWalks, noticeLengths = a, b, c })
}

// grouped makes words of a netlist: inputs and latches, some of them together.
func grouped(rng *rand.Rand, n *netlist.Netlist) ([]*Word, func(mutant.Target) string) {
	var words []*Word
	for i, in := range n.Inputs {
		words = append(words, &Word{Name: fmt.Sprintf("in%d", i), High: -1, Low: -1, Bits: []aig.Lit{in.Lit}, Input: true})
	}
	register := map[int]string{}
	for i := 0; i < len(n.Latches); {
		width := min(1+rng.IntN(3), len(n.Latches)-i)
		w := &Word{Name: fmt.Sprintf("r%d", i), High: width - 1, Low: 0, Register: fmt.Sprintf("r%d", i)}
		if width == 1 {
			w.High, w.Low = -1, -1
		}
		for range width {
			w.Bits = append(w.Bits, n.Latches[i].Lit)
			register[i] = w.Register
			i++
		}
		words = append(words, w)
	}
	return words, func(t mutant.Target) string { return register[t.Index] }
}

// small draws a design with its properties that hold and the mutants that none of them
// notices, by enumeration; nil where there are none.
func small(t *testing.T, rng *rand.Rand) *Problem {
	t.Helper()
	f := randaig.New(rng, randaig.Shape{Inputs: 2, Latches: 4, Ands: 12, Bads: 2, Constraints: 1, ResetOne: true, Uninitialised: true, ResetFunction: true})
	p := &Problem{File: f, Netlist: netlist.FromAIGER(f)}
	for i := range f.Bads {
		if !explicit.Fails(f, i) {
			p.Held = append(p.Held, i)
		}
	}
	for i, l := range f.Latches {
		for _, fault := range append(mutant.Standard(), mutant.Inverted) {
			noticed := false
			for _, k := range p.Held {
				c, err := explicit.Covered(f, k, sim.Fault{Var: l.Lit >> 1, Kind: fault})
				if err != nil {
					t.Fatal(err)
				}
				noticed = noticed || c
			}
			if !noticed {
				p.Mutants = append(p.Mutants, Mutant{mutant.Target{Index: i}, fault})
			}
		}
	}
	p.Words, p.Register = grouped(rng, p.Netlist)
	if len(p.Mutants) == 0 {
		return nil
	}
	return p
}

// TestPromise compares what suggestions promise with enumeration: each holds, each
// notices the mutants that it lists, and the numbers for all are exact.
func TestPromise(t *testing.T) {
	shortWalks(t)
	designs := 600
	if testing.Short() {
		designs = 250
	}
	rng := rand.New(rand.NewPCG(3, 1))
	offered, covered, shapesSeen := 0, 0, map[string]int{}
	for range designs {
		p := small(t, rng)
		if p == nil {
			continue
		}
		r, err := Run(t.Context(), *p, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if r.Unknown > 0 {
			t.Fatalf("%d mutants are unknown without a budget", r.Unknown)
		}
		noticed := map[Mutant]bool{}
		for _, s := range r.Suggestions {
			offered++
			shapesSeen[s.Shape]++
			m := newMonitored(p.Netlist, nil)
			m.add(s.c)
			f := m.file()
			if explicit.Fails(f, 0) {
				t.Fatalf("%s fails on the design", s.Text())
			}
			for _, x := range p.Mutants {
				c, err := explicit.Covered(f, 0, sim.Fault{Var: f.Latches[x.Target.Index].Lit >> 1, Kind: x.Fault})
				if err != nil {
					t.Fatal(err)
				}
				if c {
					noticed[x] = true
				} else if slices.Contains(s.Covers, x) {
					t.Fatalf("%s does not notice %v, %v", s.Text(), x.Target, x.Fault)
				}
			}
			covered += len(s.Covers)
		}
		if r.Covered != len(noticed) || r.Covered+r.NotCovered != len(p.Mutants) {
			t.Fatalf("promised %d covered and %d not, enumeration says %d of %d", r.Covered, r.NotCovered, len(noticed), len(p.Mutants))
		}
	}
	t.Logf("%d suggestions for %d mutants: %v", offered, covered, shapesSeen)
	if offered < designs/2 || len(shapesSeen) < 5 {
		t.Errorf("only %d suggestions of %d shapes: the test says little", offered, len(shapesSeen))
	}
}

// lock is a design whose output opens once only, after the right word has been given
// four times: random runs do not find that.
func lock() (*aiger.File, []*Word) {
	n := &netlist.Netlist{Graph: aig.NewGraph()}
	g := n.Graph
	code := &Word{Name: "code", High: 15, Low: 0, Input: true}
	right := aig.True
	for i := range 16 {
		l := g.Input()
		n.Inputs = append(n.Inputs, netlist.Input{Lit: l})
		code.Bits = append(code.Bits, l)
		right = g.And(right, l.XorSign(0x5a3c>>i&1 == 0))
	}
	steps := &Word{Name: "open", High: 1, Low: 0, Register: "open"}
	a, b := g.Latch(), g.Latch()
	steps.Bits = []aig.Lit{a, b}
	full := g.And(a, b)
	n.Latches = []netlist.Latch{
		{Lit: a, Next: g.Or(full, g.Xor(a, right)), Reset: aig.False},
		{Lit: b, Next: g.Or(full, g.Xor(b, g.And(a, right))), Reset: aig.False},
	}
	n.Bads = []netlist.Signal{{Lit: aig.False}}
	n.ListGates()
	return n.ToAIGER(), []*Word{code, steps}
}

// TestHoldsInSimulationOnly: "the lock never opens" holds on all samples, and is mined,
// but not offered.
func TestHoldsInSimulationOnly(t *testing.T) {
	f, words := lock()
	n := netlist.FromAIGER(f)
	p := Problem{File: f, Netlist: n, Held: []int{0}, Words: words, Register: func(mutant.Target) string { return "open" }}
	for i := range n.Latches {
		for _, fault := range mutant.Standard() {
			p.Mutants = append(p.Mutants, Mutant{mutant.Target{Index: i}, fault})
		}
	}
	for i, l := range n.Inputs { // the words of another graph
		words[0].Bits[i] = l.Lit
	}
	for i, l := range n.Latches {
		words[1].Bits[i] = l.Lit
	}
	s := newSamples(n, words)
	s.draw(t.Context())
	m := newMiner(s, newNeighbourhood(n, words))
	m.about(t.Context(), words[1])
	never := func(text string) bool {
		return text == "open <= 2'd0" || text == "open <= 2'd1" || text == "open <= 2'd2"
	}
	if !slices.ContainsFunc(m.found, func(c *candidate) bool { return never(c.key) }) {
		t.Fatal("the candidate is not mined: the test says nothing")
	}
	r, err := Run(t.Context(), p, Options{Budget: 30 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range r.Suggestions {
		if never(x.Text()) {
			t.Errorf("%s is offered", x.Text())
		}
	}
}

// TestBudget: a run ends in time and what it says then stands.
func TestBudget(t *testing.T) {
	f, words := lock()
	n := netlist.FromAIGER(f)
	p := Problem{File: f, Netlist: n, Held: []int{0}, Words: words, Register: func(mutant.Target) string { return "open" }, Mutants: []Mutant{{}}}
	begin := time.Now()
	r, err := Run(t.Context(), p, Options{Budget: time.Millisecond})
	if err != nil || r.Covered+r.NotCovered+r.Unknown != 1 {
		t.Errorf("%+v, %v", r, err)
	}
	if d := time.Since(begin); d > 5*time.Second {
		t.Errorf("it took %v", d)
	}
}
