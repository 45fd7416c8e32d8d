package tableau

import (
	"context"
	"slices"

	"netcov/kripke/bdd"
	"netcov/kripke/similarity"
	"netcov/kripke/structure"
	"netcov/kripke/symbolic"
)

// The symbolic algorithms of KGG99 section 5, on two interleaved tracks: the
// untagged and the tagged variables. A transition relation leads from track 0
// to track 1; in a relation between both sides the implementation is on track 0
// and the tableau on track 1. Every quantification is a compose or compose_odd,
// so that 2n variables do, with n the bits of the larger side.
//
// The plain twin uses the usual relational product. It needs tracks of its own
// for the next states, 4n in all; it is there to measure the difference.

// tracks
const (
	untagged = iota
	tagged
	implNext // of the plain twin
	tabNext
)

type diagrams struct {
	c *Comparison
	e symbolic.Encoding
	m *bdd.Manager

	ri, rt   bdd.Ref // transition relations, from track 0 to 1
	initial  bdd.Ref // pairs of initial states
	sim      bdd.Ref
	rings    []bdd.Ref // pairs that ReachSIM gains in each step
	reachSIM bdd.Ref

	product relational
}

// relational holds the quantifications; see compose and plain.
type relational interface {
	// blocked is the set of (i, t) for which i has a step to i' with (i', t')
	// outside sim for all successors t' of t.
	blocked(sim bdd.Ref) bdd.Ref
	// image is the set of (i', t') such that both come from a pair of r.
	image(r bdd.Ref) bdd.Ref
	// stuck is the set of (t, t') such that an i with (i, t) in r has no
	// successor i' with (i', t') in r.
	stuck(r bdd.Ref) bdd.Ref
	// related is the set of pairs (x, z) with (x, y) in a and (y, z) in b, for
	// some y.
	related(a, b bdd.Ref) bdd.Ref
	// relatedTargets is the set of pairs (x, z) with (x, y) in a and (z, y) in
	// b.
	relatedTargets(a, b bdd.Ref) bdd.Ref
}

func (c *Comparison) symbolic(ctx context.Context, ap []int, opt Options) error {
	n := max(symbolic.BitsFor(c.Impl.Len()), symbolic.BitsFor(c.Tableau.Len()))
	tracks := 2
	if opt.Plain {
		tracks = 4
	}
	if opt.Diagrams.Interrupt == nil {
		opt.Diagrams.Interrupt = func() error { return context.Cause(ctx) }
	}
	d := &diagrams{c: c, e: symbolic.NewEncoding(n, tracks, opt.Diagrams)}
	d.m = d.e.M
	defer func() {
		s := d.m.Stats()
		c.Variables, c.PeakNodes, c.Bytes = s.Variables, s.PeakNodes, s.Bytes
	}()
	if err := d.encode(opt.Plain); err != nil {
		return err
	}
	if err := d.simulate(); err != nil {
		return err
	}
	partner := d.m.Exists(d.m.And(d.sim, d.e.Set(tagged, structure.SetOf(c.Tableau.Len(), c.Tableau.Initial...))), d.e.Cube(tagged))
	lost := d.m.Diff(d.e.Set(untagged, c.Impl.InitialSet()), partner)
	if err := d.m.Err(); err != nil {
		return err
	}
	if lost != bdd.False {
		return c.reason(ctx)
	}
	c.Holds = true
	if err := d.search(); err != nil {
		return err
	}
	c.reach = d
	return d.criteria(ap)
}

// reason finds the reason for a specification that does not hold by the
// explicit algorithm, whose trail of removals tells it.
func (c *Comparison) reason(ctx context.Context) error {
	class, fits := c.fits()
	r, err := similarity.Greatest(ctx, c.Impl, c.Tableau, class, fits)
	if err == nil {
		c.Why = similarity.Why(c.Impl, c.Tableau, c.Impl.Initial, c.Tableau.Initial, class, fits, r)
	}
	return err
}

func (d *diagrams) encode(plain bool) error {
	m, e := d.m, d.e
	d.ri = m.Protect(e.Relation(untagged, tagged, d.c.Impl))
	d.rt = m.Protect(d.tableauRelation(untagged, tagged))
	d.initial = m.Protect(m.And(e.Set(untagged, d.c.Impl.InitialSet()),
		e.Set(tagged, structure.SetOf(d.c.Tableau.Len(), d.c.Tableau.Initial...))))
	if plain {
		d.product = newPlain(d)
		return m.Err()
	}
	var err error
	if d.product, err = newCompose(d); err == nil {
		err = m.Err()
	}
	return err
}

func (d *diagrams) tableauRelation(from, to int) bdd.Ref {
	var pairs [][2]int
	for s := range d.c.Tableau.Len() {
		for _, u := range d.c.Tableau.Successors(s) {
			pairs = append(pairs, [2]int{s, int(u)})
		}
	}
	return d.e.Pairs(from, to, pairs)
}

// simulate computes SIM.
func (d *diagrams) simulate() error {
	m, e := d.m, d.e
	f := m.And(e.Set(untagged, structure.FullSet(d.c.Impl.Len())), e.Set(tagged, structure.FullSet(d.c.Tableau.Len())))
	sets := d.c.Tableau.literalSets()
	for _, name := range d.c.Tableau.AP {
		p, _ := d.c.Impl.Proposition(name)
		f = m.And(f, m.Ite(e.Set(untagged, d.c.Impl.Where(p)), e.Set(tagged, sets[name][1]), e.Set(tagged, sets[name][0])))
	}
	for {
		d.c.Iterations++
		next := m.Diff(f, d.product.blocked(f))
		if err := m.Err(); err != nil {
			return err
		}
		if next == f {
			d.sim = m.Protect(f)
			return nil
		}
		f = next
		m.CollectIfLarge(f)
	}
}

// search computes ReachSIM and its rings.
func (d *diagrams) search() error {
	m := d.m
	ring := m.And(d.initial, d.sim)
	all := ring
	for ring != bdd.False {
		d.c.Iterations++
		d.rings = append(d.rings, m.Protect(ring))
		ring = m.Diff(m.And(d.product.image(ring), d.sim), all)
		all = m.Or(all, ring)
		if err := m.Err(); err != nil {
			return err
		}
		m.CollectIfLarge(all, ring)
	}
	d.reachSIM = m.Protect(all)
	return m.Err()
}

func (d *diagrams) criteria(ap []int) error {
	m, e, c := d.m, d.e, d.c
	r := d.reachSIM
	both := append(e.Vars(untagged), e.Vars(tagged)...)
	slices.Sort(both)
	c.Pairs = int(m.SatCount(r, both).Int64())
	implemented := m.Exists(r, e.Cube(untagged)) // on track 1
	started := m.Exists(m.And(r, e.Set(untagged, c.Impl.InitialSet())), e.Cube(untagged))
	c.UnImplementedStartState = e.Codes(tagged, m.Diff(e.Set(tagged, structure.SetOf(c.Tableau.Len(), c.Tableau.Initial...)), started))
	c.UnImplementedState = e.Codes(tagged, m.Diff(e.Set(tagged, structure.FullSet(c.Tableau.Len())), implemented))

	// stuck implies that its first end is implemented, and that its second is
	// follows from the conjunction.
	steps := m.And(m.And(d.rt, d.product.stuck(r)), implemented)
	for bits := range m.All(steps, both) {
		c.UnImplementedTransition = append(c.UnImplementedTransition, decode(e, bits))
	}

	// Two states that look the same and are different, on tracks 0 and 1.
	same := e.Equal(untagged, tagged, e.AllBits()).Not()
	for _, p := range ap {
		same = m.And(same, m.Iff(e.Set(untagged, c.Impl.Where(p)), e.Set(tagged, c.Impl.Where(p))))
	}
	c.ManyToOne = e.Codes(tagged, m.Exists(m.And(r, d.product.related(same, r)), e.Cube(untagged)))

	other := e.Equal(untagged, tagged, e.AllBits()).Not()
	c.OneToMany = e.Codes(untagged, m.Exists(m.And(r, d.product.relatedTargets(r, other)), e.Cube(tagged)))
	slices.SortFunc(c.UnImplementedTransition, func(a, b [2]int) int { return slices.Compare(a[:], b[:]) })
	return m.Err()
}

// decode reads a pair of numbers from the values of both tracks.
func decode(e symbolic.Encoding, bits []bool) (out [2]int) {
	for i, b := range bits {
		out[i%2] *= 2
		if b {
			out[i%2]++
		}
	}
	return out
}

// path goes back through the rings.
func (d *diagrams) path(i, t int) []Step {
	ring := slices.IndexFunc(d.rings, func(r bdd.Ref) bool { return d.has(r, i, t) })
	out := []Step{{i, t}}
	for ring--; ring >= 0; ring-- {
	search:
		for _, j := range d.c.Impl.Predecessors(i) {
			for _, u := range d.c.Tableau.Predecessors(t) {
				if d.has(d.rings[ring], int(j), int(u)) {
					i, t = int(j), int(u)
					break search
				}
			}
		}
		out = append(out, Step{i, t})
	}
	slices.Reverse(out)
	return out
}

func (d *diagrams) has(r bdd.Ref, i, t int) bool {
	return d.m.And(r, d.m.And(d.e.Number(untagged, i), d.e.Number(tagged, t))) != bdd.False
}

func (d *diagrams) implementations(t int) []int {
	return d.e.Codes(untagged, d.m.AndExists(d.reachSIM, d.e.Number(tagged, t), d.e.Cube(tagged)))
}

func (d *diagrams) tableaus(i int) []int {
	return d.e.Codes(tagged, d.m.AndExists(d.reachSIM, d.e.Number(untagged, i), d.e.Cube(untagged)))
}
