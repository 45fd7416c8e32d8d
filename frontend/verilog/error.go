package verilog

import "fmt"

// Error is a refusal. File and Line are empty where there is no place.
type Error struct {
	File string
	Line int
	What string // what is wrong
	Cure string // what to do about it
}

// Error returns "file:line: what; cure".
func (e *Error) Error() string {
	text := e.What
	if e.Cure != "" {
		text += "; " + e.Cure
	}
	switch {
	case e.File == "":
		return text
	case e.Line == 0:
		return e.File + ": " + text
	}
	return fmt.Sprintf("%s:%d: %s", e.File, e.Line, text)
}

// refuse returns an error at a source position.
func refuse(at place, cure, what string, args ...any) error {
	return &Error{at.file, at.line, fmt.Sprintf(what, args...), cure}
}
