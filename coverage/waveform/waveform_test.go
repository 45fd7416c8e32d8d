package waveform

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"netcov/aiger"
	"netcov/aiger/randaig"
	"netcov/aiger/sim"
	"netcov/mutant"
)

// TestAgainstSimulation: a value that is shown as known is what plain simulation gives,
// whatever stands for x; without x all values are known.
func TestAgainstSimulation(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 7))
	known, unknown := 0, 0
	for range 1500 {
		f := randaig.New(r, randaig.Everything())
		if len(f.Latches)+len(f.Ands) == 0 {
			continue
		}
		fault := sim.Fault{Kind: mutant.Fault(r.IntN(3)), Mux: mutant.Mux(r.IntN(2))}
		if k := r.IntN(len(f.Latches) + len(f.Ands)); k < len(f.Latches) {
			fault.Var = f.Latches[k].Lit >> 1
		} else {
			fault.Var = f.Ands[k-len(f.Latches)].Lhs >> 1
		}
		extra := 0
		if fault.Kind == mutant.Nondet {
			extra = 1
		}
		w := randaig.Trace(r, f, 1+r.IntN(4), extra)
		for i, l := range f.Latches {
			if l.HasResetFunction() {
				w.Init[i] = aiger.Unknown
			}
		}
		blurred := *w
		blurred.Init, blurred.Inputs = append([]aiger.Ternary{}, w.Init...), nil
		some := r.IntN(3) == 0
		for i, l := range f.Latches {
			if l.Reset == l.Lit && some && r.IntN(2) == 0 {
				blurred.Init[i] = aiger.Unknown
			}
		}
		for _, row := range w.Inputs {
			row = append([]aiger.Ternary{}, row...)
			for i := range row {
				if some && r.IntN(2) == 0 {
					row[i] = aiger.Unknown
				}
			}
			blurred.Inputs = append(blurred.Inputs, row)
		}
		words := Words(f, func(i int) (string, aiger.Lit, bool) {
			return f.Symbols.Latches[i], f.Latches[i].Lit ^ aiger.Lit(i%2), false
		})
		got, err := Run(f, &blurred, fault, words)
		if err != nil {
			t.Fatal(err)
		}
		var lits []aiger.Lit
		for i := range words {
			lits = append(lits, words[i].Bits...)
		}
		want, err := sim.WatchPair(f, w, fault, lits)
		if err != nil {
			t.Fatal(err)
		}
		for side := range 2 {
			at := 0
			for i := range words {
				for b := range words[i].Bits {
					for step := range got.Steps {
						c := got.Values[side][i][step][b]
						switch {
						case c == 'x' && !some:
							t.Fatalf("%v is x though every input is known\n%+v", words[i], f)
						case c == 'x':
							unknown++
						case (c == '1') != want.Values[side][step][at]:
							t.Fatalf("side %d, %v, step %d: %c, really %v\n%+v\n%+v\n%v", side, words[i], step, c, want.Values[side][step][at], f, blurred, fault)
						default:
							known++
						}
					}
					at++
				}
			}
		}
	}
	if known < 1000 || unknown < 1000 {
		t.Errorf("%d known, %d unknown: the test says little", known, unknown)
	}
}

// small has a word of two bits, an input and an output.
const small = "aag 4 1 2 1 1\n2\n4 2\n6 4\n6\n8 4 2\ni0 top.go\nl0 top.u.v[0]\nl1 top.u.v[1]\no0 top.out\n"

func TestTableAndDump(t *testing.T) {
	f, err := aiger.Read(strings.NewReader(small), "small", aiger.Options{})
	if err != nil {
		t.Fatal(err)
	}
	w := &aiger.Witness{Status: aiger.Fails, Init: []aiger.Ternary{0, 0}, Inputs: [][]aiger.Ternary{{1}, {2}, {2}}}
	r, err := Run(f, w, sim.Fault{Var: 2, Kind: mutant.Zero}, Words(f, func(i int) (string, aiger.Lit, bool) { return f.Symbols.Latches[i], f.Latches[i].Lit, false }))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"input   top.go        1       x            x",
		"fault   top.u.v[1:0]  0x0     0x1 → 0x0 *  0b1x → 0x0",
		"output  top.out       0       0            1 → 0 *",
	} {
		if !strings.Contains(r.Table(), want) {
			t.Errorf("no line %q in\n%s", want, r.Table())
		}
	}
	var b bytes.Buffer
	if err := r.VCD(&b, "latch 0, zero"); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"$scope module design $end\n$scope module top $end\n$var wire 1 \" go $end\n", "$scope module u $end\n$var reg 2 $ v [1:0] $end",
		"$scope module mutant $end", "#10\n", "b01 $\n", "#20\n", "b1x $\n", "#30\n",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
}
