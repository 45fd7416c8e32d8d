// The parser of property specifications: IEEE 1800-2017, annex A.2.10, with the
// precedence of table 16-3. A boolean expression is the longest run of tokens that
// no operator of sequences or properties ends.

package sva

import "slices"

// keywords that end a boolean expression.
var operatorWords = map[string]bool{
	"and": true, "or": true, "not": true, "intersect": true, "within": true, "throughout": true, "first_match": true,
	"until": true, "s_until": true, "until_with": true, "s_until_with": true, "implies": true, "iff": true,
	"always": true, "s_always": true, "eventually": true, "s_eventually": true, "nexttime": true, "s_nexttime": true,
	"strong": true, "weak": true, "accept_on": true, "reject_on": true, "sync_accept_on": true, "sync_reject_on": true,
	"if": true, "else": true, "case": true, "endcase": true, "disable": true, "default": true,
}

var operatorSymbols = map[string]bool{
	"##": true, "|->": true, "|=>": true, "#-#": true, "#=#": true, "@": true,
}

// binary operators of boolean expressions: none may follow a sequence.
var booleanSymbols = map[string]bool{
	"&&": true, "||": true, "==": true, "!=": true, "===": true, "!==": true, "<": true, ">": true, "<=": true, ">=": true,
	"+": true, "-": true, "*": true, "/": true, "%": true, "&": true, "|": true, "^": true, "?": true, "<<": true, ">>": true,
	"->": true, "<->": true, "**": true, "~^": true, "^~": true, "<<<": true, ">>>": true, "==?": true, "!=?": true, "inside": true,
}

// maxDepth bounds instances within instances, and brackets within brackets.
const maxDepth = 100

// maxOperands bounds the boolean expressions of one assertion, and so its operators.
const maxOperands = 20_000

// parser reads the tokens of one specification, or of an instance's body.
type parser struct {
	toks  []token // the last is of kind end
	at    int
	scope *scope
	how   choice // the branches of `ifdef
	spec  *spec
	depth int
	names []string // of the instances that are being read
}

func (p *parser) peek() token { return p.toks[p.at] }

func (p *parser) ahead(n int) token { return p.toks[min(p.at+n, len(p.toks)-1)] }

func (p *parser) take() token {
	t := p.peek()
	if t.kind != end {
		p.at++
	}
	return t
}

func (p *parser) next(s string) bool {
	if p.peek().is(s) {
		p.at++
		return true
	}
	return false
}

func (p *parser) want(s string) token {
	t := p.peek()
	if !t.is(s) {
		refuse(t, "", "%q is expected here, not %s", s, show(t))
	}
	return p.take()
}

func show(t token) string {
	if t.kind == end {
		return "the end"
	}
	return `"` + t.text + `"`
}

// parseSpec reads the text between the parentheses of an assertion.
func parseSpec(toks []token, s *scope, how choice) *spec {
	p := &parser{toks: toks, scope: s, how: how, spec: &spec{}}
	p.spec.body = p.whole()
	if l := p.spec.limited; l != nil && l != p.spec.body { // 16.12.1
		refuse(p.spec.keyword, "write it in the assertion itself", "this disable iff belongs to a property that is the operand of %s", p.spec.body.at.text)
	}
	return p.spec
}

// whole reads [clocking event] [disable iff (…)] property, up to the end.
func (p *parser) whole() *node {
	for p.peek().is("@") {
		p.clocking()
	}
	limits := p.peek()
	if p.next("disable") {
		p.want("iff")
		p.want("(")
		if p.spec.disable != nil {
			refuse(limits, "keep one", "two disable iff in one assertion")
		}
		p.spec.disable = p.inParens()
	}
	if p.declares() {
		refuse(p.peek(), "", "local variables are not supported")
	}
	n := p.property()
	if limits.is("disable") && len(p.names) > 0 {
		p.spec.limited, p.spec.keyword = n, limits
	}
	p.next(";")
	if t := p.peek(); t.kind != end {
		if t.is(",") || t.is("=") {
			refuse(t, "", "local variables are not supported")
		}
		refuse(t, "", "the property should end before %s", show(t))
	}
	return n
}

// declares reports whether a declaration of a local variable begins here: two names in
// a row, or a built-in type before its range.
func (p *parser) declares() bool {
	t, next := p.peek(), p.ahead(1)
	if t.kind == name && next.is("::") {
		t, next = p.ahead(2), p.ahead(3)
	}
	if t.kind != name || operatorWords[t.text] {
		return false
	}
	if next.is("[") {
		return slices.Contains([]string{"logic", "bit", "reg"}, t.text)
	}
	return next.kind == name && !operatorWords[next.text] && !slices.Contains([]string{"inside", "dist", "matches"}, next.text)
}

// deeper refuses specifications that are nested too deep.
func (p *parser) deeper(at token) {
	if p.depth++; p.depth <= maxDepth {
		return
	}
	for i, n := range p.names {
		if slices.Contains(p.names[:i], n) {
			refuse(at, "", "%s is recursive, which is not supported", n)
		}
	}
	refuse(at, "", "nested more than %d deep", maxDepth)
}

// inParens returns the tokens up to the closing bracket, and passes it.
func (p *parser) inParens() []token {
	from := p.at
	to := p.closing(p.at - 1)
	p.at = to + 1
	if to == from {
		refuse(p.toks[to], "", "an expression is expected here")
	}
	return p.toks[from:to]
}

// closing returns the index of the bracket that closes the one at i.
func (p *parser) closing(i int) int {
	j := closing(p.toks, i)
	if j < 0 {
		refuse(p.toks[i], "", "this bracket is not closed")
	}
	return j
}

var closer = map[string]string{"(": ")", "[": "]", "{": "}"}

// closing returns the index of the bracket that closes that at i, or -1.
func closing(toks []token, i int) int {
	var open []string
	for ; i < len(toks); i++ {
		t := toks[i]
		if t.kind != symbol {
			continue
		}
		if c := closer[t.text]; c != "" {
			open = append(open, c)
		} else if t.text == ")" || t.text == "]" || t.text == "}" {
			if open[len(open)-1] != t.text {
				return -1
			}
			if open = open[:len(open)-1]; len(open) == 0 {
				return i
			}
		}
	}
	return -1
}

// clocking reads @(event) or @name. All of one assertion must be equal.
func (p *parser) clocking() {
	at := p.take()
	var event []token
	if p.next("(") {
		event = p.inParens()
	} else if t := p.take(); t.kind == name {
		event = []token{t}
	} else {
		refuse(t, "", "an event is expected after @")
	}
	event = p.scope.clock(event, p.how)
	if p.spec.clock != nil && join(p.spec.clock) != join(event) {
		refuse(at, "use one clock in an assertion", "two clocks (%s and %s): properties of several clocks are not supported", join(p.spec.clock), join(event))
	}
	p.spec.clock = event
}

// property reads at the lowest precedence: implications, to the right.
func (p *parser) property() *node {
	p.deeper(p.peek())
	defer func() { p.depth-- }()
	left := p.until()
	ops := map[string]op{"|->": opOverlap, "|=>": opNonoverlap, "#-#": opFollows, "#=#": opFollowsLater}
	o, ok := ops[p.peek().text]
	if !ok || p.peek().kind != symbol {
		return left
	}
	at := p.take()
	mustBeSequence(left, "before "+at.text)
	return &node{op: o, at: at, kids: []*node{left, p.property()}}
}

func mustBeSequence(n *node, where string) {
	if !n.sequence() {
		refuse(n.at, "", "a sequence is expected %s, not a property", where)
	}
}

func (p *parser) until() *node {
	left := p.iff()
	at := p.peek()
	n := &node{at: at, kids: []*node{left}}
	switch at.text {
	case "until":
		n.op = opUntil
	case "s_until":
		n.op, n.strong = opUntil, true
	case "until_with":
		n.op = opUntilWith
	case "s_until_with":
		n.op, n.strong = opUntilWith, true
	case "implies":
		n.op = opImplies
	default:
		return left
	}
	p.take()
	n.kids = append(n.kids, p.until())
	return n
}

func (p *parser) iff() *node {
	left := p.left("or", opOr, func() *node {
		return p.left("and", opAnd, p.unary)
	})
	if at := p.peek(); p.next("iff") {
		return &node{op: opIff, at: at, kids: []*node{left, p.iff()}}
	}
	return left
}

// left reads operands joined by a word, to the left.
func (p *parser) left(word string, o op, operand func() *node) *node {
	n := operand()
	for {
		at := p.peek()
		if !p.next(word) {
			return n
		}
		n = &node{op: o, at: at, kids: []*node{n, operand()}}
	}
}

func (p *parser) unary() *node {
	p.deeper(p.peek())
	defer func() { p.depth-- }()
	at := p.peek()
	switch at.text {
	case "not":
		p.take()
		return &node{op: opNot, at: at, kids: []*node{p.unary()}}
	case "nexttime", "s_nexttime":
		p.take()
		n := &node{op: opNext, at: at, lo: 1, strong: at.text[0] == 's'}
		if p.next("[") {
			n.lo = p.constant()
			p.want("]")
		}
		n.kids = []*node{p.unary()}
		return n
	}
	return p.left("intersect", opIntersect, func() *node {
		return p.left("within", opWithin, p.throughout)
	}).checked()
}

// checked refuses properties inside of sequences.
func (n *node) checked() *node {
	if n.op == opIntersect || n.op == opWithin {
		for _, k := range n.kids {
			mustBeSequence(k, "beside "+n.at.text)
			k.checked()
		}
	}
	return n
}

func (p *parser) throughout() *node {
	left := p.delay()
	at := p.peek()
	if !p.next("throughout") {
		return left
	}
	if left.op != opBool {
		refuse(left.at, "", "a boolean expression is expected before throughout")
	}
	right := p.throughout()
	mustBeSequence(right, "after throughout")
	return &node{op: opThroughout, at: at, kids: []*node{left, right}}
}

// delay reads a ##1 b ##[1:2] c.
func (p *parser) delay() *node {
	var n *node
	if !p.peek().is("##") {
		n = p.repeat()
	}
	for {
		at := p.peek()
		if !p.next("##") {
			return n
		}
		d := &node{op: opDelay, at: at}
		switch {
		case p.next("["):
			d.lo, d.hi = p.bounds(true)
		default:
			d.lo = p.constantPrimary()
			d.hi = d.lo
		}
		right := p.repeat()
		mustBeSequence(right, "after ##")
		if n != nil {
			mustBeSequence(n, "before ##")
		}
		d.kids = []*node{n, right}
		n = d
	}
}

// bounds reads m, m:n, m:$, and * and + where short forms are allowed, and the
// closing bracket.
func (p *parser) bounds(short bool) (lo, hi int) {
	if short {
		if p.peek().is("*") && p.ahead(1).is("]") {
			p.at += 2
			return 0, unbounded
		}
		if p.peek().is("+") && p.ahead(1).is("]") {
			p.at += 2
			return 1, unbounded
		}
	}
	at := p.peek()
	lo = p.constant()
	hi = lo
	if p.next(":") {
		if p.dollar() {
			hi = unbounded
		} else if hi = p.constant(); hi < lo {
			refuse(at, "", "the range %d:%d is empty", lo, hi)
		}
	}
	p.want("]")
	return lo, hi
}

// dollar reads $, which is in parentheses when it was an argument.
func (p *parser) dollar() bool {
	n := 0
	for p.ahead(n).is("(") {
		n++
	}
	if !p.ahead(n).is("$") {
		return false
	}
	for i := 1; i <= n; i++ {
		if !p.ahead(n + i).is(")") {
			return false
		}
	}
	p.at += 2*n + 1
	return true
}

// repetition reports whether [*, [+], [-> or [= stands at index i.
func repetition(toks []token, i int) bool {
	if !toks[i].is("[") || i+1 >= len(toks) {
		return false
	}
	t := toks[i+1]
	return t.is("*") || t.is("->") || t.is("=") || t.is("+") && i+2 < len(toks) && toks[i+2].is("]")
}

func (p *parser) repeat() *node {
	n := p.primary()
	if !repetition(p.toks, p.at) {
		return n
	}
	at := p.take()
	r := &node{at: at, kids: []*node{n}}
	switch kind := p.peek().text; kind {
	case "*":
		r.op = opRepeat
		if p.ahead(1).is("]") {
			r.lo, r.hi = p.bounds(true)
			break
		}
		p.take()
		r.lo, r.hi = p.bounds(false)
	case "+":
		r.op = opRepeat
		r.lo, r.hi = p.bounds(true)
	default:
		p.take()
		r.op = opGoto
		if kind == "=" {
			r.op = opNonconsec
		}
		if n.op != opBool {
			refuse(n.at, "", "[%s repeats a boolean expression, not a sequence", kind)
		}
		r.lo, r.hi = p.bounds(false)
	}
	mustBeSequence(n, "before a repetition")
	if repetition(p.toks, p.at) {
		refuse(p.peek(), "put the first in parentheses", "two repetitions in a row")
	}
	return r
}

// primary reads an operand: a bracketed sequence or property, an operator that
// stands before its operand, an instance, or a boolean expression.
func (p *parser) primary() *node {
	at := p.peek()
	switch at.text {
	case "(":
		if p.temporal(p.at+1, p.closing(p.at)) {
			p.take()
			n := p.property()
			if p.peek().is(",") || p.peek().is("=") {
				refuse(p.peek(), "", "local variables and calls in a sequence are not supported")
			}
			p.want(")")
			return p.closed(n)
		}
	case "first_match", "strong", "weak":
		p.take()
		p.want("(")
		n := p.property()
		if p.peek().is(",") {
			refuse(p.peek(), "", "local variables and calls in a sequence are not supported")
		}
		p.want(")")
		mustBeSequence(n, "in "+at.text)
		o := map[string]op{"first_match": opFirstMatch, "strong": opStrong, "weak": opWeak}[at.text]
		return p.closed(&node{op: o, at: at, kids: []*node{n}})
	case "always", "s_always", "eventually", "s_eventually":
		return p.bounded()
	case "accept_on", "reject_on", "sync_accept_on", "sync_reject_on":
		p.take()
		p.want("(")
		o := opAcceptOn
		if at.text == "reject_on" || at.text == "sync_reject_on" {
			o = opRejectOn
		}
		cond := p.boolean(p.inParens())
		return &node{op: o, at: at, kids: []*node{cond, p.property()}}
	case "if":
		p.take()
		p.want("(")
		n := &node{op: opIf, at: at, kids: []*node{p.boolean(p.inParens()), p.property(), nil}}
		if p.next("else") {
			n.kids[2] = p.property()
		}
		return n
	case "case":
		return p.cases()
	case "not", "nexttime", "s_nexttime":
		refuse(at, "put it in parentheses", "%s is no operand of this operator", at.text)
	case "@":
		p.clocking()
		return p.property()
	case "disable":
		refuse(at, "put it first", "disable iff stands inside of a property")
	}
	if n := p.instance(); n != nil {
		return p.closed(n)
	}
	return p.leaf()
}

// closed refuses an operator of boolean expressions after a sequence.
func (p *parser) closed(n *node) *node {
	if t := p.peek(); t.kind != text && booleanSymbols[t.text] {
		refuse(t, "use and, or, not", "%s joins boolean expressions, but a sequence or property stands before it", t.text)
	}
	return n
}

func (p *parser) bounded() *node {
	at := p.take()
	n := &node{op: opAlways, at: at, hi: unbounded, strong: at.text[0] == 's'}
	if at.text == "eventually" || at.text == "s_eventually" {
		n.op = opEventually
	}
	if p.peek().is("[") {
		p.take()
		n.lo, n.hi = p.bounds(false)
	} else if at.text == "eventually" || at.text == "s_always" {
		refuse(at, "", "%s needs a range", at.text)
	}
	weakEventually := at.text == "eventually"
	if (weakEventually || at.text == "s_always") && n.hi == unbounded {
		refuse(at, "", "the range of %s must be bounded", at.text)
	}
	n.kids = []*node{p.property()}
	return n
}

// cases reads case (e) a, b: p; default: q; endcase as nested if else.
func (p *parser) cases() *node {
	at := p.take()
	p.want("(")
	on := p.inParens()
	var root *node
	last := &root
	var other *node
	for !p.next("endcase") {
		if p.next("default") {
			p.next(":")
			other = p.property()
			p.next(";")
			continue
		}
		var cond []token
		for {
			item := p.upTo(":", ",")
			if len(item) == 0 {
				refuse(p.peek(), "", "a case item is expected here")
			}
			if cond != nil {
				cond = append(cond, made("||", at))
			}
			cond = append(cond, made("(", at), made("(", at))
			cond = append(cond, on...)
			cond = append(cond, made(")", at), made("===", at), made("(", at))
			cond = append(cond, item...)
			cond = append(cond, made(")", at), made(")", at))
			if p.take().is(":") {
				break
			}
		}
		n := &node{op: opIf, at: at, kids: []*node{p.boolean(cond), p.property(), nil}}
		p.next(";")
		*last = n
		last = &n.kids[2]
	}
	*last = other
	if root == nil {
		refuse(at, "", "this case has no item")
	}
	return root
}

func made(s string, at token) token {
	return token{kind: symbol, text: s, line: at.line, column: at.column, blank: true}
}

// upTo returns the tokens before one of two symbols outside of brackets, without
// passing the symbol.
func (p *parser) upTo(a, b string) []token {
	from := p.at
	for pending := 0; ; {
		t := p.peek()
		switch {
		case t.kind == end:
			refuse(t, "", "%q is expected before the end", a)
		case t.is("?"):
			pending++
		case t.is(":") && pending > 0:
			pending--
		case t.is(a) || t.is(b):
			return p.toks[from:p.at]
		case closer[t.text] != "" && t.kind == symbol:
			p.at = p.closing(p.at)
		}
		p.at++
	}
}

// temporal reports whether the tokens of a bracket make it a sequence or property.
func (p *parser) temporal(from, to int) bool {
	depth := 0
	for i := from; i < to; i++ {
		t := p.toks[i]
		switch {
		case t.kind == symbol && operatorSymbols[t.text], t.kind == name && operatorWords[t.text], repetition(p.toks, i):
			return true
		case t.is("("), t.is("{"), t.is("["):
			depth++
		case t.is(")"), t.is("}"), t.is("]"):
			depth--
		case depth == 0 && (t.is(",") || t.is("=")):
			return true
		case t.kind == name && (i == 0 || !p.toks[i-1].is(".")):
			if d := p.scope.find(t, p.how); d != nil && d.kind != "let" {
				return true
			}
		}
	}
	return false
}

// boolean makes a boolean expression of tokens that must hold nothing else.
func (p *parser) boolean(toks []token) *node {
	q := *p
	q.toks = append(append([]token(nil), toks...), token{kind: end, line: p.peek().line, column: p.peek().column})
	q.at = 0
	n := q.leaf()
	if t := q.peek(); t.kind != end {
		refuse(t, "", "a boolean expression is expected, and %s cannot stand in it", show(t))
	}
	return n
}

// leaf reads a boolean expression.
func (p *parser) leaf() *node {
	from := p.at
	pending := 0 // ? without :
loop:
	for {
		t := p.peek()
		switch {
		case t.kind == end, t.kind == name && operatorWords[t.text], t.kind == symbol && operatorSymbols[t.text], repetition(p.toks, p.at):
			break loop
		case t.is(")"), t.is("]"), t.is("}"), t.is(","), t.is(";"):
			break loop
		case t.is("?"):
			pending++
		case t.is(":"):
			if pending == 0 {
				break loop
			}
			pending--
		case t.is("="), t.is("++"), t.is("--"), t.is("+="), t.is("-="):
			refuse(t, "", "assignments to local variables are not supported")
		case t.is("dist"):
			refuse(t, "", "dist is not supported")
		case t.is("("), t.is("["), t.is("{"):
			to := p.closing(p.at)
			call := p.at > from && p.toks[p.at-1].kind == system // $past may name a clock
			for i := p.at; i < to; i++ {
				if !call || !p.toks[i].is("@") {
					p.plain(i)
				}
			}
			p.at = to
		}
		p.plain(p.at)
		p.at++
	}
	if p.at == from {
		refuse(p.peek(), "", "an expression is expected here, not %s", show(p.peek()))
	}
	if p.spec.operands++; p.spec.operands > maxOperands {
		refuse(p.toks[from], "write several assertions", "an assertion with more than %d operands", maxOperands)
	}
	return &node{op: opBool, at: p.toks[from], toks: p.expand(p.toks[from:p.at])}
}

// plain refuses what cannot stand in a boolean expression.
func (p *parser) plain(i int) {
	t := p.toks[i]
	switch {
	case t.kind == symbol && operatorSymbols[t.text], t.kind == name && operatorWords[t.text], repetition(p.toks, i):
		refuse(t, "", "%s stands inside of a boolean expression", t.text)
	case t.kind != name:
	case i > 0 && p.toks[i-1].is("."):
		if t.text == "triggered" || t.text == "matched" || t.text == "ended" {
			refuse(t, "", "the method %s of sequences is not supported", t.text)
		}
	default:
		if d := p.scope.find(t, p.how); d != nil && d.kind != "let" && !(i+1 < len(p.toks) && p.toks[i+1].is(".")) {
			refuse(t, "use and, or, not", "the %s %s stands inside of a boolean expression", d.kind, t.text)
		}
		if e, _ := p.scope.clocking(t, p.how); e != nil && i+2 < len(p.toks) && p.toks[i+1].is(".") {
			refuse(t, "write "+p.toks[i+2].text, "%s.%s, a signal of a clocking block, is not supported", t.text, p.toks[i+2].text)
		}
	}
}
