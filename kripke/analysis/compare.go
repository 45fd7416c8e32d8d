package analysis

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
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
	Algorithm string // one of CompareAlgorithms; "" is auto
	MaxStates int

	// Bounds of a listed tableau, 0 for its own ones.
	tableau, transitions int
	Room
}

// Run computes the report. When the context ends the run, the report says so in
// Stopped; other errors give no report.
func (q Comparison) Run(ctx context.Context) (*report.Comparison, error) {
	q.Algorithm = cmp.Or(q.Algorithm, "auto")
	r := &report.Comparison{
		Schema: "netcov-compare/1", Implementation: q.Impl.Path, Specification: []string{}, Observed: []string{}, Algorithm: q.Algorithm,
		Totals: map[string]json.Number{}, Criteria: map[string][]*report.Entry{},
		Tail: report.Tail{Notes: slices.Clone(q.Impl.Notes)},
	}
	for _, k := range tableau.Criteria {
		r.Criteria[string(k)] = []*report.Entry{}
		r.Totals[string(k)] = "0"
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
	switch q.Algorithm {
	case "auto":
		return q.byChoice(ctx, r)
	case implicit:
		return q.implicit(ctx, r)
	}
	return q.listed(ctx, r)
}

func number(n int) json.Number { return json.Number(strconv.Itoa(n)) }

// listed compares with both sides listed.
func (q Comparison) listed(ctx context.Context, r *report.Comparison) error {
	if q.Algorithm != string(tableau.Symbolic) {
		r.Algorithm = string(tableau.Explicit)
	}
	q.Progress("listing states")
	t, k, err := q.sides(ctx, r)
	if err != nil {
		return err
	}
	has := func(name string) bool { _, ok := k.Proposition(name); return ok }
	var own []string
	if q.Impl.Format == "hoa" || q.Impl.Format == "text" {
		own = k.AP
	}
	if err := q.known(q.Signals, has, k.AP); err != nil {
		return err
	}
	fair := k.FairPart()
	if len(fair.Initial) == 0 {
		r.Warn(noPath)
	} else {
		r.Notes = append(r.Notes, unfair(q.Impl.Path, k, fair)...)
	}
	r.Observed, r.States = q.observed(own, has, t.AP), number(fair.Reachable().Count())
	r.Tableau = report.Size{States: number(t.Len()), Transitions: number(t.Transitions()), Initial: number(len(t.Initial))}
	r.Graph = func() (*structure.Structure, error) { return drawn(t) }
	q.Progress("comparing")
	c, err := q.compare(ctx, k, t, r.Observed)
	if err != nil {
		return at(q.Impl.Path, err)
	}
	r.Holds = &c.Holds
	r.Pairs, r.Variables, r.PeakNodes, r.Iteration = number(c.Pairs), c.Variables, c.PeakNodes, c.Iterations
	if !c.Holds {
		b := &builder{c, r.Observed}
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
	for _, k := range tableau.Criteria {
		r.Totals[string(k)] = number(c.Count(k))
	}
	filter, err := q.filter(func() (*tableau.Comparison, error) { return q.baselineOf(ctx, k, r.Observed) })
	if err != nil {
		return err
	}
	r.Missing = report.Missing{States: c.UnImplementedState, Steps: c.UnImplementedTransition}
	return q.entries(ctx, r, c, filter)
}

func (q Comparison) compare(ctx context.Context, k *structure.Structure, t *tableau.Tableau, observe []string) (*tableau.Comparison, error) {
	opt := tableau.Options{Algorithm: tableau.Explicit, AP: observe, Diagrams: bdd.Options{NodeLimit: q.NodeLimit}}
	if q.Algorithm == string(tableau.Symbolic) {
		opt.Algorithm = tableau.Symbolic
	}
	return tableau.Compare(ctx, k, t, opt)
}

// filter is what the request asks to leave out.
func (q Comparison) filter(baseline func() (*tableau.Comparison, error)) (f *tableau.Filter, err error) {
	f = &tableau.Filter{Signals: q.Signals, First: q.First, Most: q.Most}
	if len(q.Baseline) > 0 {
		f.Known, err = baseline()
	}
	return f, err
}

// entries adds the entries of all criteria to the report.
func (q Comparison) entries(ctx context.Context, r *report.Comparison, c compared, filter *tableau.Filter) error {
	q.Progress("evidence")
	b := &builder{c, r.Observed}
	for _, criterion := range tableau.Criteria {
		entries, err := c.Entries(ctx, criterion, filter)
		for _, e := range entries {
			r.Criteria[string(criterion)] = append(r.Criteria[string(criterion)], b.entry(e))
		}
		if err != nil {
			return err
		}
	}
	r.Complete = true
	for _, k := range tableau.Criteria[:3] {
		r.Complete = r.Complete && r.Totals[string(k)] == "0"
	}
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
func (q Comparison) baseline(ctx context.Context, observe []string) (*tableau.Comparison, error) {
	k, err := list(ctx, q.Impl, q.atoms(q.Baseline), q.MaxStates)
	if err != nil {
		return nil, err
	}
	return q.baselineOf(ctx, k, observe)
}

func (q Comparison) baselineOf(ctx context.Context, k *structure.Structure, observe []string) (*tableau.Comparison, error) {
	t, err := tableau.New(ctx, q.Baseline...)
	if err != nil {
		return nil, fmt.Errorf("the baseline: %w", err)
	}
	known, err := q.compare(ctx, k, t, observe)
	if err != nil {
		return nil, fmt.Errorf("the baseline: %w", err)
	}
	if !known.Holds {
		return nil, errors.New("the baseline: the specification does not hold")
	}
	return known, nil
}

// observed is what can be seen of a design: what is asked for; all propositions of a
// structure file, its own; else the specification's propositions and the observable
// signals.
func (q Comparison) observed(own []string, has func(string) bool, spec []string) []string {
	if len(q.Observe) > 0 {
		return q.Observe
	}
	if own != nil {
		return own
	}
	out := []string{}
	for _, name := range append(slices.Clone(spec), q.Impl.Observable()...) {
		if has(name) && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

// formulas are the specifications, with comparisons of words resolved; those of the
// baseline are resolved too.
func (q Comparison) formulas(r *report.Comparison) ([]formula.Formula, error) {
	written, specs, err := specifications(q.Impl, q.Specs, formula.ACTL)
	if err != nil {
		return nil, err
	}
	if len(written) == 0 {
		return nil, fmt.Errorf("%s has no CTL specification of its own: give one, or a file", q.Impl.Path)
	}
	r.Specification = []string{}
	for _, f := range written {
		r.Specification = append(r.Specification, f.String())
	}
	for n, f := range q.Baseline {
		g, err := q.Impl.Resolve(f)
		if err != nil {
			return nil, err
		}
		q.Baseline[n] = g
	}
	return specs, nil
}

// atoms are the propositions that a run reads.
func (q Comparison) atoms(specs []formula.Formula) []string {
	atoms := with(formula.Atoms(append(slices.Clone(specs), q.Baseline...)...), q.Observe...)
	slices.Sort(atoms)
	return atoms
}

// sides reads the implementation and makes the tableau.
func (q Comparison) sides(ctx context.Context, r *report.Comparison) (*tableau.Tableau, *structure.Structure, error) {
	if q.SpecFile != "" {
		return q.fileSides(ctx, r)
	}
	specs, err := q.formulas(r)
	if err != nil {
		return nil, nil, err
	}
	t, err := tableau.NewWithin(ctx, cmp.Or(q.tableau, tableau.MaxSets), cmp.Or(q.transitions, tableau.MaxTransitions), specs...)
	if err != nil {
		return nil, nil, err
	}
	k, err := list(ctx, q.Impl, q.atoms(specs), q.MaxStates)
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
	r.Notes = append(r.Notes, unfair(q.SpecFile, s, s.FairPart())...)
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

// compared is a comparison, listed or implicit.
type compared interface {
	Entries(ctx context.Context, k tableau.Criterion, f *tableau.Filter) ([]tableau.Entry, error)
	StateOf(t int) *tableau.State
	ImplName(i int) string
	Shows(i int, name string) bool
}

// builder turns numbers into what a report shows.
type builder struct {
	c       compared
	observe []string
}

func (b *builder) impl(i int) *report.ImplState {
	s := &report.ImplState{State: b.c.ImplName(i), Literals: []string{}}
	for _, name := range b.observe {
		if !b.c.Shows(i, name) {
			name = "!" + name
		}
		s.Literals = append(s.Literals, name)
	}
	return s
}

func (b *builder) tableau(t int) report.TableauState {
	s := b.c.StateOf(t)
	out := report.TableauState{State: t, Name: s.Name, Literals: s.Text()}
	for _, f := range s.Next {
		out.Next = append(out.Next, f.String())
	}
	return out
}

func (b *builder) step(s tableau.Step) report.PairStep {
	out := report.PairStep{Tableau: &s.Tableau, Literals: b.c.StateOf(s.Tableau).Text()}
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
