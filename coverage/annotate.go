package coverage

import (
	"context"

	"netcov/aig"
	"netcov/cert"
	"netcov/mutant"
	"netcov/netlist"
	"netcov/sat"
)

// Why a mutant is not covered, where the reason is no weakness of the property:
// the mutant equals the design, or the constraints have no run in it.

// vacuousDepth is the number of steps for which the constraints must be
// satisfiable in a mutant.
const vacuousDepth = 8

// annotate adds the notes to the mutants that are not covered.
func (s *session) annotate(ctx context.Context) {
	s.noteConstant(ctx)
	s.noteVacuous(ctx)
}

// noteConstant finds nodes that have the same value in every reachable state:
// candidates come from simulation, and those that are inductive together, given
// the original's invariant and constraints, are proved.
func (s *session) noteConstant(ctx context.Context) {
	var stuck []*Mutant
	for _, m := range s.ledger.mutants {
		if m.Verdict == NotCovered && m.cut >= 0 && !m.nondet() {
			stuck = append(stuck, m)
		}
	}
	if len(stuck) == 0 {
		return
	}
	constant := constantCuts(ctx, s.solver, s.stock.model, s.stock.shared, stuck, s.opt.Seed)
	for _, m := range stuck {
		if c := constant[m.cut]; c.known && c.value == (m.Fault == mutant.One) {
			m.Note = s.equivalent(m)
		}
	}
}

// equivalent is the note of a stuck-at mutant that equals the design.
func (s *session) equivalent(m *Mutant) Note {
	what := "this register"
	switch {
	case m.Target.Gate:
		what = "this gate"
	case s.opt.Mux == mutant.AtNext:
		what = "the next state of this register"
	}
	return Note{Kind: NoteEquivalent, Subject: what, Value: m.Fault}
}

// cutConstant is what is known of a cut's value on the original.
type cutConstant struct{ known, value bool }

// constantCuts returns the cuts whose value never changes on the original.
func constantCuts(ctx context.Context, solver func() sat.Solver, m *netlist.Model, inv *cert.Invariant, ms []*Mutant, seed uint64) []cutConstant {
	origin := func(k int) aig.Lit {
		l, _ := m.Graph.Fanins(m.Cuts[k].Lit.Node())
		return l
	}
	can := make([]cutConstant, len(m.Cuts))
	asked := make([]bool, len(m.Cuts))
	for _, x := range ms {
		asked[x.cut] = true
	}
	sim := newFaultSimulator(m, seed+2)
	some := false
	for k, v := range sim.constants(vacuousDepth*8, asked) {
		can[k] = cutConstant{asked[k] && v.known, v.value}
		some = some || can[k].known
	}
	if !some {
		return can
	}
	q := solver()
	frames := netlist.NewFrames(m, netlist.FramesOptions{Sink: netlist.SingleSink(q)})
	assertInvariant(q, inv, func(l int) sat.Lit { return frames.Latch(0, l) })
	q.AddClause(frames.Lit(0, m.Constraint))
	q.AddClause(frames.Lit(1, m.Constraint))
	// hyp[k]: cut k has its constant in frame 0. The claim is about frame 1. The
	// base case is frame 0 of the initial states.
	base := solver()
	first := netlist.NewFrames(m, netlist.FramesOptions{Sink: netlist.SingleSink(base), Initial: true})
	base.AddClause(first.Lit(0, m.Constraint))
	for k := range can {
		if can[k].known && base.Solve(ctx, first.Lit(0, origin(k)).XorSign(can[k].value)) != sat.Unsat {
			can[k].known = false
		}
	}
	for {
		var hyp []sat.Lit
		for k := range can {
			if can[k].known {
				hyp = append(hyp, frames.Lit(0, origin(k)).XorSign(!can[k].value))
			}
		}
		dropped := false
		for k := range can {
			if !can[k].known {
				continue
			}
			if q.Solve(ctx, append(hyp, frames.Lit(1, origin(k)).XorSign(can[k].value))...) != sat.Unsat {
				can[k].known = false
				dropped = true
			}
		}
		if ctx.Err() != nil {
			return make([]cutConstant, len(m.Cuts))
		}
		if !dropped {
			return can
		}
	}
}

// constants walks the original and returns what each cut's value was, where it
// never changed within the constraints. The walk ends early when all cuts that
// are asked for have changed.
func (f *faultSimulator) constants(frames int, asked []bool) []cutConstant {
	out := make([]cutConstant, len(f.m.Cuts))
	ones := make([]uint64, len(out))
	zeros := make([]uint64, len(out))
	f.sim.ClearFaults()
	f.sim.Reset(func(int) uint64 { return f.rng.Uint64() })
	in := make([]uint64, len(f.m.Inputs))
	live := ^uint64(0)
	for range frames {
		for i := range in {
			in[i] = f.rng.Uint64()
		}
		f.sim.Eval(in)
		live &= f.sim.Value(f.m.Constraint)
		changed := true
		for k, c := range f.m.Cuts {
			v := f.sim.Value(c.Lit)
			ones[k] |= v & live
			zeros[k] |= ^v & live
			changed = changed && (!asked[k] || ones[k] != 0 && zeros[k] != 0)
		}
		if changed {
			break
		}
		f.sim.Step()
	}
	for k := range out {
		out[k] = cutConstant{ones[k] == 0 || zeros[k] == 0, ones[k] != 0}
	}
	return out
}

// noteVacuous finds mutants in which the constraints have no run, though they
// have one on the original. Where they have none there either, the property says
// nothing about any mutant.
func (s *session) noteVacuous(ctx context.Context) {
	if s.stock.model.Constraint == aig.True {
		return
	}
	var ms []*Mutant
	for _, m := range s.ledger.mutants {
		if m.Verdict == NotCovered && m.cut >= 0 {
			ms = append(ms, m)
		}
	}
	b := newMutantBMC(s.solver(), s.stock.model, ms)
	for range vacuousDepth {
		b.extend()
	}
	switch b.s.Solve(ctx, append(b.none(), b.prefix[vacuousDepth-1])...) {
	case sat.Unsat:
		for _, m := range ms {
			m.Note = Note{Kind: NoteNoRun, Steps: vacuousDepth}
		}
		return
	case sat.Unknown:
		return
	}
	for _, m := range ms {
		if ctx.Err() != nil {
			return
		}
		if b.s.Solve(ctx, append(b.selection(m), b.prefix[vacuousDepth-1])...) == sat.Unsat {
			m.Note = Note{Kind: NoteVacuous, Steps: vacuousDepth}
		}
	}
}
