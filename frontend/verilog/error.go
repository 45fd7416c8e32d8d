package verilog

import "fmt"

// Error is a refusal. File and Line are empty where there is no place.
type Error struct {
	File string
	Line int
	// Column is that of a concurrent assertion; 0 is unknown.
	Column int
	What   string // what is wrong
	Cure   string // what to do about it
	// Option is the field of Options that mends it, ScriptOption, or "".
	Option string
}

// ScriptOption stands for Script, which shows what yosys is given.
const ScriptOption = "Script"

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
	at := fmt.Sprintf("%s:%d:", e.File, e.Line)
	if e.Column > 0 {
		at += fmt.Sprintf("%d:", e.Column)
	}
	return at + " " + text
}

// refuse returns an error at a source position.
func refuse(at place, cure, what string, args ...any) error {
	return &Error{File: at.file, Line: at.line, What: fmt.Sprintf(what, args...), Cure: cure}
}
