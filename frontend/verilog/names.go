// From yosys' names back to the user's: instances, registers, source places.

package verilog

import (
	"strconv"
	"strings"
)

// place is a source position; line 0 is unknown.
type place struct {
	file string
	line int
	col  int
	// end of the range
	endLine, endCol int
}

// parsePlaces reads the src attribute: "file:line.column-line.column", several
// joined by bars. Places in yosys' own technology maps are left out.
func parsePlaces(src string) []place {
	var ps []place
	for _, part := range strings.Split(src, "|") {
		at := strings.LastIndexByte(part, ':')
		if at <= 0 || ownMap(part[:at]) {
			continue
		}
		p := place{file: part[:at]}
		from, to, _ := strings.Cut(part[at+1:], "-")
		p.line, p.col = lineColumn(from)
		p.endLine, p.endCol = lineColumn(to)
		if p.line > 0 {
			ps = append(ps, p)
		}
	}
	return ps
}

// ownMap reports whether a file is a technology map of yosys or of this package.
func ownMap(path string) bool {
	for _, m := range techMaps {
		if strings.HasSuffix(path, "/"+m.name) {
			return strings.Contains(path, scratchPrefix)
		}
	}
	return strings.HasSuffix(path, "/techmap.v")
}

func lineColumn(s string) (line, column int) {
	l, c, _ := strings.Cut(s, ".")
	line, _ = strconv.Atoi(l)
	column, _ = strconv.Atoi(c)
	return line, column
}

// placeOf returns the first place of a src attribute.
func placeOf(attributes map[string]string) place {
	if ps := parsePlaces(attributes["src"]); len(ps) > 0 {
		return ps[0]
	}
	return place{}
}

// contains reports whether q lies inside p.
func (p place) contains(q place) bool {
	after := q.line > p.line || q.line == p.line && q.col >= p.col
	before := q.endLine < p.endLine || q.endLine == p.endLine && q.endCol <= p.endCol
	return p.file == q.file && after && before
}

// hierarchy knows the instances of a design.
type hierarchy struct {
	top     string
	modules map[string]string   // path below the top ("u1.u2", "" is the top) → module
	sources map[string][]string // file → its lines as yosys got them

	bound    []string // paths of instances that were bound
	warnings []string // of yosys
}

// newHierarchy walks the modules as they were before flattening.
func newHierarchy(modules map[string]*module, top string, sources map[string][]string) *hierarchy {
	h := &hierarchy{top: top, modules: map[string]string{}, sources: sources}
	type visit struct{ path, module string }
	stack := []visit{{"", top}}
	for len(stack) > 0 {
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		m := modules[v.module]
		if m == nil {
			continue
		}
		h.modules[v.path] = moduleName(strings.TrimSuffix(v.module, "$"+h.full(v.path)), m) // slang: leaf$top.u1
		for name, c := range m.Cells {
			if modules[c.Type] != nil {
				stack = append(stack, visit{join(v.path, name), c.Type})
			}
		}
	}
	return h
}

// moduleName returns the source's name of a module: yosys renames those whose
// parameters an instance overrides.
func moduleName(name string, m *module) string {
	if hdl := m.Attributes["hdlname"]; hdl != "" {
		return strings.TrimPrefix(hdl, `\`)
	}
	if strings.HasPrefix(name, "$paramod") {
		if parts := strings.Split(name, `\`); len(parts) > 1 {
			return parts[1]
		}
	}
	return strings.TrimPrefix(name, `\`)
}

func join(path, name string) string {
	if path == "" || name == "" {
		return path + name
	}
	return path + "." + name
}

// owner returns the instance path that a flattened name lies in: the longest
// prefix that is one.
func (h *hierarchy) owner(name string) string {
	for at := len(name); at > 0; {
		at = strings.LastIndexByte(name[:at], '.')
		if at <= 0 {
			break
		}
		if _, ok := h.modules[name[:at]]; ok {
			return name[:at]
		}
	}
	return ""
}

// privateOwner returns the instance path of a cell that yosys named, such as
// $flatten\u1.\u2.$procdff$3.
func (h *hierarchy) privateOwner(name string) string {
	rest, ok := strings.CutPrefix(name, "$flatten")
	if !ok {
		return ""
	}
	path, _, _ := strings.Cut(rest, ".$")
	path = strings.ReplaceAll(path, `\`, "")
	if _, ok := h.modules[path]; !ok {
		return h.owner(path + ".")
	}
	return path
}

// full puts the top module before a path.
func (h *hierarchy) full(path string) string { return join(h.top, path) }

// propertyPlace returns the place of an assert. Without a label, yosys' place
// starts where the token before it ends: the line of the next token is right.
func (h *hierarchy) propertyPlace(c *cell, labelled bool) place {
	p := placeOf(c.Attributes)
	if labelled || p.line == 0 {
		return p
	}
	if line := nextToken(h.source(p.file), p.line, p.col); line > 0 && line <= p.endLine {
		p.line = line
		p.col = 0
	}
	return p
}

// nextToken returns the line of the first token from a position on, 0 when
// there is none. Blanks, comments and compiler directives are skipped.
func nextToken(lines []string, line, col int) int {
	for ; line >= 1 && line <= len(lines); line++ {
		rest := lines[line-1]
		rest = strings.TrimLeft(rest[min(max(col-1, 0), len(rest)):], " \t\f\v;")
		for strings.HasPrefix(rest, "/*") { // what is left of comments
			_, rest, _ = strings.Cut(rest, "*/")
			rest = strings.TrimLeft(rest, " \t\f\v;")
		}
		if rest != "" && rest[0] != '`' {
			return line
		}
		col = 1
	}
	return 0
}
