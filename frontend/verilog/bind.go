// bind (IEEE 1800-2017, clause 23.11) puts an instance of a checker into a module
// from outside. yosys parses it and drops it, with all assertions of the checker. So
// the instance is written into the module's text, before its endmodule, and the bind
// statement is left out.
//
//	bind fifo checks c (.clk(clk), .count(u1.count));
//
// A connection may reach into instances below the module, as u1.count does. yosys
// resolves no such reference, but its flatten joins an instance's net with a net of
// the same hierarchical name that has the attribute hierconn. The net loses its
// attributes then, such as its initial value. So the instance's module gets another
// net for the signal, as wide as the checker's port, and that is joined.
//
// What is bound checks the design and is no part of it: its registers get no mutants.
//
// Left out, and refused: bind to single instances, and to what is no module.

package verilog

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"netcov/frontend/sva"
)

// bound is an instance that a bind statement made.
type bound struct {
	module, instance string // the module (for slang, also the path) that it is in, and its name there
	refs             []reference
}

// reference is a net of an instance that a connection of a bound instance names.
type reference struct {
	path  string // below the module
	width int
	at    place
}

// bindStatement is a bind statement in the tokens of a text.
type bindStatement struct {
	text       int // of the sources
	tokens     []token
	from, to   int // tokens; to is the semicolon
	checker    string
	instance   string
	connection int // the token after the parenthesis that opens the connections
	target     string
}

// bind replaces the bind statements of all texts. Its errors are *Error.
func (s *sources) bind() error {
	scanned := make([][]token, len(s.texts))
	var statements []*bindStatement
	for i := range s.texts {
		scanned[i] = scan(&s.texts[i])
		for k, t := range scanned[i] {
			if t.text != "bind" || textAt(scanned[i], k-1) == "." {
				continue
			}
			b, err := parseBind(scanned[i], k)
			if err != nil {
				return err
			}
			if chosen(scanned[i][:k]) {
				return refuse(t.place(), "write it outside of the generate block", "a bind statement in a generate block")
			}
			b.text = i
			statements = append(statements, b)
		}
	}
	edits := make([][]edit, len(s.texts))
	for _, b := range statements {
		at := b.tokens[b.from]
		text, body, ok := moduleBody(scanned, b.target)
		if !ok {
			return refuse(at.place(), "name a module of the sources, without parameters or a path", "bind to %s, which is no module here", b.target)
		}
		made := bound{module: strings.TrimPrefix(b.target, `\`), instance: strings.TrimPrefix(b.instance, `\`)}
		statement, nets, err := b.instantiate(s, scanned, body, &made)
		if err != nil {
			return err
		}
		end := body[len(body)-1]
		edits[text] = append(edits[text], edit{end.start, end.start, statement})
		for _, n := range nets {
			edits[n.text] = append(edits[n.text], n.edit)
		}
		first, last := b.tokens[b.from].start, b.tokens[b.to].end
		edits[b.text] = append(edits[b.text], edit{first, last, blank(s.texts[b.text].Text[first:last])})
		s.bound = append(s.bound, made)
	}
	for i := range s.texts {
		s.texts[i].Text = apply(s.texts[i].Text, edits[i])
	}
	return nil
}

// findBound lists the instances of bind statements that slang makes.
func (s *sources) findBound() {
	for i := range s.texts {
		tokens := scan(&s.texts[i])
		for k, t := range tokens {
			if t.text != "bind" || textAt(tokens, k-1) == "." {
				continue
			}
			made := bound{module: strings.TrimPrefix(textAt(tokens, k+1), `\`)}
			for k += 2; textAt(tokens, k) == "."; k += 2 {
				made.module += "." + strings.TrimPrefix(textAt(tokens, k+1), `\`)
			}
			for ; k < len(tokens) && tokens[k].text != ";"; k++ {
				if next := textAt(tokens, k+1); next == "#" {
					k = max(k+2, closing(tokens, k+2))
				} else if next == "(" {
					made.instance = strings.TrimPrefix(tokens[k].text, `\`)
					s.bound = append(s.bound, made)
					break
				}
			}
		}
	}
}

// parseBind reads a statement that begins at token k.
func parseBind(tokens []token, k int) (*bindStatement, error) {
	b := &bindStatement{tokens: tokens, from: k, target: textAt(tokens, k+1), checker: textAt(tokens, k+2)}
	unknown := func() (*bindStatement, error) {
		return nil, refuse(tokens[k].place(), "write bind MODULE CHECKER NAME (.PORT(SIGNAL), ...);",
			"a form of bind that is not supported: the target must be one module, and it is bound in all its instances")
	}
	if !isName(b.target) || !isName(b.checker) {
		return unknown()
	}
	at := k + 3
	if textAt(tokens, at) == "#" {
		if at = closing(tokens, at+1); at < 0 {
			return unknown()
		}
		at++
	}
	b.instance = textAt(tokens, at)
	if !isName(b.instance) || textAt(tokens, at+1) != "(" {
		return unknown()
	}
	b.connection = at + 2
	end := closing(tokens, at+1)
	if end < 0 || textAt(tokens, end+1) != ";" {
		return unknown()
	}
	b.to = end + 1
	return b, nil
}

// placed is an edit of one of the texts.
type placed struct {
	text int
	edit
}

// instantiate returns the text of the instance, and the nets that modules below get.
func (b *bindStatement) instantiate(s *sources, scanned [][]token, body []token, made *bound) (string, []placed, error) {
	var declared, out strings.Builder
	var nets []placed
	raw := string(s.texts[b.text].Text)
	port, at := "", b.tokens[b.from+1].end
	upTo := func(end int) {
		out.WriteString(strings.ReplaceAll(raw[at:end], "\n", " "))
		at = end
	}
	for k := b.from + 2; k <= b.to; k++ {
		tok := b.tokens[k]
		if tok.text == "." && k >= b.connection && (textAt(b.tokens, k-1) == "(" || textAt(b.tokens, k-1) == ",") {
			port = textAt(b.tokens, k+1)
			k++
			upTo(b.tokens[k].end)
			continue
		}
		path, last := dotted(b.tokens, k)
		below := ""
		if k >= b.connection && last > k {
			below = instanceOf(body, tok.text)
		}
		if below == "" {
			upTo(tok.end)
			continue
		}
		if textAt(b.tokens, k-1) != "(" || textAt(b.tokens, last+1) != ")" {
			return "", nil, refuse(tok.place(), "connect the signal alone to a port of the checker", "%s, a signal of an instance, within an expression of a bind", path)
		}
		width, ok := portWidth(scanned, b.checker, port)
		if !ok {
			return "", nil, refuse(tok.place(), "declare the port with a range of two numbers",
				"port %s of %s, which is bound to %s, a signal of an instance, has no range that is known here", port, b.checker, path)
		}
		s.aliases++
		alias := fmt.Sprintf("%s%d", sva.BoundPrefix, s.aliases)
		words := strings.Split(path, ".")
		depth := 1
		text, inner, found := moduleBody(scanned, below)
		for found && depth < len(words)-1 {
			next := instanceOf(inner, words[depth])
			if next == "" {
				break // what is left is a name within a generate block
			}
			depth++
			text, inner, found = moduleBody(scanned, next)
		}
		if !found {
			return "", nil, refuse(tok.place(), "add its source", "the module of %s is not among the sources", strings.Join(words[:depth], "."))
		}
		end := inner[len(inner)-1].start
		nets = append(nets, placed{text, edit{end, end, fmt.Sprintf(" wire [%d:0] %s = %s; ", width-1, alias, strings.Join(words[depth:], "."))}})
		net := `\` + strings.Join(words[:depth], ".") + "." + alias + " "
		fmt.Fprintf(&declared, "(* hierconn *) wire [%d:0] %s; ", width-1, net)
		made.refs = append(made.refs, reference{path, width, tok.place()})
		upTo(tok.start)
		out.WriteString(net)
		k, at = last, b.tokens[last].end
	}
	return " " + declared.String() + out.String(), nets, nil
}

// isName tells whether a token is an identifier.
func isName(s string) bool {
	return s != "" && (s[0] == '\\' || isIdentifier(s[0]) && (s[0] < '0' || s[0] > '9'))
}

// closing returns the token that closes the parenthesis at token k, -1 for none.
func closing(tokens []token, k int) int {
	if textAt(tokens, k) != "(" {
		return -1
	}
	depth := 0
	for ; k < len(tokens); k++ {
		switch t := tokens[k].text; {
		case t == "(":
			depth++
		case t == ")", t == "*)" && textAt(tokens, k-1) == ".": // .*)
			if depth--; depth == 0 {
				return k
			}
		}
	}
	return -1
}

// dotted returns the hierarchical name that begins at token k, and its last token.
func dotted(tokens []token, k int) (string, int) {
	if !isName(tokens[k].text) {
		return tokens[k].text, k
	}
	path := strings.TrimPrefix(tokens[k].text, `\`)
	for isName(textAt(tokens, k+2)) && textAt(tokens, k+1) == "." {
		k += 2
		path += "." + strings.TrimPrefix(tokens[k].text, `\`)
	}
	return path, k
}

// moduleBody returns the tokens of a module, from its name to endmodule.
func moduleBody(scanned [][]token, name string) (text int, body []token, ok bool) {
	for text, tokens := range scanned {
		for k := range tokens {
			if w := tokens[k].text; w != "module" && w != "macromodule" || textAt(tokens, k-1) == "." {
				continue
			}
			if n := textAt(tokens, k+1); n == "automatic" || n == "static" {
				k++
			}
			if strings.TrimPrefix(textAt(tokens, k+1), `\`) != strings.TrimPrefix(name, `\`) {
				continue
			}
			for end := k; end < len(tokens); end++ {
				if tokens[end].text == "endmodule" {
					return text, tokens[k+1 : end+1], true
				}
			}
		}
	}
	return 0, nil, false
}

// instanceOf returns the module of an instance in a module's text, "" for none: its name
// stands behind the module's, or behind the parenthesis of parameters, and before that
// of connections.
func instanceOf(body []token, name string) string {
	for k := range body {
		if strings.TrimPrefix(body[k].text, `\`) != strings.TrimPrefix(name, `\`) || textAt(body, k+1) != "(" {
			continue
		}
		at := k - 1
		if textAt(body, at) == ")" {
			for depth := 0; at >= 0; at-- {
				if body[at].text == ")" {
					depth++
				} else if body[at].text == "(" {
					if depth--; depth == 0 {
						break
					}
				}
			}
			if textAt(body, at-1) != "#" {
				continue
			}
			at -= 2
		}
		if module := textAt(body, at); isName(module) && !slices.Contains(notTypes, module) {
			return module
		}
	}
	return ""
}

// notTypes are words that stand before a name and a parenthesis and make no instance.
var notTypes = []string{"begin", "else", "function", "task", "assign", "return", "end"}

// portWidth returns the width of a port of a module, false where its range is not two
// numbers.
func portWidth(scanned [][]token, module, port string) (int, bool) {
	_, body, ok := moduleBody(scanned, module)
	for k := range body {
		if !ok || k == 0 || body[k].text != port {
			continue
		}
		if textAt(body, k-1) != "]" {
			for i := k - 1; i >= 0 && !strings.Contains("(,;", body[i].text); i-- {
				if body[i].text == "input" {
					return 1, true
				}
			}
			continue
		}
		if textAt(body, k-5) != "[" || textAt(body, k-3) != ":" {
			return 0, false
		}
		high, err := strconv.Atoi(body[k-4].text)
		low, err2 := strconv.Atoi(body[k-2].text)
		if err != nil || err2 != nil || high < low {
			return 0, false
		}
		return high - low + 1, true
	}
	return 0, false
}

// checkReferences compares the nets that were declared for references with those that
// are meant.
func checkReferences(all []bound, modules map[string]*module, warnings []string) error {
	for _, b := range all {
		for _, r := range b.refs {
			for _, name := range sortedKeys(modules) {
				m := modules[name]
				if moduleName(name, m) != b.module {
					continue
				}
				found := -1
				at := m
				rest := strings.Split(r.path, ".")
				for i, word := range rest {
					net := strings.Join(rest[i:], ".")
					if n := at.Netnames[net]; n != nil && i > 0 && undeclared(warnings, at, net).line == 0 {
						found = len(n.Bits)
						break
					}
					c := at.Cells[word]
					if c == nil || modules[c.Type] == nil {
						break
					}
					at = modules[c.Type]
				}
				if found < 0 {
					return refuse(r.at, "name a register, net or port of an instance", "%s has no signal %s", b.module, r.path)
				}
				if found != r.width {
					return refuse(r.at, "give the checker's port the same width", "%s has %d bits, the port that it is bound to has %d", r.path, found, r.width)
				}
			}
		}
	}
	return nil
}

// bind notes the instances that were bound: what lies in them is no part of the design.
func (h *hierarchy) bind(all []bound) {
	for _, b := range all {
		for path, module := range h.modules {
			if module == b.module || h.full(path) == b.module {
				h.bound = append(h.bound, join(path, b.instance))
			}
		}
	}
}

// ofBound tells whether a path lies in a bound instance.
func (h *hierarchy) ofBound(path string) bool {
	return slices.ContainsFunc(h.bound, func(b string) bool {
		rest, ok := strings.CutPrefix(path, b)
		return ok && (rest == "" || rest[0] == '.')
	})
}

// edit replaces the bytes from..to of a text.
type edit struct {
	from, to int
	text     string
}

// apply makes the edits; they do not overlap.
func apply(text []byte, edits []edit) []byte {
	slices.SortStableFunc(edits, func(a, b edit) int { return a.from - b.from })
	var out []byte
	at := 0
	for _, e := range edits {
		out = append(append(out, text[at:e.from]...), e.text...)
		at = e.to
	}
	return append(out, text[at:]...)
}

// chosen reports whether what follows the tokens stands in a generate block, or is one
// without begin.
func chosen(before []token) bool {
	switch textAt(before, len(before)-1) {
	case ")", "else", ":":
		return true
	}
	depth := 0
	for _, t := range before {
		switch t.text {
		case "begin":
			depth++
		case "end":
			depth--
		case "module", "endmodule", "interface", "endinterface", "package", "endpackage":
			depth = 0
		}
	}
	return depth > 0
}

// blank is a text without all but its line ends.
func blank(text []byte) string {
	return strings.Repeat("\n", strings.Count(string(text), "\n"))
}
