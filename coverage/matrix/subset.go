package matrix

import (
	"context"
	"slices"
	"time"

	"netcov/internal/clock"
	"netcov/proof"
	"netcov/sat"
)

// A smallest choice of properties that covers what all of them cover: minimum set
// cover. Reductions come first (Garfinkel, Nemhauser, Integer Programming, 1972, 8.3): a mutant that
// one property alone covers decides for that property; a mutant whose properties include all
// those of another needs no attention, and neither does a property that covers nothing
// which another does not. The rest goes to gophersat's pseudo-Boolean optimiser. Another
// solver must refute that one property fewer would do, else the choice is called an
// upper bound, not the optimum.

// Subset is a choice of properties.
type Subset struct {
	Properties []int
	// Least is the number that any choice needs at least; where cells are unknown, if
	// the properties failed on all these mutants. Exact: no choice is smaller, and what
	// is unknown makes no difference.
	Least int
	Exact bool
	// Method is "exact" where an optimum for the known cells was found and confirmed,
	// else "greedy".
	Method string
}

// coverLimit is the time for the optimum.
const coverLimit = 2 * time.Second

// smallest finds a smallest choice.
func (m *Matrix) smallest(ctx context.Context) Subset {
	known := make([]set, len(m.rows))
	perhaps := make([]set, len(m.rows))
	due, undecided := newSet(len(m.Mutants)), newSet(len(m.Mutants)) // due: covered for certain
	for i, r := range m.rows {
		known[i] = r.fails
		perhaps[i] = slices.Clone(r.fails)
		perhaps[i].join(r.unknown)
		due.join(r.fails)
		undecided.join(r.unknown)
	}
	limited, cancel := clock.Limit(ctx, coverLimit)
	defer cancel()
	rows, least := minimumCover(limited, known, due)
	s := Subset{Least: least, Method: "greedy"}
	for _, i := range rows {
		s.Properties = append(s.Properties, m.Properties[i])
	}
	if least == len(rows) {
		s.Method = "exact"
	}
	if m.Unknown() > 0 {
		_, s.Least = minimumCover(limited, perhaps, due)
	}
	s.Exact = s.Least == len(rows) && undecided.within(due)
	return s
}

// minimumCover chooses rows that cover all the columns in due, and returns a number of
// rows that are needed at least; the same number where the choice is known to be smallest.
func minimumCover(ctx context.Context, rows []set, due set) (chosen []int, least int) {
	c := reduce(rows, due)
	if len(c.columns) == 0 {
		slices.Sort(c.chosen)
		return c.chosen, len(c.chosen)
	}
	best := c.greedy()
	vars := 0
	number := map[int]int{} // row → variable, from 1
	var row []int
	clauses := make([][]int, len(c.columns))
	for k, column := range c.columns {
		for i := range column.all() {
			if number[i] == 0 {
				vars++
				number[i] = vars
				row = append(row, i)
			}
			clauses[k] = append(clauses[k], number[i])
		}
	}
	if model, _ := proof.FewestTrue(ctx, vars, clauses); model != nil {
		if found := trueRows(model, row); len(found) < len(best) {
			best = found
		}
	}
	least = len(c.chosen) + 1
	for {
		model, none := fewer(ctx, vars, clauses, len(best)-1)
		if model != nil {
			best = trueRows(model, row)
			continue
		}
		if none {
			least = len(c.chosen) + len(best)
		}
		break
	}
	chosen = append(c.chosen, best...)
	slices.Sort(chosen)
	return chosen, least
}

// trueRows are the rows whose variables are true.
func trueRows(model []bool, row []int) []int {
	var out []int
	for v, yes := range model {
		if yes {
			out = append(out, row[v])
		}
	}
	return out
}

// coverProblem is what the reductions leave: columns as sets of rows, and the rows
// that are chosen already.
type coverProblem struct {
	columns []set
	chosen  []int
	rows    int
}

// reduce applies the reductions until none does.
func reduce(rows []set, due set) *coverProblem {
	c := &coverProblem{rows: len(rows)}
	seen := map[string]bool{}
	for k := range due.all() {
		column := newSet(len(rows))
		for i := range rows {
			if rows[i].has(k) {
				column.add(i)
			}
		}
		if name := column.key(); !seen[name] {
			seen[name] = true
			c.columns = append(c.columns, column)
		}
	}
	for {
		before := len(c.columns)
		c.minimalColumns()
		c.essential()
		if !c.dropRows() && len(c.columns) == before {
			return c
		}
	}
}

// minimalColumns leaves out the columns that have all rows of another.
func (c *coverProblem) minimalColumns() {
	slices.SortStableFunc(c.columns, func(a, b set) int { return a.count() - b.count() })
	var kept []set
	for _, column := range c.columns {
		if !slices.ContainsFunc(kept, func(k set) bool { return k.within(column) }) {
			kept = append(kept, column)
		}
	}
	c.columns = kept
}

// essential chooses the rows of columns that have no other.
func (c *coverProblem) essential() {
	must := newSet(c.rows)
	for _, column := range c.columns {
		if column.count() == 1 {
			must.join(column)
		}
	}
	c.chosen = append(c.chosen, slices.Collect(must.all())...)
	c.columns = slices.DeleteFunc(c.columns, func(k set) bool { return k.meets(must) })
}

// dropRows takes away the rows that cover nothing which another row does not.
func (c *coverProblem) dropRows() (dropped bool) {
	covers := map[int]set{}
	for k, column := range c.columns {
		for i := range column.all() {
			if covers[i] == nil {
				covers[i] = newSet(len(c.columns))
			}
			covers[i].add(k)
		}
	}
	var order []int
	for i := range c.rows {
		if covers[i] != nil {
			order = append(order, i)
		}
	}
	gone := newSet(c.rows)
	for _, i := range slices.Backward(order) { // of equal rows the first stays
		for _, k := range order {
			if i != k && !gone.has(k) && covers[i].within(covers[k]) {
				gone.add(i)
				dropped = true
				break
			}
		}
	}
	for k := range c.columns {
		c.columns[k] = c.columns[k].without(gone)
	}
	return dropped
}

// greedy covers the columns by the rows that add most.
func (c *coverProblem) greedy() []int {
	var out []int
	left := slices.Clone(c.columns)
	for len(left) > 0 {
		adds := make([]int, c.rows)
		best := 0
		for _, column := range left {
			for i := range column.all() {
				if adds[i]++; adds[i] > adds[best] || adds[i] == adds[best] && i < best {
					best = i
				}
			}
		}
		out = append(out, best)
		left = slices.DeleteFunc(left, func(k set) bool { return k.has(best) })
	}
	return out
}

// fewer looks for a model with at most so many true variables (Sinz, Towards an optimal
// CNF encoding of Boolean cardinality constraints, CP 2005). none: there is none.
func fewer(ctx context.Context, vars int, clauses [][]int, most int) (model []bool, none bool) {
	if most <= 0 {
		return nil, len(clauses) > 0
	}
	s := proof.NewGini()
	x := make([]sat.Lit, vars)
	for v := range x {
		x[v] = sat.MkLit(s.NewVar(), false)
	}
	var before []sat.Lit // before[j]: more than j of those so far are true
	for v := range x {
		now := make([]sat.Lit, most)
		for j := range now {
			now[j] = sat.MkLit(s.NewVar(), false)
		}
		s.AddClause(x[v].Not(), now[0])
		if before != nil {
			for j := range now {
				s.AddClause(before[j].Not(), now[j])
				if j > 0 {
					s.AddClause(x[v].Not(), before[j-1].Not(), now[j])
				}
			}
			s.AddClause(x[v].Not(), before[most-1].Not())
		}
		before = now
	}
	for _, c := range clauses {
		lits := make([]sat.Lit, len(c))
		for k, v := range c {
			lits[k] = x[v-1]
		}
		s.AddClause(lits...)
	}
	switch s.Solve(ctx) {
	case sat.Unsat:
		return nil, true
	case sat.Sat:
		model = make([]bool, vars)
		for v := range model {
			model[v] = s.Value(x[v])
		}
		return model, false
	}
	return nil, false
}
