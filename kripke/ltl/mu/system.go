package mu

import (
	"fmt"
	"slices"
	"strings"
)

// Systems of fixpoint equations. A formula can be exponentially longer than the
// system that it comes from (CKKV01 section 4, footnote 4), so large ones are
// kept, printed and evaluated as systems.

// Equation defines a variable.
type Equation struct {
	Name string
	Fix  Fixpoint
	Body *Formula
}

// Group is a set of equations that depend on each other, the outermost fixpoint
// first: neighbours with the same Fix are solved together, and what follows
// them is solved anew for each of their values.
type Group []Equation

// System is a list of groups, each of which may use the variables of those
// before it, and a formula over all variables.
type System struct {
	Groups []Group
	Result *Formula
}

// blocks splits a group into neighbours with the same fixpoint.
func (g Group) blocks() [][]Equation {
	var out [][]Equation
	for i, e := range g {
		if i == 0 || e.Fix != g[i-1].Fix {
			out = append(out, nil)
		}
		out[len(out)-1] = append(out[len(out)-1], e)
	}
	return out
}

// recursive reports whether some variable of the group occurs in it.
func (g Group) recursive() bool {
	names := map[string]bool{}
	for _, e := range g {
		names[e.Name] = true
	}
	for _, e := range g {
		for v := range e.Body.Free() {
			if names[v] {
				return true
			}
		}
	}
	return false
}

// Trim drops groups that the result does not need.
func (s *System) Trim() {
	needed := s.Result.Free()
	var keep []Group
	for i := len(s.Groups) - 1; i >= 0; i-- {
		g := s.Groups[i]
		used := false
		for _, e := range g {
			used = used || needed[e.Name]
		}
		if !used {
			continue
		}
		for _, e := range g {
			for v := range e.Body.Free() {
				needed[v] = true
			}
		}
		keep = append(keep, g)
	}
	slices.Reverse(keep)
	s.Groups = keep
}

// AlternationDepth is 0 without fixpoints, 1 when no least and greatest fixpoint
// depend on each other, 2 when a least one stands inside a greatest one or the
// other way round and uses its variable, and so on.
func (s *System) AlternationDepth() int {
	depth := 0
	for _, g := range s.Groups {
		if g.recursive() {
			depth = max(depth, len(g.blocks()))
		}
	}
	return depth
}

// String writes the equations, one a line: =µ and =ν for fixpoints, = for plain
// definitions; the result comes last.
func (s *System) String() string {
	var b strings.Builder
	for _, g := range s.Groups {
		recursive := g.recursive()
		for _, e := range g {
			sign := "="
			if recursive {
				sign = [...]string{"=µ", "=ν"}[e.Fix]
			}
			fmt.Fprintf(&b, "%s %s %s\n", e.Name, sign, e.Body)
		}
	}
	fmt.Fprintf(&b, "%s\n", s.Result)
	return b.String()
}

// Formula is the system as one closed formula, by elimination of the variables
// (Bekić); nil when it has more than limit symbols.
func (s *System) Formula(limit int) *Formula {
	result := s.Result
	solved := map[string]*Formula{}
	// apply puts the solutions found so far into a formula.
	apply := func(f *Formula) *Formula {
		for v := range f.Free() {
			if by := solved[v]; by != nil {
				f = substitute(f, v, by)
			}
		}
		return f
	}
	for _, g := range s.Groups {
		bodies := make([]*Formula, len(g))
		for i, e := range g {
			bodies[i] = apply(e.Body)
		}
		for i := len(g) - 1; i >= 0; i-- {
			bodies[i] = Bind(g[i].Fix, g[i].Name, bodies[i])
			for j := range i {
				bodies[j] = substitute(bodies[j], g[i].Name, bodies[i])
				if bodies[j].Size(limit+1) > limit {
					return nil
				}
			}
		}
		for i, e := range g {
			bodies[i] = apply(bodies[i])
			if bodies[i].Size(limit+1) > limit {
				return nil
			}
			solved[e.Name] = bodies[i]
		}
	}
	result = apply(result)
	if result.Size(limit+1) > limit {
		return nil
	}
	return result
}
