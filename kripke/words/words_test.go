package words

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestCubesAgainstStates: the cubes have every state of their set and none of the
// other, for random sets over random words.
func TestCubesAgainstStates(t *testing.T) {
	fewer := 0
	for seed := range uint64(1500) {
		rng := rand.New(rand.NewPCG(seed, 22))
		var registers []string
		for w := range 1 + rng.IntN(3) {
			n := 1 + rng.IntN(4)
			for i := range n {
				registers = append(registers, fmt.Sprintf("w%d[%d]", w, i))
			}
		}
		rng.Shuffle(len(registers), func(i, j int) { registers[i], registers[j] = registers[j], registers[i] })
		v := OfRegisters(registers)
		var in, out []string
		for n := range 1 << len(registers) {
			state := fmt.Sprintf("%0*b", len(registers), n)
			switch r := rng.IntN(3); {
			case r == 0 || seed%2 == 0 && strings.HasPrefix(state, "1"):
				in = append(in, state)
			case r == 1:
				out = append(out, state)
			}
		}
		c := v.cubes(in, out)
		if (c == nil) != (len(in) == 0) {
			t.Fatalf("seed %d: no cubes", seed)
		}
		if c == nil {
			continue
		}
		for _, row := range c.in {
			if !slices.ContainsFunc(c.found, func(q cube) bool { return q.has(row) }) {
				t.Fatalf("seed %d: a state is in no cube", seed)
			}
		}
		for _, row := range c.out {
			if slices.ContainsFunc(c.found, func(q cube) bool { return q.has(row) }) {
				t.Fatalf("seed %d: a state of the other set is in a cube", seed)
			}
		}
		if len(c.found) < len(in) {
			fewer++
		}
	}
	if fewer < 1000 {
		t.Errorf("only %d sets had fewer cubes than states", fewer)
	}
}

func TestDescribe(t *testing.T) {
	v := OfRegisters([]string{"count[1]", "count[0]", "busy", "count[2]"})
	var all []string
	for n := range 16 {
		all = append(all, fmt.Sprintf("%04b", n))
	}
	set := func(want func(count int, busy bool) bool) (in, out []string) {
		for _, s := range all {
			count := int(s[1]-'0') + 2*int(s[0]-'0') + 4*int(s[3]-'0')
			if want(count, s[2] == '1') {
				in = append(in, s)
			} else {
				out = append(out, s)
			}
		}
		return in, out
	}
	for _, c := range []struct {
		want func(count int, busy bool) bool
		text string
	}{
		{func(count int, busy bool) bool { return count <= 5 && busy }, "count in 0..5 & busy"},
		{func(count int, busy bool) bool { return count == 2 || count > 4 }, "count in {2, 5..7}"},
		{func(_ int, busy bool) bool { return !busy }, "!busy"},
		{func(count int, busy bool) bool { return busy || count == 3 }, "count = 3|busy"},
		{func(int, bool) bool { return true }, "all"},
		{func(int, bool) bool { return false }, ""},
	} {
		got := v.Describe(set(c.want))
		slices.Sort(got)
		want := strings.Split(c.text, "|")
		slices.Sort(want)
		if c.text == "" {
			want = nil
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
	for state, want := range map[string]string{"1101": "count=7", "0010": "busy", "0000": "all 0", "1011": "count=6 busy", "s0": "s0"} {
		if got := v.Short(state); got != want {
			t.Errorf("%s is %q, want %q", state, got, want)
		}
	}
	smv := []string{"state=idle n=0", "state=idle n=1", "state=busy n=0", "state=done n=9"}
	if got := OfAssignments(smv).Describe(smv[:3], smv[3:]); len(got) != 1 || got[0] != "n in 0..1" && got[0] != "state in {busy, idle}" {
		t.Errorf("%q", got)
	}
	if OfAssignments([]string{"s0", "s1"}) != nil || v.Describe([]string{"s0"}, nil) != nil {
		t.Error("names of another form are described")
	}
}
