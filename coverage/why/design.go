package why

import (
	"slices"

	"netcov/aig"
	"netcov/cert"
	"netcov/certify"
	"netcov/mutant"
	"netcov/netlist"
)

// design is a problem made ready: one model with the cone of the held properties, of
// the constraints and of the observation points, and with a cut at each mutated node.
type design struct {
	Problem
	model   *netlist.Model
	latches int // of the file; the position after them is the latch "first frame"
	// points are the observation points, and ofLatch the register of each, -1 for none.
	points  []aig.Lit
	ofLatch []int

	checker  *certify.Comparison
	relevant []bool // by node of the netlist: in the cone of a held property or a constraint
}

func newDesign(p Problem, ms []Mutant, opinion certify.Solver) *design {
	n := p.Netlist
	d := &design{Problem: p, latches: len(n.Latches)}
	d.Observe = p.Observe.In(p.File)
	d.checker = certify.NewComparison(p.File, p.Observe, opinion, p.Properties...)
	ps := n.Properties()
	var roots []aig.Lit // of the properties, then the points
	for _, i := range p.Properties {
		if ps[i].Kind != netlist.PropertyJustice {
			roots = append(roots, ps[i].Bad)
			continue
		}
		roots = append(roots, n.Justice[ps[i].Index].Lits...)
		for _, l := range n.Fairness {
			roots = append(roots, l.Lit)
		}
	}
	held := len(roots)
	cone := slices.Clone(roots)
	for _, c := range n.Constraints {
		cone = append(cone, c.Lit)
	}
	d.relevant = n.SequentialCone(cone...)
	if d.Observe == certify.ObserveOutputs {
		if len(n.Bads) > 0 {
			for _, o := range n.Outputs {
				roots = append(roots, o.Lit)
				d.ofLatch = append(d.ofLatch, -1)
			}
		}
	} else {
		for i, l := range n.Latches {
			roots = append(roots, l.Lit)
			d.ofLatch = append(d.ofLatch, i)
		}
	}
	var targets []mutant.Target
	var faults []mutant.Fault
	seen := map[mutant.Target]bool{}
	for _, m := range ms {
		if !seen[m.Target] && d.inside(m.Target) {
			seen[m.Target] = true
			targets = append(targets, m.Target)
		}
		if !slices.Contains(faults, m.Fault) {
			faults = append(faults, m.Fault)
		}
	}
	d.model = netlist.CompileSet(n, roots, targets, p.Mux, faults...)
	if len(d.model.Latches) == d.latches { // invariants may speak of it
		d.model.Latches = append(d.model.Latches, netlist.ModelLatch{Lit: d.model.Graph.Latch(), Next: aig.False, Reset: netlist.Reset1})
	}
	d.points = d.model.Bads[held:]
	if d.Invariant == nil {
		d.Invariant = &cert.Invariant{}
	}
	return d
}

// inside reports whether some held property or constraint depends on the node.
func (d *design) inside(t mutant.Target) bool {
	if t.Gate {
		return d.relevant[d.Netlist.Gates[t.Index].Node()]
	}
	return d.relevant[d.Netlist.Latches[t.Index].Lit.Node()]
}

// cut is a mutant's cut, and how it is forced; for mutants in the model.
func (d *design) cut(m Mutant) (int, netlist.Force) {
	cut, force, _ := d.model.Find(m.Target, m.Fault)
	return cut, force
}

// node is the node of a mutant's cut.
func (d *design) node(m Mutant) aig.Node {
	cut, _ := d.cut(m)
	return d.model.Cuts[cut].Lit.Node()
}

// observes reports whether a point counts for a mutant: a register's own does not.
func (d *design) observes(point int, t mutant.Target) bool {
	return t.Gate || d.ofLatch[point] != t.Index
}

// mutation is a mutant as certify names it.
func (d *design) mutation(m Mutant) certify.Mutation {
	return certify.Mutation{Gate: m.Target.Gate, Index: m.Target.Index, Fault: m.Fault, Mux: d.Mux}
}

// other is the position, in the pair, of the mutant's latch, given by its position in the
// model.
func (d *design) other(latch int) int { return d.latches + 1 + latch }

// ofMutant moves an invariant of one side to the mutant's side of the pair.
func (d *design) ofMutant(v *cert.Invariant) *cert.Invariant { return v.Renamed(d.other) }
