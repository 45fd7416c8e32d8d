package sim

import (
	"bytes"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"netcov/aiger"
	"netcov/aiger/randaig"
	"netcov/mutant"
)

// naive computes values by the words of the definition, recursively, one value
// at a time.
type naive struct {
	f     *aiger.File
	w     *aiger.Witness
	fault *Fault
	memo  map[[2]int]bool // own values by variable and step
}

func (n *naive) bit(t, column int) bool { return n.w.Inputs[t][column] == aiger.True }

// forced is what stands for a value of step t.
func (n *naive) forced(t int, value bool) bool {
	var a, b bool // what a gate reads
	for _, and := range n.f.Ands {
		if and.Lhs>>1 == n.fault.Var {
			a, b = n.seen(and.Rhs0, t), n.seen(and.Rhs1, t)
		}
	}
	switch n.fault.Kind {
	case mutant.Zero:
		return false
	case mutant.One:
		return true
	case mutant.Nondet:
		return n.bit(t, len(n.f.Inputs))
	case mutant.Missed:
		missed := false
		for before := range t {
			missed = missed || n.bit(before, len(n.f.Inputs))
		}
		if n.bit(t, len(n.f.Inputs)) && !missed {
			return n.own(n.fault.Var, t)
		}
		return value
	case mutant.Reset:
		return value != (t == 0)
	case mutant.Or:
		return a || b
	case mutant.Input0:
		return b
	case mutant.Input1:
		return a
	}
	return !value // inverted
}

// seen is what a reader sees in step t.
func (n *naive) seen(lit aiger.Lit, t int) bool {
	v := lit >> 1
	value := false
	if n.fault != nil && n.fault.Var == v && n.faulty(v, t) {
		value = n.forced(t, n.own(v, t))
	} else {
		value = n.own(v, t)
	}
	return value != (lit&1 == 1)
}

func (n *naive) place() mutant.Mux {
	switch n.fault.Kind {
	case mutant.Reset:
		return mutant.AtOutput
	case mutant.Missed:
		return mutant.AtNext
	}
	return n.fault.Mux
}

func (n *naive) faulty(v uint32, t int) bool {
	if n.place() == mutant.AtOutput {
		return true
	}
	isGate := slices.ContainsFunc(n.f.Ands, func(a aiger.And) bool { return a.Lhs>>1 == v })
	return isGate && t > 0
}

// own is a variable's value before any multiplexer on its output.
func (n *naive) own(v uint32, t int) (value bool) {
	key := [2]int{int(v), t}
	if known, ok := n.memo[key]; ok {
		return known
	}
	defer func() { n.memo[key] = value }()
	for i, lit := range n.f.Inputs {
		if lit>>1 == v {
			return n.bit(t, i)
		}
	}
	for i, l := range n.f.Latches {
		if l.Lit>>1 != v {
			continue
		}
		switch {
		case t == 0:
			return n.reset(i)
		case n.fault != nil && n.fault.Var == v && n.place() == mutant.AtNext:
			return n.forced(t-1, n.seen(l.Next, t-1))
		}
		return n.seen(l.Next, t-1)
	}
	for _, a := range n.f.Ands {
		if a.Lhs>>1 == v {
			return n.seen(a.Rhs0, t) && n.seen(a.Rhs1, t)
		}
	}
	return false // the constant
}

func (n *naive) reset(i int) bool {
	l := n.f.Latches[i]
	if l.Reset == l.Lit {
		return n.w.Init[i] == aiger.True
	}
	design := naive{f: n.f, w: n.w, memo: map[[2]int]bool{}}
	return design.seen(l.Reset, 0)
}

func naiveReplay(f *aiger.File, w *aiger.Witness, fault *Fault) Result {
	n := naive{f: f, w: w, fault: fault, memo: map[[2]int]bool{}}
	bads, _, _ := f.Properties()
	result := Result{FirstBad: slices.Repeat([]int{-1}, len(bads))}
	holding := true
	for t := range w.Inputs {
		for _, c := range f.Constraints {
			holding = n.seen(c, t) && holding
		}
		if holding {
			result.ConstraintsHold = t + 1
		}
		for p, lit := range bads {
			if result.FirstBad[p] < 0 && n.seen(lit, t) {
				result.FirstBad[p] = t
			}
		}
	}
	return result
}

func allFaults(f *aiger.File) []Fault {
	var vars []uint32
	for _, l := range f.Latches {
		vars = append(vars, l.Lit>>1)
	}
	for _, a := range f.Ands {
		vars = append(vars, a.Lhs>>1)
	}
	var all []Fault
	for i, v := range vars {
		for _, kind := range mutant.Faults() {
			t := mutant.Target{Index: i}
			if i >= len(f.Latches) {
				t = mutant.Target{Gate: true, Index: i - len(f.Latches)}
			}
			if Has(f, t, kind) {
				all = append(all, Fault{v, kind, mutant.AtOutput}, Fault{v, kind, mutant.AtNext})
			}
		}
	}
	return all
}

// cut returns w without its last input column.
func cut(w *aiger.Witness) *aiger.Witness {
	c := *w
	c.Inputs = nil
	for _, row := range w.Inputs {
		c.Inputs = append(c.Inputs, row[:len(row)-1])
	}
	return &c
}

// TestReplay compares with the naive replay, all faults at once and one at a
// time, and with the design itself.
func TestReplay(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	failing, differing, resets := 0, 0, 0
	for range rounds(t) {
		f := randaig.New(r, randaig.Everything())
		w := randaig.Trace(r, f, 6, 1)
		plain, err := Replay(f, cut(w), nil)
		if err != nil {
			t.Fatal(err)
		}
		if want := naiveReplay(f, cut(w), nil); !reflect.DeepEqual(plain, want) {
			t.Fatalf("design: %v, want %v\n%+v\n%v", plain, want, f, w)
		}
		if slices.ContainsFunc(f.Latches, aiger.Latch.HasResetFunction) {
			resets++
		}
		faults := allFaults(f)
		r.Shuffle(len(faults), func(i, j int) { faults[i], faults[j] = faults[j], faults[i] })
		many, err := ReplayMany(f, w, faults)
		if err != nil || len(many) != len(faults) {
			t.Fatal(err)
		}
		for k, fault := range faults {
			want := naiveReplay(f, w, &fault)
			if !reflect.DeepEqual(many[k], want) {
				t.Fatalf("%v: %v, want %v\n%+v\n%v", fault, many[k], want, f, w)
			}
			for p := range want.FirstBad {
				if want.Fails(p) {
					failing++
				}
			}
			if !reflect.DeepEqual(want, plain) {
				differing++
			}
		}
	}
	if failing == 0 || differing == 0 || resets == 0 {
		t.Errorf("weak test: %d failing, %d differing, %d with reset functions", failing, differing, resets)
	}
}

// TestReplayEach gives every fault a trace of its own, of any length, and
// compares with the naive replay.
func TestReplayEach(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	failing := 0
	for range rounds(t) {
		f := randaig.New(r, randaig.Everything())
		faults := allFaults(f)
		r.Shuffle(len(faults), func(i, j int) { faults[i], faults[j] = faults[j], faults[i] })
		var ws []*aiger.Witness
		for _, fault := range faults {
			w := randaig.Trace(r, f, 1+r.IntN(8), 1)
			if !fault.Kind.Free() && r.IntN(2) == 0 {
				w = cut(w)
			}
			ws = append(ws, w)
		}
		each, err := ReplayEach(f, ws, faults)
		if err != nil || len(each) != len(faults) {
			t.Fatal(err)
		}
		for k, fault := range faults {
			want := naiveReplay(f, ws[k], &fault)
			if !reflect.DeepEqual(each[k], want) {
				t.Fatalf("%v: %v, want %v\n%+v\n%v", fault, each[k], want, f, ws[k])
			}
			for p := range want.FirstBad {
				if want.Fails(p) {
					failing++
				}
			}
		}
	}
	if failing == 0 {
		t.Error("weak test: no trace fails")
	}
	if _, err := ReplayEach(randaig.New(r, randaig.Everything()), nil, []Fault{{2, mutant.One, mutant.AtOutput}}); err == nil {
		t.Error("a fault without a trace is accepted")
	}
}

func rounds(t *testing.T) int {
	if testing.Short() {
		return 200
	}
	return 1500
}

// TestMutant replays on the mutant's own file, also after writing and reading.
func TestMutant(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for range rounds(t) {
		f := randaig.New(r, randaig.Everything())
		w := randaig.Trace(r, f, 6, 1)
		faults := allFaults(f)
		if len(faults) > 12 {
			r.Shuffle(len(faults), func(i, j int) { faults[i], faults[j] = faults[j], faults[i] })
			faults = faults[:12]
		}
		var before bytes.Buffer
		if err := aiger.WriteASCII(&before, f); err != nil {
			t.Fatal(err)
		}
		for _, fault := range faults {
			trace := w
			if !fault.Kind.Free() {
				trace = cut(w)
			}
			want, err := Replay(f, trace, &fault)
			if err != nil {
				t.Fatal(err)
			}
			g, err := Mutant(f, fault)
			if err != nil {
				t.Fatal(err)
			}
			checkMutant(t, g, f, fault, trace, want)
			h := reread(t, g, ascii)
			checkMutant(t, h, f, fault, trace, want)
			checkMutant(t, reread(t, h, binary), f, fault, trace, want)
		}
		var after bytes.Buffer
		if err := aiger.WriteASCII(&after, f); err != nil || !bytes.Equal(before.Bytes(), after.Bytes()) {
			t.Fatal("Mutant changed its argument")
		}
	}
}

func reread(t *testing.T, f *aiger.File, write func(w *bytes.Buffer, f *aiger.File) error) *aiger.File {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b, f); err != nil {
		t.Fatalf("%v\n%+v", err, f)
	}
	g, err := aiger.Read(&b, "mutant", aiger.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func checkMutant(t *testing.T, g, f *aiger.File, fault Fault, trace *aiger.Witness, want Result) {
	t.Helper()
	if fault.Kind.Free() && (len(g.Inputs) != len(f.Inputs)+1 || g.Symbols.Inputs[len(f.Inputs)] != FreeInput) {
		t.Fatalf("%v: inputs %v %v", fault, g.Inputs, g.Symbols.Inputs)
	}
	mine := *trace
	if len(g.Latches) > len(f.Latches) {
		if name := g.Symbols.Latches[len(f.Latches)]; name != StartedLatch && name != MissedLatch {
			t.Fatalf("%v: latches %v %v", fault, g.Latches, g.Symbols.Latches)
		}
		mine.Init = append(slices.Clone(mine.Init), aiger.False)
	}
	got, err := Replay(g, &mine, nil)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Fatalf("%v: mutant file %v %v, want %v\n%+v\n%+v\n%v", fault, got, err, want, f, g, trace)
	}
}

// TestMonotone holds the free input constant: nondet is then a stuck-at fault.
func TestMonotone(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for range 300 {
		f := randaig.New(r, randaig.Everything())
		w := randaig.Trace(r, f, 6, 1)
		for _, fault := range allFaults(f) {
			if _, stuck := fault.Kind.Stuck(); !stuck {
				continue
			}
			for _, row := range w.Inputs {
				row[len(row)-1] = aiger.Ternary(fault.Kind) // Zero is 0, One is 1
			}
			free := Fault{fault.Var, mutant.Nondet, fault.Mux}
			a, err := Replay(f, cut(w), &fault)
			if err != nil {
				t.Fatal(err)
			}
			b, err := Replay(f, w, &free)
			if err != nil || !reflect.DeepEqual(a, b) {
				t.Fatalf("%v: %v %v %v", fault, a, b, err)
			}
		}
	}
}

func parse(t *testing.T, text string) *aiger.File {
	t.Helper()
	f, err := aiger.Read(strings.NewReader(text), "test", aiger.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func trace(t *testing.T, text string) *aiger.Witness {
	t.Helper()
	list, err := aiger.ReadWitnesses(strings.NewReader(text), "test", nil)
	if err != nil {
		t.Fatal(err)
	}
	return list[0]
}

// TestBadInFrame0 is the two-latch design on which an invariant that stays
// inductive says nothing: v is 0 forever, bad is v.
func TestBadInFrame0(t *testing.T) {
	f := parse(t, "aag 2 0 2 0 0 1\n2 2\n4 2\n2\n")
	w := trace(t, "1\nb0\n00\n\n\n\n.\n")
	for _, c := range []struct {
		fault Fault
		first int
	}{
		{Fault{1, mutant.One, mutant.AtOutput}, 0},
		{Fault{1, mutant.Zero, mutant.AtOutput}, -1},
		{Fault{1, mutant.One, mutant.AtNext}, 1},
		{Fault{2, mutant.One, mutant.AtOutput}, -1},
	} {
		got, err := Replay(f, w, &c.fault)
		if err != nil || got.FirstBad[0] != c.first || got.Fails(0) != (c.first >= 0) {
			t.Errorf("%v: %v %v", c.fault, got, err)
		}
	}
}

// TestConstraints: the constraints count up to and including the bad step.
func TestConstraints(t *testing.T) {
	// A counter of two steps: latch 2 then latch 4; bad is 4, the constraint is input 6.
	f := parse(t, "aag 3 1 2 0 0 1 1\n6\n2 1\n4 2\n4\n6\n")
	for inputs, want := range map[string]Result{
		"1\n1\n1\n": {3, []int{2}},
		"1\n1\n0\n": {2, []int{2}},
		"0\n1\n1\n": {0, []int{2}},
		"1\n1\n":    {2, []int{-1}},
	} {
		got, err := Replay(f, trace(t, "1\nb0\n00\n"+inputs+".\n"), nil)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %v %v, want %v", inputs, got, err, want)
		}
		if got.Fails(0) != (inputs == "1\n1\n1\n") {
			t.Errorf("%q: fails is %v", inputs, got.Fails(0))
		}
	}
}

// TestResetReadsDesign: latch 6 is reset to a chain of two gates over latch 4;
// faults of 4 and of the gates leave its reset as it is, also in the mutant file.
func TestResetReadsDesign(t *testing.T) {
	f := parse(t, "aag 5 1 2 0 2 1\n2\n4 4 1\n6 6 10\n6\n8 4 4\n10 8 8\n")
	w := trace(t, "1\nb0\n11\n0\n0\n.\n")
	for _, v := range []uint32{2, 4, 5} {
		fault := Fault{v, mutant.Zero, mutant.AtOutput}
		got, err := Replay(f, w, &fault)
		if err != nil || got.FirstBad[0] != 0 {
			t.Errorf("variable %d: %v %v", v, got, err)
		}
		g, err := Mutant(f, fault)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := Replay(g, w, nil); err != nil || got.FirstBad[0] != 0 {
			t.Errorf("mutant of variable %d: %v %v", v, got, err)
		}
	}
}

// TestManyFaults uses more faults than one word has lanes.
func TestManyFaults(t *testing.T) {
	f := parse(t, "aag 2 1 1 1 0\n2\n4 2\n4\n")
	var faults []Fault
	for k := range 200 {
		faults = append(faults, Fault{2, mutant.Fault(k % 3), mutant.AtOutput})
	}
	got, err := ReplayMany(f, trace(t, "1\nb0\n0\n00\n01\n.\n"), faults)
	if err != nil || len(got) != 200 {
		t.Fatal(len(got), err)
	}
	for k, r := range got {
		if want := []int{-1, 0, 1}[k%3]; r.FirstBad[0] != want {
			t.Errorf("fault %d: %v, want %d", k, r, want)
		}
	}
	if got, err := ReplayMany(f, trace(t, "1\nb0\n0\n0\n.\n"), nil); err != nil || len(got) != 0 {
		t.Error(got, err)
	}
}

// TestUnknown: x is 0 in inputs and uninitialised latches, the reset elsewhere.
func TestUnknown(t *testing.T) {
	f := parse(t, "aag 4 1 3 4 0\n2\n4 4\n6 6 1\n8 8 8\n2\n4\n6\n8\n")
	got, err := Replay(f, trace(t, "1\nb0\nxxx\nx\n.\n"), nil)
	if err != nil || !reflect.DeepEqual(got.FirstBad, []int{-1, -1, 0, -1}) {
		t.Error(got, err)
	}
}

func TestRefusals(t *testing.T) {
	f := parse(t, "aag 4 1 3 1 0\n2\n4 4 1\n6 6 6\n8 8 5\n4\n")
	for _, c := range []struct {
		name, text string
		fault      *Fault
		want       string
	}{
		{"no trace", "0\nb0\n.\n", nil, "no trace"},
		{"short state", "1\nb0\n10\n0\n.\n", nil, "2 values, 3 latches"},
		{"reset to 1", "1\nb0\n000\n0\n.\n", nil, "latch 0 (literal 4) the value 0, its reset is 1"},
		{"reset function", "1\nb0\n101\n0\n.\n", nil, "latch 2"},
		{"wide rows", "1\nb0\n100\n00\n.\n", nil, "2 input values, 1 are due"},
		{"wide rows, stuck-at", "1\nb0\n100\n00\n.\n", &Fault{2, mutant.One, mutant.AtOutput}, "2 input values, 1 are due"},
		{"no free column", "1\nb0\n100\n0\n.\n", &Fault{2, mutant.Nondet, mutant.AtOutput}, "1 input values, 2 are due"},
		{"fault of an input", "1\nb0\n100\n0\n.\n", &Fault{1, mutant.One, mutant.AtOutput}, "neither a latch nor a gate"},
		{"fault of nothing", "1\nb0\n100\n0\n.\n", &Fault{99, mutant.One, mutant.AtOutput}, "neither a latch nor a gate"},
		{"unknown fault", "1\nb0\n100\n0\n.\n", &Fault{2, 99, mutant.AtOutput}, "unknown fault"},
	} {
		_, err := Replay(f, trace(t, c.text), c.fault)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	for _, text := range []string{"1\nb0\n100\n0\n.\n", "1\nb0\n100\n000\n.\n"} {
		if _, err := ReplayMany(f, trace(t, text), []Fault{{2, mutant.Nondet, mutant.AtOutput}}); err == nil {
			t.Errorf("%q: accepted", text)
		}
	}
	uneven := trace(t, "1\nb0\n100\n0\n.\n")
	uneven.Inputs = append(uneven.Inputs, []aiger.Ternary{0, 0})
	if _, err := ReplayMany(f, uneven, []Fault{{2, mutant.One, mutant.AtOutput}}); err == nil {
		t.Error("uneven rows are accepted")
	}
	if _, err := Mutant(f, Fault{1, mutant.One, mutant.AtOutput}); err == nil {
		t.Error("a mutant of an input")
	}
}

func ascii(w *bytes.Buffer, f *aiger.File) error  { return aiger.WriteASCII(w, f) }
func binary(w *bytes.Buffer, f *aiger.File) error { return aiger.WriteBinary(w, f) }
