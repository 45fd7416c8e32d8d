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
	Left      time.Duration // for all that are still to be checked. 0: no limit
	Memory    int64         // limit in bytes; 0: none
	NoRecheck bool          // no second opinion
	Paranoid  bool          // see coverage.Options.Paranoid
	Invariant bool          // a property that holds is to have one invariant, as a certificate
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
	limited, cancel := clock.Limit(ctx, clock.Sooner(k.Timeout, k.Left))
	defer cancel()
	limited, end := memlimit.Watch(limited, k.Memory)
	defer end()
	p, confirmed, err := k.decide(limited, d, s)
	if err != nil || confirmed {
		return p, err
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
// small bounds, which costs a few queries, and then by an engine. It reports whether it
// has asked for the second opinion, too.
func (k *Check) decide(ctx context.Context, d *Design, s *subject.Subject) (p *coverage.Answer, confirmed bool, err error) {
	if k.Engine != coverage.EngineSet {
		return s.Check(ctx, coverage.CheckOptions{Engine: k.Engine, Paranoid: k.Paranoid, Effort: k.Effort}), false, nil
	}
	if !s.Live() && !k.Paranoid { // which checks the engine
		limited, cancel := clock.Limit(ctx, quickTime)
		defer cancel()
		opt := propset.Options{Quick: true, Layers: !k.Invariant, Effort: k.Effort, Found: func(a *propset.Answer) error {
			p = &coverage.Answer{Engine: a.Engine, Status: cert.Holds, Invariant: a.Invariant}
			if a.Trace != nil {
				p.Status, p.Trace = cert.Fails, a.Trace
			} else if !k.Invariant && !k.NoRecheck {
				confirmed = true
				return newSecondOpinion(d).confirm(ctx, a)
			}
			return nil
		}}
		switch _, err := propset.Check(limited, d.Netlist, []int{s.Number()}, opt); {
		case errors.Is(err, errUnconfirmed):
			return &coverage.Answer{Status: cert.Unknown, Bound: -1, Reason: err.Error()}, true, nil
		case err != nil:
			return nil, false, err
		}
	}
	if p != nil {
		return p, confirmed, nil
	}
	return s.Check(ctx, coverage.CheckOptions{Paranoid: k.Paranoid, Effort: k.Effort}), false, nil
}

// errUnconfirmed ends the run when it is interrupted before a second opinion.
var errUnconfirmed = errors.New("the run ended before the second opinion")

// Set model checks safety properties together and hands each answer to found once it is
// confirmed. For properties that stay undecided found is called at the end; the reason says
// why, where that is not the time.
func (k *Check) Set(ctx context.Context, d *Design, properties []int, found func(a *Answer) error) error {
	limited, cancel := clock.Limit(ctx, clock.Sooner(k.Timeout*time.Duration(len(properties)), k.Left))
	defer cancel()
	limited, end := memlimit.Watch(limited, k.Memory)
	defer end()
	limited, stop := context.WithCancel(limited)
	defer stop()
	second := newSecondOpinion(d)
	answered := map[int]bool{}
	opt := propset.Options{Effort: k.Effort, Layers: true, Found: func(a *propset.Answer) error {
		if !k.NoRecheck {
			if err := second.confirm(ctx, a); err != nil {
				return err
			}
		}
		for _, i := range a.Properties {
			answered[i] = true
			b := &Answer{Property: i, Status: cert.Holds, Trace: a.Trace, Bound: -1}
			if a.Trace != nil {
				b.Status = cert.Fails
			}
			if err := found(b); err != nil {
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
	res, err := propset.Check(limited, d.Netlist, properties, opt)
	if fault != nil {
		err = fault
	}
	if err != nil && !errors.Is(err, errUnconfirmed) {
		return err
	}
	reason := ""
	if memlimit.Exceeded(limited) {
		reason = outOfMemory
		memlimit.Collect()
	}
	for _, i := range properties {
		if answered[i] {
			continue
		}
		bound, known := res.Bounds[i]
		if !known {
			bound = -1
		}
		if err := found(&Answer{Property: i, Status: cert.Unknown, Reason: reason, Bound: bound}); err != nil {
			return err
		}
	}
	return nil
}

// secondOpinion hears the answers about a set of properties.
type secondOpinion struct {
	d      *Design
	layers *certify.Layers
	of     map[int]*certify.Layers // the layers of each cluster so far
}

func newSecondOpinion(d *Design) *secondOpinion {
	return &secondOpinion{d, certify.NewLayers(d.File), map[int]*certify.Layers{}}
}

// confirm asks about each layer of a proof, and about each property that a trace
// refutes.
func (o *secondOpinion) confirm(ctx context.Context, a *propset.Answer) error {
	if o.of[a.Cluster] == nil {
		o.of[a.Cluster] = o.layers.Anew()
	}
	var err error
	for _, l := range a.Layers {
		if err = o.of[a.Cluster].Confirm(ctx, l); err != nil {
			break
		}
	}
	if a.Trace != nil {
		for _, i := range a.Properties {
			if err = certify.NewChecker(o.d.File, i).Trace(a.Trace); err != nil {
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
