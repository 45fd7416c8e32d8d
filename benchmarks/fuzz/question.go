package main

import (
	"context"
	"fmt"

	"netcov/aiger"
	"netcov/aiger/abc"
	"netcov/aiger/explicit"
	"netcov/aiger/sim"
	"netcov/cert"
	"netcov/coverage"
	"netcov/mutant"
	"netcov/netlist"
)

// question is one question: a design's property, the settings, and the path of
// ABC where it is asked too.
type question struct {
	property int
	opt      coverage.Options
	abc      string
	evidence bool // write the evidence and verify it; resume a journal
}

// enumerable is the number of inputs and latches up to which enumeration is the
// judge.
const enumerable = 14

// wrong decides the case and says what is wrong, or "". What was compared is
// added to the tally.
func (q question) wrong(ctx context.Context, f *aiger.File, sum *tally) string {
	n := netlist.FromAIGER(f)
	ps := n.Properties()
	if q.property >= len(ps) || ps[q.property].Kind == netlist.PropertyJustice {
		return ""
	}
	opt := q.opt
	for i := range n.Latches {
		opt.Targets = append(opt.Targets, mutant.Target{Index: i})
	}
	for i := range n.Gates {
		opt.Targets = append(opt.Targets, mutant.Target{Gate: true, Index: i})
	}
	res, err := coverage.Run(ctx, f, n, q.property, opt)
	switch {
	case err != nil:
		return err.Error()
	case ctx.Err() != nil:
		return ""
	case res.Proof.Status == cert.Unknown:
		return fmt.Sprintf("property %d is undecided: %s", q.property, res.Proof.Reason)
	}
	// the design, then its mutants
	files := []*aiger.File{f}
	fails := []bool{res.Proof.Status == cert.Fails}
	what := []string{"the design"}
	gates := gateLiterals(f)
	for _, m := range res.Mutants {
		if m.Verdict == mutant.Unknown {
			continue
		}
		fault := sim.Fault{Var: literal(f, gates, m.Target) >> 1, Kind: m.Fault, Mux: opt.Mux}
		changed, err := sim.Mutant(f, fault)
		if err != nil {
			return err.Error()
		}
		files = append(files, changed)
		fails = append(fails, m.Verdict == mutant.Covered)
		what = append(what, fmt.Sprintf("%v, decided by %s", fault, m.Test))
	}
	sum.properties++
	sum.mutants += len(files) - 1
	for _, covered := range fails[1:] {
		if covered {
			sum.covered++
		}
	}
	if len(f.Inputs)+len(f.Latches) <= enumerable {
		for i, g := range files {
			if right := explicit.Fails(g, q.property); right != fails[i] {
				return fmt.Sprintf("property %d, %s: fails: %v, enumeration says %v", q.property, what[i], fails[i], right)
			}
		}
	}
	if q.evidence {
		if what := refusedEvidence(ctx, f, n, res, opt); what != "" {
			return fmt.Sprintf("property %d: verify refuses the evidence: %s", q.property, what)
		}
		if what := q.resumed(ctx, f, n, opt); what != "" {
			return fmt.Sprintf("property %d: %s", q.property, what)
		}
		sum.evidence++
	}
	if q.abc == "" {
		return ""
	}
	questions := make([]abc.Question, len(files))
	for i, g := range files {
		questions[i] = abc.Question{File: g, Property: q.property}
	}
	right, err := abc.Fails(ctx, q.abc, questions)
	switch {
	case ctx.Err() != nil:
		return ""
	case err != nil:
		return err.Error()
	}
	sum.abc += len(files) - 1
	for i := range files {
		if right[i] != fails[i] {
			return fmt.Sprintf("property %d, %s: fails: %v, ABC says %v", q.property, what[i], fails[i], right[i])
		}
	}
	return ""
}

// gateLiterals returns the literals of the gates by their position.
func gateLiterals(f *aiger.File) []uint32 {
	out := make([]uint32, len(f.Ands))
	for i, a := range f.Ands {
		out[f.AndPosition(i)] = a.Lhs
	}
	return out
}

// literal returns a node's literal in the file.
func literal(f *aiger.File, gates []uint32, t mutant.Target) uint32 {
	if t.Gate {
		return gates[t.Index]
	}
	return f.Latches[t.Index].Lit
}
