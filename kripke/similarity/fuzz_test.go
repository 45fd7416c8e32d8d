package similarity

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"netcov/internal/alloctest"
	"netcov/kripke/structure"
)

// FuzzReadMutants: any bytes are read as mutants without a panic; what is refused
// is refused in one line; what is accepted is sorted, has states and signals that
// exist, and reads back as the same.
func FuzzReadMutants(f *testing.F) {
	k, err := structure.Read("k", []byte("ap p q \"n = 5\" \"= 5\"\ninit a\nstate a {p} -> b\nstate b {q} -> \"c d\"\nstate \"c d\" -> a\n"))
	if err != nil {
		f.Fatal(err)
	}
	p, err := NewProblem(k, k)
	if err != nil {
		f.Fatal(err)
	}
	for _, seed := range []string{
		"# none\n\n", "b p\na q\nb p", "b,p\na, q", "* q", "\"c d\" p\n[!(p | q)] q\n[p -> q] p", "a \"n = 5\"\n\"b c\", \"= 5\"",
		"[AG p] p", "[p &] p", "\" p", "[] p", ", p",
	} {
		f.Add([]byte(seed), false)
		f.Add([]byte(seed), true)
	}
	f.Fuzz(func(t *testing.T, data []byte, partial bool) {
		var got []Mutant
		var unlisted []string
		var err error
		alloctest.Check(t, len(data), 2000, func() { got, unlisted, err = p.ReadMutants("mut", bytes.NewReader(data), partial) })
		if err != nil {
			if strings.ContainsAny(err.Error(), "\n\r") {
				t.Errorf("refusal of several lines: %q", err)
			}
			return
		}
		if len(unlisted) > 0 && !partial {
			t.Errorf("unlisted states of a whole implementation: %q", unlisted)
		}
		var b strings.Builder
		for _, m := range got {
			if m.State < 0 || m.State >= k.Len() || !slices.Contains(k.AP, m.Signal) {
				t.Fatalf("no such mutant: %v", m)
			}
			fmt.Fprintf(&b, "%q %q\n", k.States[m.State], m.Signal)
		}
		again, _, err := p.ReadMutants("again", strings.NewReader(b.String()), false)
		if err != nil || !slices.Equal(got, again) {
			t.Errorf("%v is read back as %v, %v", got, again, err)
		}
	})
}
