package similarity

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"netcov/kripke/structure"
)

// A parity game made from the definition of fair simulation by the letter, on the
// structures as they are: the pair plays on after labels differ, and counters tell how
// many times all fairness sets of a side have been met. Zielonka's algorithm solves it.

type parityGame struct {
	spec     []bool // whose node it is
	priority []int  // the specification wins when the largest seen infinitely often is even
	next     [][]int
	start    map[[2]int]int // node of a pair
}

// parity builds the game for the pairs of all states. A position is (w, w', a, b) with
// the counters, w' = -1 after the labels have differed: from then on the specification
// wins only if the implementation's path is not fair.
func parity(impl, spec *structure.Structure, agree func(w, w2 int) bool) *parityGame {
	g := &parityGame{start: map[[2]int]int{}}
	number := map[[5]int]int{}
	var node func(k [5]int) int
	node = func(k [5]int) int {
		if n, ok := number[k]; ok {
			return n
		}
		n := len(g.next)
		number[k] = n
		g.spec, g.priority, g.next = append(g.spec, k[4] == 1), append(g.priority, 0), append(g.next, nil)
		w, w2, a, b := k[0], k[1], k[2], k[3]
		var next []int
		if k[4] == 1 { // the specification answers the step to w
			for _, t := range spec.Successors(w2) {
				next = append(next, node([5]int{w, int(t), a, b, 0}))
			}
			g.next[n] = next
			return n
		}
		if w2 >= 0 && !agree(w, w2) {
			w2, b = -1, 0
		}
		// A counter that has seen its last set is reported and starts again.
		if w2 >= 0 {
			for b < len(spec.Fair) && spec.Fair[b].Has(w2) {
				b++
			}
			if b == len(spec.Fair) {
				b, g.priority[n] = 0, 2
			}
		}
		for a < len(impl.Fair) && impl.Fair[a].Has(w) {
			a++
		}
		if a == len(impl.Fair) {
			a, g.priority[n] = 0, max(1, g.priority[n])
		}
		for _, u := range impl.Successors(w) {
			if w2 < 0 {
				next = append(next, node([5]int{int(u), -1, a, 0, 0}))
			} else {
				next = append(next, node([5]int{int(u), w2, a, b, 1}))
			}
		}
		g.next[n] = next
		return n
	}
	for w := range impl.Len() {
		for w2 := range spec.Len() {
			g.start[[2]int{w, w2}] = node([5]int{w, w2, 0, 0, 0})
		}
	}
	return g
}

// attract is the part of in from which a player can force a visit of the target.
func (g *parityGame) attract(in, target []bool, spec bool) []bool {
	out := slices.Clone(target)
	for changed := true; changed; {
		changed = false
		for n := range out {
			if !in[n] || out[n] {
				continue
			}
			some, all := false, true
			for _, t := range g.next[n] {
				if in[t] {
					some, all = some || out[t], all && out[t]
				}
			}
			if g.spec[n] == spec && some || g.spec[n] != spec && all {
				out[n], changed = true, true
			}
		}
	}
	return out
}

// won is where the specification wins the game on the nodes of in.
func (g *parityGame) won(in []bool) []bool {
	top := -1
	for n, x := range in {
		if x {
			top = max(top, g.priority[n])
		}
	}
	out := make([]bool, len(in))
	if top < 0 {
		return out
	}
	player := top%2 == 0
	minus := func(a, b []bool) []bool {
		r := make([]bool, len(a))
		for n := range r {
			r[n] = a[n] && !b[n]
		}
		return r
	}
	target := make([]bool, len(in))
	for n := range target {
		target[n] = in[n] && g.priority[n] == top
	}
	rest := minus(in, g.attract(in, target, player))
	sub := g.won(rest)
	other := sub // where the opponent of player wins
	if player {
		other = minus(rest, sub)
	}
	if !slices.Contains(other, true) {
		if player {
			copy(out, in)
		}
		return out
	}
	lost := g.attract(in, other, !player)
	out = g.won(minus(in, lost))
	if !player {
		for n, x := range lost {
			out[n] = out[n] || x
		}
	}
	return out
}

// fairOracle is which pairs are in fair simulation.
func fairOracle(impl, spec *structure.Structure, agree func(w, w2 int) bool) func(w, w2 int) bool {
	g := parity(impl, spec, agree)
	all := make([]bool, len(g.next))
	for n := range all {
		all[n] = true
	}
	won := g.won(all)
	return func(w, w2 int) bool { return won[g.start[[2]int{w, w2}]] }
}

// strategies decides the same game by going through all answers by position of the
// specification; false when there are too many. Without a loop that the implementation
// wins, one of them wins.
func (g *parityGame) strategies(from int) (wins, ok bool) {
	// The nodes that matter.
	seen := map[int]bool{from: true}
	var choices []int
	for stack := []int{from}; len(stack) > 0; {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if g.spec[n] && len(g.next[n]) > 1 {
			choices = append(choices, n)
		}
		for _, t := range g.next[n] {
			if !seen[t] {
				seen[t] = true
				stack = append(stack, t)
			}
		}
	}
	combinations := 1
	for _, n := range choices {
		if combinations *= len(g.next[n]); combinations > 300 {
			return false, false
		}
	}
	for c := range combinations {
		next := slices.Clone(g.next)
		for _, n := range choices {
			next[n] = g.next[n][c%len(g.next[n]) : c%len(g.next[n])+1]
			c /= len(g.next[n])
		}
		// The implementation wins when a loop with priority 1 and without 2 can be reached.
		reach := func(from int, most int) map[int]bool {
			seen := map[int]bool{}
			for stack := []int{from}; len(stack) > 0; {
				n := stack[len(stack)-1]
				stack = stack[:len(stack)-1]
				for _, t := range next[n] {
					if !seen[t] && g.priority[t] <= most {
						seen[t] = true
						stack = append(stack, t)
					}
				}
			}
			return seen
		}
		lost := false
		to := reach(from, 2)
		to[from] = true
		for n := range to {
			lost = lost || g.priority[n] == 1 && reach(n, 1)[n]
		}
		if !lost {
			return true, true
		}
	}
	return false, true
}

// fairly is k with random fairness sets.
func fairly(rng *rand.Rand, k *structure.Structure, sets int) *structure.Structure {
	b := structure.NewBuilder(k.AP)
	for s, name := range k.States {
		b.AddState(name, k.Label(s)...)
	}
	for s := range k.Len() {
		for _, t := range k.Successors(s) {
			b.AddTransition(s, int(t))
		}
	}
	for _, s := range k.Initial {
		b.AddInitial(s)
	}
	share := 2 + rng.IntN(3)
	for range sets {
		var f []int
		for s := range k.Len() {
			if rng.IntN(share) > 0 {
				f = append(f, s)
			}
		}
		b.AddFair(f...)
	}
	out, err := b.Build()
	if err != nil {
		panic(err)
	}
	return out
}

func fairPair(rng *rand.Rand) (impl, spec *structure.Structure) {
	impl, spec = pair(rng)
	return fairly(rng, impl, rng.IntN(3)), fairly(rng, spec, rng.IntN(3))
}

func TestFairOracle(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 1))
	decided, wins := 0, 0
	for range rounds(3000) {
		impl, spec := fairPair(rng)
		p, err := NewProblem(impl, spec)
		if err != nil {
			t.Fatal(err)
		}
		g := parity(impl, spec, func(w, w2 int) bool { return agree(p, impl, spec, w, w2) })
		all := make([]bool, len(g.next))
		for n := range all {
			all[n] = true
		}
		won := g.won(all)
		for range 3 {
			from := rng.IntN(len(g.next))
			want, ok := g.strategies(from)
			if !ok {
				continue
			}
			if decided++; want {
				wins++
			}
			if won[from] != want {
				t.Fatalf("node %d: won %v, by strategies %v", from, won[from], want)
			}
		}
	}
	if n := rounds(3000); decided < n/2 || wins < decided/10 || wins > decided*9/10 {
		t.Errorf("%d of %d games won: too few or one-sided", wins, decided)
	}
}

func agree(p *Problem, impl, spec *structure.Structure, w, w2 int) bool {
	for i := range p.ap {
		if impl.Holds(w, p.ap[i].impl) != spec.Holds(w2, p.ap[i].spec) {
			return false
		}
	}
	return true
}

func TestFairSimilarityAgainstParityGame(t *testing.T) {
	ctx := context.Background()
	rng := rand.New(rand.NewPCG(22, 1))
	count := map[string]int{}
	for range rounds(6000) {
		impl, spec := fairPair(rng)
		p, err := NewProblem(impl, spec)
		if err != nil {
			t.Fatal(err)
		}
		want := fairOracle(impl, spec, func(w, w2 int) bool { return agree(p, impl, spec, w, w2) })
		r, err := p.Similarity(ctx)
		if err != nil {
			t.Fatal(err)
		}
		fair := impl.FairStates()
		meets := spec.FairStates()
		simulated := true
		for w := range impl.Len() {
			for w2 := range spec.Len() {
				// States without fair path are not in the game.
				got := !fair.Has(w) || meets.Has(w2) && r.Sim[w].Has(w2)
				if got != want(w, w2) {
					t.Fatalf("pair (%d, %d): %v, want %v", w, w2, got, want(w, w2))
				}
			}
			if slices.Contains(impl.Initial, w) {
				simulated = simulated && slices.ContainsFunc(spec.Initial, func(w2 int) bool { return want(w, w2) })
			}
		}
		if p.Simulates(r) != simulated {
			t.Fatalf("simulated %v, want %v", p.Simulates(r), simulated)
		}
		why, err := p.Why(ctx, r)
		if err != nil || (why == nil) != simulated {
			t.Fatalf("reason %v, %v, though simulated is %v", why, err, simulated)
		}
		if !simulated {
			checkFairReason(t, p, impl, spec, why, count)
		} else if len(p.goals) > 0 {
			count["simulated with goals"]++
		}
	}
	t.Log(count)
	for _, kind := range []string{"simulated with goals", "finite", "endless", "endless trace"} {
		if count[kind] < rounds(6000)/100 {
			t.Errorf("too few cases: %v", count)
		}
	}
}

// checkFairReason follows a reason by the definitions, on the structures as given.
func checkFairReason(t *testing.T, p *Problem, impl, spec *structure.Structure, why *Reason, count map[string]int) {
	t.Helper()
	if !why.Endless {
		count["finite"]++
		checkReason(t, p, why) // on the fair parts, where each path goes on as a fair one
		return
	}
	count["endless"]++
	if !slices.Contains(impl.Initial, why.Path[0]) {
		t.Fatal("no initial state")
	}
	step := func(k *structure.Structure, path []int) {
		for n, w := range path {
			next := why.Loop
			if n+1 < len(path) {
				next = n + 1
			}
			if !slices.Contains(k.Successors(w), int32(path[next])) {
				t.Fatalf("%v with loop %d is no path", path, why.Loop)
			}
		}
	}
	met := func(k *structure.Structure, path []int) bool {
		return !slices.ContainsFunc(k.Fair, func(f structure.Set) bool { return !slices.ContainsFunc(path[why.Loop:], f.Has) })
	}
	step(impl, why.Path)
	if !met(impl, why.Path) {
		t.Fatal("the path is not fair")
	}
	if !why.Trace {
		step(spec, why.Answer)
		if met(spec, why.Answer) || len(why.Answer) != len(why.Path) || !slices.Contains(spec.Initial, why.Answer[0]) {
			t.Fatal("the answers are fair")
		}
		for n, w := range why.Path {
			if !agree(p, impl, spec, w, why.Answer[n]) {
				t.Fatal("the labels differ")
			}
		}
	}
	// The path alone, as an implementation, is simulated by no specification state if and
	// only if no fair path has its labels: it has no choice to make.
	b := structure.NewBuilder(impl.AP)
	for n, w := range why.Path {
		b.AddState(string(rune('a'+n)), impl.Label(w)...)
	}
	for n := range why.Path {
		if n+1 < len(why.Path) {
			b.AddTransition(n, n+1)
		} else {
			b.AddTransition(n, why.Loop)
		}
	}
	b.AddInitial(0)
	line, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	won := fairOracle(line, spec, func(w, w2 int) bool { return agree(p, impl, spec, why.Path[w], w2) })
	traced := slices.ContainsFunc(spec.Initial, func(w2 int) bool { return won(0, w2) })
	if why.Trace {
		count["endless trace"]++
		if traced {
			t.Fatal("a fair path of the specification has the labels")
		}
	} else if !traced {
		t.Fatal("no fair path of the specification has the labels, which the reason does not say")
	}
}

func TestFairCoverageAgainstParityGame(t *testing.T) {
	ctx := context.Background()
	rng := rand.New(rand.NewPCG(23, 1))
	compared, covered, total, goals := 0, 0, 0, 0
	for compared < rounds(1500) {
		impl, spec := fairPair(rng)
		if len(impl.Fair)+len(spec.Fair) == 0 {
			continue
		}
		p, err := NewProblem(impl, spec)
		if err != nil {
			t.Fatal(err)
		}
		simulated := func(impl *structure.Structure) bool {
			won := fairOracle(impl, spec, func(w, w2 int) bool { return agree(p, impl, spec, w, w2) })
			return !slices.ContainsFunc(impl.Initial, func(w int) bool {
				return !slices.ContainsFunc(spec.Initial, func(w2 int) bool { return won(w, w2) })
			})
		}
		holds := simulated(impl)
		var mutants []Mutant
		var want []bool
		for w := range impl.Len() {
			for a, q := range impl.AP {
				if rng.IntN(3) > 0 {
					mutants = append(mutants, Mutant{w, q})
					if holds {
						want = append(want, !simulated(impl.Flip(a, w)))
					}
				}
			}
		}
		for _, opt := range []Options{{Algorithm: Naive}, {Algorithm: Halving, Seed: rng.Uint64()}, {Algorithm: Symbolic}, {Algorithm: Symbolic, Plain: true}} {
			c, err := p.Cover(ctx, mutants, opt)
			if !holds {
				if !errors.Is(err, ErrNotSimulated) {
					t.Fatalf("%v: %v, want %v", opt, err, ErrNotSimulated)
				}
				continue
			}
			if err != nil || !slices.Equal(c.Covered, want) {
				t.Fatalf("%v: %v, %v, want %v for %v", opt, c, err, want, mutants)
			}
		}
		if holds {
			compared++
			if len(p.goals) > 0 {
				goals++
			}
			for _, x := range want {
				if total++; x {
					covered++
				}
			}
		}
	}
	t.Logf("%d of %d mutants covered, %d of %d with goals", covered, total, goals, compared)
	if covered < total/10 || covered > total*9/10 || goals < compared/5 {
		t.Error("the cases are one-sided")
	}
}
