package interp

import (
	"slices"

	"netcov/cert"
	"netcov/netlist"
	"netcov/netlist/paranoid"
	"netcov/sat"
)

// Interpolants without proofs (Chockler, Ivrii, Matsliah, HVC 2012). An image is
// found clause by clause: a state from which a bad state can be reached within
// the bound is lifted to a cube of such states (B alone decides this), A refutes
// the cube, and A's failed assumptions, minimised, are a clause of the
// interpolant. So interpolants are in conjunctive normal form, and small where
// those of proofs are large.
//
// Every clause must also hold in the set that the image is taken of. Therefore
// the next set is the conjunction of the clauses alone, sets only grow, clauses
// that still hold are carried over from set to set and from bound to bound, and
// a set is an invariant when its image keeps all its clauses. That much is shared
// with IC3 (Bradley, VMCAI 2011); the difference is that a set that reaches a
// bad state is not repaired backwards but computed anew with a larger bound.
//
// States that are close to a bad state are excluded first: their cubes are the
// largest, and often leave nothing of those farther away.

// clausal is a resumable run of the engine.
type clausal struct {
	model *netlist.Model
	opt   *Options
	a     *stepper
	b     *lookahead
	pool  []cert.Clause // those of the initial states, then all found, by age

	k, m    int
	set     []int // members of the current set, positions in pool
	next    []int // of the next one, so far
	todo    []int // may be carried over; those of the set first
	tried   int   // of todo
	lost    bool  // a member of the set is not in the next one
	begun   bool  // next, todo, lost and steps are in use
	steps   int   // next excludes bad states within fewer steps
	initial int   // clauses in pool that are the initial states
}

func newClausal(m *netlist.Model, opt *Options) *clausal {
	c := &clausal{model: m, opt: opt, a: newStepper(m, opt), b: newLookahead(m, opt)}
	for i, l := range m.Latches {
		if l.InCone && l.Reset != netlist.ResetX {
			c.pool = append(c.pool, cert.Clause{cert.MkStateLit(i, l.Reset == netlist.Reset0)})
		}
	}
	c.initial = len(c.pool)
	return c
}

// restart begins a round at a bound from the initial states.
func (c *clausal) restart(k int) {
	c.k, c.m = k, 1
	c.b.extend(k)
	c.set = c.set[:0]
	for id := range c.initial {
		c.set = append(c.set, id)
	}
	c.begun = false
}

// run computes sets until one is an invariant (Unsat) or reaches a bad state
// (Sat). After Unknown, which means that the slice is over, it can be called again.
func (c *clausal) run(mt *meter) sat.Status {
	for {
		if !c.begun {
			c.begin()
		}
		if s := c.carry(mt); s != sat.Unsat {
			return s
		}
		if !c.lost {
			return sat.Unsat
		}
		if s := c.exclude(mt); s != sat.Unsat {
			return s
		}
		if c.opt.Check != nil {
			c.opt.report(paranoid.Image(mt.ctx, c.model, c.clauses(c.set), c.clauses(c.next), c.k))
		}
		c.set, c.next = c.next, c.set[:0]
		c.m++
		c.begun = false
	}
}

// begin prepares the image of the current set.
func (c *clausal) begin() {
	c.begun, c.lost, c.steps = true, false, 0
	c.next = c.next[:0]
	c.a.enter(c.pool, c.set)
	c.b.enter()
	c.todo, c.tried = append(c.todo[:0], c.set...), 0
	if c.m == 1 {
		// A clause that fails here fails in all later sets of the round.
		for id := c.initial; id < len(c.pool); id++ {
			c.todo = append(c.todo, id)
		}
	}
}

// carry moves clauses that still hold to the next set.
func (c *clausal) carry(mt *meter) sat.Status {
	for ; c.tried < len(c.todo); c.tried++ {
		id := c.todo[c.tried]
		member := c.tried < len(c.set)
		var s sat.Status
		if member {
			s = c.a.stepHolds(mt, c.pool[id])
		} else {
			s, _ = c.a.holds(mt, c.pool[id])
		}
		switch s {
		case sat.Unknown:
			return s
		case sat.Unsat:
			c.add(id)
		case sat.Sat:
			c.lost = c.lost || member
		}
	}
	return sat.Unsat
}

// add puts a clause into the next set.
func (c *clausal) add(id int) {
	c.next = append(c.next, id)
	c.b.block(c.pool[id])
}

// exclude adds clauses to the next set until no member of it reaches a bad
// state in less than k steps.
func (c *clausal) exclude(mt *meter) sat.Status {
	for c.steps < c.k {
		switch s := c.b.solve(mt, c.steps); s {
		case sat.Unknown:
			return s
		case sat.Unsat:
			c.steps++
			continue
		}
		cl, s := c.b.lift(mt, c.steps)
		if s != sat.Unsat {
			return sat.Unknown
		}
		s, core := c.a.holds(mt, cl)
		if s != sat.Unsat {
			return s
		}
		c.pool = append(c.pool, c.a.minimise(mt, core))
		c.add(len(c.pool) - 1)
	}
	return sat.Unsat
}

// exact tells, after Sat, that there is a counterexample within the bound: no
// approximation took part.
func (c *clausal) exact() bool { return c.m == 1 }

// images is the number of images of the round.
func (c *clausal) images() int { return c.m }

// invariant returns the current set.
func (c *clausal) invariant() *cert.Invariant { return c.clauses(c.set) }

// clauses returns a set, given as positions in the pool.
func (c *clausal) clauses(set []int) *cert.Invariant {
	v := &cert.Invariant{}
	for _, id := range set {
		v.Clauses = append(v.Clauses, slices.Clone(c.pool[id]))
	}
	return v
}
