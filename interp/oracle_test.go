package interp

import (
	"math/rand/v2"
	"testing"

	"netcov/aig"
	"netcov/cert"
	"netcov/mutant"
	"netcov/netlist"
)

// randomModel makes a small model with constraints and all kinds of resets.
func randomModel(r *rand.Rand, targets bool) *netlist.Model {
	n := &netlist.Netlist{Graph: aig.NewGraph()}
	lits := []aig.Lit{aig.False}
	for range r.IntN(4) {
		l := n.Graph.Input()
		n.Inputs = append(n.Inputs, netlist.Input{Lit: l})
		lits = append(lits, l)
	}
	for range 1 + r.IntN(6) {
		l := n.Graph.Latch()
		n.Latches = append(n.Latches, netlist.Latch{Lit: l})
		lits = append(lits, l, l) // often used
	}
	pick := func() aig.Lit { return lits[r.IntN(len(lits))] ^ aig.Lit(r.IntN(2)) }
	for range r.IntN(40) {
		l := n.Graph.RawAnd(pick(), pick())
		n.Gates = append(n.Gates, l)
		lits = append(lits, l)
	}
	var ts []mutant.Target
	for i := range n.Latches {
		n.Latches[i].Next = pick()
		switch r.IntN(6) {
		case 0:
			n.Latches[i].Reset = aig.True
		case 1:
			n.Latches[i].Reset = n.Latches[i].Lit
		case 2:
			if len(n.Inputs) > 0 {
				n.Latches[i].Reset = n.Inputs[r.IntN(len(n.Inputs))].Lit
			}
		}
		if targets {
			ts = append(ts, mutant.Target{Index: i})
		}
	}
	bad := pick()
	for range r.IntN(4) { // seldom bad, so that properties often hold
		bad = n.Graph.RawAnd(bad, pick())
		n.Gates = append(n.Gates, bad)
	}
	if r.IntN(3) == 0 {
		n.Constraints = append(n.Constraints, netlist.Signal{Lit: pick()})
	}
	return netlist.Compile(n, bad, ts, mutant.Mux(r.IntN(2)))
}

// explicit answers by enumeration of states and inputs: bit i of a state is
// latch i. It is the twin that the engines are compared with.
type explicit struct {
	m       *netlist.Model
	inputs  int        // number of input valuations
	next    [][]uint32 // [state][input]
	bad, ok [][]bool   // [state][input]
}

func newExplicit(m *netlist.Model) *explicit {
	e := &explicit{m: m, inputs: 1 << len(m.Inputs)}
	sim := netlist.NewSimulator(m)
	in := make([]uint64, len(m.Inputs))
	for s := range 1 << len(m.Latches) {
		next, bad, ok := make([]uint32, e.inputs), make([]bool, e.inputs), make([]bool, e.inputs)
		for v := range e.inputs {
			for i := range m.Latches {
				sim.SetState(i, uint64(s>>i&1))
			}
			for i := range in {
				in[i] = uint64(v >> i & 1)
			}
			sim.Eval(in)
			bad[v], ok[v] = sim.Value(m.Bad)&1 == 1, sim.Value(m.Constraint)&1 == 1
			for i, l := range m.Latches {
				if l.InCone {
					next[v] |= uint32(sim.Value(l.Next)&1) << i
				}
			}
		}
		e.next, e.bad, e.ok = append(e.next, next), append(e.bad, bad), append(e.ok, ok)
	}
	return e
}

// initial reports whether a state is initial.
func (e *explicit) initial(s int) bool {
	for i, l := range e.m.Latches {
		if l.InCone && l.Reset != netlist.ResetX && s>>i&1 != int(l.Reset) {
			return false
		}
	}
	return true
}

// depth is the length of the shortest counterexample, -1 when there is none.
func (e *explicit) depth() int {
	seen := make([]bool, len(e.next))
	var front []int
	for s := range seen {
		if e.initial(s) {
			seen[s] = true
			front = append(front, s)
		}
	}
	for d := 0; len(front) > 0; d++ {
		var then []int
		for _, s := range front {
			for v := range e.inputs {
				if !e.ok[s][v] {
					continue
				}
				if e.bad[s][v] {
					return d
				}
				if t := int(e.next[s][v]); !seen[t] {
					seen[t] = true
					then = append(then, t)
				}
			}
		}
		front = then
	}
	return -1
}

// invariantFault names what an invariant lacks, "" when it is inductive.
func (e *explicit) invariantFault(inv *cert.Invariant) string {
	in := make([]bool, len(e.next))
	state := make([]bool, len(e.m.Latches))
	for s := range in {
		for i := range state {
			state[i] = s>>i&1 == 1
		}
		in[s] = inv.Holds(state)
	}
	for s := range in {
		if e.initial(s) && !in[s] {
			return "initiation"
		}
		for v := range e.inputs {
			if !in[s] || !e.ok[s][v] {
				continue
			}
			if e.bad[s][v] {
				return "safety"
			}
			t := int(e.next[s][v])
			for i, l := range e.m.Latches { // latches outside of the cone are free
				if !l.InCone {
					t = t&^(1<<i) | s&(1<<i)
				}
			}
			if !in[t] {
				return "consecution"
			}
		}
	}
	return ""
}

// tries is the number of random cases of a test, fewer in short mode.
func tries(n int) int {
	if testing.Short() {
		return n/10 + 1
	}
	return n
}
