package btor2

import "fmt"

// Error is a refusal of some input. Line counts from 1.
type Error struct {
	File string
	Line int
	What string // what is wrong
	Cure string // what to do about it

	whole bool // the file is read where its arrays are whole
}

// Error returns "file:line: what; cure".
func (e *Error) Error() string {
	return fmt.Sprintf("%s:%d: %s; %s", e.File, e.Line, e.What, e.Cure)
}

// shorten keeps a token of the input to a length that fits on an error line.
func shorten(s string) string {
	if len(s) > 30 {
		return fmt.Sprintf("%q...", s[:30])
	}
	return fmt.Sprintf("%q", s)
}
