package structure

import "math/bits"

// Set is a set of states as a bit vector. Its capacity is fixed at creation;
// the sets of one operation must have the same capacity.
type Set []uint64

// NewSet is the empty set with room for the states 0…n-1.
func NewSet(n int) Set { return make(Set, (n+63)/64) }

// FullSet is {0, …, n-1}.
func FullSet(n int) Set {
	s := NewSet(n)
	for i := range s {
		s[i] = ^uint64(0)
	}
	if n%64 != 0 {
		s[len(s)-1] = 1<<(n%64) - 1
	}
	return s
}

// SetOf is the set of the given states, with room for 0…n-1.
func SetOf[T ~int | ~int32](n int, states ...T) Set {
	s := NewSet(n)
	for _, x := range states {
		s.Add(int(x))
	}
	return s
}

// Has reports whether x is in s.
func (s Set) Has(x int) bool { return s[x>>6]>>(x&63)&1 != 0 }

// Add puts x into s.
func (s Set) Add(x int) { s[x>>6] |= 1 << (x & 63) }

// Remove takes x out of s.
func (s Set) Remove(x int) { s[x>>6] &^= 1 << (x & 63) }

// Flip puts x in when it is out and takes it out when it is in.
func (s Set) Flip(x int) { s[x>>6] ^= 1 << (x & 63) }

// Count is the number of states in s.
func (s Set) Count() int {
	n := 0
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}

// Empty reports whether s has no state.
func (s Set) Empty() bool {
	for _, w := range s {
		if w != 0 {
			return false
		}
	}
	return true
}

// Equal reports whether s and t have the same states.
func (s Set) Equal(t Set) bool {
	for i, w := range s {
		if w != t[i] {
			return false
		}
	}
	return true
}

// SubsetOf reports whether every state of s is in t.
func (s Set) SubsetOf(t Set) bool {
	for i, w := range s {
		if w&^t[i] != 0 {
			return false
		}
	}
	return true
}

// Clone is a copy of s.
func (s Set) Clone() Set { return append(Set(nil), s...) }

// Union adds the states of t to s.
func (s Set) Union(t Set) {
	for i, w := range t {
		s[i] |= w
	}
}

// Intersect keeps the states of s that are in t.
func (s Set) Intersect(t Set) {
	for i, w := range t {
		s[i] &= w
	}
}

// Subtract takes the states of t out of s.
func (s Set) Subtract(t Set) {
	for i, w := range t {
		s[i] &^= w
	}
}

// All ranges over the states of s in increasing order.
func (s Set) All() func(yield func(int) bool) {
	return func(yield func(int) bool) {
		for i, w := range s {
			for ; w != 0; w &= w - 1 {
				if !yield(i<<6 + bits.TrailingZeros64(w)) {
					return
				}
			}
		}
	}
}

// List is the states of s in increasing order; never nil.
func (s Set) List() []int {
	out := make([]int, 0, s.Count())
	for x := range s.All() {
		out = append(out, x)
	}
	return out
}
