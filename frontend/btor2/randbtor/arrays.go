// Package randbtor makes random small BTOR2 files with arrays, for tests that compare what
// is said of arrays by word with an enumeration of the states of the whole.
package randbtor

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
)

// Arrays is a small system whose two properties are about arrays. With registers, so many
// of addresses and elements stand beside these, and four further properties each.
func Arrays(r *rand.Rand, registers int) string {
	var b strings.Builder
	id := 0
	line := func(format string, args ...any) int {
		id++
		fmt.Fprintf(&b, "%d %s\n", id, fmt.Sprintf(format, args...))
		return id
	}
	bit := line("sort bitvec 1")
	index := line("sort bitvec %d", 1+r.IntN(2))
	element, nested := index, r.IntN(2) == 0 // elements may be addresses
	if !nested {
		element = line("sort bitvec %d", 1+r.IntN(2))
	}
	array := line("sort array %d %d", index, element)
	bits, indices, elements, arrays := []int{}, []int{}, []int{}, []int{}
	pick := func(list []int) int { return list[r.IntN(len(list))] }
	bits = append(bits, line("input %d en", bit), line("zero %d", bit))
	indices = append(indices, line("input %d at", index), line("zero %d", index), line("ones %d", index))
	elements = append(elements, line("zero %d", element), line("ones %d", element), line("input %d data", element))
	if registers > 0 { // else few properties hold for a reason
		elements = elements[:2]
	}
	if r.IntN(6) == 0 {
		arrays = append(arrays, line("input %d given", array))
	}
	states := []int{line("state %d q", bit), line("state %d p", index), line("state %d m", array), line("state %d n", array)}
	bits, indices, arrays = append(bits, states[0]), append(indices, states[1]), append(arrays, states[2:]...)
	written := line("write %d %d %d %d", array, states[2], pick(indices[1:3]), pick(elements[:2]))
	for i, s := range states {
		sort := [][]int{{bit}, {index}, {array}, {array}}[i][0]
		from := [][]int{{bits[1]}, indices[1:3], elements[:2], {elements[0], elements[1], states[2], written}}[i]
		if r.IntN(3) > 0 || registers > 0 {
			line("init %d %d %d", sort, s, pick(from))
		}
	}
	kept := map[int]*[]int{}
	for k := range registers {
		sort, pool := index, &indices
		if k%2 == 1 {
			sort, pool = element, &elements
		}
		s := line("state %d r%d", sort, k)
		line("init %d %d %d", sort, s, (*pool)[1+r.IntN(2)-k%2])
		*pool, kept[s] = append(*pool, s), pool
	}
	for range 5 + r.IntN(9) + 2*registers {
		switch r.IntN(12) {
		case 0, 1, 2:
			elements = append(elements, line("read %d %d %d", element, pick(arrays), pick(indices)))
		case 3, 4, 5:
			arrays = append(arrays, line("write %d %d %d %d", array, pick(arrays), pick(indices), pick(elements)))
		case 6:
			arrays = append(arrays, line("ite %d %d %d %d", array, pick(bits), pick(arrays), pick(arrays)))
		case 7:
			bits = append(bits, line("%s %d %d %d", []string{"eq", "neq"}[r.IntN(2)], bit, pick(arrays), pick(arrays)))
		case 8:
			bits = append(bits, line("eq %d %d %d", bit, pick(elements), pick(elements)))
		case 9:
			bits = append(bits, line("and %d %d -%d", bit, pick(bits), pick(bits)))
		case 10:
			if nested {
				indices = append(indices, elements[len(elements)-1])
				continue
			}
			indices = append(indices, line("inc %d %d", index, pick(indices)))
		case 11:
			bits = append(bits, line("redor %d %d", bit, pick(elements)))
		}
	}
	for i, s := range states {
		sort := []int{bit, index, array, array}[i]
		from := [][]int{bits, indices, arrays, arrays}[i]
		if r.IntN(6) > 0 || registers > 0 {
			line("next %d %d %d", sort, s, from[len(from)-1-r.IntN(min(3, len(from)))])
		}
	}
	for _, s := range slices.Sorted(maps.Keys(kept)) {
		sort := index
		if kept[s] == &elements {
			sort = element
		}
		line("next %d %d %d", sort, s, pick(*kept[s]))
	}
	if r.IntN(3) == 0 {
		bits = append(bits, line("eq %d %d %d", bit, arrays[len(arrays)-1], pick(arrays)))
	}
	line("bad %d", bits[len(bits)-1])
	both := line("and %d %d %d", bit, bits[len(bits)-1], pick(bits))
	line("bad %d", both)
	for k := range 4 * registers {
		line("bad %d", pick(bits[1:])*(1-k%2*2))
	}
	if r.IntN(3) == 0 {
		line("constraint -%d", pick(bits[1:]))
	}
	return b.String()
}
