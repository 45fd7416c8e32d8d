package ltl

import (
	"context"
	"errors"
	"fmt"

	"netcov/aig"
	"netcov/cert"
	"netcov/ic3"
	"netcov/kripke/automaton"
	"netcov/kripke/circuit"
	"netcov/mutant"
	"netcov/netlist"
)

// Node coverage of large designs by the SAT engines (CKKV01 section 3: "the
// synchronous composition is not empty iff the state that was visited when flip
// becomes true for the first time is node q-covered"). For a safety formula the
// instrumented model has a bad state, the automaton's move to a state that
// accepts everything, so a model checker for safety decides with one check
// whether a signal has any covered state. A counterexample names one; it is then
// spared from flips, and the check is repeated until none is left or enough are
// found. The last check leaves an invariant that proves the rest uncovered.
//
// Constraints hold up to the step in which the specification fails, as in AIGER;
// the other algorithms ask that they can hold for ever.

// ErrNotSafety says that a specification is no safety formula that the automaton
// shows to be one, or that fairness makes it one of liveness.
var ErrNotSafety = errors.New("the SAT engines take safety specifications only: formulas whose violation a finite run shows, and no fairness constraints")

// SafetySet is what the SAT engines found out about a signal's node coverage.
type SafetySet struct {
	// Covered are control states, each with a run on which flipping the signal
	// once violates the specification.
	Covered []CoveredState
	// Complete tells that there are no others; Invariant proves it, over the
	// registers of Model.
	Complete  bool
	Invariant *cert.Invariant
	Model     *Instrumented
	Checks    int // model checking runs
	Depth     int // of the longest run found, or the bound reached
}

// CoveredState is a covered control state and its run. The run is finite: its
// Loop is its length, and any continuation violates the specification.
type CoveredState struct {
	Name string
	Run  *Computation
}

// SafetyHolds model checks a safety specification with IC3. The computation is a
// finite counterexample, nil when it holds.
func SafetyHolds(ctx context.Context, c *circuit.Circuit, a *automaton.Automaton) (*Computation, error) {
	ins, res, err := checkSafety(ctx, c, a, Flip{}, nil, nil)
	if err != nil || res.Status == cert.Holds {
		return nil, err
	}
	run, _, err := ins.run(c, a, res.Trace)
	return run, err
}

// NodeBySAT finds at most limit node covered states of a signal. The
// specification must hold.
func NodeBySAT(ctx context.Context, c *circuit.Circuit, a *automaton.Automaton, flip Flip, limit int) (*SafetySet, error) {
	out := &SafetySet{}
	var spared [][]bool
	var seed []cert.Clause
	for {
		ins, res, err := checkSafety(ctx, c, a, flip, spared, &seed)
		if err != nil {
			return nil, err
		}
		out.Checks++
		out.Depth = max(out.Depth, res.Depth)
		out.Model = ins
		if res.Status == cert.Holds {
			out.Complete, out.Invariant = true, res.Invariant
			return out, nil
		}
		run, state, err := ins.run(c, a, res.Trace)
		if err != nil {
			return nil, err
		}
		if state == nil {
			return nil, fmt.Errorf("internal error: the run violates the specification without a flip, so it does not hold")
		}
		out.Covered = append(out.Covered, CoveredState{c.NameOf(state), run})
		out.Depth = max(out.Depth, res.Trace.Depth())
		if len(out.Covered) >= limit {
			return out, nil
		}
		spared = append(spared, state)
	}
}

// checkSafety runs IC3 on an instrumented model; seed carries clauses from one
// run to the next.
func checkSafety(ctx context.Context, c *circuit.Circuit, a *automaton.Automaton, flip Flip, spared [][]bool, seed *[]cert.Clause) (*Instrumented, *ic3.Result, error) {
	if len(c.Fairness) > 0 || !a.IsTerminal() {
		return nil, nil, ErrNotSafety
	}
	ins, err := instrument(c, a, NodeCoverage, flip, spared)
	if err != nil {
		return nil, nil, err
	}
	opt := ic3.Options{}
	if seed != nil {
		opt.Seed = *seed
	}
	engine := ic3.New(netlist.Compile(ins.Netlist(), ins.Win, nil, mutant.AtOutput), opt)
	res := engine.Run(ctx, ic3.Budget{})
	if res.Err != nil {
		return nil, nil, res.Err
	}
	if res.Status == cert.Unknown {
		if err := ctx.Err(); err != nil {
			return nil, nil, fmt.Errorf("no violation within %d steps, then: %w", max(res.Depth, 0), err)
		}
		return nil, nil, errors.New("the model checker gave up")
	}
	if seed != nil {
		*seed = engine.Clauses()
	}
	return ins, &res, nil
}

// Netlist is the instrumented model as a netlist whose bad state is Win.
func (ins *Instrumented) Netlist() *netlist.Netlist {
	c := ins.Circuit
	n := &netlist.Netlist{Graph: c.Graph, Bads: []netlist.Signal{{Lit: ins.Win, Name: "netcov_violated"}}}
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

// run replays a trace on the instrumented circuit. It returns the run of the
// original and the control state in which the flip happened, nil without one.
func (ins *Instrumented) run(c *circuit.Circuit, a *automaton.Automaton, tr *cert.Trace) (*Computation, []bool, error) {
	n := ins.Circuit
	atoms := make([]aig.Lit, len(a.AP))
	for i, name := range a.AP {
		l, ok := n.Lit(name)
		if !ok {
			return nil, nil, &UnknownSignalError{name, names(c)}
		}
		atoms[i] = l
	}
	e := circuit.NewEvaluator(n, append(append([]aig.Lit{ins.Flip, ins.Win}, atoms...), n.Constraint)...)
	lanes := func(v bool) uint64 {
		if v {
			return 1
		}
		return 0
	}
	inputs := func(t int) {
		for i := range n.Inputs {
			e.SetInput(i, lanes(tr.Inputs[t][i]))
		}
	}
	inputs(0)
	var functions []int
	for i, r := range n.Controls {
		e.SetControl(i, lanes(tr.Latches[i]))
		switch {
		case r.Reset.Const():
			e.SetControl(i, lanes(r.Reset == aig.True))
		case r.Reset != r.Lit:
			functions = append(functions, i)
		}
	}
	// Resets are acyclic, so as many rounds as there are functions settle them.
	for range functions {
		e.Run()
		for _, i := range functions {
			e.SetControl(i, e.Value(n.Controls[i].Reset))
		}
	}
	out := &Computation{AP: a.AP}
	var flippedIn []bool
	next := make([]uint64, len(n.Controls))
	for t := range tr.Inputs {
		inputs(t)
		e.Run()
		holds := func(l aig.Lit) bool { return e.Value(l)&1 != 0 }
		state := make([]bool, len(ins.State))
		for i, l := range ins.State {
			state[i] = holds(l)
		}
		step := ComputationStep{State: c.NameOf(state), Flipped: holds(ins.Flip)}
		for i, l := range atoms {
			flipped := step.Flipped && ins.flip.Signal == a.AP[i]
			step.Letter = append(step.Letter, holds(l) != flipped)
		}
		if step.Flipped {
			flippedIn = state
		}
		if !holds(n.Constraint) {
			return nil, nil, fmt.Errorf("internal error: the run breaks the constraint")
		}
		out.Steps = append(out.Steps, step)
		if holds(ins.Win) {
			out.Loop = len(out.Steps)
			return out, flippedIn, nil
		}
		for i, r := range n.Controls {
			next[i] = e.Value(r.Next)
		}
		for i := range n.Controls {
			e.SetControl(i, next[i])
		}
	}
	return nil, nil, fmt.Errorf("internal error: the run does not violate the specification")
}
