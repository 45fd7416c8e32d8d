package coverage

import (
	"context"
	"fmt"
	"maps"
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

// Cells of the matrix of properties and mutants: does this property, too, fail on a
// mutant that the set covers? A cell is decided by the cascade, with the property's
// own share of its group's proof: the group's invariant, made smaller until it proves
// no more than the property. So no cell rests on a lemma that the mutant may break.

// Cells decides cells of a set of properties.
type Cells struct {
	// Found is what an earlier run recorded by Record, in its order: claims, to be
	// confirmed.
	Found []Finding

	journal   *recorder
	f         *aiger.File
	n         *netlist.Netlist
	set       *Set
	opt       Options
	all       []netlist.Property
	extractor *netlist.Extractor
	cutter    *certify.Cutter
	records   map[int][]*entry
	order     map[mutant.Target]int                              // the targets' positions
	uses      map[*Result]func(mutant.Target, mutant.Fault) bool // see groupUses
}

// ownProof is the time for an invariant of a property alone.
const ownProof = 500 * time.Millisecond

// Row is what a call of Decide has found out.
type Row struct {
	// Proved tells whether there is a proof of the properties alone.
	Proved bool
	// Mutants are those that were asked about; a covered one names a property that fails.
	Mutants []*Mutant
	// Uses tells, of a single property, which mutants its proof, or where it has none of its
	// own that of its group, depends on: with any other, the invariant stays one and excludes
	// the bad states, by one query. It is nil where the time did not suffice.
	Uses       func(mutant.Target, mutant.Fault) bool
	JournalErr error
}

// NewCells prepares the decision of cells of a set, whose run had these options: its
// journal is written to, and its records are taken up. The error wraps ErrResume.
func NewCells(f *aiger.File, n *netlist.Netlist, set *Set, opt Options) (*Cells, error) {
	opt.Targets, opt.Faults = set.Targets, set.Faults
	if len(opt.Tests) == 0 {
		opt.Tests = SetTests(slices.ContainsFunc(opt.Targets, func(t mutant.Target) bool { return t.Gate }))
	}
	opt.Role, opt.Ask, opt.Hints = Alone, nil, nil
	opt = opt.withDefaults(n)
	if opt.Engine == "" || opt.Engine == EngineSet {
		opt.Engine = DefaultEngine
	}
	if err := CheckTests(opt.Tests); err != nil {
		return nil, err
	}
	records, err := decodeRecords(opt.Resume, true)
	if err != nil {
		return nil, resumeError(err)
	}
	journal := newRecorder(opt.Journal, 0)
	found, err := findings(records, n, journal)
	if err != nil {
		return nil, resumeError(err)
	}
	return &Cells{
		Found: found, f: f, n: n, journal: journal, set: set, opt: opt, all: n.Properties(), records: records, order: positions(opt.Targets), uses: map[*Result]func(mutant.Target, mutant.Fault) bool{},
		extractor: netlist.NewExtractor(n), cutter: certify.NewCutter(f),
	}, nil
}

// Asked is what a call of Decide is to find out.
type Asked struct {
	// Open tells which mutants are to be decided.
	Open func(mutant.Target, mutant.Fault) bool
	// All is the number of cells of the whole matrix, and Decided how many of them are:
	// Options.StopAt counts them.
	All, Decided int
	// Budget bounds the time of the cascade; 0: no bound.
	Budget time.Duration
}

// Decide decides which of some mutants are noticed by safety properties of a group, taken
// as one that fails where one of them does: by the cascade, with a proof of these
// properties alone. Where there is no such proof in the time for it, or the time ends
// first, mutants stay unknown. The error wraps ErrRecheck or ErrResume.
func (c *Cells) Decide(ctx context.Context, properties []int, a Asked) (*Row, error) {
	g := c.groupOf(properties[0])
	if g == nil {
		return nil, fmt.Errorf("property %d is not proved", properties[0])
	}
	bads := make([]aig.Lit, len(properties))
	for i, p := range properties {
		bads[i] = c.all[p].Bad
	}
	part := c.extractor.Extract(bads)
	row := &Row{}
	inv, err := c.ownInvariant(ctx, g, part, a.Budget)
	if err != nil {
		return nil, err
	}
	if inv == nil {
		if len(properties) == 1 {
			row.Uses, err = c.groupUses(ctx, g)
		}
		return row, err
	}
	row.Proved = true
	s, err := c.session(part, properties, a)
	if err != nil {
		return nil, err
	}
	taken := false
	var verdicts []restored
	if len(properties) > 1 {
		s.ledger.journal = nil // see Record
	} else if _, verdicts, err = s.restore(c.records[properties[0]]); err != nil {
		return nil, resumeError(err)
	} else {
		taken = len(verdicts) > 0 || s.stock.small
	}
	s.opinion.off = c.opt.NoRecheck && !taken
	proof := *c.outcome(properties[0])
	proof.Invariant, proof.engine = inv, nil
	if s.proof = &proof; !s.stock.small {
		s.stock.shared = inv
	}
	original := s.stock.model.Original()
	if len(s.ledger.mutants) > 0 {
		r := &Result{Properties: properties, Proof: &proof}
		if err := s.decide(ctx, r, original, taken, verdicts); err != nil {
			return nil, err
		}
		row.Mutants, row.JournalErr = r.Mutants, r.JournalErr
	}
	if len(properties) > 1 {
		return row, nil
	}
	row.Uses = s.uses(ctx, original)
	return row, nil
}

// ownInvariant returns an invariant of the part that some properties depend on, which
// proves them: the group's, or where that has formulas, which can not be made smaller, or
// speaks of more than the part, another one. A single property has ownProof for it; several
// may be hard for IC3, and are proved as a set within limit. nil: there is none.
func (c *Cells) ownInvariant(ctx context.Context, g *Result, part *netlist.Extract, limit time.Duration) (*cert.Invariant, error) {
	inv, all := part.Restrict(g.Invariant(), part.ModelLatches())
	if all && len(inv.Formulas) == 0 {
		return inv, nil
	}
	count := len(part.Netlist.Bads)
	if count == 1 {
		limited, cancel := clock.LimitWork(ctx, ownProof)
		defer cancel()
		m := netlist.Compile(part.Netlist, part.Netlist.Bads[0].Lit, nil, mutant.AtOutput)
		res := ic3.New(m, probes{effort: c.opt.Effort}.ic3(inv.Clauses)).Run(limited, ic3.Budget{})
		return res.Invariant, res.Err
	}
	limited, cancel := clock.LimitWork(ctx, limit)
	defer cancel()
	asked := upTo(count)
	held := 0
	last := map[int]*cert.Invariant{} // by cluster
	cluster := clusterOf(part.Netlist, asked)
	_, err := propset.Check(limited, part.Netlist, asked, propset.Options{Effort: c.opt.Effort, Found: func(a *propset.Answer) error {
		if a.Invariant != nil {
			held += len(a.Properties)
			last[cluster[a.Properties[0]]] = a.Invariant
		}
		return nil
	}})
	if held < count || err != nil {
		if limited.Err() != nil {
			err = nil
		}
		return nil, err
	}
	return cert.Conjunction(slices.Collect(maps.Values(last))...), nil
}

// clusterOf numbers the clusters of properties: see propset.Clusters.
func clusterOf(n *netlist.Netlist, properties []int) map[int]int {
	of := map[int]int{}
	for k, ps := range propset.Clusters(n, properties) {
		for _, p := range ps {
			of[p] = k
		}
	}
	return of
}

// session makes the session of some properties on a part that has their bad states.
func (c *Cells) session(part *netlist.Extract, properties []int, a Asked) (*session, error) {
	q := question{netlist: part.Netlist, in: &excerpt{part: part}, properties: upTo(len(properties)), names: properties, targets: targetsIn(part, c.order), all: a.All, decided: a.Decided}
	q.skip = func(t mutant.Target, f mutant.Fault) bool { return a.Open == nil || !a.Open(t, f) }
	var err error
	if q.file, err = c.cutter.Part(properties, part.Inputs, part.Latches, part.Gates); err != nil {
		return nil, err
	}
	opt := c.opt
	opt.Checker, opt.Budget = nil, Budget{Limit: a.Budget}
	if len(properties) == 1 {
		opt.Tests = forOne(opt.Tests)
	}
	s := newSession(q, opt)
	if s.ledger.journal != nil {
		s.ledger.journal.cell = true
	}
	return s, nil
}

// groupUses tells which mutants the proof of a whole group depends on, nil where ctx
// ends first.
func (c *Cells) groupUses(ctx context.Context, g *Result) (func(mutant.Target, mutant.Fault) bool, error) {
	if uses := c.uses[g]; uses != nil {
		return uses, nil
	}
	bads := make([]aig.Lit, len(g.Properties))
	for i, p := range g.Properties {
		bads[i] = c.all[p].Bad
	}
	part := c.extractor.Extract(bads)
	s, err := c.session(part, g.Properties, Asked{})
	if err != nil {
		return nil, err
	}
	inv, all := part.Restrict(g.Invariant(), len(s.stock.model.Latches))
	if !all {
		return nil, fmt.Errorf("the invariant of property %d speaks of registers that its group does not depend on", g.Properties[0])
	}
	s.stock.shared, s.stock.small = inv, true
	c.uses[g] = s.uses(ctx, nil)
	return c.uses[g], nil
}

// groupOf returns the result whose group has a property, nil where none has.
func (c *Cells) groupOf(property int) *Result {
	for _, g := range c.set.Groups {
		if slices.Contains(g.Properties, property) {
			return g
		}
	}
	return nil
}

// outcome returns the answer about a property.
func (c *Cells) outcome(property int) *Answer {
	i := slices.IndexFunc(c.set.Outcomes, func(o Outcome) bool { return o.Position == property })
	return c.set.Outcomes[i].Proof
}

// uses looks which mutants break the session's invariant of the design, or make a bad
// state of one that it has: nil where ctx ends first.
func (s *session) uses(ctx context.Context, original *netlist.Model) func(mutant.Target, mutant.Fault) bool {
	if !s.stock.small {
		s.minimise(ctx, original)
	}
	ask := make([]cases, len(s.stock.model.Cuts))
	for k := range ask {
		ask[k] = cases{true, true}
	}
	keeps, ok := newOneStep(s.solver(), s.stock.model, s.stock.shared).group(ctx, ask)
	if !ok {
		return nil
	}
	used := map[mutantKey]bool{}
	for _, t := range s.targets {
		for _, f := range s.opt.Faults {
			k, force, inside := s.stock.model.Find(t.part, f)
			if !inside {
				continue
			}
			used[mutantKey{t.whole, f}] = force != netlist.ForceOne && !keeps[k][0] || force != netlist.ForceZero && !keeps[k][1]
		}
	}
	return func(t mutant.Target, f mutant.Fault) bool { return used[mutantKey{t, f}] }
}
