// Package randaig makes random small netlists with all features of the AIGER
// format, for tests that compare an algorithm with a naive one.
package randaig

import (
	"fmt"
	"math/rand/v2"

	"netcov/aiger"
)

// Shape bounds a random file. Counts are upper bounds: each is drawn from 0 to
// it, so degenerate files (no input, no latch, no gate) come out as well.
type Shape struct {
	Inputs, Latches, Ands                  int
	Outputs, Bads, Constraints             int
	Justice, Fairness                      int
	ResetOne, Uninitialised, ResetFunction bool // kinds of reset besides 0
	Symbols                                bool // symbols and a comment
	Sparse                                 bool // variables in any order with gaps, gates in any file order
}

// Everything is a shape with all features, of designs small enough for
// enumeration of their states.
func Everything() Shape {
	return Shape{
		Inputs: 3, Latches: 4, Ands: 12, Outputs: 2, Bads: 3, Constraints: 2, Justice: 2, Fairness: 2,
		ResetOne: true, Uninitialised: true, ResetFunction: true, Symbols: true, Sparse: true,
	}
}

// New draws a well-formed file.
func New(r *rand.Rand, s Shape) *aiger.File {
	g := generator{Rand: r, f: &aiger.File{}}
	for range r.IntN(s.Inputs + 1) {
		g.f.Inputs = append(g.f.Inputs, g.variable())
	}
	for range r.IntN(s.Latches + 1) {
		g.f.Latches = append(g.f.Latches, aiger.Latch{Lit: g.variable()})
	}
	for range r.IntN(s.Ands + 1) {
		left, right := g.literal(), g.literal()
		g.f.Ands = append(g.f.Ands, aiger.And{Lhs: g.variable(), Rhs0: left, Rhs1: right})
	}
	for i := range g.f.Latches {
		g.f.Latches[i].Next = g.literal()
	}
	g.resets(s)
	g.f.Outputs = g.literals(s.Outputs)
	g.f.Bads = g.literals(s.Bads)
	g.f.Constraints = g.literals(s.Constraints)
	for range r.IntN(s.Justice + 1) {
		g.f.Justice = append(g.f.Justice, g.literals(3))
	}
	g.f.Fairness = g.literals(s.Fairness)
	if s.Sparse && r.IntN(2) == 0 {
		g.scatter()
	}
	if s.Symbols && r.IntN(2) == 0 {
		g.symbols()
	}
	return g.f
}

type generator struct {
	*rand.Rand
	f *aiger.File
}

func (g *generator) variable() aiger.Lit {
	g.f.MaxVar++
	return 2 * g.f.MaxVar
}

// literal draws a literal of what is defined so far; recent ones are likelier,
// so that gates form deep cones. Constants are rare.
func (g *generator) literal() aiger.Lit {
	n := g.f.MaxVar + 1
	v := g.Uint32N(n)
	if g.IntN(2) == 0 {
		v = n - 1 - g.Uint32N(min(n, 4))
	}
	if v == 0 && g.IntN(4) > 0 {
		v = g.Uint32N(n)
	}
	return 2*v + g.Uint32N(2)
}

func (g *generator) literals(most int) []aiger.Lit {
	var list []aiger.Lit
	for range g.IntN(most + 1) {
		list = append(list, g.literal())
	}
	return list
}

// resets draws a reset for each latch, and takes back those that would close a
// cycle.
func (g *generator) resets(s Shape) {
	for i := range g.f.Latches {
		l := &g.f.Latches[i]
		switch kind := g.IntN(4); {
		case kind == 1 && s.ResetOne:
			l.Reset = 1
		case kind == 2 && s.Uninitialised:
			l.Reset = l.Lit
		case kind == 3 && s.ResetFunction:
			l.Reset = g.literal()
			if l.Reset == l.Lit^1 {
				l.Reset = l.Lit
			}
			if _, err := g.f.InitialOrder(); err != nil {
				l.Reset = 0
			}
		}
	}
}

// scatter renumbers the variables at random, with gaps, swaps operands, and
// puts the gates at random positions of the file.
func (g *generator) scatter() {
	f := g.f
	gaps := uint32(g.IntN(4))
	numbers := g.Perm(int(f.MaxVar + gaps))
	m := func(lit aiger.Lit) aiger.Lit {
		if lit < 2 {
			return lit
		}
		return 2*uint32(numbers[lit>>1-1]+1) | lit&1
	}
	all := func(list []aiger.Lit) {
		for i := range list {
			list[i] = m(list[i])
		}
	}
	all(f.Inputs)
	for i, l := range f.Latches {
		f.Latches[i] = aiger.Latch{Lit: m(l.Lit), Next: m(l.Next), Reset: m(l.Reset)}
	}
	for i, a := range f.Ands {
		f.Ands[i] = aiger.And{Lhs: m(a.Lhs), Rhs0: m(a.Rhs0), Rhs1: m(a.Rhs1)}
		if g.IntN(2) == 0 {
			f.Ands[i].Rhs0, f.Ands[i].Rhs1 = f.Ands[i].Rhs1, f.Ands[i].Rhs0
		}
	}
	all(f.Outputs)
	all(f.Bads)
	all(f.Constraints)
	for _, j := range f.Justice {
		all(j)
	}
	all(f.Fairness)
	f.MaxVar += gaps
	f.AndPos = nil
	for _, at := range g.Perm(len(f.Ands)) {
		f.AndPos = append(f.AndPos, uint32(at))
	}
}

// symbols names about half of everything.
func (g *generator) symbols() {
	f := g.f
	names := func(n int) aiger.Names {
		list := aiger.Names{}
		for i := range n {
			switch g.IntN(6) {
			case 0:
				list[i] = ""
			case 1:
				list[i] = "the same"
			case 2:
				list[i] = fmt.Sprintf("größe [%d]", i)
			}
		}
		if len(list) == 0 {
			return nil
		}
		return list
	}
	f.Symbols = aiger.Symbols{
		Inputs: names(len(f.Inputs)), Latches: names(len(f.Latches)), Outputs: names(len(f.Outputs)),
		Bads: names(len(f.Bads)), Constraints: names(len(f.Constraints)),
		Justice: names(len(f.Justice)), Fairness: names(len(f.Fairness)),
	}
	if g.IntN(2) == 0 {
		f.Comment = "drawn at random\ni0 no symbol\n\n"
	}
}

// Trace draws a witness of f with up to steps steps, all its values 0 or 1, whose
// initial state obeys the constant resets; latches with other resets have x.
// extra is the number of additional input columns.
func Trace(r *rand.Rand, f *aiger.File, steps, extra int) *aiger.Witness {
	w := &aiger.Witness{Status: aiger.Fails, Properties: []aiger.Property{{Kind: 'b', Index: 0}}}
	w.Init = make([]aiger.Ternary, len(f.Latches))
	for i, l := range f.Latches {
		switch {
		case l.Reset == 1:
			w.Init[i] = aiger.True
		case l.Reset == l.Lit:
			w.Init[i] = aiger.Ternary(r.IntN(2))
		case l.HasResetFunction():
			w.Init[i] = aiger.Unknown
		}
	}
	for range 1 + r.IntN(steps) {
		row := make([]aiger.Ternary, len(f.Inputs)+extra)
		for i := range row {
			row[i] = aiger.Ternary(r.IntN(2))
		}
		w.Inputs = append(w.Inputs, row)
	}
	return w
}
