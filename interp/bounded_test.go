package interp

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"
	"time"

	"netcov/aig"
	"netcov/cert"
	"netcov/mutant"
	"netcov/netlist"
	"netcov/proof"
	"netcov/sat"
)

// TestBoundedAgainstEnumeration compares the bounded search, on models and on
// mutants and in pieces, with enumeration.
func TestBoundedAgainstEnumeration(t *testing.T) {
	ctx := context.Background()
	found, spent := 0, 0
	for seed := range uint64(tries(2000)) {
		r := rand.New(rand.NewPCG(seed, 4))
		m := randomModel(r, true)
		if len(m.Cuts) > 0 {
			m = m.Mutant(r.IntN(len(m.Cuts)), netlist.Force(r.IntN(netlist.Forces)))
		}
		want := newExplicit(m).depth()
		var s sat.Solver
		if seed%8 == 0 {
			s = proof.NewGini()
		}
		b := NewBounded(m, s)
		var trace *cert.Trace
		for depth := 0; depth < 70 && trace == nil && !b.Exhausted(); depth += 1 + r.IntN(9) {
			var err error
			if trace, err = b.Extend(ctx, depth); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			if trace == nil && !b.Exhausted() && b.Bound() != depth {
				t.Fatalf("seed %d: bound %d at depth %d", seed, b.Bound(), depth)
			}
		}
		switch {
		case trace == nil && want >= 0, trace != nil && trace.Depth() != want:
			t.Fatalf("seed %d: trace %v, the shortest counterexample is %d", seed, trace, want)
		case trace != nil && netlist.Replay(m, trace) != want:
			t.Fatalf("seed %d: replay", seed)
		}
		if trace != nil {
			found++
		}
		if b.Exhausted() {
			spent++
		}
	}
	if found == 0 || spent == 0 {
		t.Fatalf("%d counterexamples, %d runs ended by constraints", found, spent)
	}
}

// TestBoundedCancelled stops the search at once and takes it up again.
func TestBoundedCancelled(t *testing.T) {
	m := counter(6, 40)
	b := NewBounded(m, nil)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := b.Extend(ctx, 100); !errors.Is(err, context.Canceled) || b.Bound() != -1 {
		t.Fatalf("%v, bound %d", err, b.Bound())
	}
	if trace, err := b.Extend(context.Background(), 39); trace != nil || err != nil || b.Bound() != 39 {
		t.Fatalf("%v, %v, bound %d", trace, err, b.Bound())
	}
	if trace, err := b.Extend(context.Background(), 100); err != nil || trace.Depth() != 40 {
		t.Fatalf("%v, %v", trace, err)
	}
}

// counter is bad when a counter of that many bits reaches a value.
func counter(bits, value int) *netlist.Model {
	n := &netlist.Netlist{Graph: aig.NewGraph()}
	g := n.Graph
	carry, bad := aig.True, aig.True
	for range bits {
		n.Latches = append(n.Latches, netlist.Latch{Lit: g.Latch()})
	}
	for i := range n.Latches {
		l := n.Latches[i].Lit
		n.Latches[i].Next = g.Xor(l, carry)
		carry = g.And(carry, l)
		bad = g.And(bad, l.XorSign(value>>i&1 == 0))
	}
	return netlist.Compile(n, bad, nil, mutant.AtOutput)
}

// TestCheckerResumes runs in slices of time, some of which end at once, and
// expects the same answers.
func TestCheckerResumes(t *testing.T) {
	for seed := range uint64(tries(300)) {
		r := rand.New(rand.NewPCG(seed, 5))
		m := randomModel(r, false)
		e := newExplicit(m)
		want := e.depth()
		opts := variants()
		c := NewChecker(m, opts[r.IntN(len(opts))])
		var res *Result
		for range 1000 {
			ctx, cancel := context.WithTimeout(context.Background(), time.Duration(r.IntN(200))*time.Microsecond)
			var err error
			res, err = c.Run(ctx)
			cancel()
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			if want >= 0 && res.Bound >= want {
				t.Fatalf("seed %d: bound %d, but a counterexample has %d steps", seed, res.Bound, want)
			}
			if res.Status != cert.Unknown {
				break
			}
		}
		switch {
		case res.Status == cert.Unknown:
			var err error
			if res, err = c.Run(context.Background()); err != nil || res.Status == cert.Unknown {
				t.Fatalf("seed %d: %v, %v", seed, res.Status, err)
			}
		case (res.Status == cert.Fails) != (want >= 0):
			t.Fatalf("seed %d: %v, the shortest counterexample is %d", seed, res.Status, want)
		}
		if res.Status == cert.Holds {
			if fault := e.invariantFault(res.Invariant); fault != "" {
				t.Fatalf("seed %d: the invariant lacks %s", seed, fault)
			}
		}
	}
}

// TestSmallSlices makes every turn end in the middle of something.
func TestSmallSlices(t *testing.T) {
	for seed := range uint64(tries(500)) {
		r := rand.New(rand.NewPCG(seed, 6))
		m := randomModel(r, false)
		e := newExplicit(m)
		opts := variants()
		c := NewChecker(m, opts[r.IntN(len(opts))])
		c.slice = 1 + int64(r.IntN(300))
		res, err := c.Run(context.Background())
		if err != nil || (res.Status == cert.Fails) != (e.depth() >= 0) || res.Status == cert.Unknown {
			t.Fatalf("seed %d: %v, %v, the shortest counterexample is %d", seed, res.Status, err, e.depth())
		}
		if res.Status == cert.Holds {
			if fault := e.invariantFault(res.Invariant); fault != "" {
				t.Fatalf("seed %d: the invariant lacks %s", seed, fault)
			}
		}
	}
}
