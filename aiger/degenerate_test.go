package aiger_test

import (
	"bytes"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"netcov/aiger"
	"netcov/aiger/sim"
	"netcov/mutant"
)

// Designs of extreme shapes, each read, written in both forms, read again and
// replayed.

// replayed checks the first bad step of property 0 on a trace of n steps whose
// inputs are all 1 and whose latches start at 0.
func replayed(t *testing.T, f *aiger.File, n, first int, fault *sim.Fault) {
	t.Helper()
	w := &aiger.Witness{Status: aiger.Fails, Init: make([]aiger.Ternary, len(f.Latches))}
	for i := range w.Init {
		w.Init[i] = aiger.Unknown
	}
	for range n {
		row := make([]aiger.Ternary, len(f.Inputs))
		for i := range row {
			row[i] = aiger.True
		}
		w.Inputs = append(w.Inputs, row)
	}
	got, err := sim.Replay(f, w, fault)
	if err != nil || got.FirstBad[0] != first {
		t.Fatalf("first bad step %v (%v), want %d", got.FirstBad, err, first)
	}
}

func TestDegenerateTiny(t *testing.T) {
	for name, c := range map[string]struct {
		text  string
		first int
	}{
		"nothing but a constant":       {"aag 0 0 0 1 0\n1\n", 0},
		"constant false":               {"aag 0 0 0 1 0\n0\n", -1},
		"property equal to an input":   {"aag 1 1 0 1 0\n2\n2\n", 0},
		"no inputs":                    {"aag 2 0 2 1 0\n2 1\n4 2\n4\n", 2},
		"no latches":                   {"aag 3 2 0 1 1\n2\n4\n6\n6 4 2\n", 0},
		"a latch that feeds itself":    {"aag 1 0 1 1 0\n2 2\n2\n", -1},
		"a toggling latch":             {"aag 1 0 1 1 0\n2 3\n2\n", 1},
		"gates over constants only":    {"aag 2 0 0 1 2\n4\n2 1 1\n4 2 1\n", 0},
		"an output of several kinds":   {"aag 1 1 0 1 0 1\n2\n3\n2\n", 0},
		"every input unused":           {"aag 3 3 0 1 0\n2\n4\n6\n1\n", 0},
		"unsatisfiable constraints":    {"aag 1 1 0 0 0 1 2\n2\n2\n2\n3\n", 0},
		"uninitialised and only reset": {"aag 1 0 1 1 0\n2 2 2\n2\n", -1},
	} {
		t.Run(name, func(t *testing.T) {
			f := reread(t, []byte(c.text))
			roundTrip(t, f)
			replayed(t, f, 3, c.first, nil)
			replayed(t, f.Normalize(), 3, c.first, nil)
		})
	}
}

func TestDegenerateProperties(t *testing.T) {
	var b strings.Builder
	b.WriteString("aag 1 1 0 0 0 1000\n2\n")
	for k := range 1000 {
		fmt.Fprintln(&b, 2+k%2)
	}
	for k := range 1000 {
		fmt.Fprintf(&b, "b%d property %d\n", k, k)
	}
	f := reread(t, []byte(b.String()))
	roundTrip(t, f)
	w := &aiger.Witness{Status: aiger.Fails, Inputs: [][]aiger.Ternary{{aiger.True}, {aiger.False}}}
	got, err := sim.Replay(f, w, nil)
	if err != nil || len(got.FirstBad) != 1000 {
		t.Fatal(err)
	}
	for k, first := range got.FirstBad {
		if first != k%2 {
			t.Fatalf("property %d: first bad step %d", k, first)
		}
	}
}

// TestDegenerateShift is a shift register of 100,000 latches, from an input to
// the property, with each latch reset to the one before it.
func TestDegenerateShift(t *testing.T) {
	const n = 100_000
	for _, resets := range []bool{false, true} {
		var b bytes.Buffer
		fmt.Fprintf(&b, "aag %d 1 %d 1 0\n2\n", n+1, n)
		for k := n + 1; k > 1; k-- {
			if resets {
				fmt.Fprintf(&b, "%d %d %d\n", 2*k, 2*k-2, 2*k-2)
			} else {
				fmt.Fprintf(&b, "%d %d\n", 2*k, 2*k-2)
			}
		}
		fmt.Fprintf(&b, "%d\n", 2*(n+1))
		f := reread(t, b.Bytes())
		roundTrip(t, f)
		if resets {
			replayed(t, f, 1, 0, nil)
		} else {
			replayed(t, f, 10, -1, nil)
		}
		fault := sim.Fault{Var: n - 2, Kind: mutant.One}
		replayed(t, f, 10, map[bool]int{false: 3, true: 0}[resets], &fault)
		g, err := sim.Mutant(f, fault)
		if err != nil {
			t.Fatal(err)
		}
		replayed(t, g, 10, map[bool]int{false: 3, true: 0}[resets], nil)
	}
}

// TestDegenerateCyclicShift closes the chain of resets to a cycle.
func TestDegenerateCyclicShift(t *testing.T) {
	const n = 100_000
	var b bytes.Buffer
	fmt.Fprintf(&b, "aag %d 0 %d 0 0\n", n, n)
	for k := 1; k <= n; k++ {
		fmt.Fprintf(&b, "%d 0 %d\n", 2*k, 2*(k%n+1))
	}
	if _, err := aiger.Read(&b, "cycle", aiger.Options{}); err == nil || !strings.Contains(err.Error(), "cycle of resets") {
		t.Fatal(err)
	}
}

// TestDegenerateChain is a chain of a million gates, listed from its end, so
// that it has to be sorted.
func TestDegenerateChain(t *testing.T) {
	n := 1_000_000
	if testing.Short() {
		n = 100_000
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "aag %d 1 0 1 %d\n2\n%d\n", n+1, n, 2*(n+1))
	for k := n + 1; k > 1; k-- {
		fmt.Fprintf(&b, "%d %d 1\n", 2*k, 2*k-2)
	}
	f := reread(t, b.Bytes())
	if f.AndPosition(0) != n-1 || f.AndPosition(n-1) != 0 || f.Ands[0].Lhs != 4 {
		t.Fatalf("positions %d %d", f.AndPosition(0), f.AndPosition(n-1))
	}
	g := reread(t, written(t, f, binary))
	replayed(t, g, 2, 0, nil)
	fault := sim.Fault{Var: uint32(n / 2), Kind: mutant.Zero, Mux: mutant.AtNext}
	replayed(t, f, 2, 0, &fault)
	fault.Mux = mutant.AtOutput
	replayed(t, f, 2, -1, &fault)
	m, err := sim.Mutant(f, fault)
	if err != nil {
		t.Fatal(err)
	}
	replayed(t, m, 2, -1, nil)
	if again := written(t, f, ascii); !bytes.Equal(again, b.Bytes()) {
		t.Error("the file's order is lost")
	}

	cycle := bytes.Replace(b.Bytes(), []byte("\n4 2 1\n"), fmt.Appendf(nil, "\n4 %d 1\n", 2*(n+1)), 1)
	if _, err := aiger.Read(bytes.NewReader(cycle), "cycle", aiger.Options{}); err == nil || !strings.Contains(err.Error(), "combinational cycle") {
		t.Fatal(err)
	}
}

func TestDegenerateSymbols(t *testing.T) {
	long := strings.Repeat("a [b] ", 1<<20/6)
	f := reread(t, []byte("aag 1 1 0 1 0\n2\n2\ni0 "+long+"\no0 "+long+"\nc\n"+long+"\n"))
	if f.Symbols.Inputs[0] != long || f.Symbols.Outputs[0] != long || f.Comment != long+"\n" {
		t.Error("a symbol of a megabyte is damaged")
	}
	roundTrip(t, f)
	_, err := aiger.Read(strings.NewReader("aag 1 1 0 1 0\n2\n2\n"+long+"\n"), "long", aiger.Options{})
	if err == nil || len(err.Error()) > 300 {
		t.Errorf("a refusal repeats a long line: %d bytes", len(err.Error()))
	}
}

// TestHostileHeaders: whatever a header promises, memory stays in proportion to
// the data.
func TestHostileHeaders(t *testing.T) {
	const most = 2147483647
	for _, text := range []string{
		fmt.Sprintf("aag %d 1 0 0 0\n2\n", most),
		fmt.Sprintf("aag %d %d 0 0 0\n2\n", most, most),
		fmt.Sprintf("aig %d %d 0 0 0\n", most, most),
		fmt.Sprintf("aig %d 0 %d 0 0\n2\n", most, most),
		fmt.Sprintf("aig %d 0 0 0 %d\n2\n", most, most),
		fmt.Sprintf("aag 0 0 0 %d 0\n2\n", most),
		fmt.Sprintf("aag 0 0 0 0 0 %d\n2\n", most),
		fmt.Sprintf("aag 0 0 0 0 0 0 %d\n2\n", most),
		fmt.Sprintf("aag 0 0 0 0 0 0 0 %d\n2\n", most),
		fmt.Sprintf("aag 0 0 0 0 0 0 0 0 %d\n2\n", most),
		fmt.Sprintf("aag 0 0 0 0 0 0 0 1\n%d\n2\n", most),
		fmt.Sprintf("aag 0 0 0 0 0 0 0 2\n%d\n%d\n2\n", most, most),
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := aiger.Read(strings.NewReader(text), "hostile", aiger.Options{})
		runtime.ReadMemStats(&after)
		if err == nil {
			t.Errorf("%q is accepted", text)
		}
		if used := after.TotalAlloc - before.TotalAlloc; used > 4<<20 {
			t.Errorf("%q takes %d bytes", text, used)
		}
	}
}
