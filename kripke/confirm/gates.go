package confirm

import (
	"netcov/aig"
	"netcov/aiger"
	"netcov/kripke/bdd"
	"netcov/kripke/circuit"
)

// gates builds a file. Inputs and latches come before gates, in numbers that are known
// from the start.
type gates struct {
	file aiger.File
	made map[aiger.And]aiger.Lit
}

func newGates(inputs, latches int) *gates {
	g := &gates{made: map[aiger.And]aiger.Lit{}}
	for range inputs {
		g.file.MaxVar++
		g.file.Inputs = append(g.file.Inputs, 2*g.file.MaxVar)
	}
	for range latches {
		g.file.MaxVar++
		g.file.Latches = append(g.file.Latches, aiger.Latch{Lit: 2 * g.file.MaxVar})
	}
	return g
}

func constant(v bool) aiger.Lit {
	if v {
		return 1
	}
	return 0
}

func (g *gates) and(x, y aiger.Lit) aiger.Lit {
	if x < y {
		x, y = y, x
	}
	switch {
	case y == 0 || x == y^1:
		return 0
	case y == 1 || x == y:
		return x
	}
	key := aiger.And{Rhs0: x, Rhs1: y}
	l, ok := g.made[key]
	if !ok {
		g.file.MaxVar++
		l = 2 * g.file.MaxVar
		g.made[key] = l
		g.file.Ands = append(g.file.Ands, aiger.And{Lhs: l, Rhs0: x, Rhs1: y})
	}
	return l
}

func (g *gates) or(x, y aiger.Lit) aiger.Lit { return g.and(x^1, y^1) ^ 1 }

func (g *gates) xor(x, y aiger.Lit) aiger.Lit { return g.or(g.and(x, y^1), g.and(x^1, y)) }

// is holds where the bits, lowest first, are a number.
func (g *gates) is(bits []aiger.Lit, number int) aiger.Lit {
	out := aiger.Lit(1)
	for i, l := range bits {
		out = g.and(out, l^constant(number>>i&1 == 0))
	}
	return out
}

// copy is a circuit in the file, with given registers and inputs.
type copied struct {
	g      *gates
	c      *circuit.Circuit
	values []aiger.Lit // by node, plus 1; 0: not yet
}

func (g *gates) copy(c *circuit.Circuit, registers, inputs []aiger.Lit) *copied {
	k := &copied{g, c, make([]aiger.Lit, c.Graph.Size())}
	k.values[0] = 0 + 1
	for i, r := range c.Controls {
		k.values[r.Lit.Node()] = registers[i] ^ constant(r.Lit.Neg()) + 1
	}
	for i, in := range c.Inputs {
		k.values[in.Lit.Node()] = inputs[i] ^ constant(in.Lit.Neg()) + 1
	}
	return k
}

func (k *copied) lit(l aig.Lit) aiger.Lit {
	known := func(n aig.Node) bool { return k.values[n] != 0 }
	for stack := []aig.Node{l.Node()}; len(stack) > 0; {
		n := stack[len(stack)-1]
		x, y := k.c.Graph.Fanins(n)
		and := k.c.Graph.Kind(n) == aig.KindAnd
		switch {
		case known(n):
			stack = stack[:len(stack)-1]
		case !known(x.Node()):
			stack = append(stack, x.Node())
		case and && !known(y.Node()):
			stack = append(stack, y.Node())
		case and:
			k.values[n] = k.g.and(k.of(x), k.of(y)) + 1
		default:
			k.values[n] = k.of(x) + 1
		}
	}
	return k.of(l)
}

func (k *copied) of(l aig.Lit) aiger.Lit { return (k.values[l.Node()] - 1) ^ constant(l.Neg()) }

// guards writes guards over a letter.
type guards struct {
	g      *gates
	m      *bdd.Manager
	letter []aiger.Lit
	made   map[bdd.Ref]aiger.Lit
}

func (w *guards) lit(f bdd.Ref) aiger.Lit {
	if f == bdd.False || f == bdd.True {
		return constant(f == bdd.True)
	}
	l, ok := w.made[f]
	if !ok {
		v := w.m.Support(f)[0]
		yes, no := w.lit(w.m.Cofactor(f, v, true)), w.lit(w.m.Cofactor(f, v, false))
		l = w.g.or(w.g.and(w.letter[v], yes), w.g.and(w.letter[v]^1, no))
		w.made[f] = l
	}
	return l
}
