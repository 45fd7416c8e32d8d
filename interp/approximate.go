package interp

import (
	"log/slog"

	"netcov/netlist"
	"netcov/proof"
)

// byProofs is the fixpoint loop of interpolation-based model checking (McMillan,
// CAV 2003; DAC10, sections 2.2 and 4.2), forwards or backwards, in slices.
type byProofs struct {
	m    *netlist.Model
	opt  *Options
	log  *slog.Logger
	sets *reducer
	init netlist.Lit

	img      *imager
	k, count int
	from     netlist.Lit // the set that the next image is taken of
	reached  netlist.Lit // union of the initial states and all images
	image    netlist.Lit // not yet compared with reached; Undef when there is none
}

func newByProofs(m *netlist.Model, opt *Options, log *slog.Logger) *byProofs {
	e := &byProofs{m: m, opt: opt, log: log, sets: newReducer(len(m.Latches)), init: netlist.True}
	if opt.Backward {
		e.init = everything
		return e
	}
	for i, l := range m.Latches {
		if l.InCone && l.Reset != netlist.ResetX {
			e.init = e.sets.and(e.init, e.sets.variable(i).XorSign(l.Reset == netlist.Reset0))
		}
	}
	return e
}

// restart begins a round at a bound.
func (e *byProofs) restart(k int) {
	e.k, e.count = k, 1
	e.img = newImager(e.m, e.sets, e.opt.System, k, e.opt.Backward, false)
	e.from, e.reached, e.image = e.init, e.init, netlist.Undef
	if e.opt.Backward {
		e.reached = netlist.False
	}
}

// run goes on with the round: Unsat at a fixpoint, Sat when the approximation
// meets B, Unknown when the slice is over.
func (e *byProofs) run(mt *meter, st *Stats) proof.Status {
	for {
		if e.image == netlist.Undef {
			if s := e.img.solve(mt, e.from); s != proof.Unsat {
				return s
			}
			st.Images++
			e.image = e.img.image(mt, st)
			e.log.Debug("image", "k", e.k, "m", e.count, "ands", countAnds(e.sets.g, e.image), "reached", countAnds(e.sets.g, e.reached))
		}
		if s := e.sets.implies(mt, e.image, e.reached); s != proof.Sat {
			return s
		}
		e.count++
		e.reached = e.sets.or(e.reached, e.image)
		e.from = e.reached
		if e.opt.Frontier {
			e.from = e.image
		}
		e.image = netlist.Undef
	}
}

// exact tells, after Sat, that there is a counterexample within the bound: no
// approximation took part.
func (e *byProofs) exact() bool { return e.count == 1 }

// images is the number of images of the round.
func (e *byProofs) images() int { return e.count }

// invariant returns what the round has reached, in a graph of its own.
func (e *byProofs) invariant() *netlist.Invariant {
	set := e.reached.XorSign(e.opt.Backward)
	v := &netlist.Invariant{Graph: netlist.NewGraph()}
	to := map[netlist.Node]netlist.Lit{0: netlist.False}
	edge := func(l netlist.Lit) netlist.Lit { return to[l.Node()].XorSign(l.Neg()) }
	for _, n := range e.sets.g.Cone(set) {
		if e.sets.g.Kind(n) == netlist.KindLatch {
			to[n] = v.Graph.Latch()
			v.Support = append(v.Support, netlist.SupportLatch{Lit: to[n], Latch: e.sets.at[n]})
			continue
		}
		a, b := e.sets.g.Fanins(n)
		to[n] = v.Graph.And(edge(a), edge(b))
	}
	v.Formulas = []netlist.Lit{edge(set)}
	return v
}
