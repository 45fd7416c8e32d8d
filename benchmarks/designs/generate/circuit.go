package main

import (
	"fmt"

	"netcov/aig"
	"netcov/netlist"
)

// circuit builds a netlist from named signals and words.
type circuit struct {
	n *netlist.Netlist
}

type (
	bit  = aig.Lit
	word []bit // least significant bit first
)

func newCircuit() *circuit { return &circuit{&netlist.Netlist{Graph: aig.NewGraph()}} }

func (c *circuit) input(name string) bit {
	l := c.n.Graph.Input()
	c.n.Inputs = append(c.n.Inputs, netlist.Input{Lit: l, Name: name})
	return l
}

func (c *circuit) inputs(name string, width int) word {
	var w word
	for i := range width {
		w = append(w, c.input(fmt.Sprintf("%s[%d]", name, i)))
	}
	return w
}

// register adds a register of one bit that starts at reset; drive gives it its
// next-state function.
func (c *circuit) register(name string, reset bit) bit {
	l := c.n.Graph.Latch()
	c.n.Latches = append(c.n.Latches, netlist.Latch{Lit: l, Next: l, Reset: reset, Name: name})
	return l
}

// free adds a register without an initial value.
func (c *circuit) free(name string) bit {
	l := c.register(name, aig.False)
	c.n.Latches[len(c.n.Latches)-1].Reset = l
	return l
}

func (c *circuit) registers(name string, width int, value uint) word {
	var w word
	for i := range width {
		w = append(w, c.register(fmt.Sprintf("%s[%d]", name, i), aig.Lit(value>>i&1)))
	}
	return w
}

func (c *circuit) drive(q, next bit) {
	for i := range c.n.Latches {
		if c.n.Latches[i].Lit == q {
			c.n.Latches[i].Next = next
		}
	}
}

func (c *circuit) driveWord(q, next word) {
	for i := range q {
		c.drive(q[i], next[i])
	}
}

// assert adds a property: ok holds in every state.
func (c *circuit) assert(name string, ok bit) {
	c.n.Bads = append(c.n.Bads, netlist.Signal{Lit: ok.Not(), Name: name})
}

func (c *circuit) assume(name string, ok bit) {
	c.n.Constraints = append(c.n.Constraints, netlist.Signal{Lit: ok, Name: name})
}

func (c *circuit) and(ls ...bit) bit    { return c.n.Graph.AndAll(ls...) }
func (c *circuit) or(ls ...bit) bit     { return c.n.Graph.OrAll(ls...) }
func (c *circuit) xor(a, b bit) bit     { return c.n.Graph.Xor(a, b) }
func (c *circuit) mux(s, t, e bit) bit  { return c.n.Graph.Mux(s, t, e) }
func (c *circuit) implies(a, b bit) bit { return c.or(a.Not(), b) }
func (c *circuit) delayed(n string, b bit) bit {
	q := c.register(n, aig.False)
	c.drive(q, b)
	return q
}

func (c *circuit) muxWord(s bit, t, e word) word {
	out := make(word, len(t))
	for i := range t {
		out[i] = c.mux(s, t[i], e[i])
	}
	return out
}

// increment returns a + 1, wrapped.
func (c *circuit) increment(a word) word {
	out := make(word, len(a))
	carry := aig.True
	for i := range a {
		out[i] = c.xor(a[i], carry)
		carry = c.and(a[i], carry)
	}
	return out
}

// decrement returns a - 1, wrapped.
func (c *circuit) decrement(a word) word {
	out := make(word, len(a))
	borrow := aig.True
	for i := range a {
		out[i] = c.xor(a[i], borrow)
		borrow = c.and(a[i].Not(), borrow)
	}
	return out
}

func (c *circuit) equals(a word, value uint) bit {
	var ls []bit
	for i := range a {
		ls = append(ls, a[i].XorSign(value>>i&1 == 0))
	}
	return c.and(ls...)
}

func (c *circuit) same(a, b word) bit {
	var ls []bit
	for i := range a {
		ls = append(ls, c.xor(a[i], b[i]).Not())
	}
	return c.and(ls...)
}

// below reports whether a < value.
func (c *circuit) below(a word, value uint) bit {
	less := aig.False
	for i := range a {
		v := aig.Lit(value >> i & 1)
		less = c.or(c.and(a[i].Not(), v), c.and(c.xor(a[i], v).Not(), less))
	}
	return less
}
