package aiger_test

import (
	"bytes"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"netcov/aiger"
	"netcov/aiger/randaig"
	"netcov/internal/alloctest"
)

// FuzzRead reads anything in both modes. What is refused is refused in one
// line; what is accepted survives the round trip through both forms.
func FuzzRead(f *testing.F) {
	for _, text := range []string{
		"aag 0 0 0 0 0\n", "aig 0 0 0 2 0\n0\n1\n",
		"aag 5 1 0 1 4\n2\n10\n10 8 6\n4 2 2\n8 6 5\n6 4 2\n",
		"aag 4 1 2 0 1\n2\n4 4 8\n6 6 1\n8 6 2\nl0 a b\nc\nhi\n",
		"aig 4 1 2 1 1\n4\n8 1\n9\n\x02\x04l1 x\nc\nhi\n",
		"aag 8 2 3 1 2 2 1 2 1\n2\n4\n6 7\n8 6 1\n10 12 10\n16\n3\n2\n1\n2\n0\n4\n6\n5\n12 4 2\n16 13 1\ni0 \n",
		"\xef\xbb\xbfaag 1 1 0 1 0\r\n2\r\n3\r\n\r\n",
		"aag 2147483647 2147483647 2147483647 2147483647 2147483647 2147483647\n",
		"aig 131072 131072 0 0 0\n",
	} {
		f.Add([]byte(text))
	}
	r := rand.New(rand.NewPCG(7, 8))
	for range 20 {
		file := randaig.New(r, randaig.Everything())
		f.Add(written(f, file, ascii))
		f.Add(written(f, file, binary))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var strict, lenient *aiger.File
		var errStrict, errLenient error
		alloctest.Check(t, len(data), 500, func() {
			strict, errStrict = aiger.Read(bytes.NewReader(data), "in", aiger.Options{})
			lenient, errLenient = aiger.Read(bytes.NewReader(data), "in", aiger.Options{Lenient: true})
		})
		for _, err := range []error{errStrict, errLenient} {
			if err != nil && strings.ContainsAny(err.Error(), "\n\r") {
				t.Fatalf("refusal of several lines: %q", err)
			}
		}
		if errStrict == nil {
			if errLenient != nil {
				t.Fatalf("only the strict reader accepts it: %v", errLenient)
			}
			if strict.Comment == lenient.Comment && !reflect.DeepEqual(strict, lenient) {
				t.Fatalf("the lenient reader reads another file")
			}
		}
		if errLenient == nil {
			if err := lenient.Check(); err != nil {
				t.Fatalf("read, but not well-formed: %v", err)
			}
			if lenient.MaxVar < 1<<16 { // more may be out of proportion once it is written shorter
				roundTrip(t, lenient)
			}
		}
	})
}

// FuzzWitness reads anything as witnesses, and writes and reads what it accepts.
func FuzzWitness(f *testing.F) {
	for _, text := range []string{
		"1\nb0\n0x1\n10\n01\n.\n", "0\nb0\n.\n2\nj0b1\n.\n", "c x\nu3\n1\nb0\n\n\n.\n", "1\nb0\n0\n0\n00\n.\n",
	} {
		f.Add([]byte(text))
	}
	file := reread(f, []byte("aag 3 2 1 1 0\n2\n4\n6 2\n6\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		var list []*aiger.Witness
		var fits, err error
		alloctest.Check(t, len(data), 500, func() {
			_, fits = aiger.ReadWitnesses(bytes.NewReader(data), "in", file)
			list, err = aiger.ReadWitnesses(bytes.NewReader(data), "in", nil)
		})
		if err != nil {
			if fits == nil {
				t.Fatal("only accepted with a file")
			}
			if strings.ContainsAny(err.Error(), "\n\r") {
				t.Fatalf("refusal of several lines: %q", err)
			}
			return
		}
		var b bytes.Buffer
		if err := aiger.WriteWitness(&b, list...); err != nil {
			t.Fatal(err)
		}
		again, err := aiger.ReadWitnesses(&b, "written", nil)
		if err != nil || !reflect.DeepEqual(list, again) {
			t.Fatalf("%v\n%v\n%v", err, list, again)
		}
	})
}
