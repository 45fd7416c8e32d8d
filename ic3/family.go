package ic3

import (
	"context"
	"slices"

	"netcov/aig"
	"netcov/cert"
	"netcov/ic3/internal/framesat"
	"netcov/mutant"
	"netcov/netlist"
)

// A family is one IC3 run for many mutants of a design. Each mutant has a
// selector, a latch that never changes and may start with 1; where it is 1 the
// readers of the mutant's cut see the fault. At most one selector is 1. A
// counterexample decides the mutants that it fits: their selectors become 0, a
// fact about the states that are still of interest, so all frames stay valid.
// A fixpoint decides all the others at once. A clause of a frame holds for a
// mutant when it has no literal that says "selector is 1" for it, and lemmas
// that do not depend on the fault are found once.
//
// A seed clause that fails for some mutants is weakened by their selectors.

// Mutation is a fault at a cut of the model.
type Mutation struct {
	Cut   int // position in Model.Cuts
	Fault mutant.Fault
}

// Verdict is what a family found out about one mutant.
type Verdict struct {
	Index    int // position in the list given to NewFamily
	Mutation Mutation
	Status   Status // Holds or Fails
	// Invariant is as in Result, for Model.Mutant(Cut, Fault).
	Invariant *cert.Invariant
	// Trace was replayed on the mutant; a free value is its last input.
	Trace *cert.Trace
}

// Family is a resumable run for several mutants. It is not safe for concurrent
// use.
type Family struct {
	m         *netlist.Model
	muts      []Mutation
	open      []bool
	left      int
	selLatch  []int // by mutation: its selector among the engine's latches
	freeInput []int // by mutation: its free value among the engine's inputs, or -1
	e         *Engine
	sim       *netlist.Simulator
	report    func(Verdict)
	err       error
}

// NewFamily prepares a run for mutants of m, all undecided. The property must
// hold on m itself. The clauses that at most one selector is 1 take memory in
// the square of the number of mutants: some hundreds are a good size.
func NewFamily(m *netlist.Model, muts []Mutation, opt Options) *Family {
	f := &Family{m: m, muts: muts, left: len(muts), open: make([]bool, len(muts))}
	for i := range f.open {
		f.open[i] = true
	}
	f.sim = netlist.NewSimulator(m)
	fm := f.build()
	f.e = newEngine(fm, opt, additions{exclusive: f.selLatch})
	f.e.selector = make([]bool, len(fm.Latches))
	for _, i := range f.selLatch {
		f.e.selector[i] = true
	}
	f.e.onFail = f.fails
	f.e.pool.selectors = slices.Clone(f.selLatch)
	return f
}

// build makes the model with selectors.
func (f *Family) build() *netlist.Model {
	c := newCopier(f.m)
	m, free := c.inject(f.muts, func() aig.Lit {
		at := c.frozen()
		f.selLatch = append(f.selLatch, at)
		return c.to.Latches[at].Lit
	})
	f.freeInput = free
	return m
}

// Run goes on until every mutant is decided, the end of the budget, or the end
// of ctx. It calls report, which may be nil, for each mutant as it is decided,
// and returns the number of those left. The error is a fault of the engine or
// says that the property fails on the design itself; the family is of no use
// then.
func (f *Family) Run(ctx context.Context, b Budget, report func(Verdict)) (int, error) {
	if f.left == 0 || f.err != nil {
		return f.left, f.err
	}
	f.report = report
	res := f.e.Run(ctx, b)
	if f.err == nil && res.Status == Holds {
		f.holds(ctx, res.Invariant)
	}
	return f.left, f.err
}

// Exclude takes a mutant out that was decided elsewhere.
func (f *Family) Exclude(index int) {
	if f.open[index] {
		f.close(index)
		f.purge()
	}
}

// close marks a mutant decided: its selector is 0 from now on.
func (f *Family) close(index int) {
	f.open[index] = false
	f.left--
	sel := f.selLatch[index]
	f.e.s.AddUnit(f.e.t.cur[sel].Not(), framesat.TagGlobal)
	f.e.seen.exclude(cube{cert.MkStateLit(sel, false)}, framesat.TagInf)
	if f.left == 0 {
		f.e.phase = phaseDone
	}
}

// purge drops the obligations that speak of a decided mutant only, and the
// reachable states of decided mutants.
func (f *Family) purge() {
	var selectors []int
	for i, sel := range f.selLatch {
		if f.open[i] {
			selectors = append(selectors, sel)
		}
	}
	f.e.pool.restrict(selectors, 0)
	closed := func(o *obligation) bool {
		for _, l := range o.cube {
			if f.e.selector[l.Latch()] && !l.Neg() && !f.open[l.Latch()-f.selLatch[0]] {
				return true
			}
		}
		return false
	}
	f.e.queue.filter(func(o *obligation) bool { return !closed(o) })
}

// fails handles a counterexample: it fits the mutant whose selector is 1 in its
// first cube, or else all those whose selector is not 0 there.
func (f *Family) fails(o *obligation) {
	t := f.e.trace(o)
	first := f.selLatch[0]
	named := -1
	negated := make([]bool, len(f.muts))
	for _, l := range o.cube {
		switch {
		case !f.e.selector[l.Latch()]:
		case l.Neg():
			negated[l.Latch()-first] = true
		default:
			named = l.Latch() - first
		}
	}
	decided := false
	for i := range f.muts {
		if !f.open[i] || named >= 0 && i != named || negated[i] {
			continue
		}
		v := Verdict{Index: i, Mutation: f.muts[i], Status: Fails, Trace: f.mutantTrace(t, i)}
		at := f.replay(i, v.Trace)
		if at < 0 {
			f.stop(errNoReplay)
			return
		}
		v.Trace.Inputs = v.Trace.Inputs[:at+1]
		decided = true
		f.close(i)
		if f.report != nil {
			f.report(v)
		}
	}
	if !decided {
		f.stop(errOriginalFails)
		return
	}
	f.purge()
}

func (f *Family) stop(err error) {
	f.err = err
	f.e.phase = phaseDone
}

// mutantTrace moves a trace of the engine's model to a mutant's model.
func (f *Family) mutantTrace(t *cert.Trace, i int) *cert.Trace {
	r := &cert.Trace{Latches: slices.Clone(t.Latches[:len(f.m.Latches)])}
	n := len(f.m.Inputs)
	for _, in := range t.Inputs {
		bits := slices.Clone(in[:n])
		if free := f.freeInput[i]; free >= 0 {
			bits = append(bits, in[free])
		}
		r.Inputs = append(r.Inputs, bits)
	}
	return r
}

// replay simulates a mutant's trace; it returns the first bad frame, or -1.
func (f *Family) replay(i int, t *cert.Trace) int {
	s := f.sim
	s.ClearFaults()
	s.Reset(func(latch int) uint64 { return spread(t.Latches[latch]) })
	in := make([]uint64, len(f.m.Inputs))
	for frame, bits := range t.Inputs {
		for k := range in {
			in[k] = spread(bits[k])
		}
		switch f.muts[i].Fault {
		case mutant.Zero:
			s.SetFault(f.muts[i].Cut, 1, 0)
		case mutant.One:
			s.SetFault(f.muts[i].Cut, 1, 1)
		default:
			s.SetFault(f.muts[i].Cut, 1, spread(bits[len(in)]))
		}
		s.Eval(in)
		if s.Value(f.m.Constraint)&1 == 0 {
			return -1
		}
		if s.Value(f.m.Bad)&1 == 1 {
			return frame
		}
		s.Step()
	}
	return -1
}
