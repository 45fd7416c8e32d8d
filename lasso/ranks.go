package lasso

import "math/bits"

// Without a lasso each component lacks a literal: none of its steps has it. The rank of
// a state is a level and such a literal. No step raises the level. A step that keeps it
// keeps the literal, and does not have it. So on a way from a state to another one with
// the same level that literal never held, and no way leads back to where it began with all
// literals met. Neighbouring components share a level where they can.

// rank of a state; the literal is -1 where there are no literals.
type rank struct{ level, literal int }

// ranks returns the rank of each component; of is the component of each state.
func (s *Search) ranks(all []component, of []int32) []rank {
	out := make([]rank, len(all))
	for k, c := range all {
		top := -1 // the highest level that steps out of c lead to
		for _, v := range c.states {
			for _, x := range s.steps[v] {
				if to := of[x.to]; to != int32(k) {
					top = max(top, out[to].level)
				}
			}
		}
		lacking := s.all
		if c.loops {
			lacking &^= c.due
		}
		same := lacking // the literals with which c may have the level top
		for _, v := range c.states {
			for _, x := range s.steps[v] {
				if to := of[x.to]; to != int32(k) && out[to].level == top {
					only := uint16(0)
					if out[to].literal >= 0 {
						only = 1 << out[to].literal
					}
					same &= only &^ x.due
				}
			}
		}
		switch {
		case top >= 0 && same != 0:
			out[k] = rank{top, bits.TrailingZeros16(same)}
		case lacking != 0:
			out[k] = rank{top + 1, bits.TrailingZeros16(lacking)}
		default:
			out[k] = rank{top + 1, -1}
		}
	}
	return out
}
