package bdd

import (
	"math/big"
	"slices"
)

// Eval is the value of f under an assignment.
func (m *Manager) Eval(f Ref, value func(v int) bool) bool {
	for m.level(f) != terminalLevel {
		if value(int(m.level(f))) {
			f = m.high(f)
		} else {
			f = m.low(f)
		}
	}
	return f == True
}

// Support lists the variables that f depends on, increasing.
func (m *Manager) Support(f Ref) []int {
	found := make([]bool, m.vars)
	m.visit(func(n node) { found[n.level] = true }, f)
	var out []int
	for v, ok := range found {
		if ok {
			out = append(out, v)
		}
	}
	return out
}

// Size is the number of nodes that the functions consist of together, without
// the terminal.
func (m *Manager) Size(fs ...Ref) int {
	n := 0
	m.visit(func(node) { n++ }, fs...)
	return n
}

func (m *Manager) visit(see func(node), fs ...Ref) {
	seen := map[uint32]bool{0: true}
	var stack []uint32
	for _, f := range fs {
		stack = append(stack, f.index())
	}
	for len(stack) > 0 {
		i := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if seen[i] {
			continue
		}
		seen[i] = true
		n := m.nodes[i]
		see(n)
		stack = append(stack, n.low.index(), n.high.index())
	}
}

// SatCount is the number of assignments to the given variables that satisfy
// f; f may depend on no other variable.
func (m *Manager) SatCount(f Ref, vars []int) *big.Int {
	vars = slices.Clone(vars)
	slices.Sort(vars)
	rank := make([]int, m.vars)
	for i, v := range vars {
		rank[v] = i
	}
	at := func(f Ref) int {
		if l := m.level(f); l != terminalLevel {
			return rank[l]
		}
		return len(vars)
	}
	memo := map[uint32]*big.Int{}
	// count is over the variables from f's own on.
	var count func(f Ref) *big.Int
	count = func(f Ref) *big.Int {
		r := new(big.Int)
		switch f {
		case False:
			return r
		case True:
			return r.SetInt64(1)
		}
		c, ok := memo[f.index()]
		if !ok {
			g := f &^ 1
			c = new(big.Int)
			for _, h := range []Ref{m.low(g), m.high(g)} {
				c.Add(c, new(big.Int).Lsh(count(h), uint(at(h)-at(g)-1)))
			}
			memo[f.index()] = c
		}
		if f&1 != 0 {
			return r.Sub(r.Lsh(big.NewInt(1), uint(len(vars)-at(f))), c)
		}
		return r.Set(c)
	}
	return new(big.Int).Lsh(count(f), uint(at(f)))
}

// PickOne is the assignment to the given variables that satisfies f, with the
// earliest variables 0 where possible; nil when f is False. Variables outside
// the list are chosen in the same way and not returned.
func (m *Manager) PickOne(f Ref, vars []int) []bool {
	if f == False {
		return nil
	}
	value := make([]bool, m.vars)
	for f != True {
		l := m.level(f)
		if low := m.low(f); low != False {
			f = low
		} else {
			f = m.high(f)
			value[l] = true
		}
	}
	out := make([]bool, len(vars))
	for i, v := range vars {
		out[i] = value[v]
	}
	return out
}

// All ranges over the assignments to the given variables that satisfy f, in
// increasing order with the first variable the most significant; f may depend
// on no other variable. The slice is reused from one step to the next. The
// variables must be increasing.
func (m *Manager) All(f Ref, vars []int) func(yield func([]bool) bool) {
	return func(yield func([]bool) bool) {
		value := make([]bool, len(vars))
		var walk func(f Ref, i int) bool
		walk = func(f Ref, i int) bool {
			if f == False {
				return true
			}
			if i == len(vars) {
				return yield(value)
			}
			low, high := m.at(f, uint32(vars[i]))
			value[i] = false
			if !walk(low, i+1) {
				return false
			}
			value[i] = true
			return walk(high, i+1)
		}
		walk(f, 0)
	}
}
