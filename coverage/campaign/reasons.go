package campaign

import (
	"context"
	"fmt"
	"slices"
	"time"

	"netcov/cert"
	"netcov/certify"
	"netcov/coverage"
	"netcov/coverage/report"
	"netcov/coverage/why"
	"netcov/internal/clock"
	"netcov/mutant"
	"netcov/netlist"
)

// leastTime is the least time for what comes after the verdicts where its budget is a multiple.
const leastTime = time.Second

// afterwards is the limit of time of what comes after the verdicts: a budget's factor
// counts the time that these took. 0: none of it is wanted.
func afterwards(budget coverage.Budget, set *coverage.Set) time.Duration {
	if budget.Factor == 0 {
		return budget.Limit
	}
	var cover time.Duration
	for _, res := range set.Groups {
		cover += res.Cover
	}
	return max(leastTime, time.Duration(budget.Factor*float64(cover)))
}

// Explained are the mutants that no property notices, with their reasons.
type Explained struct {
	Problem *why.Problem
	Mutants []why.Mutant
	Found   []why.Finding // of each mutant
	Time    time.Duration
}

// Explain searches for the reasons of the mutants that no property notices, and keeps what
// proves them where evidence will be written, within a budget, whose factor counts the time that the verdicts took: nil where the budget is
// the zero value, or no property holds.
func (d *Design) Explain(ctx context.Context, budget coverage.Budget, observe certify.Observation, proofs bool, opt coverage.Options, set *coverage.Set) (*Explained, error) {
	limit := afterwards(budget, set)
	if limit == 0 {
		return nil, nil
	}
	x := &Explained{}
	if x.Problem, x.Mutants = d.unexplained(set); x.Problem == nil {
		return nil, nil
	}
	x.Problem.Mux, x.Problem.Observe = opt.Mux, observe
	begin := time.Now()
	limited, cancel := clock.Limit(ctx, limit)
	defer cancel()
	var err error
	x.Found, err = why.Explain(limited, *x.Problem, x.Mutants, why.Options{Budget: limit, Opinion: opt.Opinion, Proofs: proofs})
	x.Time = time.Since(begin)
	return x, err
}

// unexplained lists the mutants that no property notices, with what the proofs know:
// nil where no property holds.
func (d *Design) unexplained(set *coverage.Set) (*why.Problem, []why.Mutant) {
	p := &why.Problem{File: d.File, Netlist: d.Netlist}
	all := d.Netlist.Properties()
	safety := func(g *coverage.Result) bool { return all[g.Properties[0]].Kind != netlist.PropertyJustice }
	if len(set.Groups) == 0 {
		return nil, nil
	}
	var proofs []*cert.Invariant
	for _, g := range set.Groups {
		p.Properties = append(p.Properties, g.Properties...)
		if v := g.Invariant(); v != nil && safety(g) { // that of a liveness property is about another file
			proofs = append(proofs, v)
		}
	}
	slices.Sort(p.Properties)
	p.Invariant = cert.Conjunction(proofs...)
	joined := map[string]*cert.Invariant{}
	var ms []why.Mutant
	for j := range set.All() {
		if j.Verdict != mutant.NotCovered {
			continue
		}
		m := why.Mutant{Target: j.Target, Fault: j.Fault}
		switch proofs := j.Invariants(safety); len(proofs) {
		case 0:
		case 1:
			m.Invariant = proofs[0]
		default:
			name := ""
			for _, v := range proofs {
				name += fmt.Sprintf("%p ", v)
			}
			if joined[name] == nil {
				joined[name] = cert.Conjunction(proofs...)
			}
			m.Invariant = joined[name]
		}
		ms = append(ms, m)
	}
	return p, ms
}

// Report is what a report says of the reasons, for a budget in the user's words.
func (x *Explained) Report(d *Design, budget string) *report.Explanation {
	e := &report.Explanation{
		Reasons: map[mutant.Target]map[mutant.Fault]mutant.Reason{}, Observe: x.Problem.Observe.In(d.File).String(), Budget: budget, Time: x.Time,
	}
	for i, m := range x.Mutants {
		if e.Reasons[m.Target] == nil {
			e.Reasons[m.Target] = map[mutant.Fault]mutant.Reason{}
		}
		e.Reasons[m.Target][m.Fault] = x.Found[i].Reason
	}
	return e
}
