package certify

import (
	"math/rand/v2"
	"slices"
	"testing"

	"netcov/aiger/randaig"
	"netcov/cert"
	"netcov/mutant"
)

// TestSharedTraces compares traces that share memory with copies that share none.
func TestSharedTraces(t *testing.T) {
	accepted, refused, shared := 0, 0, 0
	for seed := range uint64(1500) {
		r := rand.New(rand.NewPCG(seed, 9))
		f := randaig.New(r, randaig.Everything())
		bads, _, _ := f.Properties()
		if len(bads) == 0 || len(f.Latches) == 0 || len(f.Inputs) == 0 {
			continue
		}
		k := NewChecker(f, r.Perm(len(bads))[:1+r.IntN(len(bads))]...)
		var good, copies []*cert.Trace
		var ms []Mutation
		for range 2 {
			long := &cert.Trace{Latches: make([]bool, len(f.Latches))}
			for i := range long.Latches {
				long.Latches[i] = r.IntN(2) == 0
			}
			for range 6 {
				row := make([]bool, len(f.Inputs)+1)
				for i := range row {
					row[i] = r.IntN(2) == 0
				}
				long.Inputs = append(long.Inputs, row)
			}
			for range 40 {
				m := Mutation{Index: r.IntN(len(f.Latches)), Fault: mutant.Faults()[r.IntN(len(mutant.Faults()))], Mux: mutant.Mux(r.IntN(2))}
				if r.IntN(2) == 0 && len(f.Ands) > 0 {
					m.Gate, m.Index = true, r.IntN(len(f.Ands))
				}
				if !Has(f, m) {
					continue
				}
				tr := &cert.Trace{Latches: long.Latches, Inputs: long.Inputs[:1+r.IntN(6)]}
				own := &cert.Trace{Latches: slices.Clone(tr.Latches)}
				for _, row := range tr.Inputs {
					own.Inputs = append(own.Inputs, slices.Clone(row))
				}
				if err := k.Trace(own, m); err != nil {
					refused++
					if _, at, err := k.shared([]*cert.Trace{tr}, []Mutation{m}, runsOf([]*cert.Trace{tr})); err == nil || at != 0 {
						t.Fatalf("seed %d: %v: a trace is accepted that alone is refused", seed, m)
					}
					continue
				}
				good, copies, ms = append(good, tr), append(copies, own), append(ms, m)
			}
		}
		if len(good) == 0 {
			continue
		}
		if runs := runsOf(good); len(good) >= sharedBy*len(runs) {
			shared++
		}
		got, _, err := k.Traces(good, ms)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		want, _, err := k.Traces(copies, ms)
		if err != nil || !slices.Equal(got, want) {
			t.Fatalf("seed %d: %v fail, want %v (%v)", seed, got, want, err)
		}
		accepted += len(good)
	}
	if accepted < 1000 || refused < 1000 || shared < 50 {
		t.Fatalf("weak test: %d accepted, %d refused, shared in %d designs", accepted, refused, shared)
	}
}
