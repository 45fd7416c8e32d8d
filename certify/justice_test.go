package certify

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"netcov/aiger"
	"netcov/aiger/sim"
	"netcov/cert"
	"netcov/mutant"
)

// randomJustice is a small random file with a justice property, often with
// fairness.
func randomJustice(r *rand.Rand) *aiger.File {
	for {
		f := randomFile(r)
		if len(f.Latches) > 3 {
			continue
		}
		literals := func(n int) []aiger.Lit {
			out := []aiger.Lit{}
			for range n {
				out = append(out, aiger.Lit(r.IntN(int(2*f.MaxVar+2))))
			}
			return out
		}
		f.Justice = [][]aiger.Lit{literals(r.IntN(3)), literals(r.IntN(3))}
		f.Fairness = literals(r.IntN(2))
		return f
	}
}

// fairLasso decides a justice property on a mutant by its definition: from some
// state that can be reached, a path comes back to it and meets all literals.
func (o *oracle) fairLasso(justice int) bool {
	due := append(append([]aiger.Lit(nil), o.f.Justice[justice]...), o.f.Fairness...)
	type edge struct{ to, marks int }
	n := len(o.f.Latches) + 1
	edges := map[int][]edge{}
	reached, _ := o.search()
	for s := range reached {
		o.each(func(in int, free bool) bool {
			if ok, _, next := o.step(decode(s, n), in, free); ok {
				values := o.values(decode(s, n), in, free, o.m != nil)
				marks := 0
				for i, l := range due {
					if values[l>>1] != (l&1 == 1) {
						marks |= 1 << i
					}
				}
				edges[s] = append(edges[s], edge{code(next), marks})
			}
			return false
		})
	}
	for s := range reached {
		seen := map[edge]bool{}
		work := []edge{{to: s}}
		for len(work) > 0 {
			at := work[len(work)-1]
			work = work[:len(work)-1]
			for _, e := range edges[at.to] {
				e.marks |= at.marks
				if e.to == s && e.marks == 1<<len(due)-1 {
					return true
				}
				if !seen[e] {
					seen[e] = true
					work = append(work, e)
				}
			}
		}
	}
	return false
}

// TestJustice compares mutants with explicit search for fair lassos: the file that
// searches for a lasso, and its model, reach their bad states where the mutant has
// one; each counterexample is replayed as a lasso of the mutant; where there is none, the
// reachable states are an invariant that is accepted, with its certificate.
func TestJustice(t *testing.T) {
	r := rand.New(rand.NewPCG(19, 1))
	ctx := context.Background()
	count := map[string]int{}
	for round := range rounds(3000) {
		f := randomJustice(r)
		justice := r.IntN(len(f.Justice))
		after := max(0, r.IntN(5)-2) // rounds before the search
		k := NewJusticeChecker(f, justice, after)
		if err := k.file.Check(); err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
		var ms []Mutation
		var m *Mutation
		if round%4 > 0 {
			all := allMutations(f, mutant.Mux(r.IntN(2)))
			ms = []Mutation{all[r.IntN(len(all))]}
			m = &ms[0]
		}
		want := newOracle(f, 0, m).fairLasso(justice)
		reached, tr := newOracle(k.file, 0, m).search()
		if got := tr != nil; got != want {
			t.Fatalf("round %d, %v: a lasso: %v, by the translation: %v\n%+v", round, ms, want, got, f)
		}
		if round%8 < 2 {
			model, err := k.Model(ms)
			if err != nil {
				t.Fatal(err)
			}
			if _, tr := newOracle(reread(t, model), 0, nil).search(); (tr != nil) != want {
				t.Fatalf("round %d, %v: a lasso: %v, by the model: %v\n%+v", round, ms, want, tr != nil, f)
			}
		}
		if want {
			count["fails"]++
			count[fmt.Sprint("fails after ", after)]++
			if err := k.Trace(tr, ms...); err != nil {
				t.Fatalf("round %d, %v: %v", round, ms, err)
			}
			replayOnMutant(t, k, tr, m)
			continue
		}
		count["holds"]++
		if n := len(k.file.Latches) + 1; n <= 11 {
			inv := exact(reached, n, true)
			if err := k.Invariant(ctx, inv, ms); err != nil {
				t.Fatalf("round %d, %v: %v", round, ms, err)
			}
			model, witness, err := k.Certificate(inv, ms)
			if err != nil {
				t.Fatal(err)
			}
			if err := CheckWitness(ctx, Gini, model, reread(t, witness)); err != nil {
				t.Fatalf("round %d, %v: %v", round, ms, err)
			}
			count["certificates"]++
			count[fmt.Sprint("certificates after ", after)]++
		}
	}
	t.Log(count)
	for _, due := range []string{"fails", "holds", "certificates"} {
		if count[due] < rounds(300) {
			t.Errorf("only %d %s", count[due], due)
		}
	}
	if count["fails after 2"] == 0 || count["certificates after 2"] == 0 {
		t.Error("no search is put off")
	}
}

// replayOnMutant: the lasso is one of the mutant's own file, too.
func replayOnMutant(t *testing.T, k *Checker, tr *cert.Trace, m *Mutation) {
	t.Helper()
	if m == nil {
		return
	}
	w, err := k.Witness(tr)
	if err != nil {
		t.Fatal(err)
	}
	f, err := k.Mutant(*m)
	if err != nil {
		t.Fatal(err)
	}
	f = reread(t, f)
	for len(w.Init) < len(f.Latches) {
		w.Init = append(w.Init, aiger.False)
	}
	if err := sim.Lasso(f, 0, w, nil); err != nil {
		t.Fatalf("%v: %v\n%+v", m, err, f)
	}
}

// TestForgedLassos: a random run that is accepted as a lasso is one, by the
// definition: from the first of two equal states on, the steps between are repeated, and
// each literal holds among them.
func TestForgedLassos(t *testing.T) {
	r := rand.New(rand.NewPCG(19, 2))
	count := map[bool]int{}
	for round := range rounds(20000) {
		f := randomJustice(r)
		justice := r.IntN(len(f.Justice))
		k := NewJusticeChecker(f, justice, 0)
		all := allMutations(f, mutant.Mux(r.IntN(2)))
		m := all[r.IntN(len(all))]
		o := newOracle(f, 0, &m)
		w := &aiger.Witness{Status: aiger.Fails}
		initials := o.initials()
		for range f.Latches {
			w.Init = append(w.Init, aiger.Unknown)
		}
		for i, bit := range initials[r.IntN(len(initials))][:len(f.Latches)] {
			if f.Latches[i].Reset == f.Latches[i].Lit && bit {
				w.Init[i] = aiger.True
			}
		}
		for range 1 + r.IntN(5) {
			row := make([]aiger.Ternary, len(f.Inputs)+len(o.frees())-1)
			for i := range row {
				row[i] = aiger.Ternary(r.IntN(2))
			}
			w.Inputs = append(w.Inputs, row)
		}
		accepted := k.Replay(w, m) == nil
		count[accepted]++
		if accepted != o.lasso(justice, w) {
			t.Fatalf("round %d, %v: accepted %v: %v\n%+v\n%+v", round, m, accepted, k.Replay(w, m), w, f)
		}
	}
	t.Log(count)
	if count[true] < rounds(500) || count[false] < rounds(500) {
		t.Errorf("the sample is one-sided")
	}
}

// lasso decides by the definition whether a run is a lasso of the mutant: it is
// run again and again, from each step that the end could go on with, and literals and
// constraints are looked at for more rounds than there are states.
func (o *oracle) lasso(justice int, w *aiger.Witness) bool {
	due := append(append([]aiger.Lit(nil), o.f.Justice[justice]...), o.f.Fairness...)
	steps := len(w.Inputs)
	for loop := range steps {
		state := make([]bool, len(o.f.Latches)+1)
		for i, l := range o.f.Latches {
			state[i] = l.Reset == 1 || w.Init[i] == aiger.True
		}
		state[len(o.f.Latches)] = true
		var trail [][]bool // values by step
		ok := true
		for t := range steps + 3*(steps-loop) {
			at := t
			if t >= steps {
				at = loop + (t-loop)%(steps-loop)
			}
			in := 0
			for i := range o.f.Inputs {
				if w.Inputs[at][i] == aiger.True {
					in |= 1 << i
				}
			}
			free := len(w.Inputs[at]) > len(o.f.Inputs) && w.Inputs[at][len(o.f.Inputs)] == aiger.True
			trail = append(trail, o.values(state, in, free, true))
			var good bool
			good, _, state = o.step(state, in, free)
			ok = ok && good
		}
		if !ok || !o.repeats(justice, trail, loop, steps) {
			continue
		}
		met := 0
		for _, l := range due {
			for _, values := range trail[loop:steps] {
				if values[l>>1] != (l&1 == 1) {
					met++
					break
				}
			}
		}
		if met == len(due) {
			return true
		}
	}
	return false
}

// repeats reports whether the state in which the step after the last begins is that
// of step loop. Latches that nothing due depends on may differ, and in the first frame
// of a fault that tells it from later ones nothing is as later.
func (o *oracle) repeats(justice int, trail [][]bool, loop, steps int) bool {
	if first := o.m.Gate && o.place() == mutant.AtNext || o.m.Fault == mutant.Reset; loop == 0 && first && o.reads(justice)[o.mutated] {
		return false
	}
	in := o.reads(justice)
	for _, l := range o.f.Latches {
		v := l.Lit >> 1
		if forced := v == o.mutated && !sim.ReadsOf(o.m.Fault).Design && o.place() == mutant.AtOutput; in[v] && !forced && trail[loop][v] != trail[steps][v] {
			return false
		}
	}
	return true
}

// reads marks what the literals due and the constraints depend on, in the mutant.
func (o *oracle) reads(justice int) map[uint32]bool {
	f := o.f
	in := map[uint32]bool{}
	for _, list := range [][]aiger.Lit{f.Justice[justice], f.Fairness, f.Constraints} {
		for _, l := range list {
			in[l>>1] = true
		}
	}
	for range len(f.Ands) + len(f.Latches) {
		for _, a := range f.Ands {
			if in[a.Lhs>>1] && (a.Lhs>>1 != o.mutated || sim.ReadsOf(o.m.Fault).Design || o.place() == mutant.AtNext) {
				cut := a.Lhs>>1 == o.mutated && o.place() == mutant.AtOutput
				in[a.Rhs0>>1] = in[a.Rhs0>>1] || !cut || o.m.Fault != mutant.Input0
				in[a.Rhs1>>1] = in[a.Rhs1>>1] || !cut || o.m.Fault != mutant.Input1
			}
		}
		for _, l := range f.Latches {
			if in[l.Lit>>1] && (l.Lit>>1 != o.mutated || sim.ReadsOf(o.m.Fault).Design) {
				in[l.Next>>1] = true
			}
		}
	}
	return in
}

// TestJusticeNumbers: a property that is not there makes every check fail.
func TestJusticeNumbers(t *testing.T) {
	f := &aiger.File{MaxVar: 1, Inputs: []aiger.Lit{2}, Justice: [][]aiger.Lit{{2}}}
	for _, j := range []int{-1, 1} {
		k := NewJusticeChecker(f, j, 0)
		if k.Invariant(context.Background(), &cert.Invariant{}, nil) == nil || k.Replay(&aiger.Witness{}) == nil {
			t.Errorf("property %d was checked", j)
		}
		if _, err := k.Model(nil); err == nil {
			t.Errorf("property %d has a model", j)
		}
		if _, err := k.Mutant(Mutation{}); err == nil {
			t.Errorf("property %d has a mutant", j)
		}
	}
}
