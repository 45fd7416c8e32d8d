package certify

import (
	"cmp"
	"context"
	"slices"
)

// A question about a large design mostly falls into small ones: a clause of an
// invariant is kept by a step for reasons that lie in a few registers. Cubes are
// therefore asked, as far as that goes, against the clauses alone that can have to do
// with them. To leave clauses out is sound where the answer is that no cube is
// possible; any other answer is left to the whole question.
//
// Clauses are either definitions or facts. A definition gives a variable a value
// whatever values the others have, so it matters only to who reads the variable. Facts
// that share variables form a block, together with the definitions of what they read.
// A cube depends on the definitions below its literals, and on the blocks of the
// variables that it finds there.

// definition is a range of clauses of a cnf that define a variable.
type definition struct {
	variable   lit
	start, end int // in cnf.flat
}

// define declares that the clauses from start on define a variable: whatever values
// their other variables have, one of its values makes them true.
func (c *cnf) define(v lit, start int) {
	c.definitions = append(c.definitions, definition{v, start, len(c.flat)})
}

// partsFrom is the size of a question, in literals, from which it is asked in parts.
// All parts together may be as large as partsMost such questions, and one part as the
// share partsLargest of it. Tests change partsFrom.
var partsFrom = 20000

const (
	partsMost    = 3
	partsLargest = 0.25
)

// parts divides a question.
type parts struct {
	c        *cnf
	defined  []int32   // by variable: 1 + the position of its definition; 0: none
	parent   []lit     // by variable: towards the root of its block; 0: in no block
	facts    [][2]int  // ranges of clauses, one each
	members  [][]int32 // by block number: positions of definitions that belong to it
	blockOf  []int32   // by root variable: 1 + the number of its block
	blocks   [][]int32 // by number: positions of facts
	weight   []int     // by number: literals
	seen     []int32   // by variable: the last walk that met it
	walk     int32
	stack    []lit
	operands []lit
}

// group are cubes that depend on the same blocks.
type group struct {
	blocks []int32
	cubes  [][]lit
	weight int
}

// impossibleInParts returns the cubes that are left when those are taken away that a
// part of the clauses makes impossible.
func (q *query) impossibleInParts(ctx context.Context) ([][]lit, error) {
	if len(q.cubes) < 2 || len(q.c.flat) < partsFrom {
		return q.cubes, nil
	}
	p := divide(q.c)
	groups := p.groups(q.cubes)
	slices.SortStableFunc(groups, func(a, b *group) int { return cmp.Compare(a.weight, b.weight) })
	var left [][]lit
	budget := partsMost * len(q.c.flat)
	for _, g := range groups {
		if budget -= g.weight; budget < 0 || float64(g.weight) > partsLargest*float64(len(q.c.flat)) {
			left = append(left, g.cubes...)
			continue
		}
		part := query{c: &cnf{vars: 1}, kind: Gini}
		part.cubes = p.cut(g, part.c)
		part.left = part.cubes
		possible, err := part.askGini(ctx)
		if err != nil {
			return nil, err
		}
		if possible {
			left = append(left, g.cubes[part.at:]...)
		}
	}
	return left, nil
}

// divide finds the blocks.
func divide(c *cnf) *parts {
	n := c.vars + 1
	p := &parts{c: c, defined: make([]int32, n), parent: make([]lit, n), seen: make([]int32, n), blockOf: make([]int32, n)}
	for i, d := range c.definitions {
		p.defined[d.variable] = int32(i) + 1
	}
	next := 0
	for at := 0; at < len(c.flat); {
		for next < len(c.definitions) && c.definitions[next].end <= at {
			next++
		}
		if next < len(c.definitions) && c.definitions[next].start <= at {
			at = c.definitions[next].end
			continue
		}
		start := at
		for c.flat[at] != 0 {
			p.join(c.flat[start], c.flat[at])
			at++
		}
		p.facts = append(p.facts, [2]int{start, at})
		at++
	}
	for _, f := range p.facts {
		for _, l := range c.flat[f[0]:f[1]] {
			p.absorb(max(l, -l))
		}
	}
	for i, f := range p.facts {
		b := p.block(c.flat[f[0]])
		p.blocks[b] = append(p.blocks[b], int32(i))
		p.weight[b] += f[1] - f[0] + 1
	}
	for i, d := range c.definitions {
		if p.parent[d.variable] != 0 {
			b := p.block(d.variable)
			p.members[b] = append(p.members[b], int32(i))
			p.weight[b] += d.end - d.start
		}
	}
	return p
}

// block returns the number of a variable's block.
func (p *parts) block(l lit) int32 {
	root := p.root(max(l, -l))
	if p.blockOf[root] == 0 {
		p.blocks, p.members, p.weight = append(p.blocks, nil), append(p.members, nil), append(p.weight, 0)
		p.blockOf[root] = int32(len(p.blocks))
	}
	return p.blockOf[root] - 1
}

func (p *parts) root(v lit) lit {
	if p.parent[v] == 0 {
		p.parent[v] = v
	}
	for p.parent[v] != v {
		p.parent[v] = p.parent[p.parent[v]]
		v = p.parent[v]
	}
	return v
}

func (p *parts) join(a, b lit) {
	p.parent[p.root(max(a, -a))] = p.root(max(b, -b))
}

// absorb takes what defines a variable of a block, and all below, into the block.
func (p *parts) absorb(v lit) {
	p.stack = append(p.stack[:0], v)
	for len(p.stack) > 0 {
		v := p.stack[len(p.stack)-1]
		p.stack = p.stack[:len(p.stack)-1]
		if p.seen[v] != 0 {
			continue
		}
		p.seen[v] = 1
		for _, x := range p.reads(v) {
			p.join(v, x)
			p.stack = append(p.stack, x)
		}
	}
	p.walk = 1
}

// reads lists the variables that define a variable, with repetitions; none for a free
// one.
func (p *parts) reads(v lit) []lit {
	i := p.defined[v]
	if i == 0 {
		return nil
	}
	d := p.c.definitions[i-1]
	p.operands = p.operands[:0]
	for _, l := range p.c.flat[d.start:d.end] {
		if x := max(l, -l); x != 0 && x != v {
			p.operands = append(p.operands, x)
		}
	}
	return p.operands
}

// below calls found with each variable that lies below literals through definitions
// outside of blocks, and with those of blocks that they end at.
func (p *parts) below(lits []lit, found func(v lit, inBlock bool)) {
	p.stack = p.stack[:0]
	for _, l := range lits {
		p.stack = append(p.stack, max(l, -l))
	}
	for len(p.stack) > 0 {
		v := p.stack[len(p.stack)-1]
		p.stack = p.stack[:len(p.stack)-1]
		if p.seen[v] == p.walk {
			continue
		}
		p.seen[v] = p.walk
		inBlock := p.parent[v] != 0
		found(v, inBlock)
		if !inBlock {
			p.stack = append(p.stack, p.reads(v)...)
		}
	}
}

// groups puts cubes together that depend on the same blocks.
func (p *parts) groups(cubes [][]lit) []*group {
	byKey := map[string]*group{}
	var all []*group
	var key []byte
	for _, cube := range cubes {
		var blocks []int32
		own := 0
		p.walk++
		p.below(cube, func(v lit, inBlock bool) {
			if inBlock {
				blocks = append(blocks, p.block(v))
			} else if i := p.defined[v]; i != 0 {
				d := p.c.definitions[i-1]
				own += d.end - d.start
			}
		})
		slices.Sort(blocks)
		blocks = slices.Compact(blocks)
		key = key[:0]
		for _, b := range blocks {
			key = append(key, byte(b), byte(b>>8), byte(b>>16), byte(b>>24))
		}
		g := byKey[string(key)]
		if g == nil {
			g = &group{blocks: blocks}
			for _, b := range blocks {
				g.weight += p.weight[b]
			}
			byKey[string(key)] = g
			all = append(all, g)
		}
		g.cubes = append(g.cubes, cube)
		g.weight += own
	}
	return all
}

// cut writes the clauses that a group depends on, with variables of their own, and
// returns its cubes over these.
func (p *parts) cut(g *group, to *cnf) [][]lit {
	names := map[lit]lit{}
	name := func(l lit) lit {
		v := max(l, -l)
		if names[v] == 0 {
			names[v] = to.fresh()
		}
		if l < 0 {
			return -names[v]
		}
		return names[v]
	}
	copied := func(start, end int) {
		for _, l := range p.c.flat[start:end] {
			if l == 0 {
				to.flat = append(to.flat, 0)
			} else {
				to.flat = append(to.flat, name(l))
			}
		}
	}
	for _, b := range g.blocks {
		for _, i := range p.blocks[b] {
			copied(p.facts[i][0], p.facts[i][1]+1)
		}
		for _, i := range p.members[b] {
			d := p.c.definitions[i]
			copied(d.start, d.end)
		}
	}
	p.walk++
	cubes := make([][]lit, len(g.cubes))
	for i, cube := range g.cubes {
		p.below(cube, func(v lit, inBlock bool) {
			if i := p.defined[v]; i != 0 && !inBlock {
				d := p.c.definitions[i-1]
				copied(d.start, d.end)
			}
		})
		for _, l := range cube {
			cubes[i] = append(cubes[i], name(l))
		}
	}
	return cubes
}
