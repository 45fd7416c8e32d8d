package certify

import (
	"math/rand/v2"
	"slices"
	"testing"

	"netcov/aiger"
	"netcov/aiger/explicit"
	"netcov/aiger/sim"
	"netcov/cert"
	"netcov/mutant"
)

// TestPart compares parts with the whole by enumeration: on the design and on each
// mutant of a latch, a property of the part fails where that of the file does. A
// part that lacks something is refused.
func TestPart(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 2))
	parts, smaller, refused := 0, 0, 0
	for range rounds(1500) {
		f := randomFile(r)
		bads, _, _ := f.Properties()
		set := []int{r.IntN(len(bads)), r.IntN(len(bads))}
		in := NewChecker(f, set...).influence()
		var inputs, latches, gates []int
		for i, l := range f.Inputs {
			if in[l>>1] {
				inputs = append(inputs, i)
			}
		}
		for i, l := range f.Latches {
			if in[l.Lit>>1] {
				latches = append(latches, i)
			}
		}
		for i, a := range f.Ands {
			if in[a.Lhs>>1] {
				gates = append(gates, f.AndPosition(i))
			}
		}
		r.Shuffle(len(latches), func(i, j int) { latches[i], latches[j] = latches[j], latches[i] })
		c := NewCutter(f)
		for range 2 { // the second part is that of a used cutter
			part, err := c.Part(set, inputs, latches, gates)
			if err != nil {
				t.Fatal(err)
			}
			parts++
			if len(part.Latches) < len(f.Latches) {
				smaller++
			}
			for i, p := range set {
				if a, b := explicit.Fails(part, i), explicit.Fails(f, p); a != b {
					t.Fatalf("property %d fails: %v in the part, %v in the file %+v", p, a, b, f)
				}
				for k, at := range gates {
					fault := mutant.Faults()[r.IntN(len(mutant.Faults()))]
					of := func(f *aiger.File, at int) sim.Fault {
						return sim.Fault{Var: f.GateLiterals()[at] >> 1, Kind: fault}
					}
					if !Has(f, Mutation{Gate: true, Index: at, Fault: fault}) {
						continue
					}
					a, err := explicit.Covered(part, i, of(part, k))
					b, err2 := explicit.Covered(f, p, of(f, at))
					if err != nil || err2 != nil || a != b {
						t.Fatalf("property %d, %v at gate %d: %v in the part, %v in the file (%v, %v)", p, fault, at, a, b, err, err2)
					}
				}
				for k, at := range latches {
					fault, mux := mutant.Faults()[r.IntN(len(mutant.Faults()))], mutant.Mux(r.IntN(2))
					if !Has(f, Mutation{Index: at, Fault: fault}) {
						continue
					}
					a, err := explicit.Covered(part, i, sim.Fault{Var: part.Latches[k].Lit >> 1, Kind: fault, Mux: mux})
					b, err2 := explicit.Covered(f, p, sim.Fault{Var: f.Latches[at].Lit >> 1, Kind: fault, Mux: mux})
					if err != nil || err2 != nil || a != b {
						t.Fatalf("property %d, %v at latch %d: %v in the part, %v in the file (%v, %v)", p, fault, at, a, b, err, err2)
					}
				}
			}
		}
		for _, list := range []*[]int{&inputs, &latches, &gates} {
			if len(*list) == 0 {
				continue
			}
			whole := *list
			i := r.IntN(len(whole))
			*list = slices.Delete(slices.Clone(whole), i, i+1)
			if _, err := c.Part(set, inputs, latches, gates); err == nil && len(bads) > 0 {
				t.Fatalf("a part without something that it reads is accepted: %+v", f)
			}
			*list = append(slices.Clone(whole), whole[i])
			if _, err := c.Part(set, inputs, latches, gates); err == nil {
				t.Fatal("a part with something twice is accepted")
			}
			*list = whole
			refused++
		}
	}
	t.Log(parts, smaller, refused)
	if smaller < 100 || refused < 100 {
		t.Error("the test says little")
	}
}

// TestModelOfSet compares the model of several properties with enumeration: it
// fails where one of them does.
func TestModelOfSet(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 3))
	var seen [2]int
	for range rounds(1500) {
		f := randomFile(r)
		bads, _, _ := f.Properties()
		set := []int{r.IntN(len(bads)), r.IntN(len(bads))}
		var ms []Mutation
		fails := explicit.Fails(f, set[0]) || explicit.Fails(f, set[1])
		if len(f.Latches) > 0 && r.IntN(2) == 0 {
			m := Mutation{Index: r.IntN(len(f.Latches)), Fault: mutant.Fault(r.IntN(3))}
			ms, fails = []Mutation{m}, false
			for _, p := range set {
				covered, err := explicit.Covered(f, p, sim.Fault{Var: f.Latches[m.Index].Lit >> 1, Kind: m.Fault})
				if err != nil {
					t.Fatal(err)
				}
				fails = fails || covered
			}
		}
		model, err := NewChecker(f, set...).Model(ms)
		if err != nil {
			t.Fatal(err)
		}
		if got := explicit.Fails(model, 0); got != fails {
			t.Fatalf("%v of %v: the model fails: %v, the design: %v\n%+v", set, ms, got, fails, f)
		}
		if fails {
			seen[1]++
		} else {
			seen[0]++
		}
	}
	if min(seen[0], seen[1]) < 50 {
		t.Error("the test says little:", seen)
	}
}

// TestFailingProperties: of each trace the checker tells a property that fails at
// its end, the first of its list.
func TestFailingProperties(t *testing.T) {
	f := &aiger.File{MaxVar: 2, Inputs: []aiger.Lit{2}, Latches: []aiger.Latch{{Lit: 4, Next: 2}}, Bads: []aiger.Lit{0, 4, 5, 4}}
	k := NewChecker(f, 0, 3, 1)
	one := Mutation{Index: 0, Fault: mutant.One}
	failing, _, err := k.Traces([]*cert.Trace{{Latches: []bool{false}, Inputs: [][]bool{{false}}}}, []Mutation{one})
	if err != nil || !slices.Equal(failing, []int{1}) {
		t.Errorf("the trace is said to fail %v (%v), it fails the properties 3 and 1, and 3 comes first", failing, err)
	}
	zero := Mutation{Index: 0, Fault: mutant.Zero}
	if _, _, err := k.Traces([]*cert.Trace{{Latches: []bool{false}, Inputs: [][]bool{{false}}}}, []Mutation{zero}); err == nil {
		t.Error("a trace on which no property of the list fails is accepted")
	}
}
