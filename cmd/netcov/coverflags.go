package main

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"netcov/certify"
	"netcov/coverage"
	"netcov/coverage/report"
	"netcov/mutant"
)

// coverFlags are the settings of netcov cover.
type coverFlags struct {
	reportFlags
	additionFlags
	input      netlistFlags
	project    string // file of the project that runs, or ""
	faults     string
	mux        string
	property   string
	nodes      string
	tests      string
	cascade    string
	naive      bool
	engine     string
	timeout    time.Duration
	proofs     time.Duration // --proof-budget
	budget     string
	stopAt     string
	witnessDir string
	evidence   string
	compact    bool
	jobs       int
	sample     int
	checkers   string
	apart      []string // registers that only properties read, not counted
	population int      // nodes that the sample was drawn from
	journal    string
	earlier    string // directory of evidence
	memory     string
	seed       uint64
	recheck    string
	solver     string
	paranoid   bool
	noRecheck  bool
	verbose    bool
}

// designTopic has the flags of the design and its properties.
func (f *coverFlags) designTopic() topic {
	t := newTopic("The design")
	f.input.add(t.flags)
	t.flags.StringVar(&f.property, "property", "all", "property: its number from 0, its name, or all")
	return t
}

// faultsTopic has those of the mutants.
func (f *coverFlags) faultsTopic() topic {
	t := newTopic("Faults")
	t.flags.StringVar(&f.faults, "fault", strings.Join(mutant.Words(mutant.Standard()), ","), "faults to inject; the readers of the node see\n"+faultHelp())
	t.flags.StringVar(&f.mux, "mux", "output", "place of the fault: output (every reader, from frame 0 on) or next (the next-state input)")
	t.flags.StringVar(&f.nodes, "nodes", "latches", "nodes to mutate: latches, gates or all")
	t.flags.StringVar(&f.checkers, "checkers", report.CheckersApart, "registers that only properties read, with no path to an output (sources only): list them apart, outside of the counts,\nor count them")
	t.flags.IntVar(&f.sample, "sample", 0, "mutate only so many nodes, drawn by --seed, and estimate the coverage; 0 mutates all")
	t.flags.Uint64Var(&f.seed, "seed", 0, "seed of the random choices (default 0)")
	f.reasons.faults(t.flags)
	return t
}

// effortTopic has those of model checking and the tests, wherever they run.
func (f *coverFlags) effortTopic() topic {
	t := newTopic("Effort")
	t.flags.StringVar(&f.engine, "engine", coverage.EngineSet, "engine for the design itself: "+coverage.EngineSet+" (the safety properties together; a single one by "+coverage.DefaultEngine+" in turn with k-induction),\nor for each property "+strings.Join(coverage.Engines, ", "))
	t.flags.DurationVar(&f.timeout, "timeout", 0, "time limit for model checking each property on the design itself, such as 60s; a set has the sum (default none)")
	t.flags.DurationVar(&f.proofs, "proof-budget", 0, "time limit for model checking all properties on the design itself, such as 10m, second opinions apart; what is open then gives no coverage (default none)")
	t.flags.StringVar(&f.budget, "budget", "none", "time for the coverage tests: 2x (times the model checking), 30s, or none")
	for _, a := range f.additions() {
		a.effort(t.flags)
	}
	t.flags.StringVar(&f.cascade, "cascade", "full", "tests to run: full, or dac10 (the five tests of the paper)")
	t.flags.StringVar(&f.tests, "tests", "", "tests to run, in this order, separated by commas (default those of --cascade); what is outside of the cone is decided by CONE alone; of\n"+strings.Join(coverage.AllTests(), ", "))
	t.flags.BoolVar(&f.naive, "naive", false, "model check each mutant from nothing (default false)")
	t.flags.StringVar(&f.solver, "solver", coverage.SolverCDCL, "solver of the coverage tests: "+strings.Join(coverage.Solvers, ", "))
	return t
}

// outputsTopic has those of the report and the files beside it.
func (f *coverFlags) outputsTopic() topic {
	t := newTopic("Outputs")
	f.addReport(t)
	t.flags.StringVar(&f.witnessDir, "witness-dir", "", "directory for the trace and the mutant's AIGER file of each covered mutant (default none)")
	for _, a := range f.additions() {
		if o, ok := a.(writer); ok {
			o.outputs(t.flags)
		}
	}
	t.flags.StringVar(&f.evidence, "evidence", "", "new directory for what proves each verdict, as netcov verify takes it (default none)")
	t.flags.BoolVar(&f.compact, "evidence-compact", false, "leave out the files of mutants, and of design and mutant side by side, which follow from the design (default false)")
	t.flags.BoolVar(&f.verbose, "verbose", false, "log what happens, and what each engine did, to standard error (default false)")
	return t
}

// trustTopic has those of the second opinion.
func (f *coverFlags) trustTopic() topic {
	t := newTopic("Trust")
	t.flags.StringVar(&f.recheck, "recheck", "second", "who confirms verdicts: second (gini and the simulator), both (gophersat too), or none; what a journal says is always confirmed")
	t.flags.BoolVar(&f.noRecheck, "no-recheck", false, "the same as --recheck none (default false)")
	t.flags.BoolVar(&f.paranoid, "paranoid", false, "check every model, clause, interpolant and invariant inside the engines; slow (default false)")
	return t
}

// addRoom adds the flags of what a process may take.
func (f *coverFlags) addRoom(t topic, jobs string) {
	t.flags.IntVar(&f.jobs, "jobs", 1, jobs)
	t.flags.StringVar(&f.memory, "memory-limit", "", "abandon the running engine when memory reaches this, such as 2GiB (default none)")
}

// options turns the flags into a run's options.
func (f *coverFlags) options() (coverage.Options, error) {
	opt := coverage.Options{Engine: f.engine, Timeout: f.timeout, ProofBudget: f.proofs, Jobs: f.jobs, Seed: f.seed}
	switch {
	case f.noRecheck && f.recheck != "none" && f.input.given("recheck"):
		return opt, usagef("--no-recheck and --recheck %s exclude each other", f.recheck)
	case f.noRecheck || f.recheck == "none":
		opt.NoRecheck = true
	case f.recheck == "both":
		opt.Opinion = certify.Both
	case f.recheck != "second":
		return opt, usagef("--recheck %q: it is second, both or none", f.recheck)
	}
	if f.engine != coverage.EngineSet && !slices.Contains(coverage.Engines, f.engine) {
		return opt, usagef("there is no engine %q; the engines are %s, %s", f.engine, coverage.EngineSet, strings.Join(coverage.Engines, ", "))
	}
	if !slices.Contains(coverage.Solvers, f.solver) {
		return opt, usagef("there is no solver %q; the solvers are %s", f.solver, strings.Join(coverage.Solvers, ", "))
	}
	if f.paranoid && f.solver != coverage.SolverCDCL {
		return opt, usagef("--paranoid checks the solver %s only", coverage.SolverCDCL)
	}
	opt.Solver, opt.Paranoid = f.solver, f.paranoid
	if err := cmp.Or(timeLimit("--timeout", f.timeout), timeLimit("--proof-budget", f.proofs)); err != nil {
		return opt, err
	}
	if f.nodes != "latches" && f.nodes != "gates" && f.nodes != "all" {
		return opt, usagef("--nodes %q: it is latches, gates or all", f.nodes)
	}
	if f.checkers != report.CheckersCounted && f.checkers != report.CheckersApart {
		return opt, usagef("--checkers %q: it is apart or count", f.checkers)
	}
	if f.sample < 0 {
		return opt, usagef("--sample %d: give a number of nodes, or 0 for all", f.sample)
	}
	if f.jobs < 1 {
		return opt, usagef("--jobs %d: at least 1 is needed", f.jobs)
	}
	var err error
	if opt.Faults, err = parseFaults(f.faults); err != nil {
		return opt, err
	}
	switch f.mux {
	case "output":
	case "next":
		opt.Mux = mutant.AtNext
	default:
		return opt, usagef("--mux %q: it is output or next", f.mux)
	}
	if opt.Tests, err = f.testNames(); err != nil {
		return opt, err
	}
	if opt.Budget, err = parseBudget("--budget", f.budget); err != nil {
		return opt, err
	}
	for _, a := range slices.Backward(f.additions()) {
		if err := a.check(f.input.given); err != nil {
			return opt, err
		}
	}
	if f.stopAt != "" { // where the command has it
		if opt.StopAt, err = parsePercent("--stop-at", f.stopAt); err != nil {
			return opt, err
		}
	}
	if f.compact && f.evidence == "" {
		return opt, usagef("--evidence-compact goes with --evidence")
	}
	if err := f.parse(); err != nil {
		return opt, err
	}
	return opt, nil
}

func (f *coverFlags) testNames() ([]string, error) {
	switch {
	case f.naive && (f.tests != "" || f.cascade != "full"):
		return nil, usagef("--naive cannot be combined with --tests or --cascade")
	case f.tests != "" && f.cascade != "full":
		return nil, usagef("--tests and --cascade %s exclude each other", f.cascade)
	case f.naive:
		return []string{coverage.TestNaive}, nil
	case f.tests != "":
		names := strings.Split(strings.ToUpper(f.tests), ",")
		if err := coverage.CheckTests(names); err != nil {
			return nil, usagef("--tests: %v", err)
		}
		return names, nil
	case f.cascade == "full" && f.nodes == "latches":
		return coverage.DefaultTests(), nil
	case f.cascade == "full":
		return coverage.GateTests(), nil
	case f.cascade == "dac10":
		return coverage.DAC10Tests(), nil
	}
	return nil, usagef("--cascade %q: it is full or dac10", f.cascade)
}

// faultHelp lists the faults for the help.
func faultHelp() string {
	var b strings.Builder
	for _, f := range mutant.Faults() {
		fmt.Fprintf(&b, "  %-9s %s\n", f, f.Help())
	}
	return strings.TrimSuffix(b.String(), "\n") + "\n"
}

func parseFaults(list string) ([]mutant.Fault, error) {
	var out []mutant.Fault
	for _, w := range strings.Split(list, ",") {
		f, known := mutant.ParseFault(w)
		if !known {
			return nil, usagef("--fault %q: the faults are %s", w, strings.Join(mutant.Words(mutant.Faults()), ", "))
		}
		if !slices.Contains(out, f) {
			out = append(out, f)
		}
	}
	slices.Sort(out)
	return out, nil
}

func parseBudget(flag, s string) (coverage.Budget, error) {
	if s == "none" {
		return coverage.Budget{}, nil
	}
	if x, ok := strings.CutSuffix(s, "x"); ok {
		if v, err := strconv.ParseFloat(x, 64); err == nil && v > 0 && v < 1e9 {
			return coverage.Budget{Factor: v}, nil
		}
	} else if d, err := time.ParseDuration(s); err == nil && d > 0 {
		return coverage.Budget{Limit: d}, nil
	}
	return coverage.Budget{}, usagef("%s %q: give a multiple (2x), a time (30s), or none", flag, s)
}

func parsePercent(flag, s string) (float64, error) {
	v, err := strconv.ParseFloat(strings.TrimSuffix(s, "%"), 64)
	if err != nil || v < 0 || v > 100 || v != v {
		return 0, usagef("%s %q: give a percentage from 0 to 100", flag, s)
	}
	if v > 0 && v <= 1 && !strings.HasSuffix(s, "%") {
		return 0, usagef("%s %q: write %g%% or %g%%", flag, s, 100*v, v)
	}
	return v / 100, nil
}
