package lrat

import (
	"bytes"
	"strings"
	"testing"

	"netcov/internal/alloctest"
)

func TestCheck(t *testing.T) {
	xor := [][]int{{1, 2}, {-1, 2}, {1, -2}, {-1, -2}}
	for _, tc := range []struct{ name, proof, want string }{
		{"right", "5 2 0 1 2 0\n6 0 5 3 4 0\n", ""},
		{"with deletions", "5 2 0 1 2 0\n5 d 1 2 0\n6 0 5 3 4 0\n", ""},
		{"no end", "5 2 0 1 2 0\n", "the proof ends"},
		{"empty", "", "the proof ends"},
		{"not unit", "5 0 1 2 0\n", "line 1: clause 5: hint 1 is not unit"},
		{"never false", "5 2 0 1 0\n", "line 1: clause 5: no hint"},
		{"satisfied", "5 2 0 1 1 0\n", "line 1: clause 5: hint 1 is satisfied"},
		{"used after deletion", "5 2 0 1 2 0\n5 d 3 0\n6 0 5 3 4 0\n", "line 3: clause 6: hint 3 names no clause"},
		{"unknown hint", "5 0 9 0\n", "line 1: clause 5: hint 9 names no"},
		{"early conflict", "5 2 0 1 2 3 0\n", "line 1: clause 5: hint 2 is false, but"},
		{"RAT", "5 2 0 -1 2 0\n", "line 1: RAT"},
		{"old number", "4 2 0 1 2 0\n", "line 1: clause number 4"},
		{"no zero", "5 2 0 1 2\n", "line 1: want"},
		{"word", "5 x 0 1 0\n", "line 1: \"x\" is no"},
		{"bad deletion", "5 d 9 0\n", "line 1: deletion of clause 9"},
		{"open deletion", "5 d 1\n", "line 1: deletion does not"},
		{"new variable", "5 2147483647 0 1 2 0\n", "line 1: clause 5: the formula has no variable 2147483647"},
		{"tautology", "5 2 -2 0 1 0\n", "line 1: clause 5: the clause is a tautology"},
	} {
		err := Check(xor, strings.NewReader(tc.proof))
		switch {
		case tc.want == "" && err != nil:
			t.Errorf("%s: %v", tc.name, err)
		case tc.want != "" && (err == nil || !strings.HasPrefix(err.Error(), tc.want)):
			t.Errorf("%s: error %v, want %s", tc.name, err, tc.want)
		}
	}
}

// FuzzCheck: no proof makes the checker panic or speak in several lines, or
// refutes a formula that has a model.
func FuzzCheck(f *testing.F) {
	for _, seed := range []string{"5 2 0 1 2 0\n6 0 5 3 4 0\n", "5 2 0 1 2 0\n5 d 1 2 0\n6 0 5 3 4 0\n", "5 2 0 -1 2 0\n", "c x\n5 2 -2 0 1 0\n", "5 2147483647 0 1 0\n"} {
		f.Add([]byte(seed), true)
		f.Add([]byte(seed), false)
	}
	f.Fuzz(func(t *testing.T, data []byte, satisfiable bool) {
		clauses := [][]int{{1, 2}, {-1, 2}, {1, -2}, {-1, -2}}
		if satisfiable {
			clauses = clauses[:3]
		}
		var err error
		alloctest.Check(t, len(data), 500, func() { err = Check(clauses, bytes.NewReader(data)) })
		if err == nil && satisfiable {
			t.Errorf("a formula that has a model is refuted by %q", data)
		}
		if err != nil && strings.ContainsAny(err.Error(), "\n\r") {
			t.Errorf("refusal of several lines: %q", err)
		}
	})
}
