package interp

import (
	"context"
	"fmt"

	"netcov/aig"
	"netcov/cert"
	"netcov/netlist"
	"netcov/netlist/paranoid"
	"netcov/sat"
)

// byProofs is the fixpoint loop of interpolation-based model checking (McMillan,
// CAV 2003; DAC10, sections 2.2 and 4.2), forwards or backwards, in slices.
type byProofs struct {
	m        *netlist.Model
	opt      *Options
	backward bool

	sets     *reducer
	img      *imager
	k, count int
	from     aig.Lit // the set that the next image is taken of
	reached  aig.Lit // union of the initial states and all images
	image    aig.Lit // not yet compared with reached; Undef when there is none
}

func newByProofs(m *netlist.Model, opt *Options, backward bool) *byProofs {
	return &byProofs{m: m, opt: opt, backward: backward}
}

// restart begins a round at a bound.
func (e *byProofs) restart(k int) {
	e.k, e.count = k, 1
	e.sets = newReducer(len(e.m.Latches), e.opt)
	e.img = newImager(e.m, e.sets, e.opt, k, e.backward)
	e.image = aig.Undef
	if e.backward {
		e.from, e.reached = everything, aig.False
		return
	}
	e.from = e.sets.initial(e.m)
	e.reached = e.from
}

// run goes on with the round: Unsat at a fixpoint, Sat when the approximation
// meets B, Unknown when the slice is over.
func (e *byProofs) run(mt *meter) sat.Status {
	for {
		if e.image == aig.Undef {
			if s := e.img.solve(mt, e.from); s != sat.Unsat {
				return s
			}
			if e.image = e.img.image(mt); e.image == aig.Undef {
				return sat.Unknown
			}
			if e.opt.Check != nil {
				e.opt.report(e.check(mt.ctx))
			}
		}
		if s := e.sets.implies(mt, e.image, e.reached); s != sat.Sat {
			return s
		}
		e.count++
		e.reached = e.sets.or(e.reached, e.image)
		e.from = e.reached
		e.image = aig.Undef
	}
}

// exact tells, after Sat, that there is a counterexample within the bound: no
// approximation took part.
func (e *byProofs) exact() bool { return e.count == 1 }

// images is the number of images of the round.
func (e *byProofs) images() int { return e.count }

// check asks another solver whether the image is an interpolant.
func (e *byProofs) check(ctx context.Context) error {
	image := e.export(e.image)
	for _, l := range e.img.support {
		if !e.img.shares(l) {
			return fmt.Errorf("internal check: an interpolant speaks of latch %d, which the sides do not share", l)
		}
	}
	if !e.backward {
		return paranoid.Image(ctx, e.m, e.export(e.from), image, e.k)
	}
	if e.from == everything {
		return paranoid.Preimage(ctx, e.m, nil, image, e.k)
	}
	return paranoid.Preimage(ctx, e.m, e.export(e.from), image, e.k)
}

// invariant returns what the round has reached, in a graph of its own.
func (e *byProofs) invariant() *cert.Invariant { return e.export(e.reached.XorSign(e.backward)) }

// export returns a set in a graph of its own.
func (e *byProofs) export(set aig.Lit) *cert.Invariant {
	v := &cert.Invariant{Graph: aig.NewGraph()}
	to := map[aig.Node]aig.Lit{0: aig.False}
	edge := func(l aig.Lit) aig.Lit { return to[l.Node()].XorSign(l.Neg()) }
	for _, n := range e.sets.g.Cone(set) {
		if e.sets.g.Kind(n) == aig.KindLatch {
			to[n] = v.Graph.Latch()
			v.Support = append(v.Support, cert.SupportLatch{Lit: to[n], Latch: e.sets.at[n]})
			continue
		}
		a, b := e.sets.g.Fanins(n)
		to[n] = v.Graph.And(edge(a), edge(b))
	}
	v.Formulas = []aig.Lit{edge(set)}
	return v
}
