package suggest

import "math/bits"

// bitset is a set of samples.
type bitset []uint64

func newBitset(n int) bitset { return make(bitset, (n+63)/64) }

func (b bitset) add(i int) { b[i>>6] |= 1 << (i & 63) }

func (b bitset) has(i int) bool { return b[i>>6]>>(i&63)&1 == 1 }

// and returns the intersection.
func (b bitset) and(c bitset) bitset {
	out := make(bitset, len(b))
	for i := range b {
		out[i] = b[i] & c[i]
	}
	return out
}

// minus returns what is not in c.
func (b bitset) minus(c bitset) bitset {
	out := make(bitset, len(b))
	for i := range b {
		out[i] = b[i] &^ c[i]
	}
	return out
}

func (b bitset) empty() bool {
	for _, w := range b {
		if w != 0 {
			return false
		}
	}
	return true
}

// meets tells whether the sets have a common sample.
func (b bitset) meets(c bitset) bool {
	for i := range b {
		if b[i]&c[i] != 0 {
			return true
		}
	}
	return false
}

// meets2 tells whether three sets have a common sample.
func (b bitset) meets2(c, d bitset) bool {
	for i := range b {
		if b[i]&c[i]&d[i] != 0 {
			return true
		}
	}
	return false
}

func (b bitset) count() int {
	n := 0
	for _, w := range b {
		n += bits.OnesCount64(w)
	}
	return n
}

// later moves each sample n places up: what was true n steps ago.
func (b bitset) later(n int) bitset {
	if n == 0 {
		return b
	}
	out := make(bitset, len(b))
	for i := range b {
		out[i] = b[i] << n
		if i > 0 {
			out[i] |= b[i-1] >> (64 - n)
		}
	}
	return out
}
