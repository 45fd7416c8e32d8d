package coverage

import (
	"context"
	"fmt"
	"sync"

	"netcov/aiger"
	"netcov/mutant"
	"netcov/netlist"
	"netcov/proof"
	"netcov/sat"
)

// session is one property's run through the cascade. Its parts have one job each;
// what stands beside them is the state of the tests that are taken up again.
type session struct {
	opt     Options
	proof   *Answer  // of the design
	ledger  *ledger  // mutants and verdicts
	opinion *opinion // who confirms them
	stock   *stock   // what the tests share

	walks   *shortWalks // SIMULATION: see runSimulation
	joint   *joint      // JOINT
	singles singles     // IC3

	outOfMemory bool // an engine was abandoned at the memory limit
	outOfTime   bool // the budget was used up

	stop      context.CancelFunc // ends the run
	failureMu sync.Mutex
	failure   error // a fault of the program
}

func newSession(f *aiger.File, n *netlist.Netlist, property int, opt Options) *session {
	targets := opt.Targets
	if targets == nil {
		for i := range n.Latches {
			targets = append(targets, mutant.Target{Index: i})
		}
		opt.Targets = targets
	}
	s := &session{opt: opt}
	model := netlist.Compile(n, n.Properties()[property].Bad, targets, opt.Mux)
	at := make(map[mutant.Target]int, len(model.Cuts))
	for k, c := range model.Cuts {
		at[c.Target] = k
	}
	label := max(property, opt.Label)
	s.ledger = newLedger(opt, label, len(model.Cuts), targets, func(t mutant.Target) int {
		if k, inside := at[t]; inside {
			return k
		}
		return -1
	})
	s.ledger.journal = newRecorder(opt.Journal, label)
	s.opinion = newOpinion(f, property, opt)
	s.stock = &stock{model: model, solver: s.solver, pool: &pool{}}
	return s
}

// fail ends the run with an error.
func (s *session) fail(err error) {
	s.failureMu.Lock()
	defer s.failureMu.Unlock()
	if s.failure == nil {
		s.failure = err
		s.stop()
	}
}

// solver returns an empty solver for the queries of the tests.
func (s *session) solver() sat.Solver {
	switch s.opt.Solver {
	case SolverGini:
		return proof.NewGini()
	case SolverGophersat:
		return proof.NewGophersat()
	}
	return proof.NewCDCL(s.probes().queries())
}

// probes returns what looks into the engines and solvers: the counters, and with
// Options.Paranoid a function that ends the run with a fault.
func (s *session) probes() probes {
	p := probes{effort: s.opt.Effort}
	if s.opt.Paranoid {
		p.check = func(err error) { s.fail(fmt.Errorf("%w: %w", ErrRecheck, err)) }
	}
	return p
}
