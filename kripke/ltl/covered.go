package ltl

import (
	"context"
	"fmt"
	"slices"

	"netcov/kripke/automaton"
	"netcov/kripke/structure"
)

// The product algorithm (CKKV01 section 3). P is the set of pairs that the
// product reaches; when the specification holds, no fair path leaves a pair of
// P. P_{w,q} are the pairs that follow a pair ⟨w, s⟩ of P when q is flipped in w,
// and w is node q-covered when a fair path leaves one of them (Theorem 2). All
// signals are done at once: the pairs outside of P that a flip leads to, and what
// follows them, are explored a single time.
//
// Tree coverage lets the automaton read w flipped or not, structure coverage
// flipped only. Both depend on the state that is flipped, and are found by halving
// (halving.go), of those states only where flipping changes the automaton's moves,
// for structure coverage of those that are tree covered.

// Kind is a notion of coverage (CKKV01 Definition 1).
type Kind uint8

// The notions.
const (
	StructureCoverage Kind = iota
	NodeCoverage
	TreeCoverage
)

// Kinds lists the notions.
var Kinds = []Kind{StructureCoverage, NodeCoverage, TreeCoverage}

// String is the name used on the command line and in reports.
func (k Kind) String() string { return [...]string{"structure", "node", "tree"}[k] }

// Checker answers questions about one system and one specification.
type Checker struct {
	p *product
	// holds and reached are set by Holds.
	checked bool
	reached structure.Set // P
}

// NewChecker prepares the checks. The automaton accepts the wrong behaviours;
// its propositions must be those of the model, in the same order.
func NewChecker(ctx context.Context, m *Model, a *automaton.Automaton) (*Checker, error) {
	if !slices.Equal(m.AP, a.AP) {
		return nil, fmt.Errorf("internal error: the model has the propositions %v, the automaton %v", m.AP, a.AP)
	}
	p, err := newProduct(ctx, m, a)
	if err != nil {
		return nil, err
	}
	return &Checker{p: p}, nil
}

// Pairs is the number of pairs of P, after Holds.
func (c *Checker) Pairs() int { return c.reached.Count() }

// Holds model checks the specification. The computation is a counterexample, nil
// when the specification holds.
func (c *Checker) Holds() (*Computation, error) {
	g := &graph{product: c.p}
	comp := automaton.StronglyConnected(g, c.p.roots())
	if err := c.p.ctx.Err(); err != nil {
		return nil, err
	}
	for i := range comp.Members {
		if c.p.accepting(comp, i) {
			l := automaton.FindLasso(g, c.p.roots(), c.p.sets)
			if err := c.p.ctx.Err(); err != nil {
				return nil, err
			}
			return g.computation(l)
		}
	}
	c.reached = structure.NewSet(c.p.Len())
	for v, of := range comp.Of {
		if of >= 0 {
			c.reached.Add(v)
		}
	}
	c.checked = true
	return nil, nil
}

// Node is the set of node covered cells for each of the signals. The
// specification must hold.
func (c *Checker) Node(signals ...Flip) ([]structure.Set, error) {
	flips := make([]flipping, len(signals))
	for i, s := range signals {
		var err error
		if flips[i], err = c.p.flipOf(s); err != nil {
			return nil, err
		}
	}
	fair, err := c.fairAfterFlips(flips)
	if err != nil {
		return nil, err
	}
	out := make([]structure.Set, len(signals))
	for i := range flips {
		out[i] = structure.NewSet(len(c.p.m.Cells))
		for v := range c.reached.All() {
			node, _ := c.p.split(v)
			cell := int(c.p.m.cell[node])
			if out[i].Has(cell) {
				continue
			}
			c.p.moves(v, &flips[i], func(to int, _ automaton.Marks) {
				if fair(to) {
					out[i].Add(cell)
				}
			})
		}
	}
	return out, c.p.ctx.Err()
}

// fairAfterFlips tells of the pairs that follow a flip whether a fair path
// leaves them.
func (c *Checker) fairAfterFlips(flips []flipping) (func(v int) bool, error) {
	if !c.checked {
		return nil, fmt.Errorf("internal error: coverage asked for a specification that does not hold")
	}
	seen := structure.NewSet(c.p.Len())
	var seeds []int
	for i := range flips {
		for v := range c.reached.All() {
			if c.p.stopped() {
				return nil, c.p.ctx.Err()
			}
			c.p.moves(v, &flips[i], func(to int, _ automaton.Marks) {
				if !c.reached.Has(to) && !seen.Has(to) {
					seen.Add(to)
					seeds = append(seeds, to)
				}
			})
		}
	}
	g := &graph{product: c.p, skip: c.reached.Has}
	comp := automaton.StronglyConnected(g, seeds)
	fair := make([]bool, len(comp.Members))
	for i, members := range comp.Members { // edges lead to lower numbers
		fair[i] = c.p.accepting(comp, i)
		for _, v := range members {
			if fair[i] {
				break
			}
			g.Successors(int(v), func(to int, _ automaton.Marks) {
				fair[i] = fair[i] || fair[comp.Of[to]]
			})
		}
	}
	return func(v int) bool { return comp.Of[v] >= 0 && fair[comp.Of[v]] }, c.p.ctx.Err()
}

// Tree is the set of tree covered cells for a signal. Cells in known are taken to
// be covered; node covered ones are.
func (c *Checker) Tree(signal Flip, known structure.Set) (structure.Set, error) {
	return c.halved(signal, known, structure.FullSet(len(c.p.m.Cells)), optional)
}

// Structure is the set of structure covered cells for a signal. Only those of
// within are looked at; tree covered ones suffice.
func (c *Checker) Structure(signal Flip, within structure.Set) (structure.Set, error) {
	return c.halved(signal, structure.NewSet(len(c.p.m.Cells)), within, forced)
}

// halved finds the covered cells of within that are not known to be covered.
func (c *Checker) halved(signal Flip, known, within structure.Set, how mode) (structure.Set, error) {
	if !c.checked {
		return nil, fmt.Errorf("internal error: coverage asked for a specification that does not hold")
	}
	flip, err := c.p.flipOf(signal)
	if err != nil {
		return nil, err
	}
	out := known.Clone()
	// Cells with a pair of P where the flip gives a new edge.
	open := structure.NewSet(len(c.p.m.Cells))
	for v := range c.reached.All() {
		if c.p.stopped() {
			return nil, c.p.ctx.Err()
		}
		node, _ := c.p.split(v)
		cell := int(c.p.m.cell[node])
		if within.Has(cell) && !out.Has(cell) && !open.Has(cell) && c.p.changes(v, &flip) {
			open.Add(cell)
		}
	}
	if open.Empty() {
		return out, nil
	}
	var cells []int32
	for cell := range open.All() {
		cells = append(cells, int32(cell))
	}
	return out, c.p.halve(cells, flip, how, out)
}

// changes reports whether a flip gives a pair an edge that it has not without.
func (p *product) changes(v int, f *flipping) bool {
	if f.twin == nil {
		if f.q < 0 {
			return false
		}
		node, state := p.split(v)
		for _, mv := range p.m.moves[node] {
			if !subset(p.under(p.flipLetter(mv.letter, f.q), state), p.under(mv.letter, state)) {
				return true
			}
		}
		return false
	}
	type edge struct {
		to  int
		acc automaton.Marks
	}
	plain := map[edge]bool{}
	p.moves(v, nil, func(to int, acc automaton.Marks) { plain[edge{to, acc}] = true })
	changed := false
	p.moves(v, f, func(to int, acc automaton.Marks) { changed = changed || !plain[edge{to, acc}] })
	return changed
}

func subset(a, b []target) bool {
	for _, t := range a {
		if !slices.Contains(b, t) {
			return false
		}
	}
	return true
}

// Witness is a computation that violates the specification when the signal is
// flipped in the cell, as the notion of coverage says; nil when the cell is not
// covered.
func (c *Checker) Witness(kind Kind, signal Flip, cell int) (*Computation, error) {
	flip, err := c.p.flipOf(signal)
	if err != nil {
		return nil, err
	}
	if kind == NodeCoverage {
		return c.nodeWitness(flip, cell)
	}
	g := &graph{product: c.p, mode: forced, cell: int32(cell), flip: flip}
	if kind == TreeCoverage {
		g.mode = optional
	}
	l := automaton.FindLasso(g, c.p.roots(), c.p.sets)
	if err := c.p.ctx.Err(); err != nil || l == nil {
		return nil, err
	}
	return g.computation(l)
}

// nodeWitness searches a graph of two copies of the product, the second of which
// is entered by the flip.
func (c *Checker) nodeWitness(flip flipping, cell int) (*Computation, error) {
	g := &twice{graph{product: c.p, mode: optional, cell: int32(cell), flip: flip}}
	l := automaton.FindLasso(g, c.p.roots(), c.p.sets)
	if err := c.p.ctx.Err(); err != nil || l == nil {
		return nil, err
	}
	n := c.p.Len()
	before := &graph{product: c.p}
	out := &Computation{AP: c.p.m.AP, Loop: len(l.Prefix)}
	steps := append(append([]automaton.Step{}, l.Prefix...), l.Loop...)
	for i, s := range steps {
		to := l.Loop[0].From
		if i+1 < len(steps) {
			to = steps[i+1].From
		}
		use := before
		if s.From < n && to >= n {
			use = &graph{product: c.p, mode: forced, cell: int32(cell), flip: flip}
		}
		step, ok := use.step(automaton.Step{From: s.From % n, Acc: s.Acc}, to%n)
		if !ok {
			return nil, fmt.Errorf("internal error: a step of the computation is no step of the product")
		}
		out.Steps = append(out.Steps, step)
	}
	return out, nil
}

// twice is the product before the flip, and after it.
type twice struct{ graph }

func (t *twice) Len() int { return 2 * t.product.Len() }

func (t *twice) Successors(v int, yield func(int, automaton.Marks)) {
	if t.stopped() {
		return
	}
	n := t.product.Len()
	if v >= n {
		t.moves(v-n, nil, func(to int, acc automaton.Marks) { yield(to+n, acc) })
		return
	}
	t.moves(v, nil, yield)
	if node, _ := t.split(v); t.m.cell[node] == t.cell {
		t.moves(v, &t.flip, func(to int, acc automaton.Marks) { yield(to+n, acc) })
	}
}
