package bdd

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dalzilio/rudd"
)

// table is the naive twin of a function: its value for each assignment, bit v
// of the index being the value of variable v.
type table []bool

const tableVars = 6

func (m *Manager) table(f Ref) table {
	t := make(table, 1<<tableVars)
	for i := range t {
		t[i] = m.Eval(f, func(v int) bool { return i>>v&1 != 0 })
	}
	return t
}

func pointwise(op func(args ...bool) bool, ts ...table) table {
	r := make(table, len(ts[0]))
	for i := range r {
		var args []bool
		for _, t := range ts {
			args = append(args, t[i])
		}
		r[i] = op(args...)
	}
	return r
}

func (t table) exists(vars []int) table {
	t = slices.Clone(t)
	for _, v := range vars {
		for i := range t {
			if i>>v&1 == 0 {
				t[i] = t[i] || t[i|1<<v]
				t[i|1<<v] = t[i]
			}
		}
	}
	return t
}

// pool holds functions with their tables.
type pool struct {
	m  *Manager
	fs []Ref
	ts []table
}

func (p *pool) add(t *testing.T, name string, f Ref, want table) {
	t.Helper()
	if p.m.Err() != nil {
		t.Fatal(p.m.Err())
	}
	if !slices.Equal(p.m.table(f), want) {
		t.Fatalf("%s is wrong", name)
	}
	for i, g := range p.fs {
		if (g == f) != slices.Equal(p.ts[i], want) {
			t.Fatalf("%s: the form is not canonical", name)
		}
	}
	if len(p.fs) > 40 {
		i := len(want) % len(p.fs)
		p.m.Unprotect(p.fs[i])
		p.fs, p.ts = slices.Delete(p.fs, i, i+1), slices.Delete(p.ts, i, i+1)
	}
	p.fs, p.ts = append(p.fs, p.m.Protect(f)), append(p.ts, want)
}

func TestOperationsAgainstTables(t *testing.T) {
	for seed := range uint64(30) {
		rng := rand.New(rand.NewPCG(seed, 0))
		m := New(tableVars, Options{})
		p := &pool{m: m}
		for v := range tableVars {
			tab := make(table, 1<<tableVars)
			for i := range tab {
				tab[i] = i>>v&1 != 0
			}
			p.add(t, "Var", m.Var(v), tab)
		}
		for range 200 {
			pick := func() int { return rng.IntN(len(p.fs)) }
			a, b, c := pick(), pick(), pick()
			f, g, h := p.fs[a], p.fs[b], p.fs[c]
			tf, tg, th := p.ts[a], p.ts[b], p.ts[c]
			if rng.IntN(2) == 0 {
				f, tf = f.Not(), pointwise(func(x ...bool) bool { return !x[0] }, tf)
			}
			var vars []int
			for v := range tableVars {
				if rng.IntN(3) == 0 {
					vars = append(vars, v)
				}
			}
			v := rng.IntN(tableVars)
			switch rng.IntN(13) {
			case 0:
				p.add(t, "And", m.And(f, g), pointwise(func(x ...bool) bool { return x[0] && x[1] }, tf, tg))
			case 1:
				p.add(t, "Or", m.Or(f, g), pointwise(func(x ...bool) bool { return x[0] || x[1] }, tf, tg))
			case 2:
				p.add(t, "Xor", m.Xor(f, g), pointwise(func(x ...bool) bool { return x[0] != x[1] }, tf, tg))
			case 3:
				p.add(t, "Iff", m.Iff(f, g), pointwise(func(x ...bool) bool { return x[0] == x[1] }, tf, tg))
			case 4:
				p.add(t, "Implies", m.Implies(f, g), pointwise(func(x ...bool) bool { return !x[0] || x[1] }, tf, tg))
			case 5:
				p.add(t, "Ite", m.Ite(f, g, h), pointwise(func(x ...bool) bool {
					if x[0] {
						return x[1]
					}
					return x[2]
				}, tf, tg, th))
			case 6:
				p.add(t, "Exists", m.Exists(f, m.Cube(vars...)), tf.exists(vars))
			case 8:
				p.add(t, "AndExists", m.AndExists(f, g, m.Cube(vars...)), pointwise(func(x ...bool) bool { return x[0] && x[1] }, tf, tg).exists(vars))
			case 9:
				value := rng.IntN(2) == 0
				want := make(table, len(tf))
				for i := range want {
					j := i &^ (1 << v)
					if value {
						j |= 1 << v
					}
					want[i] = tf[j]
				}
				p.add(t, "Cofactor", m.Cofactor(f, v, value), want)
			case 10:
				want := make(table, len(tf))
				for i := range want {
					want[i] = tf[i^1<<v]
				}
				p.add(t, "Flip", m.Flip(f, v), want)
			case 11:
				perm := rng.Perm(tableVars)
				to := map[int]int{}
				for _, v := range vars {
					to[v] = perm[v]
				}
				want := make(table, len(tf))
				for i := range want {
					j := i
					for v, w := range to {
						j = j&^(1<<v) | i>>w&1<<v
					}
					want[i] = tf[j]
				}
				p.add(t, "NewRenaming", m.Rename(f, m.NewRenaming(to)), want)
			case 12:
				to := map[int]Ref{v: g, (v + 1) % tableVars: h}
				want := make(table, len(tf))
				for i := range want {
					j := i&^(1<<v)&^(1<<((v+1)%tableVars)) | bit(tg[i])<<v | bit(th[i])<<((v+1)%tableVars)
					want[i] = tf[j]
				}
				p.add(t, "NewSubstitution", m.Rename(f, m.NewSubstitution(to)), want)
			}
			if rng.IntN(20) == 0 {
				m.Collect()
				for i, f := range p.fs {
					if !slices.Equal(m.table(f), p.ts[i]) {
						t.Fatal("a protected function changed in a collection")
					}
				}
			}
			queries(t, m, p.fs[len(p.fs)-1], p.ts[len(p.ts)-1])
		}
	}
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

func queries(t *testing.T, m *Manager, f Ref, tab table) {
	t.Helper()
	all := []int{0, 1, 2, 3, 4, 5}
	count := 0
	for _, x := range tab {
		count += bit(x)
	}
	if got := m.SatCount(f, all).Int64(); got != int64(count) {
		t.Fatalf("SatCount %d, want %d", got, count)
	}
	support := m.Support(f)
	for v := range tableVars {
		depends := false
		for i := range tab {
			depends = depends || tab[i] != tab[i^1<<v]
		}
		if depends != slices.Contains(support, v) {
			t.Fatalf("support %v and variable %d", support, v)
		}
	}
	if got := m.SatCount(f, support).Int64() << (tableVars - len(support)); got != int64(count) {
		t.Fatalf("SatCount over the support: %d, want %d", got, count)
	}
	seen, last := 0, -1
	for x := range m.All(f, all) {
		i, order := 0, 0
		for v, b := range x {
			i |= bit(b) << v
			order = 2*order + bit(b)
		}
		if !tab[i] || order <= last {
			t.Fatal("All gives a wrong assignment or order")
		}
		if seen == 0 && !slices.Equal(x, m.PickOne(f, all)) {
			t.Fatalf("PickOne %v, first %v", m.PickOne(f, all), x)
		}
		seen, last = seen+1, order
	}
	if seen != count {
		t.Fatalf("All gives %d assignments of %d", seen, count)
	}
}

// TestAgainstRudd runs the same random operations over more variables here and
// in an independent package, and compares counts and canonical forms.
func TestAgainstRudd(t *testing.T) {
	const vars = 14
	for seed := range uint64(10) {
		rng := rand.New(rand.NewPCG(seed, 9))
		m := New(vars, Options{})
		r, err := rudd.New(vars, rudd.Nodesize(1<<16), rudd.Cachesize(1<<14))
		if err != nil {
			t.Fatal(err)
		}
		fs, gs := []Ref{}, []rudd.Node{}
		for v := range vars {
			fs, gs = append(fs, m.Var(v)), append(gs, r.Ithvar(v))
		}
		all := make([]int, vars)
		for v := range all {
			all[v] = v
		}
		for range 150 {
			a, b, c := rng.IntN(len(fs)), rng.IntN(len(fs)), rng.IntN(len(fs))
			set := rng.Perm(vars)[:1+rng.IntN(5)]
			var f Ref
			var g rudd.Node
			switch rng.IntN(6) {
			case 0:
				f, g = m.And(fs[a], fs[b]), r.And(gs[a], gs[b])
			case 1:
				f, g = m.Or(fs[a], fs[b].Not()), r.Or(gs[a], r.Not(gs[b]))
			case 2:
				f, g = m.Xor(fs[a], fs[b]), r.Apply(gs[a], gs[b], rudd.OPxor)
			case 3:
				f, g = m.Ite(fs[a], fs[b], fs[c]), r.Ite(gs[a], gs[b], gs[c])
			case 4:
				f, g = m.Exists(fs[a], m.Cube(set...)), r.Exist(gs[a], r.Makeset(set))
			case 5:
				f, g = m.AndExists(fs[a], fs[b], m.Cube(set...)), r.AndExist(r.Makeset(set), gs[a], gs[b])
			}
			if m.SatCount(f, all).Cmp(r.Satcount(g)) != 0 {
				t.Fatalf("seed %d: counts %v and %v", seed, m.SatCount(f, all), r.Satcount(g))
			}
			for i := range fs {
				if (fs[i] == f) != r.Equal(gs[i], g) {
					t.Fatalf("seed %d: equality differs", seed)
				}
			}
			if len(fs) > 60 {
				fs, gs = fs[:vars+20], gs[:vars+20]
			}
			fs, gs = append(fs, f), append(gs, g)
		}
		if m.Err() != nil {
			t.Fatal(m.Err())
		}
	}
}

func TestCopy(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	for range 100 {
		from := New(5, Options{})
		f := randomRelation(from, rng, []string{"x"})
		to := New(9, Options{})
		target := []int{1, 2, 4, 7, 8}
		g := to.Copy(from, f, target)
		for i := range 1 << 5 {
			value := func(v int) bool { return i>>slices.Index(target, v)&1 != 0 }
			if from.Eval(f, func(v int) bool { return i>>v&1 != 0 }) != to.Eval(g, value) {
				t.Fatal("a copy differs from its original")
			}
		}
	}
}

func TestLimits(t *testing.T) {
	// The sum of x_i·y_i with all x before all y needs exponentially many nodes.
	build := func(m *Manager) {
		f := False
		for i := range 15 {
			f = m.Xor(f, m.And(m.Var(i), m.Var(29-(7*i)%15)))
		}
	}
	m := New(30, Options{NodeLimit: 1000})
	build(m)
	var limit *LimitError
	if !errors.As(m.Err(), &limit) || limit.Limit != 1000 || m.Stats().PeakNodes > 1000 {
		t.Errorf("%v, %+v", m.Err(), m.Stats())
	}
	if m.And(m.Var(0), m.Var(20)) != False {
		t.Error("a stopped manager computes")
	}
	stop := errors.New("stop")
	calls := 0
	m = New(30, Options{Interrupt: func() error {
		if calls++; calls > 2 {
			return stop
		}
		return nil
	}})
	for range 100 {
		build(m)
	}
	if m.Err() != stop || calls != 3 {
		t.Errorf("%v after %d calls", m.Err(), calls)
	}
	if m.NumVars() != 30 || m.Stats().Variables != 30 {
		t.Error("the number of variables is wrong")
	}
}

func TestCollect(t *testing.T) {
	m := New(20, Options{})
	f := m.Protect(m.Xor(m.Var(3), m.And(m.Var(7), m.Var(11))))
	size := m.Size(f)
	for round := range 50 {
		g := False
		for i := range 20 {
			g = m.Or(m.Xor(g, m.Var(i)), m.And(m.Var((i*3+round)%20), m.Var((i*7)%20)))
		}
		m.Collect(g)
		if m.Stats().Nodes != m.Size(f, g)+1 {
			t.Fatalf("%d nodes after a collection, %d needed", m.Stats().Nodes, m.Size(f, g)+1)
		}
	}
	m.Unprotect(f)
	m.Collect()
	if m.Stats().Nodes != 1 || size != 3 {
		t.Errorf("%d nodes left, size %d", m.Stats().Nodes, size)
	}
	if m.Stats().Collections != 51 {
		t.Errorf("%d collections", m.Stats().Collections)
	}
}

// TestRestrict: the restriction agrees with the function on the care set, and
// has no variable that the function lacks.
func TestRestrict(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 9))
	for range 3000 {
		m := New(tableVars, Options{})
		random := func() Ref {
			f := Constant(r.IntN(2) == 0)
			for range r.IntN(8) {
				g := m.Literal(r.IntN(tableVars), r.IntN(2) == 0)
				if f = m.And(f, g); r.IntN(2) == 0 {
					f = m.Xor(f, m.Var(r.IntN(tableVars)))
				} else {
					f = m.Or(f, m.Var(r.IntN(tableVars)))
				}
			}
			return f
		}
		f, care := random(), random()
		g := m.Restrict(f, care)
		if m.And(f, care) != m.And(g, care) {
			t.Fatalf("%v restricted to %v is %v", m.table(f), m.table(care), m.table(g))
		}
		for _, v := range m.Support(g) {
			if !slices.Contains(m.Support(f), v) {
				t.Fatalf("variable %d is new", v)
			}
		}
	}
}
