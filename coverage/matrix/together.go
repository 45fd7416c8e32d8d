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
// So the cells that are left are decided for several properties at once: of the mutants
// on which the same properties fail, as far as is known, the others are asked about as a
// set, by the cascade. A mutant that the set does not cover has all its cells; one that
// it covers has one more, and comes into another class. Where a class is small, the
// mutant is a design of its own, whose properties are model checked as a set (package
// propset).

// The time for a mutant, and for a class of them, grows from round to round.
const (
	firstTurn  = 200 * time.Millisecond
	turnGrowth = 4
	classTurns = 5  // turns for a class
	classShare = 10 // and one more for so many mutants
	leastClass = 4  // mutants
)

// together decides the cells that are left, until ctx ends.
func (r *runner) together(ctx context.Context) error {
	over := func() bool { return ctx.Err() != nil || r.enough() }
	for turn := firstTurn; !over(); turn *= turnGrowth {
		left := false
		for _, c := range r.crossings {
			if err := c.classes(ctx, r, turn); err != nil {
				return err
			}
			for _, free := range []bool{true, false} { // a free value serves both stuck ones
				for _, s := range c.sites {
					if over() {
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

// class are mutants of which the same properties, among those with open cells, are not
// known to fail.
type class struct {
	properties []int // positions in the design
	sites      []site
}

// classes decides classes of mutants, the large ones first, as long as there are new ones.
func (c *crossing) classes(ctx context.Context, r *runner, turn time.Duration) error {
	tried := map[string]int{} // properties → open mutants when they were tried last
	for ctx.Err() == nil && !r.enough() {
		var largest *class
		name := ""
		for k, x := range c.split() {
			if n := len(x.sites); n >= leastClass && tried[k] != n && (largest == nil || n > len(largest.sites) || n == len(largest.sites) && k < name) {
				largest, name = x, k
			}
		}
		if largest == nil {
			return nil
		}
		tried[name] = len(largest.sites)
		if err := c.class(ctx, r, largest, classTurns*turn+time.Duration(len(largest.sites))*turn/classShare); err != nil {
			return err
		}
	}
	return nil
}

// split gathers the mutants with open cells by the properties that may hold there, of
// those that have open cells on some mutant.
func (c *crossing) split() map[string]*class {
	m := c.matrix
	var hard []int
	for _, i := range c.rows {
		if slices.ContainsFunc(c.sites, func(s site) bool { return m.rows[i].unknown.has(s.column) }) {
			hard = append(hard, i)
		}
	}
	out := map[string]*class{}
	for _, s := range c.sites {
		if !c.open(s) {
			continue
		}
		var ps []int
		for _, i := range hard {
			if !m.rows[i].fails.has(s.column) {
				ps = append(ps, m.Properties[i])
			}
		}
		name := fmt.Sprint(ps)
		if out[name] == nil {
			out[name] = &class{properties: ps}
		}
		out[name].sites = append(out[name].sites, s)
	}
	return out
}

// holding lists the properties that are not known to fail on any of the mutants: more
// help for a proof than those with open cells alone.
func (c *crossing) holding(sites []site) []int {
	var out []int
	for _, i := range c.rows {
		if !slices.ContainsFunc(sites, func(s site) bool { return c.matrix.rows[i].fails.has(s.column) }) {
			out = append(out, c.matrix.Properties[i])
		}
	}
	return out
}

// class asks the cascade about a class.
func (c *crossing) class(ctx context.Context, r *runner, x *class, budget time.Duration) error {
	m := c.matrix
	in := map[Mutant]bool{}
	for _, s := range x.sites {
		in[s.mutant] = true
	}
	asked := coverage.Asked{
		Open: func(t mutant.Target, f mutant.Fault) bool { return in[Mutant{t, f}] },
		All:  m.Cells(), Decided: m.Cells() - m.Unknown(), Budget: budget,
	}
	row, err := r.cells.Decide(ctx, x.properties, asked)
	if err == nil && !row.Proved {
		if all := c.holding(x.sites); len(all) > len(x.properties) {
			x.properties = all
			row, err = r.cells.Decide(ctx, all, asked)
		}
	}
	if err != nil {
		return err
	}
	for _, y := range row.Mutants {
		z := Mutant{y.Target, y.Fault}
		switch y.Verdict {
		case mutant.NotCovered:
			inv := y.Invariant()
			for _, p := range x.properties {
				m.put(m.place(p), z, y.Verdict, Proof{Invariant: inv})
			}
			if inv != nil {
				r.cells.Record(coverage.Finding{Target: y.Target, Fault: y.Fault, Properties: x.properties, Invariant: inv})
			}
		case mutant.Covered:
			t := y.Trace()
			m.put(m.place(y.Property), z, y.Verdict, Proof{Trace: t})
			if err := r.cross(ctx, t); err != nil {
				return err
			}
			r.cells.Record(coverage.Finding{Trace: t})
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
	limited, cancel := clock.LimitWork(ctx, turn)
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
			if c.matrix.Cell(c.rows[p], s.mutant) != mutant.Covered && ctx.Err() == nil {
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
		x := coverage.Finding{Target: s.mutant.Target, Fault: s.mutant.Fault}
		if len(file.Latches) == len(c.file.Latches) { // else it speaks of a latch that the design does not have
			x.Invariant = c.part.Invariant(a.Invariant)
		}
		for _, p := range held[k] {
			x.Properties = append(x.Properties, c.matrix.Properties[c.rows[p]])
			c.matrix.put(c.rows[p], s.mutant, mutant.NotCovered, Proof{Invariant: x.Invariant})
		}
		if x.Invariant != nil {
			r.cells.Record(x)
		}
	}
	return nil
}

// confirm asks for the second opinion on an invariant of a file, or of one of its mutants.
// Without an error, false means that ctx ended first.
func confirm(ctx context.Context, r *runner, file *aiger.File, properties []int, inv *cert.Invariant, ms ...certify.Mutation) (bool, error) {
	checker := certify.NewChecker(file, properties...)
	checker.Solver = r.opt.Opinion
	err := checker.Invariant(ctx, inv, ms)
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
		}
	}
	for k, x := range r.cells.Found {
		if x.Trace != nil || k > 0 && same(r.cells.Found[k-1], x) {
			continue
		}
		var batch []coverage.Finding // by one invariant
		for _, y := range r.cells.Found[k:] {
			if !same(x, y) {
				break
			}
			batch = append(batch, y)
		}
		for _, c := range r.crossings {
			if ctx.Err() != nil {
				return nil
			}
			if err := c.takeUp(ctx, r, batch); err != nil {
				return fmt.Errorf("%w (%w)", coverage.ErrResume, err)
			}
		}
	}
	return nil
}

// same reports whether two findings say the same of two mutants.
func same(a, b coverage.Finding) bool {
	return a.Trace == nil && b.Trace == nil && a.Invariant == b.Invariant && slices.Equal(a.Properties, b.Properties)
}

// takeUp takes up properties that hold on some mutants by one invariant, where they are
// the group's.
func (c *crossing) takeUp(ctx context.Context, r *runner, batch []coverage.Finding) error {
	var positions []int
	for _, p := range batch[0].Properties {
		if k := slices.IndexFunc(c.rows, func(i int) bool { return c.matrix.Properties[i] == p }); k >= 0 {
			positions = append(positions, k)
		}
	}
	inv, all := c.part.Restrict(batch[0].Invariant, len(c.part.Latches)+2)
	if !all || len(positions) < len(batch[0].Properties) {
		return nil
	}
	var open []site
	var ms []certify.Mutation
	for _, x := range batch {
		at := slices.IndexFunc(c.sites, func(s site) bool { return s.mutant == Mutant{x.Target, x.Fault} })
		if at < 0 || !c.open(c.sites[at]) {
			continue
		}
		s := c.sites[at]
		open = append(open, s)
		ms = append(ms, certify.Mutation{Gate: s.part.Gate, Index: s.part.Index, Fault: s.fault.Kind, Mux: s.fault.Mux})
	}
	if len(open) == 0 {
		return nil
	}
	ok, err := confirm(ctx, r, c.file, positions, inv, ms...)
	if err != nil || !ok {
		return err
	}
	for _, s := range open {
		for _, k := range positions {
			c.matrix.put(c.rows[k], s.mutant, mutant.NotCovered, Proof{Invariant: batch[0].Invariant})
		}
	}
	return nil
}
