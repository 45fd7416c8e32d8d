package suggest

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Source is what a file of suggestions has to know of the source.
type Source struct {
	Design  string // its files
	Top     string // the top module
	Clock   string // its clock
	Falling bool   // registers step at the falling edge
	// Before and After say what the coverage is.
	Before, After string
}

// Verilog is the suggestions as SystemVerilog: a module with the assertions, and the
// bind statement that puts it into the top module. Without suggestions it is a comment:
// yosys takes a module without logic for a black box.
func (r *Result) Verilog(s Source) string {
	v := &verilog{ports: map[*Word]string{}, taken: map[string]bool{}, source: s}
	v.clock = "clock"
	if plain.MatchString(s.Clock) {
		v.clock = s.Clock
	}
	v.clock = v.name(v.clock)
	steps := 0
	for _, x := range r.Suggestions {
		for _, w := range x.c.words() {
			v.port(w)
		}
		steps = max(steps, x.c.history())
	}
	v.printf("// Assertions that netcov suggests for %s.\n//\n", s.Design)
	v.printf("// Each holds on the design: that was proved. It says what the design does; whether\n// the design should do that, the engineer decides.\n//\n")
	v.printf("// coverage before: %s\n// coverage after:  %s\n//\n", s.Before, s.After)
	if strings.HasSuffix(s.Design, ".sby") {
		v.printf("// To read it beside the design, add its name to [files] of %s, and to the files of\n// read -formal in its [script].\n\n", s.Design)
	} else {
		v.printf("//     netcov cover %s THIS_FILE\n\n", s.Design)
	}
	if len(r.Suggestions) == 0 {
		return v.b.String()
	}
	module := v.name("netcov_suggestions_" + identifier(s.Top))
	v.printf("module %s (\n    input wire %s", module, v.clock)
	for _, w := range v.order {
		v.printf(",\n    input wire %s%s", rangeOf(w), v.ports[w])
	}
	v.printf("\n);\n")
	edge := "posedge"
	if s.Falling {
		edge = "negedge"
	}
	if steps > 0 {
		v.steps = v.name("steps")
		v.printf("  // bit i: at least i + 1 steps lie before this one\n")
		v.printf("  reg [%d:0] %s = 0;\n  always @(%s %s) %s <= ", steps-1, v.steps, edge, v.clock, v.steps)
		if steps == 1 {
			v.printf("1'b1;\n")
		} else {
			v.printf("{%s[%d:0], 1'b1};\n", v.steps, steps-2)
		}
	}
	for i, x := range r.Suggestions {
		v.suggestion(i, x, edge)
	}
	v.printf("endmodule\n\nbind %s %s suggestions (\n    .%s(%s)", quoted(s.Top), module, v.clock, quoted(s.Clock))
	for _, w := range v.order {
		v.printf(",\n    .%s(%s)", v.ports[w], below(w.Name, s.Top))
	}
	v.printf("\n);\n")
	return v.b.String()
}

type verilog struct {
	b      strings.Builder
	source Source
	clock  string
	steps  string
	ports  map[*Word]string
	order  []*Word
	taken  map[string]bool
}

func (v *verilog) printf(format string, args ...any) { fmt.Fprintf(&v.b, format, args...) }

// suggestion writes one assertion.
func (v *verilog) suggestion(i int, s *Suggestion, edge string) {
	v.printf("\n  // %d, %s: covers %s\n", i+1, s.Shape, count(len(s.Covers), "more mutant", "more mutants"))
	for _, line := range s.Lines() {
		v.printf("  //   %s\n", line)
	}
	if s.Copies {
		v.printf("  // This is nearly what the design's own source says of the next value.\n")
	}
	var given []string
	if n := s.c.history(); n > 0 {
		given = append(given, fmt.Sprintf("%s[%d]", v.steps, n-1))
	}
	name := func(w *Word) string { return v.ports[w] }
	if c := s.c.condition(name); c != "" {
		given = append(given, c)
	}
	v.printf("  always @(%s %s)\n", edge, v.clock)
	if len(given) > 0 {
		v.printf("    if (%s)\n  ", strings.Join(given, " && "))
	}
	v.printf("    %s: assert (%s);\n", v.name(s.label()), s.c.then.text(name))
}

// label is the name of the assertion.
func (s *Suggestion) label() string {
	return identifier(s.Register[strings.LastIndexByte(s.Register, '.')+1:]) + "_" + s.Shape
}

// Lines are the mutants that the suggestion covers, a line for each register.
func (s *Suggestion) Lines() []string {
	return s.lines
}

func count(n int, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, more)
}

// port gives a word a port, named as the word is.
func (v *verilog) port(w *Word) {
	if v.ports[w] == "" {
		v.ports[w] = v.name(identifier(below(w.Name, v.source.Top)))
		v.order = append(v.order, w)
	}
}

// name returns a name that is not taken.
func (v *verilog) name(wanted string) string {
	name := wanted
	for i := 2; v.taken[name] || slices.Contains(keywords, name); i++ {
		name = fmt.Sprintf("%s_%d", wanted, i)
	}
	v.taken[name] = true
	return name
}

// keywords are short names that SystemVerilog has for itself, and yosys may let a
// design have.
var keywords = []string{"bit", "byte", "checker", "do", "final", "int", "iff", "let", "local", "priority", "property", "ref", "sequence", "static", "this", "type", "unique", "var", "void", "with", "within"}

// below is a name without the top module before it.
func below(name, top string) string { return strings.TrimPrefix(name, top+".") }

// plain is a name that needs no escape.
var plain = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_$]*$`)

// quoted is a name of the source, escaped where it has to be (IEEE 1800-2017, clause 5.6.1).
func quoted(name string) string {
	if plain.MatchString(name) {
		return name
	}
	return `\` + name + " "
}

// identifier makes an identifier of a hierarchical name.
func identifier(name string) string {
	var b strings.Builder
	for _, c := range name {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '_':
			b.WriteRune(c)
		case c == ']':
		default:
			b.WriteByte('_')
		}
	}
	return b.String()
}

func rangeOf(w *Word) string {
	if w.High < 0 {
		return ""
	}
	return fmt.Sprintf("[%d:%d] ", w.High, w.Low)
}
