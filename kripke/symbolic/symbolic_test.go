package symbolic

import (
	"math/rand/v2"
	"slices"
	"testing"

	"netcov/kripke/bdd"
	"netcov/kripke/circuit"
	"netcov/kripke/internal/random"
	"netcov/kripke/structure"
)

func randomSet(rng *rand.Rand, n int) structure.Set {
	s := structure.NewSet(n)
	for x := range n {
		if rng.IntN(3) == 0 {
			s.Add(x)
		}
	}
	return s
}

// images are the explicit twins of Pre and Post.
func images(k *structure.Structure, s structure.Set) (pre, post structure.Set) {
	pre, post = structure.NewSet(k.Len()), structure.NewSet(k.Len())
	for w := range k.Len() {
		for _, u := range k.Successors(w) {
			if s.Has(int(u)) {
				pre.Add(w)
			}
			if s.Has(w) {
				post.Add(int(u))
			}
		}
	}
	return pre, post
}

func TestStructure(t *testing.T) {
	for seed := range uint64(150) {
		rng := rand.New(rand.NewPCG(seed, 5))
		n := 1 + rng.IntN(40)
		k := random.Structure(rng, n, 3, 3)
		s, err := FromStructure(k, bdd.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if s.M.NumVars() != 2*BitsFor(n) || 1<<BitsFor(n) < n || n > 2 && 1<<(BitsFor(n)-1) >= n {
			t.Fatalf("%d variables for %d states", s.M.NumVars(), n)
		}
		same := func(name string, f bdd.Ref, want structure.Set) {
			t.Helper()
			if got := s.Codes(0, f); !slices.Equal(got, want.List()) {
				t.Fatalf("seed %d: %s: %v, want %v", seed, name, got, want.List())
			}
		}
		same("valid", s.Valid, structure.FullSet(n))
		same("initial", s.Init, k.InitialSet())
		q, _ := s.Label("q")
		same("q", q, k.Where(1))
		same("reachable", s.Reachable(s.Init, nil), k.Reachable())
		set := randomSet(rng, n)
		pre, post := images(k, set)
		same("pre", s.Pre(s.Set(0, set)), pre)
		same("post", s.Post(s.Set(0, set)), post)
		// Pairs: Pre on the first vector with the second fixed.
		var pairs [][2]int
		for range 3 * n {
			pairs = append(pairs, [2]int{rng.IntN(n), rng.IntN(n)})
		}
		p := s.Pre(s.Pairs(0, 1, pairs))
		for v := range n {
			first := structure.NewSet(n)
			for _, pair := range pairs {
				if pair[1] == v {
					first.Add(pair[0])
				}
			}
			pre, _ := images(k, first)
			same("pairs", s.M.AndExists(p, s.Number(1, v), s.Cube(1)), pre)
		}
		for w := range n {
			i := 0
			bits := make([]bool, s.Bits)
			for b := range bits {
				bits[b] = s.bit(w, b)
				i++
			}
			if s.StateName(bits) != k.States[w] {
				t.Fatal("state names")
			}
		}
	}
}

func TestCircuit(t *testing.T) {
	for seed := range uint64(150) {
		rng := rand.New(rand.NewPCG(seed, 6))
		c := random.Circuit(rng, rng.IntN(3), 1+rng.IntN(4), 2, seed%2 == 0)
		s, err := FromCircuit(c, bdd.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if s.M.NumVars() != 2*(len(c.Inputs)+len(c.Controls)) {
			t.Fatal("number of variables")
		}
		k, err := c.Structure(circuit.StructureOptions{})
		if err != nil {
			t.Fatal(err)
		}
		// The vector of a state is given by the labels of its signals.
		vector := func(w int) func(v int) bool {
			value := map[int]bool{}
			for _, sig := range c.Inputs {
				f, _ := s.Label(sig.Name)
				p, _ := k.Proposition(sig.Name)
				v := s.M.Support(f)[0]
				value[v] = k.Holds(w, p) == (f == s.M.Var(v))
			}
			for _, sig := range c.Controls {
				f, _ := s.Label(sig.Name)
				p, _ := k.Proposition(sig.Name)
				v := s.M.Support(f)[0]
				value[v] = k.Holds(w, p) == (f == s.M.Var(v))
			}
			return func(v int) bool { return value[v] }
		}
		toSymbolic := func(set structure.Set) bdd.Ref {
			f := bdd.False
			for w := range set.All() {
				x := bdd.True
				for _, v := range s.Vars(0) {
					x = s.M.And(x, s.M.Literal(v, vector(w)(v)))
				}
				f = s.M.Or(f, x)
			}
			return f
		}
		same := func(name string, f bdd.Ref, want structure.Set) {
			t.Helper()
			for w := range k.Len() {
				if s.M.Eval(f, vector(w)) != want.Has(w) {
					t.Fatalf("seed %d: %s in %s", seed, name, k.States[w])
				}
			}
		}
		same("initial", s.Init, k.InitialSet())
		for p, name := range k.AP {
			f, ok := s.Label(name)
			if !ok {
				t.Fatalf("no label %s", name)
			}
			same(name, f, k.Where(p))
		}
		reached := s.Reachable(s.Init, nil)
		if got := s.M.SatCount(reached, s.Vars(0)).Int64(); got != int64(k.Reachable().Count()) {
			t.Fatalf("seed %d: %d reachable states, want %d", seed, got, k.Reachable().Count())
		}
		set := randomSet(rng, k.Len())
		pre, post := images(k, set)
		f := toSymbolic(set)
		same("pre", s.Pre(f), pre)
		same("post", s.Post(f), post)
		s.splits = 0 // no image by splitting
		same("post by conjunction", s.Post(f), post)
		s.splits = mostSplits
		bits := make([]bool, len(c.Controls))
		for i, b := range s.ControlBits {
			bits[i] = vector(0)(s.Var(0, b))
		}
		name, _, _ := cut(k.States[0])
		if s.StateName(bits) != name {
			t.Fatalf("seed %d: name %s, want %s", seed, s.StateName(bits), k.States[0])
		}
		if s.M.Err() != nil {
			t.Fatal(s.M.Err())
		}
	}
}

func cut(s string) (before, after string, found bool) {
	for i := range s {
		if s[i] == ',' {
			return s[:i], s[i+1:], true
		}
	}
	return s, "", false
}
