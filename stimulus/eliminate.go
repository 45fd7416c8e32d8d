package stimulus

import (
	"context"
	"slices"

	"netcov/aig"
)

// elimination takes inputs out of conditions, one by one.
type elimination struct {
	g      *graph
	inputs []aig.Lit
	limit  int

	open   []condition
	solved []solution // in the order of elimination
	rest   []aig.Lit  // conditions on the state alone
	given  map[int]bool
	at     map[aig.Node]int
}

// condition is an edge and the inputs that it reads, but for those given up.
type condition struct {
	lit    aig.Lit
	inputs []int
	size   int // of its cone
}

// solution says what an input's bucket is where the input is 0, and where it is 1.
type solution struct {
	input     int
	low, high aig.Lit
}

func newElimination(g *graph, inputs, all []aig.Lit, limit int) *elimination {
	e := &elimination{
		g: g, inputs: inputs, limit: limit, given: map[int]bool{}, at: map[aig.Node]int{},
	}
	for i, l := range inputs {
		e.at[l.Node()] = i
	}
	for _, l := range all {
		e.add(l)
	}
	return e
}

// add takes in a condition, unless it looks like a tautology.
func (e *elimination) add(l aig.Lit) {
	if l == aig.True || l == aig.False || slices.ContainsFunc(e.open, func(c condition) bool { return c.lit == l }) || e.g.looksTrue(l) {
		return
	}
	c := condition{lit: l}
	for _, n := range e.g.cone(l) {
		c.size++
		if i, ok := e.at[n]; ok && !e.given[i] {
			c.inputs = append(c.inputs, i)
		}
	}
	if len(c.inputs) > 0 {
		e.open = append(e.open, c)
	} else if !slices.Contains(e.rest, l) {
		e.rest = append(e.rest, l)
	}
}

// run eliminates all inputs; it reports whether ctx left it the time.
func (e *elimination) run(ctx context.Context) bool {
	for len(e.open) > 0 {
		if ctx.Err() != nil {
			return false
		}
		e.eliminate(e.cheapest())
	}
	return true
}

// cheapest returns the input with the smallest bucket.
func (e *elimination) cheapest() int {
	size := map[int]int{}
	for _, c := range e.open {
		for _, i := range c.inputs {
			size[i] += c.size
		}
	}
	best := -1
	for i, n := range size {
		if best < 0 || n < size[best] || n == size[best] && i < best {
			best = i
		}
	}
	return best
}

// eliminate solves the bucket of an input, or gives the input up where that makes the
// graph too large: then the others are chosen to suit it.
func (e *elimination) eliminate(input int) {
	var bucket []condition
	e.open = slices.DeleteFunc(e.open, func(c condition) bool {
		in := slices.Contains(c.inputs, input)
		if in {
			bucket = append(bucket, c)
		}
		return in
	})
	if e.g.Size() > e.limit {
		e.given[input] = true
		for _, c := range bucket {
			e.add(c.lit)
		}
		return
	}
	n := e.inputs[input].Node()
	lows, highs := make([]aig.Lit, len(bucket)), make([]aig.Lit, len(bucket))
	equal := -1 // a condition that says what the input is
	for i, c := range bucket {
		lows[i], highs[i] = e.g.substitute(c.lit, n, aig.False), e.g.substitute(c.lit, n, aig.True)
		if lows[i] == highs[i].Not() {
			equal = i
		}
	}
	if equal >= 0 {
		is := highs[equal]
		e.solved = append(e.solved, solution{input, is.Not(), is})
		for i, c := range bucket {
			if i != equal {
				e.addAll(e.g.substitute(c.lit, n, is))
			}
		}
		return
	}
	low, high := e.g.AndAll(lows...), e.g.AndAll(highs...)
	e.solved = append(e.solved, solution{input, low, high})
	e.addAll(e.g.Or(low, high))
}

func (e *elimination) addAll(l aig.Lit) {
	for _, c := range e.g.Conjuncts(l) {
		e.add(c)
	}
}
