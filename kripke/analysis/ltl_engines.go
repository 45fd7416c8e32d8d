package analysis

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"netcov/kripke/automaton"
	"netcov/kripke/bdd"
	"netcov/kripke/circuit"
	"netcov/kripke/ctl"
	"netcov/kripke/ltl"
	"netcov/kripke/report"
	"netcov/kripke/structure"
)

// engine computes the coverage of a specification that holds.
type engine interface{ cover(*report.LTLSignal) error }

// engine model checks a specification by the algorithm that was asked for. The
// computation is a counterexample, nil when the specification holds.
func (r *ltlRun) engine(wrong *automaton.Automaton) (engine, *ltl.Computation, error) {
	switch r.q.Algorithm {
	case "product":
		return r.byProduct(wrong, r.q.MaxStates)
	case "naive":
		return r.byNaive(wrong)
	case "symbolic":
		return r.bySymbolic(wrong, r.options())
	case "indicator":
		return r.byIndicator(wrong)
	case "sat":
		return r.bySAT(wrong, 0)
	}
	return r.byChoice(wrong)
}

// listed puts a set of states into a signal. reachable lists the states that can
// be uncovered; nil when they are not known.
type listed struct {
	r         *ltlRun
	reachable []string
	// One of these, or none, knows the paths to states.
	m       *ltl.Model
	reached *ltl.Reached
	atoms   []string // that steps of reached's paths show
}

// fill is told the covered states by notion, and as sets where reached knows the paths.
func (l listed) fill(sig *report.LTLSignal, covered map[ltl.Kind][]string, sets ...*ltl.SymbolicSet) error {
	var any []string
	for kind, names := range covered {
		*sig.Of(kind) = &names
		sig.Counts[kind.String()] = big.NewInt(int64(len(names)))
		any = append(any, names...)
	}
	if l.reached != nil {
		if err := l.byDiagrams(sig, sets); err != nil {
			return err
		}
	}
	if l.reachable == nil || sig.Truncated {
		return nil
	}
	hit := map[string]bool{}
	for _, n := range any {
		hit[n] = true
	}
	left := []string{}
	for _, n := range l.reachable {
		if !hit[n] {
			left = append(left, n)
		}
	}
	sig.Uncovered = &left
	sig.UncoveredWords = l.r.words.Describe(left, any)
	sig.Counts["uncovered"] = big.NewInt(int64(len(left)))
	if l.m != nil && len(left) > 0 && !l.r.q.Basic {
		sig.FirstUncovered = l.r.computation(l.m.Nearest(func(cell int) bool { return !hit[l.m.Cells[cell]] }))
	}
	return nil
}

// byDiagrams counts what none of the sets covers, and finds the path to the nearest of it.
func (l listed) byDiagrams(sig *report.LTLSignal, sets []*ltl.SymbolicSet) error {
	covered, left, err := l.reached.Count(l.r.ctx, sets...)
	if err == nil {
		sig.Counts["covered"], sig.Counts["uncovered"] = covered, left
		if !l.r.q.Basic {
			var path *ltl.Computation
			path, err = l.reached.Nearest(l.r.ctx, l.atoms, sets...)
			sig.FirstUncovered = l.r.computation(path)
		}
	}
	if err != nil {
		return l.r.noRoom("path to an uncovered state of "+sig.Name, err)
	}
	return nil
}

// noRoom notes what diagrams leave out at one of their limits, where the sets of states are
// known all the same; other errors end the run.
func (r *ltlRun) noRoom(what string, err error) error {
	var limit *bdd.LimitError
	if errors.As(err, &limit) || r.ctx.Err() != nil {
		r.report.Note(fmt.Sprintf("no %s: %v", what, err))
		return nil
	}
	return err
}

// product is the engine of the explicit product.
type product struct {
	listed
	m  *ltl.Model
	ck *ltl.Checker
}

func (r *ltlRun) byProduct(wrong *automaton.Automaton, limit int) (engine, *ltl.Computation, error) {
	m, wrong, err := r.model(wrong, limit)
	if err != nil {
		return nil, nil, err
	}
	ck, err := ltl.NewChecker(r.ctx, m, wrong)
	if err != nil {
		return nil, nil, err
	}
	r.q.Progress("model checking")
	counterexample, err := ck.Holds()
	if err != nil {
		return nil, nil, err
	}
	return &product{listed{r: r, reachable: r.reachableOf(m), m: m}, m, ck}, counterexample, nil
}

// model is the explicit model, and the automaton that reads it.
func (r *ltlRun) model(wrong *automaton.Automaton, limit int) (*ltl.Model, *automaton.Automaton, error) {
	if r.k != nil {
		m, err := ltl.FromStructure(r.k, wrong.AP)
		return m, wrong, err
	}
	c := r.c
	var err error
	if slices.ContainsFunc(c.Fairness, c.ReadsChoices) {
		if c, err = c.ChoicesAsInputs(); err != nil {
			return nil, nil, err
		}
	}
	if c, wrong, err = ltl.Unconstrain(c, wrong); err != nil {
		return nil, nil, err
	}
	r.q.Progress("listing control states")
	var registers []string
	if r.q.Scope == ltl.InDesign {
		registers = r.signals
	}
	m, err := ltl.FromCircuit(r.ctx, c, wrong.AP, limit, registers...)
	return m, wrong, err
}

// reachableOf lists the names of the reachable states.
func (r *ltlRun) reachableOf(m *ltl.Model) []string {
	if r.k == nil {
		return slices.Clone(m.Reachable())
	}
	out := []string{}
	for s := range r.k.Reachable().All() {
		out = append(out, r.k.States[s])
	}
	return out
}

func namesOf(cells []string, set structure.Set) []string {
	out := []string{}
	for c := range set.All() {
		out = append(out, cells[c])
	}
	return out
}

// witnessKinds are the notions in the order in which they give a signal's witness.
var witnessKinds = []ltl.Kind{ltl.NodeCoverage, ltl.StructureCoverage, ltl.TreeCoverage}

func (e *product) cover(sig *report.LTLSignal) error {
	covered := map[ltl.Kind][]string{}
	flip := e.r.flip(sig)
	sets := map[ltl.Kind]structure.Set{}
	node, err := e.ck.Node(flip)
	if err != nil {
		return err
	}
	sets[ltl.NodeCoverage] = node[0]
	if slices.Contains(e.r.kinds, ltl.TreeCoverage) || slices.Contains(e.r.kinds, ltl.StructureCoverage) {
		if sets[ltl.TreeCoverage], err = e.ck.Tree(flip, node[0]); err != nil {
			return err
		}
	}
	if slices.Contains(e.r.kinds, ltl.StructureCoverage) {
		if sets[ltl.StructureCoverage], err = e.ck.Structure(flip, sets[ltl.TreeCoverage]); err != nil {
			return err
		}
	}
	for _, kind := range e.r.kinds {
		covered[kind] = namesOf(e.m.Cells, sets[kind])
	}
	if err := e.fill(sig, covered); err != nil || e.r.q.Basic {
		return err
	}
	for _, kind := range witnessKinds {
		if !slices.Contains(e.r.kinds, kind) || sets[kind].Empty() {
			continue
		}
		cell := sets[kind].List()[0]
		c, err := e.ck.Witness(kind, flip, cell)
		if err != nil {
			return err
		}
		sig.Witness = &report.Witness{State: e.m.Cells[cell], Coverage: kind.String(), Computation: e.r.computation(c)}
		break
	}
	return nil
}

func (r *ltlRun) flip(sig *report.LTLSignal) ltl.Flip {
	return ltl.Flip{Signal: sig.Name, Scope: r.q.Scope}
}

// naive is the engine of one model checking for each state.
type naive struct {
	listed
	k     *structure.Structure
	wrong *automaton.Automaton
	class []int
	cells []string
}

func (r *ltlRun) byNaive(wrong *automaton.Automaton) (engine, *ltl.Computation, error) {
	p, counterexample, err := r.byProduct(wrong, r.q.MaxStates)
	if err != nil || counterexample != nil {
		return nil, counterexample, err
	}
	e := &naive{listed: p.(*product).listed, k: r.k, wrong: wrong}
	if r.k == nil {
		var c *circuit.Circuit
		if c, e.wrong, err = r.asCircuit(wrong); err != nil {
			return nil, nil, err
		}
		if e.k, err = c.Structure(circuit.StructureOptions{Limit: r.q.MaxStates, Interrupt: r.ctx.Err}); err != nil {
			return nil, nil, err
		}
		e.cells = p.(*product).m.Cells
		at := map[string]int{}
		for i, name := range e.cells {
			at[name] = i
		}
		for _, name := range e.k.States {
			if len(c.Inputs) > 0 {
				name = name[:strings.LastIndexByte(name, ',')]
			}
			e.class = append(e.class, at[name])
		}
		return e, nil, nil
	}
	e.cells = r.k.States
	for s := range e.k.Len() {
		e.class = append(e.class, s)
	}
	return e, nil, nil
}

func (e *naive) cover(sig *report.LTLSignal) error {
	covered := map[ltl.Kind][]string{}
	for _, kind := range e.r.kinds {
		set, err := ltl.Naive(e.r.ctx, e.k, e.wrong, kind, sig.Name, e.class, len(e.cells))
		if err != nil {
			return err
		}
		covered[kind] = namesOf(e.cells, set)
	}
	return e.fill(sig, covered)
}

// asCircuit is the model as a circuit without constraint, and the automaton that
// reads it.
func (r *ltlRun) asCircuit(wrong *automaton.Automaton) (*circuit.Circuit, *automaton.Automaton, error) {
	if r.k != nil {
		c, err := ltl.EncodeStructure(r.k)
		return c, wrong, err
	}
	c, err := r.c.ChoicesAsInputs()
	if err != nil {
		return nil, nil, err
	}
	return ltl.Unconstrain(c, wrong)
}

// symbolicEngine is the engine of instrumented models and decision diagrams.
type symbolicEngine struct {
	listed
	c     *circuit.Circuit
	wrong *automaton.Automaton
	opt   ltl.SymbolicOptions
}

func (r *ltlRun) options() ltl.SymbolicOptions {
	return ltl.SymbolicOptions{NodeLimit: r.q.NodeLimit, Report: func(stage string, step int) {
		r.q.Progress(fmt.Sprintf("%s, step %d", stage, step))
	}}
}

func (r *ltlRun) bySymbolic(wrong *automaton.Automaton, opt ltl.SymbolicOptions) (engine, *ltl.Computation, error) {
	c, wrong, err := r.asCircuit(wrong)
	if err != nil {
		return nil, nil, err
	}
	counterexample, err := ltl.SymbolicHolds(r.ctx, c, wrong, opt)
	if err != nil || counterexample != nil {
		return nil, counterexample, err
	}
	reached, err := ltl.SymbolicReachable(r.ctx, c, opt)
	if err != nil {
		return nil, nil, err
	}
	e := &symbolicEngine{listed{r: r, reached: reached, atoms: wrong.AP}, c, wrong, opt}
	if n := reached.SymbolicSet.Count; !n.IsInt64() || n.Int64() > int64(r.q.MaxListed) {
		r.report.Note(fmt.Sprintf("%s reachable control states: too many to list the uncovered ones", n))
	} else {
		e.reachable = reached.Names(r.q.MaxListed)
	}
	return e, nil, nil
}

func (e *symbolicEngine) cover(sig *report.LTLSignal) error {
	covered := map[ltl.Kind][]string{}
	counts := map[string]*big.Int{}
	sig.Variables = map[string]ltl.Variables{}
	var sets []*ltl.SymbolicSet
	byKind := map[ltl.Kind]*ltl.SymbolicSet{}
	for _, kind := range e.r.kinds {
		set, err := ltl.Symbolic(e.r.ctx, e.c, e.wrong, kind, e.r.flip(sig), e.opt)
		if err != nil {
			return err
		}
		sets, byKind[kind] = append(sets, set), set
		covered[kind] = e.names(sig, set)
		counts[kind.String()] = set.Count
		sig.Variables[kind.String()] = set.Variables
	}
	if err := e.fill(sig, covered, sets...); err != nil {
		return err
	}
	for k, n := range counts {
		sig.Counts[k] = n
	}
	if e.r.q.Basic {
		return nil
	}
	for _, kind := range witnessKinds {
		if set := byKind[kind]; set != nil && set.Count.Sign() > 0 {
			run, state, err := set.Witness()
			if err != nil {
				return e.r.noRoom("computation that fails when "+sig.Name+" is flipped", err)
			}
			sig.Witness = &report.Witness{State: state, Coverage: kind.String(), Computation: e.r.computation(run)}
			break
		}
	}
	return nil
}

func (l listed) names(sig *report.LTLSignal, set *ltl.SymbolicSet) []string {
	most := l.r.q.MaxListed
	if set.Count.Cmp(big.NewInt(int64(most))) > 0 {
		sig.Truncated = true
		most = min(most, ctl.Excerpt)
	}
	names := set.Names(most)
	slices.Sort(names)
	return names
}

// indicatorEngine is the engine of indicator formulas: on structures with
// explicit sets, on circuits with decision diagrams.
type indicatorEngine struct {
	listed
	k     *structure.Structure
	c     *circuit.Circuit
	wrong *automaton.Automaton
}

// closedLimit bounds the closed form of an indicator that is reported.
const closedLimit = 500

func (r *ltlRun) byIndicator(wrong *automaton.Automaton) (engine, *ltl.Computation, error) {
	if r.k != nil {
		p, counterexample, err := r.byProduct(wrong, r.q.MaxStates)
		if err != nil || counterexample != nil {
			return nil, counterexample, err
		}
		return &indicatorEngine{listed: p.(*product).listed, k: r.k, wrong: wrong}, nil, nil
	}
	s, counterexample, err := r.bySymbolic(wrong, r.options())
	if err != nil || counterexample != nil {
		return nil, counterexample, err
	}
	e := s.(*symbolicEngine)
	return &indicatorEngine{listed: e.listed, c: e.c, wrong: e.wrong}, nil, nil
}

func (e *indicatorEngine) cover(sig *report.LTLSignal) error {
	fair := 0
	if e.k != nil {
		fair = len(e.k.Fair)
	} else {
		fair = len(e.c.Fairness)
	}
	ind := ltl.NewIndicator(e.wrong, sig.Name, fair)
	sig.Indicator = ind.String()
	depth := ind.System.AlternationDepth()
	sig.IndicatorDepth = &depth
	if f := ind.System.Formula(closedLimit); f != nil {
		sig.Closed = f.String()
	}
	if e.k != nil {
		set, err := ltl.IndicatorStates(e.r.ctx, e.k, ind)
		if err != nil {
			return err
		}
		return e.fill(sig, map[ltl.Kind][]string{ltl.NodeCoverage: namesOf(e.k.States, set)})
	}
	set, err := ltl.IndicatorControlStates(e.r.ctx, e.c, ind, e.r.options())
	if err != nil {
		return err
	}
	sig.Variables = map[string]ltl.Variables{ltl.NodeCoverage.String(): set.Variables}
	if err := e.fill(sig, map[ltl.Kind][]string{ltl.NodeCoverage: e.names(sig, set)}, set); err != nil {
		return err
	}
	sig.Counts[ltl.NodeCoverage.String()] = set.Count
	return nil
}
