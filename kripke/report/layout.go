package report

import (
	"cmp"
	"slices"

	"netcov/kripke/structure"
)

// A drawing is layered (Sugiyama, Tagawa and Toda, 1981): a layer has the states at one
// distance from the initial ones, so that no step skips a layer downwards, and its order
// comes from sweeps that put each state at the mean position of its neighbours. States
// that cannot be reached are the last layer. Crossings are not minimised beyond that.

// sweeps is the number of passes over the layers; more change little.
const sweeps = 8

// layers are the states of a structure by distance, each layer in the order in which it
// is drawn.
func layers(g *structure.Structure) [][]int {
	seen := structure.SetOf(g.Len(), g.Initial...)
	var out [][]int
	for next := g.Initial; len(next) > 0; {
		layer := next
		out, next = append(out, slices.Clone(layer)), nil
		for _, s := range layer {
			for _, t := range g.Successors(s) {
				if !seen.Has(int(t)) {
					seen.Add(int(t))
					next = append(next, int(t))
				}
			}
		}
	}
	distance := len(out)
	var rest []int
	for s := range g.Len() {
		if !seen.Has(s) {
			rest = append(rest, s)
		}
	}
	at := make([]float64, g.Len()) // position in a layer, 0 to 1
	place := func(layer []int) {
		for i, s := range layer {
			at[s] = (float64(i) + 0.5) / float64(len(layer))
		}
	}
	for _, layer := range out {
		place(layer)
	}
	for n := range sweeps {
		neighbours := g.Predecessors
		if n%2 == 1 {
			neighbours = g.Successors
		}
		for i := range distance {
			layer := out[i]
			if n%2 == 1 {
				layer = out[distance-1-i]
			}
			mean := map[int]float64{}
			for _, s := range layer {
				sum, count := at[s], 1.0
				for _, t := range neighbours(s) {
					if seen.Has(int(t)) {
						sum, count = sum+at[t], count+1
					}
				}
				mean[s] = sum / count
			}
			slices.SortStableFunc(layer, func(a, b int) int { return cmp.Compare(mean[a], mean[b]) })
			place(layer)
		}
	}
	if len(rest) > 0 {
		out = append(out, rest)
	}
	return out
}
