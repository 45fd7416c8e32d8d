package coverage

import (
	"context"
	"sync"
	"time"

	"netcov/cert"
	"netcov/internal/clock"
	"netcov/netlist"
	"netcov/sat"
	"netcov/stimulus"
)

// stock is what the tests share: the model with its cuts, the design's invariant,
// the clauses of all proofs, and tools that are built once.
type stock struct {
	model  *netlist.Model
	solver func() sat.Solver // an empty one, for queries that need no proof
	shared *cert.Invariant   // of the design; minimised where small is set: see minimise
	small  bool
	pool   *pool // clauses that proofs have used

	step  *oneStep // see query
	steps stepStock
	found foundTraces

	mu  sync.Mutex
	sim *faultSimulator // replays found traces: see tryTrace

	lifter *lifter // see lift

	chooserMu   sync.Mutex
	chosen      *stimulus.Chooser // see chooser
	chooserDone bool
	chooserNext time.Duration // the limit with which to try again

	pooledMu sync.Mutex
	pooled   *lemmas // see lemmas

	keptMu sync.Mutex
	kept   *subsetQuery // see lemma
}

// query returns the one-step query of the shared invariant, made once.
func (k *stock) query() *oneStep {
	if k.step == nil {
		k.step = newOneStep(k.solver(), k.model, k.shared)
	}
	return k.step
}

// The chooser of inputs is built within a share of the time that the run has taken, and
// tried again when that is longer by a factor.
const (
	chooserShare   = 0.05
	chooserMinimum = 2 * time.Millisecond
	chooserAgain   = 4
)

// chooser returns what makes random inputs satisfy the constraints, or nil.
func (s *session) chooser(ctx context.Context) *stimulus.Chooser {
	k := s.stock
	k.chooserMu.Lock()
	defer k.chooserMu.Unlock()
	limit := chooserMinimum + time.Duration(chooserShare*float64(s.proof.Time+time.Since(s.ledger.start)))
	if k.chooserDone || limit < k.chooserNext {
		return k.chosen
	}
	limited, cancel := clock.Limit(ctx, limit)
	defer cancel()
	k.chosen = stimulus.New(limited, k.model)
	k.chooserDone, k.chooserNext = limited.Err() == nil, chooserAgain*limit
	return k.chosen
}

// tryTrace replays a counterexample on all open mutants.
func (s *session) tryTrace(ctx context.Context, test string, t *cert.Trace) {
	k := s.stock
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.sim == nil {
		k.sim = newFaultSimulator(k.model, s.opt.Seed+1)
	}
	open := s.ledger.inside()
	for len(open) > 0 && ctx.Err() == nil {
		n := min(64, len(open))
		s.coverAll(test, k.sim.try(ctx, open[:n], t))
		open = open[n:]
	}
}
