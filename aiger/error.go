// Refusals: one line each, with the place, the fault and the cure.

package aiger

import (
	"fmt"
	"strconv"
)

// Error is a refusal of some input. Line counts from 1; where the input is
// binary at the fault, Line is 0 and Byte is the offset from 0 (in the
// uncompressed data).
type Error struct {
	File string
	Line int
	Byte int64
	What string // what is wrong
	Cure string // what to do about it
	// Lenient tells that Options.Lenient allows it.
	Lenient bool
}

// Error returns "file:line: what; cure" or "file: byte N: what; cure".
func (e *Error) Error() string {
	if e.Line > 0 {
		return fmt.Sprintf("%s:%d: %s; %s", e.File, e.Line, e.What, e.Cure)
	}
	return fmt.Sprintf("%s: byte %d: %s; %s", e.File, e.Byte, e.What, e.Cure)
}

// excerpt quotes the start of b up to its line end, for an error text.
func excerpt(b []byte) string {
	const most = 30
	for i, c := range b {
		if c == '\n' {
			b = b[:i]
			break
		}
		if i == most {
			return strconv.Quote(string(b[:most])) + "..."
		}
	}
	return strconv.Quote(string(b))
}
