// Arrays as values of a run: what was written over a base, which has few elements other
// than one that it has everywhere.

package btor2

import "maps"

// base is the content of an array before anything is written.
type base struct {
	values map[string]cell
	rest   string // the element elsewhere
	// open tells that elements elsewhere may still be chosen, by the first read.
	open bool
}

// cell is an element, and where in the run it was written or first read.
type cell struct {
	value string
	from  place
}

// place is a node in a step of a run; node -1: nowhere.
type place struct {
	step int
	node int32
}

var nowhere = place{node: -1}

// sparse is an array. What was written is never changed in place.
type sparse struct {
	base   *base
	writes map[string]cell
}

// read is the element at an address. The second result is false where the base leaves
// it open.
func (a *sparse) read(at string) (cell, bool) {
	if c, ok := a.writes[at]; ok {
		return c, true
	}
	if c, ok := a.base.values[at]; ok {
		return c, true
	}
	return cell{a.base.rest, nowhere}, !a.base.open
}

func (a *sparse) write(at string, c cell) *sparse {
	w := maps.Clone(a.writes)
	if w == nil {
		w = map[string]cell{}
	}
	w[at] = c
	return &sparse{a.base, w}
}

// addresses are those at which one of two arrays has an element of its own.
func addresses(a, b *sparse) map[string]bool {
	keys := map[string]bool{}
	for _, m := range []map[string]cell{a.writes, b.writes, a.base.values, b.base.values} {
		for k := range m {
			keys[k] = true
		}
	}
	return keys
}

// difference returns an address at which two arrays of a width of index differ, and the
// places that say what is there. Where it can, it takes one that has such a place.
func difference(a, b *sparse, index int) (at string, from [2]place, differ bool) {
	keys := addresses(a, b)
	for k := range keys {
		x, _ := a.read(k)
		y, _ := b.read(k)
		if x.value != y.value && (!differ || k < at) {
			at, from, differ = k, [2]place{x.from, y.from}, true
		}
	}
	if differ || a.base.rest == b.base.rest || index < 31 && len(keys) >= 1<<index {
		return at, from, differ
	}
	free := make([]byte, index)
	for n := 0; ; n++ { // an address that is no key is among the first few
		for i := range free {
			free[i] = '0'
			if i < 63 && n>>i&1 == 1 {
				free[i] = '1'
			}
		}
		if !keys[string(free)] {
			return string(free), [2]place{nowhere, nowhere}, true
		}
	}
}
