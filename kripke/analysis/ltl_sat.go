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
	// each bounds the time of one signal; 0 is no bound. end is that of the specification,
	// zero for none.
	each time.Duration
	end  time.Time
}

// verdictTime bounds the verdict on a specification in auto; each of several has at most
// its share of the time that is left, so that a hard one leaves time to the coverage of
// the others.
const verdictTime = 10 * time.Minute

var errLate = errors.New("not decided in its share of the time")

// share is the end of one of n parts of the time that is left, zero for all of it.
func share(ctx context.Context, n int) time.Time {
	end, ok := ctx.Deadline()
	if !ok || n < 2 {
		return time.Time{}
	}
	return time.Now().Add(time.Until(end) / time.Duration(n))
}

// until bounds a step; a zero end is none.
func until(ctx context.Context, end time.Time) (context.Context, context.CancelFunc) {
	if end.IsZero() {
		return context.WithCancel(ctx)
	}
	return context.WithDeadline(ctx, end)
}

// again takes up the specifications that were late, with the time that is left.
func (r *ltlRun) again() error {
	late := r.late
	r.late = nil
	if end, ok := r.ctx.Deadline(); ok && time.Until(end) > time.Second {
		for n, i := range late {
			r.specsLeft = len(late) - n
			if err := r.spec(i); err != nil {
				return err
			}
		}
	} else {
		r.late = late
	}
	if len(r.late) > 0 && r.report.Stopped == "" {
		s := r.report.Specs[r.late[0]].Formula
		r.report.Stopped = s + " is not decided in its share of the time"
		if more := len(r.late) - 1; more > 0 {
			r.report.Stopped += fmt.Sprintf(", and %d more", more)
		}
	}
	return nil
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
	end := share(r.ctx, r.specsLeft)
	verdict := end
	if most := time.Now().Add(verdictTime); each > 0 && (end.IsZero() || most.Before(end)) {
		verdict = most
	}
	ctx, cancel := until(r.ctx, verdict)
	defer cancel()
	counterexample, err := p.Holds(ctx)
	if err != nil && ctx.Err() != nil && r.ctx.Err() == nil {
		err = errLate
	}
	return &satEngine{listed{r: r}, c, p, each, end}, counterexample, err
}

func (e *satEngine) cover(sig *report.LTLSignal) error {
	ctx, cancel := until(e.r.ctx, e.end)
	defer cancel()
	ctx, cancel = until(ctx, share(ctx, e.r.signalsLeft))
	defer cancel()
	if e.each > 0 {
		ctx, cancel = context.WithTimeout(ctx, e.each)
		defer cancel()
	}
	complete := true
	sig.Complete = &complete
	var cubes []ltl.Cube
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
			names, cubes = append(names, s.Name), append(cubes, s.Cube)
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
	if !complete || e.r.q.Basic {
		return nil
	}
	path, err := e.p.Uncovered(ctx, cubes)
	if doubt := (*ltl.Unconfirmed)(nil); errors.As(err, &doubt) {
		e.r.report.Note("warning: " + doubt.Error())
		return nil
	}
	sig.FirstUncovered = e.r.computation(path)
	return err
}

// The algorithm auto lists few states at first. Where there are more it tries decision
// diagrams with little work, then lists as many as it may, then gives the diagrams some
// time, less where the whole run has little, and goes on with SAT, some time for each
// signal. Structure and tree coverage are one state at a time by SAT, so they are computed
// there only when they are asked for.
const (
	diagramTime = 30 * time.Second
	satTime     = 60 * time.Second
	trialTicks  = 1 << 10
)

var fewStates = 1 << 13 // tests need fewer

// byChoice is the algorithm auto.
func (r *ltlRun) byChoice(wrong *automaton.Automaton) (engine, *ltl.Computation, error) {
	limit := r.q.MaxStates
	if limit <= 0 {
		limit = autoStates
	}
	if r.c == nil || limit <= fewStates {
		return r.byChoiceAmongMany(wrong, limit)
	}
	e, counterexample, err := r.byProduct(wrong, fewStates)
	if !errors.Is(err, ltl.ErrTooLarge) {
		return e, counterexample, err
	}
	opt := r.options()
	opt.Ticks = trialTicks
	e, counterexample, err = r.bySymbolic(wrong, opt)
	switch {
	case err == nil:
	case r.beyond(err):
		return r.byChoiceAmongMany(wrong, limit)
	default:
		return nil, nil, err
	}
	return &choice{r: r, first: e, leave: true, next: func(string) (engine, error) {
		e, _, err := r.byChoiceAmongMany(wrong, limit)
		return e, err
	}}, counterexample, nil
}

func (r *ltlRun) byChoiceAmongMany(wrong *automaton.Automaton, limit int) (engine, *ltl.Computation, error) {
	e, counterexample, err := r.byProduct(wrong, limit)
	if !errors.Is(err, ltl.ErrTooLarge) || r.c == nil {
		return e, counterexample, err
	}
	err = r.within(func() (err error) {
		e, counterexample, err = r.bySymbolic(wrong, r.options())
		return err
	})
	if err == nil {
		r.report.Note("too large for the product of states; computed with decision diagrams")
		return &choice{r: r, first: e, next: func(signal string) (engine, error) {
			r.report.Note(fmt.Sprintf("too large for decision diagrams: the coverage of %s is computed by SAT", signal))
			e, _, err := r.bySAT(wrong, satTime)
			if doubt := (*ltl.Unconfirmed)(nil); errors.Is(err, errLate) || errors.As(err, &doubt) {
				return unknown{r}, nil
			}
			return e, err
		}}, counterexample, nil
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
	return r.ctx.Err() == nil && (errors.As(err, &limit) || errors.Is(err, ltl.ErrTicks) || errors.Is(err, context.DeadlineExceeded))
}

// choice is the engine of diagrams, with another one for the signals that are beyond them.
type choice struct {
	r      *ltlRun
	first  engine
	next   func(signal string) (engine, error) // makes the second
	second engine                              // once needed
	leave  bool                                // the first one, as soon as a signal is beyond it
}

func (e *choice) cover(sig *report.LTLSignal) error {
	if e.second == nil || !e.leave {
		clean := *sig
		err := e.r.within(func() error { return e.first.cover(sig) })
		if err == nil || !e.r.beyond(err) {
			return err
		}
		*sig = clean
		sig.Counts = map[string]*big.Int{}
	}
	if e.second == nil {
		var err error
		if e.second, err = e.next(sig.Name); err != nil {
			return err
		}
	}
	return e.second.cover(sig)
}

// unknown is the engine where SAT does not come to the coverage.
type unknown struct{ r *ltlRun }

func (e unknown) cover(sig *report.LTLSignal) error {
	sig.Complete = new(bool)
	for _, kind := range e.r.kinds {
		*sig.Of(kind) = &[]string{}
		sig.Counts[kind.String()] = new(big.Int)
	}
	return nil
}
