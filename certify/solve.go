package certify

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/crillab/gophersat/solver"
	"github.com/go-air/gini"
	"github.com/go-air/gini/z"
)

// Solver names the SAT solver that decides the queries.
type Solver uint8

// The solvers. Both asks gini and then gophersat, which must agree.
const (
	Gini Solver = iota
	Gophersat
	Both
)

// String returns the name used on the command line.
func (s Solver) String() string { return [...]string{"gini", "gophersat", "both"}[s] }

// query decides one growing set of clauses together with a disjunction of cubes
// (conjunctions of literals): is one of the cubes possible? Clauses may be added
// after every positive answer; the cubes that were excluded by then stay so.
//
// gini is asked cube by cube, with the cube's literals as assumptions. For the
// invariants of IC3, with their hundreds of clauses, that takes a tenth of the
// time of one question about the whole disjunction.
type query struct {
	c     *cnf
	kind  Solver
	cubes [][]lit
	left  [][]lit // cubes that no part of the clauses makes impossible: see parts
	at    int     // cubes of left before this one are impossible
	gini  *gini.Gini
	sent  int // literals of c that gini has
	// value is the model of the last positive answer.
	value func(lit) bool
}

// possible decides the query. Gophersat cannot be interrupted: its answer comes,
// and counts, after ctx has ended.
func (q *query) possible(ctx context.Context) (bool, error) {
	if err := ctx.Err(); err != nil {
		return false, err
	}
	if q.c.empty || len(q.cubes) == 0 {
		return false, nil
	}
	if q.kind == Gophersat {
		sat, value := gophersat(q.c, q.cubes)
		q.value = value
		return sat, nil
	}
	if q.left == nil {
		var err error
		if q.left, err = q.impossibleInParts(ctx); err != nil {
			return false, err
		}
	}
	sat := false
	var err error
	if len(q.left) > 0 {
		sat, err = q.askGini(ctx)
	}
	if err != nil || q.kind == Gini {
		return sat, err
	}
	if third, _ := gophersat(q.c, q.cubes); third != sat {
		return false, fmt.Errorf("gini and gophersat disagree on a query of %d variables", q.c.vars)
	}
	return sat, nil
}

// askGini goes through the cubes that are left, all but the last as assumptions.
//
// gini must not be used again once its clauses are found to be unsatisfiable (it
// may end the process). So the clauses are decided first, without any cube; while
// they are satisfiable, failed assumptions do no harm.
func (q *query) askGini(ctx context.Context) (bool, error) {
	if q.gini == nil {
		q.gini = gini.NewVc(int(q.c.vars)+1, len(q.c.flat)/3)
		q.value = func(l lit) bool { return q.gini.Value(z.Dimacs2Lit(int(l))) }
	}
	for _, l := range q.c.flat[q.sent:] {
		q.gini.Add(z.Dimacs2Lit(int(l)))
	}
	q.sent = len(q.c.flat)
	if q.at < len(q.left)-1 {
		if sat, err := q.solve(ctx, nil); err != nil || !sat {
			return false, err
		}
	}
	for ; q.at < len(q.left)-1; q.at++ {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		if sat, err := q.solve(ctx, q.left[q.at]); err != nil || sat {
			return sat, err
		}
	}
	for _, l := range q.left[q.at] {
		q.gini.Add(z.Dimacs2Lit(int(l)))
		q.gini.Add(z.LitNull)
	}
	return q.solve(ctx, nil)
}

// The time after which a search of gini looks whether ctx has ended; it doubles up
// to a limit, since each slice starts with a restart.
const (
	firstSlice = 10 * time.Millisecond
	lastSlice  = 80 * time.Millisecond
)

// solve runs one search of gini, in slices. It keeps what it has learnt.
func (q *query) solve(ctx context.Context, assumptions []lit) (bool, error) {
	for slice := firstSlice; ; slice = min(2*slice, lastSlice) {
		for _, l := range assumptions {
			q.gini.Assume(z.Dimacs2Lit(int(l)))
		}
		switch q.gini.Try(slice) {
		case 1:
			return true, nil
		case -1:
			return false, nil
		}
		if err := ctx.Err(); err != nil {
			return false, err
		}
	}
}

// gophersatLock: gophersat has a global buffer, so one search at a time.
var gophersatLock sync.Mutex

// gophersat decides the clauses and the disjunction of the cubes in one go,
// without assumptions.
func gophersat(c *cnf, cubes [][]lit) (sat bool, value func(lit) bool) {
	whole := cnf{vars: c.vars, flat: slices.Clone(c.flat)}
	one := make([]lit, len(cubes))
	for i, cube := range cubes {
		if len(cube) == 1 {
			one[i] = cube[0]
			continue
		}
		one[i] = whole.fresh()
		for _, l := range cube {
			whole.add(-one[i], l)
		}
	}
	whole.add(one...)
	if whole.empty {
		return false, nil
	}
	clauses := make([][]int, 0, len(whole.flat)/3)
	flat := make([]int, len(whole.flat))
	start := 0
	for i, l := range whole.flat {
		flat[i] = int(l)
		if l == 0 {
			clauses = append(clauses, flat[start:i:i])
			start = i + 1
		}
	}
	gophersatLock.Lock()
	defer gophersatLock.Unlock()
	s := solver.New(solver.ParseSliceNb(clauses, int(whole.vars)))
	if s.Solve() != solver.Sat {
		return false, nil
	}
	model := s.Model()
	return true, func(l lit) bool {
		if l < 0 {
			return !model[-l-1]
		}
		return model[l-1]
	}
}

// ParseSolver returns the solver of a name.
func ParseSolver(name string) (Solver, error) {
	for s := Gini; s <= Both; s++ {
		if s.String() == name {
			return s, nil
		}
	}
	return 0, fmt.Errorf("there is no solver %q; the solvers are gini, gophersat, both", name)
}
