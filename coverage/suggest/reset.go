package suggest

import "netcov/aig"

// resetInput is an input of one bit that resets the design: Active is its value then.
type resetInput struct {
	word   *Word
	active bool
}

// findReset looks for an input of one bit after whose active step most registers have
// one value each: their values then are those of the reset.
func (s *samples) findReset() {
	most, registers := 0, 0
	for _, w := range s.words {
		if w.Register != "" {
			registers++
		}
	}
	for _, in := range s.words {
		if !in.Input || in.Width() != 1 {
			continue
		}
		for _, active := range []bool{true, false} {
			after := newBitset(s.size)
			for i := range s.size - 1 {
				if s.last[i] != i && s.rows[in.at][i] == 1 == active {
					after.add(i + 1)
				}
			}
			if after.count() < leastSupport {
				continue
			}
			n := 0
			for _, w := range s.words {
				if w.Register != "" && s.fixed(w, after) && !s.fixed(w, s.valid[1]) {
					n++
				}
			}
			if n > most {
				most, s.reset = n, &resetInput{in, active}
			}
		}
	}
	if 4*most < registers {
		s.reset = nil
	}
}

// fixed tells whether a word has one value on some samples.
func (s *samples) fixed(w *Word, on bitset) bool {
	first, some := uint64(0), false
	for i, v := range s.rows[w.at] {
		if !on.has(i) {
			continue
		}
		if !some {
			first, some = v, true
		} else if v != first {
			return false
		}
	}
	return true
}

// inactive is the term that the reset is inactive, nil where there is none.
func (s *samples) inactive() *term {
	switch {
	case s.reset == nil:
		return nil
	case s.reset.active:
		return apply(opUnless, now(s.reset.word))
	}
	return now(s.reset.word)
}

// seldom is the bias by which a reset is active in few steps of a walk.
const seldom = 8

// quiet makes the reset seldom active in a walk on some inputs.
func (r *resetInput) quiet(bias []int, bit aig.Lit, inputs []aig.Lit) {
	for i, l := range inputs {
		if r != nil && l.Node() == bit.Node() {
			if bias[i] = seldom; r.active {
				bias[i] = -seldom
			}
		}
	}
}
