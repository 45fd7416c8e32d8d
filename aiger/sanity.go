// The sanity check of files that were built by a program, beside the data
// structure. The reader makes the same demands of files, with lines.

package aiger

import (
	"fmt"
	"strings"
)

// Check returns an error when f is no well-formed file: a literal beyond
// MaxVar, undefined or defined twice, gates out of topological order, resets in
// a cycle, symbols of nothing. The writers call it first.
func (f *File) Check() error {
	if f.MaxVar > MaxVariable {
		return fmt.Errorf("MaxVar %d is above %d", f.MaxVar, MaxVariable)
	}
	c := checker{f: f, defined: make([]bool, f.MaxVar+1)}
	c.defined[0] = true
	for _, lit := range f.Inputs {
		c.define("input", lit)
	}
	for _, l := range f.Latches {
		c.define("latch", l.Lit)
	}
	for _, a := range f.Ands { // before their operands: the order matters
		c.use("operand", a.Rhs0, a.Rhs1)
		c.define("gate", a.Lhs)
	}
	for _, l := range f.Latches {
		c.use("next state", l.Next)
		c.use("reset", l.Reset)
		if l.Reset == l.Lit^1 {
			c.refuse("latch %d is reset to its own negation", l.Lit)
		}
	}
	c.use("output", f.Outputs...)
	c.use("bad state", f.Bads...)
	c.use("constraint", f.Constraints...)
	for _, j := range f.Justice {
		c.use("justice", j...)
	}
	c.use("fairness", f.Fairness...)
	c.positions()
	c.names()
	if c.err != nil {
		return c.err
	}
	if _, cyclic := initialOrder(f); cyclic >= 0 {
		return fmt.Errorf("the reset of latch %d depends on the latch itself", f.Latches[cyclic].Lit)
	}
	return nil
}

// checker keeps the first error.
type checker struct {
	f       *File
	defined []bool
	err     error
}

func (c *checker) refuse(format string, args ...any) {
	if c.err == nil {
		c.err = fmt.Errorf(format, args...)
	}
}

func (c *checker) define(what string, lit Lit) {
	switch v := lit >> 1; {
	case lit&1 != 0 || v > c.f.MaxVar:
		c.refuse("%s literal %d is odd or beyond MaxVar", what, lit)
	case c.defined[v]:
		c.refuse("%s literal %d is defined twice", what, lit)
	default:
		c.defined[v] = true
	}
}

func (c *checker) use(what string, lits ...Lit) {
	for _, lit := range lits {
		if v := lit >> 1; v > c.f.MaxVar || !c.defined[v] {
			c.refuse("%s literal %d is undefined here", what, lit)
		}
	}
}

// positions checks that AndPos is a permutation.
func (c *checker) positions() {
	if c.f.AndPos == nil {
		return
	}
	seen := make([]bool, len(c.f.Ands))
	if len(c.f.AndPos) != len(seen) {
		c.refuse("AndPos has %d entries for %d gates", len(c.f.AndPos), len(seen))
		return
	}
	for _, at := range c.f.AndPos {
		if int(at) >= len(seen) || seen[at] {
			c.refuse("AndPos is no permutation")
			return
		}
		seen[at] = true
	}
}

func (c *checker) names() {
	for _, t := range c.f.nameTables() {
		for at, name := range t.names {
			if at < 0 || at >= t.length {
				c.refuse("symbol %c%d of a table of %d", t.letter, at, t.length)
			}
			if strings.Contains(name, "\n") || strings.HasSuffix(name, "\r") {
				c.refuse("symbol %c%d has a line end in its name", t.letter, at)
			}
		}
	}
}

// nameTable is one table of symbols, with its letter and the table it names.
type nameTable struct {
	letter byte
	length int
	names  Names
}

func (f *File) nameTables() [7]nameTable {
	s := &f.Symbols
	return [7]nameTable{
		{'i', len(f.Inputs), s.Inputs},
		{'l', len(f.Latches), s.Latches},
		{'o', len(f.Outputs), s.Outputs},
		{'b', len(f.Bads), s.Bads},
		{'c', len(f.Constraints), s.Constraints},
		{'j', len(f.Justice), s.Justice},
		{'f', len(f.Fairness), s.Fairness},
	}
}
