package ctl

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"

	"netcov/kripke/bdd"
	"netcov/kripke/circuit"
	"netcov/kripke/formula"
	"netcov/kripke/structure"
)

// Algorithm names one of CKV01's algorithms.
type Algorithm string

// The algorithms. Auto is Invariant where the specification is one, and otherwise
// Halving where the states can be enumerated within MaxStates, signal by signal, and beyond that Singles for few
// control states and Pairs for many.
const (
	Auto    Algorithm = "auto"
	Naive   Algorithm = "naive"
	Pairs   Algorithm = "pairs"
	Halving Algorithm = "halving"
	Singles Algorithm = "singles"
	// Invariant is for AG p, see invariant.go.
	Invariant Algorithm = "invariant"
)

// Algorithms lists the algorithms by name.
var Algorithms = []Algorithm{Auto, Naive, Pairs, Singles, Halving, Invariant}

// symbolic reports whether an algorithm works on decision diagrams.
func (a Algorithm) symbolic() bool { return a == Pairs || a == Singles }

// fewCells is the largest number of states, or control states, whose mutants
// Auto takes one by one on decision diagrams.
const fewCells = 256

// autoStates bounds the states of a circuit that Auto lists: each of them takes
// up to 2 KB in the graph of the halving.
const autoStates = 1 << 18

// movesKept is how many frames of the largest size the control states that are
// kept from one frame to the next may fill.
const movesKept = 2

// DefaultNodeLimit bounds the decision diagrams when Options do not: about 2 GB.
const DefaultNodeLimit = 1 << 26

// Options of a Problem. The zero value is ready to use.
type Options struct {
	Algorithm Algorithm // default Auto
	// Seed of the random halving.
	Seed uint64
	// EmptyFirst takes ⟨θ, ∅⟩ as the only initial state of a circuit, as CKV01
	// section 2 does; otherwise θ × 2^I are initial.
	EmptyFirst bool
	// MaxStates bounds the states of the explicit algorithms; default 2^22, and
	// 2^18 for a circuit and Auto.
	MaxStates int
	// NodeLimit bounds the nodes of the decision diagrams; default DefaultNodeLimit.
	NodeLimit int
	// MaxNames bounds the length of lists of states; default 100,000. A longer list is
	// cut to an Excerpt.
	MaxNames int
	// Progress is told now and then what happens.
	Progress func(string)
}

// ErrFails says that coverage was asked of a specification that does not hold.
var ErrFails = errors.New("the specification does not hold, so its coverage is not defined")

// Cover is the coverage of one signal. Unreachable states are neither covered
// nor listed as uncovered, and so are states in which the signal is open.
type Cover struct {
	Signal    Signal
	Algorithm Algorithm
	// Names of covered and of reachable uncovered states: a structure's states
	// in its order, a circuit's control states sorted. Where a list is cut Truncated is
	// set; the counts are always exact.
	Covered, Uncovered   []string
	CoveredN, UncoveredN *big.Int
	Truncated            bool
	Halving              *HalvingStats // of the halving algorithm
	Diagrams             *bdd.Stats    // of the pairs algorithm

	cells structure.Set // covered cells of the problem's plain frame; nil without one
	set   bdd.Ref       // covered states on track 0, protected; without frame only
}

// Problem is a specification on a model. It is not safe for concurrent use.
type Problem struct {
	model   *Model
	formula formula.Formula
	program program
	opt     Options

	ctx    context.Context // of the running call, for the diagrams' interrupt
	frame  *frame          // without redirection; nil until an explicit algorithm runs
	moves  *circuit.Moves  // of all frames
	search *search         // of an invariant
	// What can violate an invariant; nil where that is not known.
	back          *backward
	triedBackward bool
	// diagrams says that decision diagrams take the place of the frame.
	diagrams bool
	system   *symbolicModel
	trial    int // ticks that are left of finding the system; 0 is no bound
	holds    *bool
	// The states with a path that counts, once they are known; unused when all
	// paths do.
	fairSet structure.Set
	fairRef *bdd.Ref
}

// NewProblem checks that f is a CTL formula over the model's propositions.
func NewProblem(m *Model, f formula.Formula, opt Options) (*Problem, error) {
	if opt.Algorithm == "" {
		opt.Algorithm = Auto
	}
	if !slices.Contains(Algorithms, opt.Algorithm) {
		return nil, fmt.Errorf("there is no algorithm %q; there are auto, naive, pairs, singles, halving and invariant", opt.Algorithm)
	}
	if opt.MaxStates <= 0 {
		opt.MaxStates = 1 << 22
		if (opt.Algorithm == Auto || opt.Algorithm == Invariant) && m.c != nil {
			opt.MaxStates = autoStates
		}
	}
	if opt.NodeLimit <= 0 {
		opt.NodeLimit = DefaultNodeLimit
	}
	if opt.MaxNames <= 0 {
		opt.MaxNames = 100_000
	}
	if opt.Progress == nil {
		opt.Progress = func(string) {}
	}
	if m.system != nil && (opt.Algorithm == Naive || opt.Algorithm == Halving) {
		return nil, fmt.Errorf("the algorithm %s lists states, and there are too many: use pairs", opt.Algorithm)
	}
	p, err := compile(f, m.paths, claim)
	if err != nil {
		return nil, err
	}
	if err := m.checkAtoms(f); err != nil {
		return nil, err
	}
	problem := &Problem{model: m, formula: f, program: p, opt: opt, diagrams: m.system != nil || opt.Algorithm.symbolic()}
	if opt.Algorithm == Invariant && !problem.invariant() {
		return nil, errors.New("the algorithm invariant is for AG p without temporal operators in p, on circuits whose first control state does not depend on the inputs, without fairness and constraints")
	}
	return problem, nil
}

// explicit decides between the explicit and the symbolic engines, and builds
// the plain frame for the former.
func (p *Problem) explicit(ctx context.Context) (bool, error) {
	p.ctx = ctx
	if p.diagrams {
		return false, nil
	}
	if p.frame == nil {
		f, err := p.firstFrame(ctx)
		if p.diagrams {
			return false, nil
		}
		if errors.Is(err, circuit.ErrTooLarge) {
			if p.mayChoose() {
				p.opt.Progress("many states: going on with decision diagrams")
				p.diagrams = true
				return false, nil
			}
			err = fmt.Errorf("%w; use the algorithm pairs", err)
		}
		if err != nil {
			return false, err
		}
		p.frame = f
	}
	return true, nil
}

// An invariant needs no list of states beside its diagrams (backward.go). Where it has
// more than fewStates, Auto tries to do without: with diagrams that are found in a time
// that the list would take as well.
const (
	fewStates  = 1 << 13
	trialTicks = 1 << 7 // a tick is 4,096 operations of the diagrams
)

// firstFrame is the plain frame, or none and p.diagrams set.
func (p *Problem) firstFrame(ctx context.Context) (*frame, error) {
	plain := frameRequest{twin: -1, fixed: -1}
	limit := p.opt.MaxStates
	if p.opt.Algorithm != Auto || !p.invariant() || limit <= fewStates {
		return p.newFrame(ctx, plain)
	}
	p.opt.MaxStates = fewStates
	f, err := p.newFrame(ctx, plain)
	p.opt.MaxStates = limit
	if !errors.Is(err, circuit.ErrTooLarge) {
		return f, err
	}
	p.moves = nil // which have the small bound
	if p.backward(ctx) != nil {
		p.trial = trialTicks
		_, err := p.symbolicModel()
		p.trial = 0
		if p.diagrams = err == nil; p.diagrams {
			return nil, nil
		}
	}
	return p.newFrame(ctx, plain)
}

// mayChoose tells whether a limit of one algorithm may be answered by another.
func (p *Problem) mayChoose() bool { return p.opt.Algorithm == Auto || p.opt.Algorithm == Invariant }

func (p *Problem) newFrame(ctx context.Context, req frameRequest) (*frame, error) {
	if p.model.k != nil {
		if n := p.model.k.Len(); n > p.opt.MaxStates {
			return nil, fmt.Errorf("%d states, more than %d: %w", n, p.opt.MaxStates, circuit.ErrTooLarge)
		}
		return structureFrame(p.model.k), nil
	}
	own := p.request()
	own.twin, own.merge, own.fixed, own.value, own.dontCare = req.twin, req.merge, req.fixed, req.value, req.dontCare
	req = own
	if err := p.refreshMoves(); err != nil {
		return nil, err
	}
	return circuitFrame(ctx, p.model.c, p.moves, req)
}

// Excerpt is how many states are listed of a set that has too many.
const Excerpt = 1000

// refreshMoves gives up the control states that are known when they have become many.
func (p *Problem) refreshMoves() (err error) {
	if p.moves == nil || p.moves.Total() > movesKept*p.opt.MaxStates {
		p.moves, err = newMoves(p.model.c, p.request(), (movesKept+1)*p.opt.MaxStates)
	}
	return err
}

// request is what all frames of a circuit have in common.
func (p *Problem) request() frameRequest {
	atoms := formula.Atoms(p.formula)
	for _, o := range p.model.c.Outputs {
		if isOpen(o.Name) && !slices.Contains(atoms, o.Name) {
			atoms = append(atoms, o.Name)
		}
	}
	return frameRequest{
		atoms: atoms, paths: p.model.paths, emptyFirst: p.opt.EmptyFirst,
		inputs: len(p.model.c.Inputs), limit: p.opt.MaxStates, twin: -1, fixed: -1,
	}
}

// Holds reports whether the model satisfies the specification: all of its
// initial states do.
func (p *Problem) Holds(ctx context.Context) (bool, error) {
	if p.holds != nil {
		return *p.holds, nil
	}
	explicit, err := p.explicit(ctx)
	if err != nil {
		return false, err
	}
	var ok bool
	if explicit {
		ok = newChecker(p.frame, p.program).holds(original)
	} else if ok, err = p.symbolicHolds(); err != nil {
		return false, err
	}
	if err := context.Cause(ctx); err != nil {
		return false, err
	}
	p.holds = &ok
	return ok, nil
}

// Signal finds a signal of which coverage can be asked.
func (p *Problem) Signal(name string) (Signal, error) { return p.model.signal(name, p.formula) }

// Cover finds the states that are covered with respect to a signal.
func (p *Problem) Cover(ctx context.Context, signal string) (*Cover, error) {
	s, err := p.model.signal(signal, p.formula)
	if err != nil {
		return nil, err
	}
	return p.cover(ctx, s, false)
}

// cover finds the states in which flipping a signal is noticed, or merging them with
// their twins.
func (p *Problem) cover(ctx context.Context, s Signal, merge bool) (*Cover, error) {
	if ok, err := p.Holds(ctx); err != nil {
		return nil, err
	} else if !ok {
		return nil, ErrFails
	}
	explicit, err := p.explicit(ctx)
	if err != nil {
		return nil, err
	}
	var c *Cover
	if explicit {
		c, err = p.explicitCover(ctx, s, merge)
	} else {
		c, err = p.symbolicCover(s, merge)
	}
	if err != nil && p.system != nil && context.Cause(ctx) == nil {
		p.system.M.Recover() // the next signal may need fewer nodes
	}
	return c, err
}

// symbolicInFrame computes with decision diagrams what a frame with twins is too
// large for, and gives the covered cells of the plain frame.
func (p *Problem) symbolicInFrame(s Signal, merge bool) (*Cover, error) {
	p.opt.Progress("many twins: this signal with decision diagrams")
	c, err := p.symbolicCover(s, merge)
	if err != nil {
		return nil, err
	}
	covered := map[string]bool{}
	for bits := range p.system.M.All(c.set, p.system.ControlVars(0)) {
		covered[p.system.StateName(bits)] = true
	}
	p.system.M.Unprotect(c.set)
	c.cells = structure.NewSet(p.frame.cells)
	for cell := range p.frame.candidates.All() {
		if covered[p.frame.name(cell)] {
			c.cells.Add(cell)
		}
	}
	return c, nil
}

// redirects reports whether mutating the signal redirects transitions.
func (s Signal) redirects() bool {
	return s.Kind == circuit.PureControl.String() || s.Kind == circuit.VisibleControl.String()
}

func (p *Problem) explicitCover(ctx context.Context, s Signal, merge bool) (*Cover, error) {
	change := mutantKind{flip: s.Name}
	f := p.frame
	if p.invariant() && !s.redirects() {
		return p.explicitResult(&Cover{Signal: s, Algorithm: Invariant, cells: p.invariantOutput(s.Name)}), nil
	}
	if p.invariant() {
		cells, err := p.invariantCells(ctx, p.model.c.ControlIndex(s.Name))
		if errors.Is(err, circuit.ErrTooLarge) {
			return p.symbolicInFrame(s, merge)
		}
		if err != nil {
			return nil, err
		}
		return p.explicitResult(&Cover{Signal: s, Algorithm: Invariant, cells: cells}), nil
	}
	if s.redirects() {
		// Flipping the output as well is never seen, see the package comment.
		change = mutantKind{redirect: !merge, merge: merge}
		var err error
		f, err = p.newFrame(ctx, frameRequest{twin: p.model.c.ControlIndex(s.Name), merge: merge, fixed: -1})
		if errors.Is(err, circuit.ErrTooLarge) && p.mayChoose() {
			return p.symbolicInFrame(s, merge)
		}
		if err != nil {
			return nil, err
		}
	}
	c := &Cover{Signal: s, Algorithm: p.opt.Algorithm, cells: structure.NewSet(p.frame.cells)}
	var covered structure.Set
	var err error
	switch {
	case !s.redirects() && !p.program.mentions(s.Name):
		covered = structure.NewSet(f.cells)
	case p.opt.Algorithm == Naive || merge && p.model.paths.sets() > 0:
		c.Algorithm = Naive
		covered, err = runNaive(ctx, f, p.program, change)
	default:
		c.Algorithm = Halving
		run := runHalving
		if p.model.paths.sets() > 0 {
			run = runFairHalving
		}
		var stats HalvingStats
		covered, stats, err = run(ctx, f, p.program, change, p.opt.Seed)
		c.Halving = &stats
	}
	if err != nil {
		return nil, context.Cause(ctx)
	}
	// Both frames number the reachable cells alike: in the order of the same
	// walk from the same initial states.
	for cell := range covered.All() {
		c.cells.Add(cell)
		if merge && p.frame.cells > int(f.twin[cell]) && p.frame.candidates.Has(int(f.twin[cell])) {
			c.cells.Add(int(f.twin[cell])) // the same mutant
		}
	}
	return p.explicitResult(c), nil
}

// explicitResult completes a cover whose cells are known.
func (p *Problem) explicitResult(c *Cover) *Cover {
	uncovered := p.frame.candidates.Clone()
	uncovered.Subtract(c.cells)
	uncovered.Subtract(p.openCells(c.Signal.Name))
	c.CoveredN, c.UncoveredN = big.NewInt(int64(c.cells.Count())), big.NewInt(int64(uncovered.Count()))
	c.Covered = p.names(c.cells, c.listed(c.CoveredN, p.opt.MaxNames))
	c.Uncovered = p.names(uncovered, c.listed(c.UncoveredN, p.opt.MaxNames))
	return c
}

// listed is how many of n states are listed.
func (c *Cover) listed(n *big.Int, most int) int {
	if n.Cmp(big.NewInt(int64(most))) <= 0 {
		return most
	}
	c.Truncated = true
	return min(most, Excerpt)
}

// names lists some cells.
func (p *Problem) names(cells structure.Set, most int) []string {
	out := []string{}
	for cell := range cells.All() {
		if len(out) == most {
			break
		}
		out = append(out, p.frame.name(cell))
	}
	if p.model.c != nil {
		slices.Sort(out)
	}
	return out
}

// Unreachable lists the unreachable states of a structure; a circuit has no
// such list.
func (p *Problem) Unreachable() []string {
	out := []string{}
	if p.model.k == nil {
		return out
	}
	reached := p.model.k.Reachable()
	for s, name := range p.model.k.States {
		if !reached.Has(s) && len(out) < p.opt.MaxNames {
			out = append(out, name)
		}
	}
	return out
}

// Fixed lists the control signals that are 0-covered or 1-covered: fixing them
// to the value falsifies the specification (CKV01 section 2, logic-based
// coverage). A structure has none.
func (p *Problem) Fixed(ctx context.Context, value bool) ([]string, error) {
	return p.noticed(ctx, func(explicit bool, register int) (bool, error) {
		if explicit && p.invariant() {
			return p.invariantFixed(ctx, register, value)
		}
		return p.holdsFixed(ctx, explicit, frameRequest{twin: -1, fixed: register, value: value})
	})
}

// noticed lists the control signals of which holds says that the specification fails.
func (p *Problem) noticed(ctx context.Context, holds func(explicit bool, register int) (bool, error)) ([]string, error) {
	if ok, err := p.Holds(ctx); err != nil {
		return nil, err
	} else if !ok {
		return nil, ErrFails
	}
	out := []string{}
	explicit, err := p.explicit(ctx)
	if err != nil {
		return nil, err
	}
	for _, name := range p.model.Controls() {
		ok, err := holds(explicit, p.model.c.ControlIndex(name))
		if err != nil {
			return nil, err
		}
		if err := context.Cause(ctx); err != nil {
			return nil, err
		}
		if !ok {
			out = append(out, name)
		}
	}
	return out, nil
}

// holdsFixed reports whether the specification holds when a control signal is fixed.
func (p *Problem) holdsFixed(ctx context.Context, explicit bool, req frameRequest) (bool, error) {
	if explicit {
		f, err := p.newFrame(ctx, req)
		if err == nil {
			return newChecker(f, p.program).holds(original), nil
		}
		if !errors.Is(err, circuit.ErrTooLarge) || !p.mayChoose() {
			return false, err
		}
	}
	name := p.model.c.Controls[req.fixed].Name
	if req.dontCare {
		return p.symbolicDontCare(name)
	}
	return p.symbolicFixed(name, req.value)
}

// Any counts the states, or control states, that at least one of the covers
// covers, and the reachable ones: the ratio that Hoskote, Kam, Ho and Zhao (DAC
// 1999) call coverage.
func (p *Problem) Any(covers ...*Cover) (covered, reachable *big.Int) {
	if p.frame != nil {
		union := structure.NewSet(p.frame.cells)
		for _, c := range covers {
			union.Union(c.cells)
		}
		return big.NewInt(int64(union.Count())), big.NewInt(int64(p.frame.candidates.Count()))
	}
	s := p.system
	union := bdd.False
	for _, c := range covers {
		union = s.M.Or(union, c.set)
	}
	vars := s.ControlVars(0)
	return s.M.SatCount(union, vars), s.M.SatCount(s.cells(), vars)
}
