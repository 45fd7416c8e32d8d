package propset

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"netcov/aig"
	"netcov/aiger"
	"netcov/aiger/explicit"
	"netcov/aiger/randaig"
	"netcov/cert"
	"netcov/certify"
	"netcov/ic3"
	"netcov/interp"
	"netcov/mutant"
	"netcov/netlist"
)

// rounds gives the number of random designs: fewer with -short.
func rounds(n int) int {
	if testing.Short() {
		return n / 10
	}
	return n
}

// randomSet draws a design with up to eight properties, of which some hold.
func randomSet(r *rand.Rand) *aiger.File {
	shape := randaig.Everything()
	shape.Justice, shape.Fairness, shape.Latches, shape.Ands, shape.Bads, shape.Outputs = 0, 0, 6, 12+r.IntN(30), 8, 0
	for {
		if f := randaig.New(r, shape); len(f.Bads) > 0 {
			return f
		}
	}
}

// judge collects answers and compares them with enumeration.
type judge struct {
	t       *testing.T
	f       *aiger.File
	fails   []bool
	answers map[int]*Answer
	layers  map[int]*certify.Layers // by cluster
}

func newJudge(t *testing.T, f *aiger.File) *judge {
	j := &judge{t: t, f: f, answers: map[int]*Answer{}, layers: map[int]*certify.Layers{}}
	for p := range f.Bads {
		j.fails = append(j.fails, explicit.Fails(f, p))
	}
	return j
}

func (j *judge) found(a *Answer) error {
	for _, p := range a.Properties {
		if j.answers[p] != nil {
			return fmt.Errorf("property %d is answered twice", p)
		}
		j.answers[p] = a
		if j.fails[p] != (a.Trace != nil) {
			return fmt.Errorf("property %d: %s says %v, enumeration says %v", p, a.Engine, a.Trace != nil, j.fails[p])
		}
		if a.Trace != nil {
			if err := certify.NewChecker(j.f, p).Trace(a.Trace); err != nil {
				return fmt.Errorf("property %d by %s: %w", p, a.Engine, err)
			}
		}
	}
	if j.layers[a.Cluster] == nil {
		j.layers[a.Cluster] = certify.NewLayers(j.f)
	}
	proved := map[int]bool{}
	for _, l := range a.Layers {
		if err := j.layers[a.Cluster].Confirm(context.Background(), l); err != nil {
			return fmt.Errorf("a layer of %v by %s: %w", a.Properties, a.Engine, err)
		}
		for _, p := range l.Properties {
			proved[p] = true
		}
	}
	if a.Layers != nil {
		for _, p := range a.Properties {
			if !proved[p] {
				return fmt.Errorf("property %d by %s is in no layer", p, a.Engine)
			}
		}
	} else if a.Trace == nil {
		if err := certify.NewChecker(j.f, a.Properties...).Invariant(context.Background(), a.Invariant, nil); err != nil {
			return fmt.Errorf("the invariant of %v by %s: %w", a.Properties, a.Engine, err)
		}
	}
	return nil
}

// all returns the positions of all properties.
func all(f *aiger.File) []int {
	list := make([]int, len(f.Bads))
	for i := range list {
		list[i] = i
	}
	return list
}

// TestAgainstEnumeration compares all answers with enumeration, and has each
// trace and each invariant confirmed.
func TestAgainstEnumeration(t *testing.T) {
	count := map[string]int{}
	for seed := range uint64(rounds(2000)) {
		f := randomSet(rand.New(rand.NewPCG(seed, 1)))
		j := newJudge(t, f)
		res, err := Check(context.Background(), netlist.FromAIGER(f), all(f), Options{Found: j.found, Layers: seed%2 == 0})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if len(j.answers) != len(f.Bads) || len(res.Bounds) > 0 {
			t.Fatalf("seed %d: %d of %d properties answered, open: %v", seed, len(j.answers), len(f.Bads), res.Bounds)
		}
		for _, a := range j.answers {
			count[fmt.Sprint(a.Engine, " ", a.Trace != nil)]++
		}
	}
	t.Log(count)
}

// TestEnginesAlone runs each engine by itself, and all of them in random order.
func TestEnginesAlone(t *testing.T) {
	count := map[string]int{}
	for seed := range uint64(rounds(600)) {
		rng := rand.New(rand.NewPCG(seed, 2))
		f := randomSet(rng)
		j := newJudge(t, f)
		which := int(seed % 6)
		for number, c := range clusters(netlist.FromAIGER(f), all(f)) {
			r := newRun(c, &Options{Found: j.found, Layers: seed%12 < 6})
			r.number, r.ctx, r.slice = number, context.Background(), 100*time.Millisecond
			r.prepare()
			for range 20 {
				work := r.engines()
				e := rng.IntN(len(work))
				if which < len(work) {
					e = which
				}
				if len(r.open) == 0 {
					break
				}
				limited, cancel := context.WithTimeout(r.ctx, 5*time.Millisecond)
				if err := work[e].work(limited); err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
				cancel()
				if err := r.tell(); err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
			}
		}
		for _, a := range j.answers {
			count[fmt.Sprint(which, " ", a.Engine, " ", a.Trace != nil)]++
		}
	}
	t.Log(count)
}

// TestInterrupted ends runs at random moments: what is answered is right, the
// rest is open.
func TestInterrupted(t *testing.T) {
	open, answered := 0, 0
	for seed := range uint64(rounds(600)) {
		rng := rand.New(rand.NewPCG(seed, 3))
		f := randomSet(rng)
		j := newJudge(t, f)
		ctx, cancel := context.WithTimeout(context.Background(), time.Duration(rng.IntN(300))*time.Microsecond)
		res, err := Check(ctx, netlist.FromAIGER(f), all(f), Options{Found: j.found, Quick: seed%2 == 0, Layers: seed%4 < 2})
		cancel()
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		for p := range f.Bads {
			if _, left := res.Bounds[p]; left != (j.answers[p] == nil) {
				t.Fatalf("seed %d: property %d is answered and open, or neither", seed, p)
			}
		}
		open += len(res.Bounds)
		answered += len(j.answers)
	}
	if open == 0 || answered == 0 {
		t.Fatalf("%d open, %d answered", open, answered)
	}
}

// TestRun compares the answer about all properties of a model at once with
// enumeration, an invariant of it, if any, being part of its constraint.
func TestRun(t *testing.T) {
	ctx := context.Background()
	holds, fails := 0, 0
	for seed := range uint64(rounds(1500)) {
		f := randomSet(rand.New(rand.NewPCG(seed, 9)))
		n := netlist.FromAIGER(f)
		j := newJudge(t, f)
		want, some := true, []int{}
		for _, p := range all(f) {
			if seed%3 == 0 || !j.fails[p] {
				some = append(some, p)
				want = want && !j.fails[p]
			}
		}
		if len(some) == 0 {
			continue
		}
		var bads []aig.Lit
		for _, p := range some {
			bads = append(bads, n.Properties()[p].Bad)
		}
		m := netlist.CompileSet(n, bads, nil, mutant.AtOutput)
		lemma := &cert.Invariant{}
		if a := ic3.New(netlist.Compile(n, bads[0], nil, mutant.AtOutput), ic3.Options{}).Run(ctx, ic3.Budget{}); a.Invariant != nil && len(m.Latches) == len(n.Latches) {
			lemma = a.Invariant
			m = m.MutantUnder(-1, netlist.ForceZero, lemma)
		}
		run := NewRun(m, lemma, Options{})
		var a *Answer
		for slice := time.Millisecond; a == nil; slice *= 2 {
			var err error
			if a, err = run.Round(ctx, slice); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
		}
		if (a.Trace == nil) != want {
			t.Fatalf("seed %d: a trace: %v, enumeration says that all hold: %v", seed, a.Trace != nil, want)
		}
		if a.Trace == nil {
			holds++
			if err := certify.NewChecker(f, some...).Invariant(ctx, a.Invariant, nil); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
		} else {
			fails++
			if len(interp.FailingAt(m, a.Trace, all(f)[:len(some)])) == 0 {
				t.Fatalf("seed %d: no property fails at the end of the trace", seed)
			}
		}
	}
	if t.Log(holds, fails); holds == 0 || fails == 0 {
		t.Error("the sample is one-sided")
	}
}
