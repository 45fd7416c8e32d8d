package liveness

import "netcov/aiger"

// builder adds inputs, latches and gates to a copy of a file, after those that
// are there.
type builder struct {
	f *aiger.File
	// positions of the added latches by literal
	latch map[aiger.Lit]int
}

// newBuilder copies what a translation keeps: inputs, latches, gates,
// constraints, and their names.
func newBuilder(f *aiger.File) *builder {
	g := &aiger.File{
		MaxVar:      f.MaxVar,
		Binary:      f.Binary,
		Inputs:      append([]aiger.Lit(nil), f.Inputs...),
		Latches:     append([]aiger.Latch(nil), f.Latches...),
		Constraints: append([]aiger.Lit(nil), f.Constraints...),
		Ands:        append([]aiger.And(nil), f.Ands...),
	}
	if f.AndPos != nil {
		g.AndPos = append([]uint32(nil), f.AndPos...)
	}
	g.Symbols.Inputs = copyNames(f.Symbols.Inputs)
	g.Symbols.Latches = copyNames(f.Symbols.Latches)
	g.Symbols.Constraints = copyNames(f.Symbols.Constraints)
	return &builder{f: g, latch: map[aiger.Lit]int{}}
}

func copyNames(n aiger.Names) aiger.Names {
	out := aiger.Names{}
	for i, name := range n {
		out[i] = name
	}
	return out
}

func (b *builder) variable() aiger.Lit {
	b.f.MaxVar++
	return 2 * b.f.MaxVar
}

// Constant, And, Not, Input, Latch and SetNext make a builder what an automaton
// is built of.
func (b *builder) Constant(v bool) aiger.Lit {
	if v {
		return 1
	}
	return 0
}

func (b *builder) And(x, y aiger.Lit) aiger.Lit {
	switch {
	case x == 0 || y == 0 || x == y^1:
		return 0
	case x == 1 || x == y:
		return y
	case y == 1:
		return x
	}
	l := b.variable()
	if b.f.AndPos != nil {
		b.f.AndPos = append(b.f.AndPos, uint32(len(b.f.Ands)))
	}
	b.f.Ands = append(b.f.Ands, aiger.And{Lhs: l, Rhs0: x, Rhs1: y})
	return l
}

func (b *builder) Input(name string) aiger.Lit {
	l := b.variable()
	b.f.Symbols.Inputs[len(b.f.Inputs)] = name
	b.f.Inputs = append(b.f.Inputs, l)
	return l
}

func (b *builder) Latch(name string, reset bool) aiger.Lit {
	l := b.variable()
	b.latch[l] = len(b.f.Latches)
	b.f.Symbols.Latches[len(b.f.Latches)] = name
	b.f.Latches = append(b.f.Latches, aiger.Latch{Lit: l, Next: l, Reset: b.Constant(reset)})
	return l
}

func (b *builder) SetNext(latch, next aiger.Lit) { b.f.Latches[b.latch[latch]].Next = next }

func (b *builder) or(x, y aiger.Lit) aiger.Lit { return b.And(x^1, y^1) ^ 1 }

// xnor says that x and y are equal, mux is high where sel holds and low
// elsewhere.
func (b *builder) xnor(x, y aiger.Lit) aiger.Lit { return b.mux(x, y, y^1) }

func (b *builder) mux(sel, high, low aiger.Lit) aiger.Lit {
	return b.or(b.And(sel, high), b.And(sel^1, low))
}

// all is the conjunction, as a balanced tree.
func (b *builder) all(lits []aiger.Lit) aiger.Lit {
	if len(lits) == 0 {
		return 1
	}
	lits = append([]aiger.Lit(nil), lits...)
	for len(lits) > 1 {
		half := lits[:0]
		for i := 0; i+1 < len(lits); i += 2 {
			half = append(half, b.And(lits[i], lits[i+1]))
		}
		if len(lits)%2 == 1 {
			half = append(half, lits[len(lits)-1])
		}
		lits = half
	}
	return lits[0]
}
