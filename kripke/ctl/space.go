package ctl

import (
	"netcov/kripke/bdd"
	"netcov/kripke/circuit"
	"netcov/kripke/formula"
	"netcov/kripke/structure"
)

// space is what the searches for computations need of a model. S is a set of
// states; a single state is a set with one element. There are two, so that each
// search is written once: bit vectors over a frame and decision diagrams.
type space[S any] interface {
	initial() S // initial states with a path that counts
	all() S     // states with a path that counts
	// fairness lists the sets that a path must meet infinitely often, and counts the
	// marks that its steps must have.
	fairness() ([]S, int)
	// preBy and postBy go by the steps with a mark only.
	preBy(mark int, s S) S
	postBy(mark int, s S) S
	post(S) S
	pre(S) S
	and(a, b S) S
	or(a, b S) S
	minus(a, b S) S
	empty(S) bool
	// pick is one state of a set that is not empty.
	pick(S) S
	// step describes a single state.
	step(S) Step
	// values computes the sets of a program's instructions; release gives them
	// back.
	values(p program) ([]S, error)
	release(values []S)
}

// Step is one state of a computation.
type Step struct {
	// State is the name of a structure's state or of a control state.
	State string
	// Inputs is a circuit's input valuation as bits, in the order of its inputs.
	Inputs string
	// Holds lists the propositions of the specification that are true.
	Holds []string
}

// frameSpace is the plain frame of an explicit problem.
type frameSpace struct {
	p *Problem
	f *frame
}

func (s frameSpace) initial() structure.Set {
	return s.and(structure.SetOf(s.f.states, s.f.init...), s.all())
}

func (s frameSpace) all() structure.Set {
	switch {
	case s.p.model.paths.trivial():
		return structure.FullSet(s.f.states)
	case s.p.fairSet == nil:
		s.p.fairSet = newChecker(s.f, s.p.fairProgram()).run(&original)
	}
	return s.p.fairSet
}

func (s frameSpace) fairness() ([]structure.Set, int) {
	var out []structure.Set
	for _, name := range s.f.fairness {
		out = append(out, s.f.labels[name])
	}
	return out, s.f.steps
}

func (s frameSpace) preBy(mark int, a structure.Set) structure.Set {
	out := structure.NewSet(s.f.states)
	newChecker(s.f, nil).next(&original, out, a, 1<<mark)
	return out
}

func (s frameSpace) postBy(mark int, a structure.Set) structure.Set { return s.follow(a, 1<<mark) }

// fairProgram is the program for the states with a path that counts.
func (p *Problem) fairProgram() program {
	prog, err := compile(formula.True(), p.model.paths, witness)
	if err != nil {
		panic("ctl: TRUE is no formula: " + err.Error())
	}
	return prog
}

func (s frameSpace) post(a structure.Set) structure.Set { return s.follow(a, 0) }

// follow takes the steps with some marks.
func (s frameSpace) follow(a structure.Set, marks uint64) structure.Set {
	out := structure.NewSet(s.f.states)
	for w := range a.All() {
		for i, h := range s.f.hubs.of(int32(w)) {
			if !s.f.marked(w, i, marks) {
				continue
			}
			for _, u := range s.f.members.of(h) {
				out.Add(int(u))
			}
		}
	}
	return out
}

func (s frameSpace) pre(a structure.Set) structure.Set {
	out := structure.NewSet(s.f.states)
	for u := range a.All() {
		for _, h := range s.f.within.of(int32(u)) {
			for _, w := range s.f.users.of(h) {
				out.Add(int(w))
			}
		}
	}
	return out
}

func (s frameSpace) and(a, b structure.Set) structure.Set {
	c := a.Clone()
	c.Intersect(b)
	return c
}

func (s frameSpace) or(a, b structure.Set) structure.Set {
	c := a.Clone()
	c.Union(b)
	return c
}

func (s frameSpace) minus(a, b structure.Set) structure.Set {
	c := a.Clone()
	c.Subtract(b)
	return c
}

func (s frameSpace) empty(a structure.Set) bool { return a.Empty() }

func (s frameSpace) pick(a structure.Set) structure.Set {
	for w := range a.All() {
		return structure.SetOf(s.f.states, w)
	}
	return a
}

func (s frameSpace) step(a structure.Set) Step {
	for w := range a.All() {
		st := Step{State: s.f.name(int(s.f.cellOf(int32(w))))}
		if s.f.inputs != nil {
			st.Inputs = s.f.inputs(w)
		}
		for _, atom := range formula.Atoms(s.p.formula) {
			if s.f.labels[atom].Has(w) {
				st.Holds = append(st.Holds, atom)
			}
		}
		return st
	}
	return Step{}
}

func (s frameSpace) release([]structure.Set) {}

func (s frameSpace) values(p program) ([]structure.Set, error) {
	c := newChecker(s.f, p)
	c.run(&original)
	return c.sets, nil
}

// diagramSpace is the system of a symbolic problem. The sets that a search
// holds are not protected: no collection happens while one runs.
type diagramSpace struct {
	p *Problem
	s *symbolicModel
}

// release takes the protection from values.
func (d diagramSpace) release(values []bdd.Ref) {
	for _, f := range values {
		d.s.M.Unprotect(f)
	}
}

func (d diagramSpace) initial() bdd.Ref {
	return d.s.M.And(d.s.init, d.all())
}

func (d diagramSpace) all() bdd.Ref {
	if d.p.model.paths.trivial() {
		return d.s.Valid
	}
	if d.p.fairRef == nil {
		r := d.p.evaluator(d.s)
		r.p = d.p.fairProgram()
		set, err := r.run()
		if err != nil {
			return bdd.False // the manager keeps the error
		}
		d.p.fairRef = &set
	}
	return *d.p.fairRef
}

func (d diagramSpace) fairness() ([]bdd.Ref, int) {
	var out []bdd.Ref
	for _, name := range d.p.model.paths.fairness {
		f, _ := d.s.Label(name)
		out = append(out, f)
	}
	return out, d.p.model.paths.steps
}

func (d diagramSpace) preBy(mark int, a bdd.Ref) bdd.Ref {
	return d.p.evaluator(d.s).preBy(d.s.Steps[mark], a)
}

func (d diagramSpace) postBy(mark int, a bdd.Ref) bdd.Ref {
	return d.s.Post(d.s.M.And(a, d.s.Steps[mark]))
}

func (d diagramSpace) pick(a bdd.Ref) bdd.Ref   { return d.s.Pick(a) }
func (d diagramSpace) post(a bdd.Ref) bdd.Ref   { return d.s.Post(a) }
func (d diagramSpace) pre(a bdd.Ref) bdd.Ref    { return d.s.Pre(a) }
func (d diagramSpace) and(a, b bdd.Ref) bdd.Ref { return d.s.M.And(a, b) }
func (d diagramSpace) or(a, b bdd.Ref) bdd.Ref  { return d.s.M.Or(a, b) }

func (d diagramSpace) minus(a, b bdd.Ref) bdd.Ref { return d.s.M.Diff(a, b) }
func (d diagramSpace) empty(a bdd.Ref) bool       { return a == bdd.False }

func (d diagramSpace) step(a bdd.Ref) Step {
	m := d.s.M
	vars := d.s.Vars(0)
	value := make(map[int]bool, len(vars))
	for i, b := range m.PickOne(a, vars) {
		value[vars[i]] = b
	}
	holds := func(name string) bool {
		f, _ := d.s.Label(name)
		return m.Eval(f, func(v int) bool { return value[v] })
	}
	var control []bool
	for _, v := range d.s.ControlVars(0) {
		control = append(control, value[v])
	}
	st := Step{State: d.s.StateName(control)}
	if c := d.p.model.c; c != nil {
		var in []bool
		for _, i := range c.Inputs {
			in = append(in, holds(i.Name))
		}
		st.Inputs = circuit.BitString(in)
	}
	for _, atom := range formula.Atoms(d.p.formula) {
		if holds(atom) {
			st.Holds = append(st.Holds, atom)
		}
	}
	return st
}

func (d diagramSpace) values(p program) ([]bdd.Ref, error) {
	r := d.p.evaluator(d.s)
	r.p = p
	return r.all(true)
}
