package structure

import (
	"fmt"

	"netcov/kripke/formula"
)

// Satisfying is the set of states that satisfy a formula without temporal operators.
func (k *Structure) Satisfying(f formula.Formula) (Set, error) {
	sets := map[formula.Formula]Set{}
	f = formula.NNF(f)
	for _, g := range formula.Subformulas(f) {
		var s Set
		switch g.Op() {
		case formula.OpTrue:
			s = FullSet(k.Len())
		case formula.OpFalse:
			s = NewSet(k.Len())
		case formula.OpAtom:
			a, ok := k.Proposition(g.Name())
			if !ok {
				return nil, fmt.Errorf("there is no signal %q", g.Name())
			}
			s = k.Where(a).Clone()
		case formula.OpNot:
			s = FullSet(k.Len())
			s.Subtract(sets[g.Left()])
		case formula.OpAnd:
			s = sets[g.Left()].Clone()
			s.Intersect(sets[g.Right()])
		case formula.OpOr:
			s = sets[g.Left()].Clone()
			s.Union(sets[g.Right()])
		}
		sets[g] = s
	}
	return sets[f], nil
}
