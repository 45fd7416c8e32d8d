// Package shrink makes a failing AIGER file small: delta debugging by removing
// and simplifying one part after the other while the failure stays (Zeller and
// Hildebrandt, IEEE TSE 2002; Brummayer and Biere's delta debuggers do the same
// for solvers' inputs).
package shrink

import (
	"slices"

	"netcov/aiger"
)

// File returns a small file for which fails still holds; f itself must fail and
// is not changed. fails is called often, with well-formed files only.
func File(f *aiger.File, fails func(*aiger.File) bool) *aiger.File {
	best := clone(f)
	best.Symbols, best.Comment = aiger.Symbols{}, ""
	if !try(&best, best, fails) {
		best = clone(f)
	}
	for changed := true; changed; {
		changed = false
		for _, pass := range passes {
			for i := 0; ; i++ {
				next := clone(best)
				if !pass(next, i) {
					break
				}
				if try(&best, next, fails) {
					changed = true
					i-- // the part at i is another one now
				}
			}
		}
	}
	return best
}

func try(best **aiger.File, next *aiger.File, fails func(*aiger.File) bool) bool {
	if next.Check() != nil || !fails(next) {
		return false
	}
	*best = next
	return true
}

// passes change the i-th part of a file; they return false when there is none.
var passes = []func(f *aiger.File, i int) bool{
	func(f *aiger.File, i int) bool { return remove(&f.Justice, i) },
	func(f *aiger.File, i int) bool { return remove(&f.Fairness, i) },
	func(f *aiger.File, i int) bool { return remove(&f.Bads, i) },
	func(f *aiger.File, i int) bool { return remove(&f.Outputs, i) },
	func(f *aiger.File, i int) bool { return remove(&f.Constraints, i) },
	func(f *aiger.File, i int) bool { return gate(f, i, func(aiger.And) aiger.Lit { return 0 }) },
	func(f *aiger.File, i int) bool { return gate(f, i, func(aiger.And) aiger.Lit { return 1 }) },
	func(f *aiger.File, i int) bool { return gate(f, i, func(a aiger.And) aiger.Lit { return a.Rhs0 }) },
	func(f *aiger.File, i int) bool { return gate(f, i, func(a aiger.And) aiger.Lit { return a.Rhs1 }) },
	func(f *aiger.File, i int) bool { return latch(f, i, 0) },
	func(f *aiger.File, i int) bool { return latch(f, i, 1) },
	func(f *aiger.File, i int) bool { return input(f, i, 0) },
	func(f *aiger.File, i int) bool { return input(f, i, 1) },
	reset,
	next,
}

func remove[T any](list *[]T, i int) bool {
	if i >= len(*list) {
		return false
	}
	*list = slices.Delete(*list, i, i+1)
	return true
}

// gate replaces a gate by another literal.
func gate(f *aiger.File, i int, by func(aiger.And) aiger.Lit) bool {
	if i >= len(f.Ands) {
		return false
	}
	a := f.Ands[i]
	f.Ands = slices.Delete(f.Ands, i, i+1)
	f.AndPos = nil
	substitute(f, a.Lhs, by(a))
	return true
}

func latch(f *aiger.File, i int, by aiger.Lit) bool {
	if i >= len(f.Latches) {
		return false
	}
	l := f.Latches[i].Lit
	f.Latches = slices.Delete(f.Latches, i, i+1)
	substitute(f, l, by)
	return true
}

func input(f *aiger.File, i int, by aiger.Lit) bool {
	if i >= len(f.Inputs) {
		return false
	}
	l := f.Inputs[i]
	f.Inputs = slices.Delete(f.Inputs, i, i+1)
	substitute(f, l, by)
	return true
}

// reset gives a latch the reset 0.
func reset(f *aiger.File, i int) bool {
	for k := range f.Latches {
		if f.Latches[k].Reset != 0 {
			if i == 0 {
				f.Latches[k].Reset = 0
				return true
			}
			i--
		}
	}
	return false
}

// next makes a latch constant after the first step.
func next(f *aiger.File, i int) bool {
	for k := range f.Latches {
		if f.Latches[k].Next > 1 {
			if i == 0 {
				f.Latches[k].Next = 0
				return true
			}
			i--
		}
	}
	return false
}

// substitute replaces a variable everywhere.
func substitute(f *aiger.File, lit, by aiger.Lit) {
	swap := func(l *aiger.Lit) {
		if *l>>1 == lit>>1 {
			*l = by ^ *l&1
		}
	}
	for _, list := range [][]aiger.Lit{f.Outputs, f.Bads, f.Constraints, f.Fairness} {
		for i := range list {
			swap(&list[i])
		}
	}
	for _, list := range f.Justice {
		for i := range list {
			swap(&list[i])
		}
	}
	for i := range f.Latches {
		swap(&f.Latches[i].Next)
		swap(&f.Latches[i].Reset)
	}
	for i := range f.Ands {
		swap(&f.Ands[i].Rhs0)
		swap(&f.Ands[i].Rhs1)
	}
}

func clone(f *aiger.File) *aiger.File {
	g := *f
	g.Inputs, g.Latches, g.Ands = slices.Clone(f.Inputs), slices.Clone(f.Latches), slices.Clone(f.Ands)
	g.Outputs, g.Bads = slices.Clone(f.Outputs), slices.Clone(f.Bads)
	g.Constraints, g.Fairness = slices.Clone(f.Constraints), slices.Clone(f.Fairness)
	g.AndPos = slices.Clone(f.AndPos)
	g.Justice = nil
	for _, j := range f.Justice {
		g.Justice = append(g.Justice, slices.Clone(j))
	}
	return &g
}
