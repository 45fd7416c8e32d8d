package formula

import (
	"fmt"
	"strings"
)

// The parser is a recursive descent over NuSMV's grammar (user manual 2.6,
// sections on basic, CTL and LTL expressions): -> associates to the right,
// everything else to the left, and the order of binding, tightest first, is
// !, sums, in, comparisons, the unary temporal operators, U V W, &,
// | xor xnor, <->, ->. A ! before a temporal operator applies to all that the
// operator does: !a = b is (!a) = b, AG a = b is AG (a = b), and !AG a = b is
// !(AG (a = b)).
//
// An atom is a name, a quoted name, or a comparison whose sides are names,
// numbers, sets and sums of these; a comparison is kept as one atom with a
// normalised text, for whoever knows the types of the model. `x = TRUE` is x,
// and an equality between formulas is <->.

// MaxNesting bounds parentheses and chains of unary operators, MaxDepth the
// height of the tree that the parser returns. Beyond them the parser reports
// an error, so that no later walk can exhaust the stack.
const (
	MaxNesting = 10_000
	MaxDepth   = 100_000
)

// reserved words of NuSMV that cannot be proposition names without quotes.
var reserved = map[string]bool{
	"TRUE": true, "FALSE": true, "A": true, "E": true, "X": true, "F": true, "G": true, "U": true, "V": true,
	"AX": true, "AF": true, "AG": true, "EX": true, "EF": true, "EG": true,
	"xor": true, "xnor": true, "in": true, "mod": true, "union": true, "case": true, "esac": true, "next": true,
	"ABF": true, "ABG": true, "EBF": true, "EBG": true, "BU": true,
}

var pastOperators = map[string]bool{"Y": true, "Z": true, "H": true, "O": true, "S": true, "T": true}

// Parse reads one formula of the logic. The error is a *SyntaxError.
func Parse(text string, l Logic) (Formula, error) { return ParseAt("", text, l) }

// ParseAt is Parse with a file name for error messages.
func ParseAt(file, text string, l Logic) (Formula, error) {
	p := &parser{lex: lexer{text: text, file: file}, logic: l}
	if err := p.advance(); err != nil {
		return Formula{}, err
	}
	f, err := p.whole()
	if err != nil {
		return Formula{}, err
	}
	if p.tok.is(";") {
		if err := p.advance(); err != nil {
			return Formula{}, err
		}
	}
	if p.tok.kind != tokEnd {
		return Formula{}, p.unexpected("an operator or the end of the formula")
	}
	return f, nil
}

// ParseFile reads the formulas of a file: each ends with ';', at the file's
// end, or before the next keyword; a keyword SPEC, CTLSPEC or LTLSPEC and
// `NAME n :=` may stand before a formula. Specifications of the other logic
// are skipped only when they carry the keyword that says so.
func ParseFile(file, text string, l Logic) ([]Formula, error) {
	p := &parser{lex: lexer{text: text, file: file}, logic: l}
	if err := p.advance(); err != nil {
		return nil, err
	}
	var out []Formula
	for p.tok.kind != tokEnd {
		if p.tok.is(";") {
			if err := p.advance(); err != nil {
				return nil, err
			}
			continue
		}
		mine, err := p.specKeyword()
		if err != nil {
			return nil, err
		}
		saved := p.logic
		if !mine {
			p.logic = CTL
			if l != LTL {
				p.logic = LTL
			}
		}
		f, err := p.whole()
		if err != nil {
			return nil, err
		}
		p.logic = saved
		if mine {
			out = append(out, f)
		}
		if !p.tok.is(";") && p.tok.kind != tokEnd && !isSpecKeyword(p.tok) {
			return nil, p.unexpected("';' after the formula")
		}
	}
	if len(out) == 0 {
		return nil, p.lex.errorAt(len(text), "no %s formula in the file", l)
	}
	return out, nil
}

func isSpecKeyword(t token) bool {
	return t.kind == tokName && (t.text == "SPEC" || t.text == "CTLSPEC" || t.text == "LTLSPEC")
}

// specKeyword skips an optional keyword and name and reports whether the
// formula that follows is of the wanted logic.
func (p *parser) specKeyword() (mine bool, err error) {
	if !isSpecKeyword(p.tok) {
		return true, nil
	}
	mine = (p.tok.text == "LTLSPEC") == (p.logic == LTL)
	if err := p.advance(); err != nil {
		return false, err
	}
	if p.tok.kind == tokName && p.tok.text == "NAME" {
		for range 2 {
			if err := p.advance(); err != nil {
				return false, err
			}
		}
		if !p.tok.is(":=") {
			return false, p.unexpected("':=' after the specification's name")
		}
		if err := p.advance(); err != nil {
			return false, err
		}
	}
	return mine, nil
}

type parser struct {
	lex     lexer
	tok     token
	logic   Logic
	nesting int
}

func (p *parser) advance() (err error) {
	p.tok, err = p.lex.next()
	return err
}

func (p *parser) fail(format string, args ...any) error {
	return p.lex.errorAt(p.tok.pos, format, args...)
}

func (p *parser) unexpected(wanted string) error {
	if p.tok.kind == tokName && pastOperators[p.tok.text] {
		return p.fail("the past operator %s is not supported", p.tok.text)
	}
	if p.tok.is("?") {
		return p.fail("?: expressions are not supported; write (c -> a) & (!c -> b)")
	}
	return p.fail("expected %s, found %s", wanted, p.tok)
}

func (p *parser) expect(symbol string) error {
	if !p.tok.is(symbol) {
		return p.unexpected("'" + symbol + "'")
	}
	return p.advance()
}

// whole reads a formula and checks that it belongs to the logic.
func (p *parser) whole() (Formula, error) {
	start := p.tok.pos
	f, err := p.formula()
	if err != nil {
		return Formula{}, err
	}
	if p.logic == ACTL && !f.In(ACTL) {
		return Formula{}, p.lex.errorAt(start, "the formula is CTL and not ACTL: its negation normal form has an E quantifier")
	}
	return f, nil
}

// operand is what a sub-expression can be before its context is known: a
// formula, a term with text (name, number, sum), or both (a bare name).
type operand struct {
	f    Formula
	text string
	pos  int
}

func (p *parser) asFormula(o operand) (Formula, error) {
	if o.f == (Formula{}) {
		return Formula{}, p.lex.errorAt(o.pos, "'%s' is a number or a set, where a formula is needed; compare it with a name", o.text)
	}
	if o.f.Depth() > MaxDepth {
		return Formula{}, p.lex.errorAt(o.pos, "the formula is more than %d operators deep", MaxDepth)
	}
	return o.f, nil
}

func (p *parser) formula() (Formula, error) {
	o, err := p.implies()
	if err != nil {
		return Formula{}, err
	}
	return p.asFormula(o)
}

// implies reads `iff -> implies`, without recursion for the right side.
func (p *parser) implies() (operand, error) {
	first, err := p.level(precIff)
	if err != nil || !p.tok.is("->") {
		return first, err
	}
	sides := []operand{first}
	for p.tok.is("->") {
		if err := p.advance(); err != nil {
			return operand{}, err
		}
		o, err := p.level(precIff)
		if err != nil {
			return operand{}, err
		}
		if sides = append(sides, o); len(sides) > MaxDepth {
			return operand{}, p.fail("the formula is more than %d operators deep", MaxDepth)
		}
	}
	r, err := p.asFormula(sides[len(sides)-1])
	if err != nil {
		return operand{}, err
	}
	for i := len(sides) - 2; i >= 0; i-- {
		l, err := p.asFormula(sides[i])
		if err != nil {
			return operand{}, err
		}
		r = Binary(OpImplies, l, r)
	}
	return operand{f: r, pos: first.pos}, nil
}

// infix is the operator that the current token is at a level, or OpInvalid.
func (p *parser) infix(level int) Op {
	t := p.tok
	switch level {
	case precIff:
		if t.is("<->") {
			return OpIff
		}
	case precOr:
		switch {
		case t.is("|"):
			return OpOr
		case t.kind == tokName && t.text == "xor":
			return OpXor
		case t.kind == tokName && t.text == "xnor":
			return OpXnor
		}
	case precAnd:
		if t.is("&") {
			return OpAnd
		}
	case precUntil:
		if p.logic == LTL {
			return untilOp(t)
		}
	}
	return OpInvalid
}

func untilOp(t token) Op {
	if t.kind == tokName {
		switch t.text {
		case "U":
			return OpU
		case "W":
			return OpW
		case "V", "R":
			return OpR
		}
	}
	return OpInvalid
}

// tighter is the level below each level of left-associative operators.
var tighter = map[int]int{precIff: precOr, precOr: precAnd, precAnd: precUntil, precUntil: precUnary}

func (p *parser) level(level int) (operand, error) {
	if level == precUnary {
		return p.unary()
	}
	left, err := p.level(tighter[level])
	if err != nil {
		return operand{}, err
	}
	for {
		op := p.infix(level)
		if op == OpInvalid {
			return left, nil
		}
		l, err := p.asFormula(left)
		if err != nil {
			return operand{}, err
		}
		if err := p.advance(); err != nil {
			return operand{}, err
		}
		right, err := p.level(tighter[level])
		if err != nil {
			return operand{}, err
		}
		r, err := p.asFormula(right)
		if err != nil {
			return operand{}, err
		}
		left = operand{f: Binary(op, l, r), pos: left.pos}
	}
}

var (
	ltlUnary = map[string]Op{"X": OpX, "F": OpF, "G": OpG}
	ctlUnary = map[string]Op{"AX": OpAX, "AF": OpAF, "AG": OpAG, "EX": OpEX, "EF": OpEF, "EG": OpEG}
)

// prefixOp is the unary operator that the current token is, or OpInvalid.
func (p *parser) prefixOp() (Op, error) {
	if p.tok.is("!") {
		return OpNot, nil
	}
	if p.tok.kind != tokName {
		return OpInvalid, nil
	}
	name := p.tok.text
	if op, ok := ltlUnary[name]; ok {
		if p.logic != LTL {
			return OpInvalid, p.fail("the operator %s needs a path quantifier in %s: A%s or E%s", name, p.logic, name, name)
		}
		return op, nil
	}
	if op, ok := ctlUnary[name]; ok {
		if p.logic == LTL {
			return OpInvalid, p.fail("the path quantifier in %s does not belong in LTL: write %s", name, name[1:])
		}
		return op, nil
	}
	switch name {
	case "ABF", "ABG", "EBF", "EBG":
		return OpInvalid, p.fail("the bounded operator %s is not supported", name)
	}
	return OpInvalid, nil
}

// unary reads a chain of prefix operators and what they apply to. The ! at the
// end of the chain belong to the first side of a comparison alone.
func (p *parser) unary() (operand, error) {
	start := p.tok.pos
	var ops []Op
	for {
		op, err := p.prefixOp()
		if err != nil {
			return operand{}, err
		}
		if op == OpInvalid {
			break
		}
		if ops = append(ops, op); len(ops) > MaxNesting {
			return operand{}, p.fail("more than %d nested parentheses or operators", MaxNesting)
		}
		if err := p.advance(); err != nil {
			return operand{}, err
		}
	}
	negations := 0
	for len(ops) > 0 && ops[len(ops)-1] == OpNot {
		ops, negations = ops[:len(ops)-1], negations+1
	}
	o, err := p.comparison(start, negations)
	if err != nil || len(ops) == 0 {
		return o, err
	}
	f, err := p.asFormula(o)
	if err != nil {
		return operand{}, err
	}
	for i := len(ops) - 1; i >= 0; i-- {
		f = Unary(ops[i], f)
	}
	return operand{f: f, pos: start}, nil
}

// pathFormula reads A[f U g] and its like; the quantifier is the current token.
func (p *parser) pathFormula() (operand, error) {
	start, quantifier := p.tok.pos, p.tok.text
	if p.logic == LTL {
		return operand{}, p.fail("the path quantifier %s does not belong in LTL", quantifier)
	}
	if err := p.advance(); err != nil {
		return operand{}, err
	}
	if !p.tok.is("[") {
		return operand{}, p.fail("expected '[' after the path quantifier %s, as in %s[f U g]", quantifier, quantifier)
	}
	if err := p.advance(); err != nil {
		return operand{}, err
	}
	l, err := p.formula()
	if err != nil {
		return operand{}, err
	}
	op := untilOp(p.tok)
	if op == OpInvalid {
		return operand{}, p.unexpected("U, W or V")
	}
	if err := p.advance(); err != nil {
		return operand{}, err
	}
	r, err := p.formula()
	if err != nil {
		return operand{}, err
	}
	if err := p.expect("]"); err != nil {
		return operand{}, err
	}
	shift := OpAU - OpU
	if quantifier == "E" {
		shift = OpEU - OpU
	}
	return operand{f: Binary(op+shift, l, r), pos: start}, nil
}

// primary is on every path of recursion, so it counts the nesting.
func (p *parser) primary() (operand, error) {
	t := p.tok
	p.nesting++
	defer func() { p.nesting-- }()
	if p.nesting > MaxNesting {
		return operand{}, p.fail("more than %d nested parentheses or operators", MaxNesting)
	}
	switch {
	case t.is("("):
		return p.parenthesis()
	case t.is("{"):
		return p.set()
	case t.is("-"):
		if err := p.advance(); err != nil {
			return operand{}, err
		}
		o, err := p.primary()
		if err != nil {
			return operand{}, err
		}
		if o.text == "" {
			return operand{}, p.lex.errorAt(o.pos, "a minus sign before a formula")
		}
		if o.text[0] == '-' {
			o.text = "(" + o.text + ")"
		}
		return operand{text: "-" + o.text, pos: t.pos}, nil
	case t.kind == tokNumber:
		o := operand{text: t.text, pos: t.pos}
		if t.text == "0" || t.text == "1" {
			o.f = Constant(t.text == "1")
		}
		return o, p.advance()
	case t.kind == tokQuoted:
		return operand{f: Atom(t.text), pos: t.pos}, p.advance()
	case t.kind != tokName:
		return operand{}, p.unexpected("a formula")
	}
	switch t.text {
	case "TRUE", "FALSE":
		return operand{f: Constant(t.text == "TRUE"), pos: t.pos}, p.advance()
	case "A", "E":
		return p.pathFormula()
	case "case", "next", "esac":
		return operand{}, p.fail("'%s' expressions are not supported in formulas", t.text)
	}
	if reserved[t.text] {
		return operand{}, p.fail("'%s' is an operator; write a proposition of that name in double quotes", t.text)
	}
	if isSpecKeyword(t) {
		return operand{}, p.unexpected("a formula")
	}
	return p.name()
}

func (p *parser) parenthesis() (operand, error) {
	start := p.tok.pos
	if err := p.advance(); err != nil {
		return operand{}, err
	}
	o, err := p.implies()
	if err != nil {
		return operand{}, err
	}
	if err := p.expect(")"); err != nil {
		return operand{}, err
	}
	o.pos = start
	if o.text != "" && strings.ContainsRune(o.text, ' ') {
		o.text = "(" + o.text + ")"
	}
	return o, nil
}

// name reads a name with its indices: a.b[3].c, word[7:0].
func (p *parser) name() (operand, error) {
	start := p.tok.pos
	text := p.tok.text
	if err := p.advance(); err != nil {
		return operand{}, err
	}
	if pastOperators[text] && (p.tok.is("(") || p.tok.kind == tokName && !reserved[p.tok.text]) {
		return operand{}, p.lex.errorAt(start, "the past operator %s is not supported", text)
	}
	for p.tok.is("[") {
		text += "["
		if err := p.advance(); err != nil {
			return operand{}, err
		}
		for i := 0; ; i++ {
			o, err := p.sum()
			if err != nil {
				return operand{}, err
			}
			text += o.text
			if i > 0 || !p.tok.is(":") {
				break
			}
			text += ":"
			if err := p.advance(); err != nil {
				return operand{}, err
			}
		}
		// A field after an index: `a[1].b`. The dot is part of no token of its
		// own, so it must follow the bracket at once.
		closing := p.tok
		if !closing.is("]") {
			return operand{}, p.unexpected("']'")
		}
		text += "]"
		if rest := p.lex.text[p.lex.pos:]; len(rest) > 1 && rest[0] == '.' && rest[1] != '.' {
			p.lex.pos++
			if err := p.advance(); err != nil {
				return operand{}, err
			}
			if p.tok.kind != tokName {
				return operand{}, p.unexpected("a name after '.'")
			}
			text += "." + p.tok.text
		}
		if err := p.advance(); err != nil {
			return operand{}, err
		}
	}
	return operand{f: Atom(text), text: text, pos: start}, nil
}

func (p *parser) set() (operand, error) {
	start := p.tok.pos
	text := "{"
	if err := p.advance(); err != nil {
		return operand{}, err
	}
	for {
		o, err := p.sum()
		if err != nil {
			return operand{}, err
		}
		if o.text == "" {
			return operand{}, p.lex.errorAt(o.pos, "a set holds names and numbers only")
		}
		text += o.text
		if !p.tok.is(",") {
			break
		}
		text += ", "
		if err := p.advance(); err != nil {
			return operand{}, err
		}
	}
	return operand{text: text + "}", pos: start}, p.expect("}")
}

func isTermOperator(t token) bool {
	switch t.kind {
	case tokSymbol:
		switch t.text {
		case "+", "-", "*", "/", "<<", ">>", "::", "..":
			return true
		}
	case tokName:
		return t.text == "mod" || t.text == "union"
	}
	return false
}

// sum reads terms joined by arithmetic operators; the grouping stays in the text.
func (p *parser) sum() (operand, error) {
	o, err := p.primary()
	if err != nil {
		return operand{}, err
	}
	for isTermOperator(p.tok) {
		op := p.tok.text
		if o.text == "" {
			return operand{}, p.fail("'%s' after a formula; it joins numbers", op)
		}
		if err := p.advance(); err != nil {
			return operand{}, err
		}
		r, err := p.primary()
		if err != nil {
			return operand{}, err
		}
		if r.text == "" {
			return operand{}, p.lex.errorAt(r.pos, "a formula after '%s'; it joins numbers", op)
		}
		sep := " "
		if op == ".." {
			sep = ""
		}
		o = operand{text: o.text + sep + op + sep + r.text, pos: o.pos}
	}
	return o, nil
}

func isComparison(t token) bool {
	switch t.text {
	case "=", "!=", "<", ">", "<=", ">=":
		return t.kind == tokSymbol
	}
	return false
}

// comparison reads the first side, which begins with the negations that were
// read before it, and compares it with what follows.
func (p *parser) comparison(start, negations int) (operand, error) {
	l, err := p.side(start, negations)
	if err != nil {
		return operand{}, err
	}
	for isComparison(p.tok) {
		op := p.tok
		if err := p.advance(); err != nil {
			return operand{}, err
		}
		start, negations := p.tok.pos, 0
		for ; p.tok.is("!"); negations++ {
			if err := p.advance(); err != nil {
				return operand{}, err
			}
		}
		r, err := p.side(start, negations)
		if err != nil {
			return operand{}, err
		}
		if l, err = p.compare(l, op, r); err != nil {
			return operand{}, err
		}
	}
	return l, nil
}

// side reads a side of a comparison: a negated primary, or a sum that may be
// tested for membership.
func (p *parser) side(start, negations int) (operand, error) {
	if negations > 0 {
		o, err := p.primary()
		if err != nil {
			return operand{}, err
		}
		f, err := p.asFormula(o)
		if err != nil {
			return operand{}, err
		}
		for range negations {
			f = Not(f)
		}
		return operand{f: f, pos: start}, nil
	}
	l, err := p.sum()
	if err != nil {
		return operand{}, err
	}
	for p.tok.kind == tokName && p.tok.text == "in" {
		op := p.tok
		if err := p.advance(); err != nil {
			return operand{}, err
		}
		r, err := p.sum()
		if err != nil {
			return operand{}, err
		}
		if l, err = p.compare(l, op, r); err != nil {
			return operand{}, err
		}
	}
	return l, nil
}

// compare joins two sides: terms become one atom, formulas <-> or xor.
func (p *parser) compare(l operand, op token, r operand) (operand, error) {
	if l.text != "" && r.text != "" {
		text := fmt.Sprintf("%s %s %s", l.text, op.text, r.text)
		return operand{f: Atom(text), pos: l.pos}, nil
	}
	if op.text != "=" && op.text != "!=" {
		return operand{}, p.lex.errorAt(op.pos, "'%s' between formulas; it compares numbers", op.text)
	}
	lf, err := p.asFormula(l)
	if err != nil {
		return operand{}, err
	}
	rf, err := p.asFormula(r)
	if err != nil {
		return operand{}, err
	}
	equal := op.text == "="
	for _, pair := range [][2]Formula{{lf, rf}, {rf, lf}} {
		if op := pair[1].Op(); op == OpTrue || op == OpFalse {
			f := pair[0]
			if (op == OpTrue) != equal {
				f = Not(f)
			}
			return operand{f: f, pos: l.pos}, nil
		}
	}
	join := OpIff
	if !equal {
		join = OpXor
	}
	return operand{f: Binary(join, lf, rf), pos: l.pos}, nil
}
