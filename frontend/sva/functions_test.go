package sva

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// history gives the values of the signals some ticks ago, 0 before the first tick.
type history []int

func (h history) d(ago int) int {
	if ago >= len(h) {
		return 0
	}
	return h[len(h)-1-ago]
}

func (h history) bit(n, ago int) bool { return h.d(ago)>>n&1 == 1 }

// gated is the value of d at the n-th last tick before this one at which b held.
func (h history) gated(n int) int {
	for ago := 1; ago < len(h); ago++ {
		if h.bit(1, ago) {
			if n--; n == 0 {
				return h.d(ago)
			}
		}
	}
	return 0
}

func ones(v int) (n int) {
	for ; v > 0; v >>= 1 {
		n += v & 1
	}
	return n
}

// Each system function as yosys reads it, simulated, against its definition on the
// history. a, b and c are the lowest bits of d. (iverilog 11 cannot read them itself:
// there $bits of a port can be 0.)
func TestFunctions(t *testing.T) {
	cases := []struct {
		text string
		want func(h history) bool
	}{
		{"$past(a)", func(h history) bool { return h.bit(0, 1) }},
		{"$past(a, 3)", func(h history) bool { return h.bit(0, 3) }},
		{"$past(d) == 9", func(h history) bool { return h.d(1) == 9 }},
		{"$past(d, 2) == d", func(h history) bool { return h.d(2) == h.d(0) }},
		{"$past(d, 2, b) == 3", func(h history) bool { return h.gated(2) == 3 }},
		{"$past(d, , b) == 3", func(h history) bool { return h.gated(1) == 3 }},
		{"$past(d, 1, b, @(posedge clk)) == 3", func(h history) bool { return h.gated(1) == 3 }},
		{"$past($past(a)) && !$past(!a)", func(h history) bool { return h.bit(0, 2) && h.bit(0, 1) && len(h) > 1 }},
		{"$past(d[1])", func(h history) bool { return h.bit(1, 1) }},
		{"$past(d[2:1], 2) == 1", func(h history) bool { return h.d(2)>>1&3 == 1 }},
		{"$past(d + 4'd1) == 2", func(h history) bool { return len(h) > 1 && (h.d(1)+1)&15 == 2 }},
		{"$past({a, b}) == 2'b10", func(h history) bool { return h.bit(0, 1) && !h.bit(1, 1) }},
		{"$past($signed(d)) < 0", func(h history) bool { return h.d(1) > 7 }},
		{"$past($signed(d), 2) < 0", func(h history) bool { return h.d(2) > 7 }},
		{"$past(d) > 8", func(h history) bool { return h.d(1) > 8 }},
		{"$past(d) < 0", func(history) bool { return false }},
		{"$rose(a)", func(h history) bool { return h.bit(0, 0) && !h.bit(0, 1) }},
		{"$rose(d)", func(h history) bool { return h.bit(0, 0) && !h.bit(0, 1) }},
		{"$fell(b)", func(h history) bool { return !h.bit(1, 0) && h.bit(1, 1) }},
		{"$stable(d)", func(h history) bool { return h.d(0) == h.d(1) }},
		{"$changed(d)", func(h history) bool { return h.d(0) != h.d(1) }},
		{"$stable($signed(d))", func(h history) bool { return h.d(0) == h.d(1) }},
		{"$stable(a && b)", func(h history) bool { return (h.d(0)&3 == 3) == (h.d(1)&3 == 3) }},
		{"$onehot(d)", func(h history) bool { return ones(h.d(0)) == 1 }},
		{"$onehot0(d)", func(h history) bool { return ones(h.d(0)) <= 1 }},
		{"$onehot($signed(d))", func(h history) bool { return ones(h.d(0)) == 1 }},
		{"$countones(d) == 2", func(h history) bool { return ones(h.d(0)) == 2 }},
		{"$countones({d, d}) == 4", func(h history) bool { return ones(h.d(0)) == 2 }},
		{"$isunknown(d)", func(history) bool { return false }},
		{"$sampled(a) == a", func(history) bool { return true }},
		{"$rose(a) ##1 $fell(a) |-> !a", func(history) bool { return true }},
		{"wide(d)", func(h history) bool { return h.d(0)&3 == 2 }},
	}
	var text strings.Builder
	text.WriteString("property wide(logic [1:0] x); x == 2; endproperty\n")
	for i, c := range cases {
		fmt.Fprintf(&text, "f%d: assert property (@(posedge clk) %s);\n", i, c.text)
	}
	r := rand.New(rand.NewPCG(9, 3))
	var h history
	for range 300 {
		h = append(h, r.IntN(16))
		if r.IntN(3) == 0 {
			h = append(h, h[len(h)-1])
		}
	}
	got := outcomes(t, true, text.String(), h, make([]bool, len(h)))
	for i, c := range cases {
		for tick := range h {
			if want := c.want(h[:tick+1]); got[fmt.Sprintf("f%d", i)][tick] == want {
				t.Errorf("%s is %v at tick %d (%v), want %v", c.text, !want, tick, h[max(0, tick-4):tick+1], want)
				break
			}
		}
	}
}
