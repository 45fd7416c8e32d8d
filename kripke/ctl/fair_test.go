package ctl

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"netcov/aig"
	"netcov/kripke/circuit"
	"netcov/kripke/formula"
	"netcov/kripke/internal/random"
	"netcov/kripke/structure"
)

// loops is the set of states with a path inside z that meets each fairness set
// infinitely often: those that reach, inside z, a state of each set that all lie
// on one cycle inside z.
func (p *plain) loops(z []bool) []bool {
	n := len(p.succ)
	reach := make([][]bool, n) // by at least one step, inside z
	for s := range reach {
		reach[s] = make([]bool, n)
		for _, t := range p.succ[s] {
			reach[s][t] = z[s] && z[t]
		}
	}
	for k := range n {
		for s := range n {
			for t := range n {
				reach[s][t] = reach[s][t] || reach[s][k] && reach[k][t]
			}
		}
	}
	out := make([]bool, n)
	for c := range n {
		if !reach[c][c] {
			continue
		}
		all := true
		for _, f := range p.fair {
			met := false
			for s := range n {
				met = met || f[s] && (s == c || reach[c][s] && reach[s][c])
			}
			all = all && met
		}
		for s := range n {
			out[s] = out[s] || all && (s == c || reach[s][c])
		}
	}
	return out
}

// restrict leaves the states with a path that counts.
func (p *plain) restrict(legal []bool, fair [][]bool) *plain {
	r := &plain{succ: make([][]int, len(p.succ)), hold: p.hold, fair: fair}
	whole := &plain{succ: p.succ, fair: fair}
	good := whole.loops(legal)
	for s, to := range p.succ {
		for _, t := range to {
			if good[s] && good[t] {
				r.succ[s] = append(r.succ[s], t)
			}
		}
	}
	for _, s := range p.init {
		if good[s] {
			r.init = append(r.init, s)
		}
	}
	return r
}

// fairly writes a formula by EX, E U and EG, the last of which p.eval takes over
// fair paths.
func fairly(f formula.Formula) formula.Formula {
	not, and, or := formula.Not, formula.And, formula.Or
	eu := func(a, b formula.Formula) formula.Formula { return formula.Binary(formula.OpEU, a, b) }
	eg := func(a formula.Formula) formula.Formula { return formula.Unary(formula.OpEG, a) }
	return formula.Map(f, func(g formula.Formula) formula.Formula {
		a, b := g.Left(), g.Right()
		switch g.Op() {
		case formula.OpAX:
			return not(formula.Unary(formula.OpEX, not(a)))
		case formula.OpAF:
			return not(eg(not(a)))
		case formula.OpAG:
			return not(eu(formula.True(), not(a)))
		case formula.OpAU:
			return not(or(eg(not(b)), eu(not(b), and(not(a), not(b)))))
		case formula.OpAR:
			return not(eu(not(a), not(b)))
		case formula.OpAW:
			return not(eu(not(b), and(not(a), not(b))))
		case formula.OpER:
			return or(eg(b), eu(b, and(a, b)))
		case formula.OpEW:
			return or(eg(a), eu(a, b))
		}
		return g
	})
}

func TestFairStructuresAgainstOracle(t *testing.T) {
	ctx := context.Background()
	held, traces := 0, 0
	for seed := range rounds(t, 1500) {
		rng := rand.New(rand.NewPCG(seed, 11))
		plainK := random.Structure(rng, 1+rng.IntN(8), 3, 3)
		k, sets := withFairness(t, rng, plainK)
		f := random.Formula(rng, formula.CTL, k.AP, 4)
		m, err := StructureModel(k)
		if err != nil {
			t.Fatal(err)
		}
		legal := make([]bool, k.Len())
		for s := range legal {
			legal[s] = true
		}
		g := fairly(f)
		oracle := plainStructure(k).restrict(legal, sets)
		want := oracle.satisfies(g)
		if want {
			held++
		}
		for _, a := range []Algorithm{Naive, Pairs, Singles, Halving, Auto} {
			p := problem(t, m, f, Options{Algorithm: a})
			ok, err := p.Holds(ctx)
			if err != nil || ok != want {
				t.Fatalf("seed %d, %s: %s holds: %v %v, want %v", seed, a, f, ok, err, want)
			}
			if !want {
				trace, err := p.Counterexample(ctx)
				if err != nil || trace == nil {
					t.Fatalf("seed %d, %s: %s: no counterexample: %v", seed, a, f, err)
				}
				traces += checkFair(t, k, trace)
				continue
			}
			var covers []*Cover
			for _, q := range k.AP {
				c, err := p.Cover(ctx, q)
				if err != nil {
					t.Fatal(err)
				}
				covers = append(covers, c)
				var covered []string
				for s := range k.Len() {
					if !oracle.flip(q, s).satisfies(g) {
						covered = append(covered, k.States[s])
					}
				}
				if !slices.Equal(c.Covered, covered) {
					t.Fatalf("seed %d, %s: %s covers %s in %v, want %v", seed, a, f, q, c.Covered, covered)
				}
			}
			if len(oracle.init) == 0 {
				continue
			}
			in, err := p.Interesting(ctx)
			if err != nil {
				t.Fatal(err)
			}
			if in.Trace != nil {
				traces += checkFair(t, k, in.Trace)
			}
			u, err := p.Uncovered(ctx, covers...)
			if err != nil {
				t.Fatal(err)
			}
			if u != nil {
				traces += checkFair(t, k, u.Trace)
			}
		}
	}
	if held < int(rounds(t, 1500))/4 || traces < held {
		t.Errorf("%d specifications hold, %d lassos: the cases are one-sided", held, traces)
	}
}

func withFairness(t *testing.T, rng *rand.Rand, k *structure.Structure) (*structure.Structure, [][]bool) {
	t.Helper()
	b := structure.NewBuilder(k.AP)
	for s, name := range k.States {
		b.AddState(name, k.Label(s)...)
	}
	for s := range k.Len() {
		for _, to := range k.Successors(s) {
			b.AddTransition(s, int(to))
		}
	}
	for _, s := range k.Initial {
		b.AddInitial(s)
	}
	var sets [][]bool
	for range 1 + rng.IntN(2) {
		set := make([]bool, k.Len())
		var list []int
		for s := range set {
			if set[s] = rng.IntN(2) == 0; set[s] {
				list = append(list, s)
			}
		}
		b.AddFair(list...)
		sets = append(sets, set)
	}
	out, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return out, sets
}

// checkFair checks that a trace is a path, and its loop fair; it returns 1 for a
// loop.
func checkFair(t *testing.T, k *structure.Structure, trace *Trace) int {
	t.Helper()
	var states []int
	for _, s := range trace.Steps {
		states = append(states, slices.Index(k.States, s.State))
	}
	step := func(s, to int) {
		if !slices.Contains(k.Successors(s), int32(to)) {
			t.Fatalf("no step from %s to %s in\n%s", k.States[s], k.States[to], trace)
		}
	}
	for i := 1; i < len(states); i++ {
		step(states[i-1], states[i])
	}
	if !slices.Contains(k.Initial, states[0]) {
		t.Fatalf("no initial state:\n%s", trace)
	}
	if trace.Loop < 0 {
		return 0
	}
	step(states[len(states)-1], states[trace.Loop])
	for i, f := range k.Fair {
		if !slices.ContainsFunc(states[trace.Loop:], f.Has) {
			t.Fatalf("the loop misses fairness set %d of %v:\n%s", i, f.List(), trace)
		}
	}
	return 1
}

func TestConstrainedCircuitsAgainstOracle(t *testing.T) {
	ctx := context.Background()
	held, covered, mergings, byStep, loops := 0, 0, 0, 0, 0
	for seed := range rounds(t, 1200) {
		rng := rand.New(rand.NewPCG(seed, 12))
		base := random.Circuit(rng, rng.IntN(3), 1+rng.IntN(3), 1+rng.IntN(2), seed%2 == 0)
		c, sets := constrained(t, rng, base)
		if seed%3 == 0 {
			c = chosen(rng, c)
		}
		var names []string
		for _, s := range c.Inputs {
			names = append(names, s.Name)
		}
		for _, s := range c.Outputs {
			names = append(names, s.Name)
		}
		f := random.Formula(rng, formula.CTL, names, 4)
		g := fairly(f)
		// The oracle sees the constraint and the fairness as outputs.
		shown := *c
		shown.Constraint, shown.Fairness = aig.True, nil
		shown.Outputs = append(slices.Clone(c.Outputs), circuit.Signal{Name: "legal", Lit: c.Constraint})
		for i, l := range c.Fairness {
			if c.ReadsChoices(l) {
				shown.Fairness = append(shown.Fairness, l)
				byStep++
			} else {
				shown.Outputs = append(shown.Outputs, circuit.Signal{Name: fmt.Sprint("fair", i), Lit: l})
			}
		}
		tab := circuitTables(&shown)
		loosely := func(change func(int) []int, flip string, s int) *plain {
			p := tab.loose(false, change, flip, s)
			var fair [][]bool
			for i := range sets {
				if set := p.hold[fmt.Sprint("fair", i)]; set != nil {
					fair = append(fair, set)
				}
			}
			for k := range tab.steps {
				fair = append(fair, p.hold[fmt.Sprint("step", k)])
			}
			return p.restrict(p.hold["legal"], fair)
		}
		restricted := func(change func(int) int, flip string, s int) *plain {
			return loosely(func(s int) []int { return []int{change(s)} }, flip, s)
		}
		m, err := CircuitModel(c)
		if err != nil {
			t.Fatal(err)
		}
		whole := tab.structure(false, same, "", 0)
		start := slices.ContainsFunc(whole.init, func(s int) bool { return whole.hold["legal"][s] })
		want := restricted(same, "", 0).satisfies(g)
		// Control states that runs which keep to the constraint reach.
		legal := whole.hold["legal"]
		reached := whole.fix(false, func(z []bool, s int) bool {
			return legal[s] && (slices.Contains(whole.init, s) || slices.ContainsFunc(whole.pred(s), func(r int) bool { return z[r] }))
		})
		width := tab.width()
		algorithms := []Algorithm{Naive, Pairs, Singles, Halving, Auto}
		for _, a := range algorithms {
			p := problem(t, m, f, Options{Algorithm: a, Seed: seed})
			ok, err := p.Holds(ctx)
			if !start {
				if err == nil {
					t.Fatalf("seed %d, %s: no initial state and no error", seed, a)
				}
				continue
			}
			if err != nil || ok != want {
				t.Fatalf("seed %d, %s: %s holds: %v %v, want %v", seed, a, f, ok, err, want)
			}
			if !want {
				trace, err := p.Counterexample(ctx)
				if err != nil || trace == nil {
					t.Fatalf("seed %d, %s: %s: no counterexample: %v", seed, a, f, err)
				}
				loops += tab.meets(t, trace)
				continue
			}
			held++
			for _, x := range m.Signals() {
				cover, err := p.Cover(ctx, x)
				if err != nil {
					t.Fatal(err)
				}
				list, rest := []string{}, []string{}
				for s := range 1 << tab.controls {
					if !slices.Contains(reached[s*width:(s+1)*width], true) {
						continue
					}
					change := same
					if i := c.ControlIndex(x); i >= 0 {
						change = twin(s, i)
					}
					if !restricted(change, x, s).satisfies(g) {
						list = append(list, stateName(c, s))
					} else {
						rest = append(rest, stateName(c, s))
					}
				}
				slices.Sort(list)
				slices.Sort(rest)
				if !slices.Equal(cover.Covered, list) || !slices.Equal(cover.Uncovered, rest) {
					t.Fatalf("seed %d, %s: %s covers %s in %v and not in %v, want %v and %v", seed, a, f, x, cover.Covered, cover.Uncovered, list, rest)
				}
				covered += len(list)
			}
			noticed, err := p.DontCare(ctx)
			if err != nil {
				t.Fatal(err)
			}
			for i, x := range c.Controls {
				if !m.environment(x.Name) && slices.Contains(noticed, x.Name) == loosely(dontCare(i), "", 0).satisfies(g) {
					t.Fatalf("seed %d, %s: %s, %s fixed to don't care", seed, a, f, x.Name)
				}
				cover, err := p.Merge(ctx, x.Name)
				if err != nil {
					t.Fatal(err)
				}
				var list []string
				for s := range 1 << tab.controls {
					if slices.Contains(reached[s*width:(s+1)*width], true) && !loosely(merged(s, i), "", 0).satisfies(g) {
						list = append(list, stateName(c, s))
					}
				}
				slices.Sort(list)
				if !slices.Equal(cover.Covered, list) {
					t.Fatalf("seed %d, %s: %s: merging for %s is noticed in %v, want %v", seed, a, f, x.Name, cover.Covered, list)
				}
				mergings += len(list)
				for _, v := range []bool{false, true} {
					list, err := p.Fixed(ctx, v)
					if err != nil {
						t.Fatal(err)
					}
					if !m.environment(x.Name) && slices.Contains(list, x.Name) == restricted(fixed(i, v), "", 0).satisfies(g) {
						t.Fatalf("seed %d, %s: %s fixed to %v", seed, a, x.Name, v)
					}
				}
			}
		}
	}
	if held < int(rounds(t, 1200))/4 || covered < held/4 || mergings < held/8 || byStep < int(rounds(t, 1200))/20 || loops < int(rounds(t, 1200))/200 {
		t.Errorf("%d specifications hold, %d states covered, %d by merging, %d times fairness of steps, %d loops that meet it: the cases are one-sided", held, covered, mergings, byStep, loops)
	}
}

// meets checks that the loop of a computation can meet all fairness constraints of steps,
// and counts it where there are some.
func (t *tables) meets(test *testing.T, trace *Trace) int {
	test.Helper()
	if trace.Loop < 0 || t.steps == 0 {
		return 0
	}
	number := func(bits string) (n int) {
		for i, b := range bits {
			n |= int(b-'0') << i
		}
		return n
	}
	met := 0
	for n := trace.Loop; n < len(trace.Steps); n++ {
		next := trace.Loop
		if n+1 < len(trace.Steps) {
			next = n + 1
		}
		s, i := number(trace.Steps[n].State), number(trace.Steps[n].Inputs)
		for d, to := range t.rho[s][i] {
			if to == number(trace.Steps[next].State) {
				met |= t.marks[s][i][d]
			}
		}
	}
	if met != 1<<t.steps-1 {
		test.Fatalf("the loop meets only %b of %d constraints:\n%s", met, t.steps, trace)
	}
	return 1
}

func (p *plain) pred(s int) []int {
	var out []int
	for r, to := range p.succ {
		if slices.Contains(to, s) {
			out = append(out, r)
		}
	}
	return out
}

func stateName(c *circuit.Circuit, s int) string {
	bits := make([]bool, len(c.Controls))
	for i := range bits {
		bits[i] = s>>i&1 != 0
	}
	return c.NameOf(bits)
}

// constrained gives a circuit a constraint that is seldom false, and up to two
// fairness literals.
func constrained(t *testing.T, rng *rand.Rand, base *circuit.Circuit) (*circuit.Circuit, int) {
	t.Helper()
	c := *base
	var lits []aig.Lit
	for _, s := range c.Inputs {
		lits = append(lits, s.Lit)
	}
	for _, s := range c.Controls {
		lits = append(lits, s.Lit)
	}
	pick := func() aig.Lit { return lits[rng.IntN(len(lits))].XorSign(rng.IntN(2) == 0) }
	if rng.IntN(4) > 0 {
		c.Constraint = c.Graph.Or(pick(), c.Graph.Or(pick(), pick()))
	}
	sets := rng.IntN(3)
	for range sets {
		c.Fairness = append(c.Fairness, c.Graph.Or(pick(), pick()))
	}
	done, err := circuit.New(c)
	if err != nil {
		t.Fatal(err)
	}
	return done, sets
}

// TestFairHalving compares halving with one model checking for each state, on
// structures and circuits with fairness and enough states for several halvings.
func TestFairHalving(t *testing.T) {
	ctx := context.Background()
	covered, cells, tried := 0, 0, 0
	var calls int64
	for seed := uint64(0); tried < int(rounds(t, 400)); seed++ {
		rng := rand.New(rand.NewPCG(seed, 22))
		var m *Model
		var names []string
		if seed%2 == 0 {
			k, sets := withFairness(t, rng, random.Structure(rng, 10+rng.IntN(40), 3, 2))
			if len(sets) == 0 {
				continue
			}
			names = k.AP
			var err error
			if m, err = StructureModel(k); err != nil {
				t.Fatal(err)
			}
		} else {
			c, sets := constrained(t, rng, random.Circuit(rng, rng.IntN(3), 3+rng.IntN(3), 2, seed%4 == 1))
			if sets == 0 {
				continue
			}
			if seed%3 == 0 {
				c = chosen(rng, c)
			}
			for _, s := range c.Outputs {
				names = append(names, s.Name)
			}
			var err error
			if m, err = CircuitModel(c); err != nil {
				t.Fatal(err)
			}
		}
		f := random.Formula(rng, formula.CTL, names, 4)
		naive, halving := problem(t, m, f, Options{Algorithm: Naive}), problem(t, m, f, Options{Algorithm: Halving, Seed: seed})
		if ok, err := naive.Holds(ctx); err != nil || !ok {
			continue
		}
		tried++
		for _, s := range m.Signals() {
			want, err := naive.Cover(ctx, s)
			if err != nil {
				t.Fatal(err)
			}
			got, err := halving.Cover(ctx, s)
			if err != nil {
				t.Fatal(err)
			}
			if !got.cells.Equal(want.cells) {
				t.Fatalf("seed %d: %s: coverage of %s by halving %v, naively %v", seed, f, s, got.cells.List(), want.cells.List())
			}
			if got.Halving != nil {
				calls += got.Halving.Calls
				covered += want.cells.Count()
				cells += naive.frame.candidates.Count()
			}
		}
	}
	t.Logf("%d specifications, %d of %d pairs covered, %d calls", tried, covered, cells, calls)
	if covered < int(rounds(t, 200)) || calls >= int64(cells) {
		t.Errorf("%d of %d pairs covered, %d calls", covered, cells, calls)
	}
}
