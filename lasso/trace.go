package lasso

import (
	"slices"

	"netcov/cert"
	"netcov/netlist"
)

// move is a step from a state.
type move struct {
	from int32
	step
}

// trace returns a lasso into a component in which all literals hold: to its first state
// that the search reached, round in a way on which each literal holds, as often as the
// translation counts, and once more, with the state remembered.
func (s *Search) trace(c component) *cert.Trace {
	base := slices.Min(c.states)
	var stem []move
	for v := base; s.from[v] >= 0; v = s.from[v] {
		u := s.from[v]
		k := slices.IndexFunc(s.steps[u], func(x step) bool { return x.to == v })
		stem = append(stem, move{u, s.steps[u][k]})
	}
	slices.Reverse(stem)
	loop := s.loop(c, base)
	initial := base
	if len(stem) > 0 {
		initial = stem[0].from
	}
	t := &cert.Trace{Latches: make([]bool, len(s.m.Latches))}
	for i, l := range s.m.Latches {
		t.Latches[i] = l.Reset == netlist.Reset1
	}
	for k, i := range s.bits {
		t.Latches[i] = s.states[initial]>>k&1 == 1
	}
	frames := func(moves []move) {
		for _, x := range moves {
			t.Inputs = append(t.Inputs, s.inputsOf(x))
		}
	}
	frames(stem)
	times := s.layout.Rounds + 1 // the count may begin inside of the loop
	if s.layout.Rounds == 0 && len(stem) > 0 {
		times = 0 // else the state of the first step would have to be remembered
	}
	for range times {
		frames(loop)
	}
	saved := len(t.Inputs)
	frames(loop)
	last := slices.Clone(t.Inputs[saved])
	t.Inputs[saved][s.layout.Save] = true
	t.Inputs = append(t.Inputs, last)
	return t
}

// loop returns a way from a state back to it inside of a component, on which each literal
// holds.
func (s *Search) loop(c component, base int32) []move {
	in := map[int32]bool{}
	for _, v := range c.states {
		in[v] = true
	}
	var way []move
	at, missing := base, s.all
	for missing != 0 {
		part := s.shortest(in, at, func(x step) bool { return x.due&missing != 0 })
		way = append(way, part...)
		for _, x := range part {
			missing &^= x.due
		}
		at = way[len(way)-1].to
	}
	if at != base || len(way) == 0 {
		way = append(way, s.shortest(in, at, func(x step) bool { return x.to == base })...)
	}
	return way
}

// shortest returns a shortest way from a state whose last step is as asked.
func (s *Search) shortest(in map[int32]bool, from int32, ends func(step) bool) []move {
	came := map[int32]move{}
	queue := []int32{from}
	for len(queue) > 0 {
		v := queue[0]
		queue = queue[1:]
		for _, x := range s.steps[v] {
			if !in[x.to] {
				continue
			}
			if ends(x) {
				way := []move{{v, x}}
				for v != from {
					m := came[v]
					way = append(way, m)
					v = m.from
				}
				slices.Reverse(way)
				return way
			}
			if _, known := came[x.to]; !known && x.to != from {
				came[x.to] = move{v, x}
				queue = append(queue, x.to)
			}
		}
	}
	panic("lasso: no way inside of a component")
}

// inputsOf returns inputs that make a move.
func (s *Search) inputsOf(x move) []bool {
	low := min(len(s.inputs), 6)
	for k, i := range s.bits {
		s.sim.SetState(i, -(s.states[x.from] >> k & 1))
	}
	for high := range 1 << (len(s.inputs) - low) {
		lanes := s.lanes(high, low)
		s.sim.EvalPart(s.part, lanes)
		valid := s.sim.Value(s.m.Constraint)
		for lane := range 1 << low {
			if valid>>lane&1 == 0 {
				continue
			}
			if y, due := s.after(lane); y == s.states[x.to] && due == x.due {
				row := make([]bool, len(lanes))
				for i, w := range lanes {
					row[i] = w>>lane&1 == 1
				}
				return row
			}
		}
	}
	panic("lasso: a step has no inputs")
}
