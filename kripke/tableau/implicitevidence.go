package tableau

import (
	"context"
	"slices"

	"netcov/kripke/bdd"
)

// Evidence of an implicit comparison. A state gets its number when an entry speaks of
// it. Unimplemented states come nearest first, other entries in the order of their
// vectors.

// MostImplicit bounds the entries of a criterion when a filter does not, and
// mostStates the tableau states that one entry names.
const (
	MostImplicit = 1000
	mostStates   = 16
)

// Entries is Comparison.Entries; at most MostImplicit entries come without a bound in
// the filter.
func (c *Implicit) Entries(ctx context.Context, k Criterion, f *Filter) ([]Entry, error) {
	if !c.Holds {
		return nil, nil
	}
	e := &implicitEntries{c: c, ctx: ctx, k: k, f: f, most: MostImplicit}
	if f != nil && f.Most > 0 {
		e.most = f.Most
	}
	if f != nil && f.Known != nil {
		theirs, err := f.Known.Entries(ctx, k, nil)
		if err != nil {
			return nil, err
		}
		e.known = map[string]bool{}
		for _, x := range theirs {
			e.known[f.Known.key(x)] = true
		}
	}
	set := c.sets[k]
	if f != nil && len(f.Signals) > 0 {
		set = c.speaking(set, k, f.Signals)
	}
	switch k {
	case UnImplementedState:
		e.states(set)
	case UnImplementedTransition:
		e.transitions(set)
	case OneToMany:
		e.many(set)
	default:
		e.each(set, k)
	}
	if ctx.Err() != nil {
		return e.out, context.Cause(ctx)
	}
	return e.out, c.m.Err()
}

// speaking keeps the entries in whose tableau states a signal has a literal.
func (c *Implicit) speaking(set bdd.Ref, k Criterion, signals []string) bdd.Ref {
	m, d := c.m, c.d
	some := bdd.False
	for _, x := range d.used {
		if !d.o.isNext[x] && slices.Contains(signals, d.o.formula[x&^1].Name()) {
			some = m.Or(some, m.Var(d.now(x)))
		}
	}
	switch k {
	case UnImplementedTransition:
		some = m.Or(some, m.Rename(some, c.primed))
	case OneToMany:
		some = m.AndExists(c.reach, some, c.cube(d.vars(d.now)))
	}
	return m.And(set, some)
}

type implicitEntries struct {
	c     *Implicit
	ctx   context.Context
	k     Criterion
	f     *Filter
	most  int
	known map[string]bool
	out   []Entry
}

// add explains an entry and keeps it, unless it is known; false when there are enough.
func (e *implicitEntries) add(x Entry, explain func(*Entry)) bool {
	if e.ctx.Err() != nil || e.c.m.Err() != nil {
		return false
	}
	x.Criterion = e.k
	if e.f != nil && e.f.First && x.Consequence {
		return true
	}
	if e.known == nil || !e.known[entryKey(x, e.c.StateOf, e.label)] {
		explain(&x)
		e.out = append(e.out, x)
	}
	return len(e.out) < e.most
}

// label lists the propositions of the known comparison that hold in a design state.
func (e *implicitEntries) label(i int) []string {
	return slices.DeleteFunc(slices.Clone(e.f.Known.Impl.AP), func(name string) bool { return !e.c.Shows(i, name) })
}

// values reads one vector of a set from the values of some variables.
type values struct {
	vars []int
	bits []bool
}

func (v values) at(variable int) bool {
	n, ok := slices.BinarySearch(v.vars, variable)
	return ok && v.bits[n]
}

// tableauState numbers a tableau state.
func (c *Implicit) tableauState(value func(x int32) bool) int {
	bits := make([]bool, len(c.d.used))
	for i, x := range c.d.used {
		bits[i] = value(x)
	}
	name := "t" + key(bits)
	n, ok := c.number[name]
	if !ok {
		n = len(c.states)
		c.number[name] = n
		c.states = append(c.states, c.d.state(value))
		c.vectors = append(c.vectors, bits)
	}
	return n
}

// implState numbers a design state.
func (c *Implicit) implState(v values, track int) int {
	bits := make([]bool, c.sys.Bits)
	for i := range bits {
		bits[i] = v.at(c.at[c.sys.Var(track, i)])
	}
	name := "i" + key(bits)
	n, ok := c.number[name]
	if !ok {
		n = len(c.impl)
		c.number[name] = n
		c.impl = append(c.impl, bits)
	}
	return n
}

// one is the set of a single vector on some variables.
func (c *Implicit) one(vars []int, bits []bool) bdd.Ref {
	type pair struct {
		v   int
		bit bool
	}
	all := make([]pair, len(vars))
	for i := range vars {
		all[i] = pair{vars[i], bits[i]}
	}
	slices.SortFunc(all, func(a, b pair) int { return b.v - a.v })
	f := bdd.True
	for _, p := range all {
		f = c.m.And(c.m.Literal(p.v, p.bit), f)
	}
	return f
}

// theTableau and theImpl are the sets of one numbered state, on track 0.
func (c *Implicit) theTableau(t int) bdd.Ref {
	vars := make([]int, len(c.d.used))
	for i, x := range c.d.used {
		vars[i] = c.d.now(x)
	}
	return c.one(vars, c.vectors[t])
}

func (c *Implicit) theImpl(i int) bdd.Ref { return c.one(c.implVars(0), c.impl[i]) }

// pick is one vector of a set.
func (c *Implicit) pick(f bdd.Ref, vars ...[]int) values {
	v := values{vars: slices.Concat(vars...)}
	slices.Sort(v.vars)
	v.bits = c.m.PickOne(f, v.vars)
	return v
}

// pathTo is a pair of corresponding paths to a pair of ReachSIM of a set.
func (c *Implicit) pathTo(set bdd.Ref) []Step {
	m := c.m
	ring := slices.IndexFunc(c.rings, func(r bdd.Ref) bool { return m.And(r, set) != bdd.False })
	var out []Step
	for ; ring >= 0 && m.Err() == nil; ring-- {
		v := c.pick(m.And(c.rings[ring], set), c.implVars(0), c.d.vars(c.d.now))
		s := Step{c.implState(v, 0), c.tableauState(func(x int32) bool { return v.at(c.d.now(x)) })}
		out = append(out, s)
		set = m.And(c.k.pre(c.theImpl(s.Impl)), c.t.pre(c.theTableau(s.Tableau)))
	}
	slices.Reverse(out)
	return out
}

// each lists a set of tableau states.
func (e *implicitEntries) each(set bdd.Ref, k Criterion) {
	c := e.c
	vars := c.d.vars(c.d.now)
	for bits := range c.m.All(set, vars) {
		t := e.numbered(values{vars, bits})
		if !e.add(Entry{Tableau: []int{t}}, func(x *Entry) {
			if k == UnImplementedStartState {
				x.Path = []Step{{-1, t}}
				return
			}
			now, next := c.implVars(0), c.implVars(1)
			v := c.pick(c.m.And(c.twinsOf, c.theTableau(t)), now, next)
			x.Impl = []int{c.implState(v, 0), c.implState(v, 1)}
			slices.Sort(x.Impl)
			at := c.theTableau(t)
			x.Path, x.Other = c.pathTo(c.m.And(c.theImpl(x.Impl[0]), at)), c.pathTo(c.m.And(c.theImpl(x.Impl[1]), at))
		}) {
			return
		}
	}
}

func (e *implicitEntries) numbered(v values) int {
	return e.c.tableauState(func(x int32) bool { return v.at(e.c.d.now(x)) })
}

// states lists unimplemented states, those nearest to implemented and initial ones
// first.
func (e *implicitEntries) states(set bdd.Ref) {
	c, m := e.c, e.c.m
	layers := []bdd.Ref{m.Or(c.implemented, c.d.starts)}
	all := layers[0]
	vars := c.d.vars(c.d.now)
	for {
		depth := len(layers) - 1
		for bits := range m.All(m.And(layers[depth], set), vars) {
			t := e.numbered(values{vars, bits})
			if !e.add(Entry{Tableau: []int{t}, Consequence: e.follows(t)}, func(x *Entry) {
				x.Path = c.pathInto(t, layers[:depth])
			}) {
				return
			}
		}
		if e.f != nil && e.f.First && depth >= 1 {
			return // the others follow
		}
		next := m.Diff(m.And(c.t.post(layers[depth]), c.d.states), all)
		if next == bdd.False || m.Err() != nil {
			return
		}
		all = m.Or(all, next)
		layers = append(layers, next)
	}
}

// follows reports whether an unimplemented state is neither initial nor has an
// implemented predecessor.
func (e *implicitEntries) follows(t int) bool {
	c := e.c
	at := c.theTableau(t)
	return c.m.And(at, c.d.starts) == bdd.False && c.m.And(c.t.pre(at), c.implemented) == bdd.False
}

// pathInto goes back through layers, and from an implemented state on along
// corresponding paths.
func (c *Implicit) pathInto(t int, layers []bdd.Ref) []Step {
	m := c.m
	tail := []Step{{-1, t}}
	for _, layer := range slices.Backward(layers) {
		from := m.And(layer, c.t.pre(c.theTableau(t)))
		v := c.pick(from, c.d.vars(c.d.now))
		t = c.tableauState(func(x int32) bool { return v.at(c.d.now(x)) })
		tail = append(tail, Step{-1, t})
	}
	slices.Reverse(tail)
	at := c.theTableau(t)
	if m.And(at, c.implemented) == bdd.False {
		return tail
	}
	return append(c.pathTo(at), tail[1:]...)
}

func (e *implicitEntries) transitions(set bdd.Ref) {
	c, m, d := e.c, e.c.m, e.c.d
	vars := append(d.vars(d.now), d.vars(d.next)...)
	slices.Sort(vars)
	for bits := range m.All(set, vars) {
		v := values{vars, bits}
		t, u := e.numbered(v), c.tableauState(func(x int32) bool { return v.at(d.next(x)) })
		if !e.add(Entry{Tableau: []int{t, u}}, func(x *Entry) {
			to := m.AndExists(c.reach, c.theTableau(u), c.cube(d.vars(d.now)))
			from := m.And(c.reach, c.theTableau(t))
			x.Path = c.pathTo(m.Diff(from, c.k.pre(to)))
			x.Impl = []int{x.Path[len(x.Path)-1].Impl}
			x.Path = append(x.Path, Step{-1, u})
		}) {
			return
		}
	}
}

// many lists design states that several tableau states stand for.
func (e *implicitEntries) many(set bdd.Ref) {
	c := e.c
	vars, duties := c.implVars(0), c.d.vars(c.d.now)
	for bits := range c.m.All(set, vars) {
		i := c.implState(values{vars, slices.Clone(bits)}, 0)
		at := c.m.And(c.reach, c.theImpl(i))
		x := Entry{Impl: []int{i}}
		for bits := range c.m.All(c.m.Exists(at, c.cube(vars)), duties) {
			if x.Tableau = append(x.Tableau, e.numbered(values{duties, bits})); len(x.Tableau) == mostStates {
				break
			}
		}
		if !e.add(x, func(x *Entry) {
			x.Path = c.pathTo(c.m.And(at, c.theTableau(x.Tableau[0])))
			x.Other = c.pathTo(c.m.And(at, c.theTableau(x.Tableau[1])))
		}) {
			return
		}
	}
}
