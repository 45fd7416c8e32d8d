package ctl

import "slices"

// Incomplete model checking: three-valued evaluation of the graph when some
// mutation variables are known, and the graph that remains of the gates with
// unknown value.
//
// A stratum is evaluated as a fixpoint, with v = true for least and v = false
// for greatest ones. A gate is v for certain when v spreads to it from what is
// certainly v; it is certainly not v when v does not even spread to it with
// every unknown input taken as v (it is unfounded). Both take time linear in
// the stratum.

type truth uint8

const (
	unknown truth = iota
	yes
	no
)

func (t truth) not() truth { return [...]truth{unknown, no, yes}[t] }

// shrinker holds the work space of evaluations, sized for the largest graph.
type shrinker struct {
	p      program
	assign []truth // by mutation variable

	value    []truth
	certain  []int32 // inputs that are missing for certainty
	possible []int32 // inputs that are missing for possibility
	state    []uint8
	stack    []int32
	poffset  []int32
	parent   []int32
	cursor   []int32
	alias    []int32
	number   []int32
	stamp    []int32
	varSeen  []bool
	// For merging cycles: members of a merged gate are linked from it.
	link  []int32
	index []int32
	low   []int32
	path  []int32
	calls []tarjanFrame

	work int64 // gates evaluated so far
}

const (
	isCertain uint8 = 1 << iota
	isPossible
)

func newShrinker(p program, cells, gates int) *shrinker {
	return &shrinker{
		p: p, assign: make([]truth, cells), varSeen: make([]bool, cells),
		value: make([]truth, gates), certain: make([]int32, gates), possible: make([]int32, gates),
		state: make([]uint8, gates), poffset: make([]int32, gates+1), cursor: make([]int32, gates),
		alias: make([]int32, gates), number: make([]int32, gates), stamp: make([]int32, gates),
		link: make([]int32, gates), index: make([]int32, gates), low: make([]int32, gates),
	}
}

// evaluate computes the value of every gate and returns the root's.
func (s *shrinker) evaluate(g *graph) truth {
	s.work += int64(g.len())
	s.parents(g)
	for low := 0; low < g.len(); {
		high := low + 1
		for high < g.len() && g.stratum[high] == g.stratum[low] {
			high++
		}
		s.evaluateStratum(g, int32(low), int32(high))
		low = high
	}
	return s.value[g.root]
}

// parents lists, for each gate, the gates of its own stratum that read it.
func (s *shrinker) parents(g *graph) {
	n := g.len()
	clear(s.poffset[:n+1])
	total := int32(0)
	for i := range int32(n) {
		if g.leaf(i) {
			continue
		}
		for _, c := range g.children(i) {
			if g.stratum[c] == g.stratum[i] {
				s.poffset[c+1]++
				total++
			}
		}
	}
	for i := range n {
		s.poffset[i+1] += s.poffset[i]
	}
	copy(s.cursor[:n], s.poffset[:n])
	s.parent = slices.Grow(s.parent[:0], int(total))[:total]
	for i := range int32(n) {
		if g.leaf(i) {
			continue
		}
		for _, c := range g.children(i) {
			if g.stratum[c] == g.stratum[i] {
				s.parent[s.cursor[c]] = i
				s.cursor[c]++
			}
		}
	}
}

// evaluateStratum evaluates the gates low…high-1.
func (s *shrinker) evaluateStratum(g *graph, low, high int32) {
	v := yes
	if t := g.stratum[low]; int(t) < len(s.p) && s.p[t].greatest() {
		v = no
	}
	s.stack = s.stack[:0]
	reach := func(i int32, how uint8) {
		if s.state[i]&how == 0 {
			s.state[i] |= how
			s.stack = append(s.stack, i)
		}
	}
	for i := low; i < high; i++ {
		s.state[i] = 0
		t := unknown
		switch g.kind[i] {
		case gateTrue:
			t = yes
		case gateFalse:
			t = no
		case leafPositive:
			t = s.assign[g.children(i)[0]]
		case leafNegative:
			t = s.assign[g.children(i)[0]].not()
		default:
			s.prepareGate(g, i, v, reach)
			continue
		}
		s.certain[i], s.possible[i] = 0, 0
		if t == v {
			reach(i, isCertain)
		}
		if t != v.not() {
			reach(i, isPossible)
		}
	}
	for len(s.stack) > 0 {
		i := s.stack[len(s.stack)-1]
		s.stack = s.stack[:len(s.stack)-1]
		now := s.state[i]
		// A gate is on the stack once for each property that it gains; spread
		// exactly what has not been spread before.
		fresh := now & (isCertain | isPossible) &^ (now >> 4)
		s.state[i] |= fresh << 4
		for _, parent := range s.parent[s.poffset[i]:s.poffset[i+1]] {
			if fresh&isCertain != 0 {
				if s.certain[parent]--; s.certain[parent] <= 0 {
					reach(parent, isCertain)
				}
			}
			if fresh&isPossible != 0 {
				if s.possible[parent]--; s.possible[parent] <= 0 {
					reach(parent, isPossible)
				}
			}
		}
	}
	for i := low; i < high; i++ {
		switch {
		case s.state[i]&isCertain != 0:
			s.value[i] = v
		case s.state[i]&isPossible == 0:
			s.value[i] = v.not()
		default:
			s.value[i] = unknown
		}
	}
}

// prepareGate counts how many inputs the gate misses before it is v: one when
// any input will do, all of them otherwise. Inputs of earlier strata are known.
func (s *shrinker) prepareGate(g *graph, i int32, v truth, reach func(int32, uint8)) {
	children := g.children(i)
	needed := int32(len(children))
	if (g.kind[i] == gateOr) == (v == yes) && needed > 0 {
		needed = 1
	}
	s.certain[i], s.possible[i] = needed, needed
	if len(children) == 0 {
		// An empty conjunction is true, an empty disjunction false.
		if (g.kind[i] == gateAnd) == (v == yes) {
			reach(i, isCertain)
			reach(i, isPossible)
		} else {
			s.certain[i], s.possible[i] = 1, 1
		}
		return
	}
	for _, c := range children {
		if g.stratum[c] == g.stratum[i] {
			continue
		}
		switch s.value[c] {
		case v:
			s.certain[i]--
			s.possible[i]--
		case unknown:
			s.possible[i]--
		}
	}
	if s.certain[i] <= 0 {
		reach(i, isCertain)
	}
	if s.possible[i] <= 0 {
		reach(i, isPossible)
	}
}

// shrink writes to dst the part of g that the root still depends on, after an
// evaluation that left the root unknown. Inputs with a known value are neutral
// in an unknown gate and go. A gate with one input left is that input. Gates
// that form a cycle of conjunctions in a greatest fixpoint, or of disjunctions
// in a least one, all have the value of one gate over the inputs from outside
// of the cycle, and are merged (merge.go).
func (s *shrinker) shrink(g, dst *graph) {
	n := int32(g.len())
	for i := range n {
		s.alias[i], s.link[i], s.number[i] = i, -1, -1
		if s.value[i] != unknown || g.leaf(i) {
			continue
		}
		if only := s.onlyInput(g, i); only >= 0 {
			s.alias[i] = only
		}
	}
	s.mergeCycles(g)
	root := s.resolve(g.root)
	s.stack = append(s.stack[:0], root)
	s.number[root] = 0
	for len(s.stack) > 0 {
		i := s.stack[len(s.stack)-1]
		s.stack = s.stack[:len(s.stack)-1]
		if g.leaf(i) {
			continue
		}
		for member := i; member >= 0; member = s.link[member] {
			for _, c := range g.children(member) {
				if s.value[c] != unknown {
					continue
				}
				if c = s.resolve(c); s.number[c] < 0 {
					s.number[c] = 0
					s.stack = append(s.stack, c)
				}
			}
		}
	}
	next := int32(0)
	for i := range n {
		if s.number[i] >= 0 {
			s.number[i] = next
			s.stamp[next] = -1
			next++
		}
	}
	dst.reset()
	for i := range n {
		if s.number[i] < 0 {
			continue
		}
		dst.kind = append(dst.kind, g.kind[i])
		dst.stratum = append(dst.stratum, g.stratum[i])
		if g.leaf(i) {
			x := g.children(i)[0]
			dst.child = append(dst.child, x)
			if !s.varSeen[x] {
				s.varSeen[x] = true
				dst.vars = append(dst.vars, x)
			}
		} else {
			s.copyInputs(g, dst, i)
		}
		dst.offset = append(dst.offset, int32(len(dst.child)))
	}
	dst.root = s.number[root]
	for _, x := range dst.vars {
		s.varSeen[x] = false
	}
}

// copyInputs writes the distinct unknown inputs of a gate and of those merged
// into it. A gate that reads itself gains nothing by it: were that the input
// that decides, the gate would be unfounded and known.
func (s *shrinker) copyInputs(g, dst *graph, i int32) {
	for member := i; member >= 0; member = s.link[member] {
		for _, c := range g.children(member) {
			if s.value[c] != unknown {
				continue
			}
			if m := s.number[s.resolve(c)]; m != s.number[i] && s.stamp[m] != s.number[i] {
				s.stamp[m] = s.number[i]
				dst.child = append(dst.child, m)
			}
		}
	}
}

// onlyInput is the only unknown input of a gate, or -1.
func (s *shrinker) onlyInput(g *graph, i int32) int32 {
	only := int32(-1)
	for _, c := range g.children(i) {
		if s.value[c] == unknown && c != only {
			if only >= 0 {
				return -1
			}
			only = c
		}
	}
	return only
}

// resolve follows aliases to the gate that remains, shortening the chain. The
// chain has no cycle: a cycle of gates with one unknown input each is unfounded
// and so not unknown.
func (s *shrinker) resolve(i int32) int32 {
	r := i
	for s.alias[r] != r {
		r = s.alias[r]
	}
	for s.alias[i] != r {
		i, s.alias[i] = s.alias[i], r
	}
	return r
}
