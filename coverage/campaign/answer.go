package campaign

import (
	"fmt"
	"io"
	"strings"

	"netcov/aiger"
	"netcov/cert"
	"netcov/coverage/report"
	"netcov/coverage/waveform"
	"netcov/internal/visible"
	"netcov/netlist"
)

// Answer is what model checking says of one property.
type Answer struct {
	Property int // position among the design's
	Status   cert.Status
	Trace    *cert.Trace // where it fails
	Reason   string      // why it is undecided
	Bound    int         // where it is: it does not fail within so many steps; -1: not known
}

// Open says what is known of a property that is undecided; "" where nothing is.
func (a *Answer) Open() string {
	out := a.Reason
	if a.Bound >= 0 {
		if out != "" {
			out += "; "
		}
		out += "it does not fail within " + report.Plural(a.Bound, "step")
	}
	return out
}

// AnswerForm is a form in which answers are written.
type AnswerForm struct {
	Name string // as users give it
	Help string
	// Write writes one answer. The form of the competition has the property's name
	// before it, as a comment, where named is set.
	Write func(d *Design, w io.Writer, a Answer, named bool) error
}

// AnswerForms lists the forms.
func AnswerForms() []AnswerForm {
	return []AnswerForm{
		{"text", "in the design's names: a trace is a table of signals", (*Design).writeAnswer},
		{"hwmcc", "result lines of the hardware model checking competition, with witnesses in AIGER's or BTOR2's format", (*Design).writeResult},
	}
}

// AnswerForm returns the form of a name, and whether there is one. The empty name is the
// default: the competition's for the formats that it uses, text for other languages.
func (d *Design) AnswerForm(name string) (AnswerForm, bool) {
	if name == "" {
		name = "text"
		if d.Design.Format == "aiger" || d.Design.WriteWitness != nil {
			name = "hwmcc"
		}
	}
	for _, f := range AnswerForms() {
		if f.Name == name {
			return f, true
		}
	}
	return AnswerForm{}, false
}

// writeAnswer tells the answer in the design's names.
func (d *Design) writeAnswer(w io.Writer, a Answer, _ bool) error {
	p := d.Netlist.Property(a.Property)
	title := fmt.Sprintf("%s %d", p.Kind, a.Property)
	if p.Name != "" {
		title += " " + p.Name
	}
	var b strings.Builder
	switch a.Status {
	case cert.Holds:
		fmt.Fprintf(&b, "holds      %s\n", title)
	case cert.Fails:
		table, err := d.runTable(a)
		if err != nil {
			return err
		}
		end := fmt.Sprintf("in step %d", a.Trace.Depth())
		if p.Kind == netlist.PropertyJustice {
			end = "for ever: after the last step the run goes on as after an earlier one"
		}
		fmt.Fprintf(&b, "FAILS      %s, %s\n\n%s\n", title, end, table)
	default:
		fmt.Fprintf(&b, "undecided  %s", title)
		if words := a.Open(); words != "" {
			b.WriteString(": " + words)
		}
		b.WriteString("\n")
	}
	_, err := io.WriteString(w, visible.Text(b.String()))
	return err
}

// runTable shows the counterexample of a property as a table of named words. Values that
// do not matter are x, but in a run that never ends.
func (d *Design) runTable(a Answer) (string, error) {
	s, err := d.Subject(a.Property)
	if err != nil {
		return "", err
	}
	w, err := s.Witness(a.Trace, false)
	if err != nil {
		return "", err
	}
	var roots []aiger.Lit
	if s.Live() {
		roots = append(roots, d.File.Justice[s.Property().Index]...)
		roots = append(roots, d.File.Fairness...)
	} else {
		bads, _, _ := d.File.Properties()
		roots = bads[a.Property : a.Property+1]
		if d.Design.Abstraction != nil {
			return d.sourceTable(a.Property, w)
		}
		if w, err = waveform.Blur(d.File, w, nil, roots[0]); err != nil {
			return "", err
		}
	}
	waves, err := waveform.RunDesign(d.File, w, d.Words())
	if err != nil {
		return "", err
	}
	return waves.RunTable(d.File, roots), nil
}

// writeResult tells the answer in the competition's form.
func (d *Design) writeResult(w io.Writer, a Answer, named bool) error {
	s, err := d.Subject(a.Property)
	if err != nil {
		return err
	}
	if a.Status == cert.Fails && d.Design.WriteWitness != nil && !s.Live() {
		return d.Design.WriteWitness(w, s.Number(), a.Trace)
	}
	p := s.Property()
	out := &aiger.Witness{Status: aiger.Undecided}
	switch a.Status {
	case cert.Holds:
		out.Status = aiger.Holds
	case cert.Fails:
		if out, err = s.Witness(a.Trace, false); err != nil {
			return err
		}
	}
	kind := byte('b')
	if s.Live() {
		kind = 'j'
	}
	out.Properties = []aiger.Property{{Kind: kind, Index: p.Index}}
	if named && p.Name != "" {
		if _, err := fmt.Fprintf(w, "c %s\n", strings.ReplaceAll(p.Name, "\n", " ")); err != nil {
			return err
		}
	}
	return aiger.WriteWitness(w, out)
}
