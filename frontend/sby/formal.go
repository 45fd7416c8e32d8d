// chformal, with which a script changes properties: asserts become assumptions, as for
// the parts of a proof, or assumptions asserts, or some are removed.

package sby

import (
	"regexp"
	"slices"
	"strings"
)

// kinds are the properties that chformal can be told, and conversions what it does with them
// that the front end has yosys do.
var (
	kinds       = []string{"-assert", "-assume", "-cover", "-live", "-fair"}
	conversions = []string{"-remove", "-assert2assume", "-assume2assert"}
)

// selected is a word of a selection of yosys'.
var selected = regexp.MustCompile(`^[A-Za-z0-9_$*?./:\\%\[\]-]+$`)

func (s *script) chformal(l line, args []string) error {
	command := strings.Join(append([]string{"chformal"}, args...), " ")
	var which, what, selection []string
	for _, a := range args {
		switch {
		case len(selection) == 0 && slices.Contains(kinds, a):
			which = append(which, a)
		case len(selection) == 0 && (a == "-early" || slices.Contains(conversions, a)):
			what = append(what, a)
		case strings.HasPrefix(a, "-") || !selected.MatchString(a):
			return s.p.mayChange(l, command)
		default:
			selection = append(selection, a)
		}
	}
	switch {
	case len(what) != 1 || what[0] == "-early" && len(selection) > 0:
		return s.p.mayChange(l, command)
	case what[0] == "-early":
		if s.p.multiclock() && !slices.Equal(which, []string{"-assume"}) {
			return s.p.refuse(l, "write chformal -early -assume, or remove it", "%s: with several clocks an assertion is checked at the edges of its clock", command)
		}
		s.early = true
	case what[0] == "-remove" && slices.Equal(which, []string{"-cover"}): // covers are no properties
	case s.flat && len(selection) > 0:
		return s.p.refuse(l, "write it before the design is flattened", "%s: the front end selects by the names that cells have before that", command)
	default:
		s.formal, s.changed = append(s.formal, command), l
		return nil
	}
	s.left = once(s.left, "chformal")
	return nil
}

// mayChange refuses a command that is not understood.
func (p *project) mayChange(l line, command string) error {
	return p.refuse(l, "write what it does into the source, or remove it for netcov", "the command %s may change the design; netcov does not run it", command)
}
