package coverage

import (
	"context"
	"math/bits"

	"netcov/cert"
	"netcov/netlist"
)

// Random walks on large designs. A lane a mutant costs the whole cone for each 64
// mutants: the product of two numbers that grow with the design. Most faults of a large
// design change little of it. So the lanes are 64 runs of the design, and each mutant is
// simulated beside them, where it differs (deductive in spirit, concurrent in form:
// Ulrich and Baker, IEEE Computer 7(4), 1974).

// besideFrom is the least work of a walk with a lane a mutant, in nodes computed, from
// which the mutants are simulated beside the design. Tests change it.
var besideFrom = 1 << 26

// A node beside the design costs about as much as besideShare nodes with a lane each, of
// which one mutant has the 64th part. A mutant that costs more than in a lane is left to
// one, so that it costs at most twice what the cheaper way does.
const besideShare = 1.0 / 2048

// besides reports whether a walk of so many mutants is one beside the design.
func (s *session) besides(mutants, frames int) bool {
	return mutants*frames*s.stock.model.Graph.Size()/64 >= besideFrom
}

// walkBeside walks the stuck-at mutants beside the design, and then those nondet ones
// that are still open. It returns the mutants that changed too much to be followed.
func (s *session) walkBeside(ctx context.Context, test string, sim *faultSimulator, ms []*Mutant, frames int) (left []*Mutant) {
	for _, free := range []bool{false, true} {
		var list []*Mutant
		for _, m := range ms {
			if m.free() == free && s.ledger.isOpen(m) {
				list = append(list, m)
			}
		}
		if len(list) > 0 {
			hits, much := sim.beside(ctx, list, frames)
			s.coverAll(test, hits)
			left = append(left, much...)
		}
	}
	return left
}

// walker is a mutant beside the runs of the design.
type walker struct {
	netlist.Divergence
	m    *Mutant
	live uint64
}

// beside walks frames steps with 64 runs of the design and all mutants beside them. It
// returns those that reach a bad state, and the mutants that changed too much to be
// followed. Traces that follow one run share its rows.
func (f *faultSimulator) beside(ctx context.Context, ms []*Mutant, frames int) (hits []hit, left []*Mutant) {
	f.start([]*Mutant{{cut: -1}})
	f.drawInitial()
	for i, w := range f.init {
		f.sim.SetState(i, w)
	}
	if f.net == nil {
		f.net = netlist.NewBeside(f.m, f.sim)
	}
	draw := f.drawing()
	walkers := make([]*walker, len(ms))
	for i, m := range ms {
		walkers[i] = &walker{m: m, live: ^uint64(0)}
	}
	most := int(besideShare * float64(frames*f.m.Graph.Size()))
	rows := &sharedRows{f: f}
	live := ^uint64(0)
	for frame := 0; frame < frames && live != 0 && len(walkers) > 0 && ctx.Err() == nil; frame++ {
		f.inputs = append(f.inputs, make([]uint64, len(f.m.Inputs)))
		free := draw(frame, f.inputs[frame])
		f.free = append(f.free, free)
		f.choose(frame, live)
		f.sim.Eval(f.inputs[frame])
		ended := live &^ f.sim.Value(f.m.Constraint)
		live &^= ended
		live &^= f.sim.Value(f.m.Bad) // none: it holds on the design
		kept := walkers[:0]
		for k, w := range walkers {
			if k%1024 == 0 && ctx.Err() != nil {
				return hits, left
			}
			value := spread(w.m.force == netlist.ForceOne)
			if w.m.free() {
				value = free
			}
			w.live &= live
			bad, broken := f.net.Step(&w.Divergence, w.m.cut, value, w.live)
			if bad &^= broken; bad != 0 {
				hits = append(hits, rows.hit(w.m, bits.TrailingZeros64(bad), frame))
				continue
			}
			w.live &^= broken
			if w.Work > most {
				left = append(left, w.m)
				continue
			}
			kept = append(kept, w)
		}
		walkers = kept
		f.sim.Step()
		if ended != 0 {
			before := len(f.moves)
			live |= f.goOn(frame+1, live, ended)
			rows.move(f.moves[before:])
			for _, w := range walkers {
				w.move(f.moves[before:])
			}
		}
	}
	return hits, left
}

// move lets lanes go on where other ones are.
func (w *walker) move(moves []move) {
	for _, m := range moves {
		w.live = w.live&^(1<<m.lane) | w.live>>m.from&1<<m.lane
	}
	for i := range w.Latches {
		l := &w.Latches[i]
		for _, m := range moves {
			l.Lanes = l.Lanes&^(1<<m.lane) | l.Lanes>>m.from&1<<m.lane
		}
	}
}

// sharedRows are the rows of inputs of the runs of one walk.
type sharedRows struct {
	f    *faultSimulator
	runs [64]*sharedRun
}

// sharedRun is a run so far. Its rows have one value more than there are inputs, a free
// one: held at 0 and held at 1.
type sharedRun struct {
	latches []bool
	held    [2][][]bool
}

// move forgets the runs of lanes that go on where others are: their past is another one.
func (s *sharedRows) move(moves []move) {
	for _, m := range moves {
		s.runs[m.lane] = nil
	}
}

// run returns a lane's run up to a frame.
func (s *sharedRows) run(lane, last int) *sharedRun {
	r := s.runs[lane]
	if r == nil {
		r = &sharedRun{}
		s.runs[lane] = r
	}
	first := len(r.held[0])
	for i := range r.held {
		r.held[i] = append(r.held[i], make([][]bool, max(0, last+1-first))...)
	}
	begins := s.f.back(lane, last, first, func(frame, lane int) {
		row := s.f.row(frame, lane)
		r.held[1][frame] = append(append(make([]bool, 0, len(row)+1), row...), true)
		r.held[0][frame] = append(row, false)
	})
	if r.latches == nil {
		r.latches = s.f.initial(begins)
	}
	return r
}

// hit returns the run of a lane that covers a mutant in a frame.
func (s *sharedRows) hit(m *Mutant, lane, last int) hit {
	r := s.run(lane, last)
	h := hit{m: m, trace: &cert.Trace{Latches: r.latches, Inputs: make([][]bool, last+1)}}
	if m.free() {
		for frame := range h.trace.Inputs {
			h.trace.Inputs[frame] = r.held[s.f.free[frame]>>lane&1][frame]
		}
		return h
	}
	held := r.held[0]
	if m.force == netlist.ForceOne {
		held = r.held[1]
	}
	h.held = &cert.Trace{Latches: r.latches, Inputs: held[: last+1 : last+1]}
	for frame, row := range h.held.Inputs {
		n := len(row) - 1
		h.trace.Inputs[frame] = row[:n:n]
	}
	return h
}
