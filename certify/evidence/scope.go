package evidence

import (
	"fmt"
	"slices"
	"strings"

	"netcov/aiger"
	"netcov/certify"
)

// A design has safety properties and, after them, justice properties: a position
// among all of these names one. What evidence does not speak of is no failure, but the
// reader must know of it: verification finds by itself which properties of the design
// the index never names.

// KindJustice is the kind of a liveness property.
const KindJustice = "justice"

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

// checkerOf returns the checker of the properties at some positions. A justice
// property stands alone; the search for its lasso begins after so many rounds.
func checkerOf(f *aiger.File, rounds int, positions ...int) *certify.Checker {
	if p := inTraces(f, positions[0]); len(positions) == 1 && p.Kind == 'j' {
		return certify.NewJusticeChecker(f, p.Index, rounds)
	}
	return certify.NewChecker(f, positions...)
}

// inTraces is the property at a position as traces of the design name it.
func inTraces(f *aiger.File, position int) aiger.Property {
	if lits, _, _ := f.Properties(); position >= len(lits) {
		return aiger.Property{Kind: 'j', Index: position - len(lits)}
	}
	return aiger.Property{Kind: 'b', Index: position}
}

// lastStep is the depth of a trace: its last step. A lasso has one more, in which
// the loop is closed.
func lastStep(w *aiger.Witness) int {
	if w.Properties[0].Kind == 'j' {
		return len(w.Inputs)
	}
	return len(w.Inputs) - 1
}

// unnamedProperties names the properties that the evidence leaves out.
func (v *verifier) unnamedProperties() {
	all := propertiesOf(v.design)
	named := map[int]bool{}
	for i := range v.index.Properties {
		for _, at := range v.index.Properties[i].all() {
			named[at] = true
		}
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
