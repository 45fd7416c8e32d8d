package confirm

import (
	"context"
	"errors"
	"math/bits"

	"netcov/aiger"
	"netcov/cert"
	"netcov/certify"
	"netcov/kripke/bdd"
)

// A Question asks for a run that violates the specification, with flips outside of some
// cubes. Its file has these latches:
//
//	the circuit's registers
//	of OneVisit             a flip has happened
//	of Every-, SomeVisits   the state that is flipped, chosen at the start
//	the automaton's state   a number, lowest bit first: s+1 for state s
//
// Further inputs say whether to flip, and which edge the automaton takes. A constraint
// says that it can take this edge, so that runs end where it has none.
type Question struct {
	File   *aiger.File
	finite bool
}

// Cube is a set of states in which a flip is left out: those in which some registers have
// some values, and, where Automaton is not 0, the automaton is in state Automaton-1.
type Cube struct {
	Registers []int
	Values    []bool
	Automaton int
}

func (g *gates) within(q *Cube, registers []aiger.Lit) aiger.Lit {
	out := aiger.Lit(1)
	for i, r := range q.Registers {
		out = g.and(out, registers[r]^constant(!q.Values[i]))
	}
	return out
}

// Question asks for a run with a flip outside of the cubes.
func (o *Opinion) Question(f Flip, without []Cube) (*Question, error) {
	flipped, err := o.register(f)
	if err != nil {
		return nil, err
	}
	n := len(o.c.Controls)
	extra := 0 // latches of the notion
	switch f.Notion {
	case OneVisit:
		extra = 1
	case EveryVisit, SomeVisits:
		extra = n
	}
	most := 1
	for _, es := range o.edges {
		most = max(most, len(es))
	}
	width, choices := bits.Len(uint(len(o.edges))), bits.Len(uint(most-1))
	g := newGates(len(o.c.Inputs)+1+choices, n+extra+width)
	var latches []aiger.Lit
	for _, l := range g.file.Latches {
		latches = append(latches, l.Lit)
	}
	registers, special, state := latches[:n], latches[n:n+extra], latches[n+extra:]
	inputs := g.file.Inputs[:len(o.c.Inputs)]
	wish, choice := g.file.Inputs[len(o.c.Inputs)], g.file.Inputs[len(o.c.Inputs)+1:]

	flip := aiger.Lit(0)
	switch f.Notion {
	case OneVisit:
		flip = g.and(wish, special[0]^1)
	case EveryVisit, SomeVisits:
		flip = 1
		for i, r := range registers {
			flip = g.and(flip, g.xor(r, special[i])^1)
		}
		if f.Notion == SomeVisits {
			flip = g.and(flip, wish)
		}
	}
	var constraints []aiger.Lit
	for i := range without {
		there := g.within(&without[i], registers)
		switch {
		case f.Notion == EveryVisit || f.Notion == SomeVisits:
			there = g.within(&without[i], special)
		case without[i].Automaton != 0:
			there = g.and(there, g.is(state, without[i].Automaton))
		}
		if f.Notion == OneVisit {
			there = g.and(there, flip)
		}
		constraints = append(constraints, there^1)
	}

	start := g.copy(o.c, registers, inputs)
	read := append([]aiger.Lit{}, registers...)
	if flipped >= 0 {
		read[flipped] = g.xor(read[flipped], flip)
	}
	step := g.copy(o.c, read, inputs)
	for i, r := range o.c.Controls {
		g.file.Latches[i].Next, g.file.Latches[i].Reset = step.lit(r.Next), start.lit(r.Reset)
	}
	for i := range special {
		l := &g.file.Latches[n+i]
		if f.Notion == OneVisit {
			l.Next, l.Reset = g.or(l.Lit, flip), 0
		} else {
			l.Next, l.Reset = l.Lit, l.Lit
		}
	}

	guard := guards{g: g, m: o.a.Guards, letter: o.letter(g, step, f, flip), made: map[bdd.Ref]aiger.Lit{}}
	taken, bad := aiger.Lit(0), aiger.Lit(0)
	next := make([]aiger.Lit, width)
	marks := make([]aiger.Lit, o.a.Sets)
	for s, es := range o.edges {
		here := g.is(state, s+1)
		for i, e := range es {
			takes := g.and(here, guard.lit(e.Guard))
			if len(es) > 1 {
				takes = g.and(takes, g.is(choice, i))
			}
			taken = g.or(taken, takes)
			for j := range next {
				if (e.To+1)>>j&1 != 0 {
					next[j] = g.or(next[j], takes)
				}
			}
			for k := range marks {
				if e.Acc>>k&1 != 0 {
					marks[k] = g.or(marks[k], takes)
				}
			}
			if o.terminal[e.To] {
				bad = g.or(bad, takes)
			}
		}
	}
	for j := range state {
		l := &g.file.Latches[n+extra+j]
		l.Next, l.Reset = next[j], constant((o.initial+1)>>j&1 != 0)
	}
	if l := step.lit(o.c.Constraint); l != 1 {
		constraints = append(constraints, l)
	}
	g.file.Constraints = append(constraints, taken)
	var justice []aiger.Lit
	for _, l := range o.c.Fairness {
		justice = append(justice, step.lit(l))
	}
	if o.a.Sets == 0 {
		marks = []aiger.Lit{taken}
	}
	g.file.Justice = [][]aiger.Lit{append(justice, marks...)}
	g.file.Bads = []aiger.Lit{bad}
	return &Question{&g.file, o.finite}, nil
}

// letter is what the automaton reads in a step.
func (o *Opinion) letter(g *gates, step *copied, f Flip, flip aiger.Lit) []aiger.Lit {
	var out []aiger.Lit
	for _, name := range o.a.AP {
		l, _ := o.c.Lit(name)
		v := step.lit(l)
		if f.Notion != None && !f.InDesign && name == f.Signal {
			v = g.xor(v, flip)
		}
		out = append(out, v)
	}
	return out
}

// Proves checks that an invariant excludes all such runs. With rounds below 0 it speaks
// of the file's latches, and finite runs are enough; else of those of the search for
// a lasso that begins after so many rounds (certify.NewJusticeChecker).
func (q *Question) Proves(ctx context.Context, inv *cert.Invariant, rounds int) error {
	if inv == nil {
		return errors.New("there is no invariant")
	}
	if rounds >= 0 {
		return certify.NewJusticeChecker(q.File, 0, rounds).Invariant(ctx, inv, nil)
	}
	if !q.finite {
		return errors.New("an invariant without bad states does not exclude infinite runs")
	}
	return certify.NewChecker(q.File, 0).Invariant(ctx, inv, nil)
}
