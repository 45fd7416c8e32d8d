package coverage

import (
	"testing"
	"time"

	"netcov/netlist"
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

func TestFade(t *testing.T) {
	a, b := yield{fadeAfter / 4, 10}, yield{fadeAfter / 2, 3}
	if fade(&a, &b); a != (yield{fadeAfter / 4, 10}) {
		t.Error("young yields fade")
	}
	b.time = fadeAfter
	if fade(&a, &b); a != (yield{fadeAfter / 8, 5}) || b != (yield{fadeAfter / 2, 1}) {
		t.Error("old yields do not fade", a, b)
	}
}

func TestAlternating(t *testing.T) {
	var ms []*Mutant
	for cut := range 100 {
		for force := range netlist.Force(3) {
			ms = append(ms, &Mutant{cut: cut, force: force})
		}
	}
	list := alternating(ms)
	seen := map[*Mutant]bool{}
	for i, m := range list {
		if seen[m] || i < 200 && m.free() != (i%2 == 0) {
			t.Fatalf("mutant %d: cut %d, %v", i, m.cut, m.force)
		}
		seen[m] = true
	}
	if len(seen) != len(ms) || list[2].cut == list[0].cut+1 {
		t.Error("neighbours stand together, or some are lost")
	}
	if stuck := alternating(ms[:2]); len(stuck) != 2 {
		t.Error("stuck-at mutants alone are lost")
	}
}
