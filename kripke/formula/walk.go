package formula

import "slices"

// Subformulas lists the distinct subformulas of fs, operands before the
// formulas that use them, each of fs after its own subformulas. The walk uses
// no recursion, so the depth of a formula does not matter.
func Subformulas(fs ...Formula) []Formula {
	return subformulas(fs, func(Formula) bool { return false })
}

// Unknown is Subformulas of f without those that are known and what occurs in
// known ones only: what is left to compute of a function on formulas whose
// values are kept.
func Unknown(f Formula, known func(Formula) bool) []Formula {
	return subformulas([]Formula{f}, known)
}

func subformulas(fs []Formula, known func(Formula) bool) []Formula {
	var order []Formula
	done := map[Formula]bool{}
	type frame struct {
		f    Formula
		next int
	}
	for _, root := range fs {
		stack := []frame{{f: root}}
		for len(stack) > 0 {
			top := &stack[len(stack)-1]
			if done[top.f] || known(top.f) {
				stack = stack[:len(stack)-1]
				continue
			}
			if top.next < top.f.Op().Arity() {
				child := top.f.Left()
				if top.next == 1 {
					child = top.f.Right()
				}
				top.next++
				if !done[child] && !known(child) {
					stack = append(stack, frame{f: child})
				}
				continue
			}
			done[top.f] = true
			order = append(order, top.f)
			stack = stack[:len(stack)-1]
		}
	}
	return order
}

// Atoms lists the names of the propositions in fs, sorted.
func Atoms(fs ...Formula) []string {
	var names []string
	for _, f := range Subformulas(fs...) {
		if f.Op() == OpAtom {
			names = append(names, f.Name())
		}
	}
	slices.Sort(names)
	return names
}

// Map rebuilds f from its operands upwards: each distinct subformula, with its
// operands already replaced, goes through change once.
func Map(f Formula, change func(Formula) Formula) Formula {
	result := map[Formula]Formula{}
	for _, g := range Subformulas(f) {
		result[g] = change(rebuild(g, result[g.Left()], result[g.Right()]))
	}
	return result[f]
}

// Replace puts a formula in place of every occurrence of a subformula. What
// has been put in is not searched again.
func Replace(f Formula, with map[Formula]Formula) Formula {
	result := map[Formula]Formula{}
	for _, g := range Subformulas(f) {
		if r, ok := with[g]; ok {
			result[g] = r
		} else {
			result[g] = rebuild(g, result[g.Left()], result[g.Right()])
		}
	}
	return result[f]
}

// Conjuncts splits f at its outermost conjunctions, left to right.
func Conjuncts(f Formula) []Formula {
	var out []Formula
	stack := []Formula{f}
	for len(stack) > 0 {
		g := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if g.Op() == OpAnd {
			stack = append(stack, g.Right(), g.Left())
			continue
		}
		out = append(out, g)
	}
	return out
}
