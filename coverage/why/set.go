package why

// set is a set of small numbers.
type set []uint64

func newSet(n int) set { return make(set, (n+63)/64) }

func (s set) add(i int) { s[i>>6] |= 1 << (i & 63) }

// bools is the set as one truth value for each of n numbers.
func (s set) bools(n int) []bool {
	out := make([]bool, n)
	for i := range out {
		out[i] = s[i>>6]>>(i&63)&1 == 1
	}
	return out
}
