package main

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

// leastWhy is the least time for reasons where their budget is a multiple.
const leastWhy = time.Second

// whyBudget is the time for reasons after a coverage run of the given length; 0: none
// are asked for.
func whyBudget(flag string, cover time.Duration) (time.Duration, error) {
	b, err := parseBudget("--why", flag)
	switch {
	case err != nil:
		return 0, err
	case b.Factor > 0:
		return max(leastWhy, time.Duration(b.Factor*float64(cover))), nil
	}
	return b.Limit, nil
}

// explain adds to the report why the mutants are not covered that no property notices,
// and writes the traces of gaps where they are asked for.
func (f *coverFlags) explain(ctx context.Context, in *input, opt coverage.Options, set *coverage.Set, r *report.Report) error {
	x, err := explain(ctx, in, f.why, f.observe, opt, set)
	if err != nil || x == nil {
		return err
	}
	e := &report.Explanation{
		Reasons: map[mutant.Target]*[3]why.Reason{}, Observe: x.problem.Observe.In(in.file).String(), Budget: f.why, Time: x.time,
	}
	for i, m := range x.mutants {
		if e.Reasons[m.Target] == nil {
			e.Reasons[m.Target] = &[3]why.Reason{}
		}
		e.Reasons[m.Target][m.Fault] = x.found[i].Reason
	}
	r.Explain(e)
	if f.vcd == "" {
		return nil
	}
	return writeGaps(f.vcd, in, x)
}

// explained are the mutants that no property notices, with their reasons.
type explained struct {
	problem *why.Problem
	mutants []why.Mutant
	found   []why.Finding // of each mutant
	time    time.Duration
}

// explain searches for reasons: nil where none are asked for, or no safety property
// holds.
func explain(ctx context.Context, in *input, budget, observe string, opt coverage.Options, set *coverage.Set) (*explained, error) {
	var cover time.Duration
	for _, res := range set.Groups {
		cover += res.Cover
	}
	limit, err := whyBudget(budget, cover)
	if err != nil || limit == 0 {
		return nil, err
	}
	x := &explained{}
	if x.problem, x.mutants = unexplained(in, set); x.problem == nil {
		return nil, nil
	}
	x.problem.Mux = opt.Mux
	if x.problem.Observe, err = certify.ParseObservation(observe); err != nil {
		return nil, err
	}
	begin := time.Now()
	limited, cancel := clock.Limit(ctx, limit)
	defer cancel()
	x.found, err = why.Explain(limited, *x.problem, x.mutants, why.Options{Budget: limit, Opinion: opt.Opinion})
	x.time = time.Since(begin)
	return x, err
}

// unexplained lists the mutants that no property notices, with what the proofs know:
// nil where no safety property holds.
func unexplained(in *input, set *coverage.Set) (*why.Problem, []why.Mutant) {
	p := &why.Problem{File: in.file, Netlist: in.netlist}
	all := in.netlist.Properties()
	safety := func(g *coverage.Result) bool { return all[g.Properties[0]].Kind != netlist.PropertyJustice }
	var proofs []*cert.Invariant
	some := false
	for _, g := range set.Groups {
		p.Properties = append(p.Properties, g.Properties...)
		if safety(g) {
			some = true
			if v := g.Proof.Invariant; v != nil {
				proofs = append(proofs, g.Invariant(v))
			}
		}
	}
	if !some {
		return nil, nil
	}
	slices.Sort(p.Properties)
	p.Invariant = cert.Conjunction(proofs...)
	joined := map[string]*cert.Invariant{}
	var ms []why.Mutant
	for j := range set.All() {
		if j.Verdict != coverage.NotCovered {
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
