package ltl

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"

	"netcov/aig"
	"netcov/kripke/automaton"
	"netcov/kripke/bdd"
	"netcov/kripke/circuit"
	"netcov/kripke/symbolic"
)

// The instrumented model (instrument.go), checked with decision diagrams: fair
// states by Emerson and Lei's fixpoint inside the reachable states, and the
// covered states by projection. One check finds all covered states of a signal.
//
// Variables: 2 for each register and input of the instrumented model. To what
// model checking needs, node coverage adds flip and flag, and structure and
// tree coverage the registers of w (tree coverage also flip), as section 3 says.

// SymbolicOptions bound the decision diagrams. Zero values stand for defaults.
type SymbolicOptions struct {
	// NodeLimit is the most nodes that may exist at a time.
	NodeLimit int
	// Ticks bound the work of a computation; each is 4,096 operations on diagrams.
	Ticks int
	// Report is told what the computation is doing.
	Report func(stage string, step int)
}

// ErrTicks is the reason why a computation has ended that took more than its bound of work.
var ErrTicks = errors.New("the decision diagrams take more work than they were given")

// diagrams bound a manager, in a context.
func (o SymbolicOptions) diagrams(ctx context.Context) bdd.Options {
	left := o.Ticks
	return bdd.Options{NodeLimit: o.NodeLimit, Interrupt: func() error {
		if left--; left == 0 {
			return ErrTicks
		}
		return ctx.Err()
	}}
}

// Variables counts the registers and inputs of a symbolic computation; each has
// two decision diagram variables.
type Variables struct {
	State     int `json:"state"`     // registers of the system
	Input     int `json:"input"`     // inputs of the system
	Automaton int `json:"automaton"` // registers of the automaton
	Choice    int `json:"choice"`    // inputs for the automaton's choices
	Flip      int `json:"flip"`
	Flag      int `json:"flag"`
	W         int `json:"w"` // registers of w
	Allocated int `json:"allocated"`
	PeakNodes int `json:"peak_nodes"`
}

// SymbolicSet is a set of control states of the original circuit.
type SymbolicSet struct {
	Count     *big.Int
	Variables Variables

	c    *circuit.Circuit
	m    *bdd.Manager
	set  bdd.Ref
	vars []int // increasing
	// at[i] is the position in vars of the register i.
	at    []int
	lasso func() (*Computation, error) // of the instrumented model, for Witness
}

// Witness is a computation that fails when the signal is flipped in a state, which comes
// second, of a set that Symbolic has found; nil when the set is empty. Every fair run of
// the instrumented model has such a flip.
func (s *SymbolicSet) Witness() (*Computation, string, error) {
	if s.set == bdd.False {
		return nil, "", nil
	}
	run, err := s.lasso()
	if err != nil {
		return nil, "", err
	}
	for _, step := range run.Steps {
		if step.Flipped {
			return run, step.State, nil
		}
	}
	return nil, "", errors.New("internal error: the computation fails without a flip")
}

// Names lists the states of the set by name, at most limit of them.
func (s *SymbolicSet) Names(limit int) []string {
	out := []string{}
	for bits := range s.m.All(s.set, s.vars) {
		if len(out) == limit {
			break
		}
		state := make([]bool, len(s.at))
		for i, v := range s.at {
			state[i] = bits[v]
		}
		out = append(out, s.c.NameOf(state))
	}
	return out
}

// Symbolic finds the covered states of a signal, for a specification that holds.
func Symbolic(ctx context.Context, c *circuit.Circuit, a *automaton.Automaton, kind Kind, flip Flip, opt SymbolicOptions) (*SymbolicSet, error) {
	s, err := newChecked(ctx, c, a, kind, flip, opt)
	if err != nil {
		return nil, err
	}
	ins := s.ins
	fair, err := s.fair()
	if err != nil {
		return nil, err
	}
	m := s.sys.M
	registers, hit := ins.State, m.And(fair, s.label(flipLabel))
	if kind != NodeCoverage {
		registers, hit = ins.W, m.And(fair, s.sys.Init)
	}
	set := s.project(hit, registers)
	if set, err = s.onStates(set, registers); err != nil {
		return nil, err
	}
	out := &SymbolicSet{c: c, m: m, set: m.Protect(set)}
	position := make([]int, len(ins.State))
	for i, l := range ins.State {
		position[i] = s.variable(l)
	}
	out.setVariables(position)
	out.Variables = s.variables(c, kind)
	out.lasso = func() (*Computation, error) { return s.lasso(fair, c, a) }
	return out, m.Err()
}

// SymbolicHolds model checks the specification; the computation is a
// counterexample, nil when it holds.
func SymbolicHolds(ctx context.Context, c *circuit.Circuit, a *automaton.Automaton, opt SymbolicOptions) (*Computation, error) {
	s, err := newChecked(ctx, c, a, NodeCoverage, Flip{}, opt)
	if err != nil {
		return nil, err
	}
	fair, err := s.fair()
	if err != nil {
		return nil, err
	}
	if s.sys.M.And(fair, s.sys.Init) == bdd.False {
		return nil, s.sys.M.Err()
	}
	return s.lasso(fair, c, a)
}

// controlStates projects states of a circuit's system on its control states.
func controlStates(c *circuit.Circuit, sys *symbolic.System, set bdd.Ref) (*SymbolicSet, error) {
	m := sys.M
	out := &SymbolicSet{c: c, m: m}
	position := make([]int, len(c.Controls))
	keep := map[int]bool{}
	for i, r := range c.Controls {
		f, _ := sys.Label(r.Name)
		position[i] = m.Support(f)[0]
		keep[position[i]] = true
	}
	var others []int
	for _, v := range sys.Vars(0) {
		if !keep[v] {
			others = append(others, v)
		}
	}
	out.set = m.Exists(set, m.Cube(others...))
	out.set = m.Protect(asStored(c, sys, out.set, position))
	out.setVariables(position)
	out.Variables = Variables{State: len(c.Controls), Input: len(c.Inputs), Allocated: m.NumVars(), PeakNodes: m.Stats().PeakNodes}
	return out, m.Err()
}

// asStored turns a set of control states into the states of the system, and back: a register
// may be stored inverted. Positions are those of the registers' variables.
func asStored(c *circuit.Circuit, sys *symbolic.System, set bdd.Ref, position []int) bdd.Ref {
	for i, r := range c.Controls {
		if f, _ := sys.Label(r.Name); f != sys.M.Var(position[i]) {
			set = sys.M.Flip(set, position[i])
		}
	}
	return set
}

// setVariables records where the registers are and counts the states.
func (s *SymbolicSet) setVariables(position []int) {
	s.vars = slices.Clone(position)
	slices.Sort(s.vars)
	for _, v := range position {
		s.at = append(s.at, slices.Index(s.vars, v))
	}
	s.Count = s.m.SatCount(s.set, s.vars)
}

// Labels of the instrumented model.
const (
	flipLabel  = "netcov_flipnow"
	aliveLabel = "netcov_alive"
	fairLabel  = "netcov_fair"
)

// checked is an instrumented model as decision diagrams.
type checked struct {
	ins  *Instrumented
	sys  *symbolic.System
	opt  SymbolicOptions
	sets []bdd.Ref // fairness
}

func newChecked(ctx context.Context, original *circuit.Circuit, a *automaton.Automaton, kind Kind, flip Flip, opt SymbolicOptions) (*checked, error) {
	ins, err := Instrument(original, a, kind, flip)
	if err != nil {
		return nil, err
	}
	c := *ins.Circuit
	c.Outputs = append(slices.Clone(c.Outputs),
		circuit.Signal{Name: flipLabel, Lit: ins.Flip}, circuit.Signal{Name: aliveLabel, Lit: ins.Alive})
	for i, f := range c.Fairness {
		c.Outputs = append(c.Outputs, circuit.Signal{Name: fmt.Sprint(fairLabel, i), Lit: f})
	}
	done, err := circuit.New(c)
	if err != nil {
		return nil, err
	}
	sys, err := symbolic.FromCircuitOrdered(done, order(ins), opt.diagrams(ctx))
	if err != nil {
		return nil, err
	}
	s := &checked{ins: ins, sys: sys, opt: opt}
	for i := range c.Fairness {
		s.sets = append(s.sets, s.label(fmt.Sprint(fairLabel, i)))
	}
	return s, nil
}

// order places the automaton, flag and choices on top, and below them the
// system's registers and inputs, each register of w beside the one that it is
// compared with.
func order(ins *Instrumented) map[aig.Node]int {
	beside := map[aig.Node]aig.Node{}
	system := map[aig.Node]bool{}
	for i, s := range ins.State {
		system[s.Node()] = true
		if ins.W != nil {
			beside[s.Node()] = ins.W[i].Node()
		}
	}
	isW := map[aig.Node]bool{}
	for _, w := range ins.W {
		isW[w.Node()] = true
	}
	plain := symbolic.ConeOrder(ins.Circuit)
	nodes := make([]aig.Node, len(plain))
	for n, i := range plain {
		nodes[i] = n
	}
	var top, rest []aig.Node
	for _, n := range nodes {
		switch {
		case isW[n]:
		case ins.Circuit.Graph.Kind(n) == aig.KindLatch && !system[n]:
			top = append(top, n)
		default:
			rest = append(rest, n)
			if w, ok := beside[n]; ok {
				rest = append(rest, w)
			}
		}
	}
	out := map[aig.Node]int{}
	for i, n := range append(top, rest...) {
		out[n] = i
	}
	return out
}

func (s *checked) label(name string) bdd.Ref {
	f, _ := s.sys.Label(name)
	return f
}

func (s *checked) report(stage string, step int) {
	if s.opt.Report != nil {
		s.opt.Report(stage, step)
	}
}

// fair is the set of reachable states from which a fair path leaves, protected
// (Emerson and Lei 1986): νZ. ∧_j EX E[Z U Z ∧ F_j].
func (s *checked) fair() (bdd.Ref, error) {
	m := s.sys.M
	reached := s.sys.Reachable(s.sys.Init, func(step int) { s.report("reachable states", step) })
	z := m.And(reached, s.label(aliveLabel))
	for round := 1; m.Err() == nil; round++ {
		s.report("fair states", round)
		before := m.Protect(z)
		for _, f := range s.sets {
			z = m.And(z, s.sys.Pre(s.until(z, m.And(z, f))))
			m.CollectIfLarge(z)
		}
		m.Unprotect(before)
		if z == before {
			break
		}
	}
	return m.Protect(z), m.Err()
}

// until is E[within U goal], for a goal inside.
func (s *checked) until(within, goal bdd.Ref) bdd.Ref {
	m := s.sys.M
	y, frontier := goal, goal
	for frontier != bdd.False && m.Err() == nil {
		m.CollectIfLarge(within, y, frontier)
		frontier = m.Diff(m.And(within, s.sys.Pre(frontier)), y)
		y = m.Or(y, frontier)
	}
	return y
}

// variable is the variable of a register on track 0.
func (s *checked) variable(l aig.Lit) int {
	for _, r := range s.ins.Circuit.Controls {
		if r.Lit == l {
			return s.sys.M.Support(s.label(r.Name))[0]
		}
	}
	return -1
}

// project quantifies everything but some registers.
func (s *checked) project(f bdd.Ref, registers []aig.Lit) bdd.Ref {
	keep := map[int]bool{}
	for _, l := range registers {
		keep[s.variable(l)] = true
	}
	var others []int
	for _, v := range s.sys.Vars(0) {
		if !keep[v] {
			others = append(others, v)
		}
	}
	return s.sys.M.Exists(f, s.sys.M.Cube(others...))
}

// onStates renames a set over registers to one over the system's registers.
func (s *checked) onStates(f bdd.Ref, registers []aig.Lit) (bdd.Ref, error) {
	to := map[int]int{}
	for i, l := range registers {
		if from, target := s.variable(l), s.variable(s.ins.State[i]); from != target {
			to[from] = target
		}
	}
	if len(to) > 0 {
		f = s.sys.M.Rename(f, s.sys.M.NewRenaming(to))
	}
	return f, s.sys.M.Err()
}

func (s *checked) variables(c *circuit.Circuit, kind Kind) Variables {
	v := Variables{
		State: len(c.Controls), Input: len(c.Inputs),
		Automaton: s.ins.AutomatonBits, Choice: s.ins.ChoiceBits, W: len(s.ins.W),
		Allocated: s.sys.M.NumVars(), PeakNodes: s.sys.M.Stats().PeakNodes,
	}
	if kind == NodeCoverage {
		v.Flag = 1
	}
	if kind != StructureCoverage {
		v.Flip = 1
	}
	return v
}

// lasso walks through the fair states: forward to each fairness set in turn,
// then back to where the round began. When that fails, the walk has left a
// component for good, and a new round begins.
func (s *checked) lasso(fair bdd.Ref, c *circuit.Circuit, a *automaton.Automaton) (*Computation, error) {
	m := s.sys.M
	// walk is a shortest path from a state to a goal; the first state is left out.
	walk := func(from, goal bdd.Ref) ([][]bool, bdd.Ref, bool) {
		var layers []bdd.Ref
		seen, layer := bdd.False, from
		for {
			layer = m.And(s.sys.Post(layer), fair)
			layer = m.Diff(layer, seen)
			seen = m.Or(seen, layer)
			if layer == bdd.False || m.Err() != nil {
				return nil, bdd.False, false
			}
			layers = append(layers, layer)
			if m.And(layer, goal) != bdd.False {
				break
			}
		}
		path, last := through(s.sys, layers, goal)
		return path, last, true
	}
	bits, start := pick(s.sys, m.And(fair, s.sys.Init))
	path := [][]bool{bits}
	for m.Err() == nil {
		at := start
		begin := len(path) - 1
		for _, f := range s.sets {
			if m.And(at, f) != bdd.False {
				continue
			}
			steps, last, ok := walk(at, f)
			if !ok {
				return nil, s.failed()
			}
			path, at = append(path, steps...), last
		}
		if steps, _, ok := walk(at, start); ok {
			path = append(path, steps[:len(steps)-1]...)
			return decode(s.sys, c, a.AP, s.ins.flip.Signal, path, begin), m.Err()
		}
		start = at
		if len(path)-1 == begin { // every set holds here: take any step
			steps, last, ok := walk(at, fair)
			if !ok {
				return nil, s.failed()
			}
			path, start = append(path, steps...), last
		}
	}
	return nil, m.Err()
}

func (s *checked) failed() error {
	if err := s.sys.M.Err(); err != nil {
		return err
	}
	return fmt.Errorf("internal error: a fair state has no fair path")
}
