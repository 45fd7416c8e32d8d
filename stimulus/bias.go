package stimulus

import "math/rand/v2"

// Bias is how an input is drawn in a random run.
type Bias uint8

// The biases; any other is fair.
const (
	rarelyOne Bias = iota
	rarelyZero
	mostlySame
	biases = 5
)

// DrawBiases draws the biases of n inputs.
func DrawBiases(rng *rand.Rand, n int) []Bias {
	out := make([]Bias, n)
	for i := range out {
		out[i] = Bias(rng.IntN(biases))
	}
	return out
}

// Draw returns 64 lanes of an input: fair, rarely 1, rarely 0, or mostly what it was in
// the step before, which is nil in the first.
func (b Bias) Draw(rng *rand.Rand, last *uint64) uint64 {
	w := rng.Uint64()
	switch {
	case b == rarelyOne:
		return w & rng.Uint64() & rng.Uint64()
	case b == rarelyZero:
		return w | rng.Uint64() | rng.Uint64()
	case b == mostlySame && last != nil:
		change := rng.Uint64() & rng.Uint64() & rng.Uint64()
		return *last&^change | w&change
	}
	return w
}
