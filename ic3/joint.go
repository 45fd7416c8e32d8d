package ic3

import (
	"context"
	"errors"
	"slices"

	"netcov/aig"
	"netcov/cert"
	"netcov/ic3/internal/framesat"
	"netcov/netlist"
	"netcov/sat"
)

// A joint run frees the cuts of many mutants at the same time. Each has an
// enabling input of its own: in any step, its readers see either the fault or
// the design's value. Whatever one mutant can do, the joint model can do, so
// that an invariant of the joint model is one of every mutant in it, and one
// proof settles them all.
//
// A counterexample that one mutant alone repeats decides that mutant. One that
// needs several faults at once says nothing about any of them: one of these
// leaves the run, to be tried again without the others. In both cases an
// enabling input becomes 0 for good. That takes transitions away and adds none,
// so all frames stay valid (abstraction refinement as in Vizel, Grumberg,
// Shoham: Lazy abstraction and SAT-based reachability, FMCAD 2012).

// Mutation is a cut of the model, and how a mutant forces it.
type Mutation struct {
	Cut   int // position in Model.Cuts
	Force netlist.Force
}

// Failure is a mutant that a joint run found a counterexample for.
type Failure struct {
	Index int // position in the list given to NewJoint
	// Trace was replayed on the mutant; a free value is its last input.
	Trace *cert.Trace
}

// Joint is a resumable run over the mutants of a design that are free at the
// same time. It is not safe for concurrent use.
type Joint struct {
	m      *netlist.Model
	muts   []Mutation
	in     []bool // by mutation: still enabled
	left   int
	enable []int // by mutation: the input that enables it, in the engine's model
	free   []int // by mutation: the input with its free value, or -1
	blame  []int // by mutation: joint counterexamples that needed it
	// conflicts are minimal sets of mutants that fail together, in the order of
	// their counterexamples. One of each has left the run.
	conflicts [][]int
	e         *Engine
	sim       *netlist.Simulator
	report    func(Failure)
	err       error
}

var errJointReplay = errors.New("ic3: internal fault: a joint counterexample does not replay on the model")

// NewJoint prepares a run for mutants of m, all undecided. The property must
// hold on m itself.
func NewJoint(m *netlist.Model, muts []Mutation, opt Options) *Joint {
	j := &Joint{
		m: m, muts: muts, left: len(muts), in: make([]bool, len(muts)), blame: make([]int, len(muts)),
		sim: netlist.NewSimulator(m),
	}
	for i := range j.in {
		j.in[i] = true
	}
	j.e = newEngine(j.build(), opt, 0)
	j.e.onFail = j.fails
	return j
}

// build makes the model in which every mutant has an enabling input.
func (j *Joint) build() *netlist.Model {
	c := newCopier(j.m)
	m, free := c.inject(j.muts, func() aig.Lit {
		at := c.input()
		j.enable = append(j.enable, at)
		return c.to.Inputs[at]
	})
	j.free = free
	return m
}

// Run goes on until a fixpoint or the end of the budget or of ctx. It calls
// report for each mutant whose counterexample is found. With a fixpoint it
// returns the invariant of all mutants that are still In. The error is a fault
// of the engine.
func (j *Joint) Run(ctx context.Context, b Budget, report func(Failure)) (*cert.Invariant, error) {
	if j.left == 0 || j.err != nil {
		return nil, j.err
	}
	j.report = report
	res := j.e.Run(ctx, b)
	if j.err != nil || res.Status != cert.Holds {
		return nil, j.err
	}
	return res.Invariant, nil
}

// In reports whether a mutant is still part of the run.
func (j *Joint) In(index int) bool { return j.in[index] }

// Left returns the number of mutants that are still part of the run.
func (j *Joint) Left() int { return j.left }

// Conflicts returns, for each counterexample that no mutant repeats alone, a
// minimal set of mutants that fail when they are enabled as it needs. A set of
// one is a stuck-at mutant that fails only when its fault comes and goes.
func (j *Joint) Conflicts() [][]int { return j.conflicts }

// Exclude takes out mutants that were decided elsewhere.
func (j *Joint) Exclude(indices ...int) {
	changed := false
	for _, i := range indices {
		if j.in[i] {
			j.disable(i)
			changed = true
		}
	}
	if changed {
		j.restart()
	}
}

// Halve takes out half of the mutants that are still part of the run, those that
// were needed by the most conflicts: the rest is easier to prove.
func (j *Joint) Halve() {
	var in []int
	for i := range j.muts {
		if j.in[i] {
			in = append(in, i)
		}
	}
	slices.SortStableFunc(in, func(a, b int) int { return j.blame[b] - j.blame[a] })
	j.Exclude(in[:len(in)/2]...)
}

// disable takes a mutant out: its enabling input is 0 from now on.
func (j *Joint) disable(i int) {
	j.in[i] = false
	j.left--
	if on := j.e.t.inputs[j.enable[i]]; on != sat.LitUndef { // the engine reads it
		j.e.s.AddUnit(on.Not(), framesat.TagGlobal)
	}
	j.e.pool.zero = append(j.e.pool.zero, j.enable[i])
}

// restart forgets the transitions seen so far and the obligations that rest on
// them; the frames stay.
func (j *Joint) restart() {
	e := j.e
	if j.left == 0 {
		e.phase = phaseDone
		return
	}
	e.queue.items = e.queue.items[:0]
	e.pool.restart(e.s.Stats.Queries + 10*poolFirst)
	e.seen = nil
	e.eachFrom(1, func(l *lemma) bool {
		l.ctp = nil
		return true
	})
}

// fails handles a counterexample of the joint model.
func (j *Joint) fails(o *obligation) {
	t := j.e.trace(o)
	var list []int
	for i := range j.muts {
		if j.in[i] {
			list = append(list, i)
		}
	}
	hits := 0
	for batch := range slices.Chunk(list, 64) {
		hits += j.single(t, batch)
	}
	if hits == 0 {
		needed, ok := j.needed(t, list)
		if !ok || len(needed) == 0 {
			j.err = errJointReplay
			j.e.phase = phaseDone
			return
		}
		worst := needed[0]
		for _, i := range needed {
			if j.blame[i]++; j.blame[i] > j.blame[worst] {
				worst = i
			}
		}
		j.conflicts = append(j.conflicts, needed)
		j.disable(worst)
	}
	j.restart()
}

// single replays the trace on each of up to 64 mutants alone, and decides those
// that fail. A nondet mutant reads its free value where the trace enables it.
func (j *Joint) single(t *cert.Trace, batch []int) (hits int) {
	live := ^uint64(0) >> (64 - len(batch))
	seen := make([][]bool, len(batch)) // by lane and frame: what the readers see
	j.start(t)
	for frame, in := range t.Inputs {
		j.sim.ClearFaults()
		for lane, i := range batch {
			bit := uint64(1) << lane
			switch j.muts[i].Force {
			case netlist.ForceZero:
				j.sim.SetFault(j.muts[i].Cut, bit, 0)
			case netlist.ForceOne:
				j.sim.SetFault(j.muts[i].Cut, bit, bit)
			default:
				if in[j.enable[i]] {
					j.sim.SetFault(j.muts[i].Cut, bit, spread(in[j.free[i]]))
				}
			}
		}
		bad := j.eval(in, &live)
		for lane, i := range batch {
			bit := uint64(1) << lane
			seen[lane] = append(seen[lane], j.sim.Value(j.m.Cuts[j.muts[i].Cut].Lit)&bit != 0)
			if bad&bit == 0 {
				continue
			}
			live &^= bit
			hits++
			j.disable(i)
			if j.report != nil {
				j.report(Failure{Index: i, Trace: j.traceOf(t, i, frame, seen[lane])})
			}
		}
		if live == 0 {
			break
		}
		j.sim.Step()
	}
	return hits
}

// traceOf is the trace as the mutant's model reads it.
func (j *Joint) traceOf(t *cert.Trace, i, last int, seen []bool) *cert.Trace {
	n := len(j.m.Inputs)
	r := &cert.Trace{Latches: slices.Clone(t.Latches)}
	for frame, in := range t.Inputs[:last+1] {
		bits := slices.Clone(in[:n])
		if j.free[i] >= 0 {
			bits = append(bits, seen[frame])
		}
		r.Inputs = append(r.Inputs, bits)
	}
	return r
}

// needed returns a minimal set of the mutants that the trace needs, all enabled
// together as the trace does it; ok is false when even all do not suffice.
func (j *Joint) needed(t *cert.Trace, list []int) (set []int, ok bool) {
	for _, i := range list {
		for _, in := range t.Inputs {
			if in[j.enable[i]] {
				set = append(set, i)
				break
			}
		}
	}
	if j.together(t, [][]int{set}) == 0 {
		return nil, false
	}
	for at := 0; at < len(set); {
		// each lane leaves one out
		var tries [][]int
		for k := at; k < len(set) && len(tries) < 64; k++ {
			tries = append(tries, slices.Delete(slices.Clone(set), k, k+1))
		}
		bad := j.together(t, tries)
		if bad == 0 {
			at += len(tries)
			continue
		}
		for lane := range tries {
			if bad>>lane&1 == 1 {
				set = tries[lane] // those before it are needed for good
				at += lane
				break
			}
		}
	}
	return set, true
}

// together replays the trace with a set of mutants in each lane and returns the
// lanes that become bad.
func (j *Joint) together(t *cert.Trace, sets [][]int) (bad uint64) {
	live := ^uint64(0) >> (64 - len(sets))
	j.start(t)
	for _, in := range t.Inputs {
		j.sim.ClearFaults()
		for lane, set := range sets {
			bit := uint64(1) << lane
			for _, i := range set {
				if !in[j.enable[i]] {
					continue
				}
				value := uint64(0)
				if f := j.free[i]; j.muts[i].Force == netlist.ForceOne || f >= 0 && in[f] {
					value = bit
				}
				j.sim.SetFault(j.muts[i].Cut, bit, value)
			}
		}
		b := j.eval(in, &live)
		bad |= b
		if live &^= b; live == 0 {
			break
		}
		j.sim.Step()
	}
	return bad
}

func (j *Joint) start(t *cert.Trace) {
	j.sim.ClearFaults()
	j.sim.Reset(func(latch int) uint64 { return spread(t.Latches[latch]) })
}

// eval evaluates a frame and returns the live lanes that are bad; lanes whose
// constraint fails are live no more.
func (j *Joint) eval(in []bool, live *uint64) (bad uint64) {
	words := make([]uint64, len(j.m.Inputs))
	for k := range words {
		words[k] = spread(in[k])
	}
	j.sim.Eval(words)
	*live &= j.sim.Value(j.m.Constraint)
	return *live & j.sim.Value(j.m.Bad)
}

func spread(b bool) uint64 {
	if b {
		return ^uint64(0)
	}
	return 0
}
