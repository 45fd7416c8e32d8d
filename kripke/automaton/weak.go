package automaton

import "netcov/kripke/bdd"

// Obligations are the Boolean combinations of safety properties. Each has a
// deterministic automaton in which a component accepts with all its cycles or with
// none, and a smallest one, often smaller than a nondeterministic automaton:
//
//	Dax, Eisinger, Klaedtke: Mechanizing the powerset construction for
//	    restricted classes of ω-automata, ATVA 2007
//	Löding: Efficient minimization of deterministic weak ω-automata, IPL 2001
//
// The powerset construction gives the states; whether a component accepts is seen
// on any one of its cycles; with a colour for each component the minimization is
// that of finite automata. Whether the property is an obligation comes out at the
// end: the result must share no word with the automaton of the negation, nor its
// complement one with the automaton.

// maxPowerset bounds the states and the edges of the powerset construction.
const maxPowerset = 2000

// weak is the smallest weak deterministic automaton of a's language, nil when the
// language is no obligation or the construction too large. negation makes an
// automaton of the complement, nil when that is too large.
func (a *Automaton) weak(negation func() (*Automaton, error), interrupt func() error) (*Automaton, error) {
	p, from, err := a.powerset(interrupt)
	if p == nil || err != nil {
		return nil, err
	}
	p.markWeak(func(word *Word) bool { return a.Accepts(word) }, from)
	w, err := p.bisimulate(interrupt)
	if err != nil || w.missed(a) {
		return nil, err
	}
	no, err := negation()
	if err != nil || no == nil || w.shared(no) {
		return nil, err
	}
	return w.trim(), nil
}

// powerset is the deterministic automaton of the sets of states in which a can be,
// the empty set among them, without marks, and for each of its states but the
// first the step by which it was found.
func (a *Automaton) powerset(interrupt func() error) (*Automaton, []found, error) {
	p := a.sub([]int{0}, 1, nil)
	number := map[string]int{}
	var todo []set
	var from []found
	visit := func(s set, by found) int {
		k := s.key()
		n, ok := number[k]
		if !ok {
			n = len(todo)
			number[k] = n
			todo, from = append(todo, s), append(from, by)
		}
		return n
	}
	first := make(set, (a.Len()+63)/64)
	for _, s := range a.Initial {
		first[s>>6] |= 1 << (s & 63)
	}
	visit(first, found{})
	edges := 0
	for i := 0; i < len(todo); i++ {
		if err := interrupt(); err != nil {
			return nil, nil, err
		}
		// The letters are told apart by one edge after the other.
		parts := []term{{bdd.True, make(set, len(first))}}
		for s, es := range a.Edges {
			if !todo[i].has(s) {
				continue
			}
			for _, b := range a.byTarget(es) {
				for j, x := range parts {
					in := a.Guards.And(x.guard, b.guard)
					if in == bdd.False || x.next.has(b.to) {
						continue
					}
					with := x.next.union(x.next)
					with[b.to>>6] |= 1 << (b.to & 63)
					parts[j].next = with
					if in != x.guard {
						parts[j].guard = in
						parts = append(parts, term{a.Guards.Diff(x.guard, b.guard), x.next})
					}
				}
			}
			if edges+len(parts) > maxPowerset {
				return nil, nil, nil
			}
		}
		var out []Edge
		for _, x := range parts {
			out = append(out, Edge{Guard: x.guard, To: visit(x.next, found{i, x.guard})})
		}
		out = normalize(a.Guards, out)
		edges += len(out)
		p.Edges = append(p.Edges, out)
	}
	return p, from, nil
}

// found is an edge by which a search came to a state.
type found struct {
	from  int
	guard bdd.Ref
}

// markWeak marks the edges that leave the states whose component accepts. States on
// no cycle take after what follows them, so that states with one language have one
// mark (Löding's colours: even where a component accepts).
func (p *Automaton) markWeak(accepts func(*Word) bool, from []found) {
	c := StronglyConnected(p, p.Initial)
	colour := make([]int, len(c.Members))
	rejecting := 2*len(c.Members) + 3 // the highest
	for i, members := range c.Members {
		colour[i] = rejecting
		for _, s := range members {
			for _, e := range p.Edges[s] {
				if c.Of[e.To] != int32(i) {
					colour[i] = min(colour[i], colour[c.Of[e.To]])
				}
			}
		}
		if c.Cyclic[i] && accepts(p.visiting(int(members[0]), c, from)) != (colour[i]%2 == 0) {
			colour[i]--
		}
		for _, s := range members {
			for j := range p.Edges[s] {
				p.Edges[s][j].Acc = Marks(1 - colour[i]%2)
			}
		}
	}
}

// visiting is a word that leads to a state and round a cycle of its component for
// ever.
func (p *Automaton) visiting(state int, c *Components, from []found) *Word {
	w := &Word{AP: p.AP}
	variables := make([]int, len(p.AP))
	for i := range variables {
		variables[i] = i
	}
	letter := func(guard bdd.Ref) []bool { return p.Guards.PickOne(guard, variables) }
	for s := state; s != p.Initial[0]; s = from[s].from {
		w.Prefix = append([][]bool{letter(from[s].guard)}, w.Prefix...)
	}
	// Breadth first from the state until an edge comes back.
	came := map[int]found{}
	for queue := []int{state}; ; queue = queue[1:] {
		s := queue[0]
		for _, e := range p.Edges[s] {
			if e.To == state {
				w.Loop = [][]bool{letter(e.Guard)}
				for ; s != state; s = came[s].from {
					w.Loop = append([][]bool{letter(came[s].guard)}, w.Loop...)
				}
				return w
			}
			if _, ok := came[e.To]; !ok && c.Of[e.To] == c.Of[state] {
				came[e.To] = found{s, e.Guard}
				queue = append(queue, e.To)
			}
		}
	}
}

// both is the product of a deterministic automaton with one mark and another
// automaton. Its edges carry the other's marks, and the mark after those where the
// first one's edge has it; those that have it are left out where unmarked is set.
type both struct {
	w, a     *Automaton
	unmarked bool
}

func (b *both) Len() int { return b.w.Len() * b.a.Len() }

func (b *both) Successors(node int, yield func(to int, acc Marks)) {
	for _, e := range b.w.Edges[node/b.a.Len()] {
		if b.unmarked && e.Acc != 0 {
			continue
		}
		for _, f := range b.a.Edges[node%b.a.Len()] {
			if b.w.Guards.And(e.Guard, f.Guard) != bdd.False {
				yield(e.To*b.a.Len()+f.To, f.Acc|e.Acc<<b.a.Sets)
			}
		}
	}
}

// reached are the components of the product, and the nodes in them.
func (b *both) reached() (*Components, []int) {
	var roots, nodes []int
	for _, s := range b.w.Initial {
		for _, t := range b.a.Initial {
			roots = append(roots, s*b.a.Len()+t)
		}
	}
	c := StronglyConnected(b, roots)
	for node, i := range c.Of {
		if i >= 0 {
			nodes = append(nodes, node)
		}
	}
	return c, nodes
}

// shared reports whether some word is accepted by w, deterministic with one set,
// and by a.
func (w *Automaton) shared(a *Automaton) bool {
	if a.Sets == MaxSets { // the product has one more: not decided
		return true
	}
	c, _ := (&both{w: w, a: a}).reached()
	return c.accepting(a.Sets + 1)
}

// missed reports whether some word is accepted by a and not by w, which is complete
// and deterministic with one set: a run of both that goes on without w's mark.
func (w *Automaton) missed(a *Automaton) bool {
	_, nodes := (&both{w: w, a: a}).reached()
	return StronglyConnected(&both{w: w, a: a, unmarked: true}, nodes).accepting(a.Sets)
}

// accepting reports whether some component has a cycle with all of the first sets
// marks.
func (c *Components) accepting(sets int) bool {
	for i := range c.Members {
		if c.Cyclic[i] && c.Marks[i].Has(AllMarks(sets)) {
			return true
		}
	}
	return false
}
