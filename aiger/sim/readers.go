package sim

import (
	"slices"

	"netcov/aiger"
)

// readers lists, for each variable of a file, what reads it.
type readers struct {
	from []int32 // by variable, and one more: where its list begins
	list []int32
}

func (r *readers) of(v uint32) []int32 { return r.list[r.from[v]:r.from[v+1]] }

// newReaders makes the lists of n readers; reads calls its function with each variable
// that one of them reads, once.
func newReaders(f *aiger.File, n int, reads func(i int, found func(v uint32))) readers {
	r := readers{from: make([]int32, f.MaxVar+2)}
	for i := range n {
		reads(i, func(v uint32) { r.from[v+1]++ })
	}
	for v := range f.MaxVar + 1 {
		r.from[v+1] += r.from[v]
	}
	r.list = make([]int32, r.from[f.MaxVar+1])
	next := slices.Clone(r.from)
	for i := range n {
		reads(i, func(v uint32) {
			r.list[next[v]] = int32(i)
			next[v]++
		})
	}
	return r
}

// leaf is a literal with which a property is true.
type leaf struct {
	lit   aiger.Lit
	which int // of the properties
}

// fanout tells who reads a variable, as far as some properties depend on it in any
// number of steps.
//
// A property's literal is opened into its leaves where it is a disjunction, and the
// constraints into conjuncts: of a property that speaks of thousands of registers, a
// difference in one is not carried through the gates that join them.
type fanout struct {
	gates, latches readers // positions in Ands and Latches
	bads, assumed  readers // positions in leaves and conjuncts
	leaves         []leaf
	conjuncts      []aiger.Lit
	joins          []bool  // by variable: a gate that is opened
	node           []int32 // by variable: latch i is i+1, gate i is -i-1
}

func newFanout(f *aiger.File, properties []int) *fanout {
	o := &fanout{joins: make([]bool, f.MaxVar+1), node: make([]int32, f.MaxVar+1)}
	for i, l := range f.Latches {
		o.node[l.Lit>>1] = int32(i) + 1
	}
	for i, a := range f.Ands {
		o.node[a.Lhs>>1] = -int32(i) - 1
	}
	lits, _, _ := f.Properties()
	for k, p := range properties {
		for _, l := range o.open(f, []aiger.Lit{lits[p] ^ 1}) {
			o.leaves = append(o.leaves, leaf{l ^ 1, k})
		}
	}
	o.conjuncts = o.open(f, f.Constraints)
	cone := o.cone(f)
	o.gates = newReaders(f, len(f.Ands), func(i int, found func(uint32)) {
		if a := f.Ands[i]; cone[a.Lhs>>1] {
			found(a.Rhs0 >> 1)
			if a.Rhs1>>1 != a.Rhs0>>1 {
				found(a.Rhs1 >> 1)
			}
		}
	})
	o.latches = newReaders(f, len(f.Latches), func(i int, found func(uint32)) {
		if l := f.Latches[i]; cone[l.Lit>>1] {
			found(l.Next >> 1)
		}
	})
	o.bads = newReaders(f, len(o.leaves), func(i int, found func(uint32)) { found(o.leaves[i].lit >> 1) })
	o.assumed = newReaders(f, len(o.conjuncts), func(i int, found func(uint32)) { found(o.conjuncts[i] >> 1) })
	return o
}

// open returns literals whose conjunction is that of the given ones.
func (o *fanout) open(f *aiger.File, lits []aiger.Lit) (all []aiger.Lit) {
	seen := map[aiger.Lit]bool{}
	stack := slices.Clone(lits)
	for len(stack) > 0 {
		l := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if seen[l] {
			continue
		}
		seen[l] = true
		if n := o.node[l>>1]; n < 0 && l&1 == 0 {
			o.joins[l>>1] = true
			stack = append(stack, f.Ands[-n-1].Rhs0, f.Ands[-n-1].Rhs1)
		} else {
			all = append(all, l)
		}
	}
	return all
}

// cone marks what the leaves and conjuncts depend on in any number of steps.
func (o *fanout) cone(f *aiger.File) []bool {
	cone := make([]bool, f.MaxVar+1)
	stack := slices.Clone(o.conjuncts)
	for _, l := range o.leaves {
		stack = append(stack, l.lit)
	}
	for len(stack) > 0 {
		v := stack[len(stack)-1] >> 1
		stack = stack[:len(stack)-1]
		if cone[v] {
			continue
		}
		cone[v] = true
		switch n := o.node[v]; {
		case n > 0:
			stack = append(stack, f.Latches[n-1].Next)
		case n < 0:
			stack = append(stack, f.Ands[-n-1].Rhs0, f.Ands[-n-1].Rhs1)
		}
	}
	return cone
}
