package proof

import (
	"context"
	"slices"

	"github.com/crillab/gophersat/solver"
)

// FewestTrue looks for a model of clauses, in DIMACS numbers, with as few true
// variables as it can, by gophersat's pseudo-Boolean optimiser. It returns the best
// model that came before ctx ended, nil where none did, and whether gophersat says that
// there is none better. gophersat's word is no proof. As Gophersat.Solve, one search
// runs at a time, and one that ctx ended is abandoned.
func FewestTrue(ctx context.Context, vars int, clauses [][]int) (model []bool, best bool) {
	select {
	case gophersatTurn <- struct{}{}:
	case <-ctx.Done():
		return nil, false
	}
	if ctx.Err() != nil {
		<-gophersatTurn
		return nil, false
	}
	problem := solver.ParseSliceNb(cloneClauses(clauses), vars)
	if problem.Status == solver.Unsat {
		<-gophersatTurn
		return nil, true
	}
	cost := make([]solver.Lit, vars)
	for v := range cost {
		cost[v] = solver.IntToLit(int32(v + 1))
	}
	problem.SetCostFunc(cost, slices.Repeat([]int{1}, vars))
	found := make(chan solver.Result)
	go func() {
		solver.New(problem).Optimal(found, nil)
		<-gophersatTurn
	}()
	for {
		select {
		case r, more := <-found:
			if !more {
				return model, true
			}
			if m := extended(r.Model, vars); r.Status == solver.Sat && isModel(m, clauses) {
				model = m
			}
		case <-ctx.Done():
			go func() {
				for range found { // the search must not wait for a reader
				}
			}()
			return model, false
		}
	}
}

// extended is a model of at least vars variables.
func extended(m []bool, vars int) []bool {
	out := make([]bool, vars)
	copy(out, m)
	return out
}

// isModel reports whether an assignment satisfies all clauses.
func isModel(model []bool, clauses [][]int) bool {
	return !slices.ContainsFunc(clauses, func(c []int) bool {
		return !slices.ContainsFunc(c, func(l int) bool { return l > 0 && model[l-1] || l < 0 && !model[-l-1] })
	})
}
