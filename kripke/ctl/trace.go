package ctl

import (
	"fmt"
	"strings"

	"netcov/kripke/formula"
	"netcov/kripke/structure"
)

// Trace is a computation: a finite prefix when Loop is -1, and otherwise the
// infinite one that goes on at step Loop after the last.
type Trace struct {
	Steps []Step
	Loop  int
	// Shows is the part of the formula that the last step shows, for a
	// computation that follows a formula; the zero formula otherwise.
	Shows formula.Formula
}

// String writes a step to a line.
func (t *Trace) String() string {
	var b strings.Builder
	for i, s := range t.Steps {
		mark := "  "
		if i == t.Loop {
			mark = "> "
		}
		fmt.Fprintf(&b, "%s%d: %s", mark, i, s.State)
		if s.Inputs != "" {
			fmt.Fprintf(&b, " inputs %s", s.Inputs)
		}
		fmt.Fprintf(&b, " {%s}\n", strings.Join(s.Holds, ", "))
	}
	if t.Loop >= 0 {
		fmt.Fprintf(&b, "  then again from %d\n", t.Loop)
	}
	return b.String()
}

// maxTrace bounds the length of a search for a computation. Beyond it the
// computation is left open, a finite prefix.
const maxTrace = 2000

// walker builds a trace state by state.
type walker[S any] struct {
	sp     space[S]
	states []S
	loop   int
}

func newWalker[S any](sp space[S], first S) *walker[S] {
	return &walker[S]{sp: sp, states: []S{first}, loop: -1}
}

func (w *walker[S]) last() S { return w.states[len(w.states)-1] }

// at is the first position from a given one on with a state of the set, or -1.
func (w *walker[S]) at(from int, set S) int {
	for i, s := range w.states[from:] {
		if !w.sp.empty(w.sp.and(s, set)) {
			return from + i
		}
	}
	return -1
}

// path goes on from the last state to the nearest state of target, through
// states of via (the last state itself included). It reports whether there is
// such a path, and adds nothing when there is none. With stay, the last state
// counts as a state of target when it is one.
func (w *walker[S]) path(via, target S, stay bool) bool {
	from := w.last()
	if w.sp.empty(target) {
		return false
	}
	if stay && !w.sp.empty(w.sp.and(from, target)) {
		return true
	}
	rings := []S{from}
	seen := from
	if !stay {
		// The last state may be reached again.
		seen = w.sp.minus(from, from)
	}
	for {
		next := w.sp.minus(w.sp.post(w.sp.and(rings[len(rings)-1], via)), seen)
		if w.sp.empty(next) {
			return false
		}
		rings = append(rings, next)
		seen = w.sp.or(seen, next)
		if hit := w.sp.and(next, target); !w.sp.empty(hit) {
			back := make([]S, len(rings))
			back[len(rings)-1] = w.sp.pick(hit)
			for i := len(rings) - 2; i > 0; i-- {
				back[i] = w.sp.pick(w.sp.and(w.sp.and(w.sp.pre(back[i+1]), rings[i]), via))
			}
			w.states = append(w.states, back[1:]...)
			return true
		}
	}
}

// lasso goes on inside a set in which every state has a successor, until a
// state comes again that the last state, or one after it, was. It reports false
// when maxTrace ends it before.
func (w *walker[S]) lasso(inside S) bool {
	start := len(w.states) - 1
	visited := w.last()
	for len(w.states) < maxTrace {
		next := w.sp.and(w.sp.post(w.last()), inside)
		if again := w.sp.and(next, visited); !w.sp.empty(again) {
			w.loop = w.at(start, again)
			return true
		}
		w.states = append(w.states, w.sp.pick(next))
		visited = w.sp.or(visited, w.last())
	}
	return false
}

// fairLasso is lasso for a loop that meets all fairness constraints. Each state of the
// set must have a path inside it that does.
func (w *walker[S]) fairLasso(inside S) bool {
	sets, steps := w.sp.fairness()
	if len(sets)+steps == 0 {
		return w.lasso(inside)
	}
	for len(w.states) < maxTrace {
		at := len(w.states) - 1
		anchor := w.last()
		for _, f := range sets {
			w.path(inside, w.sp.and(f, inside), true)
		}
		for mark := range steps {
			w.path(inside, w.sp.and(w.sp.preBy(mark, inside), inside), true)
			w.states = append(w.states, w.sp.pick(w.sp.and(w.sp.postBy(mark, w.last()), inside)))
		}
		end := len(w.states)
		if w.path(inside, anchor, false) {
			if w.loop = at; len(w.states)-1 > at {
				w.states = w.states[:len(w.states)-1]
			}
			return true
		}
		if steps == 0 && end-1 == at { // a state of no cycle: on to the next
			next := w.sp.and(w.sp.post(w.last()), inside)
			if w.sp.empty(next) {
				return false
			}
			w.states = append(w.states, w.sp.pick(next))
		}
	}
	return false
}

// within is the set of states with a path that counts and stays in a set.
func within[S any](sp space[S], set S) S {
	stay := sp.and(set, sp.all())
	for {
		next := stay
		sets, steps := sp.fairness()
		for k := range len(sets) + steps {
			var reach S
			if n := k - len(sets); n >= 0 {
				reach = sp.and(next, sp.preBy(n, next))
			} else {
				reach = sp.and(next, sets[k])
			}
			for {
				more := sp.minus(sp.and(next, sp.pre(reach)), reach)
				if sp.empty(more) {
					break
				}
				reach = sp.or(reach, more)
			}
			next = sp.and(next, reach)
		}
		next = sp.and(next, sp.pre(next))
		if sp.empty(sp.minus(stay, next)) {
			return next
		}
		stay = next
	}
}

func (w *walker[S]) trace() *Trace {
	t := &Trace{Loop: w.loop}
	for _, s := range w.states {
		t.Steps = append(t.Steps, w.sp.step(s))
	}
	return t
}

// follow extends the trace so that it shows why an instruction is true in the
// last state, as far as one path can: existential operators are followed,
// universal ones and literals end it. It returns where it ended.
func (w *walker[S]) follow(p program, values []S, i int32) int32 {
	in := func(j int32) bool { return !w.sp.empty(w.sp.and(w.last(), values[j])) }
	for len(w.states) < maxTrace && w.loop < 0 {
		ins := p[i]
		switch ins.op {
		case and:
			if p[ins.b].hidden {
				i = ins.a
				continue
			}
			// Both hold here. One path cannot show two things that lie in the
			// future; the first that has a future is shown.
			if i = ins.a; !p.existential(ins.a) && p.existential(ins.b) {
				i = ins.b
			}
		case or:
			if i = ins.a; !in(ins.a) || in(ins.b) && !p.existential(ins.b) {
				i = ins.b
			}
		case ex:
			w.states = append(w.states, w.sp.pick(w.sp.and(w.sp.post(w.last()), values[ins.a])))
			i = ins.a
		case eu:
			w.path(values[ins.a], values[ins.b], true)
			i = ins.b
		case er:
			if w.path(values[i], w.sp.and(values[ins.a], values[i]), true) {
				i = ins.a
				continue
			}
			w.lasso(values[i])
			return i
		case eg:
			w.fairLasso(values[i])
			return i
		default:
			return i
		}
	}
	return i
}

// existential reports whether following the instruction leads on to other
// states.
func (p program) existential(i int32) bool {
	switch ins := p[i]; ins.op {
	case ex, eu, er, eg:
		return !ins.hidden
	case and, or:
		return p.existential(ins.a) || p.existential(ins.b)
	}
	return false
}

// formula writes an instruction as a formula.
func (p program) formula(i int32) formula.Formula {
	var fs []formula.Formula
	for _, ins := range p[:i+1] {
		var f formula.Formula
		switch ins.op {
		case constant:
			f = formula.Constant(!ins.negated)
		case literal:
			f = formula.Atom(ins.atom)
			if ins.negated {
				f = formula.Not(f)
			}
		case eg:
			f = formula.Unary(formula.OpEG, fs[ins.a])
		case af:
			f = formula.Unary(formula.OpAF, fs[ins.a])
		default:
			if (ins.op == and || ins.op == or) && p[ins.b].hidden {
				f = fs[ins.a]
				break
			}
			op := [...]formula.Op{
				and: formula.OpAnd, or: formula.OpOr, ex: formula.OpEX, ax: formula.OpAX,
				eu: formula.OpEU, au: formula.OpAU, er: formula.OpER, ar: formula.OpAR,
			}[ins.op]
			a := fs[ins.a]
			short := map[formula.Op]formula.Op{
				formula.OpEU: formula.OpEF, formula.OpAU: formula.OpAF, formula.OpER: formula.OpEG, formula.OpAR: formula.OpAG,
			}
			switch {
			case op.Arity() == 1:
				f = formula.Unary(op, a)
			case a.Op() == formula.OpTrue && (ins.op == eu || ins.op == au),
				a.Op() == formula.OpFalse && (ins.op == er || ins.op == ar):
				f = formula.Unary(short[op], fs[ins.b])
			default:
				f = formula.Binary(op, a, fs[ins.b])
			}
		}
		fs = append(fs, f)
	}
	return fs[i]
}

// structure is the trace as a structure with one path, which exists only for
// an infinite computation.
func (t *Trace) structure(atoms []string) *structure.Structure {
	b := structure.NewBuilder(atoms)
	for i, s := range t.Steps {
		b.AddState(fmt.Sprint(i), s.Holds...)
		if i > 0 {
			b.AddTransition(i-1, i)
		}
	}
	b.AddTransition(len(t.Steps)-1, t.Loop)
	b.AddInitial(0)
	k, err := b.Build()
	if err != nil {
		panic("ctl: a computation that is no structure: " + err.Error())
	}
	return k
}
