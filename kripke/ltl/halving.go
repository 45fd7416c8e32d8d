package ltl

import (
	"slices"

	"netcov/kripke/automaton"
	"netcov/kripke/structure"
)

// Structure and tree coverage of all cells together, by halving: what CKV01
// section 3.2 does for CTL, on the product. Where one search for each cell costs
// |product| · |cells|, here a residual graph shrinks with the number of cells that
// are still open.
//
// In a residual graph the pairs of an open cell have their plain edges and the
// flipped ones. Its paths are those of the product with any open cells flipped, so
// when none of them is accepting, none of the open cells is covered. Otherwise
// each half of the cells is closed in turn, that is, keeps its plain edges only,
// and the graph contracts to what still matters:
//
//   - a node goes that no path from a root reaches, or that reaches no accepting cycle,
//   - closed nodes from which closed ones alone lead to an accepting cycle become the
//     node "won": no flip matters after them,
//   - the closed nodes of a strongly connected component become one, whose marks any
//     path through it can have,
//   - a closed node is bypassed when that gives no more edges than it takes away.
//
// With one open cell the graph decides it: with flipped edges only for structure
// coverage, with both for tree coverage.

// residual is a graph whose nodes of open cells have flipped edges beside plain ones.
// Node 0 is "won", node 1 has edges to the roots.
type residual struct {
	edges [][]arc
	cell  []int32 // open cell of a node; -1 for closed ones
}

// arc is an edge, plain or flipped.
type arc struct {
	to      int32
	acc     automaton.Marks
	flipped bool
}

const (
	won    = 0
	source = 1
)

// Len and Successors make it a graph with all edges.
func (r *residual) Len() int { return len(r.edges) }

func (r *residual) Successors(v int, yield func(int, automaton.Marks)) {
	for _, e := range r.edges[v] {
		yield(int(e.to), e.acc)
	}
}

// closedPart is the residual graph without the nodes of open cells.
type closedPart struct{ *residual }

func (r closedPart) Successors(v int, yield func(int, automaton.Marks)) {
	if r.cell[v] >= 0 {
		return
	}
	for _, e := range r.edges[v] {
		if r.cell[e.to] < 0 {
			yield(int(e.to), e.acc)
		}
	}
}

// halve adds the covered cells among the open ones to out.
func (p *product) halve(open []int32, flip flipping, how mode, out structure.Set) error {
	r, err := p.residual(open, flip)
	if err != nil {
		return err
	}
	h := &halving{p: p, how: how, out: out}
	h.split(r, open)
	return p.ctx.Err()
}

// residual is the part of the product that is reachable when the open cells are
// flipped at some visits.
func (p *product) residual(open []int32, flip flipping) (*residual, error) {
	isOpen := structure.NewSet(len(p.m.Cells))
	for _, c := range open {
		isOpen.Add(int(c))
	}
	all := automaton.AllMarks(p.sets)
	r := &residual{edges: [][]arc{{{won, all, false}}, nil}, cell: []int32{-1, -1}}
	number := map[int]int32{}
	var todo []int
	visit := func(v int) int32 {
		n, ok := number[v]
		if !ok {
			n = int32(len(r.cell))
			number[v] = n
			todo = append(todo, v)
			node, _ := p.split(v)
			cell := p.m.cell[node]
			if !isOpen.Has(int(cell)) {
				cell = -1
			}
			r.cell, r.edges = append(r.cell, cell), append(r.edges, nil)
		}
		return n
	}
	for _, v := range p.roots() {
		r.edges[source] = append(r.edges[source], arc{visit(v), 0, false})
	}
	for i := 0; i < len(todo); i++ {
		if p.stopped() {
			return nil, p.ctx.Err()
		}
		var out []arc
		add := func(flipped bool) func(int, automaton.Marks) {
			return func(to int, acc automaton.Marks) { out = append(out, arc{visit(to), acc, flipped}) }
		}
		n := i + 2
		p.moves(todo[i], nil, add(false))
		if r.cell[n] >= 0 {
			p.moves(todo[i], &flip, add(true))
		}
		r.edges[n] = out
	}
	return r, nil
}

// halving decides cells.
type halving struct {
	p   *product
	how mode
	out structure.Set
}

// split decides the open cells of a residual graph.
func (h *halving) split(r *residual, open []int32) {
	if h.p.stopped() {
		return
	}
	if len(open) == 1 {
		if h.how == forced {
			r = r.only(true, func(cell int32) bool { return cell >= 0 })
		}
		if h.p.nonempty(r, []int{source}) {
			h.out.Add(int(open[0]))
		}
		return
	}
	if r = h.contract(r); r == nil {
		return
	}
	half := len(open) / 2
	for _, part := range [][]int32{open[:half], open[half:]} {
		first, last := part[0], part[len(part)-1]
		closed := r.only(false, func(cell int32) bool { return cell >= 0 && (cell < first || cell > last) })
		for v, c := range closed.cell {
			if c >= 0 && (c < first || c > last) {
				closed.cell[v] = -1
			}
		}
		h.split(closed, part)
	}
}

// only keeps the flipped edges, or the plain ones, of the nodes of some cells.
func (r *residual) only(flipped bool, of func(cell int32) bool) *residual {
	q := &residual{edges: slices.Clone(r.edges), cell: slices.Clone(r.cell)}
	for v, c := range r.cell {
		if of(c) {
			q.edges[v] = slices.DeleteFunc(slices.Clone(r.edges[v]), func(e arc) bool { return e.flipped != flipped })
		}
	}
	return q
}

// contract makes the graph smaller; nil when no path from the source is accepting.
func (h *halving) contract(r *residual) *residual {
	all := automaton.AllMarks(h.p.sets)
	// What is reachable and leads to an accepting cycle.
	c := automaton.StronglyConnected(r, []int{source})
	useful := make([]bool, len(c.Members))
	for i, members := range c.Members {
		useful[i] = h.p.accepting(c, i)
		for _, v := range members {
			for _, e := range r.edges[v] {
				useful[i] = useful[i] || useful[c.Of[e.to]]
			}
		}
	}
	if !useful[c.Of[source]] {
		return nil
	}
	kept := func(v int32) bool { return c.Of[v] >= 0 && useful[c.Of[v]] }

	// Closed components: won, or one node with the marks of its edges.
	roots := make([]int, r.Len())
	for v := range roots {
		roots[v] = v
	}
	d := automaton.StronglyConnected(closedPart{r}, roots)
	wins := make([]bool, len(d.Members))
	for i, members := range d.Members {
		wins[i] = h.p.accepting(d, i)
		for _, v := range members {
			if r.cell[v] < 0 {
				for _, e := range r.edges[v] {
					wins[i] = wins[i] || r.cell[e.to] < 0 && wins[d.Of[e.to]]
				}
			}
		}
	}
	to := make([]int32, r.Len())
	q := &residual{edges: [][]arc{{{won, all, false}}, nil}, cell: []int32{-1, -1}}
	node := make([]int32, len(d.Members))
	for v := range to {
		i := d.Of[v]
		switch {
		case v == source:
			to[v] = source
		case wins[i]:
			to[v] = won
		case !kept(int32(v)):
			to[v] = -1
		default:
			if node[i] == 0 {
				node[i] = int32(len(q.cell))
				q.cell, q.edges = append(q.cell, r.cell[v]), append(q.edges, nil)
			}
			to[v] = node[i]
		}
	}
	for v, es := range r.edges {
		from := to[v]
		if from < 0 || from == won || !kept(int32(v)) {
			continue
		}
		for _, e := range es {
			if to[e.to] >= 0 && (kept(e.to) || to[e.to] == won) {
				q.edges[from] = addArc(q.edges[from], arc{to[e.to], e.acc, e.flipped})
			}
		}
	}
	for v, i := range d.Of { // one node's loop has all the marks of the component
		if n := to[v]; n > source && r.cell[v] < 0 && d.Cyclic[i] {
			q.edges[n] = addArc(q.edges[n], arc{n, d.Marks[i], false})
		}
	}
	q.bypass()
	return q
}

// addArc adds an edge unless there is one with as many marks.
func addArc(es []arc, e arc) []arc {
	for i, f := range es {
		if f.to == e.to && f.flipped == e.flipped {
			if f.acc.Has(e.acc) {
				return es
			}
			if e.acc.Has(f.acc) {
				es[i].acc = e.acc
				return es
			}
		}
	}
	return append(es, e)
}

// bypass takes closed nodes away where the edges past them are no more than those
// to and from them.
func (q *residual) bypass() {
	into := make([][]int32, q.Len())
	for v, es := range q.edges {
		for _, e := range es {
			if int(e.to) != v {
				into[e.to] = append(into[e.to], int32(v))
			}
		}
	}
	gone := make([]bool, q.Len())
	for v := source + 1; v < q.Len(); v++ {
		if q.cell[v] >= 0 {
			continue
		}
		var loop automaton.Marks
		var leaving []arc
		for _, e := range q.edges[v] {
			if int(e.to) == v {
				loop |= e.acc
			} else {
				leaving = append(leaving, e)
			}
		}
		slices.Sort(into[v])
		into[v] = slices.Compact(into[v])
		if len(into[v])*len(leaving) > len(into[v])+len(leaving) {
			continue
		}
		gone[v] = true
		for _, u := range into[v] {
			if gone[u] {
				continue
			}
			var entering, es []arc
			for _, e := range q.edges[u] {
				if int(e.to) == v {
					entering = append(entering, e)
				} else {
					es = append(es, e)
				}
			}
			for _, e := range entering {
				for _, f := range leaving {
					es = addArc(es, arc{f.to, e.acc | loop | f.acc, e.flipped})
					if f.to != u {
						into[f.to] = append(into[f.to], u)
					}
				}
			}
			q.edges[u] = es
		}
		q.edges[v] = nil
	}
}
