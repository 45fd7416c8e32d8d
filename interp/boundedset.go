package interp

import (
	"context"
	"slices"

	"netcov/cert"
	"netcov/netlist"
	"netcov/proof"
	"netcov/sat"
)

// BoundedSet is bounded model checking of several properties in one unrolling,
// frame by frame. A property that fails leaves the search with a shortest
// counterexample; a frame is done when none of those that are left can fail in
// it, which is then known in all later queries.
type BoundedSet struct {
	m     *netlist.Model
	s     *proof.CDCL
	f     *netlist.Frames
	open  []int
	next  int // frame to be searched next
	ready int // frames whose constraint is asserted
	spent bool
}

// NewBoundedSet prepares the search for all properties of a model.
func NewBoundedSet(m *netlist.Model, opt Options) *BoundedSet {
	b := &BoundedSet{m: m, s: opt.solver(false)}
	b.f = netlist.NewFrames(m, netlist.FramesOptions{Sink: netlist.SingleSink(b.s), Initial: true, Share: true})
	for i := range m.Bads {
		b.open = append(b.open, i)
	}
	return b
}

// Bound is the largest number of steps within which no open property fails, -1
// when not even the initial states have been searched.
func (b *BoundedSet) Bound() int { return b.next - 1 }

// Drop ends the search for properties.
func (b *BoundedSet) Drop(properties ...int) {
	b.open = slices.DeleteFunc(b.open, func(i int) bool { return slices.Contains(properties, i) })
}

// Extend searches up to the given depth, in steps, or until properties fail: it
// returns those that do at the end of the trace, which leave the search. Where
// it returns none, Bound tells how far it came, less than depth only when ctx
// ended or nothing is left to be searched. The error is a fault of the program.
func (b *BoundedSet) Extend(ctx context.Context, depth int) ([]int, *cert.Trace, error) {
	for len(b.open) > 0 && !b.spent && b.next <= depth && ctx.Err() == nil {
		switch b.searchFrame(ctx) {
		case sat.Unknown:
			return nil, nil, nil
		case sat.Sat:
			t := readTrace(b.m, b.f, b.s, b.next)
			failed := FailingAt(b.m, t, b.open)
			if len(failed) == 0 {
				return nil, nil, errReplay
			}
			b.Drop(failed...)
			return failed, t, nil
		}
	}
	return nil, nil, nil
}

// searchFrame asks whether some open property fails in the next frame; where none
// does the search moves on.
func (b *BoundedSet) searchFrame(ctx context.Context) sat.Status {
	t := b.next
	if b.ready == t {
		b.ready++
		if value, constant := b.f.Const(t, b.m.Constraint); !constant {
			b.s.AddClause(b.f.Lit(t, b.m.Constraint))
		} else if !value {
			b.spent = true
			return sat.Unsat
		}
	}
	var bad []sat.Lit
	for _, i := range b.open {
		if value, constant := b.f.Const(t, b.m.Bads[i]); !constant || value {
			bad = append(bad, b.f.Lit(t, b.m.Bads[i]))
		}
	}
	st := sat.Unsat
	if len(bad) > 0 {
		st = b.s.SolveWithClause(ctx, bad)
	}
	if st == sat.Unsat {
		for _, l := range bad {
			b.s.AddClause(l.Not())
		}
		b.next++
	}
	return st
}

// FailingAt returns which of some properties fail in the last frame of a trace,
// by simulation; none where the constraints do not hold up to there.
func FailingAt(m *netlist.Model, t *cert.Trace, properties []int) []int {
	s := netlist.NewSimulator(m)
	lane := func(list []bool, i int) uint64 {
		if i < len(list) && list[i] {
			return 1
		}
		return 0
	}
	s.Reset(func(i int) uint64 { return lane(t.Latches, i) })
	in := make([]uint64, len(m.Inputs))
	for frame, bits := range t.Inputs {
		if frame > 0 {
			s.Step()
		}
		for i := range in {
			in[i] = lane(bits, i)
		}
		s.Eval(in)
		if s.Value(m.Constraint)&1 == 0 {
			return nil
		}
	}
	var failing []int
	for _, i := range properties {
		if s.Value(m.Bads[i])&1 == 1 {
			failing = append(failing, i)
		}
	}
	return failing
}
