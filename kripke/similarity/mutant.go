package similarity

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"netcov/internal/visible"
	"netcov/kripke/formula"
	"netcov/kripke/structure"
)

// Mutant is the implementation with the value of a proposition flipped in a
// state (CK02 section 2: the pair (w, q)).
type Mutant struct {
	State  int
	Signal string
}

// MutantsOf is the mutant vector W × {q}, without unreachable states: their
// mutants are never covered.
func (p *Problem) MutantsOf(q string) []Mutant {
	var out []Mutant
	for w := range p.Impl.Reachable().All() {
		out = append(out, Mutant{w, q})
	}
	return out
}

// ReadMutants reads a mutant vector, one line each:
//
//	STATE SIGNAL       the signal flipped in one state
//	* SIGNAL           … in each state in turn
//	[FORMULA] SIGNAL   … in each state in turn that satisfies the formula over
//	                   the implementation's propositions
//
// A comma may stand between the two instead of blanks. A name with white space
// may stand in double quotes. Empty lines and those that begin with # are
// skipped. The pairs come sorted and once each; file names the input in error
// messages. With partial the implementation lists its reachable states only, so
// that a state it does not list may be an unreachable one, whose mutants are
// never covered: such lines are left out, and their states returned.
func (p *Problem) ReadMutants(file string, r io.Reader, partial bool) (mutants []Mutant, unlisted []string, err error) {
	byName := make(map[string]int, p.Impl.Len())
	for w, name := range p.Impl.States {
		byName[name] = w
	}
	var out []Mutant
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", file, err)
	}
	number := 0
	for line := range strings.Lines(string(data)) {
		number++
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		fail := func(format string, args ...any) ([]Mutant, []string, error) {
			return nil, nil, fmt.Errorf("%s:%d: "+format, append([]any{file, number}, args...)...)
		}
		cut := strings.LastIndexAny(line, " \t")
		if cut < 0 {
			cut = strings.LastIndexByte(line, ',')
		}
		if cut < 0 {
			return fail("expected STATE SIGNAL, found %q", visible.Short(line))
		}
		where, q := strings.TrimSpace(line[:cut]), line[cut+1:]
		where = strings.TrimSpace(strings.TrimSuffix(where, ","))
		if _, ok := p.Impl.Proposition(q); !ok {
			if w, s, ok := p.splitMutant(line); ok {
				where, q = w, s
			}
		}
		if _, ok := p.Impl.Proposition(q); !ok {
			return fail("there is no signal %q; there are %s", visible.Short(q), visible.Short(strings.Join(p.Impl.AP, ", ")))
		}
		var states []int
		switch {
		case where == "*":
			states = structure.FullSet(p.Impl.Len()).List()
		case strings.HasPrefix(where, "[") && strings.HasSuffix(where, "]"):
			set, err := p.satisfying(strings.TrimSpace(where[1 : len(where)-1]))
			if err != nil {
				return fail("%v", err)
			}
			states = set.List()
		default:
			if len(where) > 1 && strings.HasPrefix(where, `"`) && strings.HasSuffix(where, `"`) {
				where = where[1 : len(where)-1]
			}
			w, ok := byName[where]
			if !ok && partial {
				if !slices.Contains(unlisted, where) {
					unlisted = append(unlisted, where)
				}
				continue
			}
			if !ok {
				return fail("there is no state %q", visible.Short(where))
			}
			states = []int{w}
		}
		for _, w := range states {
			out = append(out, Mutant{w, q})
		}
	}
	slices.SortFunc(out, func(a, b Mutant) int {
		return cmp.Or(cmp.Compare(a.State, b.State), cmp.Compare(a.Signal, b.Signal))
	})
	return slices.Compact(out), unlisted, nil
}

// splitMutant finds the longest signal at the end of a line, quoted or a name
// with blanks such as n = 5.
func (p *Problem) splitMutant(line string) (where, q string, ok bool) {
	for _, name := range p.Impl.AP {
		for _, shown := range []string{name, `"` + name + `"`} {
			rest, found := strings.CutSuffix(line, shown)
			before := strings.TrimRight(rest, " \t,")
			if found && before != "" && before != rest && len(name) > len(q) {
				where, q, ok = before, name, true
			}
		}
	}
	return where, q, ok
}

// satisfying is the set of implementation states that satisfy a formula
// without temporal operators.
func (p *Problem) satisfying(text string) (structure.Set, error) {
	f, err := formula.Parse(text, formula.CTL)
	if err != nil {
		return nil, err
	}
	if !f.Propositional() {
		return nil, fmt.Errorf("%s has a temporal operator; only propositions, !, &, |, ->, <-> and xor are supported here", f)
	}
	return p.Impl.Satisfying(f)
}
