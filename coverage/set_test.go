package coverage

import (
	"context"
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"

	"netcov/aig"
	"netcov/aiger"
	"netcov/aiger/explicit"
	"netcov/aiger/randaig"
	"netcov/cert"
	"netcov/coverage/journal"
	"netcov/ic3"
	"netcov/mutant"
	"netcov/netlist"
)

// setOracle is a random design with 1 to 8 properties and the truth about it: by
// enumeration, for each property and mutant.
type setOracle struct {
	f          *aiger.File
	n          *netlist.Netlist
	properties []int
	fails      []bool // on the design itself
	targets    []mutant.Target
	place      mutant.Mux
	covered    map[mutantKey][]bool // by property; of those that hold
}

// randomSets calls use with count designs that have a property that holds. Half of
// them are made of separate parts.
func randomSets(t *testing.T, seed uint64, count int, use func(*setOracle, *rand.Rand)) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 15))
	shape := randaig.Everything()
	shape.Justice, shape.Fairness, shape.Bads, shape.Latches = 0, 0, 8, 5
	for done := 0; done < count; {
		shape.Ands = 4 + r.IntN(14)
		shape.Constraints = r.IntN(2)
		f := randaig.New(r, shape)
		if len(f.Bads) == 0 || len(f.Latches) == 0 {
			continue
		}
		o := &setOracle{f: f, n: netlist.FromAIGER(f), place: mutant.Mux(r.IntN(2)), covered: map[mutantKey][]bool{}}
		held := false
		for p := range f.Bads {
			o.properties = append(o.properties, p)
			o.fails = append(o.fails, explicit.Fails(f, p))
			held = held || !o.fails[p]
		}
		if !held {
			continue
		}
		for i := range o.n.Latches {
			o.targets = append(o.targets, mutant.Target{Index: i})
		}
		if r.IntN(2) == 0 {
			for i := range o.n.Gates {
				o.targets = append(o.targets, mutant.Target{Gate: true, Index: i})
			}
		}
		for _, x := range o.targets {
			for _, fault := range o.n.FaultsAt([]mutant.Target{x}) {
				row := make([]bool, len(f.Bads))
				for p := range row {
					row[p] = !o.fails[p] && truth(f, p, x, fault, o.place) == mutant.Covered
				}
				o.covered[mutantKey{x, fault}] = row
			}
		}
		done++
		use(o, r)
	}
}

// verdict is the truth about the set.
func (o *setOracle) verdict(k mutantKey) mutant.Verdict {
	for _, c := range o.covered[k] {
		if c {
			return mutant.Covered
		}
	}
	return mutant.NotCovered
}

// compare checks the outcomes and verdicts of a run, and that a covered mutant names
// a property that fails on it. It returns the number of mutants that are decided.
func (o *setOracle) compare(t *testing.T, set *Set) (decided int) {
	t.Helper()
	for _, x := range set.Outcomes {
		if want := map[bool]cert.Status{true: cert.Fails, false: cert.Holds}[o.fails[x.Position]]; x.Proof.Status != want {
			t.Fatalf("property %d: %s by %s, enumeration says %s", x.Position, x.Proof.Status, x.Proof.Engine, want)
		}
	}
	n := 0
	for j := range set.All() {
		n++
		k := mutantKey{j.Target, j.Fault}
		if j.Verdict == mutant.Unknown {
			continue
		}
		decided++
		if want := o.verdict(k); j.Verdict != want {
			t.Fatalf("%v %v by %s: got %s, want %s", j.Target, j.Fault, j.Test, j.Verdict, want)
		}
		if j.Verdict == mutant.Covered && !o.covered[k][j.Mutant.Property] {
			t.Fatalf("%v %v: property %d is said to fail, and does not", j.Target, j.Fault, j.Mutant.Property)
		}
		if j.Verdict == mutant.Covered && j.Mutant.Trace() == nil {
			t.Fatal("covered without a trace")
		}
	}
	if n != len(o.covered) {
		t.Fatalf("%d mutants, %d are due", n, len(o.covered))
	}
	return decided
}

// TestSetDecidesAll compares whole runs over sets of properties with enumeration.
func TestSetDecidesAll(t *testing.T) {
	mutants, groups, several, shared := 0, 0, 0, 0
	randomSets(t, 1, rounds(t, 300), func(o *setOracle, r *rand.Rand) {
		tests := [][]string{
			DefaultTests(), GateTests(), DAC10Tests(), AllTests(),
			{TestCone, TestIC3},
			{TestCone, TestNaive},
			SetTests(true),
			{TestCone, TestKInduction, TestIC3},
		}
		opt := Options{
			Targets: o.targets, Faults: o.n.FaultsAt(o.targets), Mux: o.place, Tests: tests[r.IntN(len(tests))], NoRecheck: r.IntN(4) == 0, Jobs: 1 + r.IntN(2),
			Engine: []string{EngineSet, EngineSet, EngineIC3, EngineInterp}[r.IntN(4)],
		}
		set, err := RunSet(context.Background(), o.f, o.n, o.properties, opt)
		if err != nil {
			t.Fatal(err)
		}
		if set.JournalErr != nil {
			t.Fatal(set.JournalErr)
		}
		if got := o.compare(t, set); got != len(o.covered) || set.Stopped() != "" {
			t.Fatalf("%v, %s: %d of %d mutants are decided, stopped by %q", opt.Tests, opt.Engine, got, len(o.covered), set.Stopped())
		}
		if c := set.Curve(); c[len(c)-1].Accuracy != 1 {
			t.Fatalf("the curve ends at %v", c[len(c)-1])
		}
		mutants += len(o.covered)
		groups += len(set.Groups)
		for _, g := range set.Groups {
			if len(g.Properties) > 1 {
				several++
			}
		}
		if len(set.Groups) > 1 && len(o.f.Constraints) > 0 {
			shared++
		}
	})
	t.Log(mutants, groups, several, shared)
	if several == 0 || shared == 0 && !testing.Short() {
		t.Error("the test says little")
	}
}

// TestSetIsTheUnion: the verdict of the set is that of the single runs together.
func TestSetIsTheUnion(t *testing.T) {
	randomSets(t, 2, rounds(t, 100), func(o *setOracle, r *rand.Rand) {
		opt := Options{Targets: o.targets, Faults: o.n.FaultsAt(o.targets), Mux: o.place}
		set, err := RunSet(context.Background(), o.f, o.n, o.properties, opt)
		if err != nil {
			t.Fatal(err)
		}
		single := NewSet(o.n, o.targets, opt.Faults)
		for _, p := range o.properties {
			res, err := Run(context.Background(), o.f, o.n, p, opt)
			if err != nil {
				t.Fatal(err)
			}
			single.AddOutcome(o.n.Properties()[p], res)
		}
		want := map[mutantKey]mutant.Verdict{}
		for j := range single.All() {
			want[mutantKey{j.Target, j.Fault}] = j.Verdict
		}
		for j := range set.All() {
			if w := want[mutantKey{j.Target, j.Fault}]; w != j.Verdict {
				t.Fatalf("%v %v: %s of the set, %s of the single runs", j.Target, j.Fault, j.Verdict, w)
			}
		}
		o.compare(t, single)
	})
}

// TestSetEndsEarly: with a budget, an accuracy, or after an interruption, what is
// decided is right.
func TestSetEndsEarly(t *testing.T) {
	unknown := 0
	randomSets(t, 3, rounds(t, 100), func(o *setOracle, r *rand.Rand) {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		opt := Options{Targets: o.targets, Faults: o.n.FaultsAt(o.targets), Mux: o.place}
		half := false
		switch r.IntN(3) {
		case 0:
			opt.Budget.Limit = time.Duration(1+r.IntN(500)) * time.Microsecond
		case 1:
			opt.StopAt, half = 0.5, true
		case 2:
			n := 0
			opt.Progress = func(p Progress) { // not while properties are proved
				if p.Stage != StageProving {
					n++
				}
				if n == 3 {
					cancel()
				}
			}
		}
		set, err := RunSet(ctx, o.f, o.n, o.properties, opt)
		if err != nil {
			t.Fatal(err)
		}
		decided := o.compare(t, set)
		unknown += len(o.covered) - decided
		if half && 2*decided < len(o.covered) {
			t.Fatalf("%d of %d are decided, half were asked for", decided, len(o.covered))
		}
		if (set.Stopped() == "") != (decided == len(o.covered)) {
			t.Fatalf("%d of %d decided, but stopped by %q", decided, len(o.covered), set.Stopped())
		}
	})
	if unknown == 0 {
		t.Error("nothing ever stayed open")
	}
}

// TestSetResumes takes up every prefix of the records of a run.
func TestSetResumes(t *testing.T) {
	taken := 0
	randomSets(t, 4, rounds(t, 40), func(o *setOracle, r *rand.Rand) {
		path := filepath.Join(t.TempDir(), "journal")
		j, _, _, err := journal.Open(path, journal.Header{})
		if err != nil {
			t.Fatal(err)
		}
		opt := Options{Targets: o.targets, Faults: o.n.FaultsAt(o.targets), Mux: o.place, Journal: j}
		if r.IntN(2) == 0 {
			opt.Budget.Limit = time.Duration(1+r.IntN(900)) * time.Microsecond
		}
		if _, err := RunSet(context.Background(), o.f, o.n, o.properties, opt); err != nil {
			t.Fatal(err)
		}
		j.Close()
		_, records, _, err := journal.Read(path)
		if err != nil {
			t.Fatal(err)
		}
		for k := 0; k <= len(records); k += 1 + r.IntN(5) {
			opt := Options{Targets: o.targets, Faults: o.n.FaultsAt(o.targets), Mux: o.place, Resume: []Source{{Records: records[:k]}}, NoRecheck: r.IntN(2) == 0}
			set, err := RunSet(context.Background(), o.f, o.n, o.properties, opt)
			if err != nil {
				t.Fatalf("%d of %d records: %v", k, len(records), err)
			}
			if o.compare(t, set) != len(o.covered) {
				t.Fatal("not all is decided")
			}
			taken++
		}
	})
	t.Log(taken)
}

// TestLemmaTrap: what holds on the design given another property may fail on a
// mutant that breaks that property. Register a is always 0, b stores a; property 0
// is "a is 0", property 1 "b is 0". On the design, property 0 is a lemma that makes
// property 1 inductive. Where the readers of a see 1, both fail; but under the lemma
// as a constraint, property 1 holds on the mutant: no run satisfies it.
func TestLemmaTrap(t *testing.T) {
	f := &aiger.File{MaxVar: 2, Latches: []aiger.Latch{{Lit: 2, Next: 2}, {Lit: 4, Next: 2}}, Bads: []aiger.Lit{2, 4}}
	n := netlist.FromAIGER(f)
	a := mutant.Target{Index: 0}
	all := n.Properties()
	m := netlist.CompileSet(n, []aig.Lit{all[0].Bad, all[1].Bad}, []mutant.Target{a}, mutant.AtOutput)
	naive := ic3.New(m.Mutant(0, netlist.ForceOne).Only([]int{1}, []int{0}), ic3.Options{}).Run(context.Background(), ic3.Budget{})
	if naive.Status != cert.Holds {
		t.Fatal("the example is no trap: with property 0 as a lemma, property 1 fails on the mutant")
	}
	if truth(f, 1, a, mutant.One, mutant.AtOutput) != mutant.Covered {
		t.Fatal("the example is no trap: property 1 holds on the mutant")
	}
	for _, properties := range [][]int{{0, 1}, {1, 0}} {
		set, err := RunSet(context.Background(), f, n, properties, Options{Targets: []mutant.Target{a}})
		if err != nil {
			t.Fatal(err)
		}
		for j := range set.All() {
			if want := truth(f, 1, a, j.Fault, mutant.AtOutput); j.Verdict != want {
				t.Errorf("%v: %s, enumeration says %s", j.Fault, j.Verdict, want)
			}
		}
	}
	res, err := Run(context.Background(), f, n, 1, Options{Targets: []mutant.Target{a}, Faults: []mutant.Fault{mutant.One}})
	if err != nil || res.Mutants[0].Verdict != mutant.Covered {
		t.Errorf("property 1 alone: %v, %v", res.Mutants[0].Verdict, err)
	}
}
