package analysis

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"time"

	"netcov/kripke/automaton"
	"netcov/kripke/circuit"
	"netcov/kripke/ctl"
	"netcov/kripke/formula"
	"netcov/kripke/ltl"
	"netcov/kripke/report"
)

// Specifications with an LTL equivalent (formula.Linear) by SAT, where the states are too
// many to list and for decision diagrams. A mutant of CKV01 is structure coverage of LTL: an
// output is flipped for the specification at every visit of the state. A register is
// flipped for the design and the specification at every visit: the state has the labels and
// the steps of its twin, as if all steps into it went there.
//
// For AG p that is node coverage of G p, which is found in cubes and not one state at a
// time: of an output at any visit, and of a register since a state is covered exactly when
// its twin reaches ¬p (see package ctl, invariant.go).

// isInvariant reports whether f is a conjunction of AG p, without temporal operators in p.
func isInvariant(f formula.Formula) bool {
	for _, g := range formula.Conjuncts(f) {
		if g.Op() != formula.OpAG || !g.Left().Propositional() {
			return false
		}
	}
	return true
}

// maySAT reports whether a specification can go on by SAT, which takes every first input.
// Outputs that are open in some states have their worst values in one state only.
func (r *ctlRun) maySAT(f formula.Formula) bool {
	_, ok := formula.Linear(f)
	return ok && (isInvariant(f) || len(r.q.Open) == 0) && r.c != nil && r.chooses() && !r.q.Options.EmptyFirst
}

// chooses reports whether the algorithm is auto.
func (r *ctlRun) chooses() bool {
	return r.q.Options.Algorithm == ctl.Auto || r.q.Options.Algorithm == ""
}

// holds model checks a specification, with a bound on the time where SAT can go on.
func (r *ctlRun) holds(p *ctl.Problem, f formula.Formula) (bool, error) {
	ctx := r.ctx
	if r.maySAT(f) {
		most := diagramTime
		if end, ok := ctx.Deadline(); ok {
			most = min(most, time.Until(end)/3)
		}
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, most)
		defer cancel()
	}
	return p.Holds(ctx)
}

// ctlSAT is a specification for the SAT engines.
type ctlSAT struct {
	c    *circuit.Circuit
	sat  *ltl.SAT
	kind ltl.Kind         // of its coverage
	run  *ltl.Computation // a counterexample
}

func (r *ctlRun) newSAT(f formula.Formula) (*ctlSAT, error) {
	g, _ := formula.Linear(f)
	wrong, err := automaton.FromLTL(formula.Not(g), automaton.Options{Interrupt: r.ctx.Err})
	if err != nil {
		return nil, err
	}
	c, err := r.c.ChoicesAsInputs()
	if err != nil {
		return nil, err
	}
	x := &ctlSAT{c: c, sat: ltl.NewSAT(c, wrong)}
	if isInvariant(f) {
		x.kind = ltl.NodeCoverage
	}
	r.q.Options.Progress("model checking by SAT")
	x.run, err = x.sat.Holds(r.ctx)
	return x, err
}

// bySAT fills in the outcome of a specification.
func (r *ctlRun) bySAT(s *report.CTLSpec, p *ctl.Problem, f formula.Formula, names []string) error {
	r.report.Note("too many states for a list and for decision diagrams; computed by SAT")
	x, err := r.newSAT(f)
	var doubt *ltl.Unconfirmed
	if errors.As(err, &doubt) {
		unconfirmed(&r.report.Tail, f.String(), doubt)
		return nil
	}
	if err != nil {
		return err
	}
	holds := x.run == nil
	if s.Holds = &holds; !holds {
		s.Counterexample = r.ltlComputation(x.run)
		return nil
	}
	var open []string
	for _, name := range names {
		sig, err := r.signalBySAT(x, p, name)
		if err != nil {
			return fmt.Errorf("signal %s: %w", name, err)
		}
		if sig.Complete == nil || !*sig.Complete {
			open = append(open, name)
		} else if len(sig.Covered) == 0 {
			s.EmptySignals = append(s.EmptySignals, name)
		}
		s.Signals = append(s.Signals, sig)
	}
	if open != nil {
		r.report.Stopped = fmt.Sprintf("the coverage of %s is not complete", strings.Join(open, ", "))
	}
	return nil
}

func (r *ctlRun) signalBySAT(x *ctlSAT, p *ctl.Problem, name string) (report.CTLSignal, error) {
	r.q.Options.Progress(fmt.Sprintf("coverage of %s by SAT", name))
	begin := time.Now()
	kind, _ := p.Signal(name) // which was asked before
	sig := report.CTLSignal{
		Name: name, Kind: kind.Kind, Source: r.lines[name], Algorithm: "sat", Truncated: true,
		Covered: []string{}, Uncovered: []string{}, CoveredN: new(big.Int), UncoveredN: new(big.Int),
	}
	flip := ltl.Flip{Signal: name}
	if r.c.ControlIndex(name) >= 0 {
		if flip.Scope = ltl.InDesign; len(r.c.Fairness) > 0 || r.model.Constrained() || r.c.ResetsReadInputs() {
			sig.Unknown = "too many states; by SAT only without constraints, fairness and resets that read inputs"
			return sig, nil
		}
	}
	ctx, cancel := context.WithTimeout(r.ctx, satTime)
	defer cancel()
	set, err := x.sat.Cover(ctx, x.kind, flip, 0)
	if err != nil {
		return sig, err
	}
	if set.Refused > 0 {
		r.report.Note(fmt.Sprintf("warning: the second opinion does not confirm %d cubes of %s: only their runs' states are taken", set.Refused, name))
	}
	if set.Doubt != nil {
		unconfirmed(&r.report.Tail, "the coverage of "+name, set.Doubt)
	}
	var cubes []ltl.Cube
	for _, s := range set.Covered {
		sig.Covered, cubes = append(sig.Covered, s.Name), append(cubes, s.Cube)
		cube := report.Cube{Cube: s.Cube.Text(x.c), State: s.Name}
		if !s.Cube.Whole {
			q := s.Cube.Automaton - 1
			cube.Automaton = &q
		}
		if !r.q.Basic {
			cube.Computation = r.ltlComputation(s.Run)
		}
		sig.Cubes = append(sig.Cubes, cube)
	}
	slices.Sort(sig.Covered)
	sig.CoveredN = big.NewInt(int64(len(sig.Covered)))
	sig.Complete = &set.Complete
	if set.Complete && !r.q.Basic {
		path, err := x.sat.Uncovered(ctx, cubes)
		if doubt := (*ltl.Unconfirmed)(nil); errors.As(err, &doubt) {
			r.report.Note("warning: " + doubt.Error())
		} else if err != nil {
			return sig, err
		}
		sig.FirstUncovered = r.ltlComputation(path)
	}
	sig.Seconds = since(begin)
	return sig, nil
}

// ltlComputation is a computation of the SAT engines.
func (r *ctlRun) ltlComputation(run *ltl.Computation) *report.Computation {
	l := ltlRun{words: r.words}
	return l.computation(run)
}
