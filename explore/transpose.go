package explore

// transpose mirrors a matrix of 64 x 64 bits at its diagonal: bit j of row i becomes
// bit i of row j. It swaps blocks of 32, 16, … bits.
func transpose(rows *[64]uint64) {
	mask := ^uint64(0) >> 32
	for width := 32; width > 0; width >>= 1 {
		for i := range 64 {
			if i&width != 0 {
				continue
			}
			low, high := rows[i], rows[i|width]
			moved := (low>>width ^ high) & mask
			rows[i], rows[i|width] = low^moved<<width, high^moved
		}
		mask ^= mask << (width >> 1)
	}
}
