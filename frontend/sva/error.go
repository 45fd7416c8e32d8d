package sva

import "fmt"

// Error is a refusal, with its place in the source. Lines and columns start at 1.
type Error struct {
	File         string
	Line, Column int
	What         string
	Cure         string // what to do; may be empty
}

func (e *Error) Error() string {
	text := fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.What)
	if e.Cure != "" {
		text += "; " + e.Cure
	}
	return text
}

// refusal is an Error whose file is not known yet. It travels as a panic inside
// the package and is caught in Lower.
type refusal struct {
	at         token
	what, cure string
}

func refuse(at token, cure, format string, args ...any) {
	panic(refusal{at, fmt.Sprintf(format, args...), cure})
}
