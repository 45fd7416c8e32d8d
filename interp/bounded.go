package interp

import (
	"context"

	"netcov/aig"
	"netcov/cert"
	"netcov/netlist"
	"netcov/proof"
	"netcov/sat"
)

// Bounded is bounded model checking (Biere, Cimatti, Clarke, Zhu, TACAS 1999) of
// one model, frame by frame in one incremental solver. It can be stopped and
// taken up again. Frame 0 starts in the initial states, whose constants the
// unrolling folds. A bad-state literal that is refuted in a frame is fixed to
// false there, and constraints are fixed to true in each frame that a query
// reaches.
type Bounded struct {
	m     *netlist.Model
	s     sat.Solver
	f     *netlist.Frames
	next  int // frame to be searched next: those before it are free of bad states
	spent bool
	trace *cert.Trace
}

// NewBounded prepares the search. The solver must be empty; nil stands for a
// CDCL solver of the project's own.
func NewBounded(m *netlist.Model, s sat.Solver) *Bounded {
	if s == nil {
		s = proof.NewCDCL(proof.Options{})
	}
	b := &Bounded{m: m, s: s}
	b.f = netlist.NewFrames(m, netlist.FramesOptions{Sink: netlist.SingleSink(s), Initial: true, Share: true})
	return b
}

// Bound is the largest number of steps within which no bad state is known to be
// reachable, -1 when not even the initial states have been searched.
func (b *Bounded) Bound() int { return b.next - 1 }

// Exhausted tells that no run is longer than Bound, because the constraints end
// all of them: the property holds.
func (b *Bounded) Exhausted() bool { return b.spent }

// Extend searches up to the given depth, in steps. It returns a counterexample,
// which netlist.Replay has accepted, or nil when there is none; then Bound tells
// how far the search came, less than depth only when ctx ended. The error is
// ctx's, or a fault of the program that a failed replay shows.
func (b *Bounded) Extend(ctx context.Context, depth int) (*cert.Trace, error) {
	for b.trace == nil && !b.spent && b.next <= depth {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if st, err := b.searchFrame(b.s.Solve, ctx); err != nil {
			return nil, err
		} else if st == sat.Unknown {
			return nil, ctx.Err()
		}
	}
	return b.trace, nil
}

// searchFrame searches the next frame by the given query. Sat tells that a
// counterexample was found, Unsat that this frame has none.
func (b *Bounded) searchFrame(solve func(ctx context.Context, assumptions ...sat.Lit) sat.Status, ctx context.Context) (sat.Status, error) {
	t := b.next
	if value, constant := b.f.Const(t, b.m.Constraint); !constant {
		b.s.AddClause(b.f.Lit(t, b.m.Constraint))
	} else if !value {
		b.spent = true
		return sat.Unsat, nil
	}
	if value, constant := b.f.Const(t, b.m.Bad); constant && !value {
		b.next++
		return sat.Unsat, nil
	}
	bad := b.f.Lit(t, b.m.Bad)
	switch st := solve(ctx, bad); st {
	case sat.Unsat:
		if len(b.s.Failed()) == 0 {
			// The constraints alone are contradictory.
			b.spent = true
			return st, nil
		}
		b.s.AddClause(bad.Not())
		b.next++
		return st, nil
	case sat.Sat:
		var err error
		b.trace, err = replayed(b.m, readTrace(b.m, b.f, b.s, t))
		return st, err
	}
	return sat.Unknown, nil
}

// searchWithin searches frames until the slice is over (Unknown), the
// constraints end all runs or the frame last is done (Unsat), or there is a
// counterexample (Sat). The solver must be the project's own.
func (b *Bounded) searchWithin(mt *meter, last int) (sat.Status, error) {
	s := b.s.(*proof.CDCL)
	for b.trace == nil {
		if b.spent || b.next > last {
			return sat.Unsat, nil
		}
		st, err := b.searchFrame(func(_ context.Context, assumptions ...sat.Lit) sat.Status {
			return mt.solve(s, func(ctx context.Context) sat.Status { return s.Solve(ctx, assumptions...) })
		}, mt.ctx)
		mt.spend(int64(b.m.Graph.Size()))
		if err != nil || st == sat.Unknown || st == sat.Unsat && mt.over() {
			return sat.Unknown, err
		}
	}
	return sat.Sat, nil
}

// readTrace reads the run of length depth off a solver's model. Frame 0 of the
// unrolling may be initial or not.
func readTrace(m *netlist.Model, f *netlist.Frames, s sat.Solver, depth int) *cert.Trace {
	value := func(frame int, l aig.Lit) bool {
		if p, ok := f.Encoded(frame, l); ok {
			return s.Value(p)
		}
		v, _ := f.ConstIfEncoded(frame, l)
		return v
	}
	t := &cert.Trace{Latches: make([]bool, len(m.Latches)), Inputs: make([][]bool, depth+1)}
	for i, l := range m.Latches {
		t.Latches[i] = l.Reset == netlist.Reset1
		if l.Reset == netlist.ResetX {
			t.Latches[i] = value(0, l.Lit)
		}
	}
	for frame := range t.Inputs {
		t.Inputs[frame] = make([]bool, len(m.Inputs))
		for i, in := range m.Inputs {
			t.Inputs[frame][i] = value(frame, in)
		}
	}
	return t
}

// replayed simulates a trace and cuts it off after its first bad frame.
func replayed(m *netlist.Model, t *cert.Trace) (*cert.Trace, error) {
	bad := netlist.Replay(m, t)
	if bad < 0 {
		return nil, errReplay
	}
	t.Inputs = t.Inputs[:bad+1]
	return t, nil
}
