package why

import (
	"netcov/aig"
	"netcov/cert"
	"netcov/netlist"
)

// The miter is design and mutant as one model, on the same inputs. Its latches are those
// of the pair, at their positions, whether or not they are in use; where a fact about
// the constraints is asked, one more tells that they have held so far.

// miterW is the model that is bad where an observation point differs.
func (d *design) miterW(m Mutant, differs []bool) *netlist.Model {
	x, r := d.miter(m, differs)
	design, mutant := x.constraints()
	r.Bad, r.Constraint = x.shows(), x.c.g.And(design, mutant)
	r.Bads = []aig.Lit{r.Bad}
	return r.Original()
}

// miterS is the model that is bad where the constraints tell the two apart.
func (d *design) miterS(m Mutant, differs []bool) *netlist.Model {
	x, r := d.miter(m, differs)
	design, mutant := x.constraints()
	held := x.c.g.Latch()
	r.Latches = append(r.Latches, netlist.ModelLatch{
		Lit: held, Next: x.c.g.AndAll(held, design, mutant), Reset: netlist.Reset1, InCone: true,
	})
	r.Bad, r.Constraint = x.c.g.And(held, x.c.g.Xor(design, mutant)), aig.True
	r.Bads = []aig.Lit{r.Bad}
	return r.Original()
}

func (d *design) miter(m Mutant, differs []bool) (*mutated, *netlist.Model) {
	c := newCopies(d)
	x := c.copy(m, differs, true)
	r := &netlist.Model{Graph: c.g, Inputs: c.in}
	if x.free != aig.Undef {
		r.Inputs = append(r.Inputs, x.free)
	}
	for i, l := range d.model.Latches {
		r.Latches = append(r.Latches, netlist.ModelLatch{Lit: c.latch[i], Next: edge(c.base, l.Next), Reset: l.Reset, InCone: true})
	}
	for i, l := range d.model.Latches {
		if !differs[i] {
			r.Latches = append(r.Latches, netlist.ModelLatch{Lit: c.g.Latch()})
			continue
		}
		q := netlist.ModelLatch{Lit: x.own[i], Next: edge(x.to, l.Next), Reset: l.Reset, InCone: true}
		if q.Reset == netlist.ResetX {
			q.Reset = netlist.Reset0 // not read in the first frame
		}
		r.Latches = append(r.Latches, q)
	}
	return x, r
}

// ofPair turns an invariant of a miter into one of the pair. There the constraints have
// held so far. And in the first frame the mutant's registers store what the design's do,
// while the miter's, without a reset, are not read: the invariant says what the initial
// states are, and in all other frames what the miter's says.
func (d *design) ofPair(v *cert.Invariant, differs []bool) *cert.Invariant {
	// the miter has the model's latches twice; the pair has those of the file, "first
	// frame", and the same of the mutant, with one that a fault may remember by
	held, missed := 2*len(d.model.Latches), d.latches+1
	r := &cert.Invariant{}
	late := false
	for i, l := range d.model.Latches {
		late = late || differs[i] && l.Reset == netlist.ResetX
	}
	first := cert.MkStateLit(d.latches, false)
next:
	for _, c := range v.Clauses {
		var out cert.Clause
		for _, l := range c {
			switch {
			case l == cert.MkStateLit(held, false), late && l == first.Not():
				continue next
			case l == cert.MkStateLit(held, true), late && l == first:
			case l.Latch() == missed && missed < len(d.model.Latches): // of the design: 0
				if l.Neg() {
					continue next
				}
			case l.Latch() >= len(d.model.Latches):
				out = append(out, cert.MkStateLit(d.other(l.Latch()-len(d.model.Latches)), l.Neg()))
			default:
				out = append(out, l)
			}
		}
		if late {
			out = append(out, first)
		}
		r.Clauses = append(r.Clauses, out)
	}
	if !late {
		return r
	}
	start := d.initialStates()
	for i := range d.latches {
		start.Clauses = append(start.Clauses, equalities([][2]int{{i, d.other(i)}}).Clauses...)
	}
	for _, c := range start.Clauses {
		if len(c) == 1 && c[0] == first {
			continue
		}
		r.Clauses = append(r.Clauses, append(cert.Clause{first.Not()}, c...))
	}
	return r
}

// constantModel is the design's model that is bad where the node has another value than
// the fault's.
func (d *design) constantModel(m Mutant) *netlist.Model {
	c := newCopies(d)
	origin, _ := d.model.Graph.Fanins(d.node(m))
	r := &netlist.Model{Graph: c.g, Inputs: c.in, Constraint: edge(c.base, d.model.Constraint)}
	for i, l := range d.model.Latches {
		r.Latches = append(r.Latches, netlist.ModelLatch{Lit: c.latch[i], Next: edge(c.base, l.Next), Reset: l.Reset, InCone: true})
	}
	one, _ := m.Fault.Stuck()
	r.Bad = edge(c.base, origin).XorSign(one)
	r.Bads = []aig.Lit{r.Bad}
	return r.Original()
}
