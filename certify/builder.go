package certify

import "netcov/aiger"

// builder grows a file whose variables are numbered as the binary form wants
// them: inputs, then latches, then gates in topological order. All inputs and
// latches are added before the first gate.
type builder struct {
	aiger.File
	gates map[[2]aiger.Lit]aiger.Lit // those made by and
}

func newBuilder() *builder {
	return &builder{gates: map[[2]aiger.Lit]aiger.Lit{}}
}

func (b *builder) variable() aiger.Lit {
	b.MaxVar++
	return 2 * b.MaxVar
}

func (b *builder) input(name string) aiger.Lit {
	l := b.variable()
	b.Symbols.Inputs = named(b.Symbols.Inputs, len(b.Inputs), name)
	b.Inputs = append(b.Inputs, l)
	return l
}

// latch adds a latch; its functions are set later.
func (b *builder) latch(name string) aiger.Lit {
	l := b.variable()
	b.Symbols.Latches = named(b.Symbols.Latches, len(b.Latches), name)
	b.Latches = append(b.Latches, aiger.Latch{Lit: l})
	return l
}

// named adds a name to a table; "" is no name.
func named(t aiger.Names, at int, name string) aiger.Names {
	if name == "" {
		return t
	}
	if t == nil {
		t = aiger.Names{}
	}
	t[at] = name
	return t
}

// copied adds a gate whose operands keep their order.
func (b *builder) copied(x, y aiger.Lit) aiger.Lit {
	l := b.variable()
	b.Ands = append(b.Ands, aiger.And{Lhs: l, Rhs0: x, Rhs1: y})
	return l
}

// gate adds a gate with its operands in the order of the binary form.
func (b *builder) gate(x, y aiger.Lit) aiger.Lit {
	l := b.variable()
	b.Ands = append(b.Ands, aiger.And{Lhs: l, Rhs0: max(x, y), Rhs1: min(x, y)})
	return l
}

// and returns the conjunction, without a gate where it is constant or an
// operand, or where there is such a gate.
func (b *builder) and(x, y aiger.Lit) aiger.Lit {
	if x < y {
		x, y = y, x
	}
	switch {
	case y == 0 || x == y^1:
		return 0
	case y == 1 || x == y:
		return x
	}
	key := [2]aiger.Lit{x, y}
	l, ok := b.gates[key]
	if !ok {
		l = b.gate(x, y)
		b.gates[key] = l
	}
	return l
}

func (b *builder) or(x, y aiger.Lit) aiger.Lit { return b.and(x^1, y^1) ^ 1 }

func (b *builder) mux(sel, t, e aiger.Lit) aiger.Lit {
	return b.or(b.and(sel, t), b.and(sel^1, e))
}

func (b *builder) equal(x, y aiger.Lit) aiger.Lit { return b.mux(x, y, y^1) }

// all returns the conjunction of literals, as a balanced tree. The slice is used
// up.
func (b *builder) all(lits []aiger.Lit) aiger.Lit {
	if len(lits) == 0 {
		return 1
	}
	for len(lits) > 1 {
		half := 0
		for i := 0; i < len(lits); i += 2 {
			if i+1 < len(lits) {
				lits[half] = b.and(lits[i], lits[i+1])
			} else {
				lits[half] = lits[i]
			}
			half++
		}
		lits = lits[:half]
	}
	return lits[0]
}
