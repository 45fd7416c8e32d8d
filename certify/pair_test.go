package certify

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"netcov/aiger"
	"netcov/cert"
	"netcov/mutant"
)

// twins evaluates a design and a mutant side by side, by the definition.
type twins struct {
	design, mutant *oracle
	o              Observation
}

// step evaluates both in one frame.
func (w twins) step(s, t []bool, in int, free bool) (ok, other, differ bool, next []bool) {
	ok, _, a := w.design.step(s, in, false)
	other, _, b := w.mutant.step(t, in, free)
	x, y := w.design.values(s, in, false, false), w.mutant.values(t, in, free, true)
	for _, l := range w.o.Points(w.design.f, w.mutant.mutated) {
		differ = differ || x[l>>1] != y[l>>1]
	}
	return ok, other, differ, append(a[:len(a):len(a)], b...)
}

// reached lists the pairs of states within the constraints on both sides.
func (w twins) reached() map[int]bool {
	n := len(w.design.f.Latches) + 1
	seen := map[int]bool{}
	var work []int
	visit := func(s []bool) {
		if c := code(s); !seen[c] {
			seen[c] = true
			work = append(work, c)
		}
	}
	for _, s := range w.design.initials() {
		visit(append(s[:n:n], s...))
	}
	for len(work) > 0 {
		s := decode(work[0], 2*n)
		work = work[1:]
		w.mutant.each(func(in int, free bool) bool {
			if ok, other, _, next := w.step(s[:n], s[n:], in, free); ok && other {
				visit(next)
			}
			return false
		})
	}
	return seen
}

// accepts reports whether an invariant proves what Pair says it does.
func (w twins) accepts(inv *cert.Invariant, same bool) bool {
	n := len(w.design.f.Latches) + 1
	for _, s := range w.design.initials() {
		if !inv.Holds(append(s[:n:n], s...)) {
			return false
		}
	}
	for c := range 1 << (2 * n) {
		s := decode(c, 2*n)
		if s[n-1] != s[2*n-1] || !inv.Holds(s) {
			continue
		}
		if w.mutant.each(func(in int, free bool) bool {
			ok, other, differ, next := w.step(s[:n], s[n:], in, free)
			return ok && other && (differ || !inv.Holds(next)) || same && ok != other
		}) {
			return false
		}
	}
	return true
}

// TestPair compares the check of an invariant of design and mutant with enumeration, on
// exact invariants and on broken ones.
func TestPair(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 3))
	accepted, refused := 0, 0
	for round := range rounds(4000) {
		f := randomFile(r)
		if len(f.Latches) > 3 {
			continue
		}
		ms := allMutations(f, mutant.Mux(r.IntN(2)))
		m := ms[r.IntN(len(ms))]
		bads, _, _ := f.Properties()
		p := r.IntN(len(bads))
		w := twins{newOracle(f, p, nil), newOracle(f, p, &m), Observation(r.IntN(3))}
		n := 2 * (len(f.Latches) + 1)
		inv := exact(w.reached(), n, r.IntN(2) == 0)
		if r.IntN(2) == 0 {
			breakIt(r, inv, n)
		}
		if r.IntN(2) == 0 { // what each side keeps for itself, or a part of it
			for side, o := range []*oracle{w.design, w.mutant} {
				reached, _ := o.search()
				own := exact(reached, n/2, false)
				if len(own.Clauses) > 0 && r.IntN(3) == 0 {
					own.Clauses = own.Clauses[r.IntN(len(own.Clauses)):]
				}
				inv = cert.Conjunction(inv, own.Renamed(func(i int) int { return i + side*n/2 }))
			}
		}
		same := r.IntN(2) == 0
		k := NewComparison(f, w.o, Solver(r.IntN(30)/14), p)
		err := k.Pair(context.Background(), inv, m, same)
		var failure *PairFailure
		if err != nil && !errors.As(err, &failure) {
			t.Fatal(err)
		}
		if want := w.accepts(inv, same); want != (err == nil) {
			t.Fatalf("round %d: %v (%v, same %v): %v, really %v\n%+v", round, m, w.o.In(f), same, err, want, f)
		}
		if err == nil {
			accepted++
		} else {
			refused++
		}
	}
	t.Log(accepted, refused)
	if accepted < 50 || refused < 50 {
		t.Error("the test says little")
	}
}

// TestConstant does the same for invariants that make a node constant.
func TestConstant(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 4))
	accepted, refused := 0, 0
	for round := range rounds(4000) {
		f := randomFile(r)
		ms := allMutations(f, mutant.Mux(r.IntN(2)))
		ms = slices.DeleteFunc(ms, func(m Mutation) bool {
			_, stuck := m.Fault.Stuck()
			return !stuck
		})
		m := ms[r.IntN(len(ms))]
		one, _ := m.Fault.Stuck()
		o := newOracle(f, 0, nil)
		mutated := newOracle(f, 0, &m).mutated
		n := len(f.Latches) + 1
		reached, _ := o.search()
		inv := exact(reached, n, r.IntN(2) == 0)
		if r.IntN(2) == 0 {
			breakIt(r, inv, n)
		}
		want := true
		for _, s := range o.initials() {
			want = want && inv.Holds(s)
		}
		for c := range 1 << n {
			s := decode(c, n)
			if !inv.Holds(s) {
				continue
			}
			o.each(func(in int, free bool) bool {
				ok, _, next := o.step(s, in, free)
				value := o.values(s, in, free, false)[mutated]
				if !m.Gate && m.Mux == mutant.AtNext {
					value = next[m.Index]
				}
				want = want && (!ok || inv.Holds(next) && value == one)
				return false
			})
		}
		k := NewComparison(f, ObserveDefault, Solver(r.IntN(30)/14), 0)
		err := k.Constant(context.Background(), inv, m)
		if want != (err == nil) {
			t.Fatalf("round %d: %v: %v, really %v\n%+v", round, m, err, want, f)
		}
		if err == nil {
			accepted++
		} else {
			refused++
		}
	}
	t.Log(accepted, refused)
	if accepted < 50 || refused < 50 {
		t.Error("the test says little")
	}
}

// TestGap compares the replay of random traces as gaps, and as what tells the
// constraints of two runs apart, with the definition.
func TestGap(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 5))
	gaps, apart, refused := 0, 0, 0
	for range rounds(12000) {
		f := randomFile(r)
		ms := allMutations(f, mutant.Mux(r.IntN(2)))
		m := ms[r.IntN(len(ms))]
		w := twins{newOracle(f, 0, nil), newOracle(f, 0, &m), Observation(r.IntN(3))}
		starts := w.design.initials()
		s := starts[r.IntN(len(starts))]
		tr := &cert.Trace{Latches: s}
		n := len(s)
		pair := append(s[:n:n], s...)
		isGap, isApart := true, true
		steps := 1 + r.IntN(3)
		for step := range steps {
			in, free := r.IntN(1<<len(f.Inputs)), r.IntN(2) == 1 && m.Fault.Free()
			row := decode(in, len(f.Inputs))
			if m.Fault.Free() {
				row = append(row, free)
			}
			tr.Inputs = append(tr.Inputs, row)
			ok, other, differ, next := w.step(pair[:n], pair[n:], in, free)
			_, badHere, _ := w.design.step(pair[:n], in, free)
			_, badThere, _ := w.mutant.step(pair[n:], in, free)
			isGap = isGap && ok && other && !badHere && !badThere && (step < steps-1 || differ)
			isApart = isApart && (step < steps-1 && ok && other || step == steps-1 && ok != other)
			pair = next
		}
		k := NewComparison(f, w.o, Gini, 0)
		x, err := k.Witness(tr)
		if err != nil {
			t.Fatal(err)
		}
		if err := k.Gap(x, m); isGap != (err == nil) {
			t.Fatalf("%v: %v, really %v\n%+v\n%+v", m, err, isGap, tr, f)
		}
		if err := k.Apart(x, m); isApart != (err == nil) {
			t.Fatalf("%v: %v, really %v\n%+v\n%+v", m, err, isApart, tr, f)
		}
		switch {
		case isGap:
			gaps++
		case isApart:
			apart++
		default:
			refused++
		}
	}
	t.Log(gaps, apart, refused)
	if least := rounds(30); gaps < min(2, least) || apart < least || refused < least {
		t.Error("the test says little")
	}
}

// TestObservation: the default is outputs where the file has some beside its properties.
func TestObservation(t *testing.T) {
	for _, c := range []struct {
		f    aiger.File
		want Observation
	}{
		{aiger.File{Outputs: []aiger.Lit{2}}, ObserveRegisters},
		{aiger.File{Outputs: []aiger.Lit{2}, Bads: []aiger.Lit{2}}, ObserveOutputs},
		{aiger.File{Bads: []aiger.Lit{2}}, ObserveRegisters},
	} {
		if got := ObserveDefault.In(&c.f); got != c.want {
			t.Errorf("%+v: %v", c.f, got)
		}
	}
	if _, err := ParseObservation("wires"); err == nil {
		t.Error("wires are accepted")
	}
}
