package formula

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"netcov/internal/alloctest"
	"netcov/internal/shared"
)

func TestPrecedence(t *testing.T) {
	for _, c := range []struct {
		logic      Logic
		text, want string // want: fully parenthesised
	}{
		{CTL, "a -> b -> c", "(a -> (b -> c))"},
		{CTL, "a <-> b <-> c", "((a <-> b) <-> c)"},
		{CTL, "a -> b <-> c -> d", "(a -> ((b <-> c) -> d))"},
		{CTL, "a | b xor c xnor d & e", "(((a | b) xor c) xnor (d & e))"},
		{CTL, "AG a -> b", "((AG a) -> b)"},
		{CTL, "AG !a & b", "((AG (!a)) & b)"},
		{CTL, "!a = TRUE", "(!a)"},
		{CTL, "!a = b", "((!a) <-> b)"},
		{CTL, "!!a != !b", "((!(!a)) xor (!b))"},
		{CTL, "AG a = b", "(AG (a = b))"},
		{CTL, "!AG a = b", "(!(AG (a = b)))"},
		{CTL, "AG !a = b", "(AG ((!a) <-> b))"},
		{CTL, "EF st = idle & b", "((EF (st = idle)) & b)"},
		{CTL, "a = n in {1, 2}", "(a <-> (n in {1, 2}))"},
		{CTL, "!(a = 1)", "(!(a = 1))"},
		{LTL, "G a = b U c", "((G (a = b)) U c)"},
		{LTL, "!X n < 3 + m", "(!(X (n < 3 + m)))"},
		{CTL, "A[a -> b U c W d]", ""},
		{CTL, "A [ a -> b U c | d ]", "A[(a -> b) U (c | d)]"},
		{CTL, "E[a V b] & E[c R d]", "(E[a V b] & E[c V d])"},
		{CTL, "E[a W A[b U c]]", "E[a W A[b U c]]"},
		{LTL, "a U b V c W d", "(((a U b) V c) W d)"},
		{LTL, "!a U X b", "((!a) U (X b))"},
		{LTL, "a U b & c", "((a U b) & c)"},
		{LTL, "G req -> F ack", "((G req) -> (F ack))"},
		{LTL, "a R b", "(a V b)"},
		{CTL, "x = TRUE & y != TRUE", "(x & (!y))"},
		{CTL, "(a & b) = c", "((a & b) <-> c)"},
		{CTL, "st in {idle,busy} & n+1 <= 3", "((st in {idle, busy}) & (n + 1 <= 3))"},
		{CTL, "AX p.q[3].r", "(AX p.q[3].r)"},
		{CTL, "w[7 : 0] = 0ud8_255", "(w[7:0] = 0ud8_255)"},
		{CTL, `"odd name" & "AG"`, `("odd name" & "AG")`},
		{CTL, "1 -> 0", "(TRUE -> FALSE)"},
		{CTL, "n in 1..4 -- comment\n & m", "((n in 1..4) & m)"},
		{CTL, "a = - -1", "(a = -(-1))"},
		{CTL, "ack-out->r = reg-1", "(ack-out -> (r = reg-1))"},
		{CTL, "n - 1 = 2--n-1", "(n - 1 = 2)"},
	} {
		f, err := Parse(c.text, c.logic)
		if c.want == "" {
			if err == nil {
				t.Errorf("%q was accepted", c.text)
			}
			continue
		}
		if err != nil {
			t.Errorf("%q: %v", c.text, err)
			continue
		}
		if got := paren(f); got != c.want {
			t.Errorf("%q = %s, want %s", c.text, got, c.want)
		}
	}
}

func paren(f Formula) string {
	op := f.Op()
	switch {
	case op == OpAtom:
		if p := f.precedence(); p == precCompare {
			return "(" + f.Name() + ")"
		}
		return quoteAtom(f.Name())
	case op.Arity() == 0:
		return op.String()
	case op == OpNot:
		return "(!" + paren(f.Left()) + ")"
	case op.Arity() == 1:
		return "(" + op.String() + " " + paren(f.Left()) + ")"
	case op.Universal() || op.Existential():
		strip := func(s string) string { return s }
		return op.String()[:1] + "[" + strip(paren(f.Left())) + " " + op.String()[1:] + " " + strip(paren(f.Right())) + "]"
	}
	return "(" + paren(f.Left()) + " " + op.String() + " " + paren(f.Right()) + ")"
}

func TestErrorPositions(t *testing.T) {
	for _, c := range []struct {
		logic     Logic
		text      string
		line, col int
		has       string
	}{
		{CTL, "a &", 1, 4, "end of the formula"},
		{CTL, "a\n& (b\n| )", 3, 3, "')'"},
		{CTL, "AG (a -> X b)", 1, 10, "path quantifier"},
		{LTL, "G AX a", 1, 3, "LTL"},
		{CTL, "a ? b : c", 1, 3, "?:"},
		{LTL, "G (a -> O b)", 1, 9, "past operator O"},
		{LTL, "G (a | H (b & c))", 1, 8, "past operator H"},
		{LTL, "a S b", 1, 3, "past operator S"},
		{CTL, "A a U b", 1, 3, "'['"},
		{CTL, "é & ~", 1, 5, "'~'"},
		{CTL, `"abc`, 1, 1, "closing quote"},
		{CTL, "3 & a", 1, 1, "number"},
		{CTL, "ABF 1..2 a", 1, 1, "bounded"},
		{ACTL, "AG EF a", 1, 1, "not ACTL"},
		{CTL, "U", 1, 1, "double quotes"},
		{CTL, "", 1, 1, "end of the formula"},
		{CTL, "a b", 1, 3, "expected an operator"},
	} {
		_, err := Parse(c.text, c.logic)
		var se *SyntaxError
		if !errors.As(err, &se) {
			t.Errorf("%q: error %v", c.text, err)
			continue
		}
		if se.Line != c.line || se.Col != c.col || !strings.Contains(se.Msg, c.has) {
			t.Errorf("%q: %v, want line %d column %d with %q", c.text, se, c.line, c.col, c.has)
		}
	}
}

func TestDeepInput(t *testing.T) {
	for _, text := range []string{
		strings.Repeat("(", 110_000) + "a",
		strings.Repeat("!", 110_000) + "a",
		strings.Repeat("AX ", 20_000) + "a",
		strings.Repeat("A[a U ", 20_000) + "a",
		strings.Repeat("a -> ", 110_000) + "a",
		strings.Repeat("a & ", 110_000) + "a",
		strings.Repeat("-", 1) + strings.Repeat("- ", 110_000) + "1",
		strings.Repeat("x[", 110_000) + "1",
	} {
		f, err := Parse(text, CTL)
		if err == nil {
			_ = NNF(f)
			t.Logf("accepted with depth %d", f.Depth())
			continue
		}
		if len(err.Error()) > 300 {
			t.Errorf("long message: %.100s", err)
		}
	}
	f, err := Parse(strings.Repeat("a & ", 50_000)+"a", CTL)
	if err != nil {
		t.Fatal(err)
	}
	if got := len(Conjuncts(f)); got != 50_001 {
		t.Errorf("%d conjuncts", got)
	}
	if g, err := Parse(f.String(), CTL); err != nil || g != f {
		t.Errorf("a long conjunction does not round-trip: %v", err)
	}
}

// random builds a formula of the logic over a few odd and plain atoms.
func random(rng *rand.Rand, logic Logic, depth int) Formula {
	names := []string{"p", "q", "r", "x = 1", "s in {a, b}", "odd name", "G", `quo"te\`, "a.b[2].c", "n + 1 < 3"}
	if depth == 0 || rng.IntN(8) == 0 {
		switch rng.IntN(12) {
		case 0:
			return True()
		case 1:
			return False()
		}
		return Atom(names[rng.IntN(len(names))])
	}
	ops := []Op{OpNot, OpAnd, OpOr, OpXor, OpXnor, OpImplies, OpIff}
	if logic == LTL {
		ops = append(ops, OpX, OpF, OpG, OpU, OpW, OpR)
	} else {
		for o := OpAX; o <= OpER; o++ {
			ops = append(ops, o)
		}
	}
	op := ops[rng.IntN(len(ops))]
	l := random(rng, logic, depth-1)
	if op.Arity() == 1 {
		return Unary(op, l)
	}
	return Binary(op, l, random(rng, logic, depth-1))
}

func TestRoundTrip(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		for _, logic := range []Logic{CTL, LTL} {
			f := random(rng, logic, 5)
			text := f.String()
			g, err := Parse(text, logic)
			if err != nil {
				t.Fatalf("%s: %v", text, err)
			}
			if g != f {
				t.Fatalf("%s became %s", text, g)
			}
			if !f.In(logic) {
				t.Fatalf("%s is not %s", text, logic)
			}
		}
	}
}

// TestMinimalParentheses removes each pair of parentheses from printed
// formulas: the rest must not parse to the same formula. Parentheses around a
// comparison are kept on purpose.
func TestMinimalParentheses(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 500 {
		f := Map(random(rng, CTL, 4), func(g Formula) Formula {
			if g.Op() == OpAtom && !isPlainName(g.Name()) {
				return Atom("p")
			}
			return g
		})
		text := f.String()
		var open []int
		for i, c := range text {
			switch c {
			case '(':
				open = append(open, i)
			case ')':
				j := open[len(open)-1]
				open = open[:len(open)-1]
				less := text[:j] + " " + text[j+1:i] + " " + text[i+1:]
				if g, err := Parse(less, CTL); err == nil && g == f {
					t.Fatalf("%s has needless parentheses at %d", text, j)
				}
			}
		}
	}
}

func TestNormalForm(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 1000 {
		for _, logic := range []Logic{CTL, LTL} {
			f := random(rng, logic, 4)
			n, m := NNF(f), Negate(f)
			for _, g := range Subformulas(n, m) {
				switch g.Op() {
				case OpNot:
					if g.Left().Op() != OpAtom {
						t.Fatalf("%s in the normal form of %s", g, f)
					}
				case OpImplies, OpIff, OpXor, OpXnor:
					t.Fatalf("%s in the normal form of %s", g, f)
				}
			}
			if NNF(Not(f)) != m || NNF(n) != n || Negate(Not(f)) != n {
				t.Fatalf("normal forms of %s disagree", f)
			}
		}
	}
	if f, _ := Parse("!A[a W b]", CTL); NNF(f).String() != "E[!b U !a & !b]" {
		t.Errorf("%s", NNF(f))
	}
}

func TestParseFile(t *testing.T) {
	fs, err := ParseFile("s.ctl", "-- two\nCTLSPEC NAME one := AG a;\nLTLSPEC G a\nSPEC EF b\n", CTL)
	if err != nil || len(fs) != 2 || fs[0].String() != "AG a" || fs[1].String() != "EF b" {
		t.Errorf("%v %v", fs, err)
	}
	_, err = ParseFile("s.ctl", "AG a;\nAG", CTL)
	if err == nil || err.Error() != "s.ctl:2:3: expected a formula, found end of the formula" {
		t.Errorf("%v", err)
	}
}

// TestSharedFormulas reads every formula of the shared cases in both
// spellings; the minimal one is also what the printer must write.
func TestSharedFormulas(t *testing.T) {
	dir := shared.Dir(t, "kripke-cases")
	for kind, logic := range map[string]Logic{"ctl": CTL, "circuit": CTL, "ltl": LTL, "tab": ACTL} {
		files, _ := filepath.Glob(filepath.Join(dir, kind, "*.json"))
		if len(files) == 0 {
			t.Errorf("no case of kind %s", kind)
		}
		for _, file := range files {
			var c struct {
				Formula string
				Minimal string `json:"formula_min"`
			}
			data, err := os.ReadFile(file)
			if err == nil {
				err = json.Unmarshal(data, &c)
			}
			if err != nil {
				t.Fatal(err)
			}
			f, err := Parse(c.Formula, logic)
			if err != nil {
				t.Errorf("%s: %v", file, err)
				continue
			}
			g, err := Parse(c.Minimal, logic)
			if err != nil || g != f {
				t.Errorf("%s: %s and %s differ (%v)", file, c.Formula, c.Minimal, err)
			}
			if f.String() != c.Minimal {
				t.Errorf("%s: printed %s, want %s", file, f, c.Minimal)
			}
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("AG (req -> AF ack)", "G (a U b)")
	f.Add("0\"\r\"", "a \"\n\"")
	f.Add("A[p -> p U AX (p | q)]", `"x y" = 3`)
	f.Fuzz(func(t *testing.T, a, b string) {
		for _, text := range []string{a, b} {
			for _, logic := range []Logic{CTL, LTL, ACTL} {
				var g Formula
				var err error
				alloctest.Check(t, len(text), 2000, func() { g, err = Parse(text, logic) })
				if err != nil && strings.ContainsAny(err.Error(), "\n\r") {
					t.Errorf("refusal of several lines: %q", err)
				}
				if err != nil || g.Depth() > 200 {
					continue
				}
				h, err := Parse(g.String(), logic)
				if err != nil || h != g {
					t.Fatalf("%q printed as %q: %v", text, g.String(), err)
				}
			}
		}
	})
}
