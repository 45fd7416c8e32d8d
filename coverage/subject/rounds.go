package subject

import (
	"context"
	"slices"
	"time"

	"netcov/aiger"
	"netcov/cert"
	"netcov/certify"
	"netcov/coverage"
	"netcov/internal/clock"
	"netcov/internal/memlimit"
	"netcov/lasso"
	"netcov/liveness"
	"netcov/mutant"
	"netcov/netlist"
)

// A justice property is easy to refute by the search for a lasso as it stands, and
// often easy to prove by counting: where no run has k rounds, a search that begins
// after k rounds never begins (Claessen, Sörensson, "A liveness checking algorithm that
// counts", FMCAD 2012). Which k will do is not known: it grows while runs with k rounds
// are found. The search, by IC3, by bounded model checking and by enumeration, and the count
// have slices of growing length, in turn.
//
// Mutants are judged by the translation that gave the proof. What it proves of a mutant
// is that no lasso comes after k rounds, so there is none; a mutant that is not bounded
// by this k, but holds, needs an invariant about the lasso, as without a count.

const (
	firstSlice  = 50 * time.Millisecond
	firstRounds = 4 // twice as many where a run has them
)

// outOfMemory is the reason of a proof that the memory limit ended.
const outOfMemory = "undecided: the memory limit was reached"

// counts reports whether an engine is helped by counting.
func (s *Subject) counts(engine string) bool {
	return s.Live() && slices.Contains([]string{"", coverage.EngineSet, coverage.EngineIC3}, engine)
}

// count model checks a justice property, and keeps the translation of the answer.
func (s *Subject) count(ctx context.Context, opt coverage.CheckOptions) *coverage.Answer {
	begin := time.Now()
	search := coverage.NewSearch(s.netlist, s.position, opt)
	bound := &bounding{s: s, opt: opt, rounds: firstRounds}
	model := netlist.Compile(s.netlist, s.netlist.Property(s.position).Bad, nil, mutant.AtOutput)
	states := lasso.New(model, liveness.LayoutOf(s.design, s.property.Index, s.rounds))
	var p *coverage.Answer
	for slice := firstSlice; ; slice *= 2 {
		p = search.Prove(ctx, slice)
		if final(ctx, p) {
			break
		}
		if found := search.Deepen(ctx, slice/2); final(ctx, found) {
			found.Engine = coverage.EngineBMC
			p = found
			break
		}
		if states != nil {
			if found := enumerate(ctx, &states, slice); found != nil {
				p = found
				break
			}
		}
		if found := bound.slice(ctx, slice); found != nil {
			p = found
			break
		}
	}
	p.Time, p.Rounds = time.Since(begin), s.rounds
	return p
}

// enumerate spends a slice on the enumeration of states, and gives it up where it has
// ended without an answer.
func enumerate(ctx context.Context, states **lasso.Search, slice time.Duration) *coverage.Answer {
	ctx, cancel := clock.Limit(ctx, slice)
	defer cancel()
	t, inv, done := (*states).Run(ctx)
	if done {
		*states = nil
	}
	switch {
	case t != nil:
		return &coverage.Answer{Status: cert.Fails, Engine: coverage.EngineEnumeration, Trace: t, Bound: -1}
	case inv != nil:
		return &coverage.Answer{Status: cert.Holds, Engine: coverage.EngineEnumeration, Invariant: inv, Bound: -1}
	}
	return nil
}

// final reports whether an answer ends the search, or ctx does.
func final(ctx context.Context, p *coverage.Answer) bool {
	return p.Status != cert.Unknown || p.Err != nil || ctx.Err() != nil
}

// bounding tries to prove that no run has so many rounds, or more where one has.
type bounding struct {
	s      *Subject
	opt    coverage.CheckOptions
	rounds int

	file   *aiger.File      // the translation with so many rounds
	search *coverage.Search // for a run with all of them; nil before the first
}

// slice spends some time. Where no run has so many rounds, the translation of the subject
// becomes the one whose search begins after them, and the answer is about it; nil where
// that is not known.
func (b *bounding) slice(ctx context.Context, slice time.Duration) *coverage.Answer {
	ctx, cancel := clock.Limit(ctx, slice)
	defer cancel()
	for ctx.Err() == nil && b.rounds <= certify.MostRounds {
		if b.search == nil {
			var err error
			if b.file, err = liveness.Safety(b.s.design, b.s.property.Index, b.rounds); err != nil {
				return &coverage.Answer{Engine: coverage.EngineIC3, Bound: -1, Err: err}
			}
			counted := *b.file
			counted.Bads = []aiger.Lit{b.file.Latches[len(b.file.Latches)-1].Lit} // the last count
			b.search = coverage.NewSearch(netlist.FromAIGER(&counted), 0, b.opt)
		}
		p := b.search.Prove(ctx, 0)
		switch {
		case p.Err != nil:
			return p
		case p.Status == cert.Fails:
			b.rounds, b.search = 2*b.rounds, nil
		case p.Status == cert.Holds:
			// So no state is remembered.
			inv := *p.Invariant
			inv.Clauses = append(slices.Clone(inv.Clauses), cert.Clause{cert.MkStateLit(len(b.s.design.Latches)+1, true)})
			b.s.use(b.file, b.rounds)
			return &coverage.Answer{Status: cert.Holds, Engine: p.Engine, Invariant: &inv, K: p.K, Bound: p.Bound}
		}
	}
	return nil
}

// translate makes the translation the one whose search begins after some rounds.
func (s *Subject) translate(rounds int) error {
	f, err := liveness.Safety(s.design, s.property.Index, rounds)
	if err == nil {
		s.use(f, rounds)
	}
	return err
}

func (s *Subject) use(f *aiger.File, rounds int) {
	s.file, s.netlist, s.rounds = f, netlist.FromAIGER(f), rounds
}

// proveFirst model checks a justice property before its mutants are judged, since the
// number of rounds comes with the proof; one that is known or recorded has its own.
func (s *Subject) proveFirst(ctx context.Context, opt *coverage.Options) error {
	if opt.Proof != nil {
		return s.translate(opt.Proof.Rounds)
	}
	rounds, recorded, err := coverage.RecordedRounds(opt.Resume, s.number)
	if err != nil {
		return err
	}
	if err := s.translate(rounds); err != nil || recorded || opt.Role == coverage.Merger || !s.counts(opt.Engine) {
		return err
	}
	if opt.Progress != nil {
		opt.Progress(coverage.Progress{Stage: coverage.StageProving, Properties: 1})
	}
	limited, cancel := clock.Limit(ctx, opt.ProofTime(1))
	defer cancel()
	watched, end := memlimit.Watch(limited, opt.MemoryLimit)
	defer end()
	opt.Proof = s.count(watched, coverage.CheckOptions{Paranoid: opt.Paranoid, Effort: opt.Effort})
	if opt.Proof.Status == cert.Unknown && memlimit.Exceeded(watched) {
		opt.Proof.Reason = outOfMemory
	}
	return nil
}
