package interp

import (
	"context"
	"errors"
	"slices"

	"netcov/aig"
	"netcov/cert"
	"netcov/netlist"
	"netcov/sat"
)

// A k-inductive set of properties P has an ordinary inductive invariant, made of
// interpolation sequences. Take frames in which each step is a transition from a
// state where constraint and properties hold, or a restart in any initial state:
//
//	step(s, s')  =  C(s) ∧ P(s) ∧ T(s, s')  ∨  Init(s')
//
// No property p of the set can fail after k such steps: after a restart the
// bounded search says so, without one the induction does. Let j ≤ k be the
// smallest number of steps of which that is true for p, and G1, …, Gj the
// interpolation sequence of the refutation, cut after each step. Then
//
//	step ⇒ G1',    Gi ∧ step ⇒ G(i+1)',    Gj ∧ C ⇒ p
//
// and R, the conjunction of the sequences of all p, is inductive: the initial
// states are in each Gi; a state of R is in every p's Gj, so P holds there and
// its successors are in every G1; as it is in Gi they are in G(i+1).
//
// Most properties follow after a step or two from the others, whatever the inputs
// of the last frame, and depend on few of these. Then Gj is the property itself,
// for all values of the inputs, and needs no interpolant.
//
// Krishnan, Vizel, Ganesh and Gurfinkel (Interpolating strong induction, CAV
// 2019) and Gurfinkel and Ivrii (K-induction without unrolling, FMCAD 2017) get
// to an ordinary invariant by IC3 instead.

// errNotInductive is a fault of the program: a k-inductive set has a run.
var errNotInductive = errors.New("internal error: the step that proves a k-inductive property is satisfiable")

// Strengthen returns an inductive invariant R that proves properties of a model:
// those in proved[k] are k-inductive together, given the lemmas and those of
// smaller bounds, and none fails within k steps. Lemmas are properties that have
// an invariant L; that of all is the conjunction of L and R. The result is nil
// when ctx ends first.
func Strengthen(ctx context.Context, m *netlist.Model, proved [][]int, lemmas []int, opt Options) (*cert.Invariant, error) {
	x := &strengthener{m: m, opt: &opt, r: &cert.Invariant{Graph: aig.NewGraph()}, initial: aig.Undef, settled: map[int]aig.Lit{}, added: map[aig.Lit]bool{}}
	x.latches = make([]aig.Lit, len(m.Latches))
	for i := range x.latches {
		x.latches[i] = aig.Undef
	}
	for i, l := range m.Latches {
		if l.InCone && l.Next.Const() {
			x.settled[i] = l.Next
		}
	}
	x.lemmas = slices.Clone(lemmas)
	x.all = slices.Clone(lemmas)
	for bound, list := range proved {
		if bound > 0 { // else the constraint implies them
			x.all = append(x.all, list...)
		}
	}
	for bound, list := range proved {
		for _, p := range list {
			if bound == 0 {
				continue
			}
			if done, err := x.prove(ctx, p, bound); !done {
				return nil, err
			}
		}
		x.lemmas = append(x.lemmas, list...)
	}
	return x.r, nil
}

// strengthener collects the invariant.
type strengthener struct {
	m       *netlist.Model
	opt     *Options
	all     []int           // P
	lemmas  []int           // the properties whose sequences are there
	chains  []*restartChain // [steps-1]
	latches []aig.Lit       // by latch: its node in the invariant, or Undef
	r       *cert.Invariant
	added   map[aig.Lit]bool // its formulas, and the conjunctions that were taken apart
	initial aig.Lit          // the initial states, made on demand, or Undef
	// settled are the latches that have one value in all states but the initial
	// ones: their next-state functions are constant.
	settled map[int]aig.Lit
}

// prove adds the sequence of a property.
func (x *strengthener) prove(ctx context.Context, p, bound int) (bool, error) {
	for j := 1; j <= bound; j++ {
		if len(x.chains) < j {
			x.chains = append(x.chains, newRestartChain(x, j))
		}
		c := x.chains[j-1]
		c.assumeLemmas()
		fails := c.fails(p)
		if always := x.always(p); always != aig.Undef {
			switch c.s.Solve(ctx, fails) {
			case sat.Unknown:
				return false, nil
			case sat.Unsat:
				c.sequence(j - 1)
				x.add(always)
				return true, nil
			}
		}
		switch c.s.Solve(ctx, fails, c.end) {
		case sat.Unknown:
			return false, nil
		case sat.Unsat:
			c.sequence(j)
			return true, nil
		}
	}
	return false, errNotInductive
}

// add conjoins a formula: each conjunct of it is one, which checks profit from.
func (x *strengthener) add(root aig.Lit) {
	g := x.r.Graph
	work := []aig.Lit{root}
	for len(work) > 0 {
		l := work[len(work)-1]
		work = work[:len(work)-1]
		switch {
		case l == aig.True || x.added[l]:
		case !l.Neg() && g.Kind(l.Node()) == aig.KindAnd:
			x.added[l] = true // a conjunction of shared conjunctions has exponentially many paths
			a, b := g.Fanins(l.Node())
			work = append(work, b, a)
		default:
			x.added[l] = true
			x.r.Formulas = append(x.r.Formulas, l)
		}
	}
}

// latch returns a latch's node in the invariant.
func (x *strengthener) latch(i int) aig.Lit {
	if x.latches[i] == aig.Undef {
		x.latches[i] = x.r.Graph.Latch()
		x.r.Support = append(x.r.Support, cert.SupportLatch{Lit: x.latches[i], Latch: i})
	}
	return x.latches[i]
}
