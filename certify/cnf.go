package certify

import "slices"

// lit is a literal in DIMACS numbering. Variable 1 stands for the constant
// true and never reaches a clause: gates over constants are folded away.
type lit = int32

const (
	yes lit = 1
	no  lit = -1
)

// cnf collects clauses. They lie in one slice, each ended by a 0, so that they
// can be handed to any solver.
type cnf struct {
	vars  lit   // the largest variable
	flat  []lit // clauses
	empty bool  // an empty clause was added
	// definitions are clauses that only give a variable its value, in their order.
	definitions []definition
	// gates, when not nil, finds equal gates: those of two circuits that are
	// compared, or of a long unrolling.
	gates map[[2]lit]lit
}

func (c *cnf) fresh() lit {
	c.vars++
	return c.vars
}

// add adds a clause. Constants and repeated literals are dropped; a clause that
// is always true is dropped whole.
func (c *cnf) add(lits ...lit) {
	start := len(c.flat)
	for _, l := range lits {
		if l != yes && l != no {
			c.flat = append(c.flat, l)
		} else if l == yes {
			c.flat = c.flat[:start]
			return
		}
	}
	clause, always := normal(c.flat[start:])
	switch {
	case always:
		c.flat = c.flat[:start]
	case len(clause) == 0:
		c.empty = true
	default:
		c.flat = append(c.flat[:start+len(clause)], 0)
	}
}

// normal sorts literals in place and drops repeated ones; opposite reports whether
// a literal stands there with its negation.
func normal(lits []lit) (out []lit, opposite bool) {
	if len(lits) < 2 {
		return lits, false
	}
	slices.SortFunc(lits, byVariable)
	lits = slices.Compact(lits)
	for i := 1; i < len(lits); i++ {
		if lits[i] == -lits[i-1] {
			return lits, true
		}
	}
	return lits, false
}

// byVariable orders literals by variable, a variable's own two by sign.
func byVariable(a, b lit) int {
	if d := max(a, -a) - max(b, -b); d != 0 {
		return int(d)
	}
	return int(a - b)
}

// and returns a literal equal to a AND b.
func (c *cnf) and(a, b lit) lit {
	switch {
	case a == no || b == no || a == -b:
		return no
	case a == yes || a == b:
		return b
	case b == yes:
		return a
	}
	if c.gates == nil {
		return c.gate(a, b)
	}
	key := [2]lit{min(a, b), max(a, b)}
	v, ok := c.gates[key]
	if !ok {
		v = c.gate(a, b)
		c.gates[key] = v
	}
	return v
}

func (c *cnf) gate(a, b lit) lit {
	v, start := c.fresh(), len(c.flat)
	c.flat = append(c.flat, -v, a, 0, -v, b, 0, v, -a, -b, 0)
	c.define(v, start)
	return v
}

// equal returns a literal equal to a XNOR b.
func (c *cnf) equal(a, b lit) lit {
	switch {
	case a == b:
		return yes
	case a == -b:
		return no
	}
	return c.and(-c.and(a, -b), -c.and(-a, b))
}

// mux returns a literal equal to t where sel holds and to e elsewhere.
func (c *cnf) mux(sel, t, e lit) lit {
	switch {
	case sel == yes || t == e:
		return t
	case sel == no:
		return e
	case t == yes || t == sel:
		return -c.and(-sel, -e)
	case t == no || t == -sel:
		return c.and(-sel, e)
	case e == yes || e == -sel:
		return -c.and(sel, -t)
	case e == no || e == sel:
		return c.and(sel, t)
	}
	v, start := c.fresh(), len(c.flat)
	c.flat = append(c.flat, -sel, -t, v, 0, -sel, t, -v, 0, sel, -e, v, 0, sel, e, -v, 0)
	c.define(v, start)
	return v
}

// exactlyOne adds clauses that let exactly one of the literals be true: a
// ladder of helpers, of which helper i says that one of the literals up to i is.
func (c *cnf) exactlyOne(lits []lit) {
	c.add(lits...)
	before := no
	for _, l := range lits {
		c.add(-before, -l)
		upTo := c.fresh()
		c.add(-l, upTo)
		c.add(-before, upTo)
		before = upTo
	}
}
