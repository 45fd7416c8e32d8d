package preprocess

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"
)

// kept are the directives that are left in the text for the reader of the language,
// with the words that may follow.
var kept = map[string][]string{
	"default_nettype": {"none", "wire", "tri", "tri0", "tri1", "wand", "triand", "wor", "trior", "trireg", "uwire"},
}

// dropped are the directives that say nothing about the circuit; the value tells
// whether they take the rest of their line.
var dropped = map[string]bool{
	"timescale": true, "line": true, "pragma": true, "begin_keywords": true, "celldefine": false, "endcelldefine": false,
	"end_keywords": false, "nounconnected_drive": false,
	"suppress_faults": false, "enable_portfaults": false, "disable_portfaults": false,
	"nosuppress_faults": false, "delay_mode_distributed": false, "delay_mode_path": false, "delay_mode_unit": false, "delay_mode_zero": false,
	"default_decay_time": true, "default_trireg_strength": true, "protect": false, "endprotect": false,
}

// directive takes what begins with a backtick.
func (p *processor) directive() {
	p.next()
	if c := p.peek(0); c == '`' { // pasting outside of a macro's text means nothing
		p.next()
		return
	} else if c == '\\' { // an escaped name
		name := strings.TrimSpace(p.escaped()[1:])
		if p.active() {
			p.use(name)
		}
		return
	}
	name := p.takeWord()
	switch name {
	case "ifdef", "ifndef", "elsif", "else", "endif":
		p.conditional(name)
		return
	}
	if !p.active() {
		if name == "define" {
			p.body() // an `endif in it is none
		}
		return
	}
	words, keep := kept[name]
	rest, drop := dropped[name]
	switch {
	case name == "define":
		p.define()
	case name == "undef":
		p.blanks(false)
		delete(p.macros, p.name())
	case name == "undefineall":
		clear(p.macros)
	case name == "include":
		p.include()
	case name == "resetall":
		p.emit("`default_nettype wire ")
	case keep:
		p.blanks(false)
		w := p.takeWord()
		if !slices.Contains(words, w) {
			p.fail(fmt.Sprintf("`%s %s", name, w), "it takes one of "+strings.Join(words, ", "))
		}
		p.emit("`" + name + " " + w + " ")
	case name == "unconnected_drive":
		p.fail("`unconnected_drive is not supported", "connect the inputs")
	case drop:
		if rest {
			p.restOfLine()
		}
	case name == "__FILE__":
		p.emit(`"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", " ").Replace(p.place().File) + `"`)
	case name == "__LINE__":
		p.emit(fmt.Sprint(p.place().Line))
	default:
		p.use(name)
	}
}

// name takes a macro's name.
func (p *processor) name() string {
	if p.peek(0) == '\\' {
		return strings.TrimSpace(p.escaped()[1:])
	}
	return p.takeWord()
}

// conditional takes `ifdef and its like.
func (p *processor) conditional(kind string) {
	macro := ""
	if kind == "ifdef" || kind == "ifndef" || kind == "elsif" {
		p.blanks(true)
		if macro = p.name(); macro == "" {
			p.fail("`"+kind+" without a macro's name", "write one name after it")
		}
	}
	_, defined := p.macros[macro]
	if kind == "ifdef" || kind == "ifndef" {
		outer := p.active()
		taken := defined == (kind == "ifdef")
		p.conds = append(p.conds, condition{at: p.place(), outer: outer, taken: taken, active: outer && taken, macro: macro, unless: kind == "ifndef"})
		return
	}
	open := 0
	for _, f := range p.frames {
		if !f.macro {
			open = f.conds
		}
	}
	if len(p.conds) == open {
		p.fail("`"+kind+" without `ifdef", "add it in the same file")
	}
	c := &p.conds[len(p.conds)-1]
	switch {
	case kind == "endif":
		p.conds = p.conds[:len(p.conds)-1]
	case c.last:
		p.fail("`"+kind+" after `else", "remove it")
	case kind == "else":
		c.last = true
		c.active, c.taken = c.outer && !c.taken, true
		c.unless = !c.unless
	default:
		c.active = c.outer && !c.taken && defined
		c.taken = c.taken || defined
		c.macro, c.unless = macro, false
	}
}

// body takes the text of a macro to the end of its line. Comments are left out; a
// backslash at the end of a line goes on in the next.
func (p *processor) body() string {
	var s strings.Builder
	for {
		c := p.peek(0)
		switch {
		case c == 0 || c == '\n':
			return strings.TrimSpace(s.String())
		case c == '\\' && p.peek(1) == '\n':
			p.skip(2)
			s.WriteByte('\n')
		case c == '/' && p.peek(1) == '/':
			last := byte(0)
			for p.peek(0) != 0 && p.peek(0) != '\n' {
				last = p.next()
			}
			if last == '\\' {
				p.next()
				s.WriteByte('\n')
			}
		case c == '/' && p.peek(1) == '*':
			p.blanks(false)
			s.WriteByte(' ')
		case c == '"' && !strings.HasSuffix(s.String(), "`"):
			s.WriteString(p.quoted())
		default:
			s.WriteByte(p.next())
		}
	}
}

func (p *processor) define() {
	p.blanks(false)
	name := p.name()
	if name == "" {
		p.fail("`define without a name", "write it on the same line")
	}
	if _, directive := dropped[name]; directive || kept[name] != nil || slices.Contains([]string{
		"define", "undef", "undefineall", "include", "ifdef", "ifndef", "elsif", "else", "endif", "resetall", "__FILE__", "__LINE__",
	}, name) {
		p.fail(fmt.Sprintf("`define %s: this is a directive's name", name), "rename the macro")
	}
	m := macro{defaults: map[int]string{}}
	if p.peek(0) == '(' {
		m.takes = true
		p.next()
		for i, a := range p.list("`define " + name) {
			arg, value, given := strings.Cut(a, "=")
			arg = strings.TrimSpace(arg)
			if given {
				m.defaults[i] = strings.TrimSpace(value)
			}
			if arg == "" || strings.ContainsFunc(arg, func(r rune) bool { return r > 127 || !isWord(byte(r)) }) {
				p.fail(fmt.Sprintf("`define %s: %q is no name of an argument", name, arg), "write names between commas")
			}
			m.args = append(m.args, arg)
		}
	}
	m.body = p.body()
	p.macros[name] = m
}

// list takes arguments up to the closing parenthesis, the opening one is taken.
func (p *processor) list(of string) []string {
	var args []string
	var arg []byte
	depth := 0
	for {
		c := p.peek(0)
		switch {
		case c == 0:
			p.fail(of+": the list of arguments has no end", "add )")
		case c == '"':
			arg = append(arg, p.quoted()...)
			continue
		case c == '\\' && p.peek(1) > ' ':
			arg = append(arg, p.escaped()...)
			continue
		case c == '/' && (p.peek(1) == '/' || p.peek(1) == '*'):
			p.blanks(true)
			arg = append(arg, ' ')
			continue
		case strings.IndexByte("([{", c) >= 0:
			depth++
		case strings.IndexByte(")]}", c) >= 0:
			if depth == 0 && c == ')' {
				p.next()
				return append(args, string(arg))
			}
			depth--
		case c == ',' && depth == 0:
			p.next()
			args, arg = append(args, string(arg)), nil
			continue
		}
		if p.next(); c == '\n' {
			c = ' '
		}
		arg = append(arg, c)
	}
}

// use puts the text of a macro in the place of its use.
func (p *processor) use(name string) {
	m, ok := p.macros[name]
	if !ok {
		p.failFor("Defines", fmt.Sprintf("the macro `%s is not defined", name), "add the file that defines it, or define it")
	}
	if out := p.out.Bytes(); !p.joined && p.marked && len(out) > 0 && isWord(out[len(out)-1]) {
		p.emit(" ")
	}
	p.mark()
	if p.expansions++; p.expansions > maxExpansions || len(p.frames) > maxDepth {
		p.fail(fmt.Sprintf("the macro `%s does not come to an end", name), "look for macros that use themselves")
	}
	values := map[string]string{}
	if m.takes {
		p.blanks(true)
		if p.peek(0) != '(' {
			p.fail(fmt.Sprintf("the macro `%s takes %d arguments", name, len(m.args)), "give them in parentheses")
		}
		p.next()
		args := p.list("the macro `" + name)
		if len(args) > len(m.args) && (len(m.args) > 0 || strings.TrimSpace(args[0]) != "") {
			p.fail(fmt.Sprintf("the macro `%s takes %d arguments, not %d", name, len(m.args), len(args)), "write a comma of an argument in parentheses")
		}
		for i, a := range m.args {
			value, given := m.defaults[i]
			if i < len(args) && (strings.TrimSpace(args[i]) != "" || !given) {
				value = strings.TrimSpace(args[i])
			} else if i >= len(args) && !given {
				p.fail(fmt.Sprintf("the macro `%s takes %d arguments, not %d", name, len(m.args), len(args)), "give all of them")
			}
			values[a] = value
		}
	}
	text := substitute(m.body, values)
	if p.joined = p.peek(0) == '`' && p.peek(1) == '`'; p.joined {
		p.skip(2)
	} else {
		text += " "
	}
	if p.expanded += len(text); p.expanded > maxExpanded {
		p.fail(fmt.Sprintf("macros become more than %s", humanize.IBytes(maxExpanded)), "look for macros that double")
	}
	for len(p.frames) > 1 && p.top().macro && p.top().at == len(p.top().text) {
		p.frames = p.frames[:len(p.frames)-1]
	}
	p.frames = append(p.frames, &frame{text: text, macro: true})
}

// macroBefore matches a text that ends with the use of a macro: what it becomes is
// joined with what follows when it is read.
var macroBefore = regexp.MustCompile("`[A-Za-z_][A-Za-z0-9_$]*$")

// substitute puts arguments in a macro's text, joins what two backticks stand
// between, and makes strings of what stands between a backtick and a quote each.
func substitute(body string, values map[string]string) string {
	var s strings.Builder
	for at := 0; at < len(body); {
		c := body[at]
		switch {
		case strings.HasPrefix(body[at:], "``"):
			if macroBefore.MatchString(s.String()) {
				s.WriteString("``")
			}
			at += 2
		case strings.HasPrefix(body[at:], "`\\`\""):
			s.WriteString(`\"`)
			at += 4
		case strings.HasPrefix(body[at:], "`\""):
			s.WriteByte('"')
			at += 2
		case c == '"':
			end := at + 1
			for end < len(body) && body[end] != '"' {
				if body[end] == '\\' {
					end++
				}
				end++
			}
			end = min(end+1, len(body))
			s.WriteString(body[at:end])
			at = end
		case c == '\n':
			s.WriteByte(' ')
			at++
		case isWord(c):
			end := at
			for end < len(body) && isWord(body[end]) {
				end++
			}
			if value, ok := values[body[at:end]]; ok {
				s.WriteString(value)
			} else {
				s.WriteString(body[at:end])
			}
			at = end
		default:
			s.WriteByte(c)
			at++
		}
	}
	return s.String()
}
