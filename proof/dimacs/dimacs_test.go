package dimacs

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"netcov/internal/alloctest"
)

func TestRead(t *testing.T) {
	for _, tc := range []struct{ in, want string }{
		{"c hello\np cnf 3 2\n1 -2 0\nc x\n3\n 0\n", ""},
		{"p cnf 2 1\n1 2 0", ""},
		{"p cnf 2 1\r\n1 2 0\r\n", ""},
		{"p cnf 2 1\n1 2 0\n%\n0\n", ""},
		{"p cnf 0 1\n0\n", ""},
		{"p cnf 0 0\n", ""},
		{"p cnf 010 1\n10 0\n", ""}, // ten variables, not eight
		{"", "line 1: no header"},
		{"1 2 0\n", "line 1: no header before"},
		{"p cnf 2\n", "line 1: bad header"},
		{"p cnf 2 1 7\n1 0\n", "line 1: bad header"},
		{"p dnf 2 1\n", "line 1: bad header"},
		{"p cnf -2 1\n", "line 1: bad header"},
		{"p cnf 99999999999 1\n", "line 1: "},
		{"p cnf 2 1\np cnf 2 1\n", "line 2: second header"},
		{"p cnf 2 1\n1 3 0\n", "line 2: literal 3"},
		{"p cnf 2 1\n1 -3 0\n", "line 2: literal -3"},
		{"p cnf 2 1\n1 x 0\n", "line 2: \"x\" is no literal"},
		{"p cnf 2 1\n1 2-1 0\n", "line 2: \"2-1\" is no literal"},
		{"p cnf 2 1\n1 2\n", "line 3: the last clause"},
		{"p cnf 2 2\n1 2 0\n", "line 3: 1 clauses"},
		{"p cnf 2 1\n1 2 0\n2 0\n", "line 3: more than the 1 clauses"},
	} {
		cnf, err := Read(strings.NewReader(tc.in))
		if tc.want == "" {
			if err != nil {
				t.Errorf("%q: %v", tc.in, err)
				continue
			}
			var b bytes.Buffer
			if err := Write(&b, cnf); err != nil {
				t.Fatal(err)
			}
			again, err := Read(&b)
			if err != nil || !reflect.DeepEqual(cnf, again) {
				t.Errorf("%q: read back %v, %v", tc.in, again, err)
			}
			continue
		}
		if err == nil || !strings.HasPrefix(err.Error(), tc.want) {
			t.Errorf("%q: error %v, want %s", tc.in, err, tc.want)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add("p cnf 3 2\n1 -2 0\nc x\n3\n 0\n")
	f.Fuzz(func(t *testing.T, in string) {
		var cnf *CNF
		var err error
		alloctest.Check(t, len(in), 200, func() { cnf, err = Read(strings.NewReader(in)) })
		if err != nil {
			return
		}
		var b bytes.Buffer
		if err := Write(&b, cnf); err != nil {
			t.Fatal(err)
		}
		if again, err := Read(&b); err != nil || !reflect.DeepEqual(cnf, again) {
			t.Errorf("read back %v, %v", again, err)
		}
	})
}
