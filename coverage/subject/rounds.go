package subject

import (
	"context"
	"slices"
	"time"

	"netcov/aiger"
	"netcov/cert"
	"netcov/coverage"
	"netcov/liveness"
	"netcov/netlist"
)

// A justice property is easy to refute by the search for a lasso as it stands, and
// often easy to prove by counting: where no run has k rounds, a search that begins
// after k rounds never begins (Claessen, Sörensson, "A liveness checking algorithm that
// counts", FMCAD 2012). Which k will do is not known: it grows while runs with k rounds
// are found. The search and the count have slices of growing length, in turn.

const (
	firstSlice  = 500 * time.Millisecond
	firstRounds = 4 // twice as many where a run has them
	mostRounds  = 1024
)

// count model checks a justice property, and keeps the translation of the answer.
func (s *Subject) count(ctx context.Context, opt coverage.CheckOptions) *coverage.Answer {
	begin := time.Now()
	rounds := firstRounds
	for slice := firstSlice; ; slice *= 2 {
		limited, cancel := context.WithTimeout(ctx, slice)
		p := coverage.Check(limited, s.netlist, s.position, opt)
		over := ctx.Err() != nil || limited.Err() == nil // or the engine gave up
		cancel()
		if p.Status == cert.Unknown && p.Err == nil && !over {
			limited, cancel := context.WithTimeout(ctx, slice)
			var bounded *coverage.Answer
			bounded, rounds = s.bounded(limited, rounds, opt)
			cancel()
			if bounded == nil {
				continue
			}
			p = bounded
		}
		p.Time = time.Since(begin)
		return p
	}
}

// bounded tries to prove that no run has so many rounds, or more where one has. Where
// that holds, the translation becomes the one whose search begins after them, and the
// answer is about it. Else it is nil, and the number is where to go on.
func (s *Subject) bounded(ctx context.Context, rounds int, opt coverage.CheckOptions) (*coverage.Answer, int) {
	for ctx.Err() == nil && rounds <= mostRounds {
		f, err := liveness.Safety(s.design, s.property.Index, rounds)
		if err != nil {
			return &coverage.Answer{Engine: coverage.EngineIC3, Bound: -1, Err: err}, rounds
		}
		counted := *f
		counted.Bads = []aiger.Lit{f.Latches[len(f.Latches)-1].Lit} // the last count
		p := coverage.Check(ctx, netlist.FromAIGER(&counted), 0, opt)
		switch {
		case p.Err != nil:
			return p, rounds
		case p.Status == cert.Unknown:
			return nil, rounds
		case p.Status == cert.Fails:
			rounds *= 2
			continue
		}
		// So no state is remembered.
		inv := *p.Invariant
		inv.Clauses = append(slices.Clone(inv.Clauses), cert.Clause{cert.MkStateLit(len(s.design.Latches)+1, true)})
		s.file, s.netlist, s.rounds = f, netlist.FromAIGER(f), rounds
		return &coverage.Answer{Status: cert.Holds, Engine: p.Engine, Invariant: &inv, Bound: p.Bound}, rounds
	}
	return nil, rounds
}

// translate makes the translation the one whose search begins after some rounds.
func (s *Subject) translate(rounds int) error {
	f, err := liveness.Safety(s.design, s.property.Index, rounds)
	if err != nil {
		return err
	}
	s.file, s.netlist, s.rounds = f, netlist.FromAIGER(f), rounds
	return nil
}
