// What slang's modules lack, added in yosys' text format before anything else looks
// at them:
//
//	$buf cells                 become connections, so that an alias is one net
//	(* anyconst *) and like    become the cells that yosys' own parser makes
//	a variable nothing drives  is tied to x: it becomes an undriven net with a name
//	$aldff with a constant     is a flip-flop with an asynchronous reset
//	a multiplexer under one    of the same selector, whose other branch is x, is passed by
//	variables of blocks        get the names that yosys' own parser gives them
//	variables of functions     lose their names: they are no registers
//	wires                      get the place of their declaration
//	flip-flops                 get the end of their block
//	properties                 get their labels, where slang forgets these
//	checkers of liveness       become $live and $fair again
//	properties of initial      are checked in the first step alone

package verilog

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"

	"netcov/frontend/sva"
)

// complete rewrites the modules that slang made.
func (s *sources) complete(path string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	lines := strings.SplitAfter(string(data), "\n")
	data = nil
	out, err := os.Create(path)
	if err != nil {
		return err
	}
	defer out.Close()
	finder := &declarations{src: s, texts: map[int]*tokenised{}}
	attributes := 0 // lines before a module that belong to it
	for first := 0; first < len(lines); {
		last := first
		if strings.HasPrefix(lines[first], "module ") {
			for last < len(lines)-1 && lines[last] != "end\n" {
				last++
			}
			m := &slangModule{lines: lines[first-attributes : last+1], src: finder}
			for _, line := range m.rewritten() {
				if _, err := out.WriteString(line); err != nil {
					return err
				}
			}
			attributes = 0
		} else if strings.HasPrefix(lines[first], "attribute ") {
			attributes++
		} else if _, err := out.WriteString(lines[first]); err != nil {
			return err
		}
		first = last + 1
	}
	return out.Close()
}

// slangModule is a module as lines of text, from its attributes to its end.
type slangModule struct {
	lines []string
	src   *declarations

	text, from int                          // where the module begins: text and line
	names      map[string]bool              // of wires, memories and cells
	labels     map[string]int               // labels of properties that slang left without a name, and how many have it
	hidden     map[string]bool              // wires that are variables of functions
	free       map[string]string            // wires with anyconst and the like → that word
	constants  map[string]string            // what wires are tied to
	aliases    map[string]string            // what wires are connected to
	muxes      map[string]map[string]string // pins, by output
}

var (
	blockVariable = regexp.MustCompile(`(^|[^$\w\\.])\$(\d+\.[A-Za-z_])`)
	sourcePlace   = regexp.MustCompile(`^\s*attribute \\src "netcov\.(\d+)\.v:(\d+)`)
	sourceStart   = regexp.MustCompile(`^  attribute \\src "netcov\.(\d+)\.v:(\d+)\.(\d+)`)
	blockStart    = regexp.MustCompile(`^(  attribute \\src "netcov\.(\d+)\.v:(\d+)\.(\d+))"\n$`)
	freeAttribute = regexp.MustCompile(`^  attribute \\(anyconst|anyseq|allconst|allseq) `)
	publicName    = regexp.MustCompile(`\\\S+`)
	hdlName       = regexp.MustCompile(`^  attribute \\hdlname "(.*)"`)
	constant      = regexp.MustCompile(`^(\d+'s?[01xz-]*|-?\d+)$`)
	onlyX         = regexp.MustCompile(`^\d+'x+$`)
)

// statement is a statement of a module with the attributes before it.
type statement struct {
	attributes []string
	lines      []string
}

// statements splits the body of the module.
func (m *slangModule) statements() (head []string, list []statement) {
	at := slices.IndexFunc(m.lines, func(l string) bool { return strings.HasPrefix(l, "module ") }) + 1
	head = m.lines[:at]
	var s statement
	for ; at < len(m.lines)-1; at++ {
		line := m.lines[at]
		if strings.HasPrefix(line, "  attribute ") {
			s.attributes = append(s.attributes, line)
			continue
		}
		end := at + 1
		if strings.HasPrefix(line, "  cell ") || strings.HasPrefix(line, "  process ") {
			for m.lines[end-1] != "  end\n" {
				end++
			}
		}
		s.lines = m.lines[at:end]
		list = append(list, s)
		s = statement{}
		at = end - 1
	}
	return head, list
}

// rewritten returns the lines of the module with all that this file adds.
func (m *slangModule) rewritten() []string {
	head, list := m.statements()
	m.free, m.constants = map[string]string{}, map[string]string{}
	m.aliases, m.muxes = map[string]string{}, map[string]map[string]string{}
	m.hidden = map[string]bool{}
	m.names, m.labels = map[string]bool{}, map[string]int{}
	for _, line := range head {
		if found := sourcePlace.FindStringSubmatch(line); found != nil {
			m.text, _ = strconv.Atoi(found[1])
			m.from, _ = strconv.Atoi(found[2])
		}
	}
	for i := range list {
		m.look(&list[i])
	}
	out := slices.Clone(head)
	count := 0
	for i := range list {
		for _, line := range m.rewrite(&list[i], &count) {
			out = append(out, m.renamed(line))
		}
	}
	return append(out, "end\n")
}

// look takes note of what later statements depend on.
func (m *slangModule) look(s *statement) {
	words := strings.Fields(s.lines[0])
	name := words[len(words)-1]
	switch words[0] {
	case "wire", "memory", "cell":
		m.names[name] = true
	}
	switch words[0] {
	case "cell":
		if words[1] == "$mux" {
			pins := s.pins()
			m.muxes[pins["Y"]] = pins
		}
		if words[1] == "$check" && name[0] == '$' {
			if label := m.label(s); label != "" {
				m.labels[label]++
			}
		}
	case "connect":
		if len(words) == 3 && constant.MatchString(words[2]) {
			m.constants[words[1]] = words[2]
		} else if len(words) == 3 {
			m.aliases[words[1]] = words[2]
		}
	case "wire":
		for _, a := range s.attributes {
			if found := freeAttribute.FindStringSubmatch(a); found != nil {
				m.free[name] = found[1]
			} else if found := hdlName.FindStringSubmatch(a); found != nil {
				path := strings.Fields(found[1])
				m.hidden[name] = m.hidden[name] || slices.ContainsFunc(path[:max(len(path)-1, 0)], m.src.isFunction)
			}
		}
	}
}

// rewrite returns the lines of a statement.
func (m *slangModule) rewrite(s *statement, count *int) []string {
	words := strings.Fields(s.lines[0])
	switch {
	case words[0] == "wire":
		return m.wire(s, words, count)
	case words[0] != "cell":
	case words[1] == "$buf":
		return m.buffer(s)
	case words[1] == "$aldff":
		s.attributes = m.blockEnds(s.attributes)
		return m.asynchronous(s)
	case words[1] == "$check":
		return m.property(s)
	case words[1] == "$mux":
		return m.passBy(s)
	case isFlipFlop(words[1]):
		s.attributes = m.blockEnds(s.attributes)
	}
	return append(slices.Clip(s.attributes), s.lines...)
}

// wire adds a wire's place, and the cell that makes it free.
func (m *slangModule) wire(s *statement, words []string, count *int) []string {
	name := words[len(words)-1]
	var out []string
	for _, a := range s.attributes {
		if !freeAttribute.MatchString(a) {
			out = append(out, a)
		}
		if found := hdlName.FindStringSubmatch(a); found != nil {
			if src := m.src.find(m.text, m.from, strings.Fields(found[1])); src != "" {
				out = append(out, "  attribute \\src \""+src+"\"\n")
			}
		}
	}
	out = append(out, s.lines...)
	kind := m.free[name]
	if kind == "" {
		return out
	}
	width := "1"
	if at := slices.Index(words, "width"); at > 0 {
		width = words[at+1]
	}
	*count++
	return append(out, fmt.Sprintf("  cell $%s $netcov$%s$%d\n    parameter \\WIDTH %s\n    connect \\Y %s\n  end\n", kind, kind, *count, width, name))
}

// pins returns what the pins of a cell are connected to.
func (s *statement) pins() map[string]string {
	pins := map[string]string{}
	for _, line := range s.lines {
		if rest, ok := strings.CutPrefix(line, "    connect \\"); ok {
			pin, net, _ := strings.Cut(strings.TrimSuffix(rest, "\n"), " ")
			pins[pin] = net
		}
	}
	return pins
}

// alias returns what a net is connected to in the end.
func (m *slangModule) alias(net string) string {
	for range len(m.aliases) {
		next, ok := m.aliases[net]
		if !ok {
			break
		}
		net = next
	}
	return net
}

// passBy connects a multiplexer with what a multiplexer of the same selector before it
// lets through.
func (m *slangModule) passBy(s *statement) []string {
	pins := s.pins()
	selector := m.alias(pins["S"])
	out := slices.Clone(s.attributes)
	for _, line := range s.lines {
		for _, pin := range []string{"A", "B"} {
			if !strings.HasPrefix(line, "    connect \\"+pin+" ") {
				continue
			}
			net := m.alias(pins[pin])
			for range len(m.muxes) {
				before := m.muxes[net]
				if before == nil || m.alias(before["S"]) != selector {
					break
				}
				net = m.alias(before[pin])
				line = "    connect \\" + pin + " " + net + "\n"
			}
		}
		out = append(out, line)
	}
	return out
}

// buffer makes a connection of a buffer.
func (m *slangModule) buffer(s *statement) []string {
	pins := s.pins()
	if onlyX.MatchString(pins["A"]) && strings.HasPrefix(pins["Y"], `\`) {
		return nil // nothing drives it
	}
	return []string{"  connect " + pins["Y"] + " " + pins["A"] + "\n"}
}

// asynchronous makes a flip-flop with a reset of one that loads a constant.
func (m *slangModule) asynchronous(s *statement) []string {
	value := s.pins()["AD"]
	if v, ok := m.constants[value]; ok {
		value = v
	}
	out := slices.Clone(s.attributes)
	if !constant.MatchString(value) {
		return append(out, s.lines...)
	}
	for _, line := range s.lines {
		switch {
		case strings.HasPrefix(line, "  cell "):
			line = strings.Replace(line, "$aldff", "$adff", 1) + "    parameter \\ARST_VALUE " + value + "\n"
		case strings.HasPrefix(line, "    connect \\AD "):
			continue
		}
		out = append(out, strings.Replace(line, "\\ALOAD", "\\ARST", 1))
	}
	return out
}

// blockEnds adds the end of a block to its place.
func (m *slangModule) blockEnds(attributes []string) []string {
	out := slices.Clone(attributes)
	for i, a := range out {
		if found := blockStart.FindStringSubmatch(a); found != nil {
			out[i] = found[1] + m.src.blockEnd(found[2], found[3], found[4]) + "\"\n"
		}
	}
	return out
}

// label returns the label before a property, "" where there is none.
func (m *slangModule) label(s *statement) string {
	for _, a := range s.attributes {
		if found := sourceStart.FindStringSubmatch(a); found != nil {
			return m.src.label(found[1], found[2], found[3])
		}
	}
	return ""
}

// property gives a property its label, and a checker's of liveness its kind. In a
// loop several have one label, and keep none.
func (m *slangModule) property(s *statement) []string {
	a := s.pins()["A"]
	flavor := ""
	if ofChecker(strings.TrimPrefix(a, `\`)) {
		switch {
		case strings.HasSuffix(a, sva.LiveSuffix):
			flavor = "live"
		case strings.HasSuffix(a, sva.FairSuffix):
			flavor = "fair"
		}
	}
	out := slices.Clone(s.attributes)
	first := m.src.inInitial(s.attributes)
	for _, line := range s.lines {
		if first && strings.HasPrefix(line, "    parameter \\TRG_ENABLE ") {
			line = "    parameter \\TRG_ENABLE 1\n"
		}
		if strings.HasPrefix(line, "  cell $check $") {
			if label := m.label(s); m.labels[label] == 1 && !m.names[`\`+label] {
				line = "  cell $check \\" + label + "\n"
			}
		}
		if flavor != "" && strings.HasPrefix(line, "    parameter \\FLAVOR ") {
			line = "    parameter \\FLAVOR \"" + flavor + "\"\n"
		}
		out = append(out, line)
	}
	return out
}

// renamed gives a variable of a block without a name, which slang calls $14.t, the
// name $unnamed_block$14.t, and hides those of functions.
func (m *slangModule) renamed(line string) string {
	if strings.Contains(line, `"`) {
		return line
	}
	line = blockVariable.ReplaceAllString(line, "${1}$$unnamed_block$$${2}")
	return publicName.ReplaceAllStringFunc(line, func(name string) string {
		if m.hidden[name] {
			return "$netcov$function$" + name[1:]
		}
		return name
	})
}

// declarations finds where names are declared: at the first mention in their module
// or generate block.
type declarations struct {
	src       *sources
	texts     map[int]*tokenised
	functions map[string]bool // and tasks, of all texts; nil until asked for
}

// isFunction reports whether some function or task has that name.
func (d *declarations) isFunction(name string) bool {
	if d.functions == nil {
		d.functions = map[string]bool{}
		for i := range d.src.texts {
			tokens := d.text(i + 1).tokens
			for k, t := range tokens {
				if t.text != "function" && t.text != "task" {
					continue
				}
				for k++; k < len(tokens) && tokens[k].text != "(" && tokens[k].text != ";"; k++ {
				}
				d.functions[textAt(tokens, k-1)] = true
			}
		}
	}
	return d.functions[name]
}

// tokenised is a text with the positions of its lines.
type tokenised struct {
	tokens []token
	starts []int
}

func (d *declarations) text(i int) *tokenised {
	if t, ok := d.texts[i]; ok {
		return t
	}
	text := &d.src.texts[i-1]
	t := &tokenised{tokens: scan(text), starts: []int{0}}
	for at, c := range text.Text {
		if c == '\n' {
			t.starts = append(t.starts, at+1)
		}
	}
	d.texts[i] = t
	return t
}

// token returns the first token from a place on, and the text that it stands in; nil
// for a place that is none.
func (d *declarations) token(text, line, column string) (t *tokenised, at int) {
	i, _ := strconv.Atoi(text)
	l, _ := strconv.Atoi(line)
	c, _ := strconv.Atoi(column)
	if i < 1 || i > len(d.src.texts) {
		return nil, 0
	}
	t = d.text(i)
	if l < 1 || l > len(t.starts) {
		return nil, 0
	}
	return t, sort.Search(len(t.tokens), func(k int) bool { return t.tokens[k].start >= t.starts[l-1]+c-1 })
}

// inInitial reports whether a property stood in an initial block.
func (d *declarations) inInitial(attributes []string) bool {
	for _, a := range attributes {
		found := sourceStart.FindStringSubmatch(a)
		if found == nil {
			continue
		}
		if t, at := d.token(found[1], found[2], found[3]); t != nil && at < len(t.tokens) {
			i, _ := strconv.Atoi(found[1])
			start := t.tokens[at].start
			return slices.ContainsFunc(d.src.initial[i-1], func(span [2]int) bool { return span[0] <= start && start < span[1] })
		}
	}
	return false
}

// blockEnd returns the end of the always block that begins at a place, as a src
// attribute has it.
func (d *declarations) blockEnd(text, line, column string) string {
	t, at := d.token(text, line, column)
	if t == nil {
		return ""
	}
	depth, parens := 0, 0
	for ; at < len(t.tokens); at++ {
		ends := false
		switch t.tokens[at].text {
		case "(":
			parens++
		case ")":
			parens--
		case "begin", "case", "casez", "casex", "fork":
			depth++
		case "end", "endcase", "join":
			depth--
			ends = depth <= 0
		case ";":
			ends = depth == 0 && parens == 0
		case "endmodule":
			return ""
		}
		if ends && textAt(t.tokens, at+1) != "else" {
			end := t.tokens[at].end
			line := sort.SearchInts(t.starts, end)
			return fmt.Sprintf("-%d.%d", line, end-t.starts[line-1]+1)
		}
	}
	return ""
}

// label returns the label with which a place begins, "" where there is none.
func (d *declarations) label(text, line, column string) string {
	t, at := d.token(text, line, column)
	if t == nil {
		return ""
	}
	if label := textAt(t.tokens, at); textAt(t.tokens, at+1) == ":" && macroName.MatchString(label) {
		return label
	}
	return ""
}

// find returns the place of a name, as a src attribute has it, in the module that
// begins on a line of a text; "" where it is not found. All of the path but the last
// name are generate blocks.
func (d *declarations) find(text, from int, path []string) string {
	if text < 1 || text > len(d.src.texts) || len(path) == 0 {
		return ""
	}
	t := d.text(text)
	if from < 1 || from > len(t.starts) {
		return ""
	}
	at := sort.Search(len(t.tokens), func(i int) bool { return t.tokens[i].start >= t.starts[from-1] })
	for _, block := range path[:len(path)-1] {
		block, _, _ = strings.Cut(block, "[")
		for ; at < len(t.tokens) && (t.tokens[at].text != block || textAt(t.tokens, at-1) != ":" || textAt(t.tokens, at-2) != "begin"); at++ {
			if t.tokens[at].text == "endmodule" {
				return ""
			}
		}
	}
	name := path[len(path)-1]
	name, _, _ = strings.Cut(name, "[")
	for ; at < len(t.tokens) && t.tokens[at].text != "endmodule"; at++ {
		if k := t.tokens[at]; k.text == name && textAt(t.tokens, at-1) != "." {
			line := sort.SearchInts(t.starts, k.start+1)
			column := k.start - t.starts[line-1] + 1
			return fmt.Sprintf("%s:%d.%d-%d.%d", sourceName(text-1), line, column, line, column+len(name))
		}
	}
	return ""
}
