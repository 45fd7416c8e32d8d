package rup

import (
	"bytes"
	"strings"
	"testing"

	"netcov/internal/alloctest"
)

func TestCheck(t *testing.T) {
	xor := [][]int{{1, 2, 3}, {-1, 2, 3}, {1, -2, 3}, {-1, -2, 3}, {-3, 1}, {-3, -1}}
	for _, tc := range []struct{ name, cert, want string }{
		{"right", "2 3 0\n3 0\n0\n", ""},
		{"right, conflict earlier", "2 3 0\n3 0\n", ""},
		{"deletion", "2 3 0\nd 1 2 3 0\n3 0\n", ""},
		{"empty", "", "the certificate ends"},
		{"no step yet", "3 0\n", "line 1: unit propagation"},
		{"empty clause at once", "0\n", "line 1: unit propagation"},
		{"used after deletion", "2 3 0\nd 2 3 0\nd 1 2 3 0\n2 3 0\n", "line 4: unit propagation"},
		{"deletion of none", "d 1 2 0\n", "line 1: deletion"},
		{"no zero", "2 3\n", "line 1: the clause does not"},
		{"word", "2 x 0\n", "line 1: \"x\""},
	} {
		err := Check(xor, strings.NewReader(tc.cert))
		switch {
		case tc.want == "" && err != nil:
			t.Errorf("%s: %v", tc.name, err)
		case tc.want != "" && (err == nil || !strings.HasPrefix(err.Error(), tc.want)):
			t.Errorf("%s: error %v, want %s", tc.name, err, tc.want)
		}
	}
	if err := Check([][]int{{1}, {-1}}, strings.NewReader("")); err != nil {
		t.Error(err)
	}
	if err := Check([][]int{{1}, {-1}, {2}, {3}}, strings.NewReader("")); err != nil {
		t.Error(err)
	}
	if err := Check([][]int{{1}}, strings.NewReader("0\n")); err == nil {
		t.Error("accepted a certificate for a satisfiable formula")
	}
}

// FuzzCheck: no proof makes the checker panic or speak in several lines, or
// refutes a formula that has a model.
func FuzzCheck(f *testing.F) {
	for _, seed := range []string{"2 3 0\n3 0\n0\n", "2 3 0\nd 1 2 3 0\n3 0\n", "c x\n2 0\n0\n", "d -1 3 0\n1 0\n", "9223372036854775807 0\n"} {
		f.Add([]byte(seed), true)
		f.Add([]byte(seed), false)
	}
	f.Fuzz(func(t *testing.T, data []byte, satisfiable bool) {
		clauses := [][]int{{1, 2, 3}, {-1, 2, 3}, {1, -2, 3}, {-1, -2, 3}, {-3, 1}, {-3, -1}}
		if satisfiable {
			clauses = clauses[:3]
		}
		var err error
		alloctest.Check(t, len(data), 2000, func() { err = Check(clauses, bytes.NewReader(data)) })
		if err == nil && satisfiable {
			t.Errorf("a formula that has a model is refuted by %q", data)
		}
		if err != nil && strings.ContainsAny(err.Error(), "\n\r") {
			t.Errorf("refusal of several lines: %q", err)
		}
	})
}
