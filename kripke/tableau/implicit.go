package tableau

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math/big"
	"slices"

	"netcov/kripke/bdd"
	"netcov/kripke/formula"
	"netcov/kripke/symbolic"
)

// The comparison with neither side listed, for many properties at a time (KGG99
// section 7: small properties one by one, and combined). The design's states stand on
// the variables of a symbolic system, those of the tableau on a variable for each
// obligation (duties.go), each beside the bits that its signals have, so that
// properties that have little to do with each other stay apart in the diagrams.
//
// SIM needs no fixpoint over pairs: a design state is simulated by a tableau state iff
// it satisfies its obligations, because the part of the tableau that a state reaches is
// the tableau of the conjunction of its obligations. So each AX f is model checked once.
// ReachSIM and the criteria are computed as they are defined.

// Implicit is a comparison; the sets are decision diagrams.
type Implicit struct {
	Holds   bool
	Failing int // with Holds false: the number of a specification that does not hold

	// Sizes: reachable states of the design, those of them that start no fair path and
	// are left out, the tableau, and ReachSIM.
	States, Unfair, TableauStates, Transitions, Initial, Pairs *big.Int
	// Counts are the numbers of elements of the criteria.
	Counts                map[Criterion]*big.Int
	Variables, Iterations int

	m   *bdd.Manager
	sys *symbolic.System
	at  []int // the variable here of each variable of sys
	d   *duties
	t   *relationOf // the tableau's, d.steps
	k   *relationOf // the design's

	reached, init bdd.Ref // of the design, its fair part
	labels        map[string]bdd.Ref
	satisfies     map[formula.Formula]bdd.Ref

	rings       []bdd.Ref // pairs that ReachSIM gains in each step
	reach       bdd.Ref
	implemented bdd.Ref
	sets        map[Criterion]bdd.Ref
	twinsOf     bdd.Ref       // of ManyToOne: tableau states with two design states, now and next
	primed      *bdd.Renaming // both vectors from track 0 to 1

	// What entries speak of, by number: tableau states and their vectors, and the
	// design's vectors.
	states  []State
	vectors [][]bool
	impl    [][]bool
	number  map[string]int
}

// NewImplicit compares a system, or with fairness sets, which are sets of its states,
// its fair part, with the tableau of the conjunction of ACTL safety formulas.
func NewImplicit(ctx context.Context, sys *symbolic.System, fair []bdd.Ref, specs []formula.Formula, opt Options) (*Implicit, error) {
	specs = slices.Clone(specs)
	for i, f := range specs {
		specs[i] = formula.Simplify(formula.NNF(f))
		if err := supported(specs[i]); err != nil {
			return nil, err
		}
	}
	for _, name := range append(formula.Atoms(specs...), opt.AP...) {
		if _, ok := sys.Label(name); !ok {
			return nil, fmt.Errorf("the implementation has no proposition %q", name)
		}
	}
	c := &Implicit{sys: sys, labels: map[string]bdd.Ref{}, satisfies: map[formula.Formula]bdd.Ref{}, number: map[string]int{}}
	if err := c.layOut(ctx, fair, specs, opt); err != nil {
		return nil, err
	}
	defer func() { c.Variables = c.m.Stats().Variables }()
	for i, f := range specs {
		if c.m.Diff(c.init, c.sat(f)) != bdd.False {
			c.Failing = i
			return c, c.m.Err()
		}
	}
	if err := c.d.build(specs); err != nil {
		return nil, err
	}
	c.Holds = true
	c.search()
	c.criteria(opt.AP)
	return c, c.m.Err()
}

// layOut places the variables and brings the system here.
func (c *Implicit) layOut(ctx context.Context, fair []bdd.Ref, specs []formula.Formula, opt Options) error {
	sys := c.sys
	reached := sys.Reached(nil)
	if err := sys.M.Err(); err != nil {
		return err
	}
	o := newObligations(ctx)
	// The obligations of a property stand together, below the last of its bits.
	last := func(f formula.Formula) int {
		bit := 0
		for _, name := range formula.Atoms(f) {
			l, _ := sys.Label(name)
			for _, v := range sys.M.Support(l) {
				bit = max(bit, v/sys.Tracks)
			}
		}
		return bit
	}
	type placed struct {
		x           int32
		home, group int
	}
	var order []placed
	groups := map[formula.Formula]placed{}
	property := collect(o, specs)
	for _, x := range slices.Sorted(maps.Keys(property)) {
		f := property[x]
		g, ok := groups[f]
		if !ok {
			g = placed{home: last(f), group: len(groups)}
			groups[f] = g
		}
		order = append(order, placed{x, g.home, g.group})
	}
	slices.SortStableFunc(order, func(a, b placed) int { return cmp.Or(cmp.Compare(a.home, b.home), cmp.Compare(a.group, b.group)) })
	c.d = &duties{o: o, column: map[int32]int{}, memo: map[formula.Formula]bdd.Ref{}}
	c.at = make([]int, sys.M.NumVars())
	columns := 0
	for bit := range sys.Bits {
		for track := range sys.Tracks {
			c.at[sys.Var(track, bit)] = 2*columns + track
		}
		columns++
		for len(order) > 0 && order[0].home <= bit {
			x := order[0].x
			c.d.column[x] = columns
			c.d.used = append(c.d.used, x)
			columns, order = columns+1, order[1:]
		}
	}
	diagrams := opt.Diagrams
	if diagrams.Interrupt == nil {
		diagrams.Interrupt = func() error { return context.Cause(ctx) }
	}
	m := bdd.New(2*columns, diagrams)
	c.m, c.d.m = m, m
	bring := func(f bdd.Ref) bdd.Ref { return m.Protect(m.Copy(sys.M, f, c.at)) }
	c.reached, c.init = bring(reached), bring(sys.Init)
	for _, name := range append(formula.Atoms(specs...), opt.AP...) {
		if _, ok := c.labels[name]; !ok {
			l, _ := sys.Label(name)
			c.labels[name] = bring(l)
		}
	}
	var conjuncts []bdd.Ref
	for _, f := range sys.Conjuncts() {
		conjuncts = append(conjuncts, bring(f))
	}
	var sets []bdd.Ref
	for _, f := range fair {
		sets = append(sets, bring(f))
	}
	if err := sys.M.Err(); err != nil {
		return err
	}
	c.k = newRelationOf(m, conjuncts, c.implVars(0), c.implVars(1))
	both := map[int]int{}
	for v := 0; v < 2*columns; v += 2 {
		both[v] = v + 1
	}
	c.primed = m.NewRenaming(both)
	if c.Unfair = new(big.Int); len(sets) > 0 {
		c.keepFair(sets)
	}
	return m.Err()
}

// implVars lists the design's variables on a track.
func (c *Implicit) implVars(track int) []int {
	out := make([]int, c.sys.Bits)
	for i := range out {
		out[i] = c.at[c.sys.Var(track, i)]
	}
	return out
}

func (c *Implicit) cube(vars []int) bdd.Ref { return c.m.Cube(vars...) }

// sat is the set of reachable design states that satisfy a formula in negation normal
// form.
func (c *Implicit) sat(f formula.Formula) bdd.Ref {
	if r, ok := c.satisfies[f]; ok {
		return r
	}
	m := c.m
	var r bdd.Ref
	switch f.Op() {
	case formula.OpTrue:
		r = c.reached
	case formula.OpFalse:
		r = bdd.False
	case formula.OpAtom:
		r = m.And(c.reached, c.labels[f.Name()])
	case formula.OpNot:
		r = m.Diff(c.reached, c.labels[f.Left().Name()])
	case formula.OpAX:
		r = c.always(c.sat(f.Left()))
	case formula.OpAnd:
		r = m.And(c.sat(f.Left()), c.sat(f.Right()))
	case formula.OpOr:
		r = m.Or(c.sat(f.Left()), c.sat(f.Right()))
	case formula.OpAG:
		r = c.greatest(bdd.False, c.sat(f.Left()))
	case formula.OpAW:
		r = c.greatest(c.sat(f.Right()), c.sat(f.Left()))
	case formula.OpAR:
		b := c.sat(f.Right())
		r = c.greatest(m.And(b, c.sat(f.Left())), b)
	}
	c.satisfies[f] = m.Protect(r)
	return r
}

// always is AX z.
func (c *Implicit) always(z bdd.Ref) bdd.Ref {
	return c.m.Diff(c.reached, c.k.pre(c.m.Diff(c.reached, z)))
}

// greatest is νZ. now ∨ (stay ∧ AX Z).
func (c *Implicit) greatest(now, stay bdd.Ref) bdd.Ref {
	z := c.m.Or(now, stay)
	for c.m.Err() == nil {
		c.m.CollectIfLarge(z, now, stay)
		next := c.m.Or(now, c.m.And(stay, c.always(z)))
		if next == z {
			break
		}
		z = next
	}
	return z
}

// search computes ReachSIM and its rings.
func (c *Implicit) search() {
	m := c.m
	c.t = c.d.steps
	sim := bdd.True // on reachable design states
	for _, x := range slices.Backward(c.d.used) {
		f := c.d.o.formula[x]
		if c.d.o.isNext[x] {
			f = formula.Unary(formula.OpAX, f)
		}
		sim = m.And(sim, m.Implies(m.Var(c.d.now(x)), m.Restrict(c.sat(f), c.reached)))
		m.CollectIfLarge(sim)
	}
	m.Protect(sim)
	ring := m.And(m.And(c.init, c.d.starts), sim)
	all := ring
	for ring != bdd.False && m.Err() == nil {
		c.Iterations++
		c.rings = append(c.rings, m.Protect(ring))
		ring = m.Diff(m.And(m.And(c.t.post(m.And(c.k.post(ring), c.reached)), sim), c.d.states), all)
		all = m.Or(all, ring)
		m.CollectIfLarge(all, ring)
	}
	c.reach = m.Protect(all)
}

// criteria computes the sets of all criteria, and what is counted.
func (c *Implicit) criteria(ap []string) {
	m, d := c.m, c.d
	implNow, implNext, dutiesNow, dutiesNext := c.implVars(0), c.implVars(1), d.vars(d.now), d.vars(d.next)
	r := c.reach
	keep := func(f bdd.Ref) bdd.Ref { m.CollectIfLarge(f); return m.Protect(f) }
	c.implemented = keep(m.Exists(r, c.cube(implNow)))
	c.sets = map[Criterion]bdd.Ref{
		UnImplementedStartState: keep(m.Diff(d.starts, m.Exists(m.And(r, c.init), c.cube(implNow)))),
		UnImplementedState:      keep(m.Diff(d.states, c.implemented)),
	}
	steps := keep(d.steps.within(d.states, m.Rename(d.states, c.primed)))

	// Pairs that cannot take a step to the next vector, whatever the design does.
	next := m.Rename(r, c.primed)
	stuck := keep(m.AndExists(r, c.k.preOf(next).Not(), c.cube(implNow)))
	both := m.And(m.And(steps, c.implemented), m.Rename(c.implemented, c.primed))
	c.sets[UnImplementedTransition] = keep(m.And(both, stuck))

	c.twinsOf = keep(c.twins(ap))
	c.sets[ManyToOne] = keep(m.Exists(c.twinsOf, c.cube(append(implNow, implNext...))))

	other := c.withOther(r, dutiesNow, dutiesNext)
	c.sets[OneToMany] = keep(m.Exists(m.AndExists(other, c.differ(dutiesNow, dutiesNext), c.cube(dutiesNext)), c.cube(dutiesNow)))

	pairs := func(a, b []int) []int { return append(slices.Clone(a), b...) }
	c.States = m.SatCount(c.reached, implNow)
	c.TableauStates, c.Initial = m.SatCount(d.states, dutiesNow), m.SatCount(d.starts, dutiesNow)
	c.Transitions = m.SatCount(steps, pairs(dutiesNow, dutiesNext))
	c.Pairs = m.SatCount(r, pairs(implNow, dutiesNow))
	c.Counts = map[Criterion]*big.Int{}
	for _, k := range Criteria {
		vars := dutiesNow
		switch k {
		case UnImplementedTransition:
			vars = pairs(dutiesNow, dutiesNext)
		case OneToMany:
			vars = implNow
		}
		c.Counts[k] = m.SatCount(c.sets[k], vars)
	}
}

// withOther is a relation beside itself with one of its vectors on the other track.
func (c *Implicit) withOther(r bdd.Ref, now, next []int) bdd.Ref {
	to := map[int]int{}
	for i := range now {
		to[now[i]] = next[i]
	}
	return c.m.And(r, c.m.Rename(r, c.m.NewRenaming(to)))
}

// differ says that two vectors are not the same.
func (c *Implicit) differ(a, b []int) bdd.Ref {
	same := bdd.True
	for i := len(a) - 1; i >= 0; i-- {
		same = c.m.And(same, c.m.Iff(c.m.Var(a[i]), c.m.Var(b[i])))
	}
	return same.Not()
}

// twins are the tableau states with two design states that look alike, now and next.
func (c *Implicit) twins(ap []string) bdd.Ref {
	m := c.m
	now, next := c.implVars(0), c.implVars(1)
	f := m.And(c.withOther(c.reach, now, next), c.differ(now, next))
	for _, name := range ap {
		f = m.And(f, m.Iff(c.labels[name], m.Rename(c.labels[name], c.primed)))
	}
	return f
}

// StateOf is a tableau state that an entry speaks of.
func (c *Implicit) StateOf(t int) *State { return &c.states[t] }

// ImplName is the name of a design state that an entry speaks of; Shows reports
// whether a proposition holds there.
func (c *Implicit) ImplName(i int) string { return c.sys.StateText(c.impl[i]) }

// Shows reports whether a proposition holds in a design state.
func (c *Implicit) Shows(i int, name string) bool {
	l, _ := c.sys.Label(name)
	return c.sys.M.Eval(l, func(v int) bool { return c.impl[i][v/c.sys.Tracks] })
}

// key packs values.
func key(bits []bool) string {
	out := make([]byte, len(bits))
	for i, v := range bits {
		if v {
			out[i] = 1
		}
	}
	return string(out)
}
