package certify

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"netcov/aiger"
	"netcov/aiger/sim"
	"netcov/cert"
)

// Comparison checks why mutants are not covered: claims about a design beside a mutant
// on which each property holds, as it does on the design. The properties may be safety
// and justice. Where a difference counts, the observation points say.
//
//	Outside   no property and no constraint depends on the node
//	Constant  an invariant of the design gives the node the fault's value
//	Pair      an invariant of the pair excludes differences
//	NoRun     the constraints exclude all runs
//	Apart     a trace on which the constraints tell the two apart
//	Gap       a trace on which an observation point differs
//
// It may be used by several goroutines at a time.
type Comparison struct {
	k       *Checker
	observe Observation

	lock sync.Mutex
	kept map[string]bool // by clauses: whether the design keeps them; see keeps
}

// NewComparison prepares the checks. Properties are positions: the safety properties
// first (see NewChecker), then the justice properties. Another position, or none at
// all, makes every check fail. The file must not be changed afterwards.
func NewComparison(f *aiger.File, o Observation, solver Solver, properties ...int) *Comparison {
	k := newChecker(f)
	k.Solver = solver
	if len(properties) == 0 {
		k.err = errors.New("there is no property that holds")
	}
	bads, _, _ := f.Properties()
	for _, p := range properties {
		switch j := p - len(bads); {
		case p < 0 || j >= len(f.Justice):
			k.err = fmt.Errorf("property %d is none of the file's %d", p, len(bads)+len(f.Justice))
		case j >= 0:
			k.justice, k.fairness = append(k.justice, f.Justice[j]...), f.Fairness
		default:
			k.properties, k.bads = append(k.properties, p), append(k.bads, bads[p])
		}
	}
	return &Comparison{k: k, observe: o.In(f)}
}

// Outside reports whether no property and no constraint depends on the mutated node: see
// Checker.Outside.
func (c *Comparison) Outside(m Mutation) (bool, error) { return c.k.Outside(m) }

// Witness returns a trace of the design and a mutant in AIGER's witness format, as one
// of bad state 0. See Checker.Witness.
func (c *Comparison) Witness(tr *cert.Trace) (*aiger.Witness, error) {
	if c.k.err != nil {
		return nil, c.k.err
	}
	return c.k.witness(tr, aiger.Property{Kind: 'b'})
}

// NoRun checks that no initial state is within the constraints. It returns nil, or what
// is wrong, or the error that kept it from deciding.
func (c *Comparison) NoRun(ctx context.Context) error {
	k := c.k
	if k.err != nil {
		return k.err
	}
	s := k.getScratch()
	defer k.scratch.Put(s)
	s.cuts.reset(k)
	s.restart()
	f := &s.frames[0]
	f.initial = true
	for _, l := range k.file.Constraints {
		s.cnf.add(f.lit(l))
	}
	q := query{c: &s.cnf, kind: k.Solver, cubes: [][]lit{nil}}
	if sat, err := q.possible(ctx); err != nil || sat {
		return orFailure(err, errors.New("the constraints allow the first step of some run"))
	}
	return nil
}

// Miter returns the file of the design and a mutant side by side, bad where an
// observation point differs: see sim.Miter.
func (c *Comparison) Miter(m Mutation) (*aiger.File, error) {
	fault, err := c.k.fault(m)
	if err != nil {
		return nil, err
	}
	return sim.Miter(c.k.file, fault, c.observe.Points(c.k.file, fault.Var))
}

// OnMiter returns a trace of the design and a mutant as one of their miter.
func (c *Comparison) OnMiter(w *aiger.Witness, m Mutation) (*aiger.Witness, error) {
	fault, err := c.k.fault(m)
	if err != nil {
		return nil, err
	}
	return sim.MiterTrace(c.k.file, w, fault), nil
}

// FromMiter is the inverse of OnMiter. The error says in what the trace is none of the
// miter.
func (c *Comparison) FromMiter(w *aiger.Witness, m Mutation) (*aiger.Witness, error) {
	n := len(c.k.file.Latches)
	if len(w.Init) != 2*n+m.Added() {
		return nil, fmt.Errorf("the initial state has %d latches, the design and %v have %d", len(w.Init), m, 2*n+m.Added())
	}
	own := *w
	own.Init = w.Init[:n:n]
	due, err := c.OnMiter(&own, m)
	if err == nil && !slices.Equal(due.Init, w.Init) {
		err = fmt.Errorf("%v does not start as the design does", m)
	}
	return &own, err
}
