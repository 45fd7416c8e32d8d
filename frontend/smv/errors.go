package smv

import (
	"fmt"

	"netcov/internal/visible"
)

// Pos is a place in the source; lines and columns count from 1, columns in
// characters.
type Pos struct {
	Line, Col int32
}

// Error says where a model cannot be used, and why.
type Error struct {
	File string
	Pos  Pos
	Msg  string
}

func (e *Error) Error() string {
	if e.Pos.Line == 0 {
		return fmt.Sprintf("%s: %s", e.File, e.Msg)
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Pos.Line, e.Pos.Col, e.Msg)
}

// bailout carries an Error out of the recursive walks over a model. It never
// leaves the package: catch stands at every entry.
type bailout struct{ err *Error }

func catch(file string, err *error) {
	switch r := recover().(type) {
	case nil:
	case bailout:
		if r.err.File == "" {
			r.err.File = file
		}
		*err = r.err
	default:
		panic(r)
	}
}

func fail(pos Pos, format string, args ...any) {
	panic(bailout{&Error{Pos: pos, Msg: visible.Line(fmt.Sprintf(format, args...))}})
}

// The limits that keep a hostile or careless text from taking the machine.
const (
	maxNesting   = 5_000  // parentheses, chains of unary operators, nested case
	maxDepth     = 50_000 // height of an expression with its DEFINEs opened
	maxInstances = 100_000
	maxElements  = 1 << 16 // elements of an array, values of an enumeration
	maxWidth     = 1 << 12 // bits of a word
	maxNodes     = 10_000_000
	maxInt       = 1<<31 - 1
)
