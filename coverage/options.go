package coverage

import (
	"fmt"
	"log/slog"
	"slices"
	"time"

	"netcov/certify"
	"netcov/coverage/journal"
	"netcov/internal/clock"
	"netcov/internal/effort"
	"netcov/liveness"
	"netcov/mutant"
	"netcov/netlist"
)

// Budget bounds the time that coverage may take after the model checking of the
// original. The zero value is no bound.
type Budget struct {
	Factor float64       // times the model checking time; 0: none
	Limit  time.Duration // 0: none
}

// Duration returns the budget in time, and whether there is one.
func (b Budget) Duration(check time.Duration) (time.Duration, bool) {
	if b.Factor > 0 {
		return max(1, time.Duration(b.Factor*float64(check))), true
	}
	return b.Limit, b.Limit > 0
}

// Options are all settings of a coverage run. The zero value of a field means
// its default.
type Options struct {
	// Faults to inject. Default mutant.Standard.
	Faults []mutant.Fault
	// Mux is the place of the multiplexer. Default MuxOutput.
	Mux mutant.Mux
	// Targets to mutate. Default every latch.
	Targets []mutant.Target
	// Tests are the names of the tests to run, in order; an empty list is none.
	// Default (nil) DefaultTests, or GateTests where a target is a gate.
	Tests []string
	// Engine model checks the original: see Engines. Default DefaultEngine, and of
	// several properties EngineSet.
	Engine string
	// Proof is the outcome of model checking where it is known; no engine is run then.
	// Default nil.
	Proof *Answer
	// Timeout bounds the model checking of each property on the original; several
	// that are checked together have the sum. Default none.
	Timeout time.Duration
	// ProofBudget bounds the model checking of all properties on the original.
	// Default none.
	ProofBudget time.Duration
	// Budget bounds the coverage tests. Default none: decide all.
	Budget Budget
	// StopAt ends the run at this accuracy, 0 to 1. Default 1.
	StopAt float64
	// NoRecheck turns the second opinion off. Default false.
	NoRecheck bool
	// Opinion is the solver of the second opinion. Default gini.
	Opinion certify.Solver
	// Checker gives the second opinion. Default certify.NewChecker of what is run;
	// of a translation, the checker of what it translates.
	Checker *certify.Checker
	// Solver answers the cascade's queries that need no proof: see Solvers.
	// Default SolverCDCL.
	Solver string
	// Paranoid checks everything inside: each model against all clauses, each
	// learnt clause against its chain, each core, the properties of each
	// interpolant, each invariant by another solver. Default false.
	Paranoid bool
	// Jobs is the number of workers. Default 1.
	Jobs int
	// Seed of all random choices. Default 0.
	Seed uint64
	// Journal, when set, receives the outcome of model checking and every
	// verdict. Resume are the records of earlier runs of the same design and
	// options, which are taken up; the first are those that the journal has
	// already. Default none.
	Journal *journal.Journal
	Resume  []Source
	// Role is what this run is to others that answer the same question. Default
	// Alone.
	Role Role
	// Ask chooses the mutants among those of targets and faults. Default all.
	Ask func(mutant.Target, mutant.Fault) bool
	// Earlier is what an earlier run has found about a design much like this one, which
	// TestBaseline tries. Default none.
	Earlier *Earlier
	// Hints are records of other runs of the same design. Their traces and
	// invariants are tried on the mutants; nothing is believed. Default none.
	Hints []Source
	// Lassos tells where a translation has what it adds to a design, if it is one of a
	// justice property. Default none.
	Lassos *liveness.Layout
	// Label is the number of the property in records, where it is not the
	// position: of a translation's property, say. Default (0) the position.
	Label int
	// MemoryLimit is the size of the live heap, in bytes, at which the running
	// engine is abandoned. Default none.
	MemoryLimit int64
	// Progress, when set, is called as verdicts come in. It may be called from
	// several goroutines, but never at the same time.
	Progress func(Progress)
	// Effort counts what each engine does. Default nil: nothing is counted.
	Effort *effort.Engines
	// Log receives what happens, in detail. Default silence.
	Log *slog.Logger
}

// Role is the part of a run where several answer one question, each a share of the
// mutants, and one of them unites what the journals say.
type Role uint8

const (
	// Alone answers the whole question.
	Alone Role = iota
	// Worker decides mutants on the proof that Resume has. That is not confirmed:
	// the Merger does so.
	Worker
	// Merger takes up what Resume says and confirms all of it. It runs no engine
	// and no test.
	Merger
)

// checkFaults returns an error that names the first of the faults that no target has.
func (o Options) checkFaults(n *netlist.Netlist) error {
	some := n.FaultsAt(o.Targets)
	for _, f := range o.Faults {
		if len(o.Targets) > 0 && !slices.Contains(some, f) {
			return fmt.Errorf("the fault %v is defined at none of the nodes that are to be mutated; choose other faults or other nodes", f)
		}
	}
	return nil
}

// Progress is what is known at some moment of a run.
type Progress struct {
	// Stage is the running test, or StageProving.
	Stage string
	// While properties are proved: their number, and how many have an answer.
	Properties, Answered int
	// From then on: the number of mutants, and how many are decided.
	Mutants, Decided int
}

// StageProving is the stage before the tests: model checking of the design.
const StageProving = "proving"

// leftOut tells of mutants that are not asked about.
func (o Options) leftOut(t mutant.Target, f mutant.Fault) bool { return o.Ask != nil && !o.Ask(t, f) }

// withDefaults fills in the defaults for a run over a netlist.
func (o Options) withDefaults(n *netlist.Netlist) Options {
	if len(o.Faults) == 0 {
		o.Faults = mutant.Standard()
	}
	if o.Targets == nil {
		for i := range n.Latches {
			o.Targets = append(o.Targets, mutant.Target{Index: i})
		}
	}
	if o.Tests == nil {
		o.Tests = DefaultTests()
		if slices.ContainsFunc(o.Targets, func(t mutant.Target) bool { return t.Gate }) {
			o.Tests = GateTests()
		}
	}
	if o.StopAt == 0 {
		o.StopAt = 1
	}
	if o.Solver == "" {
		o.Solver = SolverCDCL
	}
	if o.Jobs < 1 {
		o.Jobs = 1
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return o
}

// ProofTime is how long so many properties may be model checked together on the
// original, 0 for no limit.
func (o *Options) ProofTime(properties int) time.Duration {
	return clock.Sooner(o.Timeout*time.Duration(properties), o.ProofBudget)
}

// ShareProof returns options with the share of so many properties in the time for all
// that are to be model checked.
func (o Options) ShareProof(properties, of int) Options {
	o.ProofBudget = clock.Share(o.ProofBudget, properties, of)
	return o
}

// SpendProof takes a time from the budget of what is model checked afterwards.
func (o *Options) SpendProof(spent time.Duration) {
	if o.ProofBudget > 0 {
		o.ProofBudget = max(1, o.ProofBudget-spent)
	}
}
