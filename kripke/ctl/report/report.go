// Package report runs the CTL coverage of a file's specifications and turns the
// results into what users and other programs read: text, JSON (schema
// netcov-ctl/1) and Graphviz.
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

	"netcov/kripke/bdd"
	"netcov/kripke/circuit"
	"netcov/kripke/ctl"
	"netcov/kripke/formula"
	"netcov/kripke/internal/drawing"
	"netcov/kripke/internal/summary"
	"netcov/kripke/load"
	"netcov/kripke/structure"
	"netcov/kripke/symbolic"
)

// Schema names the JSON form. The schema itself is schema.json beside this file.
const Schema = "netcov-ctl/1"

// JSONSchema is the JSON Schema (draft 2020-12) of a report.
//
//go:embed schema.json
var JSONSchema []byte

// Report is the JSON form of a run.
type Report struct {
	Schema string `json:"schema"`
	File   string `json:"file"`
	Model  string `json:"model"` // what the specifications were checked on
	// Holds says whether every specification does; missing when that is not known.
	Holds *bool  `json:"holds,omitempty"`
	Specs []Spec `json:"specs"`
	// Combined is the coverage of the specifications together, when more than
	// one was asked for and all hold: a state is covered when one covers it.
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
	Formula string `json:"formula"`
	// Holds is missing when the run stopped before it was known.
	Holds          *bool        `json:"holds,omitempty"`
	Counterexample *Computation `json:"counterexample,omitempty"`
	Signals        []Signal     `json:"signals"`
	Fixed0         []string     `json:"fixed_to_0_covered"`
	Fixed1         []string     `json:"fixed_to_1_covered"`
	// UncoveredControls lists the control signals that can be fixed unnoticed,
	// as "name=value".
	UncoveredControls []string `json:"uncovered_controls,omitempty"`
	// EmptySignals lists the signals for which no state is covered.
	EmptySignals []string `json:"empty_signals,omitempty"`
	// States covered for at least one signal, and reachable states.
	CoveredStates   *big.Int     `json:"covered_states,omitempty"`
	ReachableStates *big.Int     `json:"reachable_states,omitempty"`
	Interesting     *Interesting `json:"interesting_witness,omitempty"`
	Uncovered       *Uncovered   `json:"uncovered_computation,omitempty"`
	Seconds         float64      `json:"seconds"`
}

// Signal is the coverage of one signal. Uncovered lists reachable states only.
type Signal struct {
	Name       string   `json:"name"`
	Kind       string   `json:"kind"`
	Algorithm  string   `json:"algorithm,omitempty"`
	Covered    []string `json:"covered"`
	Uncovered  []string `json:"uncovered"`
	CoveredN   *big.Int `json:"covered_count"`
	UncoveredN *big.Int `json:"uncovered_count"`
	Truncated  bool     `json:"truncated,omitempty"` // the lists are cut
	// Of the pairs algorithm.
	Variables int `json:"bdd_variables,omitempty"`
	PeakNodes int `json:"bdd_peak_nodes,omitempty"`
	// Of the halving algorithm: calls of incomplete model checking, and gates
	// evaluated in all of them.
	Calls   int64   `json:"halving_calls,omitempty"`
	Work    int64   `json:"halving_work,omitempty"`
	Seconds float64 `json:"seconds,omitempty"`
}

// Computation is a path; Loop is the step to which it goes back at the end, and
// missing for a finite prefix.
type Computation struct {
	Steps []Step `json:"steps"`
	Loop  *int   `json:"loop,omitempty"`
	Shows string `json:"shows,omitempty"` // what holds in the last state
}

// Step is a state of a computation.
type Step struct {
	State  string   `json:"state"`
	Inputs string   `json:"inputs,omitempty"`
	Holds  []string `json:"holds"`
}

// Interesting is the interesting witness.
type Interesting struct {
	Computation *Computation `json:"computation,omitempty"`
	Exercised   []string     `json:"exercised"`
	Vacuous     []string     `json:"vacuous"`
}

// Uncovered is a computation of uncovered states.
type Uncovered struct {
	Computation *Computation `json:"computation"`
	Only        bool         `json:"only_uncovered"`
	Met         int          `json:"uncovered_states_met"`
}

// Request says what to compute.
type Request struct {
	Source *load.Source
	// Specs are the specifications; none are the file's own.
	Specs []formula.Formula
	// Signals are the signals; none are those that can be covered at all.
	Signals []string
	// Structure treats a circuit as the structure that it induces, so that a
	// signal is flipped in a single state ⟨s, i⟩ and no transition changes.
	Structure bool
	// Basic leaves the fixed control signals and the computations out.
	Basic   bool
	Options ctl.Options
}

// Run computes a report. When the context ends the run, the report holds what
// is known by then and says so in Stopped; other errors give no report.
func Run(ctx context.Context, q Request) (*Report, error) {
	r := &runner{ctx: ctx, q: q, report: &Report{Schema: Schema, Specs: []Spec{}, File: q.Source.Path, Notes: q.Source.Notes}}
	if err := r.prepare(); err != nil {
		return r.stopped(err)
	}
	r.report.Model = r.model.Size()
	for i, f := range r.specs {
		if err := r.spec(&r.report.Specs[i], f); err != nil {
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

type runner struct {
	ctx    context.Context
	q      Request
	report *Report
	model  *ctl.Model
	// The specifications as they are written, and with comparisons of words
	// resolved.
	written, specs []formula.Formula
	names          []string // signals
}

// stopped turns the end of the context, or of the diagrams' room, into a partial
// report.
func (r *runner) stopped(err error) (*Report, error) {
	r.settle()
	cause := context.Cause(r.ctx)
	var limit *bdd.LimitError
	if cause == nil && errors.As(err, &limit) {
		cause = err
	}
	if cause == nil {
		return nil, err
	}
	r.report.Stopped = cause.Error()
	if errors.Is(cause, context.DeadlineExceeded) {
		r.report.Stopped = "the time limit was reached"
	}
	if err != nil && !errors.Is(err, cause) {
		r.report.Stopped = err.Error()
	} else if err != nil {
		// What was going on.
		detail := strings.TrimSuffix(strings.TrimPrefix(err.Error(), r.q.Source.Path+": "), cause.Error())
		if detail = strings.TrimSuffix(detail, ": "); detail != "" {
			r.report.Stopped += " (" + detail + ")"
		}
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

// prepare parses, resolves and builds the model.
func (r *runner) prepare() error {
	src := r.q.Source
	r.written = r.q.Specs
	if len(r.written) == 0 {
		own, err := src.Formulas(formula.CTL)
		if err != nil {
			return err
		}
		if r.written = own; len(own) == 0 {
			return fmt.Errorf("%s has no CTL specification of its own: give one with --spec", src.Path)
		}
	}
	for _, f := range r.written {
		r.report.Specs = append(r.report.Specs, Spec{Formula: f.String(), Signals: []Signal{}, Fixed0: []string{}, Fixed1: []string{}})
		g, err := src.Resolve(f)
		if err != nil {
			return err
		}
		r.specs = append(r.specs, g)
	}
	atoms := formula.Atoms(r.specs...)
	for _, s := range r.q.Signals {
		if !slices.Contains(atoms, s) {
			atoms = append(atoms, s)
		}
	}
	if err := r.build(atoms); err != nil {
		return r.fail(err)
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

// build chooses between structure and circuit.
func (r *runner) build(atoms []string) error {
	src := r.q.Source
	if src.Circuit() && !r.q.Structure {
		return r.circuit(formula.Atoms(r.specs...))
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
	k, err := src.AsStructure(ctx, atoms, limit)
	if choice && r.ctx.Err() == nil && (errors.Is(err, circuit.ErrTooLarge) || ctx.Err() != nil) {
		return r.system(atoms)
	}
	if errors.Is(err, circuit.ErrTooLarge) {
		err = fmt.Errorf("%w; raise --max-states", err)
	}
	if err != nil {
		return err
	}
	r.report.graph = func() (*structure.Structure, error) { return k, nil }
	r.model, err = ctl.StructureModel(k)
	return err
}

// A system of at most this many reachable states and transitions is listed from
// its diagrams, so that the halving can work on it.
const (
	listedStates      = 1 << 18
	listedTransitions = 1 << 22
)

// system reads an SMV model as decision diagrams.
func (r *runner) system(atoms []string) error {
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
		r.report.graph = func() (*structure.Structure, error) { return k, nil }
		r.model, err = ctl.StructureModel(k)
		return err
	}
	r.report.Notes = append(r.report.Notes, "too many states to list them: decision diagrams only")
	r.report.graph = func() (*structure.Structure, error) { return nil, errors.New("too many states for a drawing") }
	sm.Make = func(bdd.Options) (*symbolic.System, error) { return sys, nil }
	r.model = sm.Model()
	return nil
}

func (r *runner) circuit(atoms []string) error {
	c, err := r.q.Source.AsCircuit(atoms)
	if err != nil {
		return err
	}
	r.report.graph = func() (*structure.Structure, error) { return c.ControlGraph(drawing.MaxStates) }
	r.model, err = ctl.CircuitModel(c)
	return err
}

func since(start time.Time) float64 { return time.Since(start).Seconds() }

// spec fills in the outcome of one specification.
func (r *runner) spec(s *Spec, f formula.Formula) error {
	start := time.Now()
	defer func() { s.Seconds = since(start) }()
	p, err := ctl.NewProblem(r.model, f, r.q.Options)
	if err != nil {
		return r.fail(err)
	}
	for _, name := range r.names {
		if _, err := p.Signal(name); err != nil {
			return r.fail(err)
		}
	}
	holds, err := p.Holds(r.ctx)
	if err != nil {
		return r.fail(err)
	}
	s.Holds = &holds
	r.report.Unreachable = p.Unreachable()
	if !holds {
		t, err := p.Counterexample(r.ctx)
		s.Counterexample = computation(t)
		return err
	}
	var covers []*ctl.Cover
	names := r.q.Signals
	if len(names) == 0 {
		names = r.model.DefaultSignals(f)
	}
	for _, name := range names {
		r.q.Options.Progress(fmt.Sprintf("coverage of %s", name))
		t := time.Now()
		c, err := p.Cover(r.ctx, name)
		if err != nil {
			return fmt.Errorf("signal %s: %w", name, err)
		}
		covers = append(covers, c)
		s.Signals = append(s.Signals, signal(c, since(t)))
		if c.CoveredN.Sign() == 0 {
			s.EmptySignals = append(s.EmptySignals, name)
		}
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
func (r *runner) extras(s *Spec, p *ctl.Problem, covers []*ctl.Cover) error {
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
	s.Interesting = &Interesting{Computation: computation(in.Trace), Exercised: notNil(in.Exercised), Vacuous: notNil(in.Vacuous)}
	if len(covers) == 0 {
		return nil
	}
	u, err := p.Uncovered(r.ctx, covers...)
	if err != nil {
		return err
	}
	if u != nil {
		s.Uncovered = &Uncovered{Computation: computation(u.Trace), Only: u.Only, Met: u.Met}
	}
	return nil
}

func notNil(s []string) []string {
	if s == nil {
		return []string{}
	}
	return s
}

func signal(c *ctl.Cover, seconds float64) Signal {
	s := Signal{
		Name: c.Signal.Name, Kind: c.Signal.Kind, Algorithm: string(c.Algorithm),
		Covered: c.Covered, Uncovered: c.Uncovered, CoveredN: c.CoveredN, UncoveredN: c.UncoveredN,
		Truncated: c.Truncated, Seconds: seconds,
	}
	if c.Diagrams != nil {
		s.Variables, s.PeakNodes = c.Diagrams.Variables, c.Diagrams.PeakNodes
	}
	if c.Halving != nil {
		s.Calls, s.Work = c.Halving.Calls, c.Halving.Work
	}
	return s
}

func computation(t *ctl.Trace) *Computation {
	if t == nil {
		return nil
	}
	c := &Computation{}
	for _, s := range t.Steps {
		c.Steps = append(c.Steps, Step{s.State, s.Inputs, notNil(s.Holds)})
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
func (r *runner) combine() {
	if len(r.report.Specs) < 2 || !*r.report.Holds {
		return
	}
	for _, name := range r.names {
		var own []Signal // of the specifications that can depend on the signal
		covered := map[string]bool{}
		for _, spec := range r.report.Specs {
			for _, s := range spec.Signals {
				if s.Name != name {
					continue
				}
				if s.Truncated {
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
		all := Signal{Name: name, Kind: first.Kind, Covered: []string{}, Uncovered: []string{}}
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
