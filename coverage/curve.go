package coverage

import (
	"slices"
	"time"
)

// Point is the share of decided mutants at a moment of the run (DAC10, figure 4).
// A mutant counts from when a test settled it, provided that the second opinion
// agreed; the time that second opinions take is on the clock of all that comes
// after them.
type Point struct {
	Seconds  float64 `json:"seconds"` // since the coverage tests began
	Accuracy float64 `json:"accuracy"`
}

// accuracyOverTime is the curve of a run over so many mutants, some of which were
// decided at these moments, thinned out where points lie closer
// together than a tenth of a millisecond or a hundredth of the time.
func accuracyOverTime(at []time.Duration, all int) []Point {
	slices.Sort(at)
	begun := 0
	for begun < len(at) && at[begun] == 0 {
		begun++
	}
	share := func(n int) float64 {
		if all == 0 {
			return 1
		}
		return float64(n) / float64(all)
	}
	curve := []Point{{0, share(begun)}}
	for i := begun; i < len(at); i++ {
		p := Point{at[i].Seconds(), share(i + 1)}
		if n := len(curve); n > 1 && p.Seconds-curve[n-2].Seconds < 0.0001+p.Seconds/100 {
			curve[n-1] = p
			continue
		}
		curve = append(curve, p)
	}
	return curve
}
