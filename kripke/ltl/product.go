package ltl

import (
	"context"
	"fmt"
	"slices"

	"netcov/kripke/automaton"
	"netcov/kripke/bdd"
)

// maxProduct bounds the pairs of a node and an automaton state.
const maxProduct = 1 << 28

// product is the product of a model and the automaton of wrong behaviours. The
// pair ⟨w, s⟩ means that the automaton is in s before it reads w (CKKV01
// section 3); its number is w·|S|+s. Marks of the automaton come first, then
// those of the model's fairness.
type product struct {
	m    *Model
	a    *automaton.Automaton
	ctx  context.Context
	sets int
	// edges[letter][s] are the automaton's moves under a letter, found when
	// first asked for.
	edges [][][]target
	// flipped[p][letter] is the letter with proposition p flipped, plus 1.
	flipped [][]int32
}

type target struct {
	to  int32
	acc automaton.Marks
}

// newProduct prepares the product. The automaton's propositions must be the
// model's, in the same order.
func newProduct(ctx context.Context, m *Model, a *automaton.Automaton) (*product, error) {
	sets := a.Sets + m.Sets
	if sets > automaton.MaxSets {
		return nil, fmt.Errorf("the fairness constraints and the acceptance sets are %d together; at most %d are supported", sets, automaton.MaxSets)
	}
	if m.Len() > maxProduct/max(1, a.Len()) {
		return nil, fmt.Errorf("the product has %d × %d states, more than %d: %w", m.Len(), a.Len(), maxProduct, ErrTooLarge)
	}
	return &product{m: m, a: a, ctx: ctx, sets: sets, flipped: make([][]int32, len(a.AP))}, nil
}

// Len is the number of pairs, reachable or not.
func (p *product) Len() int { return p.m.Len() * p.a.Len() }

func (p *product) split(v int) (node, state int) { return v / p.a.Len(), v % p.a.Len() }

func (p *product) pair(node int32, state int32) int { return int(node)*p.a.Len() + int(state) }

// under lists the automaton's moves from a state under a letter.
func (p *product) under(letter int32, state int) []target {
	for int(letter) >= len(p.edges) {
		p.edges = append(p.edges, nil)
	}
	if p.edges[letter] == nil {
		byState := make([][]target, p.a.Len())
		for s, es := range p.a.Edges {
			for _, e := range es {
				if e.Guard != bdd.False && p.a.Matches(e.Guard, p.m.letters.letters[letter]) {
					byState[s] = append(byState[s], target{int32(e.To), e.Acc})
				}
			}
		}
		p.edges[letter] = byState
	}
	return p.edges[letter][state]
}

// flipLetter is the letter with proposition q flipped.
func (p *product) flipLetter(letter int32, q int) int32 {
	f := &p.flipped[q]
	for int(letter) >= len(*f) {
		*f = append(*f, 0)
	}
	if (*f)[letter] == 0 {
		(*f)[letter] = p.m.letters.flip(letter, q) + 1
	}
	return (*f)[letter] - 1
}

// Scope says who reads a flipped signal.
type Scope uint8

// InSpec: the specification only, as in CKKV01. InDesign: everything that reads a
// register, the next-state functions too ("flip and flag globally", section 3,
// last but one paragraph); for registers of a circuit. The system then moves as
// it would in the state that differs in this register.
const (
	InSpec Scope = iota
	InDesign
)

// Flip says what is flipped.
type Flip struct {
	Signal string
	Scope  Scope
}

// flipping is how a signal is flipped.
type flipping struct {
	q    int     // proposition; -1 when the specification does not read it
	twin []int32 // node whose moves a flip gives, for InDesign
}

// flipOf finds how to flip a signal.
func (p *product) flipOf(flip Flip) (flipping, error) {
	f := flipping{q: slices.Index(p.a.AP, flip.Signal)}
	if flip.Scope == InDesign {
		if f.twin = p.m.twins[flip.Signal]; f.twin == nil {
			return f, fmt.Errorf("internal error: the model was not prepared for flips of %q in the design", flip.Signal)
		}
	}
	return f, nil
}

// moves calls yield for each edge of a pair, under a flip when there is one.
func (p *product) moves(v int, f *flipping, yield func(to int, acc automaton.Marks)) {
	node, state := p.split(v)
	moves := p.m.moves[node]
	relabel := f != nil && f.twin == nil && f.q >= 0
	if f != nil && f.twin != nil {
		moves = p.m.moves[f.twin[node]]
	}
	for _, mv := range moves {
		letter := mv.letter
		if relabel {
			letter = p.flipLetter(letter, f.q)
		}
		for _, t := range p.under(letter, state) {
			acc := t.acc | mv.fair<<p.a.Sets
			for _, n := range mv.to {
				yield(p.pair(n, t.to), acc)
			}
		}
	}
}

// stopped tells that the context has ended. Graphs have no edges from then on,
// so that walks end soon; their results mean nothing.
func (p *product) stopped() bool { return p.ctx.Err() != nil }

// roots are the initial pairs.
func (p *product) roots() []int {
	var out []int
	for _, n := range p.m.Initial {
		for _, s := range p.a.Initial {
			out = append(out, p.pair(int32(n), int32(s)))
		}
	}
	return out
}

// mode says what a path reads in a cell.
type mode uint8

const (
	plain    mode = iota // the letter
	forced               // the flipped letter
	optional             // either
)

// graph is the product as automaton.Graph, with q flipped in one cell according
// to the mode. Pairs in skip are left out.
type graph struct {
	*product
	mode mode
	cell int32
	flip flipping
	skip func(v int) bool
}

func (g *graph) Successors(v int, yield func(int, automaton.Marks)) {
	if g.stopped() {
		return
	}
	to := yield
	if g.skip != nil {
		to = func(w int, acc automaton.Marks) {
			if !g.skip(w) {
				yield(w, acc)
			}
		}
	}
	node, _ := g.split(v)
	here := g.mode != plain && g.m.cell[node] == g.cell
	if !here || g.mode == optional {
		g.moves(v, nil, to)
	}
	if here {
		g.moves(v, &g.flip, to)
	}
}

// accepting reports whether a component holds an accepting fair cycle.
func (p *product) accepting(c *automaton.Components, i int) bool {
	return c.Cyclic[i] && c.Marks[i].Has(automaton.AllMarks(p.sets))
}

// nonempty reports whether some accepting fair path leaves one of the roots.
func (p *product) nonempty(g automaton.Graph, roots []int) bool {
	c := automaton.StronglyConnected(g, roots)
	for i := range c.Members {
		if p.accepting(c, i) {
			return true
		}
	}
	return false
}

// Computation is an ultimately periodic path of a system: the states of Steps,
// where those from Loop on repeat for ever.
type Computation struct {
	AP    []string
	Steps []ComputationStep
	Loop  int
}

// ComputationStep is a state of a computation: its name, the letter that the
// specification reads there, and whether a signal was flipped in it.
type ComputationStep struct {
	State   string
	Letter  []bool
	Flipped bool
}

// Word is what the specification reads along the computation.
func (c *Computation) Word() *automaton.Word {
	w := &automaton.Word{AP: c.AP}
	for i, s := range c.Steps {
		if i < c.Loop {
			w.Prefix = append(w.Prefix, s.Letter)
		} else {
			w.Loop = append(w.Loop, s.Letter)
		}
	}
	return w
}

// computation turns a lasso in a graph of the product into states and letters.
func (g *graph) computation(l *automaton.Lasso) (*Computation, error) {
	c := &Computation{AP: g.m.AP, Loop: len(l.Prefix)}
	steps := append(append([]automaton.Step{}, l.Prefix...), l.Loop...)
	for i, s := range steps {
		to := l.Loop[0].From
		if i+1 < len(steps) {
			to = steps[i+1].From
		}
		step, ok := g.step(s, to)
		if !ok {
			return nil, fmt.Errorf("internal error: a step of the counterexample is no step of the product")
		}
		c.Steps = append(c.Steps, step)
	}
	return c, nil
}

// step finds the letter of an edge.
func (g *graph) step(s automaton.Step, to int) (ComputationStep, bool) {
	node, state := g.split(s.From)
	toNode, toState := g.split(to)
	here := g.mode != plain && g.m.cell[node] == g.cell
	for _, flipped := range []bool{false, true} {
		if flipped && !here || !flipped && here && g.mode == forced {
			continue
		}
		moves := g.m.moves[node]
		if flipped && g.flip.twin != nil {
			moves = g.m.moves[g.flip.twin[node]]
		}
		for _, mv := range moves {
			letter := mv.letter
			if flipped && g.flip.twin == nil && g.flip.q >= 0 {
				letter = g.flipLetter(letter, g.flip.q)
			}
			leads := false
			for _, n := range mv.to {
				leads = leads || int(n) == toNode
			}
			if !leads {
				continue
			}
			for _, t := range g.under(letter, state) {
				if int(t.to) == toState && t.acc|mv.fair<<g.a.Sets == s.Acc {
					return ComputationStep{g.m.Cells[g.m.cell[node]], g.m.letters.letters[letter], flipped}, true
				}
			}
		}
	}
	return ComputationStep{}, false
}
