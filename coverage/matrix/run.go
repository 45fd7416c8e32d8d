package matrix

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"netcov/aig"
	"netcov/aiger"
	"netcov/cert"
	"netcov/certify"
	"netcov/coverage"
	"netcov/internal/clock"
	"netcov/mutant"
	"netcov/netlist"
)

// Options are the settings of a matrix beside those of the set's run.
type Options struct {
	// Budget bounds the time; a factor is one of the set's coverage time. Default none.
	Budget coverage.Budget
	// RunSteps is, where the constraints end every run of the design, the number of
	// steps of the longest one; nil where they do not.
	RunSteps *int
}

// runner is the work on a matrix.
type runner struct {
	f         *aiger.File
	n         *netlist.Netlist
	all       []netlist.Property
	set       *coverage.Set
	opt       coverage.Options
	extractor *netlist.Extractor
	cutter    *certify.Cutter
	cells     *coverage.Cells

	matrix    *Matrix
	groups    []*coverage.Result       // of each of the matrix's properties
	cones     []map[mutant.Target]bool // of each of them
	covered   map[Mutant]bool          // by the set
	crossings []*crossing              // of groups with several properties
	seen      map[string]bool          // traces that were replayed
	waiting   []*cert.Trace            // of the set's run, not yet replayed
	uses      []func(mutant.Target, mutant.Fault) bool
}

// Run makes the matrix of a set whose run had these options. What ctx, or the budget,
// leaves open is unknown. The error wraps coverage.ErrRecheck or coverage.ErrResume.
func Run(ctx context.Context, f *aiger.File, n *netlist.Netlist, set *coverage.Set, opt coverage.Options, own Options) (*Matrix, error) {
	begin := time.Now()
	r := &runner{
		f: f, n: n, all: n.Properties(), set: set, opt: opt, covered: map[Mutant]bool{}, seen: map[string]bool{},
		extractor: netlist.NewExtractor(n), cutter: certify.NewCutter(f),
	}
	var err error
	if r.cells, err = coverage.NewCells(f, n, set, opt); err != nil {
		return nil, err
	}
	limit := own.Budget.Limit
	if own.Budget.Factor > 0 {
		cover := time.Duration(0)
		for _, g := range set.Groups {
			cover += g.Cover
		}
		limit = max(1, time.Duration(own.Budget.Factor*float64(cover)))
	}
	limited, cancel := clock.Limit(ctx, limit)
	defer cancel()
	r.begin()
	if err := r.crossAll(limited); err != nil {
		return nil, err
	}
	if err := r.takeUp(limited); err != nil {
		return nil, err
	}
	if err := r.decide(ctx, limited); err != nil {
		return nil, err
	}
	m := r.matrix
	if m.JournalErr == nil {
		m.JournalErr = r.cells.Failure()
	}
	if err := r.judge(limited, own); err != nil {
		return nil, err
	}
	m.Time = time.Since(begin)
	return m, nil
}

// begin makes the matrix of what the set's run knows.
func (r *runner) begin() {
	var properties []int
	of := map[int]*coverage.Result{}
	for _, g := range r.set.Groups {
		for _, p := range g.Properties {
			properties = append(properties, p)
			of[p] = g
		}
	}
	slices.Sort(properties)
	records := map[*coverage.Result]map[Mutant]*coverage.Mutant{}
	for _, g := range r.set.Groups {
		records[g] = make(map[Mutant]*coverage.Mutant, len(g.Mutants))
		for _, m := range g.Mutants {
			records[g][Mutant{m.Target, m.Fault}] = m
		}
	}
	var mutants []Mutant
	for j := range r.set.All() {
		if j.Verdict == mutant.NotCovered {
			continue
		}
		x := Mutant{j.Target, j.Fault}
		mutants = append(mutants, x)
		r.covered[x] = j.Verdict == mutant.Covered
	}
	m := newMatrix(properties, mutants, len(r.n.Inputs))
	r.matrix = m
	for i, p := range properties {
		g := of[p]
		r.groups = append(r.groups, g)
		r.cones = append(r.cones, r.cone(p, g))
		for _, x := range mutants {
			known := records[g][x]
			switch {
			case !r.cones[i][x.Target]:
				m.put(i, x, mutant.NotCovered, Proof{})
			case known == nil: // an earlier group covers it
			case known.Verdict == mutant.NotCovered:
				m.put(i, x, mutant.NotCovered, Proof{Invariant: known.Invariant()})
			case known.Verdict == mutant.Covered && known.Property == p:
				m.put(i, x, mutant.Covered, Proof{Trace: known.Trace()})
			}
		}
	}
	r.uses = make([]func(mutant.Target, mutant.Fault) bool, len(properties))
}

// live reports whether a property is one of liveness, which has a run of its own over
// all mutants.
func (r *runner) live(property int) bool { return r.all[property].Kind == netlist.PropertyJustice }

// cone returns the targets of the set that a property depends on.
func (r *runner) cone(property int, g *coverage.Result) map[mutant.Target]bool {
	in := map[mutant.Target]bool{}
	if r.live(property) {
		for _, m := range g.Mutants {
			if m.Verdict != mutant.NotCovered || m.Evidence != (coverage.Evidence{}) {
				in[m.Target] = true
			}
		}
		return in
	}
	part := r.extractor.Extract([]aig.Lit{r.all[property].Bad})
	for _, i := range part.Latches {
		in[mutant.Target{Index: i}] = true
	}
	for _, i := range part.Gates {
		in[mutant.Target{Gate: true, Index: i}] = true
	}
	return in
}

// asked reports whether a mutant's cells are decided here: the set covers it.
func (r *runner) asked(x Mutant) bool { return r.covered[x] }

// left is the number of cells of a property that are to be decided.
func (r *runner) left(i int) int {
	n := 0
	for x := range r.matrix.open(i) {
		if r.asked(x) {
			n++
		}
	}
	return n
}

// crossAll replays the traces of the set's run on all mutants, as long as that finds.
func (r *runner) crossAll(ctx context.Context) error {
	done := map[*coverage.Result]bool{}
	for i, g := range r.groups {
		if done[g] || r.live(r.matrix.Properties[i]) {
			continue
		}
		done[g] = true
		var rows []int
		open := 0
		for _, p := range g.Properties {
			at := r.matrix.place(p)
			rows = append(rows, at)
			open += r.left(at)
		}
		if open == 0 {
			continue
		}
		c, err := newCrossing(r.matrix, r, g.Properties, rows, r.asked)
		if err != nil {
			return err
		}
		r.crossings = append(r.crossings, c)
	}
	if len(r.crossings) == 0 {
		return nil
	}
	var traces []*cert.Trace
	for j := range r.set.All() {
		if j.Verdict == mutant.Covered && !r.live(j.Mutant.Property) {
			traces = append(traces, j.Mutant.Trace())
		}
	}
	begin := time.Now()
	last := begin // the last find
	r.waiting = shortFirst(traces)
	for len(r.waiting) > 0 && time.Since(last) <= crossIdle+last.Sub(begin)/2 {
		found, err := r.replay(ctx, r.waiting[0])
		if err != nil {
			return err
		}
		if found > 0 {
			last = time.Now()
		}
		r.waiting = r.waiting[1:]
	}
	return nil
}

// crossIdle is the time in which the traces of the set's run find nothing, beside half of
// what it took to the last find, before properties have their own turns. The others are
// replayed when these have left cells open.
const crossIdle = 20 * time.Millisecond

// shortFirst sorts traces by their length.
func shortFirst(traces []*cert.Trace) []*cert.Trace {
	slices.SortStableFunc(traces, func(a, b *cert.Trace) int { return cmp.Compare(len(a.Inputs), len(b.Inputs)) })
	return traces
}

// cross replays traces.
func (r *runner) cross(ctx context.Context, traces ...*cert.Trace) error {
	for _, t := range shortFirst(traces) {
		if _, err := r.replay(ctx, t); err != nil {
			return err
		}
	}
	return nil
}

// replay tries a trace that is new on all groups, and returns the number of cells that
// it decides.
func (r *runner) replay(ctx context.Context, t *cert.Trace) (found int, err error) {
	name := key(t)
	if r.seen[name] {
		return 0, nil
	}
	r.seen[name] = true
	for _, c := range r.crossings {
		if ctx.Err() != nil {
			return found, nil
		}
		n, err := c.try(t)
		if err != nil {
			return found, err
		}
		found += n
	}
	return found, nil
}

// key identifies a trace.
func key(t *cert.Trace) string {
	b := make([]byte, 0, 1+len(t.Latches)+len(t.Inputs)*(1+len(t.Inputs[0])))
	put := func(bits []bool) {
		for _, x := range bits {
			if x {
				b = append(b, '1')
			} else {
				b = append(b, '0')
			}
		}
		b = append(b, ' ')
	}
	put(t.Latches)
	for _, row := range t.Inputs {
		put(row)
	}
	return string(b)
}

// The most that the cascade spends on a property before the cells that are left are
// decided a mutant at a time. Tests change it.
var (
	mostCascade = 200 * time.Millisecond
	eachCell    = 2 * time.Millisecond
)

// decide decides the cells that are left: those of a property that is easy to prove
// alone by the cascade, properties with few of them first; then all others.
func (r *runner) decide(ctx, limited context.Context) error {
	m := r.matrix
	var order []int
	open := map[int]int{}
	for i, p := range m.Properties {
		if !r.live(p) {
			order = append(order, i)
			open[i] = r.left(i)
		}
	}
	// Without an open cell only the proof is looked at, in the end.
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(min(1, open[b]), min(1, open[a])), cmp.Compare(open[a], open[b]))
	})
	rest := slices.IndexFunc(order, func(i int) bool { return open[i] == 0 })
	if rest < 0 {
		rest = len(order)
	}
	for _, i := range order[:rest] {
		if err := r.row(limited, i); err != nil {
			return err
		}
	}
	if err := r.cross(limited, r.waiting...); err != nil {
		return err
	}
	if err := r.together(limited); err != nil {
		return err
	}
	for _, i := range order[rest:] {
		if err := r.row(limited, i); err != nil {
			return err
		}
	}
	switch {
	case m.Unknown() == 0:
	case ctx.Err() != nil:
		m.Stopped = "interrupted"
	case r.enough():
		m.Stopped = "accuracy"
	case limited.Err() != nil:
		m.Stopped = "budget"
	default:
		m.Stopped = cmp.Or(r.set.Stopped(), "tests")
	}
	return nil
}

// enough reports whether the share of cells that was asked for is decided.
func (r *runner) enough() bool {
	return r.opt.StopAt > 0 && r.opt.StopAt < 1 && float64(r.matrix.Unknown()) <= (1-r.opt.StopAt)*float64(r.matrix.Cells())
}

// row spends some time on the cells of one property, and looks what its proof uses.
func (r *runner) row(ctx context.Context, i int) error {
	if ctx.Err() != nil {
		return nil
	}
	m := r.matrix
	a := coverage.Asked{All: m.Cells(), Decided: m.Cells() - m.Unknown()}
	if n := r.left(i); n > 0 && !r.enough() {
		a.Budget = mostCascade + time.Duration(n)*eachCell
		a.Open = func(t mutant.Target, f mutant.Fault) bool {
			x := Mutant{t, f}
			return r.asked(x) && m.Cell(i, x) == mutant.Unknown
		}
	}
	row, err := r.cells.Decide(ctx, m.Properties[i:i+1], a)
	if err != nil {
		return err
	}
	if m.JournalErr == nil {
		m.JournalErr = row.JournalErr
	}
	r.uses[i] = row.Uses
	var traces []*cert.Trace
	for _, x := range row.Mutants {
		m.put(i, Mutant{x.Target, x.Fault}, x.Verdict, Proof{x.Trace(), x.Invariant()})
		if x.Verdict == mutant.Covered {
			traces = append(traces, x.Trace())
		}
	}
	return r.cross(ctx, traces...)
}

// usedBy checks that the levels of a property include each other, and counts them. A
// mutant on which the property fails and that its proof does not depend on would be a
// contradiction.
func (r *runner) usedBy(i int, each func(x Mutant, cone, used bool)) error {
	uses := r.uses[i]
	for _, t := range r.set.Targets {
		if !r.cones[i][t] {
			continue
		}
		for _, f := range r.set.Faults {
			if !r.n.Has(t, f) {
				continue
			}
			x := Mutant{t, f}
			used := uses == nil || uses(t, f)
			if !used && r.matrix.Cell(i, x) == mutant.Covered {
				return fmt.Errorf("%w: property %d fails on %v, %v, which its proof does not depend on", coverage.ErrRecheck, r.matrix.Properties[i], t, f)
			}
			each(x, true, used)
		}
	}
	for x := range maps.Keys(r.covered) {
		if !r.cones[i][x.Target] && r.matrix.Cell(i, x) == mutant.Covered {
			return fmt.Errorf("%w: property %d fails on %v, %v, which is outside of its cone", coverage.ErrRecheck, r.matrix.Properties[i], x.Target, x.Fault)
		}
	}
	return nil
}
