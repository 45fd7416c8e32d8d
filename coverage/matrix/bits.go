package matrix

import (
	"encoding/binary"
	"iter"
	"math/bits"
)

// set is a set of small numbers, a bit each. Sets that are combined have the same
// length.
type set []uint64

func newSet(n int) set { return make(set, (n+63)/64) }

func (s set) has(i int) bool { return s[i/64]>>(i%64)&1 == 1 }
func (s set) add(i int)      { s[i/64] |= 1 << (i % 64) }
func (s set) remove(i int)   { s[i/64] &^= 1 << (i % 64) }

// count is the number of elements.
func (s set) count() int {
	n := 0
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}

// all goes through the elements in rising order.
func (s set) all() iter.Seq[int] {
	return func(yield func(int) bool) {
		for i, w := range s {
			for ; w != 0; w &= w - 1 {
				if !yield(64*i + bits.TrailingZeros64(w)) {
					return
				}
			}
		}
	}
}

// join adds the elements of another set.
func (s set) join(t set) {
	for i, w := range t {
		s[i] |= w
	}
}

// without returns the elements that are not in t.
func (s set) without(t set) set {
	out := make(set, len(s))
	for i := range s {
		out[i] = s[i] &^ t[i]
	}
	return out
}

// within reports whether all elements are in t.
func (s set) within(t set) bool {
	for i := range s {
		if s[i]&^t[i] != 0 {
			return false
		}
	}
	return true
}

// meets reports whether an element is in t.
func (s set) meets(t set) bool {
	for i := range s {
		if s[i]&t[i] != 0 {
			return true
		}
	}
	return false
}

// key is the set as a string.
func (s set) key() string {
	b := make([]byte, 0, 8*len(s))
	for _, w := range s {
		b = binary.LittleEndian.AppendUint64(b, w)
	}
	return string(b)
}
