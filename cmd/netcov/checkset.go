package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"netcov/aiger"
	"netcov/cert"
	"netcov/certify"
	"netcov/coverage"
	"netcov/coverage/campaign"
	"netcov/coverage/subject"
	"netcov/internal/clock"
	"netcov/internal/memlimit"
	"netcov/propset"
)

// quickTime is the most that k-induction of a single property may take before the
// engines are asked.
const quickTime = 150 * time.Millisecond

// decide model checks one property: where it is one of safety, by k-induction with
// small bounds, which costs a few queries, and then by an engine.
func (f *checkFlags) decide(ctx context.Context, in *campaign.Design, p *subject.Subject) (*coverage.Answer, error) {
	if f.engine != coverage.EngineSet {
		return p.Check(ctx, coverage.CheckOptions{Engine: f.engine, Paranoid: f.paranoid, Effort: &f.effort}), nil
	}
	var quick *coverage.Answer
	if !p.Live() && !f.paranoid { // which checks the engine
		limited, cancel := clock.Limit(ctx, quickTime)
		defer cancel()
		if _, err := propset.Check(limited, in.Netlist, []int{p.Number()}, propset.Options{Quick: true, Effort: &f.effort, Found: func(a *propset.Answer) error {
			quick = &coverage.Answer{Engine: a.Engine, Status: cert.Holds, Invariant: a.Invariant}
			if a.Trace != nil {
				quick.Status, quick.Trace = cert.Fails, a.Trace
			}
			return nil
		}}); err != nil {
			return nil, err
		}
	}
	if quick != nil {
		return quick, nil
	}
	return p.Check(ctx, coverage.CheckOptions{Paranoid: f.paranoid, Effort: &f.effort}), nil
}

// setCheck is the check of several safety properties together.
type setCheck struct {
	*checkFlags
	ctx      context.Context
	in       *campaign.Design
	out      io.Writer
	answered map[int]bool
	fails    bool // some property does
}

// checkSet checks safety properties together and writes each answer as it comes.
// It returns the exit code.
func (f *checkFlags) checkSet(c *cobra.Command, in *campaign.Design, properties []int, out io.Writer) (int, error) {
	s := &setCheck{checkFlags: f, ctx: c.Context(), in: in, out: out, answered: map[int]bool{}}
	limited, cancel := clock.Limit(c.Context(), f.timeout*time.Duration(len(properties)))
	defer cancel()
	limited, end := memlimit.Watch(limited, f.input.memory)
	defer end()
	limited, stop := context.WithCancel(limited)
	defer stop()
	opt := propset.Options{Found: s.found, Effort: &f.effort}
	var fault error
	if f.paranoid {
		opt.Check = func(err error) {
			if fault == nil {
				fault = fmt.Errorf("%w: %w", coverage.ErrRecheck, err)
				stop()
			}
		}
	}
	_, err := propset.Check(limited, in.Netlist, properties, opt)
	if fault != nil {
		err = fault
	}
	if err != nil && !errors.Is(err, errUnconfirmed) {
		return 0, err
	}
	reason := ""
	if memlimit.Exceeded(limited) {
		reason = "the memory limit was reached"
		memlimit.Collect()
	}
	for _, i := range properties {
		if s.answered[i] {
			continue
		}
		if reason != "" {
			fmt.Fprintf(c.ErrOrStderr(), "netcov: %s: property %d: %s\n", in.Path, i, reason)
		}
		if err := s.write(i, &aiger.Witness{Status: aiger.Undecided}); err != nil {
			return 0, err
		}
	}
	switch {
	case s.fails:
		return exitFails, nil
	case len(s.answered) < len(properties):
		return exitUndecided, nil
	}
	return exitDone, nil
}

// errUnconfirmed ends the run when it is interrupted before a second opinion.
var errUnconfirmed = errors.New("the run ended before the second opinion")

// found has an answer confirmed and writes it.
func (s *setCheck) found(a *propset.Answer) error {
	if !s.noRecheck {
		if err := s.confirm(a); err != nil {
			return err
		}
	}
	for _, i := range a.Properties {
		s.answered[i] = true
		w := &aiger.Witness{Status: aiger.Holds}
		if a.Trace != nil {
			s.fails = true
			one, err := s.in.Subject(i)
			if err != nil {
				return err
			}
			if s.in.Design.WriteWitness != nil {
				if err := s.in.WriteWitness(s.out, one, a.Trace); err != nil {
					return err
				}
				continue
			}
			if w, err = one.Witness(a.Trace, false); err != nil {
				return err
			}
		}
		if err := s.write(i, w); err != nil {
			return err
		}
	}
	return nil
}

// confirm asks for the second opinion: one about all properties that an invariant
// proves, one about each that a trace refutes.
func (s *setCheck) confirm(a *propset.Answer) error {
	var err error
	if a.Trace == nil {
		err = certify.NewChecker(s.in.File, a.Properties...).Invariant(s.ctx, a.Invariant, nil)
	} else {
		for _, i := range a.Properties {
			if err = certify.NewChecker(s.in.File, i).Trace(a.Trace); err != nil {
				break
			}
		}
	}
	if err != nil && s.ctx.Err() != nil && !errors.As(err, new(*certify.Failure)) {
		return errUnconfirmed
	}
	if err != nil {
		return fmt.Errorf("%w: %w", coverage.ErrRecheck, err)
	}
	return nil
}

// write writes the answer for one property, its name before it as a comment.
func (s *setCheck) write(property int, w *aiger.Witness) error {
	p := s.in.Netlist.Properties()[property]
	w.Properties = []aiger.Property{{Kind: 'b', Index: p.Index}}
	if p.Name != "" {
		if _, err := fmt.Fprintf(s.out, "c %s\n", strings.ReplaceAll(p.Name, "\n", " ")); err != nil {
			return err
		}
	}
	return aiger.WriteWitness(s.out, w)
}
