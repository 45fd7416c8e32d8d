// Commands that change properties: what they select must be there, and what a checker
// consists of cannot be changed by halves.

package verilog

import (
	"regexp"
	"slices"
	"strings"
)

// FormalOption is the option of errors about Options.Formal.
const FormalOption = "Formal"

// unselected is yosys' warning of a selection that matches nothing.
var unselected = regexp.MustCompile(`Warning: (Selection .* did not match any .*)`)

func (o Options) refuseUnselected(warnings []string) error {
	if len(o.Formal) == 0 {
		return nil
	}
	for _, w := range warnings {
		if m := unselected.FindStringSubmatch(w); m != nil {
			return &Error{What: strings.Join(o.Formal, "; ") + ": " + strings.TrimSuffix(m[1], "."), Cure: "select cells by the names that they have here, or leave the selection out", Option: FormalOption}
		}
	}
	return nil
}

// refuseHalves refuses to change a concurrent assumption of liveness, which is an
// assumption of safety and one of fairness together.
func (inv *inventory) refuseHalves(o Options) error {
	if len(inv.fairs) > 0 && slices.ContainsFunc(o.Formal, func(c string) bool { return strings.Contains(c, "-assume") || strings.Contains(c, "-remove") }) {
		return &Error{What: strings.Join(o.Formal, "; ") + ": the design assumes a property of liveness, which that would change by halves", Cure: "change it in the source", Option: FormalOption}
	}
	return nil
}
