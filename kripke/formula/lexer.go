package formula

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"netcov/internal/visible"
)

// SyntaxError says where a text is not a formula and why.
type SyntaxError struct {
	File      string // file name, "" for a text from the command line
	Line, Col int    // both from 1; Col counts characters
	Msg       string
}

func (e *SyntaxError) Error() string {
	if e.File != "" {
		return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Col, e.Msg)
	}
	return fmt.Sprintf("formula, line %d column %d: %s", e.Line, e.Col, e.Msg)
}

type tokKind uint8

const (
	tokEnd tokKind = iota
	tokName
	tokNumber
	tokQuoted // text is the content without quotes
	tokSymbol
)

type token struct {
	kind tokKind
	text string
	pos  int // byte offset
}

func (t token) is(symbol string) bool { return t.kind == tokSymbol && t.text == symbol }

func (t token) String() string {
	switch t.kind {
	case tokEnd:
		return "end of the formula"
	case tokQuoted:
		return quoteAtom(visible.Short(t.text))
	}
	return "'" + visible.Short(t.text) + "'"
}

// lexer cuts a text into tokens; `--` starts a comment up to the line's end.
type lexer struct {
	text string
	file string
	pos  int
}

func (l *lexer) errorAt(pos int, format string, args ...any) error {
	before := l.text[:min(pos, len(l.text))]
	line := 1 + strings.Count(before, "\n")
	col := 1 + utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:])
	return &SyntaxError{File: l.file, Line: line, Col: col, Msg: visible.Line(fmt.Sprintf(format, args...))}
}

// Longest first, so that a prefix never hides a longer symbol.
var symbols = []string{
	"<->", "->", "<=", ">=", "!=", "<<", ">>", "::", ":=", "..",
	"!", "&", "|", "(", ")", "[", "]", "{", "}", ",", ":", ";", "=", "<", ">", "+", "-", "*", "/", "?",
}

func (l *lexer) skipSpace() {
	for l.pos < len(l.text) {
		switch c := l.text[l.pos]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			l.pos++
		case strings.HasPrefix(l.text[l.pos:], "--"):
			if end := strings.IndexByte(l.text[l.pos:], '\n'); end >= 0 {
				l.pos += end
			} else {
				l.pos = len(l.text)
			}
		default:
			return
		}
	}
}

func isNameStart(r rune) bool { return r == '_' || r == '$' || unicode.IsLetter(r) }

func isNamePart(r rune) bool {
	return isNameStart(r) || unicode.IsDigit(r) || r == '#' || r == '\\'
}

func (l *lexer) next() (token, error) {
	l.skipSpace()
	start := l.pos
	if start >= len(l.text) {
		return token{kind: tokEnd, pos: start}, nil
	}
	r, _ := utf8.DecodeRuneInString(l.text[start:])
	switch {
	case isNameStart(r):
		l.scanName()
		return token{tokName, l.text[start:l.pos], start}, nil
	case r >= '0' && r <= '9':
		l.scanWhile(func(r rune) bool { return r == '_' || unicode.IsDigit(r) || unicode.IsLetter(r) })
		return token{tokNumber, l.text[start:l.pos], start}, nil
	case r == '"':
		return l.quoted()
	}
	for _, s := range symbols {
		if strings.HasPrefix(l.text[start:], s) {
			l.pos += len(s)
			return token{tokSymbol, s, start}, nil
		}
	}
	return token{}, l.errorAt(start, "the character %q has no meaning here; write an odd proposition name in double quotes", r)
}

// scanName reads name parts joined by single dots or hyphens, as in NuSMV: a.b.c,
// but not a range a..b; ack-out, but not ack - out, ack->out or ack--out.
func (l *lexer) scanName() {
	for {
		l.scanWhile(isNamePart)
		rest := l.text[l.pos:]
		if len(rest) < 2 || rest[0] != '.' && rest[0] != '-' {
			return
		}
		if r, _ := utf8.DecodeRuneInString(rest[1:]); !isNamePart(r) {
			return
		}
		l.pos++
	}
}

func (l *lexer) scanWhile(ok func(rune) bool) {
	for l.pos < len(l.text) {
		r, size := utf8.DecodeRuneInString(l.text[l.pos:])
		if !ok(r) {
			return
		}
		l.pos += size
	}
}

func (l *lexer) quoted() (token, error) {
	start := l.pos
	var b strings.Builder
	for l.pos++; l.pos < len(l.text); l.pos++ {
		switch c := l.text[l.pos]; c {
		case '"':
			l.pos++
			if b.Len() == 0 {
				return token{}, l.errorAt(start, "an empty name in quotes")
			}
			return token{tokQuoted, b.String(), start}, nil
		case '\\':
			if l.pos+1 < len(l.text) {
				l.pos++
			}
			b.WriteByte(l.text[l.pos])
		default:
			b.WriteByte(c)
		}
	}
	return token{}, l.errorAt(start, "the quoted name that starts here has no closing quote")
}
