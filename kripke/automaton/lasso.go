package automaton

import "slices"

// Step is an edge of a path in a graph: it leaves From with marks Acc and leads
// to the From of the next step.
type Step struct {
	From int
	Acc  Marks
}

// Lasso is an accepting run: the edges of Prefix, then those of Loop for ever.
// The last edge of either leads to the first node of Loop.
type Lasso struct {
	Prefix, Loop []Step
}

// FindLasso finds a run from one of the roots that meets each of the first sets
// marks infinitely often; nil when there is none. The prefix is as short as
// possible, the loop is put together from short pieces.
func FindLasso(g Graph, roots []int, sets int) *Lasso {
	c := StronglyConnected(g, roots)
	all := AllMarks(sets)
	accepting := func(v int) bool {
		i := c.Of[v]
		return c.Cyclic[i] && c.Marks[i].Has(all)
	}
	prefix, start := search(g, roots, func(int) bool { return true }, accepting)
	if start < 0 {
		return nil
	}
	inside := func(v int) bool { return c.Of[v] == c.Of[start] }
	l := &Lasso{Prefix: prefix}
	at, seen := start, Marks(0)
	for !seen.Has(all) || len(l.Loop) == 0 {
		// To the nearest edge with a mark that is still missing, or any edge
		// when none is.
		missing := all &^ seen
		var chosen *Step
		to := 0
		steps, v := search(g, []int{at}, inside, func(v int) bool {
			g.Successors(v, func(w int, acc Marks) {
				if chosen == nil && inside(w) && (missing == 0 || acc&missing != 0) {
					chosen, to = &Step{v, acc}, w
				}
			})
			return chosen != nil
		})
		if v < 0 {
			return nil // cannot be: the component carries all marks
		}
		l.Loop = append(append(l.Loop, steps...), *chosen)
		for _, s := range steps {
			seen |= s.Acc
		}
		seen |= chosen.Acc
		at = to
	}
	back, _ := search(g, []int{at}, inside, func(v int) bool { return v == start })
	l.Loop = append(l.Loop, back...)
	return l
}

// search is a breadth-first search for the nearest node that is a goal, through
// allowed nodes. It returns the path and the node, or -1.
func search(g Graph, roots []int, allowed, goal func(int) bool) ([]Step, int) {
	type origin struct {
		from int
		acc  Marks
	}
	came := map[int]origin{}
	var queue []int
	for _, r := range roots {
		if _, ok := came[r]; !ok && allowed(r) {
			came[r] = origin{from: -1}
			queue = append(queue, r)
		}
	}
	for i := 0; i < len(queue); i++ {
		v := queue[i]
		if goal(v) {
			var path []Step
			for w := v; came[w].from >= 0; w = came[w].from {
				path = append(path, Step{came[w].from, came[w].acc})
			}
			slices.Reverse(path)
			return path, v
		}
		g.Successors(v, func(w int, acc Marks) {
			if _, ok := came[w]; !ok && allowed(w) {
				came[w] = origin{v, acc}
				queue = append(queue, w)
			}
		})
	}
	return nil, -1
}
