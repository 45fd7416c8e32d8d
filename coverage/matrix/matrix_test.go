package matrix

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"netcov/aiger"
	"netcov/aiger/explicit"
	"netcov/aiger/randaig"
	"netcov/aiger/sim"
	"netcov/coverage"
	"netcov/coverage/journal"
	"netcov/coverage/subject"
	"netcov/liveness"
	"netcov/mutant"
	"netcov/netlist"
)

// For longer runs by hand.
var (
	seed    = flag.Uint64("seed", 1, "of the designs of TestMatrixDecidesAll")
	designs = flag.Int("designs", 1200, "how many")
)

// design is a random design with 1 to 8 properties, justice among them, and the truth
// about each property on each mutant by enumeration.
type design struct {
	f       *aiger.File
	n       *netlist.Netlist
	all     []int // properties
	held    []int // those that hold
	targets []mutant.Target
	faults  []mutant.Fault
	mux     mutant.Mux
	fails   map[Mutant]map[int]bool // by property
}

func randomDesign(r *rand.Rand) *design {
	shape := randaig.Everything()
	shape.Bads, shape.Latches, shape.Justice, shape.Fairness = 6, 4, 2, 1
	for {
		shape.Ands = 4 + r.IntN(14)
		shape.Constraints = r.IntN(2)
		f := randaig.New(r, shape)
		if len(f.Bads)+len(f.Justice) == 0 || len(f.Bads) == 0 && len(f.Outputs) > 0 || len(f.Latches) == 0 {
			continue
		}
		d := &design{f: f, n: netlist.FromAIGER(f), mux: mutant.Mux(r.IntN(2)), fails: map[Mutant]map[int]bool{}}
		for p := range d.n.Properties() {
			d.all = append(d.all, p)
			if !explicit.Fails(f, p) {
				d.held = append(d.held, p)
			}
		}
		if len(d.held) == 0 {
			continue
		}
		for i := range d.n.Latches {
			d.targets = append(d.targets, mutant.Target{Index: i})
		}
		if r.IntN(2) == 0 {
			for i := range d.n.Gates {
				d.targets = append(d.targets, mutant.Target{Gate: true, Index: i})
			}
		}
		if d.faults = mutant.Standard(); r.IntN(3) == 0 {
			d.faults = slices.DeleteFunc(mutant.Faults(), func(f mutant.Fault) bool {
				return f.Remembers() && len(d.f.Justice) > 0 || !slices.ContainsFunc(d.targets, func(t mutant.Target) bool { return d.n.Has(t, f) })
			})
		}
		gates := f.GateLiterals()
		for _, t := range d.targets {
			for _, fault := range d.faults {
				x := Mutant{t, fault}
				if !d.n.Has(t, fault) {
					continue
				}
				d.fails[x] = map[int]bool{}
				sf := sim.Fault{Kind: fault, Mux: d.mux, Var: f.Latches[min(t.Index, len(f.Latches)-1)].Lit >> 1}
				if t.Gate {
					sf.Var = gates[t.Index] >> 1
				}
				for _, p := range d.held {
					covered, err := explicit.Covered(f, p, sf)
					if err != nil {
						panic(err)
					}
					d.fails[x][p] = covered
				}
			}
		}
		return d
	}
}

// run decides the set: the safety properties together, those of justice alone.
func (d *design) run(t *testing.T, ctx context.Context, opt coverage.Options) *coverage.Set {
	t.Helper()
	var safety []int
	all := d.n.Properties()
	for _, p := range d.all {
		if all[p].Kind != netlist.PropertyJustice {
			safety = append(safety, p)
		}
	}
	set := coverage.NewSet(d.n, opt.Targets, opt.Faults)
	if len(safety) > 0 {
		var err error
		if set, err = coverage.RunSet(ctx, d.f, d.n, safety, opt); err != nil {
			t.Fatal(err)
		}
	}
	for _, p := range d.all[len(safety):] {
		s, err := subject.New(d.f, d.n, p)
		if err != nil {
			t.Fatal(err)
		}
		opt := opt
		if rounds := (len(d.f.Ands) + p) % 4; rounds > 0 && opt.Resume == nil { // the search for a lasso begins late
			late, err := liveness.Safety(d.f, all[p].Index, rounds)
			if err != nil {
				t.Fatal(err)
			}
			opt.Proof = coverage.Check(context.Background(), netlist.FromAIGER(late), 0, coverage.CheckOptions{})
			opt.Proof.Rounds = rounds
		}
		res, err := s.Cover(ctx, opt)
		if err != nil {
			t.Fatal(err)
		}
		set.AddOutcome(s.Property(), res)
	}
	return set
}

// compare checks all that the matrix says, and returns the number of cells that are
// known.
func (d *design) compare(t *testing.T, m *Matrix) (known int) {
	t.Helper()
	for i, p := range m.Properties {
		for x, fails := range d.fails {
			got := m.Cell(i, x)
			if got == mutant.Unknown {
				continue
			}
			known++
			if (got == mutant.Covered) != fails[p] {
				t.Fatalf("property %d on %v, %v: %v, enumeration says fails: %v", p, x.Target, x.Fault, got, fails[p])
			}
		}
	}
	for k, s := range m.Shares {
		n := d.naive(s.Property)
		within(t, "covered", s.Covered, n.covered)
		within(t, "alone", s.Alone, n.alone)
		if s.Redundant != Maybe && (s.Redundant == Yes) != n.redundant {
			t.Fatalf("property %d: redundant %v, enumeration says %v", s.Property, s.Redundant, n.redundant)
		}
		if s.Covered.High > s.Cone || s.Used >= 0 && (s.Covered.Low > s.Used || s.Used > s.Cone) {
			t.Fatalf("levels %+v", s.Levels)
		}
		if (s.Idle.Kind != NotIdle) != (s.Covered.High == 0) {
			t.Fatalf("property %d covers %v, idle: %v", s.Property, s.Covered, s.Idle)
		}
		if s.Property != m.Properties[k] {
			t.Fatal("shares are out of order")
		}
	}
	d.compareSubset(t, m)
	return known
}

func within(t *testing.T, what string, r Range, n int) {
	t.Helper()
	if n < r.Low || n > r.High {
		t.Fatalf("%s: %d, but the matrix says %v", what, n, r)
	}
}

type naiveShare struct {
	covered, alone int
	redundant      bool
}

// naive counts the share of a property in the plainest way.
func (d *design) naive(p int) naiveShare {
	n := naiveShare{redundant: true}
	for _, fails := range d.fails {
		if !fails[p] {
			continue
		}
		n.covered++
		others := false
		for q, f := range fails {
			others = others || q != p && f
		}
		if !others {
			n.alone++
			n.redundant = false
		}
	}
	return n
}

// compareSubset checks the smallest choice and the order against all subsets.
func (d *design) compareSubset(t *testing.T, m *Matrix) {
	t.Helper()
	covers := func(chosen map[int]bool) bool {
		for _, fails := range d.fails {
			some, mine := false, false
			for p, f := range fails {
				some = some || f
				mine = mine || f && chosen[p]
			}
			if some && !mine {
				return false
			}
		}
		return true
	}
	least := len(d.held)
	for bits := range 1 << len(d.held) {
		chosen := map[int]bool{}
		for k, p := range d.held {
			if bits>>k&1 == 1 {
				chosen[p] = true
			}
		}
		if len(chosen) < least && covers(chosen) {
			least = len(chosen)
		}
	}
	s := m.Smallest
	chosen := map[int]bool{}
	for _, p := range s.Properties {
		chosen[p] = true
	}
	complete := true // each mutant that is covered is known to be
	for x, fails := range d.fails {
		known, _ := m.Failing(x)
		complete = complete && (len(known) > 0 || !slices.Contains(slices.Collect(values(fails)), true))
	}
	if complete && !covers(chosen) {
		t.Fatalf("the choice %v leaves mutants out", s.Properties)
	}
	if s.Least > least || s.Exact && least != len(s.Properties) || m.Unknown() == 0 && (!s.Exact || s.Method != "exact") {
		t.Fatalf("the smallest choice has %d properties, the matrix says %+v", least, s)
	}
	covered := map[Mutant]bool{}
	for k, a := range m.Order {
		i, _ := slices.BinarySearch(m.Properties, a.Property)
		best := 0
		for j := range m.Properties {
			n := 0
			for x := range d.fails {
				if !covered[x] && m.Cell(j, x) == mutant.Covered {
					n++
				}
			}
			best = max(best, n)
		}
		adds := 0
		for x := range d.fails {
			if !covered[x] && m.Cell(i, x) == mutant.Covered {
				covered[x] = true
				adds++
			}
		}
		if adds != a.Adds || adds != best || a.Covered != len(covered) {
			t.Fatalf("step %d of the order: %+v, it adds %d, the best %d, %d are covered", k, a, adds, best, len(covered))
		}
	}
}

func values(m map[int]bool) func(func(bool) bool) {
	return func(yield func(bool) bool) {
		for _, v := range m {
			if !yield(v) {
				return
			}
		}
	}
}

func restoreTimes(most, each time.Duration) { mostCascade, eachCell = most, each }

func count(t *testing.T, n int) int {
	if testing.Short() {
		return n / 10
	}
	return n
}

// TestMatrixDecidesAll compares every cell, and all that follows, with enumeration.
func TestMatrixDecidesAll(t *testing.T) {
	r := rand.New(rand.NewPCG(*seed, 15))
	defer restoreTimes(mostCascade, eachCell)
	cells, several, idle := 0, 0, map[IdleKind]int{}
	for range count(t, *designs) {
		d := randomDesign(r)
		mostCascade, eachCell = 200*time.Millisecond, 2*time.Millisecond
		if r.IntN(2) == 0 { // leave all to the other way
			mostCascade, eachCell = 1, 0
		}
		opt := coverage.Options{
			Targets: d.targets, Faults: d.faults, Mux: d.mux, Jobs: 1 + r.IntN(2), NoRecheck: r.IntN(4) == 0,
			Tests: [][]string{nil, coverage.SetTests(true), coverage.GateTests(), {coverage.TestCone, coverage.TestIC3}}[r.IntN(4)],
		}
		m, err := Run(context.Background(), d.f, d.n, d.run(t, context.Background(), opt), opt, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if m.Unknown() > 0 || m.Stopped != "" {
			t.Fatalf("%d cells are unknown, stopped by %q", m.Unknown(), m.Stopped)
		}
		if len(m.Properties) != len(d.held) {
			t.Fatalf("properties %v, %v hold", m.Properties, d.held)
		}
		cells += d.compare(t, m)
		if len(m.Properties) > 2 {
			several++
		}
		for _, s := range m.Shares {
			idle[s.Idle.Kind]++
		}
	}
	t.Log(cells, several, idle)
	if several == 0 {
		t.Error("the test says little")
	}
}

// TestMatrixEndsEarly: with a budget, an accuracy, or after an interruption, what is
// said is right.
func TestMatrixEndsEarly(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 15))
	unknown := 0
	for range count(t, 200) {
		d := randomDesign(r)
		opt := coverage.Options{Targets: d.targets, Faults: d.faults, Mux: d.mux}
		var own Options
		ctx, cancel := context.WithCancel(context.Background())
		kind := r.IntN(4)
		if kind == 3 { // the set's run ends early, too
			opt.Budget.Limit = time.Duration(1+r.IntN(300)) * time.Microsecond
		}
		set := d.run(t, ctx, opt)
		switch kind {
		case 0:
			own.Budget.Limit = time.Duration(1+r.IntN(800)) * time.Microsecond
		case 1:
			opt.StopAt = 0.5
		case 2:
			n := 0
			opt.Progress = func(coverage.Progress) {
				if n++; n == 2 {
					cancel()
				}
			}
		}
		m, err := Run(ctx, d.f, d.n, set, opt, own)
		cancel()
		if err != nil {
			t.Fatal(err)
		}
		d.compare(t, m)
		unknown += m.Unknown()
		if (m.Unknown() == 0) != (m.Stopped == "") {
			t.Fatalf("%d cells are unknown, stopped by %q", m.Unknown(), m.Stopped)
		}
		if kind == 1 && 2*m.Unknown() > m.Cells() {
			t.Fatalf("%d of %d cells are unknown, half were asked for", m.Unknown(), m.Cells())
		}
	}
	t.Log(unknown)
	if unknown == 0 {
		t.Error("nothing ever stayed open")
	}
}

// TestMatrixResumes takes up prefixes of the records of a run.
func TestMatrixResumes(t *testing.T) {
	defer restoreTimes(mostCascade, eachCell)
	r := rand.New(rand.NewPCG(3, 15))
	taken := 0
	for k := range count(t, 60) {
		if k%2 == 1 {
			mostCascade, eachCell = 1, 0
		}
		d := randomDesign(r)
		path := filepath.Join(t.TempDir(), "journal")
		j, _, _, err := journal.Open(path, journal.Header{})
		if err != nil {
			t.Fatal(err)
		}
		opt := coverage.Options{Targets: d.targets, Faults: d.faults, Mux: d.mux, Journal: j}
		if _, err := Run(context.Background(), d.f, d.n, d.run(t, context.Background(), opt), opt, Options{}); err != nil {
			t.Fatal(err)
		}
		j.Close()
		_, records, _, err := journal.Read(path)
		if err != nil {
			t.Fatal(err)
		}
		for k := len(records); k >= 0; k -= 1 + r.IntN(8) {
			opt := coverage.Options{Targets: d.targets, Faults: d.faults, Mux: d.mux, Resume: []coverage.Source{{Records: records[:k]}}, NoRecheck: r.IntN(2) == 0}
			m, err := Run(context.Background(), d.f, d.n, d.run(t, context.Background(), opt), opt, Options{})
			if err != nil {
				t.Fatalf("%d of %d records: %v", k, len(records), err)
			}
			if d.compare(t, m); m.Unknown() > 0 {
				t.Fatal("not all is decided")
			}
			taken++
		}
	}
	t.Log(taken)
}

// TestLemmaTrapInCells: register a is always 0, b stores a; property 0 is "a is 0",
// property 1 "b is 0", property 2 "b is 0 where a is". On the design property 0 is a lemma
// for the others. Where the readers of a see 1, properties 0 and 1 fail, and whoever
// assumes property 0 there excludes the runs on which property 1 does: the cell would be
// empty.
func TestLemmaTrapInCells(t *testing.T) {
	f := &aiger.File{
		MaxVar: 3, Latches: []aiger.Latch{{Lit: 2, Next: 2}, {Lit: 4, Next: 2}}, Ands: []aiger.And{{Lhs: 6, Rhs0: 4, Rhs1: 3}},
		Bads: []aiger.Lit{2, 4, 6},
	}
	n := netlist.FromAIGER(f)
	a := mutant.Target{Index: 0}
	naive := *f // property 0 as a lemma
	naive.Constraints = []aiger.Lit{3}
	fault := sim.Fault{Kind: mutant.One, Var: 1}
	trapped, err := explicit.Covered(&naive, 1, fault)
	fails, err2 := explicit.Covered(f, 1, fault)
	if err != nil || err2 != nil || trapped || !fails {
		t.Fatalf("the example is no trap: %v, %v, %v, %v", trapped, fails, err, err2)
	}
	for _, properties := range [][]int{{0, 1, 2}, {2, 1, 0}} {
		opt := coverage.Options{Targets: []mutant.Target{a}}
		set, err := coverage.RunSet(context.Background(), f, n, properties, opt)
		if err != nil {
			t.Fatal(err)
		}
		m, err := Run(context.Background(), f, n, set, opt, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if fail, unknown := m.Failing(Mutant{a, mutant.One}); !slices.Equal(fail, []int{0, 1}) || unknown != nil {
			t.Errorf("%v fail, %v are unknown; 0 and 1 fail", fail, unknown)
		}
		if fail, _ := m.Failing(Mutant{a, mutant.Zero}); fail != nil {
			t.Errorf("%v fail on a mutant that equals the design", fail)
		}
	}
}

// TestForgedFindings: records of cells that were changed are refused, or come to nothing.
func TestForgedFindings(t *testing.T) {
	defer restoreTimes(mostCascade, eachCell)
	mostCascade, eachCell = 1, 0
	r := rand.New(rand.NewPCG(6, 15))
	forged, refused := 0, 0
	for range count(t, 60) {
		d := randomDesign(r)
		path := filepath.Join(t.TempDir(), "journal")
		j, _, _, err := journal.Open(path, journal.Header{})
		if err != nil {
			t.Fatal(err)
		}
		opt := coverage.Options{Targets: d.targets, Faults: d.faults, Mux: d.mux, Journal: j}
		if _, err := Run(context.Background(), d.f, d.n, d.run(t, context.Background(), opt), opt, Options{}); err != nil {
			t.Fatal(err)
		}
		j.Close()
		_, records, _, err := journal.Read(path)
		if err != nil {
			t.Fatal(err)
		}
		for k, text := range records {
			var x map[string]any
			if err := json.Unmarshal(text, &x); err != nil {
				t.Fatal(err)
			}
			if x["kind"] != "cells" || x["trace"] != nil {
				continue
			}
			switch r.IntN(3) {
			case 0:
				x["fault"] = d.faults[r.IntN(len(d.faults))].String()
			case 1:
				x["index"], x["gate"] = r.IntN(len(d.n.Latches)), false
			case 2:
				x["properties"] = d.held
			}
			changed, err := json.Marshal(x)
			if err != nil {
				t.Fatal(err)
			}
			altered := slices.Clone(records)
			altered[k] = changed
			forged++
			opt := coverage.Options{Targets: d.targets, Faults: d.faults, Mux: d.mux, Resume: []coverage.Source{{Records: altered}}, NoRecheck: r.IntN(2) == 0}
			m, err := Run(context.Background(), d.f, d.n, d.run(t, context.Background(), opt), opt, Options{})
			if errors.Is(err, coverage.ErrResume) {
				refused++
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			d.compare(t, m)
		}
	}
	t.Log(forged, refused)
	if refused == 0 && !testing.Short() {
		t.Error("nothing was ever refused")
	}
}
