package paranoid

import (
	"context"
	"math/rand/v2"
	"testing"

	"netcov/aig"
	"netcov/aiger/randaig"
	"netcov/cert"
	"netcov/mutant"
	"netcov/netlist"
)

// explicit is a model as sets of states, by simulation of every state and input.
type explicit struct {
	latches int
	initial []bool  // [state]
	next    [][]int // [state]: successors under inputs that satisfy the constraint
	bad     []bool  // [state]: bad under some input that satisfies the constraint
	before  [][]int // predecessors
}

func enumerate(m *netlist.Model) *explicit {
	n := len(m.Latches)
	e := &explicit{latches: n, initial: make([]bool, 1<<n), bad: make([]bool, 1<<n), next: make([][]int, 1<<n), before: make([][]int, 1<<n)}
	values := make([]bool, m.Graph.Size())
	edge := func(l aig.Lit) bool { return values[l.Node()] != l.Neg() }
	for s := range 1 << n {
		e.initial[s] = true
		for i, l := range m.Latches {
			bit := s>>i&1 == 1
			if l.Reset == netlist.Reset0 && bit || l.Reset == netlist.Reset1 && !bit {
				e.initial[s] = false
			}
		}
		for in := range 1 << len(m.Inputs) {
			for i, l := range m.Inputs {
				values[l.Node()] = in>>i&1 == 1
			}
			for i, l := range m.Latches {
				values[l.Lit.Node()] = s>>i&1 == 1
			}
			for k := aig.Node(1); int(k) < m.Graph.Size(); k++ {
				switch m.Graph.Kind(k) {
				case aig.KindAnd:
					a, b := m.Graph.Fanins(k)
					values[k] = edge(a) && edge(b)
				case aig.KindCut:
					a, _ := m.Graph.Fanins(k)
					values[k] = edge(a)
				}
			}
			if !edge(m.Constraint) {
				continue
			}
			e.bad[s] = e.bad[s] || edge(m.Bad)
			to := 0
			for i, l := range m.Latches {
				if edge(l.Next) {
					to |= 1 << i
				}
			}
			e.next[s] = append(e.next[s], to)
			e.before[to] = append(e.before[to], s)
		}
	}
	return e
}

// random draws a set of clauses.
func random(r *rand.Rand, latches int) *cert.Invariant {
	v := &cert.Invariant{}
	for range r.IntN(4) {
		var c cert.Clause
		for range 1 + r.IntN(3) {
			c = append(c, cert.MkStateLit(r.IntN(latches), r.IntN(2) == 0))
		}
		v.Clauses = append(v.Clauses, c)
	}
	return v
}

func (e *explicit) states(v *cert.Invariant) []bool {
	in := make([]bool, 1<<e.latches)
	state := make([]bool, e.latches)
	for s := range in {
		for i := range state {
			state[i] = s>>i&1 == 1
		}
		in[s] = v.Holds(state)
	}
	return in
}

// closed reports whether all steps from the first set end in the second.
func closed(next [][]int, from, to []bool) bool {
	for s, list := range next {
		for _, n := range list {
			if from[s] && !to[n] {
				return false
			}
		}
	}
	return true
}

// within returns the states that a run of at most so many steps from a set has.
func within(next [][]int, from []bool, steps int) []bool {
	seen := append([]bool{}, from...)
	for range steps {
		now := append([]bool{}, seen...)
		for s, in := range now {
			if in {
				for _, n := range next[s] {
					seen[n] = true
				}
			}
		}
	}
	return seen
}

func meet(a, b []bool) bool {
	for i := range a {
		if a[i] && b[i] {
			return true
		}
	}
	return false
}

func subset(a, b []bool) bool {
	for i := range a {
		if a[i] && !b[i] {
			return false
		}
	}
	return true
}

// TestAgainstEnumeration compares the checks of random sets with the
// definitions, state by state.
func TestAgainstEnumeration(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	ctx := context.Background()
	count := map[string]int{}
	expect := func(what string, err error, right bool) {
		t.Helper()
		if (err == nil) != right {
			t.Fatalf("%s: %v, by enumeration %v", what, err, right)
		}
		if right {
			what += " passes"
		}
		count[what]++
	}
	for range 1500 {
		shape := randaig.Everything()
		shape.ResetFunction = false
		f := randaig.New(r, shape)
		n := netlist.FromAIGER(f)
		if len(f.Latches) == 0 || len(f.Bads) == 0 {
			continue
		}
		m := netlist.Compile(n, n.Properties()[0].Bad, nil, mutant.AtOutput)
		e := enumerate(m)
		a, b := random(r, len(m.Latches)), random(r, len(m.Latches))
		if r.IntN(3) == 0 {
			b.Clauses = append(b.Clauses, a.Clauses...)
		}
		set, image := e.states(a), e.states(b)
		k := 1 + r.IntN(3)
		inductive := subset(e.initial, set) && closed(e.next, set, set)
		expect("inductive", Invariant(ctx, m, a, false), inductive)
		expect("invariant", Invariant(ctx, m, a, true), inductive && !meet(set, e.bad))
		expect("image", Image(ctx, m, a, b, k), closed(e.next, set, image) && !meet(within(e.next, image, k-1), e.bad))
		reachable := within(e.next, e.initial, k-1)
		pre := make([]bool, len(set))
		for to, in := range set {
			for _, s := range e.before[to] {
				pre[s] = pre[s] || in
			}
		}
		expect("preimage", Preimage(ctx, m, a, b, k), subset(pre, image) && !meet(reachable, image))
		expect("bad preimage", Preimage(ctx, m, nil, b, k), subset(e.bad, image) && !meet(reachable, image))
	}
	t.Log(count)
	for _, what := range []string{"inductive", "invariant", "image", "preimage", "bad preimage"} {
		if count[what] < 20 || count[what+" passes"] < 20 {
			t.Errorf("%s: one-sided sample: %v", what, count)
		}
	}
}
