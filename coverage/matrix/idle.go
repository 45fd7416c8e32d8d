package matrix

import (
	"context"
	"fmt"
	"strings"
	"time"

	"netcov/aig"
	"netcov/cert"
	"netcov/certify"
	"netcov/coverage"
	"netcov/ic3"
	"netcov/internal/clock"
	"netcov/mutant"
	"netcov/netlist"
)

// Why a property covers no mutant at all. Its bad state may be a constant, or a
// function of inputs that the constraints exclude: then no register matters. It may be
// vacuous: the constraints exclude every run, or the bad state is a conjunction, such as
// an antecedent and the complement of a consequent, of which one part never occurs.

// Idle is why a property covers nothing.
type Idle struct {
	Kind   IdleKind
	Detail string // in words
}

// IdleKind is a kind of reason.
type IdleKind uint8

// The kinds. NotIdle: the property covers something, or may; NoFault: no single fault
// makes it fail, and it is none of the others as far as the time allowed to look.
const (
	NotIdle IdleKind = iota
	Constant
	InputsOnly
	VacuousConstraints
	VacuousCondition
	NoFault
)

// String returns the word used in reports.
func (k IdleKind) String() string {
	return [...]string{"", "constant", "inputs", "vacuous-constraints", "vacuous-condition", "no-fault"}[k]
}

// The limits of the search for a condition that never holds.
const (
	mostConditions = 16
	eachCondition  = 200 * time.Millisecond
)

// idle finds out why a property covers nothing.
func (r *runner) idle(ctx context.Context, i int, runSteps *int) (Idle, error) {
	p := r.matrix.Properties[i]
	if runSteps != nil && *runSteps == 0 {
		return Idle{VacuousConstraints, "the constraints exclude every run"}, nil
	}
	if r.live(p) {
		return Idle{NoFault, "no single fault makes it fail"}, nil
	}
	bad := r.all[p].Bad
	m := netlist.Compile(r.n, bad, nil, mutant.AtOutput)
	if m.Bad == aig.False {
		return Idle{Constant, "its bad state is the constant 0"}, nil
	}
	if !readsLatches(m, m.Bad) {
		return Idle{InputsOnly, "its bad state reads inputs only"}, nil
	}
	if runSteps != nil {
		return Idle{VacuousConstraints, fmt.Sprintf("the constraints end every run after %d steps", *runSteps)}, nil
	}
	conditions := r.n.Graph.Conjuncts(bad)
	if len(conditions) > mostConditions {
		conditions = conditions[:mostConditions]
	}
	for _, l := range conditions {
		if len(conditions) == 1 || ctx.Err() != nil {
			break
		}
		never, err := r.never(ctx, i, l)
		if err != nil {
			return Idle{}, err
		}
		if never {
			return Idle{VacuousCondition, r.words(l)}, nil
		}
	}
	return Idle{NoFault, "no single fault makes it fail"}, nil
}

// readsLatches reports whether an edge depends on a latch within one step.
func readsLatches(m *netlist.Model, l aig.Lit) bool {
	for _, n := range m.Graph.Cone(l) {
		if m.Graph.Kind(n) == aig.KindLatch {
			return true
		}
	}
	return false
}

// never reports whether an edge is false in every step of every run: proved, and
// confirmed by the second opinion on a file whose bad state it is. False says nothing
// where the time ends.
func (r *runner) never(ctx context.Context, i int, l aig.Lit) (bool, error) {
	g := r.groups[i]
	known := g.Invariant()
	part := r.extractor.Extract([]aig.Lit{l})
	limited, cancel := clock.Limit(ctx, eachCondition)
	defer cancel()
	m := netlist.Compile(part.Netlist, part.Netlist.Bads[0].Lit, nil, mutant.AtOutput)
	seeds, _ := part.Restrict(known, len(m.Latches))
	res := ic3.New(m, ic3.Options{Seed: seeds.Clauses}).Run(limited, ic3.Budget{})
	if res.Err != nil || res.Status != cert.Holds {
		return false, res.Err
	}
	if r.opt.NoRecheck {
		return true, nil
	}
	lits, err := r.n.FileLits(r.f, []aig.Lit{l})
	if err != nil {
		return false, nil
	}
	file := *r.f
	file.Bads = lits
	checker := certify.NewChecker(&file, 0)
	checker.Solver = r.opt.Opinion
	err = checker.Invariant(ctx, part.Invariant(res.Invariant), nil)
	if err != nil && ctx.Err() == nil {
		return false, fmt.Errorf("%w: %s: %w", coverage.ErrRecheck, r.words(l), err)
	}
	return err == nil, nil
}

// mostNames is the number of signals that a condition is told by.
const mostNames = 4

// words says that an edge, without which a property does not fail, is never true.
func (r *runner) words(l aig.Lit) string {
	value := "1"
	if l.Neg() {
		value = "0"
	}
	name := func(n aig.Node) string {
		for _, in := range r.n.Inputs {
			if in.Lit.Node() == n {
				return in.Name
			}
		}
		for _, x := range r.n.Latches {
			if x.Lit.Node() == n {
				return x.Name
			}
		}
		return ""
	}
	if s := name(l.Node()); s != "" {
		return fmt.Sprintf("it fails only where %s is %s, which never happens", s, value)
	}
	var names []string
	for _, n := range r.n.Graph.Cone(l) {
		if s := name(n); s != "" {
			names = append(names, s)
		}
	}
	of := ""
	if len(names) > mostNames {
		names = append(names[:mostNames], "…")
	}
	if len(names) > 0 {
		of = ", a function of " + strings.Join(names, ", ") + ","
	}
	lits, err := r.n.FileLits(r.f, []aig.Lit{l})
	if err != nil {
		return ""
	}
	return fmt.Sprintf("it fails only where literal %d%s is 1, which never happens", lits[0], of)
}
