package analysis

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"time"

	"netcov/kripke/bdd"
	"netcov/kripke/circuit"
	"netcov/kripke/ctl"
	"netcov/kripke/formula"
	"netcov/kripke/load"
	"netcov/kripke/report"
	"netcov/kripke/structure"
	"netcov/kripke/symbolic"
	"netcov/kripke/words"
)

// CTL asks for the CTL coverage of a file's specifications.
type CTL struct {
	Source *load.Source
	// Specs are the specifications; none are the file's own.
	Specs []formula.Formula
	// Signals are the signals; none are those that can be covered at all.
	Signals []string
	// Structure treats a circuit as the structure that it induces, so that a
	// signal is flipped in a single state ⟨s, i⟩ and no transition changes.
	Structure bool
	// Basic leaves the fixed control signals and the computations out.
	Basic bool
	// Nondet asks for the mutants that are nondeterministic circuits, too.
	Nondet bool
	// Open are the outputs that the designer leaves open in some states.
	Open    []ctl.Open
	Options ctl.Options
}

// Run computes the report. When the context ends the run, the report holds what
// is known by then and says so in Stopped; other errors give no report.
func (q CTL) Run(ctx context.Context) (*report.CTL, error) {
	r := &ctlRun{ctx: ctx, q: q, report: &report.CTL{
		Head: report.Head{Schema: "netcov-ctl/1", File: q.Source.Path},
		Tail: report.Tail{Notes: q.Source.Notes}, Specs: []report.CTLSpec{},
	}}
	err := r.run()
	r.report.Holds = report.All(r.report.Specs)
	if whole, err := ended(ctx, q.Source.Path, err, &r.report.Tail); err != nil {
		return nil, err
	} else if whole {
		r.combine()
	}
	return r.report, nil
}

func (r *ctlRun) run() error {
	if err := r.prepare(); err != nil {
		return err
	}
	if r.q.Nondet && len(r.model.Controls()) == 0 {
		return fmt.Errorf("%s: %w", r.q.Source.Path, errNoTwins)
	}
	r.report.Model = r.model.Size()
	for i, f := range r.specs {
		if err := r.spec(&r.report.Specs[i], f); err != nil {
			return err
		}
	}
	r.warnExcluded()
	return nil
}

type ctlRun struct {
	ctx    context.Context
	q      CTL
	report *report.CTL
	model  *ctl.Model
	c      *circuit.Circuit  // of the model, where it is one
	specs  []formula.Formula // with comparisons of words resolved
	names  []string          // signals
	words  *words.Vocabulary // of a circuit's control states or a structure's states
	lines  map[string]string // where registers are declared
}

// prepare parses, resolves and builds the model.
func (r *ctlRun) prepare() error {
	src := r.q.Source
	written, resolved, err := specifications(src, r.q.Specs, formula.CTL)
	if err != nil {
		return err
	}
	if r.specs = resolved; len(written) == 0 {
		return fmt.Errorf("%s has no CTL specification of its own: give one", src.Path)
	}
	for _, f := range written {
		r.report.Specs = append(r.report.Specs, report.CTLSpec{Formula: f.String(), Signals: []report.CTLSignal{}, Fixed0: []string{}, Fixed1: []string{}})
	}
	opens := make([]formula.Formula, len(r.q.Open))
	for i := range opens {
		o := &r.q.Open[i]
		if o.When, err = src.Resolve(o.When); err != nil {
			return err
		}
		opens[i] = formula.And(formula.Atom(o.Output), o.When)
		r.report.Note(fmt.Sprintf("%s is don't care when %s: a specification must hold whatever it is there", o.Output, o.When))
	}
	if err := r.build(formula.Atoms(append(opens, r.specs...)...)); err != nil {
		return at(r.q.Source.Path, err)
	}
	for i, f := range r.specs {
		if r.specs[i], err = ctl.Worst(f, r.q.Open); err != nil {
			return at(r.q.Source.Path, err)
		}
	}
	if r.names = r.q.Signals; len(r.names) == 0 {
		r.names = r.model.DefaultSignals(r.specs...)
	}
	return nil
}

// An SMV model that is no circuit is read as an explicit structure of at most
// smvStates states, found within smvTime, and a larger one as decision diagrams. A limit
// in the request, or a request for the structure, lifts the bound on the time.
const (
	smvStates = 1 << 20
	smvTime   = 10 * time.Second
)

// build chooses between structure and circuit. It is told what the specifications read.
func (r *ctlRun) build(read []string) error {
	src := r.q.Source
	isCircuit, why := src.Circuit()
	switch {
	case isCircuit && !r.q.Structure:
		return r.circuit(read)
	case src.FairOverInputs():
		if why != "" {
			why = " (" + why + ")"
		}
		return fmt.Errorf("FAIRNESS over input variables, as that of processes, is supported in circuits only, and this is read as a graph of states%s", why)
	case why != "" && !r.q.Structure:
		r.report.Note(noCircuit(why))
	}
	ctx, limit := r.ctx, r.q.Options.MaxStates
	choice := src.Format == "smv" && !r.q.Structure
	if choice && limit <= 0 {
		limit = smvStates
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, smvTime)
		defer cancel()
	}
	r.q.Options.Progress("listing states")
	atoms := with(read, r.q.Signals...)
	k, err := src.AsStructure(ctx, atoms, limit)
	if choice && r.ctx.Err() == nil && (errors.Is(err, circuit.ErrTooLarge) || ctx.Err() != nil) {
		return r.system(atoms)
	}
	if err != nil {
		return err
	}
	return r.listed(k)
}

// listed takes a structure as the model.
func (r *ctlRun) listed(k *structure.Structure) error {
	k, err := ctl.OpenStructure(k, r.q.Open)
	if err != nil {
		return err
	}
	r.report.Graph = func() (*structure.Structure, error) { return k, nil }
	r.words = words.OfAssignments(k.States)
	r.report.Describe = r.words.Describe
	r.model, err = ctl.StructureModel(k)
	return err
}

// noCircuit says why an SMV model has no classes of signals.
func noCircuit(why string) string {
	return "a graph of states whose labels are flipped, no circuit: " + why
}

// A system of at most this many reachable states and transitions is listed from
// its diagrams, so that the halving can work on it.
const (
	listedStates      = 1 << 18
	listedTransitions = 1 << 22
)

// system reads an SMV model as decision diagrams.
func (r *ctlRun) system(atoms []string) error {
	opt := r.q.Options
	sm, err := r.q.Source.AsSystem(atoms)
	if err != nil {
		return err
	}
	opt.Progress("transition relation and reachable states")
	limit := opt.NodeLimit
	if limit <= 0 {
		limit = ctl.DefaultNodeLimit
	}
	sys, err := sm.Make(bdd.Options{NodeLimit: limit, Interrupt: func() error { return context.Cause(r.ctx) }})
	if err != nil {
		return err
	}
	most := int64(listedStates)
	if opt.MaxStates > 0 {
		most = min(most, int64(opt.MaxStates))
	}
	if opt.Algorithm != ctl.Pairs && len(sm.Fairness) == 0 && sys.Listable(most, listedTransitions) {
		k, err := sys.Structure(sm.AP)
		if err != nil {
			return err
		}
		r.report.Notes = append(r.report.Notes, "the reachable states were found with decision diagrams")
		return r.listed(k)
	}
	if len(r.q.Open) > 0 {
		return errors.New("don't-care outputs need a circuit, or a graph whose states can be listed")
	}
	r.report.Notes = append(r.report.Notes, "too many states to list them: decision diagrams only")
	r.report.Graph = func() (*structure.Structure, error) { return nil, errors.New("too many states for a drawing") }
	sm.Make = func(bdd.Options) (*symbolic.System, error) { return sys, nil }
	r.model = sm.Model()
	return nil
}

func (r *ctlRun) circuit(atoms []string) error {
	c, err := r.q.Source.AsCircuit(atoms)
	if err != nil {
		return err
	}
	if c, err = ctl.OpenCircuit(c, r.q.Open); err != nil {
		return err
	}
	r.c = c
	r.report.Graph = func() (*structure.Structure, error) { return c.ControlGraph(report.MaxDrawn) }
	r.words, r.lines = registerWords(c), r.q.Source.Lines()
	r.report.Describe = r.words.Describe
	r.model, err = ctl.CircuitModel(c)
	return err
}

// registerWords is the vocabulary of a circuit's control states.
func registerWords(c *circuit.Circuit) *words.Vocabulary {
	if c.StateName != nil {
		return words.OfAssignments([]string{c.NameOf(make([]bool, len(c.Controls)))})
	}
	var names []string
	for _, x := range c.Controls {
		names = append(names, x.Name)
	}
	return words.OfRegisters(names)
}

// spec fills in the outcome of one specification.
func (r *ctlRun) spec(s *report.CTLSpec, f formula.Formula) error {
	start := time.Now()
	defer func() { s.Seconds = since(start) }()
	p, err := ctl.NewProblem(r.model, f, r.q.Options)
	if err != nil {
		return at(r.q.Source.Path, err)
	}
	for _, name := range r.names {
		if _, err := p.Signal(name); err != nil {
			return at(r.q.Source.Path, err)
		}
	}
	names := r.q.Signals
	if len(names) == 0 {
		names = r.model.DefaultSignals(f)
	}
	holds, err := r.holds(p, f)
	if err != nil && r.chooses() && context.Cause(r.ctx) == nil && (limited(err) || errors.Is(err, context.DeadlineExceeded)) {
		if r.maySAT(f) {
			if r.q.Nondet {
				r.report.Note(noNondetBySAT)
			}
			return at(r.q.Source.Path, r.bySAT(s, p, f, names))
		}
		r.report.Stopped = fmt.Sprintf("a specification is not decided (%s)", err)
		return nil // the others may need less room
	}
	if err != nil {
		return at(r.q.Source.Path, err)
	}
	s.Holds = &holds
	s.Existential = existential(f)
	r.report.Unreachable = p.Unreachable()
	if !holds {
		t, err := p.Counterexample(r.ctx)
		s.Counterexample = r.computation(t)
		return err
	}
	var covers []*ctl.Cover
	var unknown []string
	var sat *ctlSAT // of the signals that the other algorithms have no room for
	for _, name := range names {
		r.q.Options.Progress(fmt.Sprintf("coverage of %s", name))
		t := time.Now()
		c, err := p.Cover(r.ctx, name)
		if limited(err) && context.Cause(r.ctx) == nil {
			sig := unknownSignal(p, name, err)
			sig.Source = r.lines[name]
			if r.maySAT(f) {
				if sat == nil {
					r.report.Note(fmt.Sprintf("too many states for a list and for decision diagrams: the coverage of %s is computed by SAT", name))
					if sat, err = r.newSAT(f); err != nil {
						return err
					}
				}
				if sig, err = r.signalBySAT(sat, p, name); err != nil {
					return fmt.Errorf("signal %s: %w", name, err)
				}
			}
			s.Signals = append(s.Signals, sig)
			if sig.Complete == nil || !*sig.Complete {
				unknown = append(unknown, name)
			}
			continue
		}
		if err != nil {
			return fmt.Errorf("signal %s: %w", name, err)
		}
		covers = append(covers, c)
		s.Signals = append(s.Signals, r.signal(c, since(t)))
		if c.CoveredN.Sign() == 0 {
			s.EmptySignals = append(s.EmptySignals, name)
		}
	}
	if r.q.Nondet && sat != nil {
		r.report.Note(noNondetBySAT)
	} else if r.q.Nondet {
		if err := r.nondet(s, p, names); err != nil {
			return err
		}
	}
	if unknown != nil {
		r.report.Stopped = fmt.Sprintf("no room for the coverage of %s", strings.Join(unknown, ", "))
	}
	if unknown != nil || sat != nil {
		return nil // what follows needs the covered states of all signals
	}
	if len(covers) > 0 {
		s.CoveredStates, s.ReachableStates = p.Any(covers...)
	}
	if r.q.Basic {
		return nil
	}
	return r.extras(s, p, covers)
}

// extras adds the outputs of CKV01 section 4.
func (r *ctlRun) extras(s *report.CTLSpec, p *ctl.Problem, covers []*ctl.Cover) error {
	var err error
	r.q.Options.Progress("control signals fixed to 0 and to 1")
	if s.Fixed0, err = p.Fixed(r.ctx, false); err != nil {
		return err
	}
	if s.Fixed1, err = p.Fixed(r.ctx, true); err != nil {
		return err
	}
	for _, x := range r.model.Controls() {
		if !slices.Contains(s.Fixed0, x) {
			s.UncoveredControls = append(s.UncoveredControls, x+"=0")
		}
		if !slices.Contains(s.Fixed1, x) {
			s.UncoveredControls = append(s.UncoveredControls, x+"=1")
		}
	}
	r.q.Options.Progress("computations")
	in, err := p.Interesting(r.ctx)
	if err != nil {
		return err
	}
	s.Interesting = &report.Interesting{Computation: r.computation(in.Trace), Exercised: notNil(in.Exercised), Vacuous: notNil(in.Vacuous)}
	if len(covers) == 0 {
		return nil
	}
	for _, c := range covers {
		t, err := p.FirstUncovered(r.ctx, c)
		if err != nil {
			return err
		}
		i := slices.IndexFunc(s.Signals, func(x report.CTLSignal) bool { return x.Name == c.Signal.Name })
		s.Signals[i].FirstUncovered = r.computation(t)
	}
	u, err := p.Uncovered(r.ctx, covers...)
	if err != nil {
		return err
	}
	if u != nil {
		s.Uncovered = &report.Uncovered{Computation: r.computation(u.Trace), Only: u.Only, Met: u.Met}
	}
	return nil
}

func notNil(s []string) []string {
	if s == nil {
		return []string{}
	}
	return s
}

// limited reports whether a bound on states or diagram nodes ended a computation.
func limited(err error) bool {
	var limit *bdd.LimitError
	return errors.As(err, &limit) || TooLarge(err)
}

// unknownSignal says why the coverage of a signal is not known.
func unknownSignal(p *ctl.Problem, name string, why error) report.CTLSignal {
	s, _ := p.Signal(name) // which was asked before
	return report.CTLSignal{
		Name: name, Kind: s.Kind, Unknown: why.Error(), Covered: []string{}, Uncovered: []string{},
		CoveredN: new(big.Int), UncoveredN: new(big.Int),
	}
}

func (r *ctlRun) signal(c *ctl.Cover, seconds float64) report.CTLSignal {
	s := report.CTLSignal{
		Name: c.Signal.Name, Kind: c.Signal.Kind, Source: r.lines[c.Signal.Name], Algorithm: string(c.Algorithm),
		Covered: c.Covered, Uncovered: c.Uncovered, CoveredN: c.CoveredN, UncoveredN: c.UncoveredN,
		Truncated: c.Truncated, Seconds: seconds,
	}
	if c.Diagrams != nil {
		s.Variables, s.PeakNodes = c.Diagrams.Variables, c.Diagrams.PeakNodes
	}
	if c.Halving != nil {
		s.Calls, s.Work = c.Halving.Calls, c.Halving.Work
	}
	r.inWords(&s)
	return s
}

// inWords describes a signal's sets by the values of words, when they are whole.
func (r *ctlRun) inWords(s *report.CTLSignal) {
	if !s.Truncated {
		s.CoveredWords, s.UncoveredWords = r.words.Describe(s.Covered, s.Uncovered), r.words.Describe(s.Uncovered, s.Covered)
	}
}

// existential reports whether a specification in negation normal form has a
// quantifier E, or AF or A U, which one flipped state seldom falsifies.
func existential(f formula.Formula) bool {
	return slices.ContainsFunc(formula.Subformulas(formula.NNF(f)), func(g formula.Formula) bool {
		switch g.Op() {
		case formula.OpEX, formula.OpEF, formula.OpEG, formula.OpEU, formula.OpER, formula.OpEW, formula.OpAF, formula.OpAU:
			return true
		}
		return false
	})
}

// shorter is a state by its words, "" where that is its name.
func shorter(v *words.Vocabulary, state string) string {
	if s := v.Short(state); s != state {
		return s
	}
	return ""
}

func (r *ctlRun) computation(t *ctl.Trace) *report.Computation {
	if t == nil {
		return nil
	}
	c := &report.Computation{}
	for _, s := range t.Steps {
		c.Steps = append(c.Steps, report.Step{State: s.State, Words: shorter(r.words, s.State), Inputs: s.Inputs, Holds: notNil(s.Holds)})
	}
	if t.Loop >= 0 {
		c.Loop = &t.Loop
	}
	if t.Shows != (formula.Formula{}) {
		c.Shows = t.Shows.String()
	}
	return c
}

// combine joins the coverage of several specifications: the uncovered set of a
// conjunction is the intersection of the uncovered sets (CKV01 section 5).
func (r *ctlRun) combine() {
	if len(r.report.Specs) < 2 || r.report.Holds == nil || !*r.report.Holds {
		return
	}
	for _, name := range r.names {
		var own []report.CTLSignal // of the specifications that can depend on the signal
		covered := map[string]bool{}
		for _, spec := range r.report.Specs {
			for _, s := range spec.Signals {
				if s.Name != name {
					continue
				}
				if s.Truncated || s.Unknown != "" {
					r.report.Combined = nil
					return
				}
				own = append(own, s)
				for _, state := range s.Covered {
					covered[state] = true
				}
			}
		}
		// Each of them lists every reachable state once.
		first := own[0]
		all := report.CTLSignal{Name: name, Kind: first.Kind, Source: first.Source, Covered: []string{}, Uncovered: []string{}}
		reachable := append(append([]string{}, first.Covered...), first.Uncovered...)
		for _, state := range reachable {
			if covered[state] {
				all.Covered = append(all.Covered, state)
			} else {
				all.Uncovered = append(all.Uncovered, state)
			}
		}
		r.model.SortStates(all.Covered)
		r.model.SortStates(all.Uncovered)
		all.CoveredN, all.UncoveredN = big.NewInt(int64(len(all.Covered))), big.NewInt(int64(len(all.Uncovered)))
		r.inWords(&all)
		r.report.Combined = append(r.report.Combined, all)
	}
}
