// The scanner finds assertions and the declarations that belong to them in a
// source. It knows modules, procedural blocks and `ifdef, and skips all else.

package sva

import (
	"regexp"
	"slices"
	"strings"
)

// item is what the output replaces: an assertion by its checker, a declaration
// by nothing.
type item struct {
	from, to   int // tokens, to excluded
	conditions []condition
	assertion  *assertion // nil for a declaration
	inner      bool       // it is the body of a generate if, for or case without begin
}

// assertion is an assertion statement.
type assertion struct {
	at         token
	label      string // "" without one, and for an escaped identifier that is no plain name
	labelled   bool
	kind       string // assert, assume, cover, restrict
	sequence   bool   // cover sequence
	toks       []token
	scope      *scope
	procedural bool    // it stands in an always or initial block
	block      []token // what stands before it there
}

// let is a let declaration, from a token on.
type let struct {
	*decl
	from int
}

type scanner struct {
	toks  []token // the last is of kind end
	at    int
	items []item
	lets  []let
	scope *scope
	br    branches
	saved []position
	position
}

// position is what the branches of an `ifdef each start from.
type position struct {
	scopes []*scope
	block  block
}

// block follows a procedural block. It ends with the statement: at a semicolon
// or an end outside of begin and end, unless else goes on.
type block struct {
	active bool
	from   int // token
	depth  int // begin, fork, case
	parens int
}

var plain = regexp.MustCompile(`^[A-Za-z_]\w*$`)

var (
	openers = map[string]bool{"begin": true, "fork": true, "case": true, "casez": true, "casex": true, "randcase": true}
	enders  = map[string]bool{"end": true, "join": true, "join_any": true, "join_none": true, "endcase": true}
)

var scopeEnds = map[string]string{
	"module": "endmodule", "macromodule": "endmodule", "interface": "endinterface", "package": "endpackage", "program": "endprogram",
}

// scan returns what is to be replaced, in the order of the source, and adds the packages
// of the source to those of others.
func scan(toks []token, packages map[string]*scope) []item {
	s := &scanner{toks: toks, scope: newScope("", nil)}
	s.scope.packages = packages
	s.scopes = []*scope{s.scope}
	for s.peek(0).kind != end {
		s.step()
	}
	if len(s.br.open) > 0 {
		refuse(s.br.open[0].at, "", "this `ifdef has no `endif")
	}
	s.refuseLets()
	return s.items
}

// refuseLets refuses a let that is used outside of assertions, where the declaration is
// gone.
func (s *scanner) refuseLets() {
	for _, l := range s.lets {
		to := l.scope.end
		if to == 0 {
			to = len(s.toks)
		}
		at := 0 // among the items
		for i := l.from; i < to; i++ {
			for at < len(s.items) && s.items[at].to <= i {
				at++
			}
			if at < len(s.items) && s.items[at].from <= i {
				i = s.items[at].to - 1
			} else if t := s.toks[i]; t.kind == name && t.text == l.at.text && !s.toks[i-1].is(".") {
				refuse(t, "write a function or a macro", "let %s is used outside of a concurrent assertion, which is not supported", t.text)
			}
		}
	}
}

func (s *scanner) peek(n int) token {
	if i := s.at + n; i >= 0 && i < len(s.toks) {
		return s.toks[i]
	}
	return s.toks[len(s.toks)-1]
}

func (s *scanner) step() {
	t := s.peek(0)
	if t.kind == directive {
		s.directive(t)
		s.at++
		return
	}
	if t.kind != name || s.peek(-1).is(".") && s.at > 0 {
		s.follow(t)
		s.at++
		return
	}
	before := token{}
	if s.at > 0 {
		before = s.peek(-1)
	}
	next := s.peek(1)
	switch {
	case scopeEnds[t.text] != "" && !before.is("virtual") && (next.kind == name || t.text != "interface"):
		s.open(t)
		return
	case len(s.scopes) > 1 && slices.Contains([]string{"endmodule", "endinterface", "endpackage", "endprogram"}, t.text):
		for s.here().generate { // a begin without an end
			s.leave()
		}
		s.leave()
		s.block = block{}
	case t.is("import") && next.kind == name && s.peek(2).is("::"):
		for i := 1; s.peek(i).kind == name && s.peek(i+1).is("::"); i += 4 {
			s.here().imports = append(s.here().imports, s.peek(i).text)
		}
	case t.is("genvar"): // hides a parameter of that name
		for i := 1; s.peek(i).kind == name; i += 2 {
			s.here().params[s.peek(i).text] = append(s.here().params[s.peek(i).text], parameter{at: s.peek(i), conditions: s.br.conditions()})
		}
	case t.is("parameter") || t.is("localparam"):
		s.parameters(t.is("localparam"))
		return
	case (t.is("assert") || t.is("assume") || t.is("restrict") || t.is("cover")) && (next.is("property") || next.is("sequence")) && s.peek(2).is("("):
		s.assertion()
		return
	case t.is("expect") && next.is("(") && s.block.active:
		refuse(t, "", "expect is not supported")
	case t.is("property") || t.is("sequence"):
		if next.kind == name && (s.peek(2).is(";") || s.peek(2).is("(")) {
			s.declaration("end" + t.text)
			return
		}
	case t.is("let"):
		if next.kind == name && (s.peek(2).is("=") || s.peek(2).is("(")) {
			s.let()
			return
		}
	case t.is("clocking"), t.is("default") && next.is("clocking"):
		if s.clocking() {
			return
		}
	case t.is("global") && next.is("clocking"):
		refuse(t, "", "global clocking is not supported")
	case t.is("default") && next.is("disable") && s.peek(2).is("iff"):
		s.disable()
		return
	case !s.block.active && (t.is("always") || t.is("always_ff") || t.is("always_comb") || t.is("always_latch") || t.is("initial") || t.is("final")):
		s.block = block{active: true, from: s.at}
	case !s.block.active && t.is("begin"):
		in := newScope("", s.here())
		in.generate = true
		s.scopes = append(slices.Clip(s.scopes), in)
	case !s.block.active && t.is("end") && s.here().generate:
		s.leave()
	}
	s.follow(t)
	s.at++
}

// follow moves the procedural block on by a token.
func (s *scanner) follow(t token) {
	b := &s.block
	if !b.active {
		return
	}
	ends := false
	switch {
	case t.kind == symbol && t.text == "(":
		b.parens++
	case t.kind == symbol && t.text == ")":
		b.parens--
	case t.kind == symbol && t.text == ";":
		ends = b.depth == 0 && b.parens <= 0
	case t.kind == name && openers[t.text]:
		b.depth++
	case t.kind == name && enders[t.text]:
		b.depth--
		ends = b.depth <= 0
	}
	if ends && !s.afterDirectives(1).is("else") {
		*b = block{}
	}
}

// afterDirectives returns the n-th token from here that is no directive.
func (s *scanner) afterDirectives(n int) token {
	for s.peek(n).kind == directive {
		n++
	}
	return s.peek(n)
}

// directive keeps the positions of the branches apart.
func (s *scanner) directive(t token) {
	switch word, _ := cut(t); word {
	case "ifdef", "ifndef":
		s.saved = append(s.saved, s.position)
	case "elsif", "else":
		if len(s.saved) > 0 {
			s.position = s.saved[len(s.saved)-1]
		}
	case "endif":
		if len(s.saved) > 0 {
			s.saved = s.saved[:len(s.saved)-1]
		}
	}
	s.br.see(t)
}

// leave goes out of the innermost scope.
func (s *scanner) leave() {
	s.here().end = s.at
	s.scopes = s.scopes[: len(s.scopes)-1 : len(s.scopes)-1]
}

func (s *scanner) here() *scope { return s.scopes[len(s.scopes)-1] }

// inner reports whether the item behind index i is the body of a generate if, for or
// case without begin.
func (s *scanner) inner(i int) bool { return !s.block.active && s.head(i) != "" }

// declares is the scope of the declaration that begins here: that of a generate if, for
// or case without begin holds nothing else.
func (s *scanner) declares() *scope {
	if s.inner(s.at - 1) {
		return newScope("", s.here())
	}
	return s.here()
}

// open enters a module, interface, package or program.
func (s *scanner) open(t token) {
	s.at++
	for s.peek(0).is("automatic") || s.peek(0).is("static") {
		s.at++
	}
	n := s.peek(0)
	if n.is("class") { // interface class
		return
	}
	in := newScope(n.text, s.here())
	in.iface = t.is("interface")
	if t.is("package") {
		in.packages[n.text], in.pkg = in, true
	}
	s.scopes = append(slices.Clip(s.scopes), in)
	s.block = block{}
}

// until returns the index of the first token of that text outside of brackets,
// from i on; -1 without one.
func (s *scanner) until(i int, text string) int {
	for ; s.toks[i].kind != end; i++ {
		t := s.toks[i]
		if t.is(text) {
			return i
		}
		if t.kind == symbol && closer[t.text] != "" {
			if i = closing(s.toks, i); i < 0 {
				return -1
			}
		} else if t.is(")") {
			return -1
		}
	}
	return -1
}

// replace takes the tokens up to index to out of the source.
func (s *scanner) replace(to int, a *assertion) {
	it := item{from: s.at, to: to, conditions: s.br.conditions(), assertion: a}
	if a != nil && a.labelled {
		it.from -= 2
	}
	it.inner = s.inner(it.from - 1)
	var inside branches
	for _, t := range s.toks[it.from:to] {
		if t.kind == directive {
			inside.see(t)
		}
	}
	if len(inside.open) > 0 {
		refuse(inside.open[0].at, "", "this `ifdef begins inside of an assertion or declaration and ends outside of it")
	}
	s.items = append(s.items, it)
	s.at = to
}

// parameters records parameters and their values, and copies the text.
func (s *scanner) parameters(local bool) {
	s.at++
	from := s.at
	for t := s.peek(0); t.kind != end && !t.is(";") && !t.is(")"); t = s.peek(0) {
		if t.kind == directive {
			break
		}
		if j := -1; t.kind == symbol && closer[t.text] != "" {
			if j = closing(s.toks, s.at); j < 0 {
				break
			}
			s.at = j
		}
		s.at++
	}
	for _, part := range split(s.toks[from:s.at], ",") {
		if len(part) > 0 && (part[0].is("parameter") || part[0].is("localparam")) {
			local = part[0].is("localparam")
			part = part[1:]
		}
		i := index(part, "=")
		if i < 1 {
			continue
		}
		n := part[i-1]
		p := parameter{at: n, conditions: s.br.conditions(), local: local, ranged: index(part[:i], "[") >= 0, value: part[i+1:]}
		s.here().params[n.text] = append(s.here().params[n.text], p)
	}
}

// declaration takes a property or sequence.
func (s *scanner) declaration(ending string) {
	in := s.declares()
	to := s.at
	for ; !s.toks[to].is(ending); to++ {
		if t := s.toks[to]; t.kind == end || slices.Contains([]string{"endmodule", "endproperty", "endsequence"}, t.text) {
			refuse(s.peek(1), "", "%s %s has no %s", s.peek(0).text, s.peek(1).text, ending)
		}
	}
	d := &decl{kind: s.peek(0).text, at: s.peek(1), conditions: s.br.conditions(), scope: in}
	i := s.at + 2
	if s.toks[i].is("(") {
		j := closing(s.toks, i)
		if j < 0 || j > to {
			refuse(s.toks[i], "", "this bracket is not closed")
		}
		d.params = s.toks[i+1 : j]
		i = j + 1
	}
	if !s.toks[i].is(";") {
		refuse(s.toks[i], "", "a semicolon is expected before %s", show(s.toks[i]))
	}
	d.body = s.toks[i+1 : to]
	to++
	if s.toks[to].is(":") {
		to += 2
	}
	in.decls[d.at.text] = append(in.decls[d.at.text], d)
	s.replace(min(to, len(s.toks)-1), nil)
}

func (s *scanner) let() {
	in := s.declares()
	d := &decl{kind: "let", at: s.peek(1), conditions: s.br.conditions(), scope: in}
	i := s.at + 2
	if s.toks[i].is("(") {
		j := closing(s.toks, i)
		if j < 0 {
			refuse(s.toks[i], "", "this bracket is not closed")
		}
		d.params = s.toks[i+1 : j]
		i = j + 1
	}
	to := s.until(i, ";")
	if !s.toks[i].is("=") || to < 0 {
		refuse(d.at, "", "let %s is not followed by an expression and a semicolon", d.at.text)
	}
	d.body = s.toks[i+1 : to]
	in.decls[d.at.text] = append(in.decls[d.at.text], d)
	s.replace(to+1, nil)
	s.lets = append(s.lets, let{d, s.at})
}

// clocking takes a clocking block, or the choice of one as the default.
func (s *scanner) clocking() bool {
	in := s.declares()
	i := s.at
	isDefault := s.toks[i].is("default")
	if isDefault {
		i++
	}
	i++
	e := event{at: s.peek(0), conditions: s.br.conditions()}
	if s.toks[i].kind == name {
		e.name = s.toks[i].text
		i++
	}
	if isDefault && s.toks[i].is(";") { // default clocking cb;
		e.toks = []token{s.toks[i-1]}
		e.name = ""
		in.defaults = append(in.defaults, e)
		s.replace(i+1, nil)
		return true
	}
	if !s.toks[i].is("@") {
		return false
	}
	i++
	if s.toks[i].is("(") {
		j := closing(s.toks, i)
		if j < i+2 {
			refuse(s.toks[i], "", "an event is expected between brackets")
		}
		e.toks = s.toks[i+1 : j]
		i = j
	} else {
		e.toks = s.toks[i : i+1]
	}
	to := i
	for ; !s.toks[to].is("endclocking"); to++ {
		if s.toks[to].kind == end {
			refuse(e.at, "", "this clocking block has no endclocking")
		}
	}
	to++
	if s.toks[to].is(":") {
		to += 2
	}
	if e.name != "" {
		in.clockings = append(in.clockings, e)
	}
	if isDefault {
		in.defaults = append(in.defaults, e)
	}
	s.replace(min(to, len(s.toks)-1), nil)
	return true
}

func (s *scanner) disable() {
	in := s.declares()
	to := s.until(s.at, ";")
	if to <= s.at+3 {
		refuse(s.peek(0), "", "a condition and a semicolon are expected after default disable iff")
	}
	in.disables = append(in.disables, event{at: s.peek(0), conditions: s.br.conditions(), toks: s.toks[s.at+3 : to]})
	s.replace(to+1, nil)
}

// assertion takes an assertion with its label and its action block.
func (s *scanner) assertion() {
	a := &assertion{
		at: s.peek(0), kind: s.peek(0).text, sequence: s.peek(1).is("sequence"),
		scope: s.here(), procedural: s.block.active,
	}
	if s.at >= 2 && s.peek(-1).is(":") && s.peek(-2).kind == name && !s.peek(-2).is("default") && !(s.at >= 3 && s.peek(-3).is("?")) {
		a.label, a.labelled = s.peek(-2).text, true
		if escaped, is := strings.CutPrefix(strings.TrimSpace(a.label), `\`); is { // yosys takes no such label
			a.label = ""
			if plain.MatchString(escaped) {
				a.label = escaped
			}
		}
	}
	if a.procedural {
		a.block = s.toks[s.block.from:s.at]
	}
	open := s.at + 2
	shut := closing(s.toks, open)
	if shut < 0 {
		refuse(s.toks[open], "", "this bracket is not closed")
	}
	a.toks = s.toks[open+1 : shut]
	if a.sequence && a.kind != "cover" {
		refuse(a.at, "", "%s sequence is not part of the language", a.kind)
	}
	to := shut + 1
	null := s.toks[to].is(";") // no else of the assertion follows
	if !s.toks[to].is("else") {
		to = s.statement(to)
	}
	if !null && s.toks[to].is("else") {
		to = s.statement(to + 1)
	}
	s.replace(to, a)
	// The statement may be the last of its block.
	if b := &s.block; b.active && b.depth == 0 && !s.afterDirectives(0).is("else") {
		*b = block{}
	}
}

// statement returns the index behind the statement of an action block.
func (s *scanner) statement(i int) int {
	from := s.toks[i]
	if from.is("begin") {
		depth := 0
		for ; s.toks[i].kind != end; i++ {
			switch {
			case openers[s.toks[i].text]:
				depth++
			case enders[s.toks[i].text]:
				if depth--; depth == 0 {
					if i++; s.toks[i].is(":") {
						i += 2
					}
					return min(i, len(s.toks)-1)
				}
			}
		}
		refuse(from, "", "this begin has no end")
	}
	if loop := from.is("for") || from.is("foreach") || from.is("while") || from.is("repeat"); (loop || from.is("if")) && s.toks[i+1].is("(") {
		if shut := closing(s.toks, i+1); shut > 0 {
			to := s.statement(shut + 1)
			if !loop && s.toks[to].is("else") {
				to = s.statement(to + 1)
			}
			return to
		}
	}
	j := s.until(i, ";")
	if j < 0 {
		refuse(from, "", "a semicolon is missing after the assertion")
	}
	return j + 1
}

// head tells what the item after index i is the body of, where no begin stands
// between: "if", "for", "else" or ":" of a case; "" for none.
func (s *scanner) head(i int) string {
	for i >= 0 && s.toks[i].kind == directive {
		i--
	}
	if i < 0 {
		return ""
	}
	t := s.toks[i]
	if t.is("else") || t.is(":") {
		return t.text
	}
	if !t.is(")") {
		return ""
	}
	for depth := 0; i > 0; i-- {
		if s.toks[i].is(")") {
			depth++
		} else if s.toks[i].is("(") {
			if depth--; depth == 0 {
				if h := s.toks[i-1]; h.is("if") || h.is("for") {
					return h.text
				}
				return ""
			}
		}
	}
	return ""
}
