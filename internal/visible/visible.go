// Package visible makes text that others wrote fit for a terminal: names in
// designs and names of files may hold characters that move the cursor, change
// colours or turn the direction of writing.
package visible

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Text returns s with each character that is not printable, line ends aside, as
// an escape sequence of Go's.
func Text(s string) string { return escape(s, '\n') }

// Line is Text that escapes line ends too.
func Line(s string) string { return escape(s, utf8.RuneError) }

// excerpt is as much of a text as an error quotes, in bytes.
const excerpt = 200

// Short returns s, or its beginning where it is long: for errors that quote what
// they found.
func Short(s string) string { return Cut(s, excerpt) }

// Cut returns s, or its beginning where it has more than so many bytes.
func Cut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	end := most
	for end > most-utf8.UTFMax && !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + "…"
}

func escape(s string, keep rune) string {
	plain := func(r rune, size int) bool {
		return (strconv.IsPrint(r) || r == keep) && (r != utf8.RuneError || size > 1)
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if part := s[i : i+size]; plain(r, size) {
			b.WriteString(part)
		} else {
			quoted := strconv.Quote(part)
			b.WriteString(quoted[1 : len(quoted)-1])
		}
		i += size
	}
	return b.String()
}
