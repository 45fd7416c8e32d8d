// Package symbolic turns explicit structures and circuits into decision
// diagrams over interleaved variables, and gives them the usual image
// operations.
//
// A vector of n bits stands on a track: with T tracks, bit i of the vector on
// track t is variable T·i+t. A set of states lives on one track and a relation
// on two, and the algorithms of CKV01, CK02 and KGG99 need 2 or 3 tracks, that
// is 2n or 3n variables, for everything they compute.
package symbolic

import (
	"math/bits"
	"slices"

	"netcov/kripke/bdd"
	"netcov/kripke/structure"
)

// Encoding is a manager whose variables are tracks of interleaved vectors.
type Encoding struct {
	M      *bdd.Manager
	Bits   int // n
	Tracks int
}

// NewEncoding makes a manager with tracks·n variables.
func NewEncoding(n, tracks int, opt bdd.Options) Encoding {
	return Encoding{bdd.New(n*tracks, opt), n, tracks}
}

// BitsFor is the number of bits that number the states 0…n-1; at least 1.
func BitsFor(n int) int { return max(1, bits.Len(uint(n-1))) }

// Var is the variable of bit i on a track.
func (e Encoding) Var(track, i int) int { return e.Tracks*i + track }

// Vars lists the variables of a track, top first.
func (e Encoding) Vars(track int) []int {
	vs := make([]int, e.Bits)
	for i := range vs {
		vs[i] = e.Var(track, i)
	}
	return vs
}

// Cube is the conjunction of a track's variables, for quantification.
func (e Encoding) Cube(track int) bdd.Ref { return e.M.Cube(e.Vars(track)...) }

// Equal says that the vectors on two tracks are the same on the given bits.
func (e Encoding) Equal(a, b int, bitPositions []int) bdd.Ref {
	f := bdd.True
	for _, i := range slices.Backward(bitPositions) {
		f = e.M.And(e.M.Iff(e.M.Var(e.Var(a, i)), e.M.Var(e.Var(b, i))), f)
	}
	return f
}

// AllBits lists the bit positions 0…n-1.
func (e Encoding) AllBits() []int {
	b := make([]int, e.Bits)
	for i := range b {
		b[i] = i
	}
	return b
}

// Number is the vector on a track that is the binary number code, its highest
// bit on top.
func (e Encoding) Number(track, code int) bdd.Ref {
	f := bdd.True
	for i := e.Bits - 1; i >= 0; i-- {
		f = e.M.And(e.M.Literal(e.Var(track, i), e.bit(code, i)), f)
	}
	return f
}

func (e Encoding) bit(code, i int) bool { return code>>(e.Bits-1-i)&1 != 0 }

// Set is the set of states on a track, each encoded by its number.
func (e Encoding) Set(track int, s structure.Set) bdd.Ref {
	return e.setFrom(track, s.List(), 0)
}

func (e Encoding) setFrom(track int, codes []int, i int) bdd.Ref {
	switch {
	case len(codes) == 0:
		return bdd.False
	case len(codes) == 1<<(e.Bits-i):
		return bdd.True
	}
	// The codes are increasing and share their first i bits.
	split, _ := slices.BinarySearchFunc(codes, 1, func(c, _ int) int {
		if e.bit(c, i) {
			return 1
		}
		return -1
	})
	return e.M.Ite(e.M.Var(e.Var(track, i)), e.setFrom(track, codes[split:], i+1), e.setFrom(track, codes[:split], i+1))
}

// Relation is the transition relation of a structure from the vector on one
// track to the vector on another.
func (e Encoding) Relation(from, to int, k *structure.Structure) bdd.Ref {
	pairs := make([][2]int, 0, k.Transitions())
	for s := range k.Len() {
		for _, t := range k.Successors(s) {
			pairs = append(pairs, [2]int{s, int(t)})
		}
	}
	return e.Pairs(from, to, pairs)
}

// Pairs is the relation that holds exactly these pairs of numbers.
func (e Encoding) Pairs(from, to int, pairs [][2]int) bdd.Ref {
	return e.pairsFrom([2]int{from, to}, slices.Clone(pairs), 0)
}

// pairsFrom splits the pairs by bit i/2 of the first (i even) or the second
// number; they agree on all bits before. It reorders its slice.
func (e Encoding) pairsFrom(tracks [2]int, pairs [][2]int, i int) bdd.Ref {
	if len(pairs) == 0 {
		return bdd.False
	}
	if i == 2*e.Bits {
		return bdd.True
	}
	split := 0
	for j, p := range pairs {
		if !e.bit(p[i&1], i/2) {
			pairs[j], pairs[split] = pairs[split], pairs[j]
			split++
		}
	}
	low := e.pairsFrom(tracks, pairs[:split], i+1)
	high := e.pairsFrom(tracks, pairs[split:], i+1)
	return e.M.Ite(e.M.Var(e.Var(tracks[i&1], i/2)), high, low)
}

// Codes lists the numbers that a function of one track holds, increasing.
func (e Encoding) Codes(track int, f bdd.Ref) []int {
	var out []int
	for bits := range e.M.All(f, e.Vars(track)) {
		code := 0
		for _, b := range bits {
			code *= 2
			if b {
				code++
			}
		}
		out = append(out, code)
	}
	return out
}

// MoveTrack prepares the renaming of the vector on one track to another.
func (e Encoding) MoveTrack(from, to int) *bdd.Renaming {
	m := map[int]int{}
	for i := range e.Bits {
		m[e.Var(from, i)] = e.Var(to, i)
	}
	return e.M.NewRenaming(m)
}
