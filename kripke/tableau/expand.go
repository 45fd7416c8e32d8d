package tableau

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"netcov/kripke/formula"
)

// An obligation is a literal or a next-formula AX f, given by a number; a
// literal and its negation are 2k and 2k+1. A set of obligations is an
// increasing list. The expansion of a formula is the list of the minimal
// consistent sets that satisfy it:
//
//	a & b     a set of each, joined
//	a | b     a set of one of them
//	A[a W b]  a set of b, or one of a and AX A[a W b]
//
// Contradictory sets and sets that contain another one never have to be kept,
// since joining sets and taking unions of families are monotone.

// MaxSets bounds the sets of one expansion and the states of a tableau, MaxTransitions
// its transitions.
const (
	MaxSets        = 1 << 20
	MaxTransitions = 1 << 28
)

// ErrTooLarge is wrapped by the error for a tableau beyond MaxSets.
var ErrTooLarge = errors.New("the specification's tableau is too large")

type set []int32

// obligations numbers literals and next-formulas.
type obligations struct {
	atoms   map[string]int32
	next    map[formula.Formula]int32
	formula []formula.Formula // the literal, or f for AX f
	isNext  []bool

	memo map[formula.Formula][]set
	most int // sets of one expansion

	ctx   context.Context
	polls int
}

// stopped asks now and then whether the context has ended.
func (o *obligations) stopped() error {
	if o.polls++; o.polls%256 == 0 && o.ctx.Err() != nil {
		return context.Cause(o.ctx)
	}
	return nil
}

func newObligations(ctx context.Context) *obligations {
	return &obligations{ctx: ctx, most: MaxSets, atoms: map[string]int32{}, next: map[formula.Formula]int32{}, memo: map[formula.Formula][]set{}}
}

func (o *obligations) literal(name string, positive bool) int32 {
	n, ok := o.atoms[name]
	if !ok {
		n = int32(len(o.formula))
		o.atoms[name] = n
		o.formula = append(o.formula, formula.Atom(name), formula.Not(formula.Atom(name)))
		o.isNext = append(o.isNext, false, false)
	}
	if !positive {
		n++
	}
	return n
}

func (o *obligations) nextFormula(f formula.Formula) int32 {
	n, ok := o.next[f]
	if !ok {
		// Next-formulas take an even and an odd number too, the odd one unused,
		// so that x^1 is the negation of a literal x.
		n = int32(len(o.formula))
		o.next[f] = n
		o.formula = append(o.formula, f, formula.Formula{})
		o.isNext = append(o.isNext, true, true)
	}
	return n
}

// supported checks that f, in negation normal form, is an ACTL safety formula.
func supported(f formula.Formula) error {
	for _, g := range formula.Subformulas(f) {
		switch op := g.Op(); op {
		case formula.OpAF, formula.OpAU:
			return fmt.Errorf("%.100s is a liveness property: a tableau for it would need fairness, only safety properties (AX, AG, A[W], A[V]) are supported", g)
		default:
			if op.Existential() || op.Linear() {
				return fmt.Errorf("%.100s is no ACTL formula: only AX, AG, A[W] and A[V] are supported, negation only of formulas without them", g)
			}
		}
	}
	return nil
}

// expand is the expansion of a formula in negation normal form.
func (o *obligations) expand(f formula.Formula) ([]set, error) {
	if out, ok := o.memo[f]; ok {
		return out, nil
	}
	out, err := o.expandNew(f)
	if err == nil {
		o.memo[f] = out
	}
	return out, err
}

func (o *obligations) expandNew(f formula.Formula) ([]set, error) {
	both := func() (a, b []set, err error) {
		if a, err = o.expand(f.Left()); err != nil {
			return nil, nil, err
		}
		b, err = o.expand(f.Right())
		return a, b, err
	}
	switch f.Op() {
	case formula.OpTrue:
		return []set{{}}, nil
	case formula.OpFalse:
		return nil, nil
	case formula.OpAtom:
		return []set{{o.literal(f.Name(), true)}}, nil
	case formula.OpNot:
		return []set{{o.literal(f.Left().Name(), false)}}, nil
	case formula.OpAX:
		return []set{{o.nextFormula(f.Left())}}, nil
	case formula.OpAG: // A[a W false]
		a, err := o.expand(f.Left())
		if err != nil {
			return nil, err
		}
		return o.product(a, []set{{o.nextFormula(f)}})
	}
	a, b, err := both()
	if err != nil {
		return nil, err
	}
	switch f.Op() {
	case formula.OpAnd:
		return o.product(a, b)
	case formula.OpOr:
		return o.minimal(append(slices.Clone(a), b...))
	case formula.OpAW:
		stay, err := o.product(a, []set{{o.nextFormula(f)}})
		if err != nil {
			return nil, err
		}
		return o.minimal(append(slices.Clone(b), stay...))
	case formula.OpAR: // b holds up to and with the first a: A[b W (a & b)]
		release, err := o.product(b, a)
		if err != nil {
			return nil, err
		}
		stay, err := o.product(b, []set{{o.nextFormula(f)}})
		if err != nil {
			return nil, err
		}
		return o.minimal(append(release, stay...))
	}
	return nil, fmt.Errorf("%s: the operator %s is not supported in a tableau", f, f.Op())
}

// expandAll is the expansion of the conjunction of several formulas.
func (o *obligations) expandAll(fs []formula.Formula) ([]set, error) {
	out := []set{{}}
	for _, f := range fs {
		b, err := o.expand(f)
		if err != nil {
			return nil, err
		}
		if out, err = o.product(out, b); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// product joins each set of a with each set of b.
func (o *obligations) product(a, b []set) ([]set, error) {
	if len(a)*len(b) > 64*o.most {
		return nil, fmt.Errorf("%w: %d times %d choices", ErrTooLarge, len(a), len(b))
	}
	out := make([]set, 0, len(a)*len(b))
	for _, x := range a {
		if err := o.stopped(); err != nil {
			return nil, err
		}
		for _, y := range b {
			if z, ok := o.join(x, y); ok {
				out = append(out, z)
			}
		}
	}
	out, err := o.minimal(out)
	if err != nil {
		return nil, err
	}
	if len(out) > o.most {
		return nil, fmt.Errorf("%w: more than %d choices", ErrTooLarge, o.most)
	}
	return out, nil
}

// join is the union, and false when it has a literal and its negation.
func (o *obligations) join(a, b set) (set, bool) {
	out := make(set, 0, len(a)+len(b))
	for len(a) > 0 || len(b) > 0 {
		var x int32
		switch {
		case len(b) == 0 || len(a) > 0 && a[0] < b[0]:
			x, a = a[0], a[1:]
		case len(a) == 0 || b[0] < a[0]:
			x, b = b[0], b[1:]
		default:
			x, a, b = a[0], a[1:], b[1:]
		}
		if n := len(out); n > 0 && out[n-1] == x^1 && !o.isNext[x] {
			return nil, false
		}
		out = append(out, x)
	}
	return out, true
}

// minimal keeps the sets that contain no other of them, each once, shortest
// first and then in order. It may reorder its argument.
func (o *obligations) minimal(sets []set) ([]set, error) {
	slices.SortFunc(sets, func(a, b set) int {
		return cmp.Or(cmp.Compare(len(a), len(b)), slices.Compare(a, b))
	})
	out := sets[:0]
	for _, s := range sets {
		if err := o.stopped(); err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(out, func(t set) bool { return contains(s, t) }) {
			out = append(out, s)
		}
	}
	return out, nil
}

// contains reports whether t ⊆ s.
func contains(s, t set) bool {
	for _, x := range t {
		for len(s) > 0 && s[0] < x {
			s = s[1:]
		}
		if len(s) == 0 || s[0] != x {
			return false
		}
		s = s[1:]
	}
	return true
}
