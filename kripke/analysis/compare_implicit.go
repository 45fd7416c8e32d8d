package analysis

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"netcov/aig"
	"netcov/kripke/bdd"
	"netcov/kripke/circuit"
	"netcov/kripke/formula"
	"netcov/kripke/report"
	"netcov/kripke/structure"
	"netcov/kripke/symbolic"
	"netcov/kripke/tableau"
)

// CompareAlgorithms are the names that Comparison.Algorithm takes. auto lists both sides
// where they are small, is implicit where they are not, and lists them all the same where
// the diagrams reach their limit.
var CompareAlgorithms = []string{"auto", string(tableau.Explicit), string(tableau.Symbolic), implicit}

const implicit = "implicit"

// Bounds of what auto lists.
const (
	autoTableau     = 1 << 13
	autoTransitions = 1 << 15
	autoDesign      = 1 << 12
)

// byChoice is the algorithm auto.
func (q Comparison) byChoice(ctx context.Context, r *report.Comparison) error {
	if q.SpecFile != "" {
		return q.listed(ctx, r)
	}
	small := q
	small.MaxStates = autoDesign
	if q.MaxStates > 0 {
		small.MaxStates = min(small.MaxStates, q.MaxStates)
	}
	small.tableau, small.transitions = autoTableau, autoTransitions
	err := small.listed(ctx, r)
	if !errors.Is(err, circuit.ErrTooLarge) && !errors.Is(err, tableau.ErrTooLarge) {
		return err
	}
	start := *r
	most := diagramTime
	if end, ok := ctx.Deadline(); ok {
		most = min(most, time.Until(end)/3)
	}
	within, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	err = q.implicit(within, r)
	var limit *bdd.LimitError
	if ctx.Err() == nil && (errors.As(err, &limit) || errors.Is(err, context.DeadlineExceeded)) {
		*r = start
		r.Note("too large for decision diagrams; both sides are listed")
		return q.listed(ctx, r)
	}
	return err
}

// implicit compares with neither side listed.
func (q Comparison) implicit(ctx context.Context, r *report.Comparison) error {
	if q.SpecFile != "" {
		return fmt.Errorf("the algorithm %q compares with formulas; use explicit or symbolic for %s", implicit, q.SpecFile)
	}
	specs, err := q.formulas(r)
	if err != nil {
		return err
	}
	r.Algorithm = implicit
	q.Progress("reading the design")
	sys, fair, own, err := q.system(ctx, q.atoms(specs))
	if err != nil {
		return err
	}
	has := func(name string) bool { _, ok := sys.Label(name); return ok }
	atoms := formula.Atoms(specs...)
	r.Observed = q.observed(own, has, atoms)
	if err := q.known(append(atoms, q.Signals...), has, own); err != nil {
		return err
	}
	q.Progress("comparing")
	c, err := tableau.NewImplicit(ctx, sys, fair, specs, tableau.Options{AP: r.Observed, Diagrams: bdd.Options{NodeLimit: q.NodeLimit}})
	if err != nil {
		return at(q.Impl.Path, err)
	}
	r.Holds, r.Variables, r.Iteration = &c.Holds, c.Variables, c.Iterations
	if !c.Holds {
		return q.refute(ctx, r, specs[c.Failing])
	}
	if c.Unfair.Sign() > 0 {
		r.Note(fmt.Sprintf("%s: left out, since no fair path starts there: %s reachable states", q.Impl.Path, c.Unfair))
	}
	if c.States.Sign() == 0 {
		r.Warn(noPath)
	}
	r.States, r.Pairs = json.Number(c.States.String()), json.Number(c.Pairs.String())
	r.Tableau = report.Size{
		States:      json.Number(c.TableauStates.String()),
		Transitions: json.Number(c.Transitions.String()),
		Initial:     json.Number(c.Initial.String()),
	}
	for _, k := range tableau.Criteria {
		r.Totals[string(k)] = json.Number(c.Counts[k].String())
	}
	filter, err := q.filter(func() (*tableau.Comparison, error) { return q.baseline(ctx, r.Observed) })
	if err != nil {
		return err
	}
	return q.entries(ctx, r, c, filter)
}

// refute shows why a conjunct fails, with the tableau of that one alone.
func (q Comparison) refute(ctx context.Context, r *report.Comparison, spec formula.Formula) error {
	r.Note(fmt.Sprintf("%s fails", spec))
	alone := q
	alone.Specs, alone.Baseline = []formula.Formula{spec}, nil
	if alone.MaxStates <= 0 {
		alone.MaxStates = 1 << 16
	}
	one := &report.Comparison{Totals: map[string]json.Number{}, Criteria: map[string][]*report.Entry{}}
	err := alone.listed(ctx, one)
	switch {
	case errors.Is(err, circuit.ErrTooLarge), errors.Is(err, tableau.ErrTooLarge):
		r.Note("too many states to list for a path: 'netcov ctl' shows one")
		return nil
	case err != nil:
		return err
	}
	r.States, r.Tableau, r.Reason, r.Trace = one.States, one.Tableau, one.Reason, one.Trace
	return nil
}

// system is the design as decision diagrams with its fairness sets, and its own
// propositions where it is a structure.
func (q Comparison) system(ctx context.Context, atoms []string) (sys *symbolic.System, fair []bdd.Ref, own []string, err error) {
	sets := func(names []string) (out []bdd.Ref) {
		for _, name := range names {
			f, _ := sys.Label(name)
			out = append(out, f)
		}
		return out
	}
	src, opt := q.Impl, bdd.Options{NodeLimit: q.NodeLimit, Interrupt: func() error { return context.Cause(ctx) }}
	if src.Format == "smv" {
		s, err := src.AsSystem(with(atoms, src.Observable()...))
		if err != nil {
			return nil, nil, nil, err
		}
		if sys, err = s.Make(opt); err == nil {
			return sys, sets(s.Fairness), nil, nil
		}
		if !errors.Is(err, symbolic.ErrNoState) {
			return nil, nil, nil, at(src.Path, err)
		}
	} else if is, _ := src.Circuit(); is {
		c, err := src.AsCircuit(atoms)
		if err != nil {
			return nil, nil, nil, err
		}
		if c.Constraint == aig.True && len(c.Choices) == 0 && len(c.Controls)+len(c.Inputs) > 0 {
			if sys, err = symbolic.FromCircuit(c, opt); err != nil {
				return nil, nil, nil, at(src.Path, err)
			}
			return sys, sys.Steps, nil, nil // sets of states, where no state has choices
		}
	}
	k, err := list(ctx, src, atoms, q.MaxStates)
	if err != nil {
		return nil, nil, nil, err
	}
	if src.Format == "hoa" || src.Format == "text" {
		own = k.AP
	}
	if sys, err = symbolic.FromStructure(k, opt); err != nil {
		return nil, nil, nil, at(src.Path, err)
	}
	var names []string
	for i := range k.Fair {
		names = append(names, structure.FairName(i))
	}
	return sys, sets(names), own, nil
}

// known checks the names that are asked for.
func (q Comparison) known(names []string, has func(string) bool, have []string) error {
	for _, s := range names {
		if !has(s) {
			there := ""
			if len(have) > 0 {
				there = "; there are " + strings.Join(have, ", ")
			}
			return fmt.Errorf("%s: there is no signal %q%s", q.Impl.Path, s, there)
		}
	}
	return nil
}
