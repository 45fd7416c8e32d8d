package suggest

import (
	"context"
	"errors"
	"fmt"
	"time"

	"netcov/aiger"
	"netcov/cert"
	"netcov/certify"
	"netcov/internal/clock"
	"netcov/propset"
)

// ErrRecheck is wrapped by the error of Run where the second opinion contradicts what
// was found: a fault of the program.
var ErrRecheck = errors.New("the second opinion disagrees")

// proofs are what became of the bad-state literals of a monitored design.
type proofs struct {
	holds  []bool
	traces []*cert.Trace // those that fail
}

// leastPatience is how long no answer may come before the rest is given up; it may be as
// long as the answers took so far.
const leastPatience = time.Second

// prove asks which candidates hold on the design, all together and beside the
// properties that are known to hold: candidates are lemmas for each other. Each answer
// has its second opinion. What is open when the time ends does not hold.
func prove(ctx context.Context, m *monitored, file *aiger.File, solver certify.Solver, limit time.Duration) (*proofs, error) {
	p := &proofs{holds: make([]bool, len(m.netlist.Bads))}
	var all []int
	for i := range m.netlist.Bads {
		all = append(all, i)
	}
	if len(all) == 0 {
		return p, nil
	}
	limited, cancel := clock.Limit(ctx, limit)
	defer cancel()
	begin := time.Now()
	patience := time.AfterFunc(leastPatience, cancel)
	defer patience.Stop()
	found := func(a *propset.Answer) error {
		patience.Reset(max(leastPatience, time.Since(begin)))
		k := certify.NewChecker(file, a.Properties...)
		k.Solver = solver
		var err error
		if a.Trace != nil {
			err = k.Trace(a.Trace)
			p.traces = append(p.traces, a.Trace)
		} else {
			err = k.Invariant(ctx, a.Invariant, nil)
		}
		if err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			return fmt.Errorf("%w: %w", ErrRecheck, err)
		}
		for _, i := range a.Properties {
			p.holds[i] = a.Trace == nil
		}
		return nil
	}
	_, err := propset.Check(limited, m.netlist, all, propset.Options{Found: found})
	if err != nil && ctx.Err() != nil {
		err = nil
	}
	return p, err
}
