package analysis

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"netcov/kripke/bdd"
	"netcov/kripke/load"
	"netcov/kripke/report"
	"netcov/kripke/similarity"
	"netcov/kripke/structure"
)

// Simulation asks for the simulation coverage of an implementation.
type Simulation struct {
	Impl, Spec *load.Source
	// Compare lists the propositions that are compared; none are the
	// specification's.
	Compare []string
	// Signals are the signals whose coverage is wanted; none are all compared
	// ones, or no signal when there is a mutant vector.
	Signals []string
	Mutants string // file of a mutant vector, "" for none
	// Algorithm is "" for halving, or with fairness sets of the specification for
	// symbolic and, where the diagrams reach their limit, halving.
	Algorithm similarity.Algorithm
	Seed      uint64
	MaxStates int // of each side; 0 is structure.MaxStates
	Room

	fallback bool // from symbolic to halving
}

// Run computes the report. When the context ends the run, the report holds what
// is known by then and says so in Stopped; other errors give no report.
func (q Simulation) Run(ctx context.Context) (*report.Simulation, error) {
	r := &report.Simulation{
		Schema: "netcov-simulate/1", Implementation: q.Impl.Path, Specification: q.Spec.Path, Algorithm: string(cmp.Or(q.Algorithm, similarity.Halving)),
		Compared: []string{}, Signals: []report.SimulationSignal{}, Covered: [][2]string{},
		Tail: report.Tail{Notes: append(slices.Clone(q.Impl.Notes), q.Spec.Notes...)},
	}
	err := q.run(ctx, r)
	if _, err := ended(ctx, q.Impl.Path, err, &r.Tail); err != nil {
		return nil, err
	}
	return r, nil
}

func (q Simulation) run(ctx context.Context, r *report.Simulation) error {
	q.Progress("listing states")
	impl, spec, ap, notes, err := pair(ctx, q.Impl, q.Spec, q.Compare, q.MaxStates)
	if err != nil {
		return err
	}
	r.Graph = func() (*structure.Structure, error) { return impl, nil }
	r.Compared, r.Notes = ap, append(r.Notes, notes...)
	r.States, r.Transitions = [2]int{impl.Len(), spec.Len()}, [2]int{impl.Transitions(), spec.Transitions()}
	p, err := similarity.NewProblem(impl, spec, ap...)
	if err != nil {
		return err
	}
	for _, s := range q.Signals {
		if _, ok := impl.Proposition(s); !ok {
			return fmt.Errorf("%s: there is no signal %q; there are %s", q.Impl.Path, s, strings.Join(impl.AP, ", "))
		}
	}
	var mutants []similarity.Mutant
	if q.Mutants != "" {
		text, err := os.Open(q.Mutants)
		if err != nil {
			return err
		}
		defer text.Close()
		file := q.Impl.Format == "hoa" || q.Impl.Format == "text"
		var unlisted []string
		if mutants, unlisted, err = p.ReadMutants(q.Mutants, text, !file); err != nil {
			return err
		}
		if n := len(unlisted); n > 0 {
			r.Notes = append(r.Notes, fmt.Sprintf("%s: %d states are not among the reachable ones, so their mutants are not covered: %.200s", q.Mutants, n, strings.Join(unlisted, ", ")))
		}
		r.Mutants = len(mutants)
	}
	reachable := impl.Reachable()
	for s, name := range impl.States {
		if !reachable.Has(s) {
			r.Unreachable = append(r.Unreachable, name)
		}
	}
	r.Notes = append(r.Notes, unfair(q.Impl.Path, impl, p.Impl)...)
	r.Notes = append(r.Notes, unfair(q.Spec.Path, spec, p.Spec)...)
	r.Fair = len(impl.Fair)+len(spec.Fair) > 0
	q.Progress("simulation")
	sim, err := p.Similarity(ctx)
	if err != nil {
		return err
	}
	holds := p.Simulates(sim)
	r.Simulated = &holds
	if !holds {
		why, err := p.Why(ctx, sim)
		if err != nil {
			return err
		}
		r.Reason = reason(p, why, ap)
		return nil
	}
	if q.Algorithm == "" {
		if q.Algorithm = similarity.Halving; len(p.Spec.Fair) > 0 {
			q.Algorithm, q.fallback = similarity.Symbolic, true
		}
	}
	r.Algorithm = string(q.Algorithm)
	signals := q.Signals
	if len(signals) == 0 && q.Mutants == "" {
		signals = p.Propositions()
	}
	for _, name := range signals {
		q.Progress("coverage of " + name)
		vector := p.MutantsOf(name)
		covered, effort, err := q.cover(ctx, r, p, vector)
		if err != nil {
			return err
		}
		s := report.SimulationSignal{Name: name, Covered: []string{}, Uncovered: []string{}, Effort: effort}
		for n, m := range vector {
			if covered[n] {
				s.Covered = append(s.Covered, impl.States[m.State])
			} else {
				s.Uncovered = append(s.Uncovered, impl.States[m.State])
			}
		}
		r.Signals = append(r.Signals, s)
	}
	if q.Mutants == "" {
		return nil
	}
	q.Progress("coverage of the mutants")
	covered, effort, err := q.cover(ctx, r, p, mutants)
	if err != nil {
		return err
	}
	r.Effort = effort
	for n, m := range mutants {
		if covered[n] {
			r.Covered = append(r.Covered, [2]string{impl.States[m.State], m.Signal})
		}
	}
	return nil
}

// unfair says which reachable states the fair part of a side leaves out.
func unfair(path string, k, fair *structure.Structure) []string {
	if len(fair.Initial) == 0 {
		return []string{path + ": no fair path starts in an initial state"}
	}
	out := k.Reachable()
	out.Subtract(k.FairStates())
	var names []string
	for s := range out.All() {
		if names = append(names, k.States[s]); len(names) == 20 {
			break
		}
	}
	if names == nil {
		return nil
	}
	return []string{fmt.Sprintf("%s: left out, since no fair path starts there: %d reachable states: %.200s", path, out.Count(), strings.Join(names, ", "))}
}

func (q Simulation) cover(ctx context.Context, r *report.Simulation, p *similarity.Problem, vector []similarity.Mutant) ([]bool, *report.Effort, error) {
	start := time.Now()
	opt := similarity.Options{Algorithm: q.Algorithm, Seed: q.Seed, Diagrams: bdd.Options{NodeLimit: q.NodeLimit}}
	c, err := p.Cover(ctx, vector, opt)
	var limit *bdd.LimitError
	if q.fallback && errors.As(err, &limit) {
		r.Note("halving where the decision diagrams reached their limit")
		opt.Algorithm = similarity.Halving
		c, err = p.Cover(ctx, vector, opt)
	}
	if err != nil {
		return nil, nil, err
	}
	return c.Covered, &report.Effort{Calls: c.Calls, Work: c.Work, Variables: c.Variables, PeakNodes: c.PeakNodes, Iterations: c.Iterations, Seconds: since(start)}, nil
}

func reason(p *similarity.Problem, why *similarity.Reason, compared []string) *report.Reason {
	r := &report.Reason{Trace: why.Trace}
	if why.Endless {
		r.Loop = &why.Loop
	}
	for n, w := range why.Path {
		s := report.Step{State: p.Impl.States[w], Holds: []string{}}
		for _, name := range p.Impl.Label(w) {
			if slices.Contains(compared, name) {
				s.Holds = append(s.Holds, name)
			}
		}
		if n < len(why.Answer) {
			s.Answer = p.Spec.States[why.Answer[n]]
		}
		r.Steps = append(r.Steps, s)
	}
	return r
}
