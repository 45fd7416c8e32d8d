package liveness

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"netcov/aiger"
	"netcov/aiger/randaig"
	"netcov/aiger/sim"
	"netcov/cert"
	"netcov/certify"
	"netcov/ic3"
	"netcov/kripke/automaton"
	"netcov/mutant"
	"netcov/netlist"
)

var count = flag.Int("count", 150, "random files of each property")

// enumerated is the state graph of a small file. Node s is the state with latch
// values s; further nodes are initial states that the reset functions allow with
// one input valuation only.
type enumerated struct {
	f       *aiger.File
	wanted  []aiger.Lit
	edges   [][]enumeratedEdge
	initial []int
}

type enumeratedEdge struct {
	to  int
	acc automaton.Marks
}

func (e *enumerated) Len() int { return len(e.edges) }

func (e *enumerated) Successors(v int, yield func(int, automaton.Marks)) {
	for _, x := range e.edges[v] {
		yield(x.to, x.acc)
	}
}

// fails decides a justice property by enumeration of all states and inputs: it
// fails iff a reachable cycle, under the constraints, meets all literals.
func fails(t testing.TB, f *aiger.File, justice int) bool {
	t.Helper()
	e := &enumerated{f: f, wanted: literals(f, justice)}
	if len(f.Latches) > 12 || len(f.Inputs) > 8 {
		t.Fatal("too large for enumeration")
	}
	states, inputs := 1<<len(f.Latches), 1<<len(f.Inputs)
	r := &replay{f: f, value: make([]bool, f.MaxVar+1)}
	row := func(n int) []bool {
		out := make([]bool, len(f.Inputs))
		for i := range out {
			out[i] = n>>i&1 != 0
		}
		return out
	}
	number := func() int {
		n := 0
		for i, v := range r.state() {
			if v {
				n |= 1 << i
			}
		}
		return n
	}
	edge := func(state, input int) []enumeratedEdge {
		for i, l := range f.Latches {
			r.value[l.Lit>>1] = state>>i&1 != 0
		}
		r.evaluate(row(input))
		for _, c := range f.Constraints {
			if !r.holds(c) {
				return nil
			}
		}
		var x enumeratedEdge
		for i, w := range e.wanted {
			if r.holds(w) {
				x.acc |= 1 << i
			}
		}
		r.step()
		x.to = number()
		return []enumeratedEdge{x}
	}
	for s := range states {
		var out []enumeratedEdge
		for i := range inputs {
			out = append(out, edge(s, i)...)
		}
		e.edges = append(e.edges, out)
	}
	for free := range states {
		for i := range inputs {
			init := make([]bool, len(f.Latches))
			for l := range init {
				init[l] = free>>l&1 != 0
			}
			if err := r.reset(init, row(i)); err != nil {
				t.Fatal(err)
			}
			s := number()
			e.initial = append(e.initial, len(e.edges))
			e.edges = append(e.edges, edge(s, i))
		}
	}
	c := automaton.StronglyConnected(e, e.initial)
	for i := range c.Members {
		if c.Cyclic[i] && c.Marks[i].Has(automaton.AllMarks(len(e.wanted))) {
			return true
		}
	}
	return false
}

func check(t testing.TB, m *netlist.Model) *cert.Trace {
	t.Helper()
	res := ic3.New(m, ic3.Options{}).Run(context.Background(), ic3.Budget{})
	switch {
	case res.Err != nil:
		t.Fatal(res.Err)
	case res.Status == cert.Unknown:
		t.Fatal("IC3 gave up")
	case res.Status == cert.Fails:
		return res.Trace
	}
	return nil
}

func text(f *aiger.File) string {
	var b strings.Builder
	if err := aiger.WriteASCII(&b, f); err != nil {
		return err.Error()
	}
	return b.String()
}

func smallFile(rng *rand.Rand) *aiger.File {
	s := randaig.Everything()
	s.Latches, s.Inputs = 4, 2
	for {
		if f := randaig.New(rng, s); len(f.Justice) > 0 {
			return f
		}
	}
}

// TestSafety compares the translation, decided by IC3, with enumeration, and
// replays every lasso on the design.
func TestSafety(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 0))
	verdicts := map[bool]int{}
	for range *count {
		f := smallFile(rng)
		for j := range f.Justice {
			after := max(0, rng.IntN(6)-2)
			s, err := Safety(f, j, after)
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Check(); err != nil {
				t.Fatalf("%v\n%s", err, text(f))
			}
			checkPositions(t, f, s)
			n := netlist.FromAIGER(s)
			trace := check(t, netlist.Compile(n, n.Bads[0].Lit, nil, mutant.AtOutput))
			want := fails(t, f, j)
			if want != (trace != nil) {
				t.Fatalf("j%d fails: %v by enumeration, %v by the translation\n%s", j, want, trace != nil, text(f))
			}
			verdicts[want]++
			if trace != nil {
				replayed(t, f, j, trace)
			}
		}
	}
	t.Logf("properties that fail and hold: %v", verdicts)
	if verdicts[true] < *count/5 || verdicts[false] < *count/5 {
		t.Errorf("the sample is one-sided")
	}
}

// replayed checks a counterexample as a lasso of the design or of a mutant.
func replayed(t *testing.T, f *aiger.File, justice int, trace *cert.Trace, ms ...certify.Mutation) {
	t.Helper()
	if err := certify.NewJusticeChecker(f, justice, 0).Trace(trace, ms...); err != nil {
		t.Fatalf("%v: %v in %v\n%s", ms, err, trace, text(f))
	}
}

// checkPositions checks that the design stands in the translation unchanged.
func checkPositions(t *testing.T, f, s *aiger.File) {
	t.Helper()
	for i, l := range f.Inputs {
		if s.Inputs[i] != l {
			t.Fatalf("input %d has moved", i)
		}
	}
	for i, l := range f.Latches {
		if s.Latches[i] != l {
			t.Fatalf("latch %d has moved", i)
		}
	}
	for i, a := range f.Ands {
		if s.Ands[i] != a || s.AndPosition(i) != f.AndPosition(i) {
			t.Fatalf("gate %d has moved", i)
		}
	}
}

// TestMutants compares each mutant of the translation with enumeration of the
// mutant of the design: both places of the multiplexer, latches and gates, all
// faults.
func TestMutants(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 0))
	verdicts := map[bool]int{}
	for range *count / 5 {
		f := smallFile(rng)
		j := rng.IntN(len(f.Justice))
		s, err := Safety(f, j, 0)
		if err != nil {
			t.Fatal(err)
		}
		n := netlist.FromAIGER(s)
		var targets []mutant.Target
		for i := range f.Latches {
			targets = append(targets, mutant.Target{Index: i})
		}
		for i := range f.Ands {
			targets = append(targets, mutant.Target{Gate: true, Index: i})
		}
		for _, place := range []mutant.Mux{mutant.AtOutput, mutant.AtNext} {
			model := netlist.Compile(n, n.Bads[0].Lit, targets, place)
			for _, c := range model.Cuts {
				for _, kind := range []mutant.Fault{mutant.Zero, mutant.One, mutant.Nondet} {
					fault := faultOf(f, c.Target, kind, place)
					mutant, err := sim.Mutant(f, fault)
					if err != nil {
						t.Fatal(err)
					}
					want := fails(t, mutant, j)
					cut, force, _ := model.Find(c.Target, kind)
					trace := check(t, model.Mutant(cut, force))
					if want != (trace != nil) {
						t.Fatalf("j%d, %v: fails: %v by enumeration, %v by the translation\n%s", j, fault, want, trace != nil, text(f))
					}
					verdicts[want]++
					if trace != nil {
						replayed(t, f, j, trace, certify.Mutation{Gate: c.Target.Gate, Index: c.Target.Index, Fault: kind, Mux: place})
					}
				}
			}
		}
	}
	t.Logf("mutants that fail and hold: %v", verdicts)
}

func faultOf(f *aiger.File, target mutant.Target, kind mutant.Fault, place mutant.Mux) sim.Fault {
	fault := sim.Fault{Kind: mutant.Fault(kind)}
	if place == mutant.AtNext {
		fault.Mux = mutant.AtNext
	}
	if !target.Gate {
		fault.Var = f.Latches[target.Index].Lit >> 1
		return fault
	}
	for i, a := range f.Ands {
		if f.AndPosition(i) == target.Index {
			fault.Var = a.Lhs >> 1
		}
	}
	return fault
}

// replay evaluates a file step by step.
type replay struct {
	f     *aiger.File
	value []bool
}

func (r *replay) holds(l aiger.Lit) bool { return r.value[l>>1] != (l&1 != 0) }

func (r *replay) evaluate(inputs []bool) {
	for i, l := range r.f.Inputs {
		r.value[l>>1] = inputs[i]
	}
	for _, a := range r.f.Ands {
		r.value[a.Lhs>>1] = r.holds(a.Rhs0) && r.holds(a.Rhs1)
	}
}

// reset sets the initial state; latches without a reset have the given values.
func (r *replay) reset(init, inputs []bool) error {
	order, err := r.f.InitialOrder()
	if err != nil {
		return err
	}
	for i, l := range r.f.Inputs {
		r.value[l>>1] = inputs[i]
	}
	latch := make(map[uint32]int, len(r.f.Latches))
	for i, l := range r.f.Latches {
		latch[l.Lit>>1] = i
	}
	gate := make(map[uint32]aiger.And, len(r.f.Ands))
	for _, a := range r.f.Ands {
		gate[a.Lhs>>1] = a
	}
	for _, v := range order {
		if a, ok := gate[v]; ok {
			r.value[v] = r.holds(a.Rhs0) && r.holds(a.Rhs1)
			continue
		}
		i := latch[v]
		l := r.f.Latches[i]
		if l.Reset != l.Lit {
			r.value[v] = r.holds(l.Reset)
			continue
		}
		if i >= len(init) {
			return fmt.Errorf("the initial state has no value for latch %d", i)
		}
		r.value[v] = init[i]
	}
	return nil
}

func (r *replay) state() []bool {
	s := make([]bool, len(r.f.Latches))
	for i, l := range r.f.Latches {
		s[i] = r.holds(l.Lit)
	}
	return s
}

func (r *replay) step() {
	next := make([]bool, len(r.f.Latches))
	for i, l := range r.f.Latches {
		next[i] = r.holds(l.Next)
	}
	for i, l := range r.f.Latches {
		r.value[l.Lit>>1] = next[i]
	}
}
