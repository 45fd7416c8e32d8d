// Concurrent assertions of a boolean expression in a clocked block are left to the
// compiler, which reads them as immediate ones. That is the same, unless the block
// assigns by = what they read: a concurrent assertion has the values before the clock
// edge (IEEE 1800-2017, 16.14.6), an immediate one the new value.

package sva

import "slices"

// refuseNew refuses an assertion that would see a new value.
func (a *assertion) refuseNew() {
	if !slices.ContainsFunc(a.block, func(t token) bool { return t.is("posedge") || t.is("negedge") }) {
		return
	}
	set := assigned(a.block)
	for i, t := range a.toks {
		if t.kind == name && set[t.text] && (i == 0 || !a.toks[i-1].is(".")) {
			refuse(t, "write an immediate assertion (assert without property) for the new value, or move the assertion out of the block",
				"the block assigns %s by =, and a concurrent assertion has its value before the clock edge, which is not supported here", t.text)
		}
	}
}

// assigned returns the variables that statements assign by =, ++ and the like, but for
// those that are declared with a value in the block.
func assigned(toks []token) map[string]bool {
	set := map[string]bool{}
	declared := map[string]bool{}
	for i, t := range toks {
		switch {
		case i == 0 || t.kind != symbol:
		case t.text == "++" || t.text == "--":
			if i+1 < len(toks) && toks[i+1].kind == name {
				set[toks[i+1].text] = true
			}
			fallthrough
		case slices.Contains(assignments, t.text):
			for _, k := range targets(toks, i-1) {
				if set[toks[k].text] = true; t.is("=") && k > 0 && ofType(toks[k-1]) {
					declared[toks[k].text] = true
				}
			}
		}
	}
	for n := range declared {
		delete(set, n)
	}
	return set
}

var assignments = []string{"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="}

// ofType reports whether a token before a name makes it a declaration.
func ofType(t token) bool {
	return t.is("]") || t.kind == name && !slices.Contains([]string{"begin", "else", "end", "fork", "join", "do"}, t.text)
}

// targets returns the names that an assignment's left side, which ends at token i, sets.
func targets(toks []token, i int) []int {
	if i >= 0 && toks[i].is("}") {
		var names []int
		for ; i >= 0 && !toks[i].is(";"); i-- {
			if toks[i].kind == name {
				names = append(names, i)
			}
		}
		return names
	}
	for i > 0 && (toks[i].is("]") || toks[i-1].is(".")) {
		if !toks[i].is("]") {
			i -= 2
			continue
		}
		depth := 0
		for ; i > 0; i-- {
			if toks[i].is("]") {
				depth++
			} else if toks[i].is("[") {
				if depth--; depth == 0 {
					break
				}
			}
		}
		i--
	}
	if i < 0 || toks[i].kind != name {
		return nil
	}
	return []int{i}
}
