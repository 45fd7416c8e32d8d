package hoa

import (
	"fmt"
	"strconv"
	"strings"

	"netcov/internal/visible"
)

type kind uint8

const (
	end    kind = iota
	header      // text without the colon
	ident
	number
	str    // text without quotes
	alias  // text without @
	marker // --BODY--, --END--, --ABORT--
	symbol
)

type token struct {
	kind      kind
	text      string
	line, col int
}

func (t token) String() string {
	switch t.kind {
	case end:
		return "the end of the file"
	case header:
		return "'" + visible.Short(t.text) + ":'"
	}
	return "'" + visible.Short(t.text) + "'"
}

// Error is a problem in a file at a line and column (both from 1, in bytes).
type Error struct {
	File      string
	Line, Col int
	Msg       string
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Col, e.Msg)
}

type scanner struct {
	file, text string
	pos        int
	line       int
	lineStart  int
	tok        token
}

func (s *scanner) fail(format string, args ...any) error {
	return s.failAt(s.tok, format, args...)
}

func (s *scanner) failAt(t token, format string, args ...any) error {
	return &Error{File: s.file, Line: t.line, Col: t.col, Msg: visible.Line(fmt.Sprintf(format, args...))}
}

func isWord(c byte) bool {
	return c == '_' || c == '-' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// advance moves to the next token, past white space and nested comments.
func (s *scanner) advance() error {
	if err := s.skip(); err != nil {
		return err
	}
	s.tok = token{line: s.line, col: s.pos - s.lineStart + 1}
	rest := s.text[s.pos:]
	if rest == "" {
		return nil
	}
	for _, m := range []string{"--BODY--", "--END--", "--ABORT--"} {
		if strings.HasPrefix(rest, m) {
			return s.take(marker, m, len(m))
		}
	}
	c := rest[0]
	n := 1
	switch {
	case c == '"':
		return s.quoted()
	case c == '@':
		for n < len(rest) && isWord(rest[n]) {
			n++
		}
		return s.take(alias, rest[1:n], n)
	case c >= '0' && c <= '9':
		for n < len(rest) && rest[n] >= '0' && rest[n] <= '9' {
			n++
		}
		return s.take(number, rest[:n], n)
	case isWord(c):
		for n < len(rest) && isWord(rest[n]) {
			n++
		}
		if n < len(rest) && rest[n] == ':' {
			return s.take(header, rest[:n], n+1)
		}
		return s.take(ident, rest[:n], n)
	case strings.IndexByte("!&|()[]{}", c) >= 0:
		return s.take(symbol, rest[:1], 1)
	}
	return s.fail("the character %q has no meaning here", c)
}

func (s *scanner) take(k kind, text string, n int) error {
	s.tok.kind, s.tok.text = k, text
	s.pos += n
	return nil
}

func (s *scanner) skip() error {
	depth := 0
	for s.pos < len(s.text) {
		c := s.text[s.pos]
		switch {
		case c == '\n':
			s.line++
			s.lineStart = s.pos + 1
		case strings.HasPrefix(s.text[s.pos:], "/*"):
			depth++
			s.pos++
		case depth > 0 && strings.HasPrefix(s.text[s.pos:], "*/"):
			depth--
			s.pos++
		case depth == 0 && c != ' ' && c != '\t' && c != '\r':
			return nil
		}
		s.pos++
	}
	if depth > 0 {
		s.tok = token{line: s.line, col: s.pos - s.lineStart + 1}
		return s.fail("a comment is not closed")
	}
	return nil
}

func (s *scanner) quoted() error {
	var b strings.Builder
	for i := s.pos + 1; i < len(s.text); i++ {
		switch c := s.text[i]; c {
		case '"':
			return s.take(str, b.String(), i+1-s.pos)
		case '\\':
			if i+1 < len(s.text) {
				i++
			}
			b.WriteByte(s.text[i])
		case '\n':
			return s.fail("a string is not closed on its line")
		default:
			b.WriteByte(c)
		}
	}
	return s.fail("a string is not closed")
}

// integer reads the current number token and moves on.
func (s *scanner) integer(what string) (int, error) {
	if s.tok.kind != number {
		return 0, s.fail("expected %s, found %s", what, s.tok)
	}
	n, err := strconv.ParseInt(s.tok.text, 10, 32)
	if err != nil {
		return 0, s.fail("%s %s is too large", what, s.tok.text)
	}
	return int(n), s.advance()
}

func (s *scanner) isSymbol(text string) bool { return s.tok.kind == symbol && s.tok.text == text }

func (s *scanner) expect(text string) error {
	if !s.isSymbol(text) {
		return s.fail("expected '%s', found %s", text, s.tok)
	}
	return s.advance()
}
