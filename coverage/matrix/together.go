package matrix

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"netcov/aiger/sim"
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
		if err := r.cross(ctx, c.part.Trace(a.Trace)); err != nil {
			return err
		}
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
			checker := certify.NewChecker(file, held[k]...)
			checker.Solver = r.opt.Opinion
			if err := checker.Invariant(ctx, a.Invariant, nil); err != nil {
				if ctx.Err() != nil {
					return nil
				}
				return fmt.Errorf("%w: %v, %v: %w", coverage.ErrRecheck, s.mutant.Target, s.mutant.Fault, err)
			}
		}
		for _, p := range held[k] {
			c.matrix.put(c.rows[p], s.mutant, coverage.NotCovered)
		}
	}
	return nil
}
