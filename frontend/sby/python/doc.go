// Package python reads the Python blocks of SymbiYosys projects, which compute lines of
// the project: typically a command that sets parameters by the task's tags.
//
// A block is never given to Python. The package interprets the small part of the
// language that such blocks need: assignments, if, for, with open, strings and their
// formatting, comparisons, membership, and a fixed table of functions and methods. The
// only way out is the reading of files and folders, which the caller answers. Anything
// else is an error that names it: a module, a function, a statement. Steps, bytes and
// the depth of nesting are limited, so a hostile block ends soon.
//
// What is interpreted has the meaning of the Python Language Reference (3.11), chapters
// 2, 6, 7 and 8, or is refused; the order of a folder's files, which Python leaves open,
// is the order of their names.
package python
