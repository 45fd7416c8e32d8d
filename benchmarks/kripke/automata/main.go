// Command automata translates the formulas of formulas.txt, which the literature
// measures translations by, and their negations, and prints the sizes of the
// automata by source. Each automaton is compared with its formula's own semantics
// on random words.
//
//	go run ./benchmarks/kripke/automata
//	go run ./benchmarks/kripke/automata -each    # and a line for each formula
package main

import (
	_ "embed"
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"netcov/kripke/automaton"
	"netcov/kripke/formula"
)

//go:embed formulas.txt
var formulas string

// example is a formula with the authors of the paper it stands in.
type example struct {
	source  string
	formula formula.Formula
}

// size is the sum of the sizes of automata.
type size struct {
	automata, states, edges int
	buchiStates, buchiEdges int // with Büchi acceptance on states; 0 where not asked for
	seconds                 float64
}

func (s *size) add(o size) {
	s.automata += o.automata
	s.states += o.states
	s.edges += o.edges
	s.buchiStates += o.buchiStates
	s.buchiEdges += o.buchiEdges
	s.seconds += o.seconds
}

func main() {
	each := flag.Bool("each", false, "print a line for each formula")
	words := flag.Int("words", 50, "random words on which each automaton is compared with its formula")
	flag.Parse()
	list, err := examples()
	if err != nil {
		log.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 1))
	t := table.NewWriter()
	t.SetStyle(table.StyleLight)
	t.Style().Format.Header = text.FormatDefault
	t.AppendHeader(table.Row{"source", "automata", "states", "edges", "seconds", "Büchi states", "edges"})
	var total, source size
	row := func(name string, s size) {
		t.AppendRow(table.Row{name, s.automata, s.states, s.edges, fmt.Sprintf("%.3f", s.seconds), s.buchiStates, s.buchiEdges})
	}
	for i, x := range list {
		for _, f := range []formula.Formula{x.formula, formula.Not(x.formula)} {
			s, err := measure(f, *words, true, rng)
			if err != nil {
				log.Fatalf("%s: %v", f, err)
			}
			if *each {
				fmt.Printf("%d\t%d\t%d\t%d\t%s\n", s.states, s.edges, s.buchiStates, s.buchiEdges, f)
			}
			source.add(s)
		}
		if i+1 == len(list) || list[i+1].source != x.source {
			row(x.source, source)
			total.add(source)
			source = size{}
		}
	}
	row("all", total)
	for _, x := range families {
		for _, n := range x.sizes {
			var parts []string
			for i := range n {
				parts = append(parts, fmt.Sprintf(x.part, i))
			}
			f, err := formula.Parse(fmt.Sprintf(x.whole, strings.Join(parts, x.join)), formula.LTL)
			if err != nil {
				log.Fatal(err)
			}
			s, err := measure(f, *words, false, rng)
			if err != nil {
				log.Fatalf("%s: %v", f, err)
			}
			row(fmt.Sprintf("%s, n = %d", fmt.Sprintf(x.whole, fmt.Sprintf(x.part, 1)+x.join+"…"), n), s)
		}
	}
	fmt.Println(t.Render())
}

// families are formulas of growing size.
var families = []struct {
	whole, part, join string
	sizes             []int
}{
	{"!((%s) -> G !q)", "G F p%d", " & ", []int{8, 12, 14}},
	{"%s", "F G p%d", " & ", []int{10}},
	{"%s", "G F p%d", " | ", []int{10}},
	{"%s", "F p%d", " & ", []int{6, 8}},
	{"!(%s)", "p%[1]d U q%[1]d", " | ", []int{6, 8}},
}

// examples reads the formulas. A paragraph's comment begins with the authors. A
// formula that is an earlier one, or its negation, with other names is left out.
func examples() ([]example, error) {
	var list []example
	source, fresh := "", true
	seen := map[formula.Formula]bool{}
	for i, line := range strings.Split(formulas, "\n") {
		comment, isComment := strings.CutPrefix(line, "# ")
		switch {
		case line == "":
			fresh = true
		case isComment && fresh:
			source, _, _ = strings.Cut(comment, ":")
			fresh = false
		case !isComment:
			f, err := formula.Parse(line, formula.LTL)
			if err != nil {
				return nil, fmt.Errorf("formulas.txt:%d: %w", i+1, err)
			}
			r := renamed(f)
			n := formula.Not(r)
			if r.Op() == formula.OpNot {
				n = r.Left()
			}
			if !seen[r] && !seen[n] {
				seen[r] = true
				list = append(list, example{source, f})
			}
		}
	}
	return list, nil
}

// renamed names the propositions in the order in which they appear.
func renamed(f formula.Formula) formula.Formula {
	names := map[string]string{}
	return formula.Map(f, func(g formula.Formula) formula.Formula {
		if g.Op() != formula.OpAtom {
			return g
		}
		if names[g.Name()] == "" {
			names[g.Name()] = fmt.Sprint("p", len(names))
		}
		return formula.Atom(names[g.Name()])
	})
}

// measure translates a formula and compares the automaton, and the one with Büchi
// acceptance where that is asked for, with it.
func measure(f formula.Formula, words int, buchi bool, rng *rand.Rand) (size, error) {
	start := time.Now()
	a, err := automaton.FromLTL(f, automaton.Options{})
	if err != nil {
		return size{}, err
	}
	s := size{automata: 1, states: a.Len(), edges: a.NumEdges(), seconds: time.Since(start).Seconds()}
	b := a
	if buchi {
		if b, err = a.Buchi(func() error { return nil }); err != nil {
			return size{}, err
		}
		s.buchiStates, s.buchiEdges = b.Len(), b.NumEdges()
	}
	for range words {
		w := &automaton.Word{AP: a.AP}
		for range rng.IntN(5) {
			w.Prefix = append(w.Prefix, letter(rng, len(a.AP)))
		}
		for range 1 + rng.IntN(4) {
			w.Loop = append(w.Loop, letter(rng, len(a.AP)))
		}
		if holds := w.Satisfies(f); a.Accepts(w) != holds || b.Accepts(w) != holds {
			return size{}, fmt.Errorf("the automaton is wrong on %v", w)
		}
	}
	return s, nil
}

func letter(rng *rand.Rand, n int) []bool {
	l := make([]bool, n)
	for i := range l {
		l[i] = rng.IntN(2) == 0
	}
	return l
}
