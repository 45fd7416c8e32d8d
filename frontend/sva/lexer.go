// The lexer: SystemVerilog's tokens (IEEE 1800-2017, clause 5), as far as they
// bound the text that assertions are made of. Comments and blanks are no tokens.
// Directives of the preprocessor are tokens of one line each where they stand at
// the place of an item, and macro uses are names.

package sva

import (
	"strings"
)

type kind uint8

const (
	symbol    kind = iota // operators and brackets
	name                  // identifiers, keywords, escaped identifiers
	system                // $past
	number                // 12, 4'b1x0, 1.5, '0
	text                  // "…"
	macro                 // `NAME
	directive             // `ifdef NAME, `define … to the end of its last line
	end                   // of the tokens
)

// token is a piece of the source. Offsets are bytes.
type token struct {
	kind         kind
	text         string
	start, end   int
	line, column int
	blank        bool // blanks or a comment stand before it
}

func (t token) is(s string) bool { return t.kind != text && t.text == s }

// operators of more than one character that matter here, longest first.
var operators = []string{
	"<<<=", ">>>=",
	"|->", "|=>", "#-#", "#=#", "->>", "<->", "<<<", ">>>", "===", "!==", "==?", "!=?", "<<=", ">>=", "&&&",
	"##", "->", "=>", "<=", ">=", "==", "!=", "&&", "||", "<<", ">>", "**", "~&", "~|", "~^", "^~", "::", "+:", "-:",
	"++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=",
}

// conditionals are the directives that choose text; the value reports whether a
// macro's name follows.
var conditionals = map[string]bool{"ifdef": true, "ifndef": true, "elsif": true, "else": false, "endif": false}

// lineDirectives reach to the end of their line.
var lineDirectives = map[string]bool{
	"define": true, "undef": true, "include": true, "timescale": true, "default_nettype": true, "line": true,
	"pragma": true, "begin_keywords": true, "unconnected_drive": true,
}

// plainDirectives stand alone.
var plainDirectives = map[string]bool{
	"resetall": true, "celldefine": true, "endcelldefine": true, "end_keywords": true, "nounconnected_drive": true, "undefineall": true,
}

type lexer struct {
	src          string
	at           int
	line, column int
}

// lex cuts a source into tokens; the last is of kind end.
func lex(src string) []token {
	l := &lexer{src: src, line: 1, column: 1}
	var ts []token
	for {
		blank := l.skip()
		t := token{start: l.at, line: l.line, column: l.column, blank: blank}
		if l.at >= len(src) {
			t.kind, t.end = end, l.at
			return append(ts, t)
		}
		t.kind = l.next()
		t.end = l.at
		t.text = src[t.start:t.end]
		if t.kind == name && t.text[0] == '\\' {
			t.text += " " // an escaped name ends with its blank
		}
		ts = append(ts, t)
	}
}

func (l *lexer) move(n int) {
	for i := 0; i < n && l.at < len(l.src); i++ {
		if l.src[l.at] == '\n' {
			l.line++
			l.column = 0
		}
		l.column++
		l.at++
	}
}

func (l *lexer) rest() string { return l.src[l.at:] }

// skip passes blanks and comments.
func (l *lexer) skip() bool {
	from := l.at
	for l.at < len(l.src) {
		rest := l.rest()
		switch {
		case strings.ContainsRune(" \t\r\n\f\v", rune(rest[0])):
			l.move(1)
		case strings.HasPrefix(rest, "//"):
			l.move(len(upTo(rest, "\n")))
		case strings.HasPrefix(rest, "/*"):
			n := strings.Index(rest[2:], "*/")
			if n < 0 {
				refuse(token{line: l.line, column: l.column}, "close it with */", "this comment has no end")
			}
			l.move(n + 4)
		default:
			return l.at > from
		}
	}
	return l.at > from
}

func upTo(s, mark string) string {
	before, _, _ := strings.Cut(s, mark)
	return before
}

func letter(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c >= 0x80
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

// word returns the length of the identifier at the start of s.
func word(s string) int {
	n := 0
	for n < len(s) && (letter(s[n]) || digit(s[n]) || s[n] == '$') {
		n++
	}
	return n
}

func (l *lexer) next() kind {
	rest := l.rest()
	c := rest[0]
	switch {
	case letter(c):
		l.move(word(rest))
		return name
	case c == '\\':
		n := strings.IndexAny(rest, " \t\r\n\f\v")
		if n < 0 {
			n = len(rest)
		}
		l.move(n)
		return name
	case c == '$':
		l.move(1 + word(rest[1:]))
		if word(rest[1:]) == 0 {
			return symbol
		}
		return system
	case digit(c), c == '\'' && based(rest) > 0:
		l.number()
		return number
	case c == '"':
		l.text()
		return text
	case c == '`':
		return l.directive()
	}
	for _, o := range operators {
		if strings.HasPrefix(rest, o) {
			l.move(len(o))
			return symbol
		}
	}
	l.move(1)
	return symbol
}

// based returns the length of a base and its digits, such as 'h1f or '0.
func based(s string) int {
	if len(s) < 2 || s[0] != '\'' {
		return 0
	}
	n := 1
	if strings.ContainsRune("sS", rune(s[n])) {
		n++
	}
	if n < len(s) && strings.ContainsRune("bBoOdDhH", rune(s[n])) {
		n++
		m := n
		for m < len(s) && (s[m] == ' ' || s[m] == '\t') {
			m++
		}
		k := m
		for k < len(s) && (letter(s[k]) || digit(s[k]) || s[k] == '?') {
			k++
		}
		if k > m {
			return k
		}
		return n
	}
	if n == 1 && strings.ContainsRune("01xXzZ", rune(s[1])) {
		return 2
	}
	return 0
}

func (l *lexer) number() {
	digits := func() {
		rest := l.rest()
		n := 0
		for n < len(rest) && (digit(rest[n]) || letter(rest[n])) {
			n++
		}
		l.move(n)
	}
	digits()
	rest := l.rest()
	switch {
	case based(rest) > 0:
		l.move(based(rest))
	case len(rest) > 1 && rest[0] == '.' && digit(rest[1]):
		l.move(1)
		digits()
	}
}

func (l *lexer) text() {
	at := token{line: l.line, column: l.column}
	rest := l.rest()
	for i := 1; i < len(rest); i++ {
		switch rest[i] {
		case '\\':
			i++
		case '"':
			l.move(i + 1)
			return
		case '\n':
			refuse(at, "close it with \"", "this string has no end")
		}
	}
	refuse(at, "close it with \"", "this string has no end")
}

// directive reads from a backquote on.
func (l *lexer) directive() kind {
	rest := l.rest()
	n := 1 + word(rest[1:])
	if n == 1 { // of a macro's body: `" or ``
		l.move(1)
		return symbol
	}
	is := rest[1:n]
	if named, ok := conditionals[is]; ok {
		if named {
			for n < len(rest) && (rest[n] == ' ' || rest[n] == '\t') {
				n++
			}
			n += word(rest[n:])
		}
		l.move(n)
		return directive
	}
	switch {
	case lineDirectives[is]:
		// to the end of the line; a backslash and block comments continue it
		for n < len(rest) && rest[n] != '\n' {
			switch {
			case rest[n] == '\\' && n+1 < len(rest):
				n++
				if rest[n] == '\r' && n+1 < len(rest) && rest[n+1] == '\n' {
					n++
				}
			case strings.HasPrefix(rest[n:], "//"):
				for n+1 < len(rest) && rest[n+1] != '\n' {
					n++
				}
				if rest[n] == '\\' && n+1 < len(rest) { // goes on below
					n++
				}
			case strings.HasPrefix(rest[n:], "/*"):
				if m := strings.Index(rest[n+2:], "*/"); m >= 0 {
					n += m + 3
				}
			}
			n++
		}
		l.move(min(n, len(rest)))
		return directive
	case plainDirectives[is]:
		l.move(n)
		return directive
	}
	l.move(n)
	return macro
}
