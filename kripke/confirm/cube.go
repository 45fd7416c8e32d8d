package confirm

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"netcov/aig"
	"netcov/aiger"
	"netcov/cert"
	"netcov/certify"
	"netcov/kripke/automaton"
	"netcov/kripke/bdd"
	"netcov/kripke/circuit"
)

// mostGates bounds a query about a cube.
const mostGates = 1 << 23

// errTooLarge says that a query is too large to be asked.
var errTooLarge = errors.New("the query is too large")

// Cube checks that the run's violation follows from every state of a cube that a run can
// reach with the automaton in the same state, when the signal is flipped at that visit:
// the inputs from the flip on are the run's, and no state of the cube that satisfies the
// invariant makes another word of them that is not accepted. Inv is over the circuit's
// registers and then the automaton's, and must have been checked; nil says nothing. Only
// the notion OneVisit has cubes, and the run has been checked.
func (o *Opinion) Cube(ctx context.Context, f Flip, q Cube, r Run, inv *cert.Invariant) error {
	at := slices.Index(r.Flipped, true)
	switch {
	case f.Notion != OneVisit || at < 0 || r.Loop < at+1:
		return errors.New("the run has no single flip before its loop")
	case q.Automaton < 1 || q.Automaton > len(o.edges):
		return fmt.Errorf("the automaton has no state %d", q.Automaton-1)
	case o.startsUnderSomeInputs():
		return errors.New("a state may be initial under some inputs only")
	}
	flipped, err := o.register(f)
	if err != nil {
		return err
	}
	g := newGates(len(o.c.Controls), 0)
	free := slices.Clone(g.file.Inputs)
	u := unrolled{o: o, g: g, now: slices.Clone(free), in: make([]aiger.Lit, len(o.edges))}
	u.in[q.Automaton-1] = 1
	good := aiger.Lit(1)
	met := make([]aiger.Lit, len(o.c.Fairness))
	var back []aiger.Lit
	var loop [][]aiger.Lit // letters
	for t := at; t < len(r.Inputs); t++ {
		if t == r.Loop {
			back = slices.Clone(u.now)
		}
		read := slices.Clone(u.now)
		if t == at && flipped >= 0 {
			read[flipped] ^= 1
		}
		in := make([]aiger.Lit, len(r.Inputs[t]))
		for i, v := range r.Inputs[t] {
			in[i] = constant(v)
		}
		step := g.copy(o.c, read, in)
		letter := o.letter(g, step, f, constant(t == at))
		good = g.and(good, step.lit(o.c.Constraint))
		if t < r.Loop {
			u.in, _ = u.move(u.in, nil, 0, letter)
		} else {
			loop = append(loop, letter)
			for k, l := range o.c.Fairness {
				met[k] = g.or(met[k], step.lit(l))
			}
		}
		for i, c := range o.c.Controls {
			u.now[i] = step.lit(c.Next)
		}
		if len(g.file.Ands) > mostGates {
			return errTooLarge
		}
	}
	wins := aiger.Lit(0)
	if back == nil {
		if !o.finite {
			return errors.New("no finite run is a violation")
		}
		for s, l := range u.in {
			if o.terminal[s] {
				wins = g.or(wins, l)
			}
		}
	} else {
		matters, err := o.matters(f)
		if err != nil {
			return err
		}
		for i, needed := range matters {
			if needed {
				good = g.and(good, g.xor(u.now[i], back[i])^1)
			}
		}
		for _, l := range met {
			good = g.and(good, l)
		}
		if wins, err = u.around(loop); err != nil {
			return err
		}
	}
	good = g.and(good, wins)
	bad := g.and(g.within(&q, free), good^1)
	if inv != nil {
		for _, c := range inv.Clauses {
			holds := aiger.Lit(0)
			for _, l := range c {
				switch i := l.Latch() - len(free); {
				case i < 0:
					holds = g.or(holds, free[l.Latch()]^constant(l.Neg()))
				case q.Automaton>>i&1 != 0 != l.Neg():
					holds = 1
				}
			}
			bad = g.and(bad, holds)
		}
	}
	g.file.Bads = []aiger.Lit{bad}
	return certify.NewChecker(&g.file, 0).Invariant(ctx, &cert.Invariant{}, nil)
}

// unrolled is what follows a flip: the registers, and in which states the automaton may
// be.
type unrolled struct {
	o       *Opinion
	g       *gates
	now, in []aiger.Lit
}

// move reads a letter: where the automaton may be, and where it may be after it has met
// a mark.
func (u *unrolled) move(in, met []aiger.Lit, mark int, letter []aiger.Lit) (_, _ []aiger.Lit) {
	o, g := u.o, u.g
	w := guards{g: g, m: o.a.Guards, letter: letter, made: map[bdd.Ref]aiger.Lit{}}
	next, nextMet := make([]aiger.Lit, len(in)), make([]aiger.Lit, len(in))
	for s, es := range o.edges {
		for _, e := range es {
			if in[s] == 0 {
				continue
			}
			guard := w.lit(e.Guard)
			next[e.To] = g.or(next[e.To], g.and(in[s], guard))
			if met == nil {
				continue
			}
			had := met[s]
			if o.a.Sets == 0 || e.Acc>>mark&1 != 0 {
				had = in[s]
			}
			nextMet[e.To] = g.or(nextMet[e.To], g.and(had, guard))
		}
	}
	return next, nextMet
}

// around holds where the automaton, being where it may be before the loop, comes back to
// the same state by ways that meet each mark.
func (u *unrolled) around(loop [][]aiger.Lit) (aiger.Lit, error) {
	out := aiger.Lit(0)
	for s, here := range u.in {
		if here == 0 {
			continue
		}
		for mark := range max(1, u.o.a.Sets) {
			in, met := make([]aiger.Lit, len(u.in)), make([]aiger.Lit, len(u.in))
			in[s] = 1
			for _, letter := range loop {
				in, met = u.move(in, met, mark, letter)
				if len(u.g.file.Ands) > mostGates {
					return 0, errTooLarge
				}
			}
			here = u.g.and(here, met[s])
		}
		out = u.g.or(out, here)
	}
	return out, nil
}

// startsUnderSomeInputs reports whether an input is read by resets and by anything else.
func (o *Opinion) startsUnderSomeInputs() bool {
	if len(o.c.Inputs) == 0 {
		return false
	}
	var resets, others []aig.Lit
	for _, c := range o.c.Controls {
		resets, others = append(resets, c.Reset), append(others, c.Next)
	}
	for _, name := range o.a.AP {
		l, _ := o.c.Lit(name)
		others = append(others, l)
	}
	others = append(append(others, o.c.Fairness...), o.c.Constraint)
	marked := func(roots []aig.Lit) []bool {
		seen := make([]bool, o.c.Graph.Size())
		for len(roots) > 0 {
			n := roots[len(roots)-1].Node()
			roots = roots[:len(roots)-1]
			if seen[n] {
				continue
			}
			seen[n] = true
			switch x, y := o.c.Graph.Fanins(n); o.c.Graph.Kind(n) {
			case aig.KindAnd:
				roots = append(roots, x, y)
			case aig.KindCut:
				roots = append(roots, x)
			}
		}
		return seen
	}
	first, later := marked(resets), marked(others)
	return slices.ContainsFunc(o.c.Inputs, func(in circuit.Signal) bool { return first[in.Lit.Node()] && later[in.Lit.Node()] })
}

// Waits returns the opinion on whether the automaton can leave its initial state for want
// of an edge: an automaton that waits in state 0, and accepts from state 1 where the first
// one must leave. Needless reports that it never must, whatever it reads.
func (o *Opinion) Waits() (leaves *Opinion, needless bool, err error) {
	if len(o.a.Initial) != 1 {
		return nil, false, errors.New("the automaton has several initial states")
	}
	stays := bdd.False
	for _, e := range o.edges[o.initial] {
		if e.To == o.initial {
			stays = o.a.Guards.Or(stays, e.Guard)
		}
	}
	return New(o.c, &automaton.Automaton{
		AP: o.a.AP, Guards: o.a.Guards, Initial: []int{0}, Sets: 1,
		Edges: [][]automaton.Edge{{{Guard: bdd.True, To: 0}, {Guard: stays.Not(), To: 1}}, {{Guard: bdd.True, To: 1, Acc: 1}}},
	}), stays == bdd.True, nil
}

// IsInitial reports whether a code is that of the automaton's only initial state.
func (o *Opinion) IsInitial(code int) bool { return len(o.a.Initial) == 1 && code == o.initial+1 }
