package report

import (
	"math"
	"testing"
)

// TestWilson compares with the interval solved from its definition: the shares q
// for which |p - q| = z sqrt(q (1 - q) / n).
func TestWilson(t *testing.T) {
	for _, n := range []int{1, 5, 30, 1000} {
		for k := range n + 1 {
			p := float64(k) / float64(n)
			low, high := wilson(p, n)
			if low > p+1e-12 || high < p-1e-12 {
				t.Fatalf("%d of %d: %v to %v", k, n, low, high)
			}
			for _, q := range []float64{low, high} {
				want := 1.959964 * math.Sqrt(q*(1-q)/float64(n))
				if math.Abs(math.Abs(p-q)-want) > 1e-7 {
					t.Fatalf("%d of %d: the bound %v is off", k, n, q)
				}
			}
		}
	}
}
