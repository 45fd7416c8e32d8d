// The grammar of a block, which becomes closures (Python Language Reference, chapters 6
// to 8).

package python

import (
	"errors"
	"strings"
)

// maxDepth is how deep expressions and blocks may be nested.
const maxDepth = 200

type parser struct {
	tokens []token
	depth  int
	loops  int
}

func (p *parser) now() token { return p.tokens[0] }

func (p *parser) next() token {
	t := p.tokens[0]
	if t.kind != end {
		p.tokens = p.tokens[1:]
	}
	return t
}

// is reports whether the next token is a word or an operator.
func (p *parser) is(s string) bool {
	t := p.now()
	return (t.kind == op || t.kind == name) && t.text == s
}

func (p *parser) accept(s string) bool {
	if p.is(s) {
		p.next()
		return true
	}
	return false
}

func (p *parser) expect(s string) error {
	if !p.accept(s) {
		return refuse(p.now().line, "%v stands where %q is expected", p.now(), s)
	}
	return nil
}

// deeper counts a level of nesting, until the returned function is called.
func (p *parser) deeper() (func(), error) {
	if p.depth++; p.depth > maxDepth {
		return nil, refuse(p.now().line, "more than %d levels of nesting", maxDepth)
	}
	return func() { p.depth-- }, nil
}

// block reads statements up to the end of a block.
func (p *parser) block(last kind) ([]statement, error) {
	up, err := p.deeper()
	if err != nil {
		return nil, err
	}
	defer up()
	var all []statement
	for p.now().kind != last {
		if p.now().kind == newline {
			p.next()
			continue
		}
		s, err := p.statement()
		if err != nil {
			return nil, err
		}
		all = append(all, s...)
	}
	p.next()
	return all, nil
}

// body reads what follows a colon: a block, or statements on the same line.
func (p *parser) body() ([]statement, error) {
	if err := p.expect(":"); err != nil {
		return nil, err
	}
	if p.now().kind != newline {
		return p.simple()
	}
	p.next()
	if p.now().kind != indent {
		return nil, refuse(p.now().line, "an indented line is expected")
	}
	p.next()
	return p.block(dedent)
}

func (p *parser) statement() ([]statement, error) {
	var s statement
	var err error
	switch {
	case p.is("if"):
		s, err = p.conditional()
	case p.is("for"):
		s, err = p.loop()
	case p.is("with"):
		s, err = p.with()
	default:
		return p.simple()
	}
	return []statement{s}, err
}

// simple reads the statements of a line, with semicolons between them.
func (p *parser) simple() ([]statement, error) {
	var all []statement
	for p.now().kind != newline {
		s, err := p.small()
		if err != nil {
			return nil, err
		}
		all = append(all, s)
		if !p.accept(";") && p.now().kind != newline {
			return nil, refuse(p.now().line, "%v is not expected here", p.now())
		}
	}
	p.next()
	return all, nil
}

// refused are the words of Python that this package does not read. Names that begin a
// statement of Python would else be told as names without a value.
var refused = map[string]bool{
	"and": true, "as": true, "assert": true, "async": true, "await": true, "class": true, "def": true, "del": true, "elif": true,
	"else": true, "except": true, "exec": true, "finally": true, "from": true, "global": true, "in": true, "is": true, "lambda": true, "nonlocal": true,
	"or": true, "raise": true, "return": true, "try": true, "while": true, "with": true, "yield": true, "for": true, "if": true, "import": true,
	"pass": true, "break": true, "continue": true, "not": true,
}

var errBreak, errContinue = errors.New("break"), errors.New("continue")

func (p *parser) small() (statement, error) {
	t := p.now()
	switch {
	case p.accept("pass"):
		return func(*machine) error { return nil }, nil
	case (p.is("break") || p.is("continue")) && p.loops > 0:
		stop := errBreak
		if p.next().text == "continue" {
			stop = errContinue
		}
		return func(*machine) error { return stop }, nil
	case p.accept("import"):
		if m := p.next(); m.text != "os" || p.now().kind != newline && !p.is(";") {
			return nil, refuse(t.line, "import %s is not in the part of Python that is read", m.text)
		}
		return func(m *machine) error { m.names["os"] = module("os"); return nil }, nil
	}
	if t.kind == name && len(p.tokens) > 1 && p.tokens[1].kind == op && (p.tokens[1].text == "=" || p.tokens[1].text == "+=") {
		return p.assignment()
	}
	e, err := p.expression()
	if err != nil {
		return nil, err
	}
	return func(m *machine) error { _, err := e(m); return err }, nil
}

// variable reads a name that may be assigned.
func (p *parser) variable() (string, error) {
	t := p.next()
	_, builtin := functions[t.text]
	switch {
	case t.kind != name:
		return "", refuse(t.line, "%v stands where a name is expected", t)
	case builtin || refused[t.text] || t.text == "True" || t.text == "False" || t.text == "None":
		return "", refuse(t.line, "an assignment to %s is not in the part of Python that is read", t.text)
	}
	return t.text, nil
}

func (p *parser) assignment() (statement, error) {
	line := p.now().line
	v, err := p.variable()
	if err != nil {
		return nil, err
	}
	add := p.next().text == "+="
	e, err := p.expression()
	if err != nil {
		return nil, err
	}
	return func(m *machine) error {
		old, known := m.names[v]
		if add && !known {
			return refuse(line, "the name %s has no value", v)
		}
		x, err := e(m)
		if err != nil {
			return err
		}
		if add {
			if _, ok := old.(list); ok {
				return refuse(line, "list += is not in the part of Python that is read")
			}
			if x, err = m.binary(line, "+", old, x); err != nil {
				return err
			}
		}
		m.names[v] = x
		return m.spend(line, 0)
	}, nil
}

// conditional reads if, elif and else.
func (p *parser) conditional() (statement, error) {
	up, err := p.deeper()
	if err != nil {
		return nil, err
	}
	defer up()
	p.next()
	test, err := p.expression()
	if err != nil {
		return nil, err
	}
	yes, err := p.body()
	if err != nil {
		return nil, err
	}
	var no []statement
	switch {
	case p.is("elif"):
		s, err := p.conditional()
		if err != nil {
			return nil, err
		}
		no = []statement{s}
	case p.accept("else"):
		if no, err = p.body(); err != nil {
			return nil, err
		}
	}
	return func(m *machine) error {
		v, err := test(m)
		switch {
		case err != nil:
			return err
		case truth(v):
			return m.run(yes)
		}
		return m.run(no)
	}, nil
}

func (p *parser) loop() (statement, error) {
	line := p.next().line
	v, err := p.variable()
	if err != nil {
		return nil, err
	}
	if err := p.expect("in"); err != nil {
		return nil, err
	}
	over, err := p.expression()
	if err != nil {
		return nil, err
	}
	p.loops++
	body, err := p.body()
	p.loops--
	switch {
	case err != nil:
		return nil, err
	case p.is("else"):
		return nil, refuse(p.now().line, "else after a loop is not in the part of Python that is read")
	}
	return func(m *machine) error {
		items, err := over(m)
		if err != nil {
			return err
		}
		if err := m.spend(line, size(items)); err != nil {
			return err
		}
		err = m.each(line, items, func(item value) error {
			m.names[v] = item
			if err := m.spend(line, 0); err != nil {
				return err
			}
			if err := m.run(body); !errors.Is(err, errContinue) {
				return err
			}
			return nil
		})
		if errors.Is(err, errBreak) {
			return nil
		}
		return err
	}, nil
}

// with reads with open(…) as NAME.
func (p *parser) with() (statement, error) {
	line := p.next().line
	e, err := p.expression()
	if err != nil {
		return nil, err
	}
	if err := p.expect("as"); err != nil {
		return nil, err
	}
	v, err := p.variable()
	if err != nil {
		return nil, err
	}
	body, err := p.body()
	if err != nil {
		return nil, err
	}
	return func(m *machine) error {
		x, err := e(m)
		if err != nil {
			return err
		}
		f, ok := x.(*file)
		if !ok {
			return refuse(line, "with of a %s is not in the part of Python that is read", typeName(x))
		}
		m.names[v] = f
		return m.run(body)
	}, nil
}

// expression reads a conditional expression, or what it consists of.
func (p *parser) expression() (expression, error) {
	up, err := p.deeper()
	if err != nil {
		return nil, err
	}
	defer up()
	e, err := p.either("or")
	if err != nil || !p.accept("if") {
		return e, err
	}
	test, err := p.either("or")
	if err != nil {
		return nil, err
	}
	if err := p.expect("else"); err != nil {
		return nil, err
	}
	no, err := p.expression()
	if err != nil {
		return nil, err
	}
	return func(m *machine) (value, error) {
		v, err := test(m)
		switch {
		case err != nil:
			return nil, err
		case truth(v):
			return e(m)
		}
		return no(m)
	}, nil
}

// either reads operands of or, and those of and within them.
func (p *parser) either(word string) (expression, error) {
	operand := p.negation
	if word == "or" {
		operand = func() (expression, error) { return p.either("and") }
	}
	e, err := operand()
	for err == nil && p.accept(word) {
		var right expression
		left := e
		if right, err = operand(); err != nil {
			break
		}
		e = func(m *machine) (value, error) {
			v, err := left(m)
			if err != nil || truth(v) == (word == "or") {
				return v, err
			}
			return right(m)
		}
	}
	return e, err
}

func (p *parser) negation() (expression, error) {
	if !p.accept("not") {
		return p.comparison()
	}
	up, err := p.deeper()
	if err != nil {
		return nil, err
	}
	defer up()
	e, err := p.negation()
	if err != nil {
		return nil, err
	}
	return func(m *machine) (value, error) {
		v, err := e(m)
		return !truth(v), err
	}, nil
}

// comparator returns the operator of a comparison that comes next, "" where none does.
func (p *parser) comparator() string {
	switch t := p.now(); {
	case p.is("not") && len(p.tokens) > 1 && p.tokens[1].text == "in":
		p.next()
		p.next()
		return "not in"
	case t.kind == op && strings.Contains(" == != < <= > >= ", " "+t.text+" "), p.is("in"):
		return p.next().text
	}
	return ""
}

func (p *parser) comparison() (expression, error) {
	e, err := p.chain(0)
	if err != nil {
		return nil, err
	}
	line := p.now().line
	operator := p.comparator()
	if operator == "" {
		return e, nil
	}
	right, err := p.chain(0)
	if err != nil {
		return nil, err
	}
	if p.comparator() != "" {
		return nil, refuse(line, "a chain of comparisons is not in the part of Python that is read")
	}
	return operation(line, operator, e, right), nil
}

func operation(line int, operator string, left, right expression) expression {
	return func(m *machine) (value, error) {
		a, err := left(m)
		if err != nil {
			return nil, err
		}
		b, err := right(m)
		if err != nil {
			return nil, err
		}
		return m.binary(line, operator, a, b)
	}
}

// levels are the operators between operands, the loosest first.
var levels = []string{" + - ", " * // % "}

// chain reads operands with operators of a level between them.
func (p *parser) chain(level int) (expression, error) {
	if level == len(levels) {
		return p.sign()
	}
	e, err := p.chain(level + 1)
	for err == nil && p.now().kind == op && strings.Contains(levels[level], " "+p.now().text+" ") {
		t := p.next()
		var right expression
		if right, err = p.chain(level + 1); err == nil {
			e = operation(t.line, t.text, e, right)
		}
	}
	return e, err
}

func (p *parser) sign() (expression, error) {
	if !p.is("-") {
		return p.primary()
	}
	line := p.next().line
	up, err := p.deeper()
	if err != nil {
		return nil, err
	}
	defer up()
	e, err := p.sign()
	return operation(line, "-", func(*machine) (value, error) { return 0, nil }, e), err
}

// primary reads an atom and the calls and indices behind it.
func (p *parser) primary() (expression, error) {
	e, err := p.atom()
	for err == nil {
		line := p.now().line
		switch {
		case p.accept("."):
			n := p.next()
			if n.kind != name || !p.is("(") {
				return nil, refuse(line, "the attribute .%s is not in the part of Python that is read", n.text)
			}
			receiver := e
			var args []expression
			if args, err = p.arguments(); err != nil {
				return nil, err
			}
			e = func(m *machine) (value, error) {
				v, err := receiver(m)
				if err != nil {
					return nil, err
				}
				f, err := method(line, v, n.text)
				if err != nil {
					return nil, err
				}
				return m.call(line, n.text, f, append([]expression{func(*machine) (value, error) { return v, nil }}, args...))
			}
		case p.accept("["):
			var at expression
			if at, err = p.expression(); err != nil {
				return nil, err
			}
			if err := p.expect("]"); err != nil {
				return nil, err
			}
			e = index(line, e, at)
		case p.is("("):
			return nil, refuse(line, "a call of a value is not in the part of Python that is read")
		default:
			return e, nil
		}
	}
	return e, err
}

// arguments reads those of a call.
func (p *parser) arguments() ([]expression, error) {
	if err := p.expect("("); err != nil {
		return nil, err
	}
	all, _, err := p.list(")")
	return all, err
}

// list reads expressions with commas between them, up to a bracket; comma reports
// whether there was one.
func (p *parser) list(closing string) (all []expression, comma bool, err error) {
	for !p.accept(closing) {
		e, err := p.expression()
		if err != nil {
			return nil, false, err
		}
		all = append(all, e)
		if p.accept(",") {
			comma = true
			continue
		}
		if !p.is(closing) {
			return nil, false, refuse(p.now().line, "%v stands where %q is expected", p.now(), closing)
		}
	}
	return all, comma, nil
}

// evaluate computes expressions in their order.
func (m *machine) evaluate(line int, all []expression) ([]value, error) {
	values := make([]value, len(all))
	for i, e := range all {
		v, err := e(m)
		if err != nil {
			return nil, err
		}
		values[i] = v
	}
	return values, m.spend(line, 16*len(all))
}

func (m *machine) call(line int, shown string, f function, args []expression) (value, error) {
	values, err := m.evaluate(line, args)
	if err != nil {
		return nil, err
	}
	cost := 0
	for _, v := range values {
		cost += size(v)
	}
	if err := m.spend(line, cost); err != nil {
		return nil, err
	}
	return f(m, call{line, shown, values})
}

// index is e[at].
func index(line int, e, at expression) expression {
	return func(m *machine) (value, error) {
		v, err := e(m)
		if err != nil {
			return nil, err
		}
		i, err := at(m)
		if err != nil {
			return nil, err
		}
		var items []value
		switch v := v.(type) {
		case list:
			items = v
		case tuple:
			items = v
		}
		n, ok := i.(int)
		if ok && n < 0 {
			n += len(items)
		}
		if !ok || n < 0 || n >= len(items) {
			return nil, refuse(line, "an index of a %s that is none, or is not in the part of Python that is read", typeName(v))
		}
		return items[n], nil
	}
}

func (p *parser) atom() (expression, error) {
	t := p.next()
	switch {
	case t.kind == number:
		v := 0
		for _, d := range t.text {
			v = 10*v + int(d-'0')
		}
		return constant(t.line, v), nil
	case t.kind == text || t.kind == format:
		return p.strings(t)
	case t.kind == name:
		return p.named(t)
	case t.text == "(" && t.kind == op:
		all, comma, err := p.list(")")
		switch {
		case err != nil:
			return nil, err
		case len(all) == 1 && !comma:
			return all[0], nil
		}
		return func(m *machine) (value, error) {
			v, err := m.evaluate(t.line, all)
			return tuple(v), err
		}, nil
	case t.text == "[" && t.kind == op:
		all, _, err := p.list("]")
		return func(m *machine) (value, error) {
			v, err := m.evaluate(t.line, all)
			return list(v), err
		}, err
	}
	return nil, refuse(t.line, "%v is not expected here", t)
}

func constant(line int, v value) expression {
	return func(m *machine) (value, error) { return v, m.spend(line, 0) }
}

// named reads a name, or a call of a function.
func (p *parser) named(t token) (expression, error) {
	switch t.text {
	case "True", "False":
		return constant(t.line, t.text == "True"), nil
	case "None":
		return constant(t.line, nil), nil
	}
	if refused[t.text] {
		return nil, refuse(t.line, "%s is not in the part of Python that is read here", t.text)
	}
	f, builtin := functions[t.text]
	switch {
	case p.is("(") && !builtin:
		return nil, refuse(t.line, "the function %s is not in the part of Python that is read", t.text)
	case p.is("("):
		args, err := p.arguments()
		if err != nil {
			return nil, err
		}
		return func(m *machine) (value, error) { return m.call(t.line, t.text, f, args) }, nil
	case builtin:
		return nil, refuse(t.line, "the function %s without a call is not in the part of Python that is read", t.text)
	}
	return func(m *machine) (value, error) {
		v, known := m.names[t.text]
		if !known {
			return nil, refuse(t.line, "the name %s has no value", t.text)
		}
		return v, m.spend(t.line, 0)
	}, nil
}

// strings reads a string and those that follow it, which Python joins.
func (p *parser) strings(t token) (expression, error) {
	var parts []expression
	for {
		if t.kind == text {
			parts = append(parts, constant(t.line, t.text))
		} else {
			more, err := p.fields(t)
			if err != nil {
				return nil, err
			}
			parts = append(parts, more...)
		}
		if k := p.now().kind; k != text && k != format {
			break
		}
		t = p.next()
	}
	if len(parts) == 1 {
		return parts[0], nil
	}
	return func(m *machine) (value, error) {
		var all []string
		for _, e := range parts {
			v, err := e(m)
			if err != nil {
				return nil, err
			}
			all = append(all, v.(string))
		}
		return m.join(t.line, "", all)
	}, nil
}

// fields takes an f-string apart: its texts, and its fields as texts.
func (p *parser) fields(t token) ([]expression, error) {
	var parts []expression
	rest := t.text
	for {
		before, after, found := strings.Cut(rest, "{")
		if strings.Contains(before, "}") || strings.HasPrefix(after, "{") {
			return nil, refuse(t.line, "a brace in an f-string that begins no field is not in the part of Python that is read")
		}
		parts = append(parts, constant(t.line, before))
		if !found {
			return parts, nil
		}
		inner, after, found := strings.Cut(after, "}")
		if !found {
			return nil, refuse(t.line, "a field of an f-string has no end")
		}
		tokens, err := lex(strings.TrimSpace(inner))
		if err != nil {
			return nil, refuse(t.line, "the field {%s} of an f-string: %v", inner, err)
		}
		field := &parser{tokens: tokens, depth: p.depth}
		e, err := field.expression()
		if err == nil && field.now().kind != newline {
			err = refuse(t.line, "%v is not expected here", field.now())
		}
		if err != nil {
			return nil, refuse(t.line, "the field {%s} of an f-string: %v", inner, err)
		}
		parts = append(parts, func(m *machine) (value, error) {
			v, err := e(m)
			if err != nil {
				return nil, refuse(t.line, "the field {%s} of an f-string: %v", inner, err)
			}
			shown, ok := show(v)
			if !ok {
				return nil, refuse(t.line, "the text of a %s is not in the part of Python that is read", typeName(v))
			}
			return shown, nil
		})
		rest = after
	}
}
