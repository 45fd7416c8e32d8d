// Arrays as words: element k of an array of elements of w bits is bits k·w to
// k·w+w-1. So states, inputs, ite and equality need nothing of their own; only
// reading and writing at an index do.

package btor2

import (
	"fmt"
	"strconv"

	"netcov/aig"
)

// sort is a bit-vector sort, or an array sort.
type sort struct {
	width   int  // in bits; of an array, all elements that are kept, together
	index   int  // width of an array's index; 0 for a bit-vector
	element int  // width of an array's elements
	huge    bool // it is above the limit: refused, or kept by word (see abstract.go)
}

// same reports whether two sorts have the same values.
func (s sort) same(t sort) bool {
	return s.width == t.width && s.index == t.index && s.element == t.element
}

// String describes the sort in messages.
func (s sort) String() string {
	if s.index > 0 {
		size := fmt.Sprintf("2^%d", s.index)
		if s.index < 17 {
			size = strconv.Itoa(1 << s.index)
		}
		return fmt.Sprintf("an array of %s elements of %d bits", size, s.element)
	}
	return fmt.Sprintf("%d bits", s.width)
}

// parseArray reads the rest of an array sort. One that is too large is refused
// where something of the sort is declared.
func (p *parser) parseArray(f *fields) (sort, error) {
	var of [2]sort
	for i, what := range []string{"the sort of the index", "the sort of the element"} {
		n, err := f.number(what, 1)
		if err != nil {
			return sort{}, err
		}
		s, ok := p.sorts[n]
		switch {
		case !ok:
			return sort{}, p.fail("declare the sort above this line", "no sort %d", n)
		case s.index > 0:
			return sort{}, p.fail("index and elements of an array are bit-vectors", "sort %d is an array", n)
		}
		of[i] = s
	}
	s := sort{index: of[0].width, element: of[1].width}
	if s.index < 32 {
		s.width = s.element << s.index
	}
	if s.width == 0 || s.width > p.opt.MemoryBits {
		s.huge, s.width = true, s.element*p.opt.probes.count(s.index)
	}
	return s, nil
}

// checkArray holds the arguments of read and write against their sorts.
func (p *parser) checkArray(n *node, args []sort) error {
	a := args[0]
	element := sort{width: a.element}
	switch {
	case a.index == 0:
		return p.fail("name an array", "%s of %s", n.op, a)
	case args[1].index > 0 || args[1].width != a.index:
		return p.fail("make the index as wide as the sort of the array says", "%s of %s at an index of %s", n.op, a, args[1])
	case n.op == "read" && !n.sort.same(element):
		return p.fail("give the result the sort of the elements", "read of %s with a result of %s", a, n.sort)
	case n.op == "write" && (!args[2].same(element) || !n.sort.same(a)):
		return p.fail("give the value the sort of the elements, and the result that of the array", "write of %s into %s with a result of %s", args[2], a, n.sort)
	}
	return nil
}

// read is the element of an array at an index: a tree of multiplexers, one level
// for each bit of the index.
func (b *blaster) read(array, index word) word {
	w := len(array) >> len(index)
	for _, bit := range index {
		half := make(word, 0, len(array)/2)
		for at := 0; at < len(array); at += 2 * w {
			half = append(half, b.mux(bit, array[at+w:at+2*w], array[at:at+w])...)
		}
		array = half
	}
	return array
}

// write is the array with another element at an index.
func (b *blaster) write(array, index, value word) word {
	w := len(value)
	at := word{aig.True} // [k]: the index is k
	for _, bit := range index {
		next := make(word, 0, 2*len(at))
		for _, l := range at {
			next = append(next, b.g.And(l, bit^1))
		}
		for _, l := range at {
			next = append(next, b.g.And(l, bit))
		}
		at = next
	}
	out := make(word, 0, len(array))
	for k, here := range at {
		out = append(out, b.mux(here, value, array[k*w:k*w+w])...)
	}
	return out
}

// fill is an array of so many bits that has a value everywhere.
func fill(value word, width int) word {
	out := make(word, 0, width)
	for len(out) < width {
		out = append(out, value...)
	}
	return out
}
