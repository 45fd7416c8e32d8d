package certify

import (
	"fmt"
	"slices"

	"netcov/aiger"
)

// Open returns the file with other properties: disjuncts of one of its own, and that one
// after them. It is an error when there is a bad state of the property that is none of a
// disjunct: the property is opened here, too, gate by gate.
func Open(f *aiger.File, property int, disjuncts []aiger.Lit) (*aiger.File, error) {
	bads, _, _ := f.Properties()
	if property < 0 || property >= len(bads) {
		return nil, fmt.Errorf("property %d is none of the file's %d safety properties", property, len(bads))
	}
	done := map[aiger.Lit]bool{0: true} // literals whose bad states some disjunct has
	for _, l := range disjuncts {
		if l>>1 > f.MaxVar {
			return nil, fmt.Errorf("the file has no literal %d", l)
		}
		done[l] = true
	}
	gates := make([]*aiger.And, f.MaxVar+1) // by variable
	for i := range f.Ands {
		gates[f.Ands[i].Lhs>>1] = &f.Ands[i]
	}
	for stack := []aiger.Lit{bads[property]}; len(stack) > 0; {
		l := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if done[l] {
			continue
		}
		done[l] = true
		a := gates[l>>1]
		if l&1 == 0 || a == nil {
			return nil, fmt.Errorf("property %d has bad states that none of its disjuncts has: those of literal %d", property, l)
		}
		stack = append(stack, a.Rhs0^1, a.Rhs1^1)
	}
	g := *f
	g.Bads = append(slices.Clone(disjuncts), bads[property])
	g.Outputs, g.Justice, g.Fairness, g.Symbols = nil, nil, nil, aiger.Symbols{}
	return &g, nil
}
