package campaign

import (
	"context"
	"slices"
	"strings"
	"time"

	"netcov/cert"
	"netcov/coverage"
	"netcov/coverage/report"
	"netcov/frontend/sva"
	"netcov/internal/clock"
)

// An assertion whose antecedent no run meets is vacuous: it holds, whatever its
// consequent says. The lowering of concurrent assertions makes a cover of each
// antecedent. These covers are no part of the design that is mutated, but of a second
// reading of its sources, in which covers stand in the place of the assertions.

// Antecedents finds out, within a budget whose factor counts the time that the verdicts
// took, which of the set's properties have an antecedent that some run meets. read reads
// the sources with covers. A property without an antecedent is not among the answers; one
// whose answer the budget does not allow is unknown. It is nil where the budget is the
// zero value, or the design has no antecedents.
func (d *Design) Antecedents(ctx context.Context, budget coverage.Budget, k Check, set *coverage.Set, read func(context.Context) (*Design, error)) (*report.Antecedents, error) {
	limit := afterwards(budget, set)
	if limit == 0 || d.Design.Antecedents == 0 {
		return nil, nil
	}
	covers, err := read(ctx)
	if err != nil {
		return nil, err
	}
	begin := time.Now()
	found := &report.Antecedents{Of: map[int]report.Antecedent{}}
	of := antecedentsOf(d, covers)
	var asked []int
	for c, p := range of {
		if slices.ContainsFunc(set.Outcomes, func(o coverage.Outcome) bool { return o.Position == p }) {
			asked = append(asked, c)
			found.Of[p] = report.Antecedent{State: report.AntecedentUnknown}
		}
	}
	slices.Sort(asked)
	if len(asked) > 0 {
		limited, cancel := clock.Limit(ctx, limit)
		defer cancel()
		if err := k.Set(limited, covers, asked, func(a *Answer) error {
			switch a.Status {
			case cert.Holds:
				found.Of[of[a.Property]] = report.Antecedent{State: report.AntecedentNever}
			case cert.Fails:
				steps := len(a.Trace.Inputs)
				found.Of[of[a.Property]] = report.Antecedent{State: report.AntecedentMet, Steps: &steps}
			}
			return nil
		}); err != nil {
			return nil, err
		}
	}
	found.Time = time.Since(begin)
	return found, nil
}

// antecedentsOf gives, by the position of the cover of an antecedent, the position of its
// assertion. They have one name but for the suffix. Where several assertions share a
// name, they are matched by their order, if all of them have an antecedent; else nothing
// tells which have.
func antecedentsOf(d, covers *Design) map[int]int {
	plain := func(name string) string {
		if at := strings.LastIndexByte(name, '#'); at >= 0 {
			return name[:at]
		}
		return name
	}
	assertions, antecedents := map[string][]int{}, map[string][]int{}
	for i, p := range d.Netlist.Properties() {
		name := plain(p.Name)
		assertions[name] = append(assertions[name], i)
	}
	for i, p := range covers.Netlist.Properties() {
		if name, is := strings.CutSuffix(plain(p.Name), sva.AntecedentSuffix); is {
			antecedents[name] = append(antecedents[name], i)
		}
	}
	of := map[int]int{}
	for name, list := range antecedents {
		if len(list) == len(assertions[name]) {
			for i, c := range list {
				of[c] = assertions[name][i]
			}
		}
	}
	return of
}
