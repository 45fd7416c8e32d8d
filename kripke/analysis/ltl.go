package analysis

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"time"

	"netcov/aig"
	"netcov/kripke/automaton"
	"netcov/kripke/circuit"
	"netcov/kripke/formula"
	"netcov/kripke/hoa"
	"netcov/kripke/load"
	"netcov/kripke/ltl"
	"netcov/kripke/report"
	"netcov/kripke/structure"
	"netcov/kripke/words"
)

// LTLAlgorithms are the names that LTL.Algorithm takes.
var LTLAlgorithms = []string{"auto", "product", "symbolic", "indicator", "sat", "naive"}

// LTL asks for the LTL coverage of a file's specifications.
type LTL struct {
	Source *load.Source
	// Specs are the specifications; none are the file's own.
	Specs []formula.Formula
	// Automaton is a HOA file of wrong behaviours in the place of specifications.
	Automaton string
	// Signals are the signals; none are those that a specification reads.
	Signals []string
	// Coverage are the notions to compute; none are those that the algorithm can
	// compute.
	Coverage []ltl.Kind
	// Scope says who reads a flipped signal; with ltl.InDesign the signals are
	// registers of a circuit.
	Scope ltl.Scope
	// Algorithm is one of LTLAlgorithms; "" is auto: product, symbolic for circuits that
	// are too large for it, and sat for what is too large for both.
	Algorithm string
	// MaxStates bounds the explicit algorithms' states; 0 is their own bound.
	MaxStates int
	// MaxListed bounds the lists of the symbolic algorithm, which are cut to an excerpt
	// beyond; 0 is 65,536. Found
	// bounds the covered states that the SAT engines look for; 0 is no bound.
	MaxListed, Found int
	// Basic leaves witnesses out.
	Basic bool
	Room
}

// Run computes the report. When the context ends the run, the report holds what
// is known by then and says so in Stopped; other errors give no report.
func (q LTL) Run(ctx context.Context) (*report.LTL, error) {
	if q.MaxListed <= 0 {
		q.MaxListed = 1 << 16
	}
	r := &ltlRun{ctx: ctx, q: q, report: &report.LTL{
		Head: report.Head{Schema: "netcov-ltl/1", File: q.Source.Path}, Tail: report.Tail{Notes: q.Source.Notes},
		Specs: []report.LTLSpec{}, Algorithm: q.Algorithm, Flip: [...]string{"spec", "design"}[q.Scope],
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

func (r *ltlRun) run() error {
	if err := r.prepare(); err != nil {
		return err
	}
	for i := range r.specs {
		r.specsLeft = len(r.specs) - i
		if err := r.spec(i); err != nil {
			return err
		}
	}
	if err := r.again(); err != nil {
		return err
	}
	r.warnExcluded()
	return nil
}

// task is a specification as an automaton of wrong behaviours.
type task struct {
	formula formula.Formula // the zero value for an automaton
	wrong   *automaton.Automaton
}

type ltlRun struct {
	ctx    context.Context
	q      LTL
	report *report.LTL
	specs  []task
	kinds  []ltl.Kind
	// One of these is the model.
	k *structure.Structure
	c *circuit.Circuit

	// How many specifications, and signals of one, share the time that is left.
	specsLeft, signalsLeft int
	late                   []int // specifications that are open after their share

	signals []string
	words   *words.Vocabulary // of the states
	lines   map[string]string // where registers are declared
}

// prepare translates the specifications and builds the model.
func (r *ltlRun) prepare() error {
	if err := r.chooseAlgorithm(); err != nil {
		return err
	}
	if err := r.translate(); err != nil {
		return err
	}
	var atoms []string
	for _, t := range r.specs {
		atoms = with(atoms, t.wrong.AP...)
	}
	if err := r.build(atoms); err != nil {
		return at(r.q.Source.Path, err)
	}
	return r.chooseSignals(atoms)
}

// translate turns what is asked into automata of wrong behaviours.
func (r *ltlRun) translate() error {
	compassion := r.q.Source.Compassion()
	if path := r.q.Automaton; path != "" {
		if compassion != formula.True() {
			return at(r.q.Source.Path, errors.New("COMPASSION (strong fairness) is supported for specifications only, not for automata"))
		}
		h, err := hoa.ReadFile(path)
		if err != nil {
			return err
		}
		wrong, err := automaton.FromHOA(h)
		if err != nil {
			return at(path, err)
		}
		r.task("automaton "+path, task{wrong: wrong})
		return nil
	}
	written, specs, err := specifications(r.q.Source, r.q.Specs, formula.LTL)
	if err != nil {
		return err
	}
	if len(written) == 0 {
		return fmt.Errorf("%s has no LTL specification of its own: give one, or an automaton", r.q.Source.Path)
	}
	for i, f := range specs {
		r.q.Progress("translating " + f.String())
		bad := formula.Not(f)
		if compassion != formula.True() {
			bad = formula.And(bad, compassion)
		}
		wrong, err := automaton.FromLTL(bad, automaton.Options{Interrupt: r.ctx.Err})
		if err != nil {
			return fmt.Errorf("the specification %.100s: %w", f, err)
		}
		r.task(written[i].String(), task{f, wrong})
	}
	return nil
}

func (r *ltlRun) task(name string, t task) {
	r.specs = append(r.specs, t)
	r.report.Specs = append(r.report.Specs, report.LTLSpec{
		Formula: name, Signals: []report.LTLSignal{},
		Automaton: report.Automaton{States: t.wrong.Len(), Edges: t.wrong.NumEdges(), Sets: t.wrong.Sets, Terminal: t.wrong.IsTerminal()},
	})
}

// chooseAlgorithm settles the notions that the algorithm computes.
func (r *ltlRun) chooseAlgorithm() error {
	if r.q.Algorithm == "" {
		r.q.Algorithm = "auto"
	}
	r.report.Algorithm = r.q.Algorithm
	if r.q.Scope == ltl.InDesign && (r.q.Algorithm == "indicator" || r.q.Algorithm == "naive") {
		return fmt.Errorf("the algorithm %q flips signals for the specification only; use product, symbolic or sat", r.q.Algorithm)
	}
	can := ltl.Kinds
	if r.q.Algorithm == "indicator" {
		can = []ltl.Kind{ltl.NodeCoverage}
	}
	r.kinds = r.q.Coverage
	if len(r.kinds) == 0 {
		r.kinds = can
		if r.q.Algorithm == "sat" {
			r.kinds = []ltl.Kind{ltl.NodeCoverage} // the others are one state at a time
		}
	}
	for _, k := range r.kinds {
		if !slices.Contains(can, k) {
			return fmt.Errorf("the algorithm %q computes node coverage, not %s coverage; use product or symbolic", r.q.Algorithm, k)
		}
	}
	return nil
}

// Bounds of what is listed explicitly, unless the request says otherwise: the
// states of an SMV model that is read as a structure, the free bits in each of
// its steps, and the control states times input valuations of a circuit in the
// algorithm auto.
const (
	productStates   = 1 << 14
	productFreeBits = 16
	autoStates      = 1 << 20
)

// build chooses between structure and circuit.
func (r *ltlRun) build(atoms []string) error {
	src := r.q.Source
	all := with(atoms, r.q.Signals...)
	isCircuit, why := src.Circuit()
	if isCircuit {
		return r.circuit(atoms)
	}
	limit := r.q.MaxStates
	if src.Format == "smv" && limit <= 0 {
		limit = productStates
		if c, err := src.AsCircuit(all); err == nil {
			if n := freeBits(c); n > productFreeBits {
				r.report.Note(fmt.Sprintf("%d free bits in each step: read as a circuit whose control signals are the bits of the variables", n))
				return r.circuit(all)
			}
		}
	}
	r.q.Progress("listing states")
	k, err := src.AsStructure(r.ctx, all, limit)
	if errors.Is(err, circuit.ErrTooLarge) {
		if src.Format == "smv" {
			r.report.Note(fmt.Sprintf("more than %d states: read as a circuit whose control signals are the bits of the variables", limit))
			return r.circuit(all)
		}
		err = fmt.Errorf("more than %d states: %w", limit, ltl.ErrTooLarge)
	}
	if err != nil {
		return err
	}
	if why != "" {
		r.report.Note(noCircuit(why))
	}
	r.k, r.words = k, words.OfAssignments(k.States)
	r.report.Describe = r.words.Describe
	r.report.Graph = func() (*structure.Structure, error) { return k, nil }
	r.report.Model = k.Size() + circuit.Conditions(false, len(k.Fair))
	reached := k.Reachable()
	for s := range k.Len() {
		if !reached.Has(s) {
			r.report.Unreachable = append(r.report.Unreachable, k.States[s])
		}
	}
	return nil
}

// freeBits counts the inputs that matter after the first step.
func freeBits(c *circuit.Circuit) int {
	roots := append([]aig.Lit{c.Constraint}, c.Fairness...)
	for _, s := range c.Controls {
		roots = append(roots, s.Next)
	}
	for _, s := range c.Outputs {
		roots = append(roots, s.Lit)
	}
	n := 0
	for _, node := range c.Graph.Cone(roots...) {
		if c.Graph.Kind(node) == aig.KindInput {
			n++
		}
	}
	return n
}

func (r *ltlRun) circuit(atoms []string) error {
	c, err := r.q.Source.AsCircuit(atoms)
	if err != nil {
		return err
	}
	r.c, r.words, r.lines = c, registerWords(c), r.q.Source.Lines()
	r.report.Describe = r.words.Describe
	r.report.Graph = func() (*structure.Structure, error) { return c.ControlGraph(report.MaxDrawn) }
	constrained := c.Constraint != aig.True
	r.report.Model = c.Size() + circuit.Conditions(constrained, len(c.Fairness))
	return nil
}

// kindOf is the class of a signal, or an error that says why its coverage cannot
// be asked for.
func (r *ltlRun) kindOf(signal string) (string, error) {
	if r.k != nil {
		if _, ok := r.k.Proposition(signal); !ok {
			return "", at(r.q.Source.Path, &ltl.UnknownSignalError{Name: signal, Known: r.k.AP})
		}
		return "label", nil
	}
	switch k := r.c.Kind(signal); k {
	case circuit.Unknown:
		return "", at(r.q.Source.Path, &ltl.UnknownSignalError{Name: signal, Known: r.c.Signals()})
	case circuit.Input:
		return "", at(r.q.Source.Path, fmt.Errorf("%q is an input: the environment sets it, so its coverage is not defined", signal))
	default:
		return k.String(), nil
	}
}

func (r *ltlRun) chooseSignals(atoms []string) error {
	r.signals = r.q.Signals
	for _, s := range r.signals {
		if _, err := r.kindOf(s); err != nil {
			return err
		}
		if r.q.Scope == ltl.InDesign && (r.c == nil || r.c.ControlIndex(s) < 0) {
			return at(r.q.Source.Path, fmt.Errorf("%q is no register of a circuit, so it cannot be flipped for the design's own readers", s))
		}
	}
	if r.q.Scope == ltl.InDesign && len(r.signals) == 0 {
		if r.c == nil {
			return at(r.q.Source.Path, errors.New("a structure has no registers; only the specification reads its signals"))
		}
		for _, s := range r.c.Controls {
			r.signals = append(r.signals, s.Name)
		}
	}
	for _, a := range atoms {
		_, err := r.kindOf(a)
		var unknown *ltl.UnknownSignalError
		if errors.As(err, &unknown) {
			return err
		}
		if err == nil && len(r.q.Signals) == 0 && r.q.Scope == ltl.InSpec && !r.q.Source.OfCompassion(a) {
			r.signals = append(r.signals, a)
		}
	}
	return nil
}

// spec fills in the outcome of one specification.
func (r *ltlRun) spec(i int) error {
	s := &r.report.Specs[i]
	start := time.Now()
	defer func() { s.Seconds = since(start) }()
	e, counterexample, err := r.engine(r.specs[i].wrong)
	var doubt *ltl.Unconfirmed
	if errors.As(err, &doubt) {
		unconfirmed(&r.report.Tail, s.Formula, doubt)
		return nil
	}
	if errors.Is(err, errLate) {
		r.late = append(r.late, i)
		return nil
	}
	if err != nil {
		return at(r.q.Source.Path, err)
	}
	holds := counterexample == nil
	s.Holds = &holds
	if !holds {
		if f := r.specs[i].formula; f != (formula.Formula{}) && counterexample.Loop < len(counterexample.Steps) && counterexample.Word().Satisfies(f) {
			return fmt.Errorf("internal error: the counterexample satisfies %s", f)
		}
		s.Counterexample = r.computation(counterexample)
		return nil
	}
	signals := r.signals
	if len(r.q.Signals) == 0 && r.q.Scope == ltl.InSpec { // those that this specification reads
		signals = slices.DeleteFunc(slices.Clone(signals), func(name string) bool { return !slices.Contains(r.specs[i].wrong.AP, name) })
	}
	for n, name := range signals {
		r.signalsLeft = len(signals) - n
		r.q.Progress("coverage of " + name)
		begin := time.Now()
		kind, err := r.kindOf(name)
		if err != nil {
			return err
		}
		if kind == circuit.PureControl.String() && slices.Contains(r.specs[i].wrong.AP, name) {
			kind = circuit.VisibleControl.String() // the specification sees it
		}
		sig := report.LTLSignal{Name: name, Kind: kind, Source: r.lines[name], Counts: map[string]*big.Int{}}
		if err := r.cover(e, &sig, r.specs[i].wrong); err != nil {
			return at(r.q.Source.Path, fmt.Errorf("signal %s: %w", name, err))
		}
		sig.Seconds = since(begin)
		if sig.Empty() && (sig.Complete == nil || *sig.Complete) {
			s.EmptySignals = append(s.EmptySignals, name)
		}
		s.Signals = append(s.Signals, sig)
	}
	return nil
}

// cover fills in a signal's coverage. A flip that only an invariant reads violates it at
// this very visit or not at all, so all notions are the same, and found as node coverage.
func (r *ltlRun) cover(e engine, sig *report.LTLSignal, wrong *automaton.Automaton) error {
	if r.q.Scope != ltl.InSpec || !wrong.IsInvariant() {
		return e.cover(sig)
	}
	kinds, node := r.kinds, ltl.NodeCoverage
	r.kinds = []ltl.Kind{node}
	err := e.cover(sig)
	r.kinds = kinds
	if err != nil {
		return err
	}
	states, n, cubes := sig.Node, sig.Counts[node.String()], sig.Cubes
	sig.Node, sig.Cubes = nil, nil
	delete(sig.Counts, node.String())
	for _, k := range kinds {
		*sig.Of(k), sig.Counts[k.String()] = states, n
		for _, q := range cubes {
			q.Coverage = k.String()
			sig.Cubes = append(sig.Cubes, q)
		}
	}
	return nil
}

func (r *ltlRun) computation(c *ltl.Computation) *report.Computation {
	if c == nil {
		return nil
	}
	out := &report.Computation{}
	for _, s := range c.Steps {
		step := report.Step{State: s.State, Words: shorter(r.words, s.State), Flipped: s.Flipped, Holds: []string{}}
		for i, v := range s.Letter {
			if v && c.AP[i] != ltl.ConstraintSignal {
				step.Holds = append(step.Holds, c.AP[i])
			}
		}
		out.Steps = append(out.Steps, step)
	}
	if c.Loop < len(c.Steps) {
		loop := c.Loop
		out.Loop = &loop
	}
	return out
}

// combine joins the coverage of several specifications: their conjunction fails
// when one of them does.
func (r *ltlRun) combine() {
	if len(r.report.Specs) < 2 || !*r.report.Holds {
		return
	}
	for _, name := range r.signals {
		var own []report.LTLSignal // of the specifications that read the signal
		for _, spec := range r.report.Specs {
			for _, s := range spec.Signals {
				if s.Name == name {
					own = append(own, s)
				}
			}
		}
		first := own[0]
		all := report.LTLSignal{Name: first.Name, Kind: first.Kind, Source: first.Source, Counts: map[string]*big.Int{}}
		var hit []string // by some notion
		for _, kind := range r.kinds {
			union := []string{}
			for _, sig := range own {
				if sig.Truncated || sig.Complete != nil && !*sig.Complete {
					r.report.Combined = nil
					return
				}
				union = append(union, **sig.Of(kind)...)
				all.Seconds += sig.Seconds
			}
			hit = append(hit, union...)
			slices.Sort(union)
			union = slices.Compact(union)
			*all.Of(kind) = &union
			all.Counts[kind.String()] = big.NewInt(int64(len(union)))
		}
		if uncovered := first.Uncovered; uncovered != nil {
			left := slices.Clone(*uncovered)
			for _, s := range own[1:] {
				left = slices.DeleteFunc(left, func(state string) bool { return !slices.Contains(*s.Uncovered, state) })
			}
			all.Uncovered = &left
			all.UncoveredWords = r.words.Describe(left, hit)
			all.Counts["uncovered"] = big.NewInt(int64(len(left)))
		}
		r.report.Combined = append(r.report.Combined, all)
	}
}
