package sva

import (
	"fmt"
	"math/rand"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// Properties whose size is in their number of operators, not in their meaning.
func TestLargeProperties(t *testing.T) {
	numbered := func(format string, n int) string {
		var parts []string
		for i := range n {
			parts = append(parts, strings.ReplaceAll(format, "%", fmt.Sprint(i)))
		}
		return strings.Join(parts, "")
	}
	for _, c := range []struct{ name, text, refusal string }{
		{"and of equal ones", strings.Repeat("(a |=> b) and ", 5000) + "c", ""},
		{"and of others", numbered("(x% |=> y%) and ", 1000) + "c", ""},
		{"iff", strings.Repeat("(a ##1 b) iff ", 2000) + "c", ""},
		{"iff of others", numbered("x% iff ", 60) + "c", "ways to go on from a state are more than 4096"},
		{"long chain", strings.Repeat("a ##1 ", 4000) + "c", ""},
		{"longer chain", strings.Repeat("a ##1 ", 10_000) + "c", "registers of the checker are more than 4096"},
		{"operands", strings.Repeat("a until ", 20_000) + "c", "more than 20000 operands"},
		{"brackets", strings.Repeat("(", 100_000) + "a" + strings.Repeat(")", 100_000), ""},
		{"deep", strings.Repeat("(not ", 2000) + "a" + strings.Repeat(")", 2000), "nested more than 100 deep"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Lower("t.sv", "module m(input clk, a, b, c);\np: assert property (@(posedge clk) "+c.text+");\nendmodule\n")
			switch {
			case c.refusal == "" && err != nil:
				t.Fatal(err)
			case c.refusal != "" && (err == nil || !strings.HasPrefix(err.Error(), "t.sv:2:") || !strings.Contains(err.Error(), c.refusal)):
				t.Fatalf("got %v, want a refusal with %q", err, c.refusal)
			}
		})
	}
}

// The ways that either keeps are those that none of all the others makes superfluous.
func TestEitherAgainstAllPairs(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	subset := func(n int) []int {
		var s []int
		for i := range n {
			if rng.Intn(3) == 0 {
				s = append(s, i)
			}
		}
		return s
	}
	for range 2000 {
		var all []branching
		for range rng.Intn(12) {
			var b branching
			for _, i := range subset(6) {
				b.when = append(b.when, literal(i))
			}
			for _, i := range subset(4) {
				b.then = append(b.then, id(i))
			}
			all = append(all, b)
		}
		want := []branching{}
		for i, b := range all {
			if !b.when.consistent() {
				continue
			}
			if !slices.ContainsFunc(all, func(o branching) bool {
				j := slices.IndexFunc(all, func(x branching) bool { return reflect.DeepEqual(x, o) })
				equal := reflect.DeepEqual(o, b)
				return (!equal || j < i) && o.when.consistent() && within(o.when, b.when) && within(o.then, b.then)
			}) {
				want = append(want, b)
			}
		}
		cut := rng.Intn(len(all) + 1)
		if got := newFormulas().either(all[:cut], all[cut:]); !reflect.DeepEqual(got, want) {
			t.Fatalf("of %v: %v, want %v", all, got, want)
		}
	}
}
