package ltl

import (
	"fmt"

	"netcov/aig"
	"netcov/kripke/circuit"
	"netcov/kripke/structure"
	"netcov/kripke/symbolic"
)

// EncodeStructure is an explicit structure as a circuit, so that the instrumented
// models can be built in one way. Registers hold a state's number, inputs choose
// among its successors, further inputs choose the initial state when there are
// several. The structure's propositions are outputs.
func EncodeStructure(k *structure.Structure) (*circuit.Circuit, error) {
	e := &encoder{k: k, g: aig.NewGraph()}
	c := circuit.Circuit{Name: k.Name, Graph: e.g, Constraint: aig.True}
	degree := 1
	for s := range k.Len() {
		degree = max(degree, len(k.Successors(s)))
	}
	input := func(name string, choices int) []aig.Lit {
		var out []aig.Lit
		if choices > 1 {
			for i := range symbolic.BitsFor(choices) {
				l := e.g.Input()
				c.Inputs = append(c.Inputs, circuit.Signal{Name: fmt.Sprintf("netcov_%s%d", name, i), Lit: l})
				out = append(out, l)
			}
		}
		return out
	}
	bits := symbolic.BitsFor(k.Len())
	for range bits {
		e.state = append(e.state, e.g.Latch())
	}
	choice := input("choice", degree)
	next := make([]aig.Lit, bits)
	for b := range next {
		next[b] = e.select2(e.state, k.Len(), func(s int) aig.Lit {
			to := k.Successors(s)
			return e.select2(choice, len(to), func(j int) aig.Lit { return bit(int(to[j]), b) })
		})
	}
	start := input("start", len(k.Initial))
	for b, l := range e.state {
		c.Controls = append(c.Controls, circuit.Control{
			Name: fmt.Sprintf("netcov_state%d", b), Lit: l, Next: next[b],
			Reset: e.select2(start, len(k.Initial), func(j int) aig.Lit { return bit(k.Initial[j], b) }),
		})
	}
	for p, name := range k.AP {
		c.Outputs = append(c.Outputs, circuit.Signal{Name: name, Lit: e.set(k.Where(p))})
	}
	for _, f := range k.Fair {
		c.Fairness = append(c.Fairness, e.set(f))
	}
	c.StateName = func(bits []bool) string {
		code := 0
		for b, v := range bits {
			if v {
				code |= 1 << b
			}
		}
		if code >= k.Len() {
			return fmt.Sprint(code)
		}
		return k.States[code]
	}
	return circuit.New(c)
}

type encoder struct {
	k     *structure.Structure
	g     *aig.Graph
	state []aig.Lit
}

func bit(code, b int) aig.Lit {
	if code>>b&1 != 0 {
		return aig.True
	}
	return aig.False
}

func (e *encoder) set(s structure.Set) aig.Lit {
	return e.select2(e.state, e.k.Len(), func(w int) aig.Lit {
		if s.Has(w) {
			return aig.True
		}
		return aig.False
	})
}

// select2 is leaf(i) where the selector, lowest bit first, has the value i < n;
// greater values stand for n-1.
func (e *encoder) select2(selector []aig.Lit, n int, leaf func(i int) aig.Lit) aig.Lit {
	var build func(base, bits int) aig.Lit
	build = func(base, bits int) aig.Lit {
		if base >= n-1 {
			return leaf(n - 1)
		}
		if bits == 0 {
			return leaf(base)
		}
		low := build(base, bits-1)
		high := build(base+1<<(bits-1), bits-1)
		return e.g.Mux(selector[bits-1], high, low)
	}
	return build(0, len(selector))
}
