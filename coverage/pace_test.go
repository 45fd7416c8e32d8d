package coverage

import (
	"testing"
	"time"
)

func TestPace(t *testing.T) {
	second := func(settled int) yield { return yield{time.Second, settled} }
	for _, c := range []struct {
		one, other yield
		want       float64
	}{
		{yield{}, second(5), 1},      // nothing is known of one
		{second(3), second(3), 1},    // as good as the other
		{second(5), second(2), 2},    // twice as good, one for each added
		{second(99), second(0), 3},   // no more than the most
		{second(0), second(99), 0.5}, // no less than the least
		{yield{2 * time.Second, 3}, second(1), 1},
	} {
		if got := pace(c.one, c.other, 0.5, 3); got != c.want {
			t.Errorf("pace(%v, %v) = %g, want %g", c.one, c.other, got, c.want)
		}
	}
}
