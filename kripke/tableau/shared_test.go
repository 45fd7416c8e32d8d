package tableau

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"netcov/frontend"
	"netcov/internal/shared"
	"netcov/kripke/formula"
	"netcov/kripke/load"
)

type tableauCase struct {
	Class   string
	AP      []string `json:"ap"`
	Formula string
	Counts  struct{ States, Transitions, Initial int } `json:"tableau_counts"`
	Tableau []struct {
		ID       int
		Literals []string
		Next     []string
		Succ     []int
	}
	Initial    []int `json:"tableau_initial"`
	ReachSIM   [][2]json.RawMessage
	Start      []json.RawMessage    `json:"UnImplementedStartState"`
	State      []json.RawMessage    `json:"UnImplementedState"`
	Transition [][2]json.RawMessage `json:"UnImplementedTransition_somestate"`
	ManyToOne  []json.RawMessage
	OneToMany  []json.RawMessage
}

// text gives a tableau state of a case, a number or its literals, as literals.
func (c *tableauCase) text(t *testing.T, raw json.RawMessage) string {
	var id int
	if json.Unmarshal(raw, &id) == nil {
		l := slices.Clone(c.Tableau[id].Literals)
		slices.Sort(l)
		return strings.Join(l, " ")
	}
	var s string
	if err := json.Unmarshal(raw, &s); err != nil {
		t.Fatal(err)
	}
	return sortWords(s)
}

func sortWords(s string) string {
	w := strings.Fields(s)
	slices.Sort(w)
	return strings.Join(w, " ")
}

// TestSharedCases checks every tableau case, and the experiments of KGG99.
func TestSharedCases(t *testing.T) {
	ctx := context.Background()
	dir := shared.Dir(t, "kripke-cases")
	cases, _ := filepath.Glob(filepath.Join(dir, "tab", "*.json"))
	known, _ := filepath.Glob(filepath.Join(dir, "known", "arbiter*.json"))
	if len(cases) < 10 || len(known) != 7 {
		t.Fatalf("%d and %d cases", len(cases), len(known))
	}
	for _, file := range append(cases, known...) {
		var want tableauCase
		data, err := os.ReadFile(file)
		if err == nil {
			err = json.Unmarshal(data, &want)
		}
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		f, err := formula.Parse(want.Formula, formula.ACTL)
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		tab, err := New(t.Context(), f)
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		if tab.Len() != want.Counts.States || tab.Transitions() != want.Counts.Transitions || len(tab.Initial) != want.Counts.Initial {
			t.Errorf("%s: %d states, %d transitions, %d initial, want %v", file, tab.Len(), tab.Transitions(), len(tab.Initial), want.Counts)
			continue
		}
		for _, form := range []string{".hoa", ".smv"} {
			path := strings.TrimSuffix(file, ".json") + form
			if _, err := os.Stat(path); err != nil {
				continue
			}
			s, err := load.Open(ctx, path, frontend.Options{})
			if err != nil {
				t.Fatal(err)
			}
			k, err := s.AsStructure(ctx, want.AP, 0)
			if err != nil {
				t.Fatal(err)
			}
			for _, opt := range []Options{{Algorithm: Explicit}, {Algorithm: Symbolic}, {Algorithm: Symbolic, Plain: true}} {
				c, err := Compare(ctx, k, tab, opt)
				if err != nil {
					t.Fatalf("%s: %v", path, err)
				}
				if !c.Holds {
					t.Fatalf("%s: the specification does not hold: %+v", path, c.Why)
				}
				checkCase(t, fmt.Sprintf("%s %v", path, opt), c, &want)
			}
		}
	}
}

func checkCase(t *testing.T, name string, c *Comparison, want *tableauCase) {
	t.Helper()
	lits := func(states ...int) string {
		var out []string
		for _, s := range states {
			out = append(out, sortWords(strings.Join(c.Tableau.States[s].Text(), " ")))
		}
		return strings.Join(out, " → ")
	}
	compare := func(what string, got, expected []string) {
		t.Helper()
		slices.Sort(got)
		slices.Sort(expected)
		if !slices.Equal(got, expected) {
			t.Errorf("%s: %s\n got %q\nwant %q", name, what, got, expected)
		}
	}
	single := func(what string, states []int, expected []json.RawMessage) {
		t.Helper()
		var got, wants []string
		for _, s := range states {
			got = append(got, lits(s))
		}
		for _, raw := range expected {
			wants = append(wants, want.text(t, raw))
		}
		compare(what, got, wants)
	}
	single("UnImplementedStartState", c.UnImplementedStartState, want.Start)
	single("UnImplementedState", c.UnImplementedState, want.State)
	single("ManyToOne", c.ManyToOne, want.ManyToOne)
	var got, wants []string
	for _, e := range c.UnImplementedTransition {
		got = append(got, lits(e[0], e[1]))
	}
	for _, e := range want.Transition {
		wants = append(wants, want.text(t, e[0])+" → "+want.text(t, e[1]))
	}
	compare("UnImplementedTransition", got, wants)

	// One-to-many: names of states, or labels with the tableau states.
	got, wants = nil, nil
	for _, i := range c.OneToMany {
		got = append(got, c.Impl.States[i])
	}
	labelled := false
	for _, raw := range want.OneToMany {
		var s string
		var pair [2][]string
		if json.Unmarshal(raw, &s) == nil {
			wants = append(wants, s)
			continue
		}
		if err := json.Unmarshal(raw, &pair); err != nil {
			t.Fatal(err)
		}
		labelled = true
		for k := range pair[1] {
			pair[1][k] = sortWords(pair[1][k])
		}
		slices.Sort(pair[1])
		wants = append(wants, fmt.Sprint(pair))
	}
	if labelled {
		got = nil
		for _, i := range c.OneToMany {
			label := c.Impl.Label(i)
			slices.Sort(label)
			var states []string
			for _, s := range c.reach.tableaus(i) {
				states = append(states, lits(s))
			}
			slices.Sort(states)
			got = append(got, fmt.Sprint([2][]string{label, states}))
		}
	}
	compare("OneToMany", got, wants)

	if want.ReachSIM != nil {
		got, wants = nil, nil
		for i := range c.Impl.Len() {
			for _, s := range c.reach.tableaus(i) {
				got = append(got, c.Impl.States[i]+" "+lits(s))
			}
		}
		for _, p := range want.ReachSIM {
			var s string
			if err := json.Unmarshal(p[0], &s); err != nil {
				t.Fatal(err)
			}
			wants = append(wants, s+" "+want.text(t, p[1]))
		}
		compare("ReachSIM", got, wants)
		if c.Pairs != len(wants) {
			t.Errorf("%s: %d pairs, want %d", name, c.Pairs, len(wants))
		}
	}
}
