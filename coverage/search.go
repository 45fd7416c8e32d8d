package coverage

import (
	"context"
	"fmt"
	"time"

	"netcov/cert"
	"netcov/ic3"
	"netcov/internal/clock"
	"netcov/interp"
	"netcov/mutant"
	"netcov/netlist"
	"netcov/proof"
)

// Search model checks a property in slices of time: by IC3 and by bounded search, each
// of which goes on where its last slice ended.
type Search struct {
	model   *netlist.Model
	look    probes
	engine  *ic3.Engine
	bounded *interp.Bounded

	stop  context.CancelFunc // ends the slice
	fault error              // of the program: see CheckOptions.Paranoid
}

// NewSearch prepares the search for a safety property of a netlist. The engine of the
// options is of no account.
func NewSearch(n *netlist.Netlist, property int, opt CheckOptions) *Search {
	s := &Search{model: netlist.Compile(n, n.Property(property).Bad, nil, mutant.AtOutput), look: probes{effort: opt.Effort}}
	if opt.Paranoid {
		s.look.check = func(err error) {
			if s.fault == nil {
				s.fault = fmt.Errorf("%w: %w", ErrRecheck, err)
				s.stop()
			}
		}
	}
	return s
}

// Prove spends a slice on IC3; 0 is as long as ctx.
func (s *Search) Prove(ctx context.Context, slice time.Duration) *Answer {
	ctx, cancel := clock.Limit(ctx, slice)
	defer cancel()
	s.stop = cancel
	if s.engine == nil {
		s.engine = ic3.New(s.model, s.look.ic3(nil))
	}
	return s.orFault(runEngine(ctx, s.engine, ic3.Budget{}))
}

// Deepen spends a slice on bounded search, which finds counterexamples only; 0 is as
// long as ctx.
func (s *Search) Deepen(ctx context.Context, slice time.Duration) *Answer {
	ctx, cancel := clock.Limit(ctx, slice)
	defer cancel()
	s.stop = cancel
	if s.bounded == nil {
		opt := s.look.bounded()
		opt.Eliminate = true // one unrolling that grows for long: it pays (docs/performance.md)
		s.bounded = interp.NewBounded(s.model, proof.NewCDCL(opt))
	}
	p := &Answer{Engine: EngineBMC}
	for ctx.Err() == nil && !s.bounded.Exhausted() {
		t, err := s.bounded.Extend(ctx, s.bounded.Bound()+1)
		if t != nil {
			p.Status, p.Trace = cert.Fails, t
			break
		}
		if err != nil && ctx.Err() == nil {
			p.Err = err
			break
		}
	}
	p.Bound = s.bounded.Bound()
	s.look.effort.Of(EngineBMC).Frame(p.Bound)
	return s.orFault(p)
}

// orFault adds a fault of the program to an answer.
func (s *Search) orFault(p *Answer) *Answer {
	if s.fault != nil {
		p.Err = s.fault
	}
	return p
}
