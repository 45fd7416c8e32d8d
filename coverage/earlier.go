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

// clauses are those of all invariants, those of the design first.
func (e *earlierPart) clauses() []cert.Clause {
	var out []cert.Clause
	for _, v := range e.Proofs {
		out = append(out, e.invariant(v).Clauses...)
	}
	for _, v := range e.Invariants {
		out = append(out, e.invariant(v.Invariant).Clauses...)
	}
	return out
}

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
	for _, v := range e.Invariants {
		if ctx.Err() != nil {
			return
		}
		if !slices.ContainsFunc(v.Mutants, open) {
			continue
		}
		inv := &cert.Invariant{Clauses: initially(e.invariant(v.Invariant).Clauses, s.stock.model)}
		if len(inv.Clauses) == 0 {
			continue
		}
		s.stock.pool.add(inv)
		s.exclude(TestBaseline, inv, s.keeping(ctx, newOneStep(s.solver(), s.stock.model, inv), s.ledger.inside()))
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

// initially returns the clauses that speak of a model's cone and hold in all of its
// initial states, each once.
func initially(clauses []cert.Clause, m *netlist.Model) []cert.Clause {
	var out []cert.Clause
	seen := map[string]bool{}
	for _, c := range clauses {
		inside, holds := true, false
		var name []byte
		for _, l := range c {
			if inside = inside && l.Latch() < len(m.Latches) && m.Latches[l.Latch()].InCone; !inside {
				break
			}
			r := m.Latches[l.Latch()].Reset
			holds = holds || r == netlist.Reset0 && l.Neg() || r == netlist.Reset1 && !l.Neg()
			name = append(name, byte(l), byte(l>>8), byte(l>>16), byte(l>>24))
		}
		if inside && holds && !seen[string(name)] {
			seen[string(name)] = true
			out = append(out, c)
		}
	}
	return out
}

// still looks for the largest set of a model's clauses that is inductive, and for the
// properties, by their positions in its Bads, that hold wherever these clauses do. It is
// false when ctx ended first.
func still(ctx context.Context, s sat.Solver, m *netlist.Model, clauses []cert.Clause) (inv *cert.Invariant, held []int, ok bool) {
	clauses = initially(clauses, m)
	frames := netlist.NewFrames(m, netlist.FramesOptions{Sink: netlist.SingleSink(s)})
	s.AddClause(frames.Lit(0, m.Constraint))
	var on, wrong []sat.Lit // of each clause, and then of each property
	for _, c := range clauses {
		o, w := sat.MkLit(s.NewVar(), false), sat.MkLit(s.NewVar(), false)
		buf := []sat.Lit{o.Not()}
		for _, l := range c {
			buf = append(buf, frames.Latch(0, l.Latch()).XorSign(l.Neg()))
			s.AddClause(w.Not(), frames.Lit(0, m.Latches[l.Latch()].Next).XorSign(!l.Neg()))
		}
		s.AddClause(buf...)
		s.AddClause(w.Not(), o)
		on, wrong = append(on, o), append(wrong, w)
	}
	for _, bad := range m.Bads {
		o, w := sat.MkLit(s.NewVar(), false), sat.MkLit(s.NewVar(), false)
		s.AddClause(w.Not(), o)
		s.AddClause(w.Not(), frames.Lit(0, bad))
		on, wrong = append(on, o), append(wrong, w)
	}
	some := sat.MkLit(s.NewVar(), false)
	s.AddClause(append([]sat.Lit{some.Not()}, wrong...)...)
	in := make([]bool, len(on))
	for i := range in {
		in[i] = true
	}
	for {
		assume := []sat.Lit{some}
		for i, o := range on {
			assume = append(assume, o.XorSign(!in[i]))
		}
		switch s.Solve(ctx, assume...) {
		case sat.Unknown:
			return nil, nil, false
		case sat.Unsat:
			inv = &cert.Invariant{}
			for i, c := range clauses {
				if in[i] {
					inv.Clauses = append(inv.Clauses, c)
				}
			}
			for i := range m.Bads {
				if in[len(clauses)+i] {
					held = append(held, i)
				}
			}
			return inv, held, true
		}
		for i, c := range clauses {
			in[i] = in[i] && slices.ContainsFunc(c, func(l cert.StateLit) bool {
				return s.Value(frames.Lit(0, m.Latches[l.Latch()].Next).XorSign(l.Neg()))
			})
		}
		for i, bad := range m.Bads {
			in[len(clauses)+i] = in[len(clauses)+i] && !s.Value(frames.Lit(0, bad))
		}
	}
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
	inv, held, _ := still(limited, proof.NewCDCL(s.probes().queries()), original, s.earlier.clauses())
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
		inv, held, ok := still(limited, proof.NewCDCL(proof.Options{}), m, (&earlierPart{p.opt.Earlier, part, len(p.n.Inputs)}).clauses())
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
