package matrix

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"netcov/aiger"
	"netcov/aiger/sim"
	"netcov/cert"
	"netcov/certify"
	"netcov/coverage"
	"netcov/internal/clock"
	"netcov/internal/memlimit"
	"netcov/mutant"
	"netcov/netlist"
	"netcov/propset"
)

// Properties that are inductive together are hard alone, on a mutant as on the design.
// So the cells of one mutant that are left are decided together: the mutant is a design
// of its own, whose properties are model checked as a set (package propset). Those that
// hold there help, those that fail leave the set.

// The time for a mutant grows from round to round.
const (
	firstTurn  = 200 * time.Millisecond
	turnGrowth = 4
)

// together decides the cells that are left, a mutant at a time, until ctx ends.
func (r *runner) together(ctx context.Context) error {
	for turn := firstTurn; ctx.Err() == nil && !r.enough(); turn *= turnGrowth {
		left := false
		for _, free := range []bool{true, false} { // a free value serves both stuck ones
			for _, c := range r.crossings {
				for _, s := range c.sites {
					if ctx.Err() != nil || r.enough() {
						return nil
					}
					if (s.fault.Kind == mutant.Nondet) != free || !c.open(s) {
						continue
					}
					if err := c.model(ctx, r, s, turn); err != nil {
						return err
					}
					left = left || c.open(s)
				}
			}
		}
		if !left {
			return nil
		}
	}
	return nil
}

// open reports whether a mutant has cells that are not known.
func (c *crossing) open(s site) bool {
	return slices.ContainsFunc(c.rows, func(i int) bool { return c.matrix.rows[i].unknown.has(s.column) })
}

// model model checks on one mutant the properties of the group that do not fail there as
// far as is known.
func (c *crossing) model(ctx context.Context, r *runner, s site, turn time.Duration) error {
	file, err := sim.Mutant(c.file, s.fault)
	if err != nil {
		return err
	}
	var asked []int
	for position, i := range c.rows {
		if !c.matrix.rows[i].fails.has(s.column) {
			asked = append(asked, position)
		}
	}
	n := netlist.FromAIGER(file)
	cluster := map[int]int{}
	for k, ps := range propset.Clusters(n, asked) {
		for _, p := range ps {
			cluster[p] = k
		}
	}
	proofs := map[int]*propset.Answer{} // by cluster, the last one
	held := map[int][]int{}
	limited, cancel := clock.Limit(ctx, turn)
	defer cancel()
	watched, end := memlimit.Watch(limited, r.opt.MemoryLimit)
	defer end()
	_, err = propset.Check(watched, n, asked, propset.Options{Effort: r.opt.Effort, Found: func(a *propset.Answer) error {
		if a.Trace == nil {
			k := cluster[a.Properties[0]]
			proofs[k], held[k] = a, append(held[k], a.Properties...)
			return nil
		}
		t := c.part.Trace(a.Trace)
		if err := r.cross(ctx, t); err != nil {
			return err
		}
		r.cells.Record(coverage.Finding{Trace: t})
		for _, p := range a.Properties {
			if c.matrix.Cell(c.rows[p], s.mutant) != coverage.Covered && ctx.Err() == nil {
				return fmt.Errorf("%w: property %d on %v, %v", coverage.ErrRecheck, c.matrix.Properties[c.rows[p]], s.mutant.Target, s.mutant.Fault)
			}
		}
		return nil
	}})
	if err != nil && watched.Err() == nil || errors.Is(err, coverage.ErrRecheck) {
		return err
	}
	for k, a := range proofs {
		if !r.opt.NoRecheck {
			ok, err := confirm(ctx, r, file, held[k], a.Invariant)
			if err != nil {
				return fmt.Errorf("%w: %v, %v: %w", coverage.ErrRecheck, s.mutant.Target, s.mutant.Fault, err)
			}
			if !ok {
				return nil
			}
		}
		x := coverage.Finding{Target: s.mutant.Target, Fault: s.mutant.Fault, Invariant: a.Invariant}
		for _, p := range held[k] {
			x.Properties = append(x.Properties, c.matrix.Properties[c.rows[p]])
			c.matrix.put(c.rows[p], s.mutant, coverage.NotCovered)
		}
		r.cells.Record(x)
	}
	return nil
}

// confirm asks for the second opinion on an invariant of a mutant as a file. Without an
// error, false means that ctx ended first.
func confirm(ctx context.Context, r *runner, file *aiger.File, properties []int, inv *cert.Invariant) (bool, error) {
	checker := certify.NewChecker(file, properties...)
	checker.Solver = r.opt.Opinion
	err := checker.Invariant(ctx, inv, nil)
	if no := (*certify.Failure)(nil); errors.As(err, &no) || err != nil && ctx.Err() == nil {
		return false, err
	}
	return err == nil, nil
}

// takeUp takes up what an earlier run has recorded: traces are replayed, and invariants
// confirmed, whatever the options say.
func (r *runner) takeUp(ctx context.Context) error {
	for _, x := range r.cells.Found {
		if x.Trace != nil {
			if err := r.cross(ctx, x.Trace); err != nil {
				return fmt.Errorf("%w (%w)", coverage.ErrResume, err)
			}
			continue
		}
		for _, c := range r.crossings {
			if ctx.Err() != nil {
				return nil
			}
			if err := c.takeUp(ctx, r, x); err != nil {
				return fmt.Errorf("%w (%w)", coverage.ErrResume, err)
			}
		}
	}
	return nil
}

// takeUp takes up properties that hold on a mutant, where they are the group's.
func (c *crossing) takeUp(ctx context.Context, r *runner, x coverage.Finding) error {
	at := slices.IndexFunc(c.sites, func(s site) bool { return s.mutant == Mutant{x.Target, x.Fault} })
	var positions []int
	for _, p := range x.Properties {
		if k := slices.IndexFunc(c.rows, func(i int) bool { return c.matrix.Properties[i] == p }); k >= 0 {
			positions = append(positions, k)
		}
	}
	if at < 0 || len(positions) < len(x.Properties) || !c.open(c.sites[at]) {
		return nil
	}
	file, err := sim.Mutant(c.file, c.sites[at].fault)
	if err != nil {
		return err
	}
	ok, err := confirm(ctx, r, file, positions, x.Invariant)
	if err != nil || !ok {
		return err
	}
	for _, k := range positions {
		c.matrix.put(c.rows[k], c.sites[at].mutant, coverage.NotCovered)
	}
	return nil
}
