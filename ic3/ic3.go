package ic3

import (
	"context"
	"time"

	"netcov/cert"
	"netcov/ic3/internal/framesat"
	"netcov/netlist"
	"netcov/sat"
)

// Engine is an IC3 run on one model that can be stopped and resumed. It is not
// safe for concurrent use.
type Engine struct {
	m     *netlist.Model
	alone bool // the model is all: no further variables
	opt   Options
	t     *template
	s     *framesat.Solver
	// lift is the tag of the queries that lift predecessors: what holds in all
	// reachable states may be used unless it rests on the constraint.
	lift framesat.Tag

	frames  [][]*lemma    // by the last frame in which the lemma is known to hold
	inf     []*lemma      // lemmas that hold in all reachable states
	events  []*lemma      // lemmas in the order in which they were added or moved
	about   map[int][]int // events of a large design, by a latch that their cubes want changed
	top     int           // no bad state is in a frame before top
	phase   phase
	seeding *seeding // while seeds are filtered
	later   []cube   // seeds for finite frames
	never   []int32  // latches that always differ from their first value, as far as
	decided int      // so many permanent units say
	queue   queue
	result  Result

	activity []float64 // [latch]
	actInc   float64

	// States and transitions that answer queries without the solver.
	pool *pool
	seen *transitions

	// Of a joint run: what becomes of a counterexample. Nil otherwise.
	onFail func(*obligation)

	// The slice that is running.
	ctx      context.Context
	deadline time.Time
	maxConf  int64
	maxProp  int64
	stopped  bool

	// Buffers.
	assumps, own []sat.Lit
	marks        []uint32 // [variable]
	mark         uint32
	stack        []sat.Var
	fullBuf      []cert.StateLit
	inputBuf     []sat.Lit
}

type phase uint8

const (
	phaseSeed phase = iota
	phaseInit
	phaseSeedFrames
	phaseBlock
	phasePush
	phaseDone
)

// New prepares a run; cuts of the model are dissolved. The model must not
// change afterwards.
func New(m *netlist.Model, opt Options) *Engine {
	e := newEngine(m, opt, 0)
	e.alone = true
	return e
}

// newEngine prepares a run whose transition relation has extra variables for the
// caller.
func newEngine(m *netlist.Model, opt Options, extra int) *Engine {
	return fromTemplate(m, opt, newTemplate(m, extra))
}

func fromTemplate(m *netlist.Model, opt Options, t *template) *Engine {
	e := &Engine{m: m, opt: opt, actInc: 1, ctx: context.Background(), t: t}
	e.result.Depth = -1
	perm := framesat.TagInf
	if e.t.constraint != sat.LitUndef {
		perm = framesat.TagGlobal
	}
	e.lift = perm
	if opt.Check != nil {
		e.s = framesat.NewChecked(&e.t.builder, perm, opt.Check)
	} else {
		e.s = framesat.New(&e.t.builder, perm)
	}
	e.t.builder.Drop()
	if e.t.constraint != sat.LitUndef {
		e.s.AddAlways(e.t.constraint)
		e.s.AddUnit(e.t.constraint, framesat.TagInf)
	}
	e.frames = make([][]*lemma, 2)
	e.addInitial()
	e.pool = newPool(m)
	e.activity = make([]float64, len(m.Latches))
	e.marks = make([]uint32, e.s.NumVars())
	e.s.Stop, e.s.Effort = e.stop, opt.Effort
	return e
}

// addInitial makes frame 0 the initial states.
func (e *Engine) addInitial() {
	for i, l := range e.m.Latches {
		if cur := e.t.cur[i]; cur != sat.LitUndef && l.Reset != netlist.ResetX {
			e.s.AddUnit(cur.XorSign(l.Reset == netlist.Reset0), 0)
			e.s.SetPhase(cur.XorSign(l.Reset == netlist.Reset0))
		}
	}
}

// stop reports whether the running slice is used up.
func (e *Engine) stop() bool {
	if e.stopped {
		return true
	}
	st := &e.s.Stats
	e.stopped = st.Conflicts >= e.maxConf || st.Propagations >= e.maxProp ||
		e.ctx.Err() != nil || !e.deadline.IsZero() && time.Now().After(e.deadline)
	return e.stopped
}

// Run goes on until a verdict, the end of the budget, or the end of ctx. Once
// there is a verdict it is returned again.
func (e *Engine) Run(ctx context.Context, b Budget) Result {
	if e.phase == phaseDone {
		return e.result
	}
	e.begin(ctx, b)
	for e.phase != phaseDone && !e.stop() {
		e.step()
	}
	e.opt.Effort.Frame(e.top)
	return e.result
}

// begin starts a slice.
func (e *Engine) begin(ctx context.Context, b Budget) {
	e.ctx, e.stopped, e.deadline = ctx, false, time.Time{}
	e.maxConf, e.maxProp = 1<<62, 1<<62
	if b.Conflicts > 0 {
		e.maxConf = e.s.Stats.Conflicts + b.Conflicts
	}
	if b.Propagations > 0 {
		e.maxProp = e.s.Stats.Propagations + b.Propagations
	}
	if b.Time > 0 {
		e.deadline = time.Now().Add(b.Time)
	}
}

// step runs one phase, or as much of it as the slice allows.
func (e *Engine) step() {
	switch e.phase {
	case phaseSeed:
		if e.seed() {
			e.phase = phaseInit
		}
	case phaseInit:
		e.checkInitial()
	case phaseSeedFrames:
		if e.seedFrames() {
			e.phase = phaseBlock
		}
	case phaseBlock:
		e.block()
	case phasePush:
		e.push()
	}
}

// checkInitial looks for a bad initial state. Where seeds are inductive, they
// may exclude all bad states already.
func (e *Engine) checkInitial() {
	if len(e.inf) > 0 && e.s.Solve(framesat.TagInf, e.badAssumption(), nil) == sat.Unsat {
		e.hold(framesat.TagInf)
		return
	}
	switch e.s.Solve(0, e.badAssumption(), nil) {
	case sat.Sat:
		e.fail(e.badPredecessor(0))
	case sat.Unsat:
		e.result.Depth = 0
		e.top = 1
		e.phase = phaseSeedFrames
		e.cleanUpTo(e.s.CoreTag())
	}
}

// block excludes the bad states from the top frame.
func (e *Engine) block() {
	for !e.stop() {
		if e.queue.Len() > 0 {
			if !e.blockQueue() {
				return
			}
			continue
		}
		if e.top <= e.result.Depth {
			e.phase = phasePush
			return
		}
		switch e.s.Solve(framesat.Tag(e.top), e.badAssumption(), nil) {
		case sat.Unknown:
			return
		case sat.Sat:
			e.queue.add(e.badPredecessor(e.top))
		case sat.Unsat:
			e.result.Depth = max(e.result.Depth, e.top)
			e.phase = phasePush
			e.cleanUpTo(e.s.CoreTag())
			return
		}
	}
}

// cleanUpTo uses the tag of a refutation of the bad states: they are excluded
// from all frames up to it.
func (e *Engine) cleanUpTo(tag framesat.Tag) {
	if tag >= framesat.TagInf {
		e.hold(framesat.TagInf)
		return
	}
	e.result.Depth = max(e.result.Depth, int(tag))
}

// hold ends the run: the lemmas from a tag on are an invariant.
func (e *Engine) hold(from framesat.Tag) {
	inv := &cert.Invariant{}
	e.eachFrom(from, func(l *lemma) bool {
		inv.Clauses = append(inv.Clauses, l.clause())
		return true
	})
	if e.alone {
		e.opt.checkInvariant(e.ctx, e.m, inv)
	}
	e.result.Status, e.result.Invariant = cert.Holds, inv
	e.phase = phaseDone
}

// Clauses returns the clauses found so far. In the order of their strength: the
// ones that hold in all reachable states, then those of later frames first.
func (e *Engine) Clauses() []cert.Clause {
	var cs []cert.Clause
	for _, l := range e.inf {
		cs = append(cs, l.clause())
	}
	for k := len(e.frames) - 1; k > 0; k-- {
		for _, l := range e.frames[k] {
			cs = append(cs, l.clause())
		}
	}
	return cs
}
