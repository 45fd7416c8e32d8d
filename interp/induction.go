package interp

import (
	"context"
	"slices"

	"netcov/aig"
	"netcov/netlist"
	"netcov/proof"
	"netcov/sat"
)

// Induction proves properties of a set together by k-induction (Sheeran, Singh,
// Stålmarck, FMCAD 2000): where all of them hold for k steps, all of them hold
// in the next one. Properties that break the step leave the hypothesis, until
// the rest is closed or empty: the largest subset that is k-inductive (as
// Houdini does: Flanagan, Leino, FME 2001). What is proved is assumed in all that
// follows.
//
// It is the caller's part to know that no property fails in the first k steps:
// for the step of bound k, in frames 0 to k-1.
type Induction struct {
	m     *netlist.Model
	s     *proof.CDCL
	f     *netlist.Frames
	holds []sat.Lit // by property: assumed where it is in the hypothesis
	open  []int
	sure  []int // those of the hypothesis for good
	k     int
	bad   []sat.Lit
}

// NewInduction prepares the induction for the properties of a model, at bound 0.
func NewInduction(m *netlist.Model, opt Options) *Induction {
	d := &Induction{m: m, s: opt.solver(false)}
	d.f = netlist.NewFrames(m, netlist.FramesOptions{Sink: netlist.SingleSink(d.s)})
	for i := range m.Bads {
		d.open = append(d.open, i)
		d.holds = append(d.holds, sat.MkLit(d.s.NewVar(), false))
	}
	d.constrain()
	return d
}

// Bound is k, the number of steps of the hypothesis.
func (d *Induction) Bound() int { return d.k }

// constrain asserts the constraint in frame k.
func (d *Induction) constrain() {
	if d.m.Constraint != aig.True {
		d.s.AddClause(d.f.Lit(d.k, d.m.Constraint))
	}
}

// Deepen makes the hypothesis one step longer.
func (d *Induction) Deepen() {
	for i, bad := range d.m.Bads {
		d.s.AddClause(d.holds[i].Not(), d.f.Lit(d.k, bad).Not())
	}
	d.k++
	d.constrain()
	for _, i := range d.sure {
		d.s.AddClause(d.f.Lit(d.k, d.m.Bads[i]).Not())
	}
}

// Step returns the open properties that are k-inductive together, which may be
// none; they are not open any more. ok is false when ctx ended first.
func (d *Induction) Step(ctx context.Context) (proved []int, ok bool) {
	candidates := slices.Clone(d.open)
	for len(candidates) > 0 {
		d.bad = d.bad[:0]
		assume := make([]sat.Lit, 0, len(candidates))
		for _, i := range candidates {
			d.bad = append(d.bad, d.f.Lit(d.k, d.m.Bads[i]))
			assume = append(assume, d.holds[i])
		}
		switch d.s.SolveWithClause(ctx, d.bad, assume...) {
		case sat.Unknown:
			return nil, false
		case sat.Unsat:
			d.Assume(candidates...)
			return candidates, true
		}
		at := 0
		candidates = slices.DeleteFunc(candidates, func(int) bool {
			at++
			return d.s.Value(d.bad[at-1])
		})
	}
	return nil, true
}

// Drop forgets properties that fail.
func (d *Induction) Drop(properties ...int) {
	d.open = slices.DeleteFunc(d.open, func(i int) bool { return slices.Contains(properties, i) })
}

// Assume adds properties that hold to the hypothesis for good.
func (d *Induction) Assume(properties ...int) {
	for _, i := range properties {
		d.s.AddClause(d.holds[i])
		d.s.AddClause(d.f.Lit(d.k, d.m.Bads[i]).Not())
	}
	d.sure = append(d.sure, properties...)
	d.open = slices.DeleteFunc(d.open, func(i int) bool { return slices.Contains(properties, i) })
}
