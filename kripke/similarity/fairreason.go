package similarity

import (
	"context"
	"slices"

	"netcov/kripke/structure"
)

// When labels can always be answered and fairness is all that fails, the reason is a
// play of the game between a winning strategy of the implementation and answers of the
// specification that hold out longest.
//
// The strategy comes from the refinements of the fixed point. A pair that left Z for the
// sake of goal j lost Gj ∧ step Z, step Y, and for each Fi, after some number of
// refinements of X, ¬Fi ∧ step X as well. So the implementation can
//
//   - in a pair with Gj take a step without answer into Z: the play goes on among the
//     pairs that left earlier, which happens finitely often;
//   - in a pair with the Fi that it waits for take a step without answer into Y and wait
//     for the next one;
//   - else take a step without answer into the X that the pair left last: Fi comes
//     nearer.
//
// What remains in the end is a path that meets each Fi again and again, while the
// answers do not meet Gj any more. Both sides decide by the pair and the Fi waited for,
// so the play runs into a loop.

// refinement is a step from Z to Y for a goal, with the values of each X.
type refinement struct {
	z, y relation
	goal int
	x    [][]relation // by Fi, from the first on; made when asked for
}

// whyFair needs the greatest simulation, which relates all initial states.
func (p *Problem) whyFair(ctx context.Context, r *Relation, class []int32, fits []structure.Set) (*Reason, error) {
	d := &duel{p: p, g: p.game(ctx), class: class, fits: fits, left: make(map[[2]int]int, len(r.trail)), trail: r.trail}
	for n, x := range r.trail {
		d.left[[2]int{int(x.w), int(x.w2)}] = n
	}
	of := p.Spec.InitialSet()
	end, err := d.g.solve(r.Sim, func(z relation, goal int, y relation) bool {
		d.stages = append(d.stages, refinement{z: z, y: y, goal: goal})
		return unmatched(y, p.Impl.Initial, of) < 0
	})
	if err != nil {
		return nil, err
	}
	out, err := d.play(unmatched(end, p.Impl.Initial, of))
	if err == nil && out.Endless && p.untracedLoop(out) {
		out.Trace, out.Answer = true, nil
	}
	return out, err
}

type duel struct {
	p      *Problem
	g      *game[relation]
	class  []int32
	fits   []structure.Set
	left   map[[2]int]int // pairs outside the greatest simulation: when they left it
	trail  []removal
	stages []refinement
}

// play begins in an initial state that lost all its partners.
func (d *duel) play(w int) (*Reason, error) {
	out := &Reason{}
	seen := map[[3]int]int{}
	answers := make([]int32, 0, len(d.p.Spec.Initial))
	for _, s := range d.p.Spec.Initial {
		answers = append(answers, int32(s))
	}
	for wait := 0; ; {
		out.Path = append(out.Path, w)
		w2 := d.best(w, answers)
		if w2 < 0 {
			return out, nil
		}
		if n, ok := seen[[3]int{w, w2, wait}]; ok {
			out.Path = out.Path[:len(out.Path)-1]
			out.Endless, out.Loop = true, n
			return out, nil
		}
		seen[[3]int{w, w2, wait}] = len(out.Answer)
		out.Answer = append(out.Answer, w2)
		var err error
		if w, wait, err = d.move(w, w2, wait); err != nil {
			return nil, err
		}
		answers = d.p.Spec.Successors(w2)
	}
}

// best is the answer whose pair left last, -1 when no label agrees.
func (d *duel) best(w int, answers []int32) int {
	best, stage, when := -1, 0, 0
	for _, a := range answers {
		w2 := int(a)
		if !d.fits[d.class[w]].Has(w2) {
			continue
		}
		s, n := d.stage(w, w2), d.left[[2]int{w, w2}]
		if best < 0 || s > stage || s == stage && n > when {
			best, stage, when = w2, s, n
		}
	}
	return best
}

// stage is the number of the refinement in which the pair left, -1 when it is not in the
// greatest simulation.
func (d *duel) stage(w, w2 int) int {
	for s := range d.stages {
		if !d.stages[s].z[w].Has(w2) {
			return s - 1
		}
	}
	return len(d.stages) - 1
}

// move is the implementation's step and the Fi that it waits for then.
func (d *duel) move(w, w2, wait int) (int, int, error) {
	n := d.stage(w, w2)
	if n < 0 {
		return int(d.trail[d.left[[2]int{w, w2}]].cause), wait, nil
	}
	s := &d.stages[n]
	away := s.y
	switch {
	case d.p.goals[s.goal].Has(w2):
		away = s.z
	case len(d.g.open) == 0:
	case d.p.assume[wait].Has(w):
		wait = (wait + 1) % len(d.p.assume)
	default:
		if err := d.refine(s, wait); err != nil {
			return 0, 0, err
		}
		away = s.x[wait][slices.IndexFunc(s.x[wait], func(x relation) bool { return !x[w].Has(w2) })-1]
	}
	for _, u := range d.p.Impl.Successors(w) {
		if none(away[u], d.p.Spec.Successors(w2)) {
			return int(u), wait, nil
		}
	}
	panic("similarity: a lost pair without a winning step")
}

// refine computes the values of X for one Fi.
func (d *duel) refine(s *refinement, wait int) error {
	if s.x == nil {
		s.x = make([][]relation, len(d.g.open))
	}
	if s.x[wait] != nil {
		return nil
	}
	g := d.g
	base := g.or(g.and(g.and(s.z, g.goals[s.goal]), g.step(s.z)), g.and(s.z, g.step(s.y)))
	for x := s.z; ; {
		s.x[wait] = append(s.x[wait], x)
		to := g.or(base, g.and(g.and(s.z, g.open[wait]), g.step(x)))
		if err := g.err(); err != nil || g.same(to, x) {
			return err
		}
		x = to
	}
}

// untracedLoop reports whether no fair path of the specification has the labels of an
// endless path. What is too large to search counts as not known: false.
func (p *Problem) untracedLoop(r *Reason) bool {
	n, m := len(r.Path), p.Spec.Len()
	if int64(n)*int64(m) > 1<<24 {
		return false
	}
	class, fits := p.classes(nil)
	// Node i·m + w' is the specification in w' at step i.
	successors := func(node int) []int32 {
		i, w2 := node/m, node%m
		if !fits[class[r.Path[i]]].Has(w2) {
			return nil
		}
		if i++; i == n {
			i = r.Loop
		}
		var out []int32
		for _, t := range p.Spec.Successors(w2) {
			if fits[class[r.Path[i]]].Has(int(t)) {
				out = append(out, int32(i*m)+t)
			}
		}
		return out
	}
	var fair []structure.Set
	for _, f := range p.goals {
		lifted := structure.NewSet(n * m)
		for i := range n {
			for w2 := range f.All() {
				lifted.Add(i*m + w2)
			}
		}
		fair = append(fair, lifted)
	}
	from := structure.FairPaths(n*m, successors, fair)
	return !slices.ContainsFunc(p.Spec.Initial, func(w2 int) bool {
		return fits[class[r.Path[0]]].Has(w2) && from.Has(w2)
	})
}
