package mu

import (
	"context"
	"fmt"

	"netcov/kripke/structure"
)

// Explicit is an explicit structure as a Model. Unknown propositions are errors.
type Explicit struct {
	K   *structure.Structure
	Ctx context.Context
}

// All is the set of all states.
func (x Explicit) All() structure.Set { return structure.FullSet(x.K.Len()) }

// None is the empty set.
func (x Explicit) None() structure.Set { return structure.NewSet(x.K.Len()) }

// Initial is the set of initial states.
func (x Explicit) Initial() structure.Set { return x.K.InitialSet() }

// Fair is fairness set i.
func (x Explicit) Fair(i int) (structure.Set, error) {
	if i >= len(x.K.Fair) {
		return x.None(), fmt.Errorf("the structure has no fairness set %d", i)
	}
	return x.K.Fair[i], nil
}

// Atom is the set of states where a proposition holds.
func (x Explicit) Atom(name string) (structure.Set, error) {
	p, ok := x.K.Proposition(name)
	if !ok {
		return x.None(), fmt.Errorf("there is no proposition %q", name)
	}
	return x.K.Where(p), nil
}

// Not is the complement.
func (x Explicit) Not(s structure.Set) structure.Set {
	out := x.All()
	out.Subtract(s)
	return out
}

// And is the intersection.
func (x Explicit) And(s, t structure.Set) structure.Set {
	out := s.Clone()
	out.Intersect(t)
	return out
}

// Or is the union.
func (x Explicit) Or(s, t structure.Set) structure.Set {
	out := s.Clone()
	out.Union(t)
	return out
}

// EX is the set of states with a successor in s.
func (x Explicit) EX(s structure.Set) structure.Set {
	out := x.None()
	for w := range s.All() {
		for _, v := range x.K.Predecessors(w) {
			out.Add(int(v))
		}
	}
	return out
}

// EY is the set of states with a predecessor in s.
func (x Explicit) EY(s structure.Set) structure.Set {
	out := x.None()
	for w := range s.All() {
		for _, v := range x.K.Successors(w) {
			out.Add(int(v))
		}
	}
	return out
}

// Equal compares two sets.
func (x Explicit) Equal(s, t structure.Set) bool { return s.Equal(t) }

// Collect does nothing.
func (x Explicit) Collect([]structure.Set) {}

// Err is the context's error.
func (x Explicit) Err() error { return x.Ctx.Err() }
