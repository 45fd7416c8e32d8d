package bdd

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// relations lists the compositions of the papers with what they mean.
var relations = []struct {
	name         string
	result, f, g []string
}{
	{"KGG99 compose", []string{"y", "u"}, []string{"x", "y"}, []string{"x", "u"}},
	{"KGG99 compose_odd", []string{"y", "u"}, []string{"y", "x"}, []string{"u", "x"}},
	{"PairEX", []string{"w", "v"}, []string{"w", "u"}, []string{"u", "v"}},
	{"post-image", []string{"u", ""}, []string{"w", "u"}, []string{"w", ""}},
	{"CK02 (3:0)", []string{"y", "z", "u"}, []string{"y", "x", ""}, []string{"x", "z", "u"}},
	{"CK02 (3:2)", []string{"u", "z", "y"}, []string{"y", "", "x"}, []string{"u", "z", "x"}},
	{"two quantified", []string{"a", "b"}, []string{"p", "a"}, []string{"q", "b"}},
	{"intersection", []string{"a", "b"}, []string{"a", "b"}, []string{"b", "a"}},
}

// randomRelation is a random function of the variables on the given tracks.
func randomRelation(m *Manager, rng *rand.Rand, used []string) Ref {
	f := Constant(rng.IntN(2) == 0)
	for range 12 {
		v := rng.IntN(m.NumVars())
		if used[v%len(used)] == "" {
			continue
		}
		x := m.Literal(v, rng.IntN(2) == 0)
		switch rng.IntN(3) {
		case 0:
			f = m.And(f, x)
		case 1:
			f = m.Or(f, x)
		default:
			f = m.Xor(f, x)
		}
	}
	return f
}

func TestCompose(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	for _, r := range relations {
		tracks := len(r.result)
		const groups = 3
		m := New(tracks*groups, Options{})
		c, err := m.NewComposition(r.result, r.f, r.g)
		if err != nil {
			t.Fatal(err)
		}
		names := slices.Compact(slices.Sorted(slices.Values(slices.Concat(r.f, r.g))))
		names = slices.DeleteFunc(names, func(s string) bool { return s == "" })
		var quantified []string
		for _, n := range names {
			if !slices.Contains(r.result, n) {
				quantified = append(quantified, n)
			}
		}
		for range 150 {
			f, g := randomRelation(m, rng, r.f), randomRelation(m, rng, r.g)
			got := m.Compose(c, f, g)
			// Naive: every value of the result's vectors, every value of the
			// quantified ones.
			for i := range 1 << (tracks * groups) {
				vector := map[string]int{}
				for t, n := range r.result {
					for k := range groups {
						vector[n] |= i >> (k*tracks + t) & 1 << k
					}
				}
				eval := func(h Ref, on []string) bool {
					return m.Eval(h, func(v int) bool { return vector[on[v%tracks]]>>(v/tracks)&1 != 0 })
				}
				want := false
				for q := range 1 << (groups * len(quantified)) {
					for j, n := range quantified {
						vector[n] = q >> (groups * j) & (1<<groups - 1)
					}
					vector[""] = 0
					want = want || eval(f, r.f) && eval(g, r.g)
				}
				if m.Eval(got, func(v int) bool { return i>>v&1 != 0 }) != want {
					t.Fatalf("%s is wrong at %b", r.name, i)
				}
			}
		}
	}
}

func TestCompositionErrors(t *testing.T) {
	m := New(5, Options{})
	if _, err := m.NewComposition([]string{"a", "b"}, []string{"a", "x"}, []string{"x", "b"}); err == nil {
		t.Error("5 variables in groups of 2")
	}
	if _, err := m.NewComposition([]string{"a"}, []string{"a", "x"}, []string{"x"}); err == nil {
		t.Error("unequal numbers of tracks")
	}
}

// BenchmarkPairStep compares the one-pass composition on 2n variables with a
// relational product on 3n variables and a renaming.
func BenchmarkPairStep(b *testing.B) {
	const n = 12
	b.Run("compose-2n", func(b *testing.B) {
		m := New(2*n, Options{})
		c, _ := m.NewComposition([]string{"w", "v"}, []string{"w", "u"}, []string{"u", "v"})
		r, p := benchmarkRelations(m, 2, 0, 1, 0, 1)
		for b.Loop() {
			m.Collect(r, p)
			m.Compose(c, r, p)
		}
	})
	b.Run("relprod-3n", func(b *testing.B) {
		m := New(3*n, Options{})
		r, p := benchmarkRelations(m, 3, 0, 2, 2, 1)
		var u []int
		for i := range n {
			u = append(u, 3*i+2)
		}
		cube := m.Cube(u...)
		back := map[int]int{}
		for i := range n {
			back[3*i] = 3*i + 2
		}
		rename := m.NewRenaming(back)
		for b.Loop() {
			m.Collect(r, p, cube)
			m.Rename(m.AndExists(r, p, cube), rename)
		}
	})
}

// benchmarkRelations makes a random sparse relation on two tracks (w, u) and a
// relation of pairs on two tracks (u, v).
func benchmarkRelations(m *Manager, tracks, rw, ru, pu, pv int) (r, p Ref) {
	rng := rand.New(rand.NewPCG(8, 8))
	n := m.NumVars() / tracks
	vector := func(track, value int) Ref {
		f := True
		for i := n - 1; i >= 0; i-- {
			f = m.And(m.Literal(tracks*i+track, value>>i&1 != 0), f)
		}
		return f
	}
	for w := range 1 << 9 {
		for range 3 {
			r = m.Or(r, m.And(vector(rw, w), vector(ru, rng.IntN(1<<9))))
			p = m.Or(p, m.And(vector(pu, w), vector(pv, rng.IntN(1<<9))))
		}
	}
	return m.Protect(r), m.Protect(p)
}
