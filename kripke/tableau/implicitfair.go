package tableau

import "netcov/kripke/bdd"

// keepFair leaves of the design the states with a path that meets each of the sets
// infinitely often, as the fixed point of Emerson and Lei (1986):
//
//	νZ. ⋀ over F of EX E[Z U Z ∧ F], inside Z
func (c *Implicit) keepFair(sets []bdd.Ref) {
	m := c.m
	z := c.reached
	for before := bdd.False; z != before && m.Err() == nil; {
		before = z
		for _, f := range sets {
			z = c.leadingTo(m.And(z, f), z)
			m.CollectIfLarge(z, before)
		}
	}
	c.Unfair = m.SatCount(m.Diff(c.reached, z), c.implVars(0))
	c.init = m.Protect(m.And(c.init, z))
	all, frontier := c.init, c.init
	for frontier != bdd.False && m.Err() == nil {
		m.CollectIfLarge(all, frontier, z)
		frontier = m.Diff(m.And(c.k.post(frontier), z), all)
		all = m.Or(all, frontier)
	}
	c.reached = m.Protect(all)
}

// leadingTo is the set of states with a path of at least one step to a goal that stays
// inside a set, which has the goal.
func (c *Implicit) leadingTo(goal, inside bdd.Ref) bdd.Ref {
	m := c.m
	all := bdd.False
	for m.Err() == nil {
		next := m.And(inside, c.k.pre(m.Or(goal, all)))
		if next == all {
			break
		}
		all = next
		m.CollectIfLarge(all, goal, inside)
	}
	return all
}
