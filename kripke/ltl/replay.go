package ltl

import (
	"errors"
	"slices"

	"netcov/aig"
	"netcov/cert"
	"netcov/kripke/automaton"
	"netcov/kripke/circuit"
)

// replay runs a trace on the instrumented circuit: a finite one up to the step that wins,
// or one that comes to a state again after it has met all fairness constraints, where the
// registers that nothing of the violation depends on may differ.
func (ins *Instrumented) replay(c *circuit.Circuit, a *automaton.Automaton, tr *cert.Trace, finite bool) (*violation, error) {
	n := ins.Circuit
	atoms := make([]aig.Lit, len(a.AP))
	for i, name := range a.AP {
		l, ok := n.Lit(name)
		if !ok {
			return nil, &UnknownSignalError{name, names(c)}
		}
		atoms[i] = l
	}
	e := circuit.NewEvaluator(n, slices.Concat([]aig.Lit{ins.Flip, ins.Win, n.Constraint}, atoms, n.Fairness)...)
	holds := func(l aig.Lit) bool { return e.Value(l)&1 != 0 }
	values := func(ls []aig.Lit) []bool {
		out := make([]bool, len(ls))
		for i, l := range ls {
			out[i] = holds(l)
		}
		return out
	}
	ins.start(e, tr)
	var registers []aig.Lit
	for _, r := range n.Controls {
		registers = append(registers, r.Lit)
	}
	out := &violation{run: &Computation{AP: a.AP}, at: -1, inputs: tr.Inputs, system: len(c.Inputs)}
	var states, met [][]bool
	for t := range tr.Inputs {
		setInputs(e, tr.Inputs[t][:len(n.Inputs)])
		e.Run()
		if !holds(n.Constraint) {
			return nil, errors.New("internal error: the run breaks the constraint")
		}
		state := values(ins.State)
		step := ComputationStep{State: c.NameOf(state), Flipped: holds(ins.Flip)}
		for i, l := range atoms {
			flipped := step.Flipped && ins.flip.Signal == a.AP[i]
			step.Letter = append(step.Letter, holds(l) != flipped)
		}
		states, met = append(states, values(registers)), append(met, values(n.Fairness))
		if t == 0 {
			out.start = state
		}
		if step.Flipped && out.at < 0 {
			out.at, out.there = t, states[t]
			if out.state = state; ins.W != nil {
				out.state = values(ins.W)
			}
			for i, v := range values(ins.Automaton) {
				if v {
					out.auto |= 1 << i
				}
			}
		}
		out.run.Steps = append(out.run.Steps, step)
		if finite && holds(ins.Win) {
			out.run.Loop = len(out.run.Steps)
			return out, nil
		}
		next := make([]uint64, len(n.Controls))
		for i, r := range n.Controls {
			next[i] = e.Value(r.Next)
		}
		for i := range n.Controls {
			e.SetControl(i, next[i])
		}
	}
	if finite {
		return nil, errors.New("internal error: the run does not violate the specification")
	}
	return out, out.close(states, met, ins.needed())
}

// close ends the run where it comes back to an earlier state.
func (v *violation) close(states, met [][]bool, needed []int) error {
	last := len(states) - 1
	seen := make([]bool, len(met[last]))
	for t := last - 1; t >= 0; t-- {
		for k, m := range met[t] {
			seen[k] = seen[k] || m
		}
		same := !slices.ContainsFunc(needed, func(i int) bool { return states[t][i] != states[last][i] })
		if same && !slices.Contains(seen, false) {
			v.run.Steps, v.run.Loop = v.run.Steps[:last], t
			return nil
		}
	}
	return errors.New("internal error: the run is no lasso")
}

// needed lists the registers that fairness and constraint depend on.
func (ins *Instrumented) needed() []int {
	c := ins.Circuit
	at := map[aig.Node]int{}
	for i, r := range c.Controls {
		at[r.Lit.Node()] = i
	}
	var out []int
	seen := map[int]bool{}
	roots := append([]aig.Lit{c.Constraint}, c.Fairness...)
	for len(roots) > 0 {
		cone := c.Graph.Cone(roots...)
		roots = nil
		for _, n := range cone {
			if i, ok := at[n]; ok && !seen[i] {
				seen[i] = true
				out = append(out, i)
				roots = append(roots, c.Controls[i].Next)
			}
		}
	}
	return out
}

func lanes(v bool) uint64 {
	if v {
		return 1
	}
	return 0
}

func setInputs(e *circuit.Evaluator, inputs []bool) {
	for i, v := range inputs {
		e.SetInput(i, lanes(v))
	}
}

// start sets the registers' initial values.
func (ins *Instrumented) start(e *circuit.Evaluator, tr *cert.Trace) {
	setInputs(e, tr.Inputs[0][:len(ins.Circuit.Inputs)])
	var functions []int
	for i, r := range ins.Circuit.Controls {
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
			e.SetControl(i, e.Value(ins.Circuit.Controls[i].Reset))
		}
	}
}
