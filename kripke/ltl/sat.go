package ltl

import (
	"context"
	"errors"
	"fmt"
	"time"

	"netcov/aig"
	"netcov/aiger"
	"netcov/cert"
	"netcov/ic3"
	"netcov/interp"
	"netcov/kripke/automaton"
	"netcov/kripke/circuit"
	"netcov/kripke/confirm"
	"netcov/liveness"
	"netcov/mutant"
	"netcov/netlist"
)

// Coverage of large designs by the SAT engines (CKKV01 section 3: "the synchronous
// composition is not empty iff the state that was visited when flip becomes true for the
// first time is node q-covered"). One check of the instrumented model decides whether a
// signal has any covered state. A counterexample names one; of node coverage it is grown
// to a cube (grow.go). What is found is spared from flips, and the check is repeated
// until nothing is left: the last check leaves an invariant that proves the rest
// uncovered.
//
// Where the automaton shows a finite run that nothing can mend, the instrumented model has
// a bad state. Else it is a search for a lasso (package liveness), which begins after some
// rounds of fairness: none, which is good for finding one, and more and more, which is
// good for a proof that there is none.

// SATSet is what the SAT engines found out about a signal's coverage.
type SATSet struct {
	// Covered are control states, or cubes of them, each with a run on which the flip
	// violates the specification.
	Covered []CoveredState
	// Complete tells that there are no others; Invariant proves it of the last check.
	Complete  bool
	Invariant *cert.Invariant
	// Doubt is what the second opinion does not confirm; nil where it confirms all.
	Doubt *Unconfirmed
	// Refused counts the cubes that it does not confirm; only their runs' states are in
	// Covered.
	Refused int
	Checks  int // model checking runs
	Depth   int // of the longest run found, or the bound reached
}

// CoveredState is a covered control state and its run. Where a finite run violates the
// specification whatever follows, its Loop is its length. Cube has what was grown from
// the state, and the state itself where nothing was.
type CoveredState struct {
	Name string
	Run  *Computation
	Cube Cube
}

// SAT is a specification on a circuit, for the SAT engines. It is not safe for
// concurrent use.
type SAT struct {
	c *circuit.Circuit
	a *automaton.Automaton
	// Of the proof that the specification holds, where a finite run shows each violation:
	// over the registers of the circuit and then those of the automaton.
	invariant *cert.Invariant
	proof     *evidence // that it holds
	waits     *bool     // see mayWait
	leaves    *evidence // that it may wait, where that needs one
	second    opinions

	waitsConfirmed bool
}

// NewSAT prepares a specification, given by its automaton of wrong behaviours.
func NewSAT(c *circuit.Circuit, wrong *automaton.Automaton) *SAT {
	return &SAT{c: c, a: wrong, second: opinions{confirm.New(c, wrong)}}
}

// Holds model checks the specification. The computation is a counterexample, nil when
// it holds. An answer that the second opinion does not confirm is an error, Unconfirmed.
func (p *SAT) Holds(ctx context.Context) (*Computation, error) {
	s := satSearch{SAT: p, clauses: map[int][]cert.Clause{}}
	found, res, err := s.check(ctx)
	if err != nil {
		return nil, err
	}
	if found != nil {
		if err := p.second.run(s.kind, s.flip, found); err != nil {
			return nil, &Unconfirmed{"the counterexample", err}
		}
		return found.run, nil
	}
	proof := s.evidence(res)
	if err := p.second.none(ctx, s.kind, s.flip, nil, proof); err != nil {
		return nil, p.doubt(ctx, "that the specification holds", err)
	}
	if p.proof = proof; s.finite() {
		p.invariant = res.Invariant
	}
	return nil, nil
}

// Cover finds the covered states of a signal, at most limit of them or all when it is 0.
// The specification must hold. When the context ends, what was found by then is
// returned, not complete.
func (p *SAT) Cover(ctx context.Context, kind Kind, flip Flip, limit int) (*SATSet, error) {
	c := p.c
	s := satSearch{SAT: p, kind: kind, flip: flip, clauses: map[int][]cert.Clause{}}
	out := &SATSet{}
	for limit == 0 || len(out.Covered) < limit {
		found, res, err := s.check(ctx)
		if err != nil && ctx.Err() != nil {
			return out, nil
		}
		if err != nil {
			return nil, err
		}
		out.Checks++
		out.Depth = max(out.Depth, res.Depth)
		if found == nil {
			err := p.second.none(ctx, kind, flip, s.spared, s.evidence(res))
			if err == nil {
				out.Complete, out.Invariant = true, res.Invariant
				return out, nil
			}
			return out, out.doubt(ctx, "that no other state is covered", err)
		}
		if found.state == nil {
			return nil, errors.New("internal error: the run violates the specification without a flip, so it does not hold")
		}
		if err := p.second.run(kind, flip, found); err != nil {
			return out, out.doubt(ctx, "that "+c.NameOf(found.state)+" is covered", err)
		}
		cube, err := s.grow(ctx, found)
		if err == nil {
			if p.second.cube(ctx, p, kind, flip, found, cube) != nil {
				cube = single(found.state)
				out.Refused++
			}
		}
		if ctx.Err() != nil {
			return out, nil
		}
		if err != nil {
			return nil, err
		}
		s.spared = append(s.spared, cube)
		out.Covered = append(out.Covered, CoveredState{c.NameOf(found.state), found.run, cube})
		out.Depth = max(out.Depth, len(found.run.Steps))
	}
	return out, nil
}

// doubt is what an error of the second opinion means: nothing when the context has ended
// it.
func (p *SAT) doubt(ctx context.Context, what string, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("second opinion: %w", ctx.Err())
	}
	return &Unconfirmed{what, err}
}

func (s *SATSet) doubt(ctx context.Context, what string, err error) error {
	if ctx.Err() == nil {
		s.Doubt = &Unconfirmed{what, err}
	}
	return nil
}

// satSearch is a series of checks that differ in what is spared.
type satSearch struct {
	*SAT
	kind   Kind
	flip   Flip // no signal: plain model checking
	spared []Cube

	clauses map[int][]cert.Clause // of the last run with so many rounds, to try again
	proved  int                   // the rounds that gave the last proof
	file    *aiger.File           // of the last search for a lasso
	plain   *Instrumented         // nothing spared, once needed
}

// violation is a run on which the specification fails.
type violation struct {
	run   *Computation
	state []bool // where the flip is; nil without
	at    int    // its step
	auto  int    // the automaton's state code there
	// inputs of the instrumented model, and the values of its registers in the step of
	// the flip.
	inputs [][]bool
	there  []bool
	// start has the circuit's registers in step 0; system counts its inputs, the first.
	start  []bool
	system int
}

// check looks for a run; none is a proof.
func (s *satSearch) check(ctx context.Context) (*violation, *ic3.Result, error) {
	ins, err := instrument(s.c, s.a, s.kind, s.flip, s.spared)
	if err != nil {
		return nil, nil, err
	}
	var res *ic3.Result
	if s.finite() {
		res, err = s.finiteRun(ctx, ins)
	} else {
		res, err = s.lasso(ctx, ins)
	}
	if err != nil || res.Status == cert.Holds {
		return nil, res, err
	}
	found, err := ins.replay(s.c, s.a, res.Trace, s.finite())
	return found, res, err
}

// finite reports whether a finite run shows each violation.
func (s *satSearch) finite() bool {
	return s.a.IsTerminal() && len(s.c.Fairness) == 0 && s.c.Constraint == aig.True
}

func (s *satSearch) finiteRun(ctx context.Context, ins *Instrumented) (*ic3.Result, error) {
	n := ins.netlist()
	n.Bads = []netlist.Signal{{Lit: ins.Win}}
	engine := ic3.New(netlist.Compile(n, ins.Win, nil, mutant.AtOutput), ic3.Options{Seed: s.clauses[0]})
	res := engine.Run(ctx, ic3.Budget{})
	s.clauses[0] = engine.Clauses()
	return &res, undecided(ctx, &res)
}

// evidence is what the last check leaves as a proof.
func (s *satSearch) evidence(res *ic3.Result) *evidence {
	if s.finite() {
		return &evidence{res.Invariant, -1, nil}
	}
	return &evidence{res.Invariant, s.proved, s.file}
}

// undecided is the error of a result that is no answer.
func undecided(ctx context.Context, res *ic3.Result) error {
	switch {
	case res.Err != nil:
		return res.Err
	case res.Status != cert.Unknown:
		return nil
	case ctx.Err() != nil:
		return fmt.Errorf("no violation within %d steps, then: %w", max(res.Depth, 0), ctx.Err())
	}
	return errors.New("the model checker gave up")
}

// The slices of the searches for a lasso double, from the first on; in each round of
// slices one more number of rounds of fairness takes part, up to the last.
const firstSlice = 100 * time.Millisecond

var lassoRounds = []int{0, 1, 2, 4, 8, 16}

// lasso runs the searches for a lasso in turn.
func (s *satSearch) lasso(ctx context.Context, ins *Instrumented) (*ic3.Result, error) {
	n := ins.netlist()
	justice := netlist.Justice{Name: "violated"}
	justice.Lits = append(justice.Lits, ins.Circuit.Fairness...)
	n.Justice = []netlist.Justice{justice}
	file := n.ToAIGER()
	s.file = file
	type search struct {
		rounds int
		model  *netlist.Model
		engine *ic3.Engine
	}
	var searches []search
	add := func(rounds int) error {
		f, err := liveness.Safety(file, 0, rounds)
		if err != nil {
			return err
		}
		m := netlist.FromAIGER(f)
		model := netlist.Compile(m, m.Bads[0].Lit, nil, mutant.AtOutput)
		searches = append(searches, search{rounds, model, ic3.New(model, ic3.Options{Seed: s.clauses[rounds]})})
		return nil
	}
	defer func() {
		for _, x := range searches {
			s.clauses[x.rounds] = x.engine.Clauses()
		}
	}()
	if err := add(s.proved); err != nil {
		return nil, err
	}
	if s.proved > 0 {
		if err := add(0); err != nil {
			return nil, err
		}
	}
	var bounded *interp.Bounded
	depth := 0
	for slice, round := firstSlice, 1; ; slice, round = 2*slice, round+1 {
		for _, x := range searches {
			res := x.engine.Run(ctx, ic3.Budget{Time: slice})
			depth = max(depth, res.Depth)
			if res.Status == cert.Holds {
				s.proved = x.rounds
			}
			if res.Status != cert.Unknown || res.Err != nil {
				return &res, res.Err
			}
			if err := ctx.Err(); err != nil {
				return nil, fmt.Errorf("no violation within %d steps, then: %w", max(depth, 0), err)
			}
			if x.rounds == 0 {
				if bounded == nil {
					bounded = interp.NewBounded(x.model, nil)
				}
				within, cancel := context.WithTimeout(ctx, slice)
				trace, err := bounded.Extend(within, 1<<20)
				cancel()
				if trace != nil {
					return &ic3.Result{Status: cert.Fails, Trace: trace, Depth: trace.Depth()}, nil
				}
				if err != nil && ctx.Err() == nil && within.Err() == nil {
					return nil, err
				}
			}
		}
		if round < len(lassoRounds) && lassoRounds[round] != s.proved {
			if err := add(lassoRounds[round]); err != nil {
				return nil, err
			}
		}
	}
}

// netlist is the instrumented model without properties.
func (ins *Instrumented) netlist() *netlist.Netlist {
	c := ins.Circuit
	n := &netlist.Netlist{Graph: c.Graph}
	for _, s := range c.Inputs {
		n.Inputs = append(n.Inputs, netlist.Input{Lit: s.Lit, Name: s.Name})
	}
	for _, s := range c.Controls {
		n.Latches = append(n.Latches, netlist.Latch{Lit: s.Lit, Next: s.Next, Reset: s.Reset, Name: s.Name})
	}
	if c.Constraint != aig.True {
		n.Constraints = append(n.Constraints, netlist.Signal{Lit: c.Constraint})
	}
	return n
}
