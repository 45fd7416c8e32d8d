// The scanner: numbers, single blanks and line ends of the textual parts, with
// their place in the input. Its fast paths make no allocation.

package aiger

import (
	"bytes"
	"fmt"
)

type scanner struct {
	data    []byte
	pos     int
	line    int // of data[pos], from 1; unused once byteOffsets is set
	lenient bool
	name    string
	// The binary part has begun: places are byte offsets from here on.
	byteOffsets bool
}

func (s *scanner) eof() bool { return s.pos >= len(s.data) }

// fail returns a refusal at the current place.
func (s *scanner) fail(cure, what string, args ...any) *Error {
	e := &Error{File: s.name, What: fmt.Sprintf(what, args...), Cure: cure}
	if s.byteOffsets {
		e.Byte = int64(s.pos)
	} else {
		e.Line = s.line
	}
	return e
}

// failStrict returns a refusal of what Options.Lenient allows.
func (s *scanner) failStrict(cure, what string) *Error {
	e := s.fail(cure+", or allow this", "%s", what)
	e.Lenient = true
	return e
}

// failLine returns a refusal at a line that was read before.
func (s *scanner) failLine(line int, cure, what string, args ...any) *Error {
	return &Error{File: s.name, Line: line, What: fmt.Sprintf(what, args...), Cure: cure}
}

// found describes what stands at the current place.
func (s *scanner) found() string {
	if s.eof() {
		return "the end of the file"
	}
	if s.data[s.pos] == '\n' {
		return "the end of the line"
	}
	return excerpt(s.data[s.pos:])
}

// number reads an unsigned decimal number of at most most.
func (s *scanner) number(what string, most uint32) (uint32, error) {
	start := s.pos
	var n uint64
	for s.pos < len(s.data) {
		c := s.data[s.pos] - '0'
		if c > 9 {
			break
		}
		n = n*10 + uint64(c)
		if n > uint64(most) {
			return 0, s.tooLarge(start, what, most)
		}
		s.pos++
	}
	if s.pos == start {
		return 0, s.noNumber(what)
	}
	return uint32(n), nil
}

func (s *scanner) tooLarge(start int, what string, most uint32) error {
	s.pos = start
	return s.fail("correct the number or the header", "%s %s is above %d", what, s.digits(), most)
}

// digits returns the number at the current place, shortened when it is long.
func (s *scanner) digits() string {
	end := s.pos
	for end < len(s.data) && s.data[end]-'0' <= 9 {
		end++
	}
	if end-s.pos > 20 {
		return string(s.data[s.pos:s.pos+20]) + "..."
	}
	return string(s.data[s.pos:end])
}

func (s *scanner) noNumber(what string) error {
	if !s.eof() && s.data[s.pos] == '-' {
		return s.fail("AIGER numbers are unsigned; a negated literal is odd", "negative number where %s is due: %s", what, s.found())
	}
	if s.eof() {
		return s.fail("the file is truncated or its header counts too much", "the file ends where %s is due", what)
	}
	return s.fail("write one unsigned number there", "%s is due, found %s", what, s.found())
}

// blank reads the one blank between two numbers of a line.
func (s *scanner) blank(next string) error {
	if s.pos < len(s.data) && s.data[s.pos] == ' ' {
		s.pos++
		return nil
	}
	return s.fail("separate numbers by exactly one blank", "a blank and %s are due, found %s", next, s.found())
}

// endLine reads a line end.
func (s *scanner) endLine() error {
	if s.pos < len(s.data) && s.data[s.pos] == '\n' {
		s.pos++
		s.line++
		return nil
	}
	return s.oddEnd()
}

// oddEnd reads the line ends that only the lenient mode knows.
func (s *scanner) oddEnd() error {
	if s.eof() {
		if s.lenient {
			return nil
		}
		return s.failStrict("end the last line with a newline", "the last newline is missing")
	}
	if bytes.HasPrefix(s.data[s.pos:], []byte("\r\n")) {
		if s.lenient {
			s.pos += 2
			s.line++
			return nil
		}
		return s.failStrict("convert the line ends to plain newlines", "carriage return at the end of the line")
	}
	return s.fail("remove it", "the line should end here, found %s", s.found())
}

// restOfLine reads up to and including the next line end, and returns the text
// before it.
func (s *scanner) restOfLine() ([]byte, error) {
	text := s.data[s.pos:]
	if n := bytes.IndexByte(text, '\n'); n >= 0 {
		text = text[:n]
	}
	all := len(text)
	text = bytes.TrimRight(text, "\r")
	s.pos += len(text)
	if s.lenient {
		s.pos += all - len(text)
	}
	return text, s.endLine()
}
