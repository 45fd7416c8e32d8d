// Package report compares a design with the tableau of its specification and
// turns the results into what users and other programs read: text and JSON
// (schema netcov-compare/1).
package report

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"netcov/kripke/bdd"
	"netcov/kripke/formula"
	"netcov/kripke/hoa"
	"netcov/kripke/internal/sides"
	"netcov/kripke/load"
	"netcov/kripke/structure"
	"netcov/kripke/tableau"
)

// Schema names the JSON form. The schema itself is schema.json beside this file.
const Schema = "netcov-compare/1"

// JSONSchema is the JSON Schema (draft 2020-12) of a report.
//
//go:embed schema.json
var JSONSchema []byte

// Report is the JSON form of a run.
type Report struct {
	Schema         string   `json:"schema"`
	Implementation string   `json:"implementation"`
	Specification  []string `json:"specification"` // formulas, or a file
	States         int      `json:"states"`        // of the implementation, reachable
	// Observed lists the propositions on which implementation states look alike
	// or not.
	Observed []string `json:"observed"`
	// Holds is missing when the run stopped before it was known.
	Holds     *bool               `json:"holds,omitempty"`
	Reason    []Step              `json:"reason,omitempty"` // why not: a path
	Trace     bool                `json:"no_path_has_these_labels,omitempty"`
	Tableau   Size                `json:"tableau"`
	Pairs     int                 `json:"reachable_simulation_pairs"`
	Algorithm string              `json:"algorithm"`
	Totals    map[string]int      `json:"totals"` // of each criterion, before the filters
	Criteria  map[string][]*Entry `json:"criteria"`
	Complete  bool                `json:"complete"` // criteria 1-3 are empty: bisimilar
	Variables int                 `json:"bdd_variables,omitempty"`
	PeakNodes int                 `json:"bdd_peak_nodes,omitempty"`
	Iteration int                 `json:"iterations,omitempty"`
	Seconds   float64             `json:"seconds"`
	Notes     []string            `json:"notes,omitempty"`
	Stopped   string              `json:"stopped,omitempty"`
}

// Size is the size of a tableau.
type Size struct {
	States      int `json:"states"`
	Transitions int `json:"transitions"`
	Initial     int `json:"initial"`
}

// Entry is an element of a criterion.
type Entry struct {
	// Literals are those of the tableau state (the source of a transition), or
	// of the implementation state in OneToMany; ToLiterals those of a
	// transition's target.
	Literals       []string       `json:"literals"`
	ToLiterals     *[]string      `json:"to_literals,omitempty"`
	Tableau        []TableauState `json:"tableau"`
	Implementation []ImplState    `json:"implementation,omitempty"`
	// Consequence says that an unimplemented state follows from others only.
	Consequence bool   `json:"consequence,omitempty"`
	Path        []Step `json:"path"`
	OtherPath   []Step `json:"other_path,omitempty"`
}

// TableauState is a tableau state: what must hold now, and in all successors.
type TableauState struct {
	State    int      `json:"state"`
	Name     string   `json:"name,omitempty"`
	Literals []string `json:"literals"`
	Next     []string `json:"next,omitempty"`
}

// ImplState is an implementation state with its observed literals.
type ImplState struct {
	State    string   `json:"state"`
	Literals []string `json:"literals"`
}

// Step is a step of corresponding paths; the implementation's part is missing
// where it has no such step, the tableau's in a reason where nothing follows.
type Step struct {
	Implementation *ImplState `json:"implementation,omitempty"`
	Tableau        *int       `json:"tableau,omitempty"`
	Literals       []string   `json:"literals,omitempty"`
}

// Request says what to compare.
type Request struct {
	Impl *load.Source
	// Specs are ACTL safety formulas; none are those of the file. SpecFile is a
	// file in their place, opened with Open.
	Specs    []formula.Formula
	SpecFile string
	Open     func(ctx context.Context, path string) (*load.Source, error)
	Observe  []string // observed propositions; none are the file's
	// Filters; see tableau.Filter. Baseline is a specification whose entries are
	// left out.
	Signals   []string
	First     bool
	Most      int
	Baseline  []formula.Formula
	Algorithm tableau.Algorithm
	MaxStates int
	NodeLimit int
	Progress  func(string)
}

// Run computes a report. When the context ends the run, the report says so in
// Stopped; other errors give no report.
func Run(ctx context.Context, q Request) (*Report, error) {
	r := &Report{
		Schema: Schema, Implementation: q.Impl.Path, Specification: []string{}, Observed: []string{}, Algorithm: string(q.Algorithm),
		Totals: map[string]int{}, Criteria: map[string][]*Entry{}, Notes: slices.Clone(q.Impl.Notes),
	}
	for _, k := range tableau.Criteria {
		r.Criteria[string(k)] = []*Entry{}
		r.Totals[string(k)] = 0
	}
	start := time.Now()
	err := r.run(ctx, q)
	r.Seconds = time.Since(start).Seconds()
	if words, ok := sides.Stopped(ctx, err); ok {
		r.Stopped, err = words, nil
	}
	if err != nil {
		return nil, err
	}
	return r, nil
}

func (r *Report) run(ctx context.Context, q Request) error {
	q.Progress("listing states")
	t, k, err := r.sides(ctx, q)
	if err != nil {
		return err
	}
	observe := q.Observe
	if len(observe) == 0 {
		observe = observed(q.Impl, k, t.AP)
	}
	for _, s := range q.Signals {
		if _, ok := k.Proposition(s); !ok {
			return fmt.Errorf("%s: there is no signal %q; there are %s", q.Impl.Path, s, strings.Join(k.AP, ", "))
		}
	}
	r.Observed, r.States = observe, k.Reachable().Count()
	r.Tableau = Size{t.Len(), t.Transitions(), len(t.Initial)}
	q.Progress("comparing")
	opt := tableau.Options{Algorithm: q.Algorithm, AP: observe, Diagrams: bdd.Options{NodeLimit: q.NodeLimit}}
	c, err := tableau.Compare(ctx, k, t, opt)
	if err != nil {
		return fmt.Errorf("%s: %w", q.Impl.Path, err)
	}
	r.Holds = &c.Holds
	r.Pairs, r.Variables, r.PeakNodes, r.Iteration = c.Pairs, c.Variables, c.PeakNodes, c.Iterations
	b := &builder{c: c, observe: observe}
	if !c.Holds {
		r.Trace = c.Why.Trace
		for n, i := range c.Why.Path {
			s := Step{Implementation: b.impl(i)}
			if n < len(c.Why.Answer) {
				s = b.step(tableau.Step{Impl: i, Tableau: c.Why.Answer[n]})
			}
			r.Reason = append(r.Reason, s)
		}
		return nil
	}
	filter := &tableau.Filter{Signals: q.Signals, First: q.First, Most: q.Most}
	if len(q.Baseline) > 0 {
		if filter.Known, err = baseline(ctx, q, k, opt); err != nil {
			return err
		}
	}
	q.Progress("evidence")
	for _, criterion := range tableau.Criteria {
		r.Totals[string(criterion)] = c.Count(criterion)
		entries, err := c.Entries(ctx, criterion, filter)
		for _, e := range entries {
			r.Criteria[string(criterion)] = append(r.Criteria[string(criterion)], b.entry(e))
		}
		if err != nil {
			return err
		}
	}
	r.Complete = c.Count(tableau.UnImplementedStartState)+c.Count(tableau.UnImplementedState)+c.Count(tableau.UnImplementedTransition) == 0
	return nil
}

// baseline compares with the specification whose entries are known.
func baseline(ctx context.Context, q Request, k *structure.Structure, opt tableau.Options) (*tableau.Comparison, error) {
	t, err := tableau.New(ctx, q.Baseline...)
	if err != nil {
		return nil, fmt.Errorf("--baseline: %w", err)
	}
	known, err := tableau.Compare(ctx, k, t, opt)
	if err != nil {
		return nil, fmt.Errorf("--baseline: %w", err)
	}
	if !known.Holds {
		return nil, errors.New("--baseline: the specification does not hold")
	}
	return known, nil
}

// observed is what can be seen of a design: all propositions of a structure
// file; else the specification's propositions and the observable signals.
func observed(s *load.Source, k *structure.Structure, spec []string) []string {
	if s.Format == "hoa" || s.Format == "text" {
		return k.AP
	}
	var out []string
	for _, name := range append(slices.Clone(spec), s.Observable()...) {
		if _, ok := k.Proposition(name); ok && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

// sides reads the implementation and makes the tableau.
func (r *Report) sides(ctx context.Context, q Request) (*tableau.Tableau, *structure.Structure, error) {
	if q.SpecFile != "" {
		return r.fileSides(ctx, q)
	}
	specs := q.Specs
	if len(specs) == 0 {
		own, err := q.Impl.Formulas(formula.ACTL)
		if err != nil {
			return nil, nil, err
		}
		if specs = own; len(own) == 0 {
			return nil, nil, fmt.Errorf("%s has no CTL specification of its own: give one with --spec, or a file", q.Impl.Path)
		}
	}
	for n, f := range specs {
		g, err := q.Impl.Resolve(f)
		if err != nil {
			return nil, nil, err
		}
		specs[n] = g
		r.Specification = append(r.Specification, f.String())
	}
	for n, f := range q.Baseline {
		g, err := q.Impl.Resolve(f)
		if err != nil {
			return nil, nil, err
		}
		q.Baseline[n] = g
	}
	t, err := tableau.New(ctx, specs...)
	if err != nil {
		return nil, nil, err
	}
	atoms := append(formula.Atoms(append(slices.Clone(specs), q.Baseline...)...), q.Observe...)
	slices.Sort(atoms)
	k, err := sides.Structure(ctx, q.Impl, slices.Compact(atoms), q.MaxStates)
	return t, k, err
}

// fileSides takes a file as the specification. An automaton may leave
// propositions open.
func (r *Report) fileSides(ctx context.Context, q Request) (*tableau.Tableau, *structure.Structure, error) {
	r.Specification = []string{q.SpecFile}
	if a, err := automaton(q.SpecFile); a != nil || err != nil {
		if err != nil {
			return nil, nil, err
		}
		t, err := tableau.FromHOA(a)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", q.SpecFile, err)
		}
		atoms := t.AP
		if q.Impl.Format != "smv" {
			atoms = nil
		}
		k, err := sides.Structure(ctx, q.Impl, atoms, q.MaxStates)
		return t, k, err
	}
	spec, err := q.Open(ctx, q.SpecFile)
	if err != nil {
		return nil, nil, err
	}
	k, s, ap, notes, err := sides.Pair(ctx, q.Impl, spec, nil, q.MaxStates)
	if err != nil {
		return nil, nil, err
	}
	r.Notes = append(r.Notes, notes...)
	t, err := tableau.FromStructure(s, ap)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", q.SpecFile, err)
	}
	return t, k, nil
}

// automaton reads a HOA file; nil when the file is none.
func automaton(path string) (*hoa.Automaton, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if filepath.Ext(path) != ".hoa" && !bytes.HasPrefix(bytes.TrimLeft(data, " \t\r\n"), []byte("HOA:")) {
		return nil, nil
	}
	return hoa.Read(path, bytes.NewReader(data))
}

// builder turns numbers into what a report shows.
type builder struct {
	c       *tableau.Comparison
	observe []string
}

func (b *builder) impl(i int) *ImplState {
	s := &ImplState{State: b.c.Impl.States[i], Literals: []string{}}
	for _, name := range b.observe {
		p, _ := b.c.Impl.Proposition(name)
		if !b.c.Impl.Holds(i, p) {
			name = "!" + name
		}
		s.Literals = append(s.Literals, name)
	}
	return s
}

func (b *builder) tableau(t int) TableauState {
	s := &b.c.Tableau.States[t]
	out := TableauState{State: t, Name: s.Name, Literals: s.Text()}
	for _, f := range s.Next {
		out.Next = append(out.Next, f.String())
	}
	return out
}

func (b *builder) step(s tableau.Step) Step {
	out := Step{Tableau: &s.Tableau, Literals: b.c.Tableau.States[s.Tableau].Text()}
	if s.Impl >= 0 {
		out.Implementation = b.impl(s.Impl)
	}
	return out
}

func (b *builder) steps(path []tableau.Step) []Step {
	var out []Step
	for _, s := range path {
		out = append(out, b.step(s))
	}
	return out
}

func (b *builder) entry(e tableau.Entry) *Entry {
	out := &Entry{Consequence: e.Consequence, Path: b.steps(e.Path), OtherPath: b.steps(e.Other)}
	for _, t := range e.Tableau {
		out.Tableau = append(out.Tableau, b.tableau(t))
	}
	for _, i := range e.Impl {
		out.Implementation = append(out.Implementation, *b.impl(i))
	}
	out.Literals = out.Tableau[0].Literals
	switch e.Criterion {
	case tableau.UnImplementedTransition:
		out.ToLiterals = &out.Tableau[1].Literals
	case tableau.OneToMany:
		out.Literals = out.Implementation[0].Literals
	}
	return out
}

// WriteJSON writes the report as one indented JSON object.
func (r *Report) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", " ")
	e.SetEscapeHTML(false)
	return e.Encode(r)
}
