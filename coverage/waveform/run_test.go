package waveform

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"netcov/aiger"
	"netcov/aiger/randaig"
)

// naive relaxes all edges until nothing changes.
func naive(f *aiger.File, roots []aiger.Lit) map[aiger.Lit]int {
	near := map[aiger.Lit]int{}
	for changed := true; changed; {
		changed = false
		edge := func(to aiger.Lit, d int) {
			if old, ok := near[to>>1]; !ok || d < old {
				near[to>>1], changed = d, true
			}
		}
		for _, l := range slices.Concat(roots, f.Constraints) {
			edge(l, 0)
		}
		for _, a := range f.Ands {
			if d, ok := near[a.Lhs>>1]; ok {
				edge(a.Rhs0, d)
				edge(a.Rhs1, d)
			}
		}
		for _, l := range f.Latches {
			if d, ok := near[l.Lit>>1]; ok {
				edge(l.Next, d+1)
				edge(l.Reset, d+1)
			}
		}
	}
	return near
}

// TestRunTable: a table of a run has the words that can reach the property, and no other
// one, with the values of the trace.
func TestRunTable(t *testing.T) {
	r := rand.New(rand.NewPCG(18, 2))
	rows := 0
	for range 2000 {
		f := randaig.New(r, randaig.Everything())
		bads, _, _ := f.Properties()
		if len(bads) == 0 {
			continue
		}
		f.Symbols = aiger.Symbols{}
		roots := bads[:1]
		near := distances(f, roots)
		if due := naive(f, roots); !maps.Equal(near, due) {
			t.Fatalf("distances %v, %v are due: %+v", near, due, f)
		}
		w := randaig.Trace(r, f, 1+r.IntN(4), 0)
		for i, l := range f.Latches {
			if l.HasResetFunction() {
				w.Init[i] = aiger.Unknown
			}
		}
		words := Words(f, func(i int) (string, aiger.Lit, bool) { return "", f.Latches[i].Lit, false })
		waves, err := RunDesign(f, w, words)
		if err != nil {
			t.Fatal(err)
		}
		out := waves.RunTable(f, roots)
		for i := range words {
			inside := slices.ContainsFunc(words[i].Bits, func(l aiger.Lit) bool { _, ok := near[l>>1]; return ok })
			line := ""
			for l := range strings.Lines(out) {
				if fields := strings.Fields(l); len(fields) > 1 && fields[0] == words[i].Kind.String() && fields[1] == words[i].String() {
					line = strings.Join(fields[2:], " ")
				}
			}
			var due []string
			for _, v := range waves.Values[0][i] {
				due = append(due, (&Word{}).shown(v))
			}
			if (line != "") != inside || inside && line != strings.Join(due, " ") {
				t.Fatalf("%s: %q, %q is due, in the cone: %v\n%s", words[i].String(), line, due, inside, out)
			}
			rows++
		}
	}
	if rows < 1000 {
		t.Errorf("only %d words", rows)
	}
}
