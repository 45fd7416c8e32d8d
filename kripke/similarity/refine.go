package similarity

import (
	"context"
	"math/bits"

	"netcov/kripke/structure"
)

// The efficient similarity algorithm of HHK95 as CK02 figure 1 gives it for two
// structures, with O(m'·n + m·n') steps. The sets remove(w) are kept as one
// queue of pairs: a pair (u, u') in it says that u' has just left sim(u), so
// each predecessor v' of u' that now has no successor left in sim(u) must leave
// sim(w) for all predecessors w of u. The question whether post(v') ∩ sim(u) is
// empty is answered in constant time: by a counter for a v' with many
// successors, by looking at them for a v' with at most narrow of them.
//
// The queue is never thrown away: it is the trail of all removals, and undo
// takes back its end. The halving algorithm needs one relation at a time in
// memory for that reason.

// Graph is what a simulation needs of a structure. States are 0…Len()-1.
type Graph interface {
	Len() int
	Successors(s int) []int32
	Predecessors(s int) []int32
}

// Relation is a simulation of one graph by another.
type Relation struct {
	Sim []structure.Set // for each state the states that simulate it

	trail []removal
}

// removal notes that w2 left sim(w), because no successor of w2 simulates w's
// successor cause; cause is -1 where labels differ.
type removal struct{ w, w2, cause int32 }

// Greatest computes the greatest simulation of i by s in which a state w of i
// is related only to states in fits[class[w]].
func Greatest(ctx context.Context, i, s Graph, class []int32, fits []structure.Set) (*Relation, error) {
	e := newRefiner(ctx, i, s, class, fits)
	if err := e.propagate(); err != nil {
		return nil, err
	}
	return &Relation{Sim: e.sim, trail: e.trail}, nil
}

// narrow is the number of successors up to which they are looked at each time.
const narrow = 8

type refiner struct {
	ctx   context.Context
	i, s  Graph
	sim   []structure.Set
	trail []removal
	head  int // trail[:head] has been propagated

	column []int32   // of a wide state of s in counts, else -1; nil without wide states
	counts [][]int32 // for w and a wide v': the size of post(v') ∩ sim(w)

	// Initial states, when the refiner shall stop as soon as one of i is
	// simulated by none of s.
	initial  structure.Set // of s; nil when nobody asks
	partners []int32       // for an initial w of i: initial states in sim(w); -1 for others
	bad      int           // initial states without partner
	work     int64
	asked    int64 // work at which the context is looked at again
}

func newRefiner(ctx context.Context, i, s Graph, class []int32, fits []structure.Set) *refiner {
	e := &refiner{ctx: ctx, i: i, s: s, sim: make([]structure.Set, i.Len())}
	words := (s.Len() + 63) / 64
	all := make(structure.Set, words*i.Len())
	for w := range e.sim {
		e.sim[w] = all[w*words : (w+1)*words : (w+1)*words]
		copy(e.sim[w], fits[class[w]])
	}
	e.count(class, fits)
	// remove(u) := pre(W') \ pre(sim(u)) depends on the class of u only.
	stuck := make([]structure.Set, len(fits))
	for c, f := range fits {
		stuck[c] = structure.NewSet(s.Len())
		for v := range s.Len() {
			if none(f, s.Successors(v)) {
				stuck[c].Add(v)
			}
		}
	}
	for u := range i.Len() {
		if u&0x3f == 0 && ctx.Err() != nil {
			return e // propagate reports it
		}
		for _, w := range i.Predecessors(u) {
			e.removeAll(int(w), stuck[class[u]], int32(u), true)
		}
	}
	return e
}

func none(set structure.Set, states []int32) bool {
	for _, x := range states {
		if set.Has(int(x)) {
			return false
		}
	}
	return true
}

// count sets up the counters of the wide states.
func (e *refiner) count(class []int32, fits []structure.Set) {
	var wide []int
	for v := range e.s.Len() {
		if len(e.s.Successors(v)) > narrow {
			if e.column == nil {
				e.column = make([]int32, e.s.Len())
				for x := range e.column {
					e.column[x] = -1
				}
			}
			e.column[v] = int32(len(wide))
			wide = append(wide, v)
		}
	}
	if wide == nil {
		return
	}
	rows := make([][]int32, len(fits))
	for c, f := range fits {
		rows[c] = make([]int32, len(wide))
		for x, v := range wide {
			for _, t := range e.s.Successors(v) {
				if f.Has(int(t)) {
					rows[c][x]++
				}
			}
		}
	}
	e.counts = make([][]int32, e.i.Len())
	for w := range e.counts {
		e.counts[w] = append([]int32(nil), rows[class[w]]...)
	}
}

// watch makes the refiner count the partners of initial states.
func (e *refiner) watch(initial []int, of structure.Set) {
	e.initial = of
	e.partners = make([]int32, e.i.Len())
	for w := range e.partners {
		e.partners[w] = -1
	}
	for _, w := range initial {
		both := e.sim[w].Clone()
		both.Intersect(of)
		if e.partners[w] = int32(both.Count()); e.partners[w] == 0 {
			e.bad++
		}
	}
}

func (e *refiner) remove(w, w2, cause int) {
	e.sim[w].Remove(w2)
	e.trail = append(e.trail, removal{int32(w), int32(w2), int32(cause)})
	if e.initial != nil && e.partners[w] >= 0 && e.initial.Has(w2) {
		if e.partners[w]--; e.partners[w] == 0 {
			e.bad++
		}
	}
}

// removeAll takes the members of a set (or, with in false, all but them) out of
// sim(w).
func (e *refiner) removeAll(w int, set structure.Set, cause int32, in bool) {
	for k, x := range e.sim[w] {
		y := set[k]
		if !in {
			y = ^y
		}
		for x &= y; x != 0; x &= x - 1 {
			e.remove(w, k<<6+bits.TrailingZeros64(x), int(cause))
		}
	}
}

// restrict keeps in sim(w) the members of a set only.
func (e *refiner) restrict(w int, to structure.Set) { e.removeAll(w, to, -1, false) }

// propagate refines until the relation is a simulation, or, when initial states
// are watched, one of them has lost all its partners.
func (e *refiner) propagate() error {
	if e.ctx.Err() != nil {
		return context.Cause(e.ctx)
	}
	for e.head < len(e.trail) && e.bad == 0 {
		if e.work >= e.asked {
			if e.ctx.Err() != nil {
				return context.Cause(e.ctx)
			}
			e.asked = e.work + 1<<16
		}
		r := e.trail[e.head]
		e.head++
		u := int(r.w)
		for _, v := range e.s.Predecessors(int(r.w2)) {
			e.work++
			if e.column != nil && e.column[v] >= 0 {
				n := &e.counts[u][e.column[v]]
				if *n--; *n > 0 {
					continue
				}
			} else if !none(e.sim[u], e.s.Successors(int(v))) {
				continue
			}
			for _, w := range e.i.Predecessors(u) {
				if e.sim[w].Has(int(v)) {
					e.remove(int(w), int(v), u)
				}
			}
		}
		e.work++
	}
	return nil
}

// undo takes back the removals since the trail had the given length.
func (e *refiner) undo(mark int) {
	for n := len(e.trail) - 1; n >= mark; n-- {
		r := e.trail[n]
		e.sim[r.w].Add(int(r.w2))
		if e.initial != nil && e.partners[r.w] >= 0 && e.initial.Has(int(r.w2)) {
			if e.partners[r.w]++; e.partners[r.w] == 1 {
				e.bad--
			}
		}
		if n < e.head && e.column != nil {
			for _, v := range e.s.Predecessors(int(r.w2)) {
				if c := e.column[v]; c >= 0 {
					e.counts[r.w][c]++
				}
			}
		}
	}
	e.trail, e.head = e.trail[:mark], min(e.head, mark)
}
