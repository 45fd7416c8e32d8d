package mu

import (
	"fmt"

	"netcov/kripke/bdd"
	"netcov/kripke/symbolic"
)

// Symbolic is a structure or circuit in symbolic form as a Model.
type Symbolic struct {
	Sys *symbolic.System
	// Fairness lists the names of propositions that stand for fairness sets.
	Fairness []string
	// Protected are sets that Collect must keep.
	Protected []bdd.Ref
}

// All is the set of all states.
func (x Symbolic) All() bdd.Ref { return x.Sys.Valid }

// None is the empty set.
func (x Symbolic) None() bdd.Ref { return bdd.False }

// Initial is the set of initial states.
func (x Symbolic) Initial() bdd.Ref { return x.Sys.Init }

// Fair is fairness set i.
func (x Symbolic) Fair(i int) (bdd.Ref, error) {
	if i >= len(x.Fairness) {
		return bdd.False, fmt.Errorf("the model has no fairness set %d", i)
	}
	return x.Atom(x.Fairness[i])
}

// Atom is the set of states where a proposition holds.
func (x Symbolic) Atom(name string) (bdd.Ref, error) {
	f, ok := x.Sys.Label(name)
	if !ok {
		return bdd.False, fmt.Errorf("there is no proposition %q", name)
	}
	return f, nil
}

// Not is the complement.
func (x Symbolic) Not(f bdd.Ref) bdd.Ref { return x.Sys.M.Diff(x.Sys.Valid, f) }

// And is the intersection.
func (x Symbolic) And(f, g bdd.Ref) bdd.Ref { return x.Sys.M.And(f, g) }

// Or is the union.
func (x Symbolic) Or(f, g bdd.Ref) bdd.Ref { return x.Sys.M.Or(f, g) }

// EX is the set of states with a successor in f.
func (x Symbolic) EX(f bdd.Ref) bdd.Ref { return x.Sys.Pre(f) }

// EY is the set of states with a predecessor in f.
func (x Symbolic) EY(f bdd.Ref) bdd.Ref { return x.Sys.Post(f) }

// Equal compares two sets.
func (x Symbolic) Equal(f, g bdd.Ref) bool { return f == g }

// Collect frees decision diagrams.
func (x Symbolic) Collect(live []bdd.Ref) {
	x.Sys.M.CollectIfLarge(append(live, x.Protected...)...)
}

// Err is the manager's error.
func (x Symbolic) Err() error { return x.Sys.M.Err() }
