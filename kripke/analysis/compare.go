package analysis

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"netcov/kripke/bdd"
	"netcov/kripke/formula"
	"netcov/kripke/hoa"
	"netcov/kripke/load"
	"netcov/kripke/report"
	"netcov/kripke/structure"
	"netcov/kripke/tableau"
)

// Comparison asks for what a specification allows and a design lacks.
type Comparison struct {
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
	Room
}

// Run computes the report. When the context ends the run, the report says so in
// Stopped; other errors give no report.
func (q Comparison) Run(ctx context.Context) (*report.Comparison, error) {
	r := &report.Comparison{
		Schema: "netcov-compare/1", Implementation: q.Impl.Path, Specification: []string{}, Observed: []string{}, Algorithm: string(q.Algorithm),
		Totals: map[string]int{}, Criteria: map[string][]*report.Entry{},
		Tail: report.Tail{Notes: slices.Clone(q.Impl.Notes)},
	}
	for _, k := range tableau.Criteria {
		r.Criteria[string(k)] = []*report.Entry{}
		r.Totals[string(k)] = 0
	}
	start := time.Now()
	err := q.run(ctx, r)
	r.Seconds = since(start)
	if _, err := ended(ctx, q.Impl.Path, err, &r.Tail); err != nil {
		return nil, err
	}
	return r, nil
}

func (q Comparison) run(ctx context.Context, r *report.Comparison) error {
	q.Progress("listing states")
	t, k, err := q.sides(ctx, r)
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
	r.Tableau = report.Size{States: t.Len(), Transitions: t.Transitions(), Initial: len(t.Initial)}
	r.Graph = func() (*structure.Structure, error) { return drawn(t) }
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
			s := report.PairStep{Implementation: b.impl(i)}
			if n < len(c.Why.Answer) {
				s = b.step(tableau.Step{Impl: i, Tableau: c.Why.Answer[n]})
			}
			r.Reason = append(r.Reason, s)
		}
		return nil
	}
	filter := &tableau.Filter{Signals: q.Signals, First: q.First, Most: q.Most}
	if len(q.Baseline) > 0 {
		if filter.Known, err = q.baseline(ctx, k, opt); err != nil {
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
	r.Missing = report.Missing{States: c.UnImplementedState, Steps: c.UnImplementedTransition}
	r.Complete = c.Count(tableau.UnImplementedStartState)+c.Count(tableau.UnImplementedState)+c.Count(tableau.UnImplementedTransition) == 0
	return nil
}

// drawn is the tableau as a structure whose labels are what each state demands.
func drawn(t *tableau.Tableau) (*structure.Structure, error) {
	if t.Len() > report.MaxDrawn {
		return nil, fmt.Errorf("%d states are too many for a drawing, at most %d are drawn", t.Len(), report.MaxDrawn)
	}
	demands := make([][]string, t.Len())
	var all []string
	for s := range t.States {
		demands[s] = t.States[s].Text()
		for _, f := range t.States[s].Next {
			demands[s] = append(demands[s], "AX "+f.String())
		}
		all = with(all, demands[s]...)
	}
	b := structure.NewBuilder(all)
	for s := range t.States {
		b.AddState(cmp.Or(t.States[s].Name, fmt.Sprint(s)), demands[s]...)
	}
	for s := range t.States {
		for _, to := range t.Successors(s) {
			b.AddTransition(s, int(to))
		}
	}
	for _, s := range t.Initial {
		b.AddInitial(s)
	}
	return b.Build()
}

// baseline compares with the specification whose entries are known.
func (q Comparison) baseline(ctx context.Context, k *structure.Structure, opt tableau.Options) (*tableau.Comparison, error) {
	t, err := tableau.New(ctx, q.Baseline...)
	if err != nil {
		return nil, fmt.Errorf("the baseline: %w", err)
	}
	known, err := tableau.Compare(ctx, k, t, opt)
	if err != nil {
		return nil, fmt.Errorf("the baseline: %w", err)
	}
	if !known.Holds {
		return nil, errors.New("the baseline: the specification does not hold")
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
func (q Comparison) sides(ctx context.Context, r *report.Comparison) (*tableau.Tableau, *structure.Structure, error) {
	if q.SpecFile != "" {
		return q.fileSides(ctx, r)
	}
	written, specs, err := specifications(q.Impl, q.Specs, formula.ACTL)
	if err != nil {
		return nil, nil, err
	}
	if len(written) == 0 {
		return nil, nil, fmt.Errorf("%s has no CTL specification of its own: give one, or a file", q.Impl.Path)
	}
	for _, f := range written {
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
	atoms := with(formula.Atoms(append(slices.Clone(specs), q.Baseline...)...), q.Observe...)
	slices.Sort(atoms)
	k, err := list(ctx, q.Impl, atoms, q.MaxStates)
	return t, k, err
}

// fileSides takes a file as the specification. An automaton may leave
// propositions open.
func (q Comparison) fileSides(ctx context.Context, r *report.Comparison) (*tableau.Tableau, *structure.Structure, error) {
	r.Specification = []string{q.SpecFile}
	if a, err := readHOA(q.SpecFile); a != nil || err != nil {
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
		k, err := list(ctx, q.Impl, atoms, q.MaxStates)
		return t, k, err
	}
	spec, err := q.Open(ctx, q.SpecFile)
	if err != nil {
		return nil, nil, err
	}
	k, s, ap, notes, err := pair(ctx, q.Impl, spec, nil, q.MaxStates)
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

// readHOA reads a HOA file; nil when the file is none.
func readHOA(path string) (*hoa.Automaton, error) {
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

func (b *builder) impl(i int) *report.ImplState {
	s := &report.ImplState{State: b.c.Impl.States[i], Literals: []string{}}
	for _, name := range b.observe {
		p, _ := b.c.Impl.Proposition(name)
		if !b.c.Impl.Holds(i, p) {
			name = "!" + name
		}
		s.Literals = append(s.Literals, name)
	}
	return s
}

func (b *builder) tableau(t int) report.TableauState {
	s := &b.c.Tableau.States[t]
	out := report.TableauState{State: t, Name: s.Name, Literals: s.Text()}
	for _, f := range s.Next {
		out.Next = append(out.Next, f.String())
	}
	return out
}

func (b *builder) step(s tableau.Step) report.PairStep {
	out := report.PairStep{Tableau: &s.Tableau, Literals: b.c.Tableau.States[s.Tableau].Text()}
	if s.Impl >= 0 {
		out.Implementation = b.impl(s.Impl)
	}
	return out
}

func (b *builder) steps(path []tableau.Step) []report.PairStep {
	var out []report.PairStep
	for _, s := range path {
		out = append(out, b.step(s))
	}
	return out
}

func (b *builder) entry(e tableau.Entry) *report.Entry {
	out := &report.Entry{Consequence: e.Consequence, Path: b.steps(e.Path), OtherPath: b.steps(e.Other)}
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
