package suggest

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"netcov/aiger"
	"netcov/cert"
	"netcov/certify"
	"netcov/coverage"
	"netcov/internal/clock"
	"netcov/mutant"
	"netcov/netlist"
)

// Problem is a design with mutants that its properties do not notice.
type Problem struct {
	// File is the design, and Netlist what was built from it.
	File    *aiger.File
	Netlist *netlist.Netlist
	// Held are the positions of the safety properties that hold, among the netlist's.
	Held []int
	// Invariant is one of the design, from which candidates are taken too; nil is none.
	Invariant *cert.Invariant
	// Words are the signals that candidates may speak of.
	Words []*Word
	// Mutants are those that no property notices, and that may be noticed at all.
	Mutants []Mutant
	// Register names the register that a target belongs to, as Word.Register does.
	Register func(mutant.Target) string
	// Mux is the place of the faults.
	Mux mutant.Mux
}

// Mutant is a mutant that no property notices.
type Mutant struct {
	Target mutant.Target
	Fault  mutant.Fault
}

// Options bound a run. The zero value is no bound.
type Options struct {
	// Budget is the time for all. Default none.
	Budget time.Duration
	// Opinion is the solver of the second opinion. Default gini.
	Opinion certify.Solver
}

// Suggestion is an assertion that holds on the design and notices mutants.
type Suggestion struct {
	Shape string
	// Register is that of the mutants for which it was searched.
	Register string
	// Copies tells that it says nearly what the register's next-state function says.
	Copies bool
	// Covers are the mutants that neither a property nor a suggestion before it
	// notices; each has a run that certify has replayed.
	Covers []Mutant

	c     *candidate
	lines []string
}

// Literals is the number of words and numbers in it.
func (s *Suggestion) Literals() int { return s.c.literals() }

// Text is the assertion as one expression, with the names of the words.
func (s *Suggestion) Text() string { return s.c.text(wordName) }

// Result is what a run found.
type Result struct {
	Suggestions []*Suggestion
	// Covered are the mutants that the suggestions notice, NotCovered those that it was
	// proved of that none of them does, Unknown the rest.
	Covered, NotCovered, Unknown int
}

// rounds is the number of times that candidates are mined: the runs on which candidates
// of a round failed are samples of the next.
const rounds = 3

// Shares of the budget in percent: of the search for candidates in a round, and of their
// proof; and the share after which no further round begins. The rest is for what the
// found ones notice.
const (
	roundShare = 20
	lastRound  = 30
)

// mostProved is the number of candidates that are to be proved in a round.
const mostProved = 250

// Run looks for assertions that hold on the design and notice the mutants. When the
// budget or ctx ends, what is confirmed by then is returned. The error wraps ErrRecheck
// or coverage.ErrRecheck.
func Run(ctx context.Context, p Problem, opt Options) (*Result, error) {
	ctx, cancel := clock.Limit(ctx, opt.Budget)
	defer cancel()
	r := &run{p: p, opt: opt, best: map[string]rated{}, lost: map[string]bool{}}
	r.p.Words = useful(p.Words)
	if len(p.Mutants) == 0 || len(r.p.Words) == 0 {
		return &Result{NotCovered: len(p.Mutants)}, nil
	}
	s := newSamples(p.Netlist, r.p.Words)
	s.draw(ctx)
	r.reset = s.reset
	near := newNeighbourhood(p.Netlist, r.p.Words)
	begin := time.Now()
	for range rounds {
		again, err := r.round(ctx, s, near, opt.Budget*roundShare/100)
		if err != nil {
			return nil, err
		}
		if !again || ctx.Err() != nil || opt.Budget > 0 && time.Since(begin) > opt.Budget*lastRound/100 {
			break
		}
	}
	return r.confirm(ctx)
}

type run struct {
	p    Problem
	opt  Options
	best map[string]rated // candidates that hold, by their text
	lost map[string]bool  // candidates that fail, or are too hard

	reset *resetInput
}

// round mines candidates, and proves the best of them. It tells whether another round
// may find more.
func (r *run) round(ctx context.Context, s *samples, near *neighbourhood, limit time.Duration) (bool, error) {
	m := newMiner(s, near)
	r.clauses(m)
	groups := r.groups()
	begin := time.Now()
	for i, w := range groups {
		if ctx.Err() != nil {
			break
		}
		share := time.Duration(0) // of what is left
		if limit > 0 {
			share = max(1, (limit-time.Since(begin))/time.Duration(len(groups)-i))
		}
		mining, cancel := clock.Limit(ctx, share)
		m.about(mining, w)
		cancel()
	}
	var fresh []*candidate
	for _, c := range m.found {
		if _, known := r.best[c.key]; !known && !r.lost[c.key] {
			fresh = append(fresh, c)
		}
	}
	if len(fresh) == 0 {
		return false, nil
	}
	mon := newMonitored(r.p.Netlist, nil)
	for _, c := range fresh {
		mon.add(c)
	}
	by := notice(ctx, mon.netlist, r.p.Mux, r.p.Mutants, s.reset, false).by
	var all []rated
	for i, c := range fresh {
		if !by[i].empty() {
			all = append(all, rated{c, by[i]})
		}
	}
	chosen := pool(all, len(r.p.Mutants), 8, mostProved)
	if len(chosen) == 0 {
		return false, nil
	}
	mon = newMonitored(r.p.Netlist, r.p.Held)
	for _, x := range chosen {
		mon.add(x.c)
	}
	got, err := prove(ctx, mon, mon.file(), r.opt.Opinion, limit)
	if err != nil {
		return false, err
	}
	for i, x := range chosen {
		if got.holds[mon.held+i] {
			r.best[x.c.key] = x
		} else {
			r.lost[x.c.key] = true
		}
	}
	for _, t := range got.traces {
		s.trace(t)
	}
	s.index()
	return len(got.traces) > 0, nil
}

// groups are the words of the registers that have mutants.
func (r *run) groups() []*Word {
	word := map[string]*Word{}
	for _, w := range r.p.Words {
		if w.Register != "" && word[w.Register] == nil {
			word[w.Register] = w
		}
	}
	var out []*Word
	seen := map[*Word]bool{}
	for _, m := range r.p.Mutants {
		if w := word[r.p.Register(m.Target)]; w != nil && !seen[w] {
			seen[w] = true
			out = append(out, w)
		}
	}
	return out
}

// mostOfClause is the number of literals of clauses that become candidates.
const mostOfClause = 3

// clauses gives the miner the small clauses of the proofs, as far as their registers
// have names.
func (r *run) clauses(m *miner) {
	if r.p.Invariant == nil {
		return
	}
	for _, c := range r.p.Invariant.Clauses {
		var ts []*term
		for _, l := range c {
			if l.Latch() >= len(r.p.Netlist.Latches) || len(c) > mostOfClause {
				break
			}
			if t := bitOf(r.p.Words, r.p.Netlist.Latches[l.Latch()].Lit); t != nil {
				if l.Neg() {
					t = negate(t)
				}
				ts = append(ts, t)
			}
		}
		if len(ts) == len(c) && len(c) > 0 {
			m.clauses = append(m.clauses, ts)
		}
	}
}

// confirm chooses among what holds, and has the cascade decide which mutants the chosen
// ones notice.
func (r *run) confirm(ctx context.Context) (*Result, error) {
	var all []rated
	for _, key := range slices.Sorted(maps.Keys(r.best)) {
		all = append(all, r.best[key])
	}
	chosen := choose(all, len(r.p.Mutants))
	if len(chosen) == 0 {
		return &Result{NotCovered: len(r.p.Mutants)}, nil
	}
	mon := newMonitored(r.p.Netlist, nil)
	for _, x := range chosen {
		mon.add(x.c)
	}
	file := mon.file()
	var props []int
	for i := range chosen {
		props = append(props, i)
	}
	asked := map[Mutant]bool{}
	var faults []mutant.Fault
	var targets []mutant.Target
	seen := map[mutant.Target]bool{}
	for _, m := range r.p.Mutants {
		asked[m] = true
		if !slices.Contains(faults, m.Fault) {
			faults = append(faults, m.Fault)
		}
		if !seen[m.Target] {
			seen[m.Target] = true
			targets = append(targets, m.Target)
		}
	}
	opt := coverage.Options{
		Mux: r.p.Mux, Targets: targets, Faults: faults, Opinion: r.opt.Opinion,
		Ask: func(t mutant.Target, f mutant.Fault) bool { return asked[Mutant{t, f}] },
	}
	set, err := coverage.RunSet(ctx, file, mon.netlist, props, opt)
	if err != nil {
		return nil, err
	}
	return r.attribute(chosen, mon, file, set)
}

// attribute gives each mutant that is noticed to the first suggestion that simulation
// has seen notice it, else to the one whose failure ends the trace.
func (r *run) attribute(chosen []rated, mon *monitored, file *aiger.File, set *coverage.Set) (*Result, error) {
	out := &Result{}
	ss := make([]*Suggestion, len(chosen))
	for i, x := range chosen {
		ss[i] = &Suggestion{Shape: x.c.shape, Register: x.c.about.Register, Copies: x.c.copies, c: x.c}
	}
	runs := notice(context.Background(), mon.netlist, r.p.Mux, r.p.Mutants, r.reset, true)
	for k, m := range r.p.Mutants {
		j := set.Judge(m.Target, m.Fault)
		switch j.Verdict {
		case mutant.NotCovered:
			out.NotCovered++
			continue
		case mutant.Unknown:
			out.Unknown++
			continue
		}
		out.Covered++
		by := j.Mutant.Property
		for i := range chosen {
			t := runs.traces[[2]int{i, k}]
			if t == nil {
				continue
			}
			err := certify.NewChecker(file, i).Trace(t, certify.Mutation{Gate: m.Target.Gate, Index: m.Target.Index, Fault: m.Fault, Mux: r.p.Mux})
			if err != nil {
				return nil, fmt.Errorf("%w: %v, %v: %w", ErrRecheck, m.Target, m.Fault, err)
			}
			by = i
			break
		}
		ss[by].Covers = append(ss[by].Covers, m)
	}
	for _, s := range ss {
		if len(s.Covers) > 0 {
			s.lines = r.lines(s.Covers)
			out.Suggestions = append(out.Suggestions, s)
		}
	}
	return out, nil
}

// lines tells of mutants by register: how many of each fault.
func (r *run) lines(ms []Mutant) []string {
	var names []string
	faults := map[string]map[mutant.Fault]int{}
	for _, m := range ms {
		name := r.p.Register(m.Target)
		if name == "" {
			name = m.Target.String()
		}
		if faults[name] == nil {
			names = append(names, name)
			faults[name] = map[mutant.Fault]int{}
		}
		faults[name][m.Fault]++
	}
	var out []string
	for _, name := range names {
		var parts []string
		for _, f := range mutant.Faults() {
			if n := faults[name][f]; n > 0 {
				parts = append(parts, fmt.Sprintf("%d %v", n, f))
			}
		}
		out = append(out, name+": "+strings.Join(parts, ", "))
	}
	return out
}
