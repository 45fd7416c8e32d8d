package growth

import (
	"math"
	"testing"

	"gonum.org/v1/plot/plotter"
)

func TestSlope(t *testing.T) {
	s := Series{Least: 0.002, Points: plotter.XYs{{X: 2, Y: 1e-4}}}
	if !math.IsNaN(s.Slope()) {
		t.Fatalf("one short run has slope %g", s.Slope())
	}
	for e := 3.0; e < 12; e++ {
		n := math.Exp2(e)
		s.Points = append(s.Points, plotter.XY{X: n, Y: 0.01 * math.Pow(n, 1.5)})
	}
	if got := s.Slope(); math.Abs(got-1.5) > 1e-9 {
		t.Fatalf("n^1.5 has slope %g; the short run must not count", got)
	}
}
