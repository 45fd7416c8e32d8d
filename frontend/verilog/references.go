// References into other instances, such as u1.count in an assertion. yosys does
// not resolve them: it declares a net of one bit that nothing drives, and an
// assertion about that net says nothing of the design.

package verilog

import (
	"regexp"
	"strconv"
)

var implicitNet = regexp.MustCompile(`^(.+):(\d+): Warning: Identifier .\\(\S+\.\S+)' is implicitly declared`)

// refuseReferences refuses the references that yosys warned of. It warns of the
// signals of interfaces too, but these become nets of another place.
func refuseReferences(warnings []string, modules map[string]*module) error {
	for _, w := range warnings {
		found := implicitNet.FindStringSubmatch(w)
		if found == nil {
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
