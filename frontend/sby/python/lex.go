// Tokens of a block: names, numbers, strings, operators, and the ends and indentations
// of logical lines (Python Language Reference, chapter 2).

package python

import (
	"fmt"
	"regexp"
	"strings"
)

// Error is a refusal at a line of a block, counted from 1.
type Error struct {
	Line int
	What string
}

// Error returns what is wrong.
func (e *Error) Error() string { return e.What }

func refuse(line int, what string, args ...any) error {
	return &Error{Line: line, What: fmt.Sprintf(what, args...)}
}

type kind int

const (
	end kind = iota
	newline
	indent
	dedent
	name
	number
	text   // a string, its value in the token
	format // an f-string, not yet taken apart
	op
)

type token struct {
	kind kind
	text string
	line int
}

// String names a token in a message.
func (t token) String() string {
	switch t.kind {
	case end, newline:
		return "the end of the line"
	case indent, dedent:
		return "the indentation"
	case text, format:
		return "a string"
	}
	return fmt.Sprintf("%q", t.text)
}

var (
	nameToken   = regexp.MustCompile(`^[A-Za-z_][A-Za-z_0-9]*`)
	numberToken = regexp.MustCompile(`^(?:0|[1-9][0-9]{0,17})\b`)
	opToken     = regexp.MustCompile(`^(?:\+=|==|!=|<=|>=|//|\*\*|[-+*%()\[\],.:;=<>])`)
)

type lexer struct {
	rest   string
	line   int
	open   int // brackets
	levels []string
	tokens []token
}

// lex returns the tokens of a block.
func lex(block string) ([]token, error) {
	x := &lexer{rest: block, line: 1, levels: []string{""}}
	fresh := true // at the beginning of a logical line
	for x.rest != "" {
		if fresh {
			blank, err := x.indentation()
			if err != nil {
				return nil, err
			}
			if blank {
				continue
			}
			fresh = false
		}
		switch c := x.rest[0]; {
		case c == ' ' || c == '\t' || c == '\r':
			x.rest = x.rest[1:]
		case c == '#':
			x.skipComment()
		case c == '\n':
			if x.open == 0 {
				x.add(newline, "")
				fresh = true
			}
			x.rest = x.rest[1:]
			x.line++
		case strings.HasPrefix(x.rest, "\\\n"):
			x.rest = x.rest[2:]
			x.line++
		default:
			if err := x.token(); err != nil {
				return nil, err
			}
		}
	}
	if x.open > 0 {
		return nil, refuse(x.line, "a bracket is not closed")
	}
	x.add(newline, "")
	for range x.levels[1:] {
		x.add(dedent, "")
	}
	x.add(end, "")
	return x.tokens, nil
}

func (x *lexer) add(k kind, s string) { x.tokens = append(x.tokens, token{k, s, x.line}) }

func (x *lexer) skipComment() {
	if i := strings.IndexByte(x.rest, '\n'); i >= 0 {
		x.rest = x.rest[i:]
	} else {
		x.rest = ""
	}
}

// indentation reads the blanks in front of a line; blank lines and comments are left out.
// A deeper line must begin as the line around it does, so tabs and blanks never compare.
func (x *lexer) indentation() (blank bool, err error) {
	n := len(x.rest) - len(strings.TrimLeft(x.rest, " \t"))
	blanks := x.rest[:n]
	x.rest = strings.TrimPrefix(x.rest[n:], "\r")
	if x.rest == "" || x.rest[0] == '#' || x.rest[0] == '\n' {
		x.skipComment()
		if x.rest != "" {
			x.rest = x.rest[1:]
			x.line++
		}
		return true, nil
	}
	for last := x.levels[len(x.levels)-1]; blanks != last; last = x.levels[len(x.levels)-1] {
		if strings.HasPrefix(blanks, last) && len(blanks) > len(last) {
			if len(x.tokens) > 0 && x.tokens[len(x.tokens)-1].kind == dedent {
				break // back to no line that was open
			}
			x.levels = append(x.levels, blanks)
			x.add(indent, "")
			return false, nil
		}
		if len(x.levels) == 1 {
			break
		}
		x.levels = x.levels[:len(x.levels)-1]
		x.add(dedent, "")
	}
	if blanks != x.levels[len(x.levels)-1] {
		return false, refuse(x.line, "the indentation fits no line before")
	}
	return false, nil
}

// token reads a name, number, string or operator.
func (x *lexer) token() error {
	if m := stringStart.FindString(x.rest); m != "" {
		return x.string(m)
	}
	for _, try := range []struct {
		k  kind
		re *regexp.Regexp
	}{{name, nameToken}, {number, numberToken}, {op, opToken}} {
		m := try.re.FindString(x.rest)
		if m == "" {
			continue
		}
		switch m {
		case "(", "[":
			x.open++
		case ")", "]":
			if x.open--; x.open < 0 {
				return refuse(x.line, "%q closes no bracket", m)
			}
		}
		x.add(try.k, m)
		x.rest = x.rest[len(m):]
		return nil
	}
	shown := []rune(x.rest)[:1]
	return refuse(x.line, "%q is not in the part of Python that is read", string(shown))
}

var stringStart = regexp.MustCompile(`^(?:[rRfF]?)(?:"""|'''|"|')`)

var escapes = map[byte]string{'n': "\n", 't': "\t", '\\': `\`, '\'': "'", '"': `"`, '\n': ""}

// string reads a string: one of a line, or one between three quotes.
func (x *lexer) string(start string) error {
	line := x.line
	quote := strings.TrimLeft(start, "rRfF")
	raw := strings.ContainsAny(start, "rR")
	body := x.rest[len(start):]
	var s strings.Builder
	i := 0
	for ; !strings.HasPrefix(body[i:], quote); i++ {
		if i >= len(body) || body[i] == '\n' && len(quote) == 1 {
			return refuse(line, "a string has no end")
		}
		if body[i] == '\\' && i+1 < len(body) {
			i++
			e, known := escapes[body[i]]
			switch {
			case raw:
				e = body[i-1 : i+1]
			case !known:
				return refuse(x.line, `the escape \%c in a string is not in the part of Python that is read`, body[i])
			}
			s.WriteString(e)
		} else {
			s.WriteByte(body[i])
		}
		if body[i] == '\n' {
			x.line++
		}
	}
	k := text
	if strings.ContainsAny(start, "fF") {
		k = format
	}
	x.tokens = append(x.tokens, token{k, s.String(), line})
	x.rest = body[i+len(quote):]
	return nil
}
