package report

import (
	"iter"

	"netcov/coverage"
	"netcov/mutant"
)

// A design with many properties has a mutant for each property, node and fault,
// nearly all of them outside of the property's cone of influence. The report holds
// no row for these: rows are made as they are written, and sums are taken of whole
// lots.

// rows goes through the rows of mutants.
func (r *Report) rows() iter.Seq[Mutant] {
	return func(yield func(Mutant) bool) {
		for _, m := range r.Mutants {
			if !yield(m) {
				return
			}
		}
		for _, res := range r.results {
			for m := range res.All() {
				if !yield(r.row(m)) {
					return
				}
			}
		}
	}
}

// nodeRows goes through as many rows as tell all about each node under the set of
// properties: a mutant outside of a cone of influence adds nothing to another row.
func (r *Report) nodeRows() iter.Seq[Mutant] {
	return func(yield func(Mutant) bool) {
		for _, m := range r.Mutants {
			if !yield(m) {
				return
			}
		}
		for m := range sparse(r.results) {
			if !yield(r.row(m)) {
				return
			}
		}
	}
}

// sparse goes through all mutants of the first result that has some, and those of
// the others that are no mere mutants outside of the cone. All results are about
// the same mutants.
func sparse(results []*coverage.Result) iter.Seq[*coverage.Mutant] {
	return func(yield func(*coverage.Mutant) bool) {
		first := true
		for _, res := range results {
			if first {
				for m := range res.All() {
					first = false
					if !yield(m) {
						return
					}
				}
				continue
			}
			for _, m := range res.Mutants {
				if !yield(m) {
					return
				}
			}
		}
	}
}

// tally counts mutants.
type tally struct {
	summary  *Summary
	order    []mutant.Target
	set      map[mutant.Target]*[3]coverage.Verdict // of the properties together
	asked    [3]bool                                // the faults
	inverted bool                                   // some node is the complement of its register
}

// see takes in what a property says of a mutant, for the set of properties.
func (t *tally) see(m *coverage.Mutant) {
	v := t.set[m.Target]
	if v == nil {
		v = &[3]coverage.Verdict{coverage.NotCovered, coverage.NotCovered, coverage.NotCovered}
		t.set[m.Target] = v
		t.order = append(t.order, m.Target)
	}
	t.asked[m.Fault] = true
	v[m.Fault] = union(v[m.Fault], m.Verdict)
}

// count adds the mutants of one property to the sums.
func (t *tally) count(res *coverage.Result, nodes map[mutant.Target]*Node) {
	var byFault [3]Counts
	add := func(m *coverage.Mutant) { byFault[shownFault(nodes[m.Target], m.Fault)].add(m.Verdict) }
	if t.inverted {
		for m := range res.All() {
			add(m)
		}
	} else {
		for _, m := range res.Mutants {
			add(m)
		}
		for f, n := range res.Left {
			byFault[f].addMany(coverage.NotCovered, n)
		}
	}
	for f, c := range byFault {
		if c.Mutants == 0 {
			continue
		}
		t.summary.join(c)
		name := mutant.Fault(f).String()
		sum := t.summary.ByFault[name]
		sum.join(c)
		t.summary.ByFault[name] = sum
	}
}

// join adds the numbers of d to those of c.
func (c *Counts) join(d Counts) {
	c.Mutants += d.Mutants
	c.Covered += d.Covered
	c.NotCovered += d.NotCovered
	c.Unknown += d.Unknown
}
