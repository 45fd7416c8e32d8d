package suggest

import (
	"math/rand/v2"
	"testing"

	"netcov/aig"
)

// randomTerm draws a term over words as the shapes make them.
func randomTerm(rng *rand.Rand, words []*Word, depth int) *term {
	w := before(words[rng.IntN(len(words))], rng.IntN(2))
	if depth == 0 {
		switch rng.IntN(3) {
		case 0:
			n := 1 + rng.IntN(6)
			return number(rng.Uint64()&mask(n), n)
		case 1:
			high := rng.IntN(w.word.Width())
			return slice(w, high, rng.IntN(high+1))
		}
		return w
	}
	a, b := randomTerm(rng, words, depth-1), randomTerm(rng, words, depth-1)
	switch o := []op{opConcat, opAdd, opSub, opAnd, opOr, opXor, opEq, opNe, opLe, opNot, opUnless, opBoth, opEither}[rng.IntN(13)]; o {
	case opNot:
		return apply(o, a)
	case opUnless:
		return apply(o, apply(opEq, a, b))
	case opBoth, opEither:
		return apply(o, apply(opLe, a, b), apply(opNe, b, a))
	default:
		return apply(o, a, b)
	}
}

// TestTermTwins: the number that a term has on a sample is what its circuit computes.
func TestTermTwins(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 8))
	ones := 0
	for range 20000 {
		g := aig.NewGraph()
		var words []*Word
		for range 3 {
			w := &Word{Name: "w", High: -1, Low: -1}
			for range 1 + rng.IntN(5) {
				w.Bits = append(w.Bits, g.Input())
			}
			words = append(words, w)
		}
		value := map[aig.Lit][2]bool{}
		for _, w := range words {
			for _, b := range w.Bits {
				value[b] = [2]bool{rng.IntN(2) == 1, rng.IntN(2) == 1}
			}
		}
		past := map[aig.Lit]aig.Lit{}
		for _, w := range words {
			for _, b := range w.Bits {
				past[b] = g.Input()
			}
		}
		x := randomTerm(rng, words, 1+rng.IntN(3))
		y := randomTerm(rng, words, rng.IntN(2))
		e := apply([]op{opEq, opNe, opLe}[rng.IntN(3)], x, y)
		got := e.eval(1, func(w *Word, past int) uint64 {
			v := uint64(0)
			for i, b := range w.Bits {
				if value[b][past] {
					v |= 1 << i
				}
			}
			return v
		})
		out := e.build(g, 1, func(w *Word, steps int) []aig.Lit {
			if steps == 0 {
				return w.Bits
			}
			var old []aig.Lit
			for _, b := range w.Bits {
				old = append(old, past[b])
			}
			return old
		})[0]
		values := make([]bool, g.Size())
		for b, v := range value {
			values[b.Node()], values[past[b].Node()] = v[0], v[1]
		}
		for n := aig.Node(1); int(n) < g.Size(); n++ {
			if g.Kind(n) == aig.KindAnd {
				a, b := g.Fanins(n)
				values[n] = values[a.Node()] != a.Neg() && values[b.Node()] != b.Neg()
			}
		}
		if want := values[out.Node()] != out.Neg(); want != (got == 1) {
			t.Fatalf("%s: %v on the sample, %v in the circuit", e.text(wordName), got, want)
		}
		ones += int(got)
	}
	if ones < 1000 || ones > 19000 {
		t.Errorf("%d of the terms are 1", ones)
	}
}
