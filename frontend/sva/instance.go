// Instances of properties, sequences and let: the arguments take the places of
// the formal arguments, in parentheses (IEEE 1800-2017, 16.8, 16.12.18, 11.12).

package sva

import "slices"

// formal is a formal argument.
type formal struct {
	name    token
	typ     []token
	initial []token // default value
}

// untyped are the types of arguments that take text as it is.
var untyped = map[string]bool{"sequence": true, "property": true, "event": true, "untyped": true}

// formals reads the list of formal arguments. A type holds for those after it
// that have none.
func (d *decl) formals(how choice) []formal {
	var fs []formal
	var typ []token
	for _, part := range split(flatten(d.params, how), ",") {
		if len(part) == 0 {
			refuse(d.at, "", "an argument of %s is empty", d.at.text)
		}
		var f formal
		if i := index(part, "="); i >= 0 {
			part, f.initial = part[:i], part[i+1:]
		}
		if len(part) == 0 {
			refuse(d.at, "", "an argument of %s has no name", d.at.text)
		}
		if part[0].is("local") {
			refuse(part[0], "", "local variables as arguments are not supported")
		}
		f.name = part[len(part)-1]
		if f.name.kind != name {
			refuse(f.name, "", "an argument's name is expected here, not %s", show(f.name))
		}
		if slices.ContainsFunc(fs, func(g formal) bool { return g.name.text == f.name.text }) {
			refuse(f.name, "", "%s has two arguments %s", d.at.text, f.name.text)
		}
		if len(part) > 1 {
			typ = part[:len(part)-1]
		}
		if f.typ = typ; len(typ) == 1 && untyped[typ[0].text] {
			f.typ = nil
		}
		fs = append(fs, f)
	}
	return fs
}

// split cuts tokens at a symbol outside of brackets; none make no part.
func split(toks []token, at string) [][]token {
	if len(toks) == 0 {
		return nil
	}
	var parts [][]token
	from := 0
	for i := 0; i < len(toks); i++ {
		switch t := toks[i]; {
		case t.is(at):
			parts = append(parts, toks[from:i])
			from = i + 1
		case t.kind == symbol && closer[t.text] != "":
			if j := closing(toks, i); j > 0 {
				i = j
			}
		}
	}
	return append(parts, toks[from:])
}

func index(toks []token, s string) int {
	return slices.IndexFunc(toks, func(t token) bool { return t.is(s) })
}

// bind gives each formal argument its text.
func (d *decl) bind(at token, actual [][]token, how choice) map[string][]token {
	fs := d.formals(how)
	given := map[string][]token{}
	for i, a := range actual {
		if len(a) >= 3 && a[0].is(".") && a[1].kind == name && a[2].is("(") && closing(a, 2) == len(a)-1 {
			if !slices.ContainsFunc(fs, func(f formal) bool { return f.name.text == a[1].text }) {
				refuse(a[1], "", "%s has no argument %s", d.at.text, a[1].text)
			}
			given[a[1].text] = a[3 : len(a)-1]
			continue
		}
		if i >= len(fs) {
			refuse(at, "", "%s has %d arguments, and %d are given", d.at.text, len(fs), len(actual))
		}
		given[fs[i].name.text] = a
	}
	bound := map[string][]token{}
	for _, f := range fs {
		a := given[f.name.text]
		if len(a) == 0 {
			a = f.initial
		}
		if len(a) == 0 {
			refuse(at, "", "the argument %s of %s is missing", f.name.text, d.at.text)
		}
		switch {
		case a[0].is("posedge") || a[0].is("negedge") || a[0].is("edge"):
		case len(f.typ) > 0 && !(len(a) == 1 && a[0].kind == number && integer(f.typ)):
			a = cast(f.typ, a)
		default:
			a = slices.Concat([]token{made("(", a[0])}, a, []token{made(")", a[0])})
		}
		bound[f.name.text] = a
	}
	return bound
}

// integer reports whether a type is one of whole numbers.
func integer(typ []token) bool {
	return len(typ) == 1 && (typ[0].is("int") || typ[0].is("integer") || typ[0].is("shortint") || typ[0].is("longint"))
}

// castFunction stands in the text for a conversion to an argument's type, which
// the checker does with a wire.
const castFunction = "$netcov_cast"

func cast(typ, a []token) []token {
	for _, t := range typ {
		if t.kind == name && !slices.Contains([]string{"logic", "bit", "reg", "signed", "unsigned"}, t.text) && !integer([]token{t}) && index(typ, "[") < 0 {
			refuse(t, "leave the type out", "the type %s of an argument is not supported", t.text)
		}
	}
	at := a[0]
	return slices.Concat([]token{{kind: system, text: castFunction, line: at.line, column: at.column, blank: true}, made("(", at)},
		a, []token{made(",", at)}, typ, []token{made(")", at)})
}

// substitute replaces the formal arguments in a body.
func substitute(body []token, bound map[string][]token) []token {
	var out []token
	for i, t := range body {
		if a, ok := bound[t.text]; ok && t.kind == name && (i == 0 || !body[i-1].is(".")) {
			out = append(out, a...)
		} else {
			out = append(out, t)
		}
	}
	return out
}

// instance reads an instance of a property or sequence; nil when none stands here.
func (p *parser) instance() *node {
	at := p.peek()
	if at.kind != name {
		return nil
	}
	in := p.scope
	n := 1
	d := (*decl)(nil)
	if pkg := in.packages[at.text]; pkg != nil && p.ahead(1).is("::") {
		at, n, in = p.ahead(2), 3, pkg
	}
	if d = in.find(at, p.how); d == nil || d.kind == "let" {
		return nil
	}
	if p.ahead(n).is(".") {
		refuse(p.ahead(n+1), "", "the method %s of sequences is not supported", p.ahead(n+1).text)
	}
	p.at += n
	var actual [][]token
	if p.next("(") {
		if !p.next(")") {
			actual = split(p.inParens(), ",")
		}
	}
	// An argument may hold an instance of the same declaration.
	if within := slices.DeleteFunc(slices.Clone(p.names), func(s string) bool { return s != at.text }); len(within) >= maxNested {
		refuse(at, "", "%s %s is recursive, which is not supported", d.kind, at.text)
	}
	p.deeper(at)
	if p.spec.instances++; p.spec.instances > maxInstances {
		refuse(at, "", "an assertion with more than %d instances of named sequences and properties", maxInstances)
	}
	body := substitute(flatten(d.body, p.how), d.bind(at, actual, p.how))
	if len(body) > maxTokens {
		refuse(at, "", "%s grows to more than %d tokens", at.text, maxTokens)
	}
	q := &parser{toks: closeTokens(body, at), scope: d.scope, how: p.how, spec: p.spec, depth: p.depth, names: append(slices.Clip(p.names), at.text)}
	if d.scope.parent == nil || d.scope != p.scope {
		q.scope = &scope{name: d.scope.name, parent: p.scope, decls: d.scope.decls, params: d.scope.params, clockings: d.scope.clockings, packages: p.scope.packages, imports: d.scope.imports, pkg: d.scope.pkg}
	}
	root := q.whole()
	p.depth--
	if d.kind == "sequence" {
		mustBeSequence(root, "in sequence "+at.text)
	}
	return root
}

// maxNested bounds the instances of one declaration within each other.
const maxNested = 10

// maxInstances bounds the instances of one assertion: sequences that hold each other
// twice double at each level.
const maxInstances = 2000

// maxTokens bounds the text of an instance, which nested arguments can double
// at each level.
const maxTokens = 100_000

// expand replaces the instances of let in a boolean expression.
func (p *parser) expand(toks []token) []token {
	for round := 0; ; round++ {
		var out []token
		changed := false
		for i := 0; i < len(toks); i++ {
			t := toks[i]
			var d *decl
			if t.kind == name && (i == 0 || !toks[i-1].is(".")) {
				d = p.scope.find(t, p.how)
			}
			if d == nil || d.kind != "let" {
				out = append(out, t)
				continue
			}
			if round > maxDepth {
				refuse(t, "", "let %s is recursive, which is not supported", t.text)
			}
			var actual [][]token
			if i+1 < len(toks) && toks[i+1].is("(") {
				j := closing(toks, i+1)
				actual = split(toks[i+2:j], ",")
				i = j
			}
			changed = true
			out = append(out, made("(", t))
			out = append(out, substitute(flatten(d.body, p.how), d.bind(t, actual, p.how))...)
			out = append(out, made(")", t))
			if len(out) > maxTokens {
				refuse(t, "", "%s grows to more than %d tokens", t.text, maxTokens)
			}
		}
		if toks = out; !changed {
			return toks
		}
	}
}
