package explore

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"netcov/aig"
	"netcov/aiger/explicit"
	"netcov/aiger/randaig"
	"netcov/aiger/sim"
	"netcov/cert"
	"netcov/mutant"
	"netcov/netlist"
	"netcov/stimulus"
)

// TestTranspose compares with moving each bit.
func TestTranspose(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		var rows, want [64]uint64
		for i := range rows {
			rows[i] = r.Uint64()
		}
		for i := range rows {
			for j := range 64 {
				want[j] |= rows[i] >> j & 1 << i
			}
		}
		if transpose(&rows); rows != want {
			t.Fatal("a bit is not where it belongs")
		}
	}
}

// TestHashes asks that lanes have equal hashes where they have equal features, and,
// as far as 64 bits can, only there.
func TestHashes(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		features := make([]uint64, 1+r.IntN(200))
		for i := range features {
			if r.IntN(10) == 0 {
				features[i] = 1 << r.IntN(64)
			}
		}
		h := hashes(features)
		for a := range 64 {
			for b := range a {
				equal := true
				for _, w := range features {
					equal = equal && w>>a&1 == w>>b&1
				}
				if equal != (h[a] == h[b]) {
					t.Fatalf("lanes %d and %d: features equal is %v", a, b, equal)
				}
			}
		}
	}
}

// TestDistances compares the counters of clauses with counting.
func TestDistances(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 200 {
		inv := &cert.Invariant{}
		for range 1 + r.IntN(4) {
			var c cert.Clause
			for range 1 + r.IntN(6) {
				c = append(c, cert.MkStateLit(r.IntN(7), r.IntN(2) == 0))
			}
			inv.Clauses = append(inv.Clauses, c)
		}
		state := make([]uint64, 7)
		for i := range state {
			state[i] = r.Uint64()
		}
		f := newDistances(inv).features(nil, state)
		for i, c := range inv.Clauses {
			for lane := range 64 {
				n := 0
				for _, l := range c {
					if (state[l.Latch()]>>lane&1 == 1) != l.Neg() {
						n++
					}
				}
				if got := int(f[2*i]>>lane&1 + f[2*i+1]>>lane&1*2); got != min(n, 3) {
					t.Fatalf("clause %v, lane %d: %d literals hold, counted %d", c, lane, n, got)
				}
			}
		}
	}
}

// TestSearch compares with enumeration: what is found is a counterexample of the
// mutant, and on designs so small each covered mutant is found.
func TestSearch(t *testing.T) {
	rounds := 1000
	if testing.Short() {
		rounds = 300
	}
	r := rand.New(rand.NewPCG(7, 8))
	found, deepest := 0, 0
	for range rounds {
		shape := randaig.Everything()
		shape.Justice, shape.Fairness, shape.Ands, shape.Latches = 0, 0, 40, 7
		f := randaig.New(r, shape)
		n := netlist.FromAIGER(f)
		if len(n.Properties()) == 0 || explicit.Fails(f, 0) {
			continue
		}
		var targets []mutant.Target
		for i := range n.Latches {
			targets = append(targets, mutant.Target{Index: i})
		}
		place := mutant.Mux(r.IntN(2))
		m := netlist.Compile(n, n.Properties()[0].Bad, targets, place)
		chooser := stimulus.New(context.Background(), m)
		for _, target := range targets {
			for _, fault := range mutant.Standard() {
				cut, force, inside := m.Find(target, fault)
				if !inside {
					continue
				}
				covered, err := explicit.Covered(f, 0, sim.Fault{Kind: fault, Mux: place, Var: f.Latches[target.Index].Lit >> 1})
				if err != nil {
					t.Fatal(err)
				}
				bursts := bursts{context.Background(), 30}
				if covered {
					bursts.left = 100_000
				}
				trace := New(m, cut, force, randomInvariant(r, m), chooser, r.Uint64()).Run(&bursts)
				if trace == nil {
					if covered {
						t.Fatalf("%v, %v: no counterexample found", target, fault)
					}
					continue
				}
				if at := netlist.Replay(m.Mutant(cut, force), trace); at != trace.Depth() {
					t.Fatalf("the trace of %d steps is bad in step %d", trace.Depth(), at)
				}
				found, deepest = found+1, max(deepest, trace.Depth())
			}
		}
	}
	if found < rounds/10 || deepest < 2 {
		t.Errorf("%d found, the deepest in %d steps: the test shows too little", found, deepest)
	}
}

// bursts is a context that ends after a number of looks at it, one a burst.
type bursts struct {
	context.Context
	left int
}

func (b *bursts) Err() error {
	if b.left--; b.left < 0 {
		return context.DeadlineExceeded
	}
	return nil
}

// randomInvariant draws clauses: those that tell states apart need not hold.
func randomInvariant(r *rand.Rand, m *netlist.Model) *cert.Invariant {
	inv := &cert.Invariant{}
	for range r.IntN(4) {
		var c cert.Clause
		for i, l := range m.Latches {
			if l.InCone && r.IntN(2) == 0 {
				c = append(c, cert.MkStateLit(i, r.IntN(2) == 0))
			}
		}
		if len(c) > 0 {
			inv.Clauses = append(inv.Clauses, c)
		}
	}
	return inv
}

// TestLock opens a combination lock: each of 24 steps needs one of 16 inputs, and any
// other leads back to the start, so that random runs from there do not open it.
func TestLock(t *testing.T) {
	const depth, bits, width = 24, 5, 4
	r := rand.New(rand.NewPCG(9, 10))
	n := &netlist.Netlist{Graph: aig.NewGraph()}
	g := n.Graph
	var in, count []aig.Lit
	for range width {
		l := g.Input()
		in = append(in, l)
		n.Inputs = append(n.Inputs, netlist.Input{Lit: l})
	}
	for range bits {
		count = append(count, g.Latch())
	}
	equals := func(word []aig.Lit, value int) aig.Lit {
		all := aig.True
		for i, l := range word {
			all = g.And(all, l.XorSign(value>>i&1 == 0))
		}
		return all
	}
	next := make([]aig.Lit, bits)
	for at := range depth {
		advances := g.And(equals(count, at), equals(in, r.IntN(1<<width)))
		for i := range next {
			if (at+1)>>i&1 == 1 {
				next[i] = g.Or(next[i], advances)
			}
		}
	}
	for i, l := range count {
		n.Latches = append(n.Latches, netlist.Latch{Lit: l, Next: next[i], Reset: aig.False})
	}
	spare := g.Latch()
	n.Latches = append(n.Latches, netlist.Latch{Lit: spare, Next: spare, Reset: aig.False})
	m := netlist.Compile(n, g.And(equals(count, depth), spare), []mutant.Target{{Index: bits}}, mutant.AtOutput)
	cut, force, _ := m.Find(mutant.Target{Index: bits}, mutant.One)
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	trace := New(m, cut, force, &cert.Invariant{}, nil, 1).Run(ctx)
	if trace == nil {
		t.Fatal("the lock stays shut")
	}
	if at := netlist.Replay(m.Mutant(cut, force), trace); at != trace.Depth() || at < depth {
		t.Errorf("the trace of %d steps is bad in step %d", trace.Depth(), at)
	}
}
