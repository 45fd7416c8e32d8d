// The header line: "aag M I L O A [B [C [J [F]]]]", or "aig ..." for the binary
// form. Its numbers are checked against each other and against the length of
// the data before anything is allocated by them.

package aiger

import "bytes"

// header holds the numbers of the first line, named as in the format report.
type header struct {
	binary                    bool
	m, i, l, o, a, b, c, j, f uint32
}

const headerForm = "the first line is \"aag M I L O A\" (ASCII) or \"aig M I L O A\" (binary), then up to four counts B C J F"

// spareVars is how many variables a small file may leave unused. A file may
// number its variables sparsely (ASCII), or have inputs that take no byte
// (binary), but tables are allocated by the largest variable, so it has to stay
// in proportion to the data.
const spareVars = 1 << 18

func (s *scanner) header() (h header, err error) {
	if bytes.HasPrefix(s.data, []byte("\xef\xbb\xbf")) {
		if !s.lenient {
			return h, s.failStrict("remove its three bytes", "byte order mark before the header")
		}
		s.pos = 3
	}
	rest := s.data[s.pos:]
	switch {
	case len(rest) == 0:
		return h, s.fail(headerForm, "the file is empty")
	case bytes.HasPrefix(rest, []byte("aag ")):
	case bytes.HasPrefix(rest, []byte("aig ")):
		h.binary = true
	default:
		return h, s.fail(headerForm, "this is no AIGER file, it starts with %s", excerpt(rest))
	}
	s.pos += len("aag")
	fields := [...]struct {
		to   *uint32
		what string
	}{
		{&h.m, "M (largest variable)"},
		{&h.i, "I (number of inputs)"},
		{&h.l, "L (number of latches)"},
		{&h.o, "O (number of outputs)"},
		{&h.a, "A (number of AND gates)"},
		{&h.b, "B (number of bad states)"},
		{&h.c, "C (number of constraints)"},
		{&h.j, "J (number of justice properties)"},
		{&h.f, "F (number of fairness constraints)"},
	}
	n := 0
	for ; n < len(fields) && !s.eof() && s.data[s.pos] == ' '; n++ {
		s.pos++
		if *fields[n].to, err = s.number("header field "+fields[n].what, MaxVariable); err != nil {
			return h, err
		}
	}
	if n < 5 && (s.eof() || s.data[s.pos] == '\n' || s.data[s.pos] == '\r') {
		return h, s.fail(headerForm, "the header has %d numbers, at least 5 are due", n)
	}
	if n == len(fields) && !s.eof() && s.data[s.pos] == ' ' {
		return h, s.fail(headerForm, "the header has more than 9 numbers")
	}
	if err := s.endLine(); err != nil {
		return h, err
	}
	return h, s.checkHeader(h)
}

// checkHeader refuses headers that cannot be right for the data that follows.
func (s *scanner) checkHeader(h header) error {
	variables := uint64(h.i) + uint64(h.l) + uint64(h.a)
	rest := uint64(len(s.data) - s.pos)
	// The least number of bytes that the tables take.
	least := 2 * (uint64(h.o) + uint64(h.b) + uint64(h.c) + uint64(h.j) + uint64(h.f))
	if h.binary {
		least += 2*uint64(h.l) + 2*uint64(h.a)
	} else {
		least += 2*uint64(h.i) + 4*uint64(h.l) + 6*uint64(h.a)
	}
	switch {
	case uint64(h.m) < variables:
		return s.failLine(1, "correct the header", "M = %d is less than I + L + A = %d", h.m, variables)
	case h.binary && uint64(h.m) != variables:
		return s.failLine(1, "correct the header; the binary form leaves no variable unused", "M = %d differs from I + L + A = %d", h.m, variables)
	case least > rest+1: // one byte for a last newline that may be missing
		return s.failLine(1, "the file is truncated or its header is wrong", "the header promises tables of at least %d bytes, the file has %d", least, rest)
	case uint64(h.m) > 4*rest+spareVars:
		return s.failLine(1, "renumber the variables without gaps", "M = %d is out of proportion to the %d bytes that follow", h.m, rest)
	}
	return nil
}
