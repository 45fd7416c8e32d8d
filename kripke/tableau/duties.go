package tableau

import (
	"slices"

	"netcov/kripke/bdd"
	"netcov/kripke/formula"
)

// The reduced tableau without listing it. A tableau state is a set of obligations, so
// with a variable for each obligation it is a vector, and k properties with four states
// each have a few variables each in the place of 4^k states.
//
// The expansion of a formula (expand.go) is the list of the minimal vectors of a
// monotone function, of which contradictory ones are dropped:
//
//	p, !p     the variable of the literal
//	AX f      its variable
//	a & b     both, a | b  either
//	A[a W b]  b, or a and the variable of AX A[a W b]
//	A[b V a]  a, and b or the variable of AX A[b V a]
//
// A set with AX f for f in F has as successors the minimal vectors of the conjunction
// of the functions of F. A vector of a monotone function is minimal iff no single
// element can leave it. So the transition relation is a conjunction of small parts:
// for each f that AX f implies the function of f on the next vector, and for each
// obligation x that x is not in the next vector, or that for some f in F the function
// fails without it.

// duties is the tableau as decision diagrams on a table of columns.
type duties struct {
	m       *bdd.Manager
	o       *obligations
	used    []int32       // the numbers of the obligations in use
	column  map[int32]int // their columns
	memo    map[formula.Formula]bdd.Ref
	primed  *bdd.Renaming // from track 0 to 1
	initial bdd.Ref       // of states that are not contradictory
	steps   *relationOf
	states  bdd.Ref // reachable states with an infinite path
	starts  bdd.Ref // the initial ones among them
}

// collect numbers the obligations that formulas can leave, and those of their
// next-formulas. Each comes with the property that speaks of it: a conjunct, as far as
// conjunctions are outermost, and what its next-formulas go on with.
func collect(o *obligations, specs []formula.Formula) (property map[int32]formula.Formula) {
	type visit struct{ f, of formula.Formula }
	var stack []visit
	for _, f := range slices.Backward(specs) {
		stack = append(stack, visit{f, f})
	}
	property = map[int32]formula.Formula{}
	seen := map[formula.Formula]bool{}
	for len(stack) > 0 {
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		f := v.f
		if seen[f] {
			continue
		}
		seen[f] = true
		mine := func(x int32) {
			if _, ok := property[x]; !ok {
				property[x] = v.of
			}
		}
		on := func(f formula.Formula) { stack = append(stack, visit{f, v.of}) }
		part := func(f formula.Formula) formula.Formula { // of a conjunction
			if v.of == v.f {
				return f
			}
			return v.of
		}
		switch f.Op() {
		case formula.OpAtom, formula.OpNot:
			name := f.Name()
			if f.Op() == formula.OpNot {
				name = f.Left().Name()
			}
			mine(o.literal(name, true))
			mine(o.literal(name, false))
		case formula.OpAX:
			mine(o.nextFormula(f.Left()))
			on(f.Left())
		case formula.OpAG:
			mine(o.nextFormula(f))
			stack = append(stack, visit{f.Left(), part(f.Left())})
		case formula.OpAnd:
			stack = append(stack, visit{f.Right(), part(f.Right())}, visit{f.Left(), part(f.Left())})
		case formula.OpOr:
			on(f.Right())
			on(f.Left())
		case formula.OpAW, formula.OpAR:
			mine(o.nextFormula(f))
			on(f.Right())
			on(f.Left())
		}
	}
	return property
}

// now and next are the variables of an obligation on both tracks.
func (d *duties) now(x int32) int  { return 2 * d.column[x] }
func (d *duties) next(x int32) int { return 2*d.column[x] + 1 }

func (d *duties) vars(of func(int32) int) []int {
	out := make([]int, len(d.used))
	for i, x := range d.used {
		out[i] = of(x)
	}
	slices.Sort(out)
	return out
}

// function is the monotone function of a formula.
func (d *duties) function(f formula.Formula) bdd.Ref {
	if r, ok := d.memo[f]; ok {
		return r
	}
	m := d.m
	duty := func(f formula.Formula) bdd.Ref { return m.Var(d.now(d.o.next[f])) }
	var r bdd.Ref
	switch f.Op() {
	case formula.OpTrue:
		r = bdd.True
	case formula.OpFalse:
		r = bdd.False
	case formula.OpAtom:
		r = m.Var(d.now(d.o.literal(f.Name(), true)))
	case formula.OpNot:
		r = m.Var(d.now(d.o.literal(f.Left().Name(), false)))
	case formula.OpAX:
		r = duty(f.Left())
	case formula.OpAG:
		r = m.And(d.function(f.Left()), duty(f))
	case formula.OpAnd:
		r = m.And(d.function(f.Left()), d.function(f.Right()))
	case formula.OpOr:
		r = m.Or(d.function(f.Left()), d.function(f.Right()))
	case formula.OpAW:
		r = m.Or(d.function(f.Right()), m.And(d.function(f.Left()), duty(f)))
	case formula.OpAR:
		r = m.And(d.function(f.Right()), m.Or(d.function(f.Left()), duty(f)))
	}
	d.memo[f] = m.Protect(r)
	return r
}

// minimal says that a vector on the track of the variables is a minimal one of the
// conjunction of functions, each asked for under a condition, and no contradiction.
func (d *duties) minimal(conditions, functions []bdd.Ref, variable func(int32) int) []bdd.Ref {
	m := d.m
	var out []bdd.Ref
	needs := map[int32]bdd.Ref{} // when an obligation is needed
	for i, f := range functions {
		out = append(out, m.Implies(conditions[i], f))
		support := m.Support(f)
		for _, x := range d.used {
			if v := variable(x); slices.Contains(support, v) {
				needs[x] = m.Or(needs[x], m.Diff(conditions[i], m.Cofactor(f, v, false)))
			}
		}
	}
	for _, x := range d.used {
		out = append(out, m.Implies(m.Var(variable(x)), needs[x]))
		if _, both := d.column[x^1]; both && x&1 == 0 {
			out = append(out, m.And(m.Var(variable(x)), m.Var(variable(x^1))).Not())
		}
	}
	return out
}

// build makes the relation and the reachable states.
func (d *duties) build(specs []formula.Formula) error {
	m := d.m
	primed := map[int]int{}
	for _, x := range d.used {
		primed[d.now(x)] = d.next(x)
	}
	d.primed = m.NewRenaming(primed)
	var conditions, functions []bdd.Ref
	for _, f := range specs {
		conditions, functions = append(conditions, bdd.True), append(functions, d.function(f))
	}
	d.initial = bdd.True
	for _, f := range d.minimal(conditions, functions, d.now) {
		d.initial = m.And(d.initial, f)
	}
	m.Protect(d.initial)
	conditions, functions = nil, nil
	for _, x := range d.used {
		if d.o.isNext[x] {
			conditions = append(conditions, m.Var(d.now(x)))
			functions = append(functions, m.Rename(d.function(d.o.formula[x]), d.primed))
		}
	}
	// Parts that speak of the same columns stand together.
	parts := d.minimal(conditions, functions, d.next)
	first := func(f bdd.Ref) int {
		if s := m.Support(f); len(s) > 0 {
			return s[0]
		}
		return 0
	}
	slices.SortStableFunc(parts, func(a, b bdd.Ref) int { return first(a) - first(b) })
	d.steps = newRelationOf(m, parts, d.vars(d.now), d.vars(d.next))
	all := d.reachable(d.initial, bdd.True)
	for z := all; m.Err() == nil; {
		m.CollectIfLarge(all, z)
		alive := m.And(z, d.steps.pre(z))
		if alive == z {
			d.starts = m.Protect(m.And(d.initial, z))
			d.states = m.Protect(d.reachable(d.starts, z))
			break
		}
		z = alive
	}
	return m.Err()
}

// reachable is what a set reaches inside another one.
func (d *duties) reachable(from, inside bdd.Ref) bdd.Ref {
	m := d.m
	all, frontier := from, from
	for frontier != bdd.False && m.Err() == nil {
		m.CollectIfLarge(all, frontier, inside)
		frontier = m.Diff(m.And(d.steps.post(frontier), inside), all)
		all = m.Or(all, frontier)
	}
	return all
}

// state reads a tableau state from the values of the obligations on one track.
func (d *duties) state(value func(x int32) bool) State {
	s := State{Literals: map[string]bool{}}
	for _, x := range d.used {
		if !value(x) {
			continue
		}
		switch f := d.o.formula[x]; {
		case d.o.isNext[x]:
			s.Next = append(s.Next, f)
		case f.Op() == formula.OpNot:
			s.Literals[f.Left().Name()] = false
		default:
			s.Literals[f.Name()] = true
		}
	}
	return s
}
