package automaton

import (
	"math/rand/v2"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"netcov/kripke/bdd"
	"netcov/kripke/formula"
	"netcov/kripke/internal/random"
)

// spinFormula writes a formula in Spin's spelling. Debian's build has no X.
func spinFormula(f formula.Formula) string {
	l, r := f.Left(), f.Right()
	binary := func(op string) string { return "(" + spinFormula(l) + " " + op + " " + spinFormula(r) + ")" }
	switch f.Op() {
	case formula.OpTrue:
		return "true"
	case formula.OpFalse:
		return "false"
	case formula.OpAtom:
		return f.Name()
	case formula.OpNot:
		return "!(" + spinFormula(l) + ")"
	case formula.OpAnd:
		return binary("&&")
	case formula.OpOr:
		return binary("||")
	case formula.OpF:
		return "<>(" + spinFormula(l) + ")"
	case formula.OpG:
		return "[](" + spinFormula(l) + ")"
	case formula.OpU:
		return binary("U")
	case formula.OpR:
		return binary("V")
	}
	panic("no operator of Spin: " + f.String())
}

var (
	spinLabel = regexp.MustCompile(`(?m)^(\w+):`)
	spinEdge  = regexp.MustCompile(`:: (?:atomic \{ )?\((.*)\) -> (?:goto (\w+)|assert)`)
)

// readNeverClaim reads the automaton of a never claim.
func readNeverClaim(t *testing.T, text string, ap []string) *Automaton {
	t.Helper()
	a := &Automaton{AP: ap, Sets: 1, Guards: bdd.New(len(ap), bdd.Options{})}
	index := map[string]int{}
	for i, p := range ap {
		index[p] = i
	}
	number := map[string]int{}
	state := func(label string) int {
		n, ok := number[label]
		if !ok {
			n = len(a.Edges)
			number[label] = n
			a.Edges = append(a.Edges, nil)
		}
		return n
	}
	current, accepting := -1, Marks(0)
	fresh := true
	for _, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if m := spinLabel.FindStringSubmatch(line); m != nil {
			if fresh {
				current, accepting = state(m[1]), 0
			}
			number[m[1]] = current
			if strings.HasPrefix(m[1], "accept") {
				accepting = 1
			}
			fresh = false
			if m[1] == "accept_all" {
				a.Edges[current] = []Edge{{bdd.True, current, 1}}
			}
			continue
		}
		fresh = true
		if m := spinEdge.FindStringSubmatch(line); m != nil {
			guard, err := formula.Parse(strings.NewReplacer("&&", "&", "||", "|", "true", "TRUE", "false", "FALSE").Replace(fixOne(m[1])), formula.LTL)
			if err != nil {
				t.Fatalf("guard %q: %v", m[1], err)
			}
			target := m[2]
			if target == "" {
				target = "accept_all"
			}
			e := Edge{guardOf(a.Guards, index, guard), state(target), accepting}
			a.Edges[current] = append(a.Edges[current], e)
		}
	}
	a.Initial = []int{0}
	if n, ok := number["T0_init"]; ok {
		a.Initial[0] = n
	}
	if n, ok := number["accept_init"]; ok {
		a.Initial[0] = n
	}
	return a
}

// fixOne replaces the constant (1).
func fixOne(s string) string {
	if s == "1" || s == "(1)" {
		return "TRUE"
	}
	return s
}

// TestAgainstSpin compares the automata's languages on random words, and their
// sizes, with those of Spin's translation.
func TestAgainstSpin(t *testing.T) {
	if _, err := exec.LookPath("spin"); err != nil {
		t.Skip("spin is not installed")
	}
	n := max(8, *count/100)
	rng := rand.New(rand.NewPCG(2, 0))
	var ours, theirs, oursEdges, theirsEdges, larger, compared int
	for range n {
		ap := random.Names[:2]
		f := random.Formula(rng, formula.LTL, ap, 4)
		g := formula.Map(formula.NNF(f), func(g formula.Formula) formula.Formula {
			switch g.Op() {
			case formula.OpW:
				return formula.Binary(formula.OpR, g.Right(), formula.Or(g.Left(), g.Right()))
			case formula.OpX: // Debian's Spin has none
				return g.Left()
			}
			return g
		})
		out, err := exec.Command("timeout", "5", "spin", "-f", spinFormula(g)).Output()
		if err != nil {
			continue
		}
		spin := readNeverClaim(t, string(out), ap)
		a, err := FromLTL(g, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for range 60 {
			w := randomWord(rng, ap, 4, 4)
			if x, y := a.Accepts(w), spin.Accepts(w); x != y {
				t.Fatalf("%s: own %v, spin %v on %v\n%s", g, x, y, w, out)
			}
		}
		compared++
		ours, theirs = ours+a.Len(), theirs+spin.Len()
		oursEdges, theirsEdges = oursEdges+a.NumEdges(), theirsEdges+spin.NumEdges()
		if a.Len() > spin.Len() {
			larger++
			t.Logf("larger than spin's (%d > %d): %s", a.Len(), spin.Len(), g)
		}
	}
	t.Logf("%d formulas: %d states and %d edges here, %d and %d by spin; larger here: %d", compared, ours, oursEdges, theirs, theirsEdges, larger)
	if compared < n/2 || ours > theirs {
		t.Errorf("compared %d of %d; %d states here, %d by spin", compared, n, ours, theirs)
	}
}
