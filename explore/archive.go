package explore

import "math/rand/v2"

// mostCells bounds an archive. Later states are counted, not kept.
const mostCells = 1 << 14

// archive has one state of each cell, and the way there.
type archive struct {
	kind  kind
	words int              // of a state
	index map[uint64]int32 // hash of the features → cell
	cells []cell
	state []uint64 // [cell * words]
}

// cell says how its state was reached, and how often it was seen or left.
type cell struct {
	burst  *burst // nil for an initial state
	lane   uint8
	step   uint8 // in the burst; the state is the one after it
	visits uint32
}

func newArchive(k kind, latches int) *archive {
	return &archive{kind: k, words: (latches + 63) / 64, index: map[uint64]int32{}}
}

// visit counts a state, given by its features' hash, and reports whether its cell
// is new and there is room for it; then the state is to be added.
func (a *archive) visit(hash uint64) bool {
	if i, seen := a.index[hash]; seen {
		a.cells[i].visits++
		return false
	}
	return len(a.cells) < mostCells
}

func (a *archive) add(hash uint64, c cell, state []uint64) {
	a.index[hash] = int32(len(a.cells))
	a.cells = append(a.cells, c)
	a.state = append(a.state, state...)
}

// tournament is the number of cells of which the least visited is chosen.
const tournament = 4

// choose draws a cell that was visited rarely.
func (a *archive) choose(rng *rand.Rand) int32 {
	best := int32(rng.IntN(len(a.cells)))
	for range tournament - 1 {
		if i := int32(rng.IntN(len(a.cells))); a.cells[i].visits < a.cells[best].visits {
			best = i
		}
	}
	a.cells[best].visits++
	return best
}

// at returns the state of a cell.
func (a *archive) at(i int32) []uint64 { return a.state[int(i)*a.words : (int(i)+1)*a.words] }

// hashes folds features into a hash for each lane.
func hashes(features []uint64) (out [64]uint64) {
	var block [64]uint64
	for len(features) > 0 {
		n := copy(block[:], features)
		clear(block[n:])
		features = features[n:]
		transpose(&block)
		for lane, w := range block {
			out[lane] = mix(out[lane] ^ w)
		}
	}
	return out
}

// mix is a permutation of words that spreads each bit over all (the finaliser of
// Steele, Lea, Flood: Fast splittable pseudorandom number generators, OOPSLA 2014).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
