package coverage

import (
	"context"

	"netcov/cert"
	"netcov/mutant"
	"netcov/netlist"
	"netcov/proof"
	"netcov/sat"
)

// The names of the paper's tests, and of its baseline.
const (
	TestCounterexample   = "COUNTEREXAMPLE"
	TestInduction        = "INDUCTION"
	TestInductionRestart = "INDUCTIONRESTART"
	TestInterpolation    = "INTERPOLATION"
	TestNaive            = "NAIVE"
)

// The tests of DAC10, section 4, one query a mutant as the paper has them, with
// its gaps closed: the counterexample search starts at frame 0, and the
// inductive tests ask that the mutant's bad-state literal is out of the
// invariant's reach too.

// fixed returns the assumptions that select one mutant in a one-step query.
func (q *oneStep) fixed(m *Mutant) []sat.Lit {
	a := make([]sat.Lit, 0, len(q.sel)+2)
	a = append(a, q.any)
	for k, l := range q.sel {
		a = append(a, l.XorSign(k != m.cut))
	}
	if !m.free() {
		a = append(a, q.value[m.cut].XorSign(m.force == netlist.ForceZero))
	}
	return a
}

// runInductionRestart asks the whole one-step query of each mutant (DAC10,
// Lemma 4 with the bad-state literal added).
func runInductionRestart(ctx context.Context, s *session) {
	q := s.stock.query()
	s.inductOneByOne(ctx, TestInductionRestart, func(a []sat.Lit) bool {
		return q.s.Solve(ctx, a...) == sat.Unsat
	}, q)
}

// runInduction asks the same of only those clauses that the refutation of the
// fault-free query used (DAC10, Lemma 3).
func runInduction(ctx context.Context, s *session) {
	queries := s.probes().queries()
	queries.Log = true
	logged := proof.NewCDCL(queries)
	q := newOneStep(logged, s.stock.model, s.stock.shared)
	if !q.refuteWhole(ctx) {
		return
	}
	z := s.solver()
	for range logged.NumVars() {
		z.NewVar()
	}
	logged.Proof().Walk(func(_ proof.ID, _ int32, lits []sat.Lit) { z.AddClause(lits...) }, nil)
	s.inductOneByOne(ctx, TestInduction, func(a []sat.Lit) bool {
		return z.Solve(ctx, a...) == sat.Unsat
	}, q)
}

func (s *session) inductOneByOne(ctx context.Context, test string, refuted func([]sat.Lit) bool, q *oneStep) {
	var out []*Mutant
	for _, m := range s.ledger.open() {
		if m.cut < 0 {
			continue
		}
		done := s.ledger.work(m)
		if refuted(q.fixed(m)) {
			out = append(out, m)
		}
		done()
	}
	s.exclude(test, q.inv, out)
}

// runCounterexample looks for a counterexample of each mutant up to depth k + m
// (DAC10, section 4.4), with one solver for all.
func runCounterexample(ctx context.Context, s *session) {
	b := newMutantBMC(s.solver(), s.stock.model, s.ledger.open())
	depth := s.proof.K + s.proof.M
	for d := 0; d <= depth; d++ {
		b.extend()
	}
	for _, m := range s.ledger.open() {
		if m.cut < 0 {
			continue
		}
		done := s.ledger.work(m)
		switch b.solveUpTo(ctx, depth, m) {
		case sat.Sat:
			s.cover(TestCounterexample, m, b.trace(m))
		case sat.Unsat:
			s.ledger.bound(m, depth)
		}
		done()
		if ctx.Err() != nil {
			return
		}
	}
}

// runInterpolation model checks each open mutant by interpolation.
func runInterpolation(ctx context.Context, s *session) {
	for _, m := range s.ledger.open() {
		if m.cut < 0 || m.Verdict != mutant.Unknown {
			continue
		}
		done := s.ledger.work(m)
		s.judge(ctx, TestInterpolation, m, checkInterp(ctx, s.stock.model.Mutant(m.cut, m.force), s.probes()))
		done()
		if ctx.Err() != nil {
			return
		}
	}
}

// runNaive model checks each mutant from nothing with the engine of the
// original: the paper's baseline.
func runNaive(ctx context.Context, s *session) {
	for _, m := range s.ledger.open() {
		if m.Verdict != mutant.Unknown { // by monotonicity
			continue
		}
		if m.cut < 0 {
			s.exclude(TestNaive, s.stock.shared, []*Mutant{m})
			continue
		}
		done := s.ledger.work(m)
		s.judge(ctx, TestNaive, m, modelCheck(ctx, s.opt.Engine, s.stock.model.Mutant(m.cut, m.force), s.probes()))
		done()
		if ctx.Err() != nil {
			return
		}
	}
}

// judge settles a mutant by the outcome of model checking it.
func (s *session) judge(ctx context.Context, test string, m *Mutant, p *Answer) {
	switch p.Status {
	case cert.Fails:
		s.cover(test, m, p.Trace)
	case cert.Holds:
		s.exclude(test, p.Invariant, []*Mutant{m})
	default:
		s.ledger.bound(m, p.Bound)
	}
}
