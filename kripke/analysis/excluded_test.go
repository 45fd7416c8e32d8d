package analysis

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"netcov/frontend"
	"netcov/kripke/ctl"
	"netcov/kripke/formula"
	"netcov/kripke/load"
)

// paths is a graph of states for the oracle.
type paths struct {
	initial []int
	step    [][]bool
	fair    [][]bool // sets of states
}

// some reports whether a fair path starts in an initial state: whether some state on a
// cycle can be reached that goes to each set and comes back. It looks at which states
// reach which in one step or more, by the closure of the steps.
func (g paths) some() bool {
	n := len(g.step)
	reach := make([][]bool, n)
	for i := range reach {
		reach[i] = slices.Clone(g.step[i])
	}
	for k := range n {
		for i := range n {
			for j := range n {
				reach[i][j] = reach[i][j] || reach[i][k] && reach[k][j]
			}
		}
	}
	for t := range n {
		if !slices.ContainsFunc(g.initial, func(s int) bool { return s == t || reach[s][t] }) || !reach[t][t] {
			continue
		}
		every := true
		for _, f := range g.fair {
			some := false
			for s := range n {
				some = some || f[s] && reach[t][s] && reach[s][t]
			}
			every = every && some
		}
		if every {
			return true
		}
	}
	return false
}

// randomStructure is a structure in text form.
func randomStructure(rng *rand.Rand) (string, paths) {
	n := 2 + rng.IntN(5)
	g := paths{step: make([][]bool, n)}
	var text strings.Builder
	text.WriteString("ap o\ninit s0\n")
	g.initial = []int{0}
	if rng.IntN(2) == 0 {
		text.WriteString("init s1\n")
		g.initial = []int{0, 1}
	}
	for s := range n {
		g.step[s] = make([]bool, n)
		for range 1 + rng.IntN(2) {
			g.step[s][rng.IntN(n)] = true
		}
		fmt.Fprintf(&text, "state s%d { %s } ->", s, []string{"", "o"}[rng.IntN(2)])
		for t, step := range g.step[s] {
			if step {
				fmt.Fprintf(&text, " s%d", t)
			}
		}
		text.WriteByte('\n')
	}
	for range rng.IntN(3) {
		set := make([]bool, n)
		text.WriteString("fair")
		for range 1 + rng.IntN(2) {
			set[rng.IntN(n)] = true
		}
		for s, in := range set {
			if in {
				fmt.Fprintf(&text, " s%d", s)
			}
		}
		text.WriteByte('\n')
		g.fair = append(g.fair, set)
	}
	return text.String(), g
}

// randomAIGER is a circuit of one input and three latches with fairness and, at times, a
// constraint. Its states are the values of the four.
func randomAIGER(rng *rand.Rand) (text string, g paths, begins bool) {
	const latches, ands = 3, 5
	lit := func(below int) int { return rng.IntN(2 * below) }
	vars := 1 + latches + ands
	var next, and []int
	for range latches {
		next = append(next, lit(vars+1))
	}
	for v := 2 + latches; v <= vars; v++ {
		and = append(and, lit(v), lit(v))
	}
	constraint, fair := 1, []int{}
	for range 1 + rng.IntN(2) {
		fair = append(fair, lit(vars+1))
	}
	count := 0
	if rng.IntN(2) == 0 {
		constraint, count = lit(vars+1), 1
	}
	var b strings.Builder
	fmt.Fprintf(&b, "aag %d 1 %d 1 %d 0 %d 0 %d\n2\n", vars, latches, ands, count, len(fair))
	for i, l := range next {
		fmt.Fprintf(&b, "%d %d\n", 4+2*i, l)
	}
	fmt.Fprintln(&b, lit(vars+1))
	if count > 0 {
		fmt.Fprintln(&b, constraint)
	}
	for _, l := range fair {
		fmt.Fprintln(&b, l)
	}
	for i := range ands {
		fmt.Fprintln(&b, 2*(2+latches+i), and[2*i], and[2*i+1])
	}
	b.WriteString("i0 i\nl0 a\nl1 b\nl2 c\no0 o\n")
	value := func(state, l int) bool {
		values := []bool{false}
		for i := range 1 + latches {
			values = append(values, state>>i&1 == 1)
		}
		of := func(l int) bool { return values[l/2] != (l%2 == 1) }
		for i := range ands {
			values = append(values, of(and[2*i]) && of(and[2*i+1]))
		}
		return of(l)
	}
	n := 1 << (1 + latches)
	g = paths{step: make([][]bool, n), fair: make([][]bool, len(fair))}
	for s := range n {
		g.step[s] = make([]bool, n)
		for i, l := range fair {
			g.fair[i] = append(g.fair[i], value(s, l))
		}
		if !value(s, constraint) {
			continue
		}
		if s>>1 == 0 {
			g.initial = append(g.initial, s)
		}
		to := 0
		for i, l := range next {
			if value(s, l) {
				to |= 2 << i
			}
		}
		for _, t := range []int{to, to + 1} {
			g.step[s][t] = value(t, constraint)
		}
	}
	return b.String(), g, len(g.initial) > 0
}

// TestExcluded: every algorithm warns exactly where no path is left; one that reaches a
// limit may say nothing.
func TestExcluded(t *testing.T) {
	ctx := context.Background()
	rounds := uint64(120)
	if testing.Short() {
		rounds = 30
	}
	seen := map[string]int{}
	for seed := range rounds {
		rng := rand.New(rand.NewPCG(seed, 7))
		name, begins := "m.kripke", true
		var text string
		var g paths
		if seed%2 == 0 {
			text, g = randomStructure(rng)
		} else {
			name = "m.aag"
			text, g, begins = randomAIGER(rng)
		}
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		excluded := !g.some()
		check := func(what string, warnings, notes []string, limited bool) {
			t.Helper()
			warned := slices.Equal(warnings, []string{noPath})
			if warned != slices.Contains(notes, "warning: "+noPath) || len(warnings) > 1 {
				t.Fatalf("seed %d, %s: warnings %q, notes %q", seed, what, warnings, notes)
			}
			if warned != excluded && (warned || !limited) {
				t.Fatalf("seed %d, %s: warned: %v, excluded: %v\n%s", seed, what, warned, excluded, text)
			}
			seen[fmt.Sprint(name, " ", what, " ", warned)]++
		}
		read := func() *load.Source {
			src, err := load.Open(ctx, path, frontend.Options{})
			if err != nil {
				t.Fatalf("%v\n%s", err, text)
			}
			return src
		}
		spec := func(text string, logic formula.Logic) []formula.Formula {
			f, err := formula.Parse(text, logic)
			if err != nil {
				t.Fatal(err)
			}
			return []formula.Formula{f}
		}
		quiet := Room{Progress: func(string) {}}
		for _, text := range []string{"G o", "F o | G !o", "FALSE"} {
			for _, a := range append(slices.Clone(LTLAlgorithms), "little") {
				q := LTL{Source: read(), Specs: spec(text, formula.LTL), Algorithm: a, Basic: true, Room: quiet}
				if a == "little" {
					q.Algorithm, q.MaxStates, q.NodeLimit = "auto", 1, 10
				}
				r, err := q.Run(ctx)
				if a == "little" && name == "m.kripke" && err != nil {
					continue
				}
				if err != nil {
					t.Fatalf("seed %d, %s, %s: %v", seed, a, text, err)
				}
				check("ltl "+a, r.Warnings(), r.Notes, a == "little" && r.Stopped != "")
			}
		}
		if !begins { // an error of its own
			continue
		}
		for _, text := range []string{"AG o", "AG (AF o | EG !o)", "EF o"} {
			for _, a := range append(slices.Clone(ctl.Algorithms), "little") {
				if a == ctl.Invariant {
					continue // not for every specification
				}
				opt := ctl.Options{Algorithm: a, Progress: quiet.Progress}
				if a == "little" {
					opt.Algorithm, opt.MaxStates, opt.NodeLimit = ctl.Auto, 1, 10
				}
				r, err := CTL{Source: read(), Specs: spec(text, formula.CTL), Basic: true, Options: opt}.Run(ctx)
				if err != nil {
					if a == "little" {
						continue
					}
					t.Fatalf("seed %d, %s, %s: %v", seed, a, text, err)
				}
				check("ctl "+string(a), r.Warnings(), r.Notes, a == "little")
			}
		}
	}
	for _, name := range []string{"m.kripke", "m.aag"} {
		for _, a := range LTLAlgorithms {
			if seen[name+" ltl "+a+" true"] < 5 || seen[name+" ltl "+a+" false"] < 5 {
				t.Errorf("too few of %s, %s: %v", name, a, seen)
			}
		}
		for _, a := range ctl.Algorithms {
			if a != ctl.Invariant && (seen[name+" ctl "+string(a)+" true"] < 5 || seen[name+" ctl "+string(a)+" false"] < 5) {
				t.Errorf("too few of %s, %s: %v", name, a, seen)
			}
		}
	}
	t.Log(seen)
}
