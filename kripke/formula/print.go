package formula

import "strings"

// Binding strengths of NuSMV, weakest first. Comparisons bind more weakly than
// the temporal operators here, so that `X (a = 1)` keeps its parentheses and
// every NuSMV version reads it in the same way.
const (
	precImplies = iota
	precIff
	precOr
	precAnd
	precCompare
	precUntil
	precUnary
	precAtom
)

func (f Formula) precedence() int {
	switch f.Op() {
	case OpImplies:
		return precImplies
	case OpIff:
		return precIff
	case OpOr, OpXor, OpXnor:
		return precOr
	case OpAnd:
		return precAnd
	case OpU, OpW, OpR:
		return precUntil
	case OpAtom:
		// The text of a comparison has spaces; another text with spaces is
		// printed in quotes.
		if strings.Contains(f.Name(), " ") && isPlainAtom(f.Name()) {
			return precCompare
		}
		return precAtom
	case OpTrue, OpFalse, OpAU, OpAW, OpAR, OpEU, OpEW, OpER:
		return precAtom
	}
	return precUnary
}

// piece is a formula still to be printed in a context, or finished text.
type piece struct {
	text string
	f    Formula
	min  int
}

// String prints f in NuSMV's spelling with few parentheses, so that parsing
// the text gives f again: only those that NuSMV's precedences need, and those
// around a comparison or a binary operator of LTL inside another operator.
// Shared parts are written out each time.
func (f Formula) String() string {
	var b strings.Builder
	stack := []piece{{f: f}}
	push := func(ps ...piece) {
		for i := len(ps) - 1; i >= 0; i-- {
			stack = append(stack, ps[i])
		}
	}
	for len(stack) > 0 {
		p := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if p.f == (Formula{}) {
			b.WriteString(p.text)
			continue
		}
		prec := p.f.precedence()
		if prec < p.min {
			push(piece{text: "("}, piece{f: p.f}, piece{text: ")"})
			continue
		}
		l, r, op := p.f.Left(), p.f.Right(), p.f.Op()
		switch {
		case op == OpAtom:
			b.WriteString(quoteAtom(p.f.Name()))
		case op.Arity() == 0:
			b.WriteString(op.String())
		case op == OpNot:
			push(piece{text: "!"}, piece{f: l, min: precUnary})
		case op.Arity() == 1:
			push(piece{text: op.String() + " "}, piece{f: l, min: precUnary})
		case op.Universal() || op.Existential():
			name := op.String()
			push(piece{text: name[:1] + "["}, piece{f: l}, piece{text: " " + name[1:] + " "}, piece{f: r}, piece{text: "]"})
		case op == OpImplies:
			push(piece{f: l, min: operandMin(l, prec+1)}, piece{text: " -> "}, piece{f: r, min: operandMin(r, prec)})
		default:
			push(piece{f: l, min: operandMin(l, prec)}, piece{text: " " + op.String() + " "}, piece{f: r, min: operandMin(r, prec+1)})
		}
	}
	return b.String()
}

// operandMin raises the strength that f needs beside a binary operator: LTL's
// binary operators keep their parentheses there, since tools disagree on how
// tightly U binds.
func operandMin(f Formula, strength int) int {
	if f.precedence() == precUntil {
		return precUnary
	}
	return strength
}

// isPlainName reports whether the parser reads the text as one name.
func isPlainName(s string) bool {
	l := lexer{text: s}
	t, err := l.next()
	if err != nil || t.kind != tokName || t.text != s || reserved[s] {
		return false
	}
	end, err := l.next()
	return err == nil && end.kind == tokEnd
}

// isPlainAtom reports whether the parser reads the text as the atom of that
// name (a comparison, an indexed name).
func isPlainAtom(s string) bool {
	if isPlainName(s) {
		return true
	}
	f, err := Parse(s, CTL)
	return err == nil && f.Op() == OpAtom && f.Name() == s && !strings.HasPrefix(s, `"`)
}

func quoteAtom(s string) string {
	if isPlainAtom(s) {
		return s
	}
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(s) {
		if s[i] == '"' || s[i] == '\\' {
			b.WriteByte('\\')
		}
		b.WriteByte(s[i])
	}
	b.WriteByte('"')
	return b.String()
}
