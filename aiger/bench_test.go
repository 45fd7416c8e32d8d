package aiger_test

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"netcov/aiger"
)

// bigBinary is a file of n random gates over 1,000 inputs.
func bigBinary(tb testing.TB, n int) []byte {
	r := rand.New(rand.NewPCG(9, 9))
	f := &aiger.File{MaxVar: 1000, Outputs: []aiger.Lit{3}}
	for v := range uint32(1000) {
		f.Inputs = append(f.Inputs, 2*v+2)
	}
	for range n {
		f.MaxVar++
		a, b := 2*f.MaxVar-2-r.Uint32N(200), 2*f.MaxVar-2-r.Uint32N(2000)
		f.Ands = append(f.Ands, aiger.And{Lhs: 2 * f.MaxVar, Rhs0: a, Rhs1: b})
	}
	return written(tb, f, binary)
}

func benchmarkRead(b *testing.B, data []byte) {
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := aiger.Read(bytes.NewReader(data), "big", aiger.Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkReadBinary(b *testing.B) { benchmarkRead(b, bigBinary(b, 1_000_000)) }

func BenchmarkReadASCII(b *testing.B) {
	benchmarkRead(b, written(b, reread(b, bigBinary(b, 1_000_000)), ascii))
}

func BenchmarkWriteBinary(b *testing.B) {
	f := reread(b, bigBinary(b, 1_000_000))
	b.ReportAllocs()
	var out bytes.Buffer
	for b.Loop() {
		out.Reset()
		if err := aiger.WriteBinary(&out, f); err != nil {
			b.Fatal(err)
		}
	}
	b.SetBytes(int64(out.Len()))
}
