package smv

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// TestErrors reads models that must be refused, with the place and the message.
func TestErrors(t *testing.T) {
	text, err := os.ReadFile("testdata/errors.txt")
	if err != nil {
		t.Fatal(err)
	}
	var model []string
	cases := 0
	for i, line := range strings.Split(string(text), "\n") {
		want, ends := strings.CutPrefix(line, "==")
		switch {
		case ends:
			src := strings.TrimLeft(strings.Join(model, "\n"), "\n") + "\n"
			got := ""
			if err := refusal(src); err != nil {
				got = err.Error()
			}
			if want = strings.TrimSpace(want); got != want {
				t.Errorf("errors.txt:%d:\n%sgot  %s\nwant %s", i+1, src, got, want)
			}
			model = nil
			cases++
		case !strings.HasPrefix(line, "# "):
			model = append(model, line)
		}
	}
	if cases < 60 {
		t.Errorf("only %d cases", cases)
	}
}

func refusal(src string) error {
	p, err := Parse("FILE", []byte(src))
	if err != nil {
		return err
	}
	_, err = p.Compile(Options{})
	return err
}

// TestDepth reads expressions that nest deeply: a chain is no nesting, and what
// is too deep is an error.
func TestDepth(t *testing.T) {
	model := func(e string) string { return "MODULE main\nVAR x : boolean; n : 0..3;\nINVARSPEC " + e + "\n" }
	for _, c := range []struct {
		name, text string
		ok         bool
	}{
		{"parentheses", model(strings.Repeat("(", 1000) + "x" + strings.Repeat(")", 1000)), true},
		{"too many parentheses", model(strings.Repeat("(", 20_000) + "x" + strings.Repeat(")", 20_000)), false},
		{"not", model(strings.Repeat("!", 20_000) + "x"), false},
		{"minus", model("n = " + strings.Repeat("- ", 20_000) + "1"), false},
		{"and", model("x" + strings.Repeat(" & x", 20_000)), true},
		{"or", model("x" + strings.Repeat(" | !x", 20_000)), true},
		{"xor", model("x" + strings.Repeat(" xor x", 10_000)), true},
		{"long xor", model("x" + strings.Repeat(" xor x", 60_000)), false},
		{"implies", model("x" + strings.Repeat(" -> x", 20_000)), false},
		{"index", model("x" + strings.Repeat("[0", 20_000)), false},
		{"case", model(strings.Repeat("case x : ", 20_000)), false},
		{"next", model(strings.Repeat("next(", 20_000)), false},
		{"type", "MODULE main VAR a : " + strings.Repeat("array 0..1 of ", 20_000) + "boolean;", false},
		{"temporal", "MODULE main VAR x : boolean; CTLSPEC " + strings.Repeat("AG ", 20_000) + "x", false},
		{"array", "MODULE main DEFINE a := " + strings.Repeat("[", 20_000), false},
		{"huge array", "MODULE main VAR a : array 0..9999999 of boolean;", false},
		{"huge arrays", "MODULE main VAR a : array 0..9999 of array 0..9999 of boolean;", false},
		{"wide", "MODULE main VAR w : word[99999999];", false},
		{"wide sum", "MODULE main VAR w : word[4096]; INVARSPEC w + w = w", true},
	} {
		if err := refusal(c.text); (err == nil) != c.ok {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	// DEFINEs and variables that stand on each other, the first on the last.
	chain := func(n int, form string) error {
		var b strings.Builder
		b.WriteString("MODULE main\n")
		for i := range n {
			fmt.Fprintf(&b, form, i, i+1)
		}
		fmt.Fprintf(&b, "VAR x%d : boolean;\nINVARSPEC x0\n", n)
		return refusal(b.String())
	}
	for _, form := range []string{"VAR x%[1]d : boolean; ASSIGN x%[1]d := !x%[2]d;\n", "DEFINE x%[1]d := !x%[2]d;\n"} {
		if err := chain(2_000, form); err != nil {
			t.Errorf("a chain of 2000: %v", err)
		}
		if !testing.Short() && chain(60_000, form) == nil {
			t.Error("a chain of 60000 is accepted")
		}
	}
	// 2^60 instances.
	var b strings.Builder
	b.WriteString("MODULE main VAR a : m0; b : m0;\n")
	for i := range 60 {
		fmt.Fprintf(&b, "MODULE m%d VAR a : m%d; b : m%d;\n", i, i+1, i+1)
	}
	b.WriteString("MODULE m60 VAR x : boolean;\n")
	if refusal(b.String()) == nil {
		t.Error("2^60 instances are accepted")
	}
}
