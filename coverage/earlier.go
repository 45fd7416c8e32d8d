package coverage

import (
	"context"
	"slices"
	"time"

	"netcov/aig"
	"netcov/cert"
	"netcov/internal/clock"
	"netcov/mutant"
	"netcov/netlist"
	"netcov/proof"
	"netcov/propset"
	"netcov/sat"
)

// What an earlier run has found out about a design that has changed a little since, in
// the positions of this one. All of it is a guess: clauses that are still inductive prove
// properties of the design, traces are tried on the mutants that they covered, and the
// invariants of mutants on these. What stands goes the way of any other finding, the
// second opinion included; the rest costs the time of having been tried, and the clauses
// seed the engines.

// Earlier is what an earlier run has found.
type Earlier struct {
	// Proofs are invariants of the design.
	Proofs []*cert.Invariant
	// Invariants are those of mutants that no property noticed.
	Invariants []EarlierInvariant
	// Traces are those of covered mutants.
	Traces []EarlierTrace
}

// EarlierMutant names a mutant.
type EarlierMutant struct {
	Target mutant.Target
	Fault  mutant.Fault
}

// EarlierInvariant is an invariant of some mutants. Only its clauses are of use.
type EarlierInvariant struct {
	Mutants   []EarlierMutant
	Invariant *cert.Invariant
}

// EarlierTrace is a trace on which a mutant fails some property. Values of latches that
// have a reset are of no account; each row has a value for each input, and may have the
// free value after them.
type EarlierTrace struct {
	EarlierMutant
	Trace *cert.Trace
}

// TestBaseline tries what an earlier run has found: see Earlier.
const TestBaseline = "BASELINE"

// EngineBaseline names the proof of properties by clauses of an earlier run.
const EngineBaseline = "baseline"

// WithBaseline adds TestBaseline to tests, after those that cost next to nothing.
func WithBaseline(tests []string) []string {
	at := 0
	for i, name := range tests {
		if position(name) < position(TestBaseline) {
			at = i + 1
		}
	}
	return slices.Insert(slices.Clone(tests), at, TestBaseline)
}

// earlierPart is what an earlier run has found, said of a part of the design.
type earlierPart struct {
	*Earlier
	part   *netlist.Extract // nil: the design itself
	inputs int              // of the design
}

// invariant keeps what speaks of the part.
func (e *earlierPart) invariant(v *cert.Invariant) *cert.Invariant {
	if e.part == nil {
		return v
	}
	r, _ := e.part.Restrict(v, e.part.ModelLatches())
	return r
}

// trace is a trace of the design on the part.
func (e *earlierPart) trace(t *cert.Trace) *cert.Trace {
	if e.part == nil {
		return t
	}
	out := &cert.Trace{}
	for _, at := range e.part.Latches {
		out.Latches = append(out.Latches, t.Latches[at])
	}
	for _, row := range t.Inputs {
		var r []bool
		for _, at := range e.part.Inputs {
			r = append(r, row[at])
		}
		out.Inputs = append(out.Inputs, append(r, row[e.inputs:]...))
	}
	return out
}

// known are the conjuncts of the design's invariants.
func (e *earlierPart) known() *cert.Invariant { return e.invariant(cert.Conjunction(e.Proofs...)) }

// runBaseline tries what an earlier run has found about the open mutants.
func runBaseline(ctx context.Context, s *session) {
	e := s.earlier
	if e.Earlier == nil {
		return
	}
	at := map[EarlierMutant]*Mutant{}
	for _, m := range s.ledger.mutants {
		at[EarlierMutant{m.Target, m.Fault}] = m
	}
	open := func(k EarlierMutant) bool {
		m := at[k]
		return m != nil && m.cut >= 0 && s.ledger.isOpen(m)
	}
	for _, t := range e.Traces {
		if ctx.Err() != nil {
			return
		}
		if open(t.EarlierMutant) && len(t.Trace.Inputs) > 0 {
			s.tryTrace(ctx, TestBaseline, atReset(e.trace(t.Trace), s.stock.model))
		}
	}
	var invariants []*cert.Invariant
	var mutants [][]*Mutant
	own := slices.SortedStableFunc(slices.Values(e.Invariants), func(a, b EarlierInvariant) int { return len(a.Mutants) - len(b.Mutants) })
	for _, v := range own { // that of many mutants is the design's, for which there are other tests
		var ms []*Mutant
		for _, k := range v.Mutants {
			if open(k) {
				ms = append(ms, at[k])
			}
		}
		if len(ms) > 0 {
			invariants, mutants = append(invariants, e.invariant(v.Invariant)), append(mutants, ms)
		}
	}
	if len(invariants) > 0 {
		s.reprove(ctx, invariants, mutants)
	}
}

// Time for old invariants: some at first, more for each mutant that one settles, and not much
// for each. Engines may find another one sooner.
const (
	reproveFirst = 300 * time.Millisecond
	reproveEach  = 20 * time.Millisecond
	reproveMost  = 100 * time.Millisecond
)

// reprove tries invariants on mutants, of each what is still inductive. They have most
// conjuncts in common, which are encoded once.
func (s *session) reprove(ctx context.Context, invariants []*cert.Invariant, mutants [][]*Mutant) {
	all := cert.Conjunction(invariants...)
	known := initially(ctx, all, s.stock.model)
	s.stock.pool.add(known)
	q := newSubsetQuery(s.solver(), s.stock.model, known)
	clauses, formulas := map[string]int{}, map[aig.Lit]int{}
	for i, c := range known.Clauses {
		clauses[key(c)] = i
	}
	for i, l := range known.Formulas {
		formulas[l] = len(known.Clauses) + i
	}
	work, settled := clock.StartWork(), 0
	for i, inv := range invariants {
		in := make([]bool, len(q.on))
		for _, c := range inv.Clauses {
			if k, is := clauses[key(c)]; is {
				in[k] = true
			}
		}
		for _, l := range all.Formulas[:len(inv.Formulas)] {
			if k, is := formulas[l]; is {
				in[k] = true
			}
		}
		all.Formulas = all.Formulas[len(inv.Formulas):]
		var whole []*Mutant
		for _, m := range mutants[i] {
			if ctx.Err() != nil {
				return
			}
			left := slices.Clone(in)
			limited, cancel := clock.LimitWork(ctx, min(reproveMost, max(1, reproveFirst+time.Duration(settled)*reproveEach-work.Elapsed())))
			stands := s.ledger.isOpen(m) && q.reduce(limited, m, true, left)
			cancel()
			if stands {
				settled++
			}
			switch {
			case !stands:
			case slices.Equal(left, in):
				whole = append(whole, m)
			default:
				s.exclude(TestBaseline, q.chosen(left), []*Mutant{m})
			}
		}
		if len(whole) > 0 {
			s.exclude(TestBaseline, q.chosen(in), whole)
		}
	}
}

// atReset is a trace with the initial values that a model's resets give.
func atReset(t *cert.Trace, m *netlist.Model) *cert.Trace {
	out := &cert.Trace{Latches: make([]bool, len(m.Latches))}
	for i, l := range m.Latches {
		out.Latches[i] = l.Reset == netlist.Reset1 || l.Reset != netlist.Reset0 && i < len(t.Latches) && t.Latches[i]
	}
	for _, row := range t.Inputs {
		r := make([]bool, len(m.Inputs), len(m.Inputs)+1)
		copy(r, row)
		if len(row) > len(m.Inputs) {
			r = append(r, row[len(m.Inputs)])
		}
		out.Inputs = append(out.Inputs, r)
	}
	return out
}

// holdsInitially reports whether a literal of a clause has the reset value of its latch.
func holdsInitially(m *netlist.Model, c cert.Clause) bool {
	return slices.ContainsFunc(c, func(l cert.StateLit) bool {
		r := m.Latches[l.Latch()].Reset
		return r == netlist.Reset0 && l.Neg() || r == netlist.Reset1 && !l.Neg()
	})
}

// initially returns the conjuncts that speak of a model's cone and hold in all of its
// initial states, each clause once.
func initially(ctx context.Context, v *cert.Invariant, m *netlist.Model) *cert.Invariant {
	inside, _ := v.Kept(func(latch int) int {
		if latch < len(m.Latches) && m.Latches[latch].InCone {
			return latch
		}
		return -1
	})
	out := &cert.Invariant{}
	seen := map[string]bool{}
	for _, c := range inside.Clauses {
		if name := key(c); holdsInitially(m, c) && !seen[name] {
			seen[name] = true
			out.Clauses = append(out.Clauses, c)
		}
	}
	if len(inside.Formulas) == 0 {
		return out
	}
	s := proof.NewCDCL(proof.Options{})
	first := netlist.NewFrames(m, netlist.FramesOptions{Sink: netlist.SingleSink(s), Initial: true})
	for i, l := range formulas(s, inside, func(latch int) sat.Lit { return first.Latch(0, latch) }) {
		if s.Solve(ctx, l.Not()) == sat.Unsat {
			out.Formulas = append(out.Formulas, inside.Formulas[i])
		}
	}
	if len(out.Formulas) > 0 {
		out.Graph, out.Support = inside.Graph, inside.Support
	}
	return out
}

// still looks for the largest set of known conjuncts that is inductive on a model, and for the
// properties, by their positions in its Bads, that hold wherever these conjuncts do. It is
// false when ctx ended first.
func still(ctx context.Context, s sat.Solver, m *netlist.Model, known *cert.Invariant) (inv *cert.Invariant, held []int, ok bool) {
	q := newSubsetQuery(s, m, initially(ctx, known, m))
	if inv = q.largest(ctx, nil, false); inv == nil {
		return nil, nil, false
	}
	assertInvariant(s, inv, func(latch int) sat.Lit { return q.frames.Latch(0, latch) })
	for i, bad := range m.Bads {
		switch s.Solve(ctx, q.frames.Lit(0, bad)) {
		case sat.Unknown:
			return nil, nil, false
		case sat.Unsat:
			held = append(held, i)
		}
	}
	return inv, held, true
}

// provedBefore proves the property of a question by clauses of an earlier run, or returns
// nil.
func (s *session) provedBefore(ctx context.Context, original *netlist.Model) *Answer {
	if s.earlier.Earlier == nil {
		return nil
	}
	begin := time.Now()
	limited, cancel := clock.Limit(ctx, s.opt.ProofTime(1))
	defer cancel()
	inv, held, _ := still(limited, proof.NewCDCL(s.probes().queries()), original, s.earlier.known())
	if len(held) < len(original.Bads) {
		return nil
	}
	return &Answer{Status: cert.Holds, Engine: EngineBaseline, K: 1, Bound: -1, Invariant: inv, Time: time.Since(begin)}
}

// before proves clusters of properties by clauses of an earlier run. A cluster of which
// only a part can be proved so is left as it is: its properties are proved with the help
// of each other, and without some of them the others are hard. Clusters that are proved
// here have numbers below 0.
func (p *prover) before(ctx context.Context, open []int) error {
	if p.opt.Earlier == nil || p.opt.Engine != EngineSet {
		return nil
	}
	for k, properties := range propset.Clusters(p.n, open) {
		var bads []aig.Lit
		for _, i := range properties {
			bads = append(bads, p.all[i].Bad)
		}
		part := p.extractor.Extract(bads)
		bads = bads[:0]
		for _, b := range part.Netlist.Bads {
			bads = append(bads, b.Lit)
		}
		m := netlist.CompileSet(part.Netlist, bads, nil, p.opt.Mux)
		limited, cancel := clock.Limit(ctx, p.opt.Timeout)
		inv, held, ok := still(limited, proof.NewCDCL(proof.Options{}), m, (&earlierPart{p.opt.Earlier, part, len(p.n.Inputs)}).known())
		cancel()
		if !ok || len(held) < len(properties) {
			continue
		}
		for _, i := range properties {
			p.cluster[i] = -1 - k
		}
		if err := p.found(&propset.Answer{Properties: properties, Engine: EngineBaseline, Invariant: part.Invariant(inv)}); err != nil {
			return err
		}
	}
	return nil
}
