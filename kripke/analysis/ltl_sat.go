package analysis

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"time"

	"netcov/kripke/automaton"
	"netcov/kripke/bdd"
	"netcov/kripke/circuit"
	"netcov/kripke/ltl"
	"netcov/kripke/report"
)

// satEngine is the engine of instrumented models and SAT.
type satEngine struct {
	listed
	c *circuit.Circuit
	p *ltl.SAT
	// each bounds the time of one signal; 0 is no bound.
	each time.Duration
}

func (r *ltlRun) bySAT(wrong *automaton.Automaton, each time.Duration) (engine, *ltl.Computation, error) {
	var c *circuit.Circuit
	var err error
	if r.k != nil {
		c, err = ltl.EncodeStructure(r.k)
	} else {
		c, err = r.c.ChoicesAsInputs()
	}
	if err != nil {
		return nil, nil, err
	}
	r.q.Progress("model checking by SAT")
	p := ltl.NewSAT(c, wrong)
	counterexample, err := p.Holds(r.ctx)
	return &satEngine{listed{r: r}, c, p, each}, counterexample, err
}

func (e *satEngine) cover(sig *report.LTLSignal) error {
	ctx := e.r.ctx
	if e.each > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, e.each)
		defer cancel()
	}
	complete := true
	sig.Complete = &complete
	for _, kind := range e.r.kinds {
		set, err := e.p.Cover(ctx, kind, e.r.flip(sig), e.r.q.Found)
		if err != nil {
			return err
		}
		complete = complete && set.Complete
		if set.Refused > 0 {
			e.r.report.Note(fmt.Sprintf("warning: the second opinion does not confirm %d cubes of %s: only their runs' states are taken", set.Refused, sig.Name))
		}
		if set.Doubt != nil {
			unconfirmed(&e.r.report.Tail, fmt.Sprintf("the %s coverage of %s", kind, sig.Name), set.Doubt)
		}
		names := []string{}
		for _, s := range set.Covered {
			names = append(names, s.Name)
			if len(s.Cube.Registers) < len(e.c.Controls) {
				sig.Truncated = true // the list has an example of each cube
			}
			cube := report.Cube{Coverage: kind.String(), Cube: s.Cube.Text(e.c), State: s.Name}
			if !s.Cube.Whole {
				q := s.Cube.Automaton - 1
				cube.Automaton = &q
			}
			if !e.r.q.Basic {
				cube.Computation = e.r.computation(s.Run)
				if sig.Witness == nil {
					sig.Witness = &report.Witness{State: s.Name, Coverage: kind.String(), Computation: cube.Computation}
				}
			}
			sig.Cubes = append(sig.Cubes, cube)
		}
		slices.Sort(names)
		*sig.Of(kind) = &names
		sig.Counts[kind.String()] = big.NewInt(int64(len(names)))
	}
	if !sig.Truncated {
		sig.Cubes = nil // the list says it all
	}
	return nil
}

// Where the states are too many to list, auto gives decision diagrams some time, less
// where the whole run has little, and then goes on with SAT, some time for each signal.
// Structure and tree coverage are one state at a time by SAT, so they are computed there
// only when they are asked for.
const (
	diagramTime = 30 * time.Second
	satTime     = 60 * time.Second
)

// byChoice is the algorithm auto.
func (r *ltlRun) byChoice(wrong *automaton.Automaton) (engine, *ltl.Computation, error) {
	limit := r.q.MaxStates
	if limit <= 0 {
		limit = autoStates
	}
	e, counterexample, err := r.byProduct(wrong, limit)
	if !errors.Is(err, ltl.ErrTooLarge) || r.c == nil {
		return e, counterexample, err
	}
	err = r.within(func() (err error) {
		e, counterexample, err = r.bySymbolic(wrong)
		return err
	})
	if err == nil {
		r.report.Note("too large for the product of states; computed with decision diagrams")
		return &choice{r, wrong, e, nil}, counterexample, nil
	}
	if !r.beyond(err) {
		return nil, nil, err
	}
	second, counterexample, err := r.byLastChoice(wrong)
	return second, counterexample, err
}

// byLastChoice is SAT, with fewer notions unless they were asked for.
func (r *ltlRun) byLastChoice(wrong *automaton.Automaton) (engine, *ltl.Computation, error) {
	note := "too large for the product of states and for decision diagrams; computed by SAT"
	if len(r.q.Coverage) == 0 {
		r.kinds = []ltl.Kind{ltl.NodeCoverage}
		note += ", node coverage only"
	}
	r.report.Note(note)
	return r.bySAT(wrong, satTime)
}

// within gives a step the time of the diagrams.
func (r *ltlRun) within(step func() error) error {
	outer, most := r.ctx, diagramTime
	if end, ok := outer.Deadline(); ok {
		most = min(most, time.Until(end)/3)
	}
	ctx, cancel := context.WithTimeout(outer, most)
	defer cancel()
	r.ctx = ctx
	defer func() { r.ctx = outer }()
	return step()
}

// beyond reports whether a bound of the diagrams' own ended a step.
func (r *ltlRun) beyond(err error) bool {
	var limit *bdd.LimitError
	return r.ctx.Err() == nil && (errors.As(err, &limit) || errors.Is(err, context.DeadlineExceeded))
}

// choice is the engine of diagrams, with SAT for the signals that are beyond them.
type choice struct {
	r      *ltlRun
	wrong  *automaton.Automaton
	first  engine
	second engine // once needed
}

func (e *choice) cover(sig *report.LTLSignal) error {
	clean := *sig
	err := e.r.within(func() error { return e.first.cover(sig) })
	if err == nil || !e.r.beyond(err) {
		return err
	}
	*sig = clean
	sig.Counts = map[string]*big.Int{}
	if e.second == nil {
		e.r.report.Note(fmt.Sprintf("too large for decision diagrams: the coverage of %s is computed by SAT", sig.Name))
		if e.second, _, err = e.r.bySAT(e.wrong, satTime); err != nil {
			return err
		}
	}
	return e.second.cover(sig)
}
