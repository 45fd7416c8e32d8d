// Conditional compilation. Macros are not expanded, and which are defined is
// not known: text in an assertion that depends on `ifdef is lowered once for each
// branch, and the checkers stand under the same `ifdef.

package sva

import (
	"maps"
	"strings"
)

// condition is that a macro is defined, or not.
type condition struct {
	macro   string
	defined bool
}

// choice says of some macros whether they are defined.
type choice map[string]bool

// undecided travels as a panic when a choice does not say enough.
type undecided struct {
	at    token
	macro string
}

// maxMacros bounds the macros that one assertion depends on.
const maxMacros = 6

func (c choice) with(macro string, defined bool) choice {
	d := maps.Clone(c)
	if d == nil {
		d = choice{}
	}
	d[macro] = defined
	return d
}

// holds reports whether all conditions hold; it stops at the first that does not.
func (c choice) holds(at token, cs []condition) bool {
	for _, k := range cs {
		is, known := c[k.macro]
		if !known {
			panic(undecided{at, k.macro})
		}
		if is != k.defined {
			return false
		}
	}
	return true
}

// choose returns what conditions say; the conditions of a place that is never
// compiled contradict each other, and then the last one counts.
func choose(cs []condition) choice {
	c := choice{}
	for _, k := range cs {
		c[k.macro] = k.defined
	}
	return c
}

// branches follows the directives through a source.
type branches struct {
	open []branch
}

type branch struct {
	at     token
	past   []condition // the earlier branches are not taken
	now    condition
	isElse bool
}

// cut splits a directive into its word and its macro.
func cut(t token) (word, macro string) {
	word, macro, _ = strings.Cut(strings.ReplaceAll(t.text[1:], "\t", " "), " ")
	return word, strings.TrimSpace(macro)
}

// see takes a directive. It refuses those that close or divide nothing.
func (b *branches) see(t token) {
	word, macro := cut(t)
	takes, ok := conditionals[word]
	if !ok {
		return
	}
	if takes && macro == "" {
		refuse(t, "", "`%s without the name of a macro", word)
	}
	if word == "ifdef" || word == "ifndef" {
		b.open = append(b.open, branch{at: t, now: condition{macro, word == "ifdef"}})
		return
	}
	if len(b.open) == 0 {
		refuse(t, "", "`%s without `ifdef", word)
	}
	last := &b.open[len(b.open)-1]
	if word == "endif" {
		b.open = b.open[:len(b.open)-1]
		return
	}
	if last.isElse {
		refuse(t, "", "`%s after `else", word)
	}
	last.past = append(last.past[:len(last.past):len(last.past)], condition{last.now.macro, !last.now.defined})
	last.now, last.isElse = condition{macro, true}, word == "else"
}

// conditions lists what must hold for the text to be compiled.
func (b *branches) conditions() []condition {
	var cs []condition
	for _, o := range b.open {
		cs = append(cs, o.past...)
		if !o.isElse {
			cs = append(cs, o.now)
		}
	}
	return cs
}

// flatten drops the directives, and the branches that a choice does not take.
func flatten(toks []token, how choice) []token {
	var b branches
	var kept []token
	for _, t := range toks {
		if t.kind == directive {
			if word, _ := cut(t); !known(word) {
				refuse(t, "move it out", "the directive `%s stands inside of an assertion or declaration", word)
			}
			b.see(t)
			continue
		}
		if len(b.open) == 0 || how.holds(t, b.conditions()) {
			kept = append(kept, t)
		}
	}
	if len(b.open) > 0 {
		refuse(b.open[0].at, "", "this `ifdef begins inside of an assertion or declaration and ends outside of it")
	}
	return kept
}

func known(word string) bool {
	_, ok := conditionals[word]
	return ok
}
