package coverage

import (
	"context"
	"fmt"
	"sync"
	"time"

	"netcov/aig"
	"netcov/aiger"
	"netcov/mutant"
	"netcov/netlist"
	"netcov/proof"
	"netcov/sat"
)

// question is what a session answers: which mutants do some properties notice,
// taken as one that fails where one of them does?
type question struct {
	// The design, or a part of it with the cone of the properties alone, as file
	// and as netlist; nodes have the same positions in both.
	file       *aiger.File
	netlist    *netlist.Netlist
	properties []int // positions in file and netlist
	names      []int // of the properties, as reports number them
	targets    []target
	// skip tells of mutants that are not to be asked about; nil: of none.
	skip func(mutant.Target, mutant.Fault) bool
	// final reports whether a mutant that these properties do not notice is decided
	// thereby, and not to be asked about again; nil: all are.
	final func(mutant.Target, mutant.Fault) bool
	in    *excerpt // where file and netlist are a part of the design
	// earlier is Options.Earlier, said of file and netlist.
	earlier earlierPart
	// A question of several: the number of all mutants, and how many of them
	// earlier questions have decided. 0: it is the only one.
	all, decided int
}

// target is a node to be mutated, by its positions in the design and in the file
// of the question.
type target struct{ whole, part mutant.Target }

// session is the run of a question through the cascade. Its parts have one job
// each; what stands beside them is the state of the tests that are taken up again.
type session struct {
	question
	opt     Options
	proof   *Answer  // of the design
	ledger  *ledger  // mutants and verdicts
	opinion *opinion // who confirms them
	stock   *stock   // what the tests share

	walks   *shortWalks  // SIMULATION: see runSimulation
	deep    *deepWalks   // DEEPSIMULATION, where it goes on beside IC3
	joint   *joint       // JOINT
	group   *groupSearch // GROUPBMC, the same
	singles singles      // IC3

	enough      bool          // the accuracy asked for was reached before: no test is to run
	outOfMemory bool          // an engine was abandoned at the memory limit
	outOfTime   bool          // the budget was used up
	budget      time.Duration // for the tests; 0 is none

	stop      context.CancelFunc // ends the run
	failureMu sync.Mutex
	failure   error // a fault of the program
}

func newSession(q question, opt Options) *session {
	s := &session{question: q, opt: opt}
	all := q.netlist.Properties()
	bads := make([]aig.Lit, len(q.properties))
	for i, p := range q.properties {
		bads[i] = all[p].Bad
	}
	targets := make([]mutant.Target, len(q.targets))
	for i, t := range q.targets {
		targets[i] = t.part
	}
	model := netlist.CompileSet(q.netlist, bads, targets, opt.Mux, opt.Faults...)
	s.ledger = newLedger(q, opt, model)
	s.ledger.journal = newRecorder(opt.Journal, q.names[0])
	s.opinion = newOpinion(q, opt)
	s.stock = &stock{model: model, solver: s.solver, pool: &pool{}, lifter: &lifter{}}
	return s
}

// gates reports whether gates are mutated.
func (s *session) gates() bool { return s.ledger.order != nil }

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
