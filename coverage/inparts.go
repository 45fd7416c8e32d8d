package coverage

import (
	"context"
	"fmt"
	"slices"
	"time"

	"netcov/aig"
	"netcov/aiger"
	"netcov/cert"
	"netcov/certify"
	"netcov/internal/clock"
	"netcov/internal/memlimit"
	"netcov/mutant"
	"netcov/netlist"
)

// A property that is proved in parts (parts.go) has its mutants decided in the same parts,
// each part as a group of a set: the properties of the set are the disjuncts. A node that
// one part alone depends on is decided there. Its mutant leaves the other parts as they
// are, so an invariant of it, and what proves the others, prove the property. Nodes that
// several parts depend on, which constraints read, and gates that join the disjuncts are
// decided on the whole cone; the rest is outside of it.

// inParts returns the bundles of a property whose mutants are to be decided in parts, nil
// where they are one question: where it is small, where something speaks of the design as a
// whole, and where other tests than the standard ones are asked for.
func inParts(n *netlist.Netlist, bad aig.Lit, opt Options) [][]aig.Lit {
	standard := testsOf(forLatches | forGates)
	switch {
	case !slices.Contains([]string{"", EngineSet, EngineIC3}, opt.Engine), !slices.Contains(opt.Tests, TestCone),
		slices.ContainsFunc(opt.Tests, func(name string) bool { return !slices.Contains(standard, name) }),
		opt.Role != Alone, opt.Ask != nil, opt.Proof != nil, opt.Earlier != nil, opt.Lassos != nil,
		opt.Journal != nil, len(opt.Resume) > 0, len(opt.Hints) > 0:
		return nil
	}
	return bundle(n, bad)
}

// runParts is Run for a property in parts.
func runParts(ctx context.Context, f *aiger.File, n *netlist.Netlist, property int, bundles [][]aig.Lit, opt Options) (*Result, error) {
	if opt.Progress != nil {
		opt.Progress(Progress{Stage: StageProving, Properties: 1})
	}
	res := &Result{Properties: []int{property}, Proof: proveParts(ctx, n, bundles, opt)}
	opt.Log.Info("model checking done in parts", "property", property, "parts", len(bundles), "status", res.Proof.Status,
		"m", res.Proof.M, "seconds", res.Proof.Time.Seconds())
	switch {
	case res.Proof.Err != nil:
		return res, res.Proof.Err
	case res.Proof.Status != cert.Holds:
		s := &session{opinion: newOpinion(question{file: f, properties: res.Properties, names: res.Properties}, opt)}
		s.opinion.off = opt.NoRecheck
		return res, s.recheckTrace(res.Proof, false)
	}
	opt.Checker = nil // of the design
	if limit, bounded := opt.Budget.Duration(res.Proof.Time); bounded {
		opt.Budget = Budget{Limit: limit}
	}
	r, err := openProperty(f, n, property, res.Proof)
	if err != nil {
		return res, err
	}
	r.opt, r.set = opt, NewSet(r.n, opt.Targets, opt.Faults)
	if err := r.decide(ctx, nil, r.chooseApart(res.Proof)); err != nil {
		return res, err
	}
	r.unite(res)
	return res, nil
}

// proveParts proves the property within the limits of time and memory.
func proveParts(ctx context.Context, n *netlist.Netlist, bundles [][]aig.Lit, opt Options) *Answer {
	limited, cancel := clock.Limit(ctx, opt.ProofTime(1))
	defer cancel()
	watched, end := memlimit.Watch(limited, opt.MemoryLimit)
	defer end()
	check := CheckOptions{Paranoid: opt.Paranoid, Effort: opt.Effort}
	p := check.guarded(watched, func(ctx context.Context, look probes) *Answer { return checkParts(ctx, n, bundles, look) })
	if p.Status == cert.Unknown && memlimit.Exceeded(watched) {
		p.Reason = outOfMemory
	}
	return p
}

// openProperty makes a property of each disjunct, in file and netlist, and after them one
// of the whole. The parts are groups.
func openProperty(f *aiger.File, n *netlist.Netlist, property int, proof *Answer) (*setRun, error) {
	split := &netlist.Netlist{Graph: n.Graph, Inputs: n.Inputs, Latches: n.Latches, Gates: n.Gates, Constraints: n.Constraints}
	var bads []aig.Lit
	for _, p := range proof.parts {
		bads = append(bads, p.bads...)
	}
	for _, l := range append(bads, n.Property(property).Bad) {
		split.Bads = append(split.Bads, netlist.Signal{Lit: l})
	}
	lits, err := n.FileLits(f, bads)
	if err != nil {
		return nil, err
	}
	opened, err := certify.Open(f, property, lits)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrRecheck, err)
	}
	r := &setRun{f: opened, n: split, all: split.Properties(), proofs: map[int]*Answer{}, extractor: netlist.NewExtractor(n), cutter: certify.NewCutter(opened)}
	for _, p := range proof.parts {
		r.addPart(p.invariant, p.time, len(p.bads))
	}
	return r, nil
}

// addPart makes a group of the next properties.
func (r *setRun) addPart(inv *cert.Invariant, spent time.Duration, properties int) *group {
	var ps []int
	for range properties {
		ps = append(ps, len(r.proofs))
		r.proofs[len(r.proofs)] = &Answer{Status: cert.Holds, Engine: EngineIC3, Time: spent / time.Duration(properties)}
	}
	g := r.newGroup(ps, inv)
	r.groups = append(r.groups, g)
	return g
}

// ConfirmParts asks for the second opinion on a property that was proved in parts, each
// part on its own; asked is false where it was not.
func (p *Answer) ConfirmParts(ctx context.Context, f *aiger.File, n *netlist.Netlist, property int) (asked bool, err error) {
	if p.parts == nil {
		return false, nil
	}
	r, err := openProperty(f, n, property, p)
	if err != nil {
		return true, err
	}
	for _, g := range r.groups {
		part, err := r.cutter.Part(g.properties, g.part.Inputs, g.part.Latches, g.part.Gates)
		if err != nil {
			return true, err
		}
		inv, _ := g.part.Restrict(g.invariant, g.part.ModelLatches())
		if err := certify.NewChecker(part, upTo(len(g.properties))...).Invariant(ctx, inv, nil); err != nil {
			return true, err
		}
	}
	return true, nil
}

// chooseApart gives each part the targets that no other has, and counts for each target the
// groups that have it. Where the property depends on others, the whole is a group, too.
func (r *setRun) chooseApart(proof *Answer) map[mutant.Target]int {
	groups := r.chooseTargets()
	joins := r.joins()
	apart := func(t target) bool {
		return groups[t.whole] == 1 && !(t.whole.Gate && joins[r.n.Gates[t.whole.Index].Node()])
	}
	left := 0
	for _, g := range r.groups {
		all := len(g.targets)
		g.targets = slices.DeleteFunc(g.targets, func(t target) bool { return !apart(t) })
		left += all - len(g.targets)
	}
	if left > 0 || slices.ContainsFunc(r.opt.Targets, func(t mutant.Target) bool { return t.Gate }) {
		whole := r.addPart(proof.Invariant, proof.Time, 1)
		whole.targets = slices.DeleteFunc(targetsIn(whole.part, positions(r.opt.Targets)), apart)
		for _, t := range whole.targets {
			groups[t.whole] = 1
		}
	}
	return groups
}

// joins returns the gates that join the disjuncts of the whole.
func (r *setRun) joins() map[aig.Node]bool {
	in := map[aig.Node]bool{}
	for stack := []aig.Lit{r.all[len(r.all)-1].Bad}; len(stack) > 0; {
		l := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if l.Neg() && r.n.Graph.Kind(l.Node()) == aig.KindAnd && !in[l.Node()] {
			in[l.Node()] = true
			a, b := r.n.Graph.Fanins(l.Node())
			stack = append(stack, a.Not(), b.Not())
		}
	}
	return in
}

// unite makes one result of those of the parts.
func (r *setRun) unite(res *Result) {
	property := res.Properties[0]
	var proved []*cert.Invariant
	whole := len(r.all) - 1
	tests := map[string]*TestStats{}
	for _, name := range r.opt.Tests {
		tests[name] = &TestStats{}
	}
	for i, g := range r.set.Groups {
		if g.Proof.Reason != "" {
			res.Proof.Reason = g.Proof.Reason
		}
		res.Cover += g.Cover
		res.Recheck += g.Recheck
		for _, t := range g.Tests {
			s := tests[t.Name]
			s.Covered, s.NotCovered, s.Time = s.Covered+t.Covered, s.NotCovered+t.NotCovered, s.Time+t.Time
		}
		if g.Properties[0] == whole {
			continue
		}
		at := len(proved)
		if inv := g.Invariant(); inv != nil {
			proved = append(proved, inv)
		} else {
			proved = append(proved, r.groups[i].invariant) // the run ended before
		}
		g.in.others = func() []*cert.Invariant { return slices.Concat(proved[:at], proved[at+1:]) }
	}
	res.Proof.Invariant = cert.Conjunction(proved...)
	for _, g := range r.set.Groups { // what a part has is what all have together
		if g.Properties[0] != whole {
			g.in.complete = map[*cert.Invariant]*cert.Invariant{g.Proof.Invariant: res.Proof.Invariant}
		}
	}
	for j := range r.set.All() {
		m := j.Mutant
		if m == nil {
			m = &Mutant{Target: j.Target, Fault: j.Fault, Verdict: j.Verdict, Test: j.Test, Depth: -1, Evidence: Evidence{Invariant: res.Proof.Invariant}}
			tests[TestCone].NotCovered++
		}
		m.Property = property
		res.Mutants = append(res.Mutants, m)
	}
	res.Stopped = r.set.Stopped()
	for _, name := range r.opt.Tests {
		res.Tests = append(res.Tests, TestResult{name, *tests[name]})
	}
}
