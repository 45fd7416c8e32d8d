package evidence

import (
	"fmt"
	"slices"
	"strings"

	"netcov/aiger"
)

// What evidence does not speak of is no failure, but the reader must know of it.
// The index lists the properties of the run that it has no evidence of, with the
// reason; verification finds by itself those of the design that it never names.
// Only liveness properties may be left out with a reason, and the design tells
// which these are.

// KindJustice is the kind of a liveness property.
const KindJustice = "justice"

// WhyJustice is the reason why liveness properties are left out.
const WhyJustice = "it is a liveness property, and evidence is written for safety properties only"

// IndexGap is a property of the run without evidence. Index is its position
// among all properties of the design, the safety properties first.
type IndexGap struct {
	Index int    `json:"index"`
	Kind  string `json:"kind"`
	Name  string `json:"name"`
	Why   string `json:"why"`
}

// property is one property of a design, by kind and name.
type property struct{ kind, name string }

// String names the property as it stands in parentheses.
func (p property) String() string { return strings.TrimSpace(p.kind + " " + p.name) }

// propertiesOf lists all properties of a design: safety, then liveness.
func propertiesOf(f *aiger.File) []property {
	lits, names, kind := f.Properties()
	var out []property
	for i := range lits {
		out = append(out, property{kind, validUTF8(names[i])})
	}
	for i := range f.Justice {
		out = append(out, property{KindJustice, validUTF8(f.Symbols.Justice[i])})
	}
	return out
}

// gaps names the properties that the evidence leaves out.
func (v *verifier) gaps() {
	all := propertiesOf(v.design)
	named := map[int]bool{}
	for i := range v.index.Properties {
		for _, at := range v.index.Properties[i].all() {
			named[at] = true
		}
	}
	for _, g := range v.index.Gaps {
		where := fmt.Sprintf("property %d", g.Index)
		switch {
		case g.Index < 0 || g.Index >= len(all):
			v.fail(where, "the design has %d properties", len(all))
		case all[g.Index] != property{g.Kind, g.Name}:
			v.fail(where, "it is called %s %q, in the design %s %q", g.Kind, g.Name, all[g.Index].kind, all[g.Index].name)
		case g.Kind != KindJustice || g.Why != WhyJustice:
			v.fail(where, "it is left out because %q, which is no reason for a property of the kind %s", g.Why, g.Kind)
		case named[g.Index]:
			v.fail(where, "it is listed twice")
		default:
			v.partial("%s (%v) has no evidence: %s", where, all[g.Index], g.Why)
		}
		named[g.Index] = true
	}
	var rest []int
	for i := range all {
		if !named[i] {
			rest = append(rest, i)
		}
	}
	switch len(rest) {
	case 0:
	case 1:
		v.partial("the evidence does not speak of property %d (%v)", rest[0], all[rest[0]])
	default:
		v.partial("the evidence does not speak of the properties %s", ranges(rest))
	}
}

// leave notes something that the evidence of one property leaves out.
func (v *verifier) leave(property int, what string) {
	if v.left[what] == nil {
		v.lefts = append(v.lefts, what)
	}
	v.left[what] = append(v.left[what], property)
}

// leftOut names what single properties leave out, once for all that leave out the
// same.
func (v *verifier) leftOut() {
	for _, what := range v.lefts {
		of := v.left[what]
		slices.Sort(of)
		if len(of) == 1 {
			v.partial("property %d: %s", of[0], what)
		} else {
			v.partial("properties %s: %s", ranges(of), what)
		}
	}
}

// partial notes something that the evidence leaves out.
func (v *verifier) partial(format string, args ...any) {
	v.report.Partial = append(v.report.Partial, fmt.Sprintf(format, args...))
}

// ranges writes rising numbers in short: 1-3, 7.
func ranges(numbers []int) string {
	var parts []string
	for i := 0; i < len(numbers); {
		j := i + 1
		for j < len(numbers) && numbers[j] == numbers[j-1]+1 {
			j++
		}
		part := fmt.Sprint(numbers[i])
		if j > i+1 {
			part = fmt.Sprintf("%d-%d", numbers[i], numbers[j-1])
		}
		parts, i = append(parts, part), j
	}
	return strings.Join(parts, ", ")
}
