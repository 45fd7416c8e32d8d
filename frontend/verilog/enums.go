// Names of the values of enumerations, for tables of traces. yosys' own parser keeps them
// and slang does not, so they are read from the tokens of the sources. It is for display
// only: what is not understood (values that are expressions, widths that are parameters,
// a name with two types) shows its number as ever.

package verilog

import (
	"maps"
	"strconv"
	"strings"

	"netcov/frontend/design"
)

// enumeration is a type: its width and the names of its values.
type enumeration struct {
	width int
	names map[uint64]string
}

// plainType are the types without names. A variable that one of them declares, and an
// enumeration elsewhere in the module, is not shown by names.
var plainType = map[string]bool{
	"logic": true, "reg": true, "wire": true, "bit": true, "byte": true, "shortint": true, "int": true, "longint": true, "integer": true, "time": true,
}

// enumScope is a package, a module, or the space around them, whose name is "".
type enumScope struct {
	types     map[string]*enumeration
	variables map[string]*enumeration // nil: the name has several types
}

// enumerations are those of all sources, by the name of their scope.
type enumerations struct {
	scopes   map[string]*enumScope
	packages map[string]bool
	uses     []enumUse
}

// enumUse is what may be a declaration of variables of an enumeration, by the name of its
// type.
type enumUse struct {
	scope, from, typ string // from: the package before ::
	names            []string
}

// scope returns the scope of a name.
func (e *enumerations) scope(name string) *enumScope {
	if e.scopes == nil {
		e.scopes, e.packages = map[string]*enumScope{}, map[string]bool{}
	}
	s := e.scopes[name]
	if s == nil {
		s = &enumScope{types: map[string]*enumeration{}, variables: map[string]*enumeration{}}
		e.scopes[name] = s
	}
	return s
}

// take reads the tokens of a text.
func (e *enumerations) take(tokens []token) {
	current := ""
	for k := 0; k < len(tokens); k++ {
		switch t := tokens[k].text; t {
		case "module", "macromodule", "package", "interface":
			for k++; textAt(tokens, k) == "automatic" || textAt(tokens, k) == "static"; k++ {
			}
			current = textAt(tokens, k)
			e.scope(current)
			e.packages[current] = t == "package"
		case "endmodule", "endpackage", "endinterface":
			current = ""
		case "enum":
			typ, at := parseEnum(tokens, k+1)
			if at < 0 {
				continue
			}
			names, end := variablesAt(tokens, at)
			if textAt(tokens, k-1) == "typedef" {
				if len(names) == 1 && typ != nil {
					e.scope(current).types[names[0]] = typ
				}
			} else {
				e.scope(current).declare(names, typ)
			}
			k = end
		default:
			if !isName(t) {
				continue
			}
			u, at := enumUse{scope: current, typ: t}, k+1
			if plainType[t] {
				for textAt(tokens, at) == "signed" || textAt(tokens, at) == "unsigned" || textAt(tokens, at) == "[" {
					if tokens[at].text == "[" {
						for at < len(tokens) && tokens[at].text != "]" {
							at++
						}
					}
					at++
				}
			}
			if textAt(tokens, k+1) == ":" && textAt(tokens, k+2) == ":" {
				u.from, u.typ, at = t, textAt(tokens, k+3), k+4
			}
			if isName(textAt(tokens, at)) && isName(u.typ) {
				u.names, _ = variablesAt(tokens, at)
				e.uses = append(e.uses, u)
			}
		}
	}
}

// parseEnum reads an enumeration behind its keyword. The type is nil where it is not
// understood; at is the token behind it, -1 where there is none.
func parseEnum(tokens []token, k int) (typ *enumeration, at int) {
	width := 32
	for ; textAt(tokens, k) != "{"; k++ {
		switch textAt(tokens, k) {
		case "logic", "reg", "bit":
			width = 1
		case "byte":
			width = 8
		case "shortint":
			width = 16
		case "int", "integer", "unsigned", "signed":
		case "[":
			high, err1 := strconv.Atoi(textAt(tokens, k+1))
			low, err2 := strconv.Atoi(textAt(tokens, k+3))
			if err1 != nil || err2 != nil || low != 0 || textAt(tokens, k+2) != ":" || textAt(tokens, k+4) != "]" {
				width = 0
			} else {
				width = high + 1
			}
			for k < len(tokens) && tokens[k].text != "]" {
				k++
			}
		default:
			if k >= len(tokens) || tokens[k].text == ";" {
				return nil, -1
			}
			width = 0
		}
	}
	typ = &enumeration{width: width, names: map[uint64]string{}}
	known := width > 0 && width < 64
	next := uint64(0)
	for k++; k < len(tokens) && tokens[k].text != "}"; {
		name := tokens[k].text
		known = known && isName(name)
		k++
		if textAt(tokens, k) == "=" {
			from := k + 1
			for k < len(tokens) && tokens[k].text != "," && tokens[k].text != "}" {
				k++
			}
			value, ok := literal(tokens[from:k])
			known, next = known && ok, value
		}
		if textAt(tokens, k) != "," && textAt(tokens, k) != "}" {
			known = false // a range of names
			for k < len(tokens) && tokens[k].text != "," && tokens[k].text != "}" {
				k++
			}
		}
		if known = known && next>>width == 0; known {
			typ.names[next] = name
		}
		next++
		if textAt(tokens, k) == "," {
			k++
		}
	}
	if !known {
		typ = nil
	}
	return typ, k + 1
}

// literal is the value of a number, plain or with a base.
func literal(tokens []token) (uint64, bool) {
	var b strings.Builder
	for _, t := range tokens {
		b.WriteString(t.text)
	}
	text, base := strings.ReplaceAll(b.String(), "_", ""), 10
	if _, digits, based := strings.Cut(text, "'"); based && digits != "" {
		text = digits[1:]
		switch digits[0] {
		case 'b', 'B':
			base = 2
		case 'o', 'O':
			base = 8
		case 'h', 'H':
			base = 16
		case 'd', 'D':
		default:
			return 0, false
		}
	}
	v, err := strconv.ParseUint(text, base, 63)
	return v, err == nil
}

// variablesAt lists the variables of a declaration whose names begin at a token, without
// those that are arrays. end is its last token.
func variablesAt(tokens []token, k int) (names []string, end int) {
	for ; isName(textAt(tokens, k)); k++ {
		name := tokens[k].text
		k++
		if textAt(tokens, k) != "[" {
			names = append(names, name)
		}
		for depth := 0; k < len(tokens); k++ {
			t := tokens[k].text
			switch t {
			case "(", "[", "{":
				depth++
			case ")", "]", "}":
				depth--
			}
			if t == ";" || depth < 0 || depth == 0 && t == "," {
				break
			}
		}
		// In a list of ports a type or a direction follows the comma.
		if textAt(tokens, k) != "," || !isName(textAt(tokens, k+1)) || isName(textAt(tokens, k+2)) || textAt(tokens, k+2) == ":" {
			break
		}
	}
	return names, k - 1
}

// declare notes variables of a type; nil: a type without names.
func (s *enumScope) declare(names []string, typ *enumeration) {
	for _, name := range names {
		if old, known := s.variables[name]; known && old != typ {
			typ = nil
		}
		s.variables[name] = typ
	}
}

// resolve finds the types of the variables that were declared by a name: in the module,
// around all, or in the one package that has the name.
func (e *enumerations) resolve() {
	for _, u := range e.uses {
		typ := e.scope(u.scope).types[u.typ]
		switch {
		case u.from != "":
			typ = e.scope(u.from).types[u.typ]
		case typ == nil:
			typ = e.scope("").types[u.typ]
			for name, s := range e.scopes {
				if t := s.types[u.typ]; t != nil && e.packages[name] {
					if typ != nil {
						typ = nil
						break
					}
					typ = t
				}
			}
		}
		if typ != nil || plainType[u.typ] {
			e.scope(u.scope).declare(u.names, typ)
		}
	}
	e.uses = nil
}

// enums names the values of the design's registers and of the top module's ports.
func (b *builder) enums() {
	e := b.enumerations
	e.resolve()
	b.d.Enums = map[string]design.Enum{}
	add := func(full, module, name string) {
		if s := e.scopes[module]; s != nil && s.variables[name] != nil {
			t := s.variables[name]
			b.d.Enums[full] = design.Enum{Width: t.width, Names: maps.Clone(t.names)}
		}
	}
	for _, o := range b.d.Latches {
		if o.Register != "" {
			add(o.Register, o.Module, o.Register[strings.LastIndexByte(o.Register, '.')+1:])
		}
	}
	for name := range b.net.Ports {
		add(b.h.full(name), b.h.modules[""], name)
	}
}
