package evidence

import (
	"fmt"
	"maps"
	"strings"

	"netcov/aiger"
	"netcov/frontend/yosysmap"
)

// A report calls nodes and properties by the names of the source. What the symbols
// of the stored design say, verification reads by itself. The rest the index
// lists, as the run gave it: from Verilog, or a file of names. Nothing proves that
// rest, and a run that read an AIGER file without a file of names has none.

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
		l := Label{Kind: kind, Index: index, Name: name}
		if kind == "latch" && name != "" {
			o := yosysmap.ParseSymbol(name)
			l.Register, l.Instance = o.Register, o.Instance
		}
		out[labelKey{kind, index}] = l.valid()
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

// allLabels returns the label of each node and property. What the index lists of
// none that there is, twice, or against what an AIGER file and its
// file of names say, fails.
func (v *verifier) allLabels() map[labelKey]Label {
	own := symbols(v.design)
	for _, n := range v.opt.Labels {
		own[n.key()] = n.valid()
	}
	all := maps.Clone(own)
	seen := map[labelKey]bool{}
	read := v.opt.Labels != nil || v.report.Origin != Claimed && !v.index.Design.Mapped
	for _, n := range v.index.Labels {
		symbol, ok := own[n.key()]
		if !ok || seen[n.key()] {
			v.fail(IndexName, "it has a label of %s %d, which is not there, or a second one", n.Kind, n.Index)
			continue
		}
		seen[n.key()] = true
		if n == symbol {
			continue
		}
		if read {
			v.fail(IndexName, "it calls %s %d %v, the design %v", n.Kind, n.Index, n, symbol)
			continue
		}
		v.unnamed++
		if n.Inverted {
			v.inverted++
		}
		all[n.key()] = n
	}
	return all
}

// unproved names what a report says by labels that only the run knows.
func (v *verifier) unproved() {
	if v.unnamed > 0 {
		v.partial("not verified: the names and places in the source that the report gives to %d nodes or properties, and that %d of them are stored inverted; "+
			"they are the run's word", v.unnamed, v.inverted)
	}
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
