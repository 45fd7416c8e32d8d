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
func (f *coverFlags) explain(ctx context.Context, in *input, opt coverage.Options, results []*coverage.Result, r *report.Report) error {
	x, err := explain(ctx, in, f.why, f.observe, opt, results)
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
func explain(ctx context.Context, in *input, budget, observe string, opt coverage.Options, results []*coverage.Result) (*explained, error) {
	var cover time.Duration
	for _, res := range results {
		cover += res.Cover
	}
	limit, err := whyBudget(budget, cover)
	if err != nil || limit == 0 {
		return nil, err
	}
	x := &explained{}
	if x.problem, x.mutants = unexplained(in, results); x.problem == nil {
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
func unexplained(in *input, results []*coverage.Result) (*why.Problem, []why.Mutant) {
	p := &why.Problem{File: in.file, Netlist: in.netlist}
	var held []*coverage.Result
	var proofs []*cert.Invariant
	safety := false
	for _, res := range results {
		if res.Proof.Status != cert.Holds {
			continue
		}
		held = append(held, res)
		p.Properties = append(p.Properties, res.Position)
		if res.Property.Kind != netlist.PropertyJustice {
			safety = true
			if res.Proof.Invariant != nil {
				proofs = append(proofs, res.Proof.Invariant)
			}
		}
	}
	if !safety {
		return nil, nil
	}
	p.Invariant = cert.Conjunction(proofs...)
	type key struct {
		target mutant.Target
		fault  mutant.Fault
	}
	type record struct {
		noticed bool // or undecided
		proofs  []*cert.Invariant
	}
	all := map[key]*record{}
	var order []key
	for _, res := range held {
		for m := range res.All() {
			k := key{m.Target, m.Fault}
			x := all[k]
			if x == nil {
				x = &record{}
				all[k] = x
				order = append(order, k)
			}
			x.noticed = x.noticed || m.Verdict != coverage.NotCovered
			if v := m.Evidence.Invariant; v != nil && !slices.Contains(x.proofs, v) && res.Property.Kind != netlist.PropertyJustice {
				x.proofs = append(x.proofs, v)
			}
		}
	}
	joined := map[string]*cert.Invariant{}
	var ms []why.Mutant
	for _, k := range order {
		x := all[k]
		if x.noticed {
			continue
		}
		m := why.Mutant{Target: k.target, Fault: k.fault}
		switch len(x.proofs) {
		case 0:
		case 1:
			m.Invariant = x.proofs[0]
		default:
			name := ""
			for _, v := range x.proofs {
				name += fmt.Sprintf("%p ", v)
			}
			if joined[name] == nil {
				joined[name] = cert.Conjunction(x.proofs...)
			}
			m.Invariant = joined[name]
		}
		ms = append(ms, m)
	}
	return p, ms
}
