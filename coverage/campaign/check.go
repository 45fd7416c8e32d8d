package campaign

import (
	"context"
	"errors"
	"fmt"
	"time"

	"netcov/cert"
	"netcov/certify"
	"netcov/coverage"
	"netcov/coverage/subject"
	"netcov/internal/clock"
	"netcov/internal/effort"
	"netcov/internal/memlimit"
	"netcov/propset"
)

// Check says how properties are model checked.
type Check struct {
	Engine    string        // coverage.EngineSet, or an engine for each property
	Timeout   time.Duration // for each property; a set has the sum. 0: none
	Memory    int64         // limit in bytes; 0: none
	NoRecheck bool          // no second opinion
	Paranoid  bool          // see coverage.Options.Paranoid
	Effort    *effort.Engines
}

// outOfMemory is the reason of an answer that the memory limit ended.
const outOfMemory = "the memory limit was reached"

// quickTime is the most that k-induction of a single property may take before the
// engines are asked.
const quickTime = 150 * time.Millisecond

// One model checks a property and has the answer confirmed. The error is
// coverage.ErrRecheck where the second opinion refuses it.
func (k *Check) One(ctx context.Context, d *Design, s *subject.Subject) (*coverage.Answer, error) {
	limited, cancel := clock.Limit(ctx, k.Timeout)
	defer cancel()
	limited, end := memlimit.Watch(limited, k.Memory)
	defer end()
	p, err := k.decide(limited, d, s)
	if err != nil {
		return nil, err
	}
	if p.Err != nil {
		return nil, p.Err
	}
	if p.Status == cert.Unknown && memlimit.Exceeded(limited) {
		p.Reason = outOfMemory
		memlimit.Collect()
	}
	if k.NoRecheck {
		return p, nil
	}
	watched, end := memlimit.Watch(ctx, k.Memory)
	defer end()
	return p, s.Confirm(watched, p)
}

// decide model checks one property: where it is one of safety, by k-induction with
// small bounds, which costs a few queries, and then by an engine.
func (k *Check) decide(ctx context.Context, d *Design, s *subject.Subject) (*coverage.Answer, error) {
	if k.Engine != coverage.EngineSet {
		return s.Check(ctx, coverage.CheckOptions{Engine: k.Engine, Paranoid: k.Paranoid, Effort: k.Effort}), nil
	}
	var quick *coverage.Answer
	if !s.Live() && !k.Paranoid { // which checks the engine
		limited, cancel := clock.Limit(ctx, quickTime)
		defer cancel()
		if _, err := propset.Check(limited, d.Netlist, []int{s.Number()}, propset.Options{Quick: true, Effort: k.Effort, Found: func(a *propset.Answer) error {
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
	return s.Check(ctx, coverage.CheckOptions{Paranoid: k.Paranoid, Effort: k.Effort}), nil
}

// errUnconfirmed ends the run when it is interrupted before a second opinion.
var errUnconfirmed = errors.New("the run ended before the second opinion")

// Set model checks safety properties together and hands each answer to found once it is
// confirmed, with the trace on which the property fails, nil where it holds. For a
// property that stays undecided found is not called; the reason says why, where that is
// not the time.
func (k *Check) Set(ctx context.Context, d *Design, properties []int, found func(property int, t *cert.Trace) error) (reason string, err error) {
	limited, cancel := clock.Limit(ctx, k.Timeout*time.Duration(len(properties)))
	defer cancel()
	limited, end := memlimit.Watch(limited, k.Memory)
	defer end()
	limited, stop := context.WithCancel(limited)
	defer stop()
	opt := propset.Options{Effort: k.Effort, Found: func(a *propset.Answer) error {
		if !k.NoRecheck {
			if err := confirm(ctx, d, a); err != nil {
				return err
			}
		}
		for _, i := range a.Properties {
			if err := found(i, a.Trace); err != nil {
				return err
			}
		}
		return nil
	}}
	var fault error
	if k.Paranoid {
		opt.Check = func(err error) {
			if fault == nil {
				fault = fmt.Errorf("%w: %w", coverage.ErrRecheck, err)
				stop()
			}
		}
	}
	_, err = propset.Check(limited, d.Netlist, properties, opt)
	if fault != nil {
		err = fault
	}
	if err != nil && !errors.Is(err, errUnconfirmed) {
		return "", err
	}
	if memlimit.Exceeded(limited) {
		reason = outOfMemory
		memlimit.Collect()
	}
	return reason, nil
}

// confirm asks for the second opinion: one about all properties that an invariant
// proves, one about each that a trace refutes.
func confirm(ctx context.Context, d *Design, a *propset.Answer) error {
	var err error
	if a.Trace == nil {
		err = certify.NewChecker(d.File, a.Properties...).Invariant(ctx, a.Invariant, nil)
	} else {
		for _, i := range a.Properties {
			if err = certify.NewChecker(d.File, i).Trace(a.Trace); err != nil {
				break
			}
		}
	}
	if err != nil && ctx.Err() != nil && !errors.As(err, new(*certify.Failure)) {
		return errUnconfirmed
	}
	if err != nil {
		return fmt.Errorf("%w: %w", coverage.ErrRecheck, err)
	}
	return nil
}
