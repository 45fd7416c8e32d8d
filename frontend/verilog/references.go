// References into other instances, such as u1.count in an assertion. yosys does
// not resolve them: it declares a net of one bit that nothing drives, and an
// assertion about that net says nothing of the design.

package verilog

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"netcov/frontend/sva"
)

var implicitNet = regexp.MustCompile(`^(.+):(\d+): Warning: Identifier .\\(\S+)' is implicitly declared`)

// refuseReferences refuses the references that yosys warned of. It warns of the
// signals of interfaces too, but these become nets of another place.
func refuseReferences(warnings []string, modules map[string]*module) error {
	for _, w := range warnings {
		found := implicitNet.FindStringSubmatch(w)
		if found == nil || !strings.Contains(found[3], ".") {
			continue
		}
		line, _ := strconv.Atoi(found[2])
		for _, name := range sortedKeys(modules) {
			if p := netPlace(modules[name], found[3]); p.file == found[1] && p.line == line {
				return refuse(p, "write the assertion in the module of that signal, or lead the signal out through a port",
					"hierarchical reference %s, which yosys does not resolve", found[3])
			}
		}
	}
	return nil
}

// ofProperty matches a line, as yosys gets it, that has a property or a part of a checker.
var ofProperty = regexp.MustCompile(`\b(assert|assume|cover|restrict)\b|\b` + sva.Prefix)

// refuseUndeclared refuses the names in properties that no declaration gives: yosys makes
// wires of them, and nothing drives these. Elsewhere such a wire may be meant, as at a
// port of an instance; and the signals of interfaces are declared.
func (s *sources) refuseUndeclared(warnings, undriven []string) error {
	for _, w := range warnings {
		found := implicitNet.FindStringSubmatch(w)
		if found == nil || strings.Contains(found[3], ".") || !slices.ContainsFunc(undriven, func(net string) bool { return net == found[3] || strings.HasSuffix(net, "."+found[3]) }) {
			continue
		}
		line, _ := strconv.Atoi(found[2])
		if lines := s.lines[found[1]]; line >= 1 && line <= len(lines) && ofProperty.MatchString(lines[line-1]) {
			return refuse(place{file: found[1], line: line}, "declare it, or correct its name", "%s is not declared, and a property reads it", found[3])
		}
	}
	return nil
}

// undeclared returns where yosys declared a net of that name by itself, line 0 where
// the source does it.
func undeclared(warnings []string, m *module, net string) place {
	for _, w := range warnings {
		found := implicitNet.FindStringSubmatch(w)
		if found == nil || net != found[3] && !strings.HasSuffix(net, "."+found[3]) {
			continue
		}
		if p := netPlace(m, net); strconv.Itoa(p.line) == found[2] && p.file == found[1] {
			return p
		}
	}
	return place{}
}
