package coverage

import (
	"cmp"
	"context"
	"slices"
	"time"

	"netcov/aig"
	"netcov/aiger"
	"netcov/cert"
	"netcov/certify"
	"netcov/ic3"
	"netcov/internal/clock"
	"netcov/mutant"
	"netcov/netlist"
	"netcov/propset"
)

// The properties of a design as one question: does some property notice a mutant?
// They are proved together (package propset). Those that hold make groups of like
// cones, and each group is one session, on the part of the design that the group
// depends on, with the disjunction of its bad states and one invariant. A mutant
// outside of a group's cone costs that group nothing, and one that a group covers is
// not asked about again.
//
// A property that was proved is a lemma for another one on the design only. A
// mutant may break it, so no mutant's verdict rests on it: an invariant of a mutant
// excludes the bad states of all properties of its group, and assumes none.

// Outcome is what model checking found out about one property.
type Outcome struct {
	Position int // among the netlist's properties
	Property netlist.Property
	Proof    *Answer
}

// RunSet model checks several safety properties of the original and then decides
// the mutants for all that hold, as one question. See Run; the error is the same.
func RunSet(ctx context.Context, f *aiger.File, n *netlist.Netlist, properties []int, opt Options) (*Set, error) {
	if opt.Tests == nil {
		opt.Tests = SetTests(slices.ContainsFunc(opt.Targets, func(t mutant.Target) bool { return t.Gate }))
	}
	opt = opt.withDefaults(n)
	if err := cmp.Or(CheckTests(opt.Tests), opt.checkFaults(n)); err != nil {
		return nil, err
	}
	if opt.Engine == "" {
		opt.Engine = EngineSet
	}
	r := &setRun{
		f: f, n: n, opt: opt, all: n.Properties(), proofs: map[int]*Answer{},
		extractor: netlist.NewExtractor(n), cutter: certify.NewCutter(f),
		set: NewSet(n, opt.Targets, opt.Faults),
	}
	records, err := decodeRecords(opt.Resume, false)
	if err == nil {
		err = r.restore(properties, records)
	}
	if err != nil {
		return nil, resumeError(err)
	}
	journal := newRecorder(opt.Journal, 0)
	if err := r.proveRest(ctx, properties, journal); err != nil {
		return nil, err
	}
	for _, p := range properties {
		r.set.Outcomes = append(r.set.Outcomes, Outcome{p, r.all[p], r.proofs[p]})
	}
	r.set.JournalErr = journal.failure()
	if err := r.decide(ctx, records, r.chooseTargets()); err != nil {
		return nil, err
	}
	return r.set, nil
}

// setRun is the run of a set.
type setRun struct {
	f         *aiger.File
	n         *netlist.Netlist
	opt       Options
	all       []netlist.Property
	extractor *netlist.Extractor
	cutter    *certify.Cutter
	set       *Set
	proofs    map[int]*Answer
	groups    []*group
}

// group is some properties that hold, with what proves them: an invariant of the
// design.
type group struct {
	properties []int
	invariant  *cert.Invariant
	part       *netlist.Extract
	taken      bool // from a journal
	targets    []target
}

// newGroup cuts out the part of the design that properties depend on.
func (r *setRun) newGroup(properties []int, inv *cert.Invariant) *group {
	bads := make([]aig.Lit, len(properties))
	for i, p := range properties {
		bads[i] = r.all[p].Bad
	}
	return &group{properties: properties, invariant: inv, part: r.extractor.Extract(bads)}
}

// size is the number of the part's nodes.
func (g *group) size() int { return len(g.part.Latches) + len(g.part.Gates) }

// proof is the proof of the whole group.
func (r *setRun) proof(g *group) *Answer {
	p := &Answer{Status: cert.Holds, Engine: r.proofs[g.properties[0]].Engine, K: 1, Bound: -1}
	for _, i := range g.properties {
		p.Time += r.proofs[i].Time
	}
	return p
}

// decide runs the sessions of the groups, those with small cones first. later counts for
// each target the groups that have it.
func (r *setRun) decide(ctx context.Context, records map[int][]*entry, later map[mutant.Target]int) error {
	slices.SortStableFunc(r.groups, func(a, b *group) int { return a.size() - b.size() })
	check := time.Duration(0)
	for _, p := range r.proofs {
		check += p.Time
	}
	budget, bounded := r.opt.Budget.Duration(check)
	covered := map[mutantKey]bool{}
	decided := 0 // mutants that no further group is asked about, and that are known
	if len(r.groups) > 0 {
		decided = countMutants(r.n, slices.DeleteFunc(slices.Clone(r.opt.Targets), func(t mutant.Target) bool { return later[t] > 0 }), r.opt.Faults)
	}
	unknown := map[mutantKey]bool{} // to some group
	begin := time.Now()
	for i, g := range r.groups {
		q := question{
			names: g.properties, targets: g.targets, all: r.set.size(), decided: decided,
			skip: func(t mutant.Target, f mutant.Fault) bool { return covered[mutantKey{t, f}] || r.opt.leftOut(t, f) },
		}
		for _, t := range g.targets {
			later[t.whole]--
		}
		q.final = func(t mutant.Target, f mutant.Fault) bool { return later[t] == 0 && !unknown[mutantKey{t, f}] }
		opt := r.opt
		if opt.Engine == EngineSet {
			opt.Engine = DefaultEngine // for tests that model check a mutant
		}
		if bounded {
			opt.Budget = Budget{Limit: share(budget-time.Since(begin), i, r.groups)}
		}
		res, err := r.session(ctx, g, q, opt, records[g.properties[0]])
		if res != nil {
			r.set.Add(res)
			for _, m := range res.Mutants {
				k := mutantKey{m.Target, m.Fault}
				switch {
				case m.Verdict == mutant.Covered:
					covered[k] = true
					decided++
				case m.Verdict == mutant.Unknown:
					unknown[k] = true
				case m.last:
					decided++
				}
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// share is the time of group i, of what is left for it and all later ones: as
// large as its share of their mutants.
func share(left time.Duration, i int, groups []*group) time.Duration {
	all := 0
	for _, g := range groups[i:] {
		all += len(g.targets)
	}
	return max(1, time.Duration(float64(left)*float64(len(groups[i].targets))/float64(max(1, all))))
}

// chooseTargets gives each group the targets in its cone, in their order, and counts
// for each target the groups that have it.
func (r *setRun) chooseTargets() map[mutant.Target]int {
	groups := map[mutant.Target]int{}
	order := positions(r.opt.Targets)
	for _, g := range r.groups {
		g.targets = targetsIn(g.part, order)
		for _, t := range g.targets {
			groups[t.whole]++
		}
	}
	return groups
}

// positions tells where each target stands among those asked for.
func positions(targets []mutant.Target) map[mutant.Target]int {
	order := make(map[mutant.Target]int, len(targets))
	for i, t := range targets {
		order[t] = i
	}
	return order
}

// targetsIn returns the targets of a part, in the order of positions.
func targetsIn(part *netlist.Extract, order map[mutant.Target]int) []target {
	var out []target
	add := func(t mutant.Target) {
		whole := part.Whole(t)
		if _, asked := order[whole]; asked {
			out = append(out, target{whole, t})
		}
	}
	for i := range part.Latches {
		add(mutant.Target{Index: i})
	}
	for i := range part.Gates {
		add(mutant.Target{Gate: true, Index: i})
	}
	slices.SortFunc(out, func(a, b target) int { return order[a.whole] - order[b.whole] })
	return out
}

// session decides the mutants of a group. Where the run is over, they stay unknown.
func (r *setRun) session(ctx context.Context, g *group, q question, opt Options, records []*entry) (*Result, error) {
	var err error
	if q.file, err = r.cutter.Part(g.properties, g.part.Inputs, g.part.Latches, g.part.Gates); err != nil {
		return nil, err
	}
	q.netlist, q.in = g.part.Netlist, &excerpt{part: g.part}
	q.earlier = earlierPart{opt.Earlier, g.part, len(r.n.Inputs)}
	q.properties = upTo(len(g.properties))
	s := newSession(q, opt)
	res := &Result{Properties: g.properties, Proof: r.proof(g), in: q.in}
	own := slices.DeleteFunc(slices.Clone(records), func(e *entry) bool { return e.Kind == kindProof || e.Kind == kindGroup })
	_, verdicts, err := s.restore(own)
	if err == nil && !g.taken && len(verdicts) > 0 {
		err = errNoOutcome
	}
	if err != nil {
		return nil, resumeError(err)
	}
	s.opinion.off = opt.NoRecheck && !g.taken
	s.enough = opt.StopAt < 1 && s.ledger.accuracy() >= opt.StopAt
	original := s.stock.model.Original()
	if ctx.Err() == nil {
		res.Proof.Invariant, err = inPart(ctx, g, original, opt, s.stock.small)
	}
	if ctx.Err() != nil || res.Proof.Invariant == nil {
		res.Mutants, res.Stopped = s.ledger.mutants, "interrupted"
		if s.opinion.asked() {
			r.unconfirmed(g, res)
		}
		return res, err
	}
	err = s.decide(ctx, res, original, g.taken, verdicts)
	if res.Proof.Reason == unconfirmed {
		r.unconfirmed(g, res)
	}
	for _, p := range g.properties {
		r.proofs[p].Invariant = res.Invariant()
	}
	return res, err
}

// upTo returns 0, …, n-1.
func upTo(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// unconfirmed notes that nobody has confirmed the proofs of a group.
func (r *setRun) unconfirmed(g *group, res *Result) {
	res.Proof.Reason = unconfirmed
	for _, p := range g.properties {
		r.proofs[p].Reason = unconfirmed
	}
}

// inPart returns the group's invariant as one of its part. It may speak of
// registers that only properties outside of the group depend on, where some of
// those that were proved together with it failed in the end; then IC3 makes a new
// one from what speaks of the part. Where a smaller one is known, what speaks of the
// part is of use for its clauses only.
func inPart(ctx context.Context, g *group, original *netlist.Model, opt Options, small bool) (*cert.Invariant, error) {
	inv, all := g.part.Restrict(g.invariant, len(original.Latches))
	if all || small {
		return inv, nil
	}
	opt.Log.Debug("a new invariant of a part", "properties", g.properties)
	res := ic3.New(original, probes{effort: opt.Effort}.ic3(inv.Clauses)).Run(ctx, ic3.Budget{})
	return res.Invariant, res.Err
}

// proveRest model checks the properties without an outcome and makes the groups of
// those that hold.
func (r *setRun) proveRest(ctx context.Context, properties []int, journal *recorder) error {
	var open []int
	for _, p := range properties {
		if r.proofs[p] == nil {
			open = append(open, p)
		}
	}
	if len(open) == 0 {
		return nil
	}
	if r.opt.Role == Merger {
		for _, p := range open {
			r.proofs[p] = &Answer{Engine: r.opt.Engine, Bound: -1, Reason: noOutcome}
		}
		return nil
	}
	p := &prover{setRun: r, journal: journal, cluster: map[int]int{}, invariants: map[int]*cert.Invariant{}, last: time.Now(), asked: len(open)}
	p.tell()
	ctx, cancel := clock.Limit(ctx, r.opt.ProofBudget)
	defer cancel()
	if err := p.before(ctx, open); err != nil {
		return err
	}
	rest := slices.DeleteFunc(slices.Clone(open), func(i int) bool { return r.proofs[i] != nil })
	if len(rest) > 0 {
		if err := p.outcomes(ctx, rest); err != nil {
			return err
		}
	}
	var held []int
	for _, i := range open {
		if r.proofs[i].Status == cert.Holds {
			held = append(held, i)
		}
	}
	for _, c := range propset.Clusters(r.n, held) {
		g := r.newGroup(c, p.invariantOf(c))
		journal.group(c, g.invariant)
		r.groups = append(r.groups, g)
	}
	return nil
}
