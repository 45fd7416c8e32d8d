package evidence

import (
	"fmt"
	"strings"

	"netcov/aiger"
)

// A report calls nodes and properties by the names of the source. Where those
// are the symbols of the stored design, verification knows them. The others the
// index lists, as the run gave them: from Verilog, or a file of names.

// Label is what a report tells of a node or a property beside its position.
type Label struct {
	Kind  string `json:"kind"` // "latch", "gate" or "property"
	Index int    `json:"index"`
	Name  string `json:"name"`

	Register string `json:"register,omitempty"`
	Instance string `json:"instance,omitempty"`
	Module   string `json:"module,omitempty"`
	File     string `json:"file,omitempty"`
	Line     int    `json:"line,omitempty"`
	Inverted bool   `json:"inverted,omitempty"`
}

// KindProperty is the kind of a property's label.
const KindProperty = "property"

// labelKey is what a label belongs to.
type labelKey struct {
	kind  string
	index int
}

func (n Label) key() labelKey { return labelKey{n.Kind, n.Index} }

// valid returns the label as an index has it.
func (n Label) valid() Label {
	for _, s := range []*string{&n.Name, &n.Register, &n.Instance, &n.Module, &n.File} {
		*s = oneMark(*s)
	}
	return n
}

// oneMark returns a name with one replacement character for bytes that are no
// UTF-8: of several, JSON has as many, validUTF8 one.
func oneMark(name string) string {
	const mark = "\ufffd"
	for name = validUTF8(name); strings.Contains(name, mark+mark); {
		name = strings.ReplaceAll(name, mark+mark, mark)
	}
	return name
}

// symbols returns the labels that a design's own symbols give.
func symbols(f *aiger.File) map[labelKey]Label {
	out := map[labelKey]Label{}
	add := func(kind string, index int, name string) {
		out[labelKey{kind, index}] = Label{Kind: kind, Index: index, Name: oneMark(name)}
	}
	for i := range f.Latches {
		add("latch", i, f.Symbols.Latches[i])
	}
	for i := range f.Ands {
		add("gate", i, "")
	}
	for i, p := range propertiesOf(f) {
		add(KindProperty, i, p.name)
	}
	return out
}

// labels lists those labels that the design's symbols do not tell.
func (w *writer) labels() {
	own := symbols(w.design)
	for _, n := range w.run.Labels {
		if n = n.valid(); own[n.key()] != n {
			w.index.Labels = append(w.index.Labels, n)
		}
	}
}

// allLabels returns the label of each node and property; what the index lists of
// none that there is, or twice, fails.
func (v *verifier) allLabels() map[labelKey]Label {
	own := symbols(v.design)
	seen := map[labelKey]bool{}
	for _, n := range v.index.Labels {
		if _, ok := own[n.key()]; !ok || seen[n.key()] {
			v.fail(IndexName, "it has a label of %s %d, which is not there, or a second one", n.Kind, n.Index)
			continue
		}
		seen[n.key()] = true
		own[n.key()] = n
	}
	return own
}

// String tells the name and where the node comes from.
func (n Label) String() string {
	s := fmt.Sprintf("%q", n.Name)
	if n.Register != "" {
		s += fmt.Sprintf(" of register %q", n.Register)
	}
	if n.Instance != "" || n.Module != "" {
		s += fmt.Sprintf(" in %q, module %q", n.Instance, n.Module)
	}
	if n.File != "" {
		s += fmt.Sprintf(" at %q:%d", n.File, n.Line)
	}
	if n.Inverted {
		s += ", inverted"
	}
	return s
}
