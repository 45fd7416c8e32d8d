package smv

import "fmt"

// mostValues is the largest number of values of a variable that are written down.
const mostValues = 256

// Observation is what tells the values of a variable that is not boolean: expressions
// that can be evaluated in each model that has a variable of that name with these values.
type Observation struct {
	Name, Values string
	Expressions  []string // a bit of a word each, or a value each; nil: there are too many
}

// Observations lists the variables that are not boolean, IVARs apart.
func (p *Program) Observations() []Observation {
	var out []Observation
	for _, v := range p.vars {
		if v.kind == kindInput || v.dom.typ.kind == kBool {
			continue
		}
		o := Observation{Name: v.name, Values: p.domainText(v)}
		switch d := &v.dom; {
		case d.typ.kind == kWord:
			for i := range d.typ.width {
				o.Expressions = append(o.Expressions, fmt.Sprintf("bool(%s[%d:%d])", v.name, i, i))
			}
		case d.size() > mostValues:
		case d.values == nil:
			for x := d.lo; x <= d.hi; x++ {
				o.Expressions = append(o.Expressions, fmt.Sprintf("%s = %d", v.name, x))
			}
		default:
			for _, c := range d.values {
				o.Expressions = append(o.Expressions, fmt.Sprintf("%s = %s", v.name, p.elab.symbols.text(c)))
			}
			// The text of the values may be a part of them.
			o.Values = fmt.Sprint(o.Expressions)
		}
		out = append(out, o)
	}
	return out
}
