package similarity

import (
	"context"

	"netcov/kripke/structure"
)

// Why a specification does not simulate an implementation. Two reasons are
// told apart. When the implementation has a path whose labels no path of the
// specification has, the path to the first such state is the whole reason, and
// a shortest one is given. Otherwise the reason is a branching one: the reason
// then is a play of the simulation game, in which the implementation moves so
// that the specification loses, and the specification answers so that it holds
// out longest.

//
// With fairness sets of the specification there may be a play without end that the
// specification loses since its own path is not fair: fairreason.go.

// Reason is why the specification does not simulate the implementation.
type Reason struct {
	// Path holds implementation states from an initial one on. No state that
	// the specification can be in then simulates the last one.
	Path []int
	// Answer holds the specification states of the play beside Path, one fewer;
	// nil when Trace is set.
	Answer []int
	// Trace says that no path, with fairness no fair path, of the specification has
	// the labels of Path.
	Trace bool
	// Endless says that Path goes on at step Loop forever, as a fair path; Answer is then
	// as long as Path, and not fair.
	Endless bool
	Loop    int
}

// maxSubsets bounds the search for a path that no path follows.
const maxSubsets = 1 << 16

// Why explains a relation of p that does not simulate; nil when it does.
func (p *Problem) Why(ctx context.Context, r *Relation) (*Reason, error) {
	if unmatched(r.Sim, p.Impl.Initial, p.Spec.InitialSet()) < 0 {
		return nil, nil
	}
	class, fits := p.classes(nil)
	if len(p.goals) > 0 {
		var err error
		if r, err = Greatest(ctx, p.Impl, p.Spec, class, fits); err != nil {
			return nil, err
		}
		if p.Simulates(r) {
			return p.whyFair(ctx, r, class, fits)
		}
	}
	return Why(p.Impl, p.Spec, p.Impl.Initial, p.Spec.Initial, class, fits, r), nil
}

// Why explains why a relation made by Greatest relates some initial state to
// none; nil when it relates all.
func Why(i, s Graph, initial, specInitial []int, class []int32, fits []structure.Set, r *Relation) *Reason {
	of := structure.SetOf(s.Len(), specInitial...)
	start := unmatched(r.Sim, initial, of)
	if start < 0 {
		return nil
	}
	if path := untraced(i, s, initial, of, class, fits); path != nil {
		return &Reason{Path: path, Trace: true}
	}
	return play(s, start, of, class, fits, r)
}

// untraced searches, breadth first over pairs of a state and the specification
// states that its path can have led to, for a path with labels that no path of
// the specification has.
func untraced(i, s Graph, initial []int, of structure.Set, class []int32, fits []structure.Set) []int {
	type node struct {
		w, parent int
		can       structure.Set
	}
	var nodes []node
	seen := map[string]bool{}
	visit := func(w, parent int, can structure.Set) []int {
		can.Intersect(fits[class[w]])
		key := make([]byte, 0, 8*len(can)+8)
		for _, x := range append(structure.Set{uint64(w)}, can...) {
			for range 8 {
				key = append(key, byte(x))
				x >>= 8
			}
		}
		if seen[string(key)] {
			return nil
		}
		seen[string(key)] = true
		nodes = append(nodes, node{w, parent, can})
		if !can.Empty() {
			return nil
		}
		var path []int
		for n := len(nodes) - 1; n >= 0; n = nodes[n].parent {
			path = append(path, nodes[n].w)
		}
		for a, b := 0, len(path)-1; a < b; a, b = a+1, b-1 {
			path[a], path[b] = path[b], path[a]
		}
		return path
	}
	for _, w := range initial {
		if path := visit(w, -1, of.Clone()); path != nil {
			return path
		}
	}
	limit := max(64, min(maxSubsets, 1<<28/(s.Len()+64)))
	for n := 0; n < len(nodes) && len(nodes) < limit; n++ {
		next := structure.NewSet(s.Len())
		for w2 := range nodes[n].can.All() {
			for _, t := range s.Successors(w2) {
				next.Add(int(t))
			}
		}
		for _, u := range i.Successors(nodes[n].w) {
			if path := visit(int(u), n, next.Clone()); path != nil {
				return path
			}
		}
	}
	return nil
}

// play follows the removals: the answer that left last, and the step that made
// it leave. Each step goes to a pair that left earlier, so it ends.
func play(s Graph, start int, of structure.Set, class []int32, fits []structure.Set, r *Relation) *Reason {
	when := make(map[[2]int32]int, len(r.trail))
	for n, x := range r.trail {
		when[[2]int32{x.w, x.w2}] = n
	}
	out := &Reason{Path: []int{start}}
	answers := of.List()
	for w := start; ; {
		best, answer := -1, -1
		for _, w2 := range answers {
			if n, ok := when[[2]int32{int32(w), int32(w2)}]; ok && n > best && fits[class[w]].Has(w2) {
				best, answer = n, w2
			}
		}
		if answer < 0 {
			return out
		}
		w = int(r.trail[best].cause)
		out.Path, out.Answer = append(out.Path, w), append(out.Answer, answer)
		answers = answers[:0]
		for _, t := range s.Successors(answer) {
			answers = append(answers, int(t))
		}
	}
}
