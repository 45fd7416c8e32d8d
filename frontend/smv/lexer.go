package smv

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

type tokKind uint8

const (
	tokEnd tokKind = iota
	tokIdent
	tokKeyword
	tokNumber
	tokWord // word constant
	tokSymbol
)

type token struct {
	kind tokKind
	text string
	pos  Pos
}

func (t token) String() string {
	switch t.kind {
	case tokEnd:
		return "end of file"
	case tokKeyword:
		return "the keyword " + t.text
	}
	return "'" + t.text + "'"
}

var keywords = func() map[string]bool {
	m := map[string]bool{}
	for k := range strings.FieldsSeq(`MODULE DEFINE MDEFINE CONSTANTS VAR IVAR FROZENVAR INIT TRANS INVAR SPEC CTLSPEC
		LTLSPEC PSLSPEC COMPUTE NAME INVARSPEC FAIRNESS JUSTICE COMPASSION ISA ASSIGN FUN
		process array of boolean word signed unsigned word1 bool toint extend resize sizeof uwconst swconst count
		abs min max EX AX EF AF EG AG E F O G H X Y Z A U S V T BU EBF ABF EBG ABG
		case esac mod next init union in xor xnor self TRUE FALSE`) {
		m[k] = true
	}
	return m
}()

// sections are the keywords that end the element before them.
var sections = func() map[string]bool {
	m := map[string]bool{}
	for k := range strings.FieldsSeq(`MODULE DEFINE MDEFINE CONSTANTS VAR IVAR FROZENVAR INIT TRANS INVAR SPEC CTLSPEC
		LTLSPEC PSLSPEC COMPUTE INVARSPEC FAIRNESS JUSTICE COMPASSION ISA ASSIGN FUN`) {
		m[k] = true
	}
	return m
}()

// Longest first, so that a prefix never hides a longer symbol.
var symbols = []string{
	"<->", "<<<", ">>>", ":=", "::", "->", "<=", ">=", "!=", "<<", ">>", "..",
	"!", "&", "|", "(", ")", "[", "]", "{", "}", ",", ":", ";", "=", "<", ">", "+", "-", "*", "/", "?", ".",
}

// lexer cuts a text into tokens. A line that starts with "# 12" sets the line
// number, as the C preprocessor writes it.
type lexer struct {
	text string
	off  int
	line int32
	bol  int // offset of the line's first byte
	// The last column that was worked out, so that long lines cost no more.
	seen int // offset, at least bol
	col  int32
	toks []token
}

func (l *lexer) pos(off int) Pos {
	if l.seen < l.bol || l.seen > off {
		l.seen, l.col = l.bol, 1
	}
	l.col += int32(utf8.RuneCountInString(l.text[l.seen:off]))
	l.seen = off
	return Pos{l.line, l.col}
}

func scan(text string) []token {
	l := &lexer{text: text, line: 1, col: 1}
	for l.skipSpace(); l.off < len(l.text); l.skipSpace() {
		l.scanToken()
	}
	return append(l.toks, token{kind: tokEnd, pos: l.pos(len(l.text))})
}

func (l *lexer) newline() {
	l.off++
	l.line++
	l.bol = l.off
}

func (l *lexer) skipSpace() {
	for l.off < len(l.text) {
		rest := l.text[l.off:]
		switch c := rest[0]; {
		case c == '\n':
			l.newline()
		case c == ' ' || c == '\t' || c == '\r' || c == '\f':
			l.off++
		case strings.HasPrefix(rest, "/--"):
			l.skipBlock()
		case strings.HasPrefix(rest, "--"):
			l.skipLine()
		case c == '#' && l.off == l.bol:
			l.lineMarker()
		default:
			return
		}
	}
}

func (l *lexer) skipLine() {
	if n := strings.IndexByte(l.text[l.off:], '\n'); n >= 0 {
		l.off += n
	} else {
		l.off = len(l.text)
	}
}

func (l *lexer) skipBlock() {
	start := l.pos(l.off)
	for l.off += 3; ; {
		switch {
		case l.off >= len(l.text):
			fail(start, "the comment that starts here has no end --/")
		case strings.HasPrefix(l.text[l.off:], "--/"):
			l.off += 3
			return
		case l.text[l.off] == '\n':
			l.newline()
		default:
			l.off++
		}
	}
}

func (l *lexer) lineMarker() {
	start := l.off
	l.skipLine()
	fields := strings.Fields(l.text[start+1 : l.off])
	n := 0
	if len(fields) > 0 {
		n, _ = strconv.Atoi(fields[0])
	}
	if n <= 0 || n > maxInt-1 {
		fail(l.pos(start), "preprocessor directive %q; run the preprocessor first", l.text[start:l.off])
	}
	l.line = int32(n) - 1
}

func isNameStart(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isNamePart(c byte) bool {
	return isNameStart(c) || isDigit(c) || c == '$' || c == '#' || c == '-'
}

func isHex(c byte) bool { return isDigit(c) || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F' }

func (l *lexer) emit(kind tokKind, length int) {
	l.toks = append(l.toks, token{kind, l.text[l.off : l.off+length], l.pos(l.off)})
	l.off += length
}

func (l *lexer) scanToken() {
	rest := l.text[l.off:]
	switch c := rest[0]; {
	case isNameStart(c):
		n := 1
		for n < len(rest) && isNamePart(rest[n]) && !strings.HasPrefix(rest[n:], "->") {
			n++
		}
		if (rest[:n] == "f" || rest[:n] == "F") && n < len(rest) && rest[n] == '\'' {
			fail(l.pos(l.off), "fractional constants (reals) are not supported")
		}
		if keywords[rest[:n]] {
			l.emit(tokKeyword, n)
		} else {
			l.emit(tokIdent, n)
		}
		return
	case isDigit(c):
		l.scanNumber(rest)
		return
	case c == '"':
		n := strings.IndexByte(rest[1:], '"')
		if n < 1 || strings.IndexByte(rest[1:1+n], '\n') >= 0 {
			fail(l.pos(l.off), "a quoted name must be closed on its line and not be empty")
		}
		l.emit(tokIdent, n+2)
		last := &l.toks[len(l.toks)-1]
		last.text = last.text[1 : n+1]
		return
	}
	for _, s := range symbols {
		if strings.HasPrefix(rest, s) {
			l.emit(tokSymbol, len(s))
			return
		}
	}
	r, _ := utf8.DecodeRuneInString(rest)
	fail(l.pos(l.off), "the character %q has no meaning here", r)
}

// scanNumber reads an integer or a word constant such as 0ud4_12 or 0b_0101.
func (l *lexer) scanNumber(rest string) {
	n := 0
	for n < len(rest) && isDigit(rest[n]) {
		n++
	}
	if n == 1 && rest[0] == '0' && n < len(rest) {
		k := n
		if rest[k] == 'u' || rest[k] == 's' {
			k++
		}
		if k < len(rest) && strings.IndexByte("bBoOdDhH", rest[k]) >= 0 {
			k++
			for k < len(rest) && isDigit(rest[k]) {
				k++
			}
			if k+1 < len(rest) && rest[k] == '_' && isHex(rest[k+1]) {
				for k++; k < len(rest) && (isHex(rest[k]) || rest[k] == '_'); {
					k++
				}
				l.emit(tokWord, k)
				return
			}
		}
	}
	if n+1 < len(rest) && (rest[n] == '.' && isDigit(rest[n+1]) && !l.afterName() ||
		(rest[n] == 'e' || rest[n] == 'E') && (isDigit(rest[n+1]) || rest[n+1] == '-' || rest[n+1] == '+')) {
		fail(l.pos(l.off), "real constants are not supported")
	}
	if n < len(rest) && isNameStart(rest[n]) {
		fail(l.pos(l.off), "%q is neither a number nor a word constant", rest[:min(n+8, len(rest))])
	}
	l.emit(tokNumber, n)
}

// afterName reports whether a number follows a dot, as in the name a.1.2.
func (l *lexer) afterName() bool {
	n := len(l.toks)
	return n > 0 && l.toks[n-1].text == "."
}
