// Variables that are no state. A variable that a block assigns by = and reads only
// after that, such as the counter of a loop or a temporary, stores nothing that the
// design uses; yosys makes a flip-flop of it all the same. Nothing could ever check
// it, so it gets no mutants, and a note tells its name.
//
// Two conditions together: the block assigns it by =, and neither an output, a
// property, a memory nor any register of the design depends on what it stores. A
// register that is assigned by <= and that nothing reads stays a register: whoever
// wrote it meant it to be one.

package verilog

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// temporaries returns the names of the nets that are no state.
func temporaries(m *module, h *hierarchy) map[string]place {
	nets := registerNets(m)
	var candidates []*cell
	isCandidate := map[*cell]bool{}
	for _, name := range sortedKeys(m.Cells) {
		if c := m.Cells[name]; isFlipFlop(c.Type) && h.mayBeTemporary(m, c, nets) {
			candidates = append(candidates, c)
			isCandidate[c] = true
		}
	}
	if len(candidates) == 0 {
		return nil
	}
	read := readFromRoots(m, isCandidate)
	none := map[string]place{}
	used := map[string]bool{}
	for _, c := range candidates {
		for _, b := range c.pin("Q") {
			net := nets[b].net
			none[net] = placeOf(c.Attributes)
			used[net] = used[net] || read[b]
		}
	}
	for _, c := range m.Cells { // another part of it may be a register
		if isFlipFlop(c.Type) && !isCandidate[c] {
			for _, b := range c.pin("Q") {
				if r, ok := nets[b]; ok {
					used[r.net] = true
				}
			}
		}
	}
	for net := range used {
		if used[net] {
			delete(none, net)
		}
	}
	return none
}

// readFromRoots returns all nets that an output, a property, a memory or a register
// depends on. Candidates are no registers; those that are read count as gates.
func readFromRoots(m *module, isCandidate map[*cell]bool) map[bit]bool {
	drivers := map[bit][]*cell{}
	read := map[bit]bool{}
	var stack []bit
	push := func(bs bits) {
		for _, b := range bs {
			if b >= 0 && !read[b] {
				read[b] = true
				stack = append(stack, b)
			}
		}
	}
	inputsOf := func(c *cell) {
		for _, p := range c.pins {
			if !p.output {
				push(p.nets)
			}
		}
	}
	for _, c := range m.Cells {
		hasOutput := false
		for _, p := range c.pins {
			if p.output {
				hasOutput = true
				for _, b := range p.nets {
					drivers[b] = append(drivers[b], c)
				}
			}
		}
		if c.Type != "$print" && (!hasOutput || isFlipFlop(c.Type) && !isCandidate[c]) {
			inputsOf(c)
		}
	}
	for _, p := range m.Ports {
		if p.Direction != "input" {
			push(p.Bits)
		}
	}
	for len(stack) > 0 {
		b := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, c := range drivers[b] {
			inputsOf(c)
		}
	}
	return read
}

// mayBeTemporary reports whether the block of a flip-flop assigns all that it stores
// by =. Counters of loops are known by their kind as well: a signed word of 32 bits
// that takes a constant.
func (h *hierarchy) mayBeTemporary(m *module, c *cell, nets map[bit]registerBit) bool {
	for _, b := range c.pin("Q") {
		r, ok := nets[b]
		if !ok {
			return false
		}
		n := m.Netnames[r.net]
		counter := n.Signed != 0 && len(n.Bits) == 32 && !slices.ContainsFunc(c.pin("D"), func(b bit) bool { return b >= 0 })
		if !counter && !h.assignedAtOnce(placeOf(c.Attributes), r.net) {
			return false
		}
	}
	return len(c.pin("Q")) > 0
}

// assignedAtOnce reports whether the source between the ends of a block has an
// assignment by =, and none by <=, to the variable that a net is named after. A
// variable of the same name inside of a named block may be another one: where both
// assignments stand there, it stays a register.
func (h *hierarchy) assignedAtOnce(block place, net string) bool {
	text := between(h.source(block.file), block)
	name := net[strings.LastIndexAny(net, ".$")+1:]
	if text == "" || name == "" {
		return false
	}
	text = withoutComments(text)
	late, err := regexp.Compile(`(^|[;):]|\bbegin|\belse)\s*` + regexp.QuoteMeta(name) + `\s*(\[[^\]]*\]\s*)*<=`)
	if err != nil || late.MatchString(forHeads.ReplaceAllString(text, " ")) {
		return false
	}
	assigned, err := regexp.Compile(`(^|[^\w$.])` + regexp.QuoteMeta(name) + `\s*(\[[^\]]*\]\s*)*([-+*/%&|^]|<<<?|>>>?)?=([^=]|$)`)
	return err == nil && assigned.MatchString(text)
}

// source returns a file's lines as yosys got them, nothing for another file.
func (h *hierarchy) source(file string) []string { return h.sources[file] }

// between returns the text that a place spans: the declaration of a register and its
// initial value may stand on the line of the block.
func between(lines []string, p place) string {
	if p.line < 1 || p.endLine < p.line || p.endLine > len(lines) {
		return ""
	}
	span := slices.Clone(lines[p.line-1 : p.endLine])
	last := len(span) - 1
	if p.endCol > 0 {
		span[last] = span[last][:min(p.endCol-1, len(span[last]))]
	}
	span[0] = span[0][min(max(p.col-1, 0), len(span[0])):]
	return strings.Join(span, "\n")
}

// forHeads are the heads of loops, in which <= compares.
var forHeads = regexp.MustCompile(`\bfor\s*\([^;]*;[^;]*;[^)]*\)`)

var comments = regexp.MustCompile(`(?s)"(\\.|[^"\\])*"|//[^\n]*|/\*.*?\*/`)

// withoutComments blanks comments and strings.
func withoutComments(text string) string { return comments.ReplaceAllString(text, " ") }

// noState names the variables that are no state.
func (inv *inventory) noState(m *module, h *hierarchy) {
	inv.temporary = temporaries(m, h)
	for _, net := range sortedKeys(inv.temporary) {
		at := netPlace(m, net)
		if at.line == 0 {
			at = inv.temporary[net]
		}
		name, n := net, m.Netnames[net]
		if name[0] == '$' {
			name = join(h.privateOwner(net), net[strings.LastIndexAny(net, ".$")+1:])
		}
		what := "a temporary of its block, assigned before each use"
		if n.Signed != 0 && len(n.Bits) == 32 {
			what = "a loop variable"
		}
		inv.notes = append(inv.notes, fmt.Sprintf("%s (%s:%d) is %s, no register", h.full(name), at.file, at.line, what))
	}
}

// temporaryAttribute marks the wires of variables that are no state.
const temporaryAttribute = `netcov_temporary`

// markTemporary marks them in a line of yosys' text of the module.
func (inv *inventory) markTemporary(line string) string {
	if !strings.HasPrefix(line, "  wire ") {
		return line
	}
	name := strings.TrimPrefix(strings.TrimSpace(line[strings.LastIndexByte(line, ' '):]), `\`)
	if _, ok := inv.temporary[name]; !ok {
		return line
	}
	return "  attribute \\" + temporaryAttribute + " 1\n" + line
}
