package report

import (
	"encoding/csv"
	"strings"
	"testing"
	"unicode"

	"netcov/mutant"
)

func TestCell(t *testing.T) {
	for in, want := range map[string]string{
		"":                   "",
		"u1.count[3]":        "u1.count[3]",
		"größe":              "größe",
		"=1+1":               "'=1+1",
		"+1":                 "'+1",
		"-1":                 "'-1",
		"@SUM(A1)":           "'@SUM(A1)",
		"  =1":               "'  =1",
		"＝1":                 "'＝1",
		"a=1":                "a=1",
		"\t=1":               `\t=1`,
		"\r=1":               `\r=1`,
		"a\x1b[31mred":       `a\x1b[31mred`,
		"\u202ereversed":     `\u202ereversed`,
		"two\nlines":         `two\nlines`,
		"no utf \xff":        `no utf \xff`,
		`quote " and comma,`: `quote " and comma,`,
	} {
		if got := cell(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// TestCSVOfAnyName writes rows with hostile names and reads them back.
func TestCSVOfAnyName(t *testing.T) {
	alphabet := []string{"=", "+", "-", "@", "\t", "\r", "\n", " ", `"`, ",", "'", "a", "\x1b", "\u202e", "\u2066", "\x00", "\xff", "\u0085"}
	r := &Report{}
	for _, x := range alphabet {
		for _, y := range alphabet {
			for _, z := range alphabet {
				r.Mutants = append(r.Mutants, Mutant{Node: Node{Kind: "latch", Name: x + y + z}, Fault: "zero", Verdict: mutant.Covered})
			}
		}
	}
	var out strings.Builder
	if err := r.WriteCSV(&out); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(out.String())).ReadAll()
	if err != nil || len(rows) != len(r.Mutants)+1 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	for _, row := range rows[1:] {
		for _, c := range []string{row[3]} {
			if strings.ContainsFunc(c, func(x rune) bool { return !unicode.IsPrint(x) }) {
				t.Fatalf("%q has a character that does not print", c)
			}
			if begin := strings.TrimLeft(c, " "); begin != "" && strings.ContainsAny(begin[:1], "=+-@") {
				t.Fatalf("%q is a formula", c)
			}
		}
	}
}
