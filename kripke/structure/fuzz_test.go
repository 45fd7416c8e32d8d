package structure

import (
	"strings"
	"testing"

	"netcov/internal/alloctest"
)

// FuzzRead: no bytes make the reader panic, and what it accepts is written and
// read again as the same structure.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		light,
		"ap red green\ninit stop\nstate stop { red } -> stop go\nstate go { green !red } -> stop\nfair go\n",
		"init s # first\nstate s {} -> s\n",
		"ap \"a b\" \"\\\"\"\ninit \"x y\"\nstate \"x y\" { \"a b\" } -> \"x y\"\n",
		"init a\n",
		"state s { p p !p } -> t",
		"HOA: v1\nStates: 1\nStart: 0\nAP: 1 \"p\"\nacc-name: all\nAcceptance: 0 t\n--BODY--\nState: [0] 0\n0\n--END--\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var k *Structure
		var err error
		alloctest.Check(t, len(data), 2000, func() { k, err = Read("fuzz", data) })
		if err != nil {
			if text := err.Error(); strings.Contains(text, "\n") {
				t.Errorf("the error has several lines: %q", text)
			}
			return
		}
		bothForms(t, k)
	})
}
