// Package report runs the LTL coverage of a file's specifications, or of an
// automaton of wrong behaviours, and turns the results into what users and other
// programs read: text, JSON (schema netcov-ltl/1) and Graphviz.
package report

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"slices"
	"strings"
	"time"

	"netcov/aig"
	"netcov/kripke/automaton"
	"netcov/kripke/bdd"
	"netcov/kripke/circuit"
	"netcov/kripke/formula"
	"netcov/kripke/internal/drawing"
	"netcov/kripke/internal/summary"
	"netcov/kripke/load"
	"netcov/kripke/ltl"
	"netcov/kripke/structure"
)

// Schema names the JSON form. The schema itself is schema.json beside this file.
const Schema = "netcov-ltl/1"

// JSONSchema is the JSON Schema (draft 2020-12) of a report.
//
//go:embed schema.json
var JSONSchema []byte

// Report is the JSON form of a run.
type Report struct {
	Schema    string `json:"schema"`
	File      string `json:"file"`
	Model     string `json:"model"` // what the specifications were checked on
	Algorithm string `json:"algorithm"`
	// Flip says who reads a flipped signal: "spec" or "design".
	Flip string `json:"flip"`
	// Holds says whether every specification does; missing when that is not known.
	Holds *bool  `json:"holds,omitempty"`
	Specs []Spec `json:"specs"`
	// Combined is the coverage of the specifications together, when there are
	// several and all hold: a state is covered when one of them covers it.
	Combined []Signal `json:"combined,omitempty"`
	// Unreachable lists a structure's unreachable states.
	Unreachable []string `json:"unreachable,omitempty"`
	Notes       []string `json:"notes,omitempty"`
	// Stopped says what ended the run before everything was computed.
	Stopped string `json:"stopped,omitempty"`

	graph func() (*structure.Structure, error) // what a drawing shows
}

// Spec is the outcome for one specification.
type Spec struct {
	Formula   string    `json:"formula"` // for an automaton, "automaton" and its file
	Automaton Automaton `json:"automaton"`
	// Holds is missing when the run stopped before it was known.
	Holds          *bool        `json:"holds,omitempty"`
	Counterexample *Computation `json:"counterexample,omitempty"`
	Signals        []Signal     `json:"signals"`
	// EmptySignals lists the signals for which no state is covered.
	EmptySignals []string `json:"empty_signals,omitempty"`
	Seconds      float64  `json:"seconds"`
}

// Automaton is the size of the automaton of wrong behaviours. Its acceptance
// stands on edges.
type Automaton struct {
	States   int  `json:"states"`
	Edges    int  `json:"edges"`
	Sets     int  `json:"acceptance_sets"`
	Terminal bool `json:"terminal"` // the specification is a safety property
}

// Signal is the coverage of one signal: the covered states by each notion that
// was asked for.
type Signal struct {
	Name      string    `json:"name"`
	Kind      string    `json:"kind"`
	Structure *[]string `json:"structure,omitempty"`
	Node      *[]string `json:"node,omitempty"`
	Tree      *[]string `json:"tree,omitempty"`
	// Uncovered lists the reachable states that no notion asked for covers;
	// missing when there are too many to list.
	Uncovered *[]string `json:"uncovered,omitempty"`
	// Counts of the states by notion, and of the uncovered ones; lists may be cut.
	Counts    map[string]*big.Int `json:"counts"`
	Truncated bool                `json:"truncated,omitempty"`
	// Complete is false when the SAT engines found some covered states and did
	// not look for more.
	Complete *bool `json:"complete,omitempty"`
	// Variables tells what the decision diagrams took, by notion.
	Variables map[string]ltl.Variables `json:"bdd,omitempty"`
	// Indicator is the indicator formula as a system of equations, Closed as one
	// formula where it is short.
	Indicator      string `json:"indicator,omitempty"`
	IndicatorDepth *int   `json:"indicator_alternation_depth,omitempty"`
	Closed         string `json:"indicator_formula,omitempty"`
	// Witness is a computation that fails when the signal is flipped.
	Witness *Witness `json:"witness,omitempty"`
	Seconds float64  `json:"seconds"`
}

// of is the list of a notion.
func (s *Signal) of(k ltl.Kind) **[]string {
	switch k {
	case ltl.StructureCoverage:
		return &s.Structure
	case ltl.NodeCoverage:
		return &s.Node
	}
	return &s.Tree
}

// Witness shows why a state is covered.
type Witness struct {
	State       string       `json:"state"`
	Coverage    string       `json:"coverage"`
	Computation *Computation `json:"computation"`
}

// Computation is a path; Loop is the step to which it goes back at the end, and
// missing for a finite run after which nothing matters.
type Computation struct {
	Steps []Step `json:"steps"`
	Loop  *int   `json:"loop,omitempty"`
}

// Step is a state of a computation with the propositions of the specification
// that it reads as true.
type Step struct {
	State   string   `json:"state"`
	Holds   []string `json:"holds"`
	Flipped bool     `json:"flipped,omitempty"`
}

// Algorithms are the names that Request.Algorithm takes.
var Algorithms = []string{"auto", "product", "symbolic", "indicator", "sat", "naive"}

// Request says what to compute.
type Request struct {
	Source *load.Source
	// Specs are the specifications; none are the file's own.
	Specs []formula.Formula
	// Wrong is an automaton of wrong behaviours instead of specifications, and
	// WrongName its name.
	Wrong     *automaton.Automaton
	WrongName string
	// Signals are the signals; none are those that a specification reads.
	Signals []string
	// Coverage are the notions to compute; none are those that the algorithm can
	// compute.
	Coverage []ltl.Kind
	// Scope says who reads a flipped signal; with ltl.InDesign the signals are
	// registers of a circuit.
	Scope ltl.Scope
	// Algorithm is one of Algorithms; "" is auto: product, and symbolic for
	// circuits that are too large for it.
	Algorithm string
	// MaxStates bounds the explicit algorithms' states; 0 is their own bound.
	MaxStates int
	// MaxListed bounds the lists of the symbolic algorithm; 0 is 65,536. Found
	// bounds the covered states that the SAT engines look for; 0 is 64.
	MaxListed, Found int
	// NodeLimit bounds decision diagrams; 0 is no bound.
	NodeLimit int
	// Basic leaves witnesses out.
	Basic bool
	// Progress is told what happens; nil is silence.
	Progress func(string)
}

// Run computes a report. When the context ends the run, the report holds what is
// known by then and says so in Stopped; other errors give no report.
func Run(ctx context.Context, q Request) (*Report, error) {
	if q.Progress == nil {
		q.Progress = func(string) {}
	}
	if q.MaxListed <= 0 {
		q.MaxListed = 1 << 16
	}
	if q.Found <= 0 {
		q.Found = 64
	}
	r := &runner{ctx: ctx, q: q, report: &Report{
		Schema: Schema, File: q.Source.Path, Notes: q.Source.Notes, Specs: []Spec{}, Algorithm: q.Algorithm, Flip: [...]string{"spec", "design"}[q.Scope],
	}}
	if err := r.prepare(); err != nil {
		return r.stopped(err)
	}
	for i := range r.specs {
		if err := r.spec(i); err != nil {
			return r.stopped(err)
		}
	}
	r.settle()
	r.combine()
	return r.report, nil
}

// settle says of all specifications together what is known.
func (r *runner) settle() {
	var holds []*bool
	for _, s := range r.report.Specs {
		holds = append(holds, s.Holds)
	}
	r.report.Holds = summary.Together(holds)
}

// task is a specification as an automaton of wrong behaviours.
type task struct {
	formula formula.Formula // the zero value for an automaton
	wrong   *automaton.Automaton
}

type runner struct {
	ctx    context.Context
	q      Request
	report *Report
	specs  []task
	kinds  []ltl.Kind
	// One of these is the model.
	k *structure.Structure
	c *circuit.Circuit

	signals []string
}

// stopped turns the end of the context into a partial report.
func (r *runner) stopped(err error) (*Report, error) {
	cause := context.Cause(r.ctx)
	var limit *bdd.LimitError
	if cause == nil && errors.As(err, &limit) {
		cause = err
	}
	if cause == nil {
		return nil, err
	}
	r.settle()
	r.report.Stopped = cause.Error()
	if errors.Is(cause, context.DeadlineExceeded) {
		r.report.Stopped = "the time limit was reached"
	}
	return r.report, nil
}

// fail puts the file's name before an error.
func (r *runner) fail(err error) error {
	if strings.HasPrefix(err.Error(), r.q.Source.Path+":") {
		return err
	}
	return fmt.Errorf("%s: %w", r.q.Source.Path, err)
}

// prepare translates the specifications and builds the model.
func (r *runner) prepare() error {
	if err := r.chooseAlgorithm(); err != nil {
		return err
	}
	specs, err := r.formulas()
	if err != nil {
		return err
	}
	var atoms []string
	for _, f := range specs {
		r.q.Progress("translating " + f.String())
		wrong, err := automaton.FromLTL(formula.Not(f), automaton.Options{Interrupt: r.ctx.Err})
		if err != nil {
			return fmt.Errorf("the specification %.100s: %w", f, err)
		}
		r.specs = append(r.specs, task{f, wrong})
	}
	if r.q.Wrong != nil {
		r.specs = append(r.specs, task{wrong: r.q.Wrong})
	}
	for _, t := range r.specs {
		for _, p := range t.wrong.AP {
			if !slices.Contains(atoms, p) {
				atoms = append(atoms, p)
			}
		}
		name := r.q.WrongName
		if t.formula != (formula.Formula{}) {
			name = t.formula.String()
		}
		r.report.Specs = append(r.report.Specs, Spec{
			Formula: name, Signals: []Signal{},
			Automaton: Automaton{t.wrong.Len(), t.wrong.NumEdges(), t.wrong.Sets, t.wrong.IsTerminal()},
		})
	}
	if err := r.build(atoms); err != nil {
		return r.fail(err)
	}
	return r.chooseSignals(atoms)
}

func (r *runner) formulas() ([]formula.Formula, error) {
	specs := r.q.Specs
	if r.q.Wrong != nil {
		return nil, nil
	}
	if len(specs) == 0 {
		own, err := r.q.Source.Formulas(formula.LTL)
		if err != nil {
			return nil, err
		}
		if specs = own; len(own) == 0 {
			return nil, fmt.Errorf("%s has no LTL specification of its own: give one with --spec, or --automaton", r.q.Source.Path)
		}
	}
	out := make([]formula.Formula, len(specs))
	for i, f := range specs {
		g, err := r.q.Source.Resolve(f)
		if err != nil {
			return nil, err
		}
		out[i] = g
	}
	return out, nil
}

// chooseAlgorithm settles the notions that the algorithm computes.
func (r *runner) chooseAlgorithm() error {
	if r.q.Algorithm == "" {
		r.q.Algorithm = "auto"
	}
	r.report.Algorithm = r.q.Algorithm
	if r.q.Scope == ltl.InDesign && (r.q.Algorithm == "indicator" || r.q.Algorithm == "naive") {
		return fmt.Errorf("the algorithm %q flips signals for the specification only; use product, symbolic or sat", r.q.Algorithm)
	}
	can := ltl.Kinds
	if r.q.Algorithm == "indicator" || r.q.Algorithm == "sat" {
		can = []ltl.Kind{ltl.NodeCoverage}
	}
	r.kinds = r.q.Coverage
	if len(r.kinds) == 0 {
		r.kinds = can
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
	smvStates   = 1 << 14
	smvFreeBits = 16
	autoStates  = 1 << 20
)

// build chooses between structure and circuit.
func (r *runner) build(atoms []string) error {
	src := r.q.Source
	all := slices.Clone(atoms)
	for _, s := range r.q.Signals {
		if !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	if src.Circuit() {
		return r.circuit(atoms)
	}
	limit := r.q.MaxStates
	if src.Format == "smv" && limit <= 0 {
		limit = smvStates
		if c, err := src.AsCircuit(all); err == nil {
			if n := freeBits(c); n > smvFreeBits {
				r.note(fmt.Sprintf("%d free bits in each step: read as a circuit whose control signals are the bits of the variables", n))
				return r.circuit(all)
			}
		}
	}
	r.q.Progress("listing states")
	k, err := src.AsStructure(r.ctx, all, limit)
	if errors.Is(err, circuit.ErrTooLarge) {
		if src.Format == "smv" {
			r.note(fmt.Sprintf("more than %d states: read as a circuit whose control signals are the bits of the variables", limit))
			return r.circuit(all)
		}
		err = fmt.Errorf("more than %d states: %w", limit, ltl.ErrTooLarge)
	}
	if err != nil {
		return err
	}
	r.k = k
	r.report.graph = func() (*structure.Structure, error) { return k, nil }
	r.report.Model = fmt.Sprintf("structure, %d states, %d transitions%s", k.Len(), k.Transitions(), summary.Conditions(false, len(k.Fair)))
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

func (r *runner) circuit(atoms []string) error {
	c, err := r.q.Source.AsCircuit(atoms)
	if err != nil {
		return err
	}
	r.c = c
	r.report.graph = func() (*structure.Structure, error) { return c.ControlGraph(drawing.MaxStates) }
	constrained := c.Constraint != aig.True
	r.report.Model = summary.Circuit(len(c.Controls), len(c.Inputs)) + summary.Conditions(constrained, len(c.Fairness))
	if constrained && r.q.Algorithm == "sat" {
		r.note("the algorithm sat asks that the constraint holds up to the step that fails; the others, that it can hold for ever")
	}
	return nil
}

// kindOf is the class of a signal, or an error that says why its coverage cannot
// be asked for.
func (r *runner) kindOf(signal string) (string, error) {
	if r.k != nil {
		if _, ok := r.k.Proposition(signal); !ok {
			return "", r.fail(&ltl.UnknownSignalError{Name: signal, Known: r.k.AP})
		}
		return "label", nil
	}
	switch k := r.c.Kind(signal); k {
	case circuit.Unknown:
		return "", r.fail(&ltl.UnknownSignalError{Name: signal, Known: r.c.Signals()})
	case circuit.Input:
		return "", r.fail(fmt.Errorf("%q is an input: the environment sets it, so its coverage is not defined", signal))
	default:
		return k.String(), nil
	}
}

func (r *runner) chooseSignals(atoms []string) error {
	r.signals = r.q.Signals
	for _, s := range r.signals {
		if _, err := r.kindOf(s); err != nil {
			return err
		}
		if r.q.Scope == ltl.InDesign && (r.c == nil || r.c.ControlIndex(s) < 0) {
			return r.fail(fmt.Errorf("%q is no register of a circuit, so it cannot be flipped for the design's own readers", s))
		}
	}
	if r.q.Scope == ltl.InDesign && len(r.signals) == 0 {
		if r.c == nil {
			return r.fail(errors.New("a structure has no registers; only the specification reads its signals"))
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
		if err == nil && len(r.q.Signals) == 0 && r.q.Scope == ltl.InSpec {
			r.signals = append(r.signals, a)
		}
	}
	return nil
}

// spec fills in the outcome of one specification.
func (r *runner) spec(i int) error {
	s := &r.report.Specs[i]
	start := time.Now()
	defer func() { s.Seconds = time.Since(start).Seconds() }()
	e, counterexample, err := r.engine(r.specs[i].wrong)
	if err != nil {
		return r.fail(err)
	}
	holds := counterexample == nil
	s.Holds = &holds
	if !holds {
		if f := r.specs[i].formula; f != (formula.Formula{}) && counterexample.Loop < len(counterexample.Steps) && counterexample.Word().Satisfies(f) {
			return fmt.Errorf("internal error: the counterexample satisfies %s", f)
		}
		s.Counterexample = computation(counterexample)
		return nil
	}
	for _, name := range r.signals {
		if len(r.q.Signals) == 0 && r.q.Scope == ltl.InSpec && !slices.Contains(r.specs[i].wrong.AP, name) {
			continue // this specification does not read it
		}
		r.q.Progress("coverage of " + name)
		begin := time.Now()
		kind, err := r.kindOf(name)
		if err != nil {
			return err
		}
		if kind == circuit.PureControl.String() && slices.Contains(r.specs[i].wrong.AP, name) {
			kind = circuit.VisibleControl.String() // the specification sees it
		}
		sig := Signal{Name: name, Kind: kind, Counts: map[string]*big.Int{}}
		if err := e.cover(&sig); err != nil {
			return r.fail(fmt.Errorf("signal %s: %w", name, err))
		}
		sig.Seconds = time.Since(begin).Seconds()
		if sig.empty() {
			s.EmptySignals = append(s.EmptySignals, name)
		}
		s.Signals = append(s.Signals, sig)
	}
	return nil
}

// empty tells whether no state is covered.
func (s *Signal) empty() bool {
	for _, k := range ltl.Kinds {
		if list := *s.of(k); list != nil && len(*list) > 0 {
			return false
		}
	}
	return true
}

func computation(c *ltl.Computation) *Computation {
	if c == nil {
		return nil
	}
	out := &Computation{}
	for _, s := range c.Steps {
		step := Step{State: s.State, Flipped: s.Flipped, Holds: []string{}}
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
func (r *runner) combine() {
	if len(r.report.Specs) < 2 || !*r.report.Holds {
		return
	}
	for _, name := range r.signals {
		var own []Signal // of the specifications that read the signal
		for _, spec := range r.report.Specs {
			for _, s := range spec.Signals {
				if s.Name == name {
					own = append(own, s)
				}
			}
		}
		first := own[0]
		all := Signal{Name: first.Name, Kind: first.Kind, Counts: map[string]*big.Int{}}
		for _, kind := range r.kinds {
			union := []string{}
			for _, sig := range own {
				if sig.Truncated || sig.Complete != nil && !*sig.Complete {
					r.report.Combined = nil
					return
				}
				union = append(union, **sig.of(kind)...)
				all.Seconds += sig.Seconds
			}
			slices.Sort(union)
			union = slices.Compact(union)
			*all.of(kind) = &union
			all.Counts[kind.String()] = big.NewInt(int64(len(union)))
		}
		if uncovered := first.Uncovered; uncovered != nil {
			left := slices.Clone(*uncovered)
			for _, s := range own[1:] {
				left = slices.DeleteFunc(left, func(state string) bool { return !slices.Contains(*s.Uncovered, state) })
			}
			all.Uncovered = &left
			all.Counts["uncovered"] = big.NewInt(int64(len(left)))
		}
		r.report.Combined = append(r.report.Combined, all)
	}
}

// WriteJSON writes the report as one indented JSON object.
func (r *Report) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", " ")
	e.SetEscapeHTML(false)
	return e.Encode(r)
}
