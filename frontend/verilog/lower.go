// Concurrent assertions: texts that have them are lowered (package sva), with their
// macros expanded, before yosys reads them. Lines stay as they are.

package verilog

import (
	"cmp"
	"errors"
	"regexp"
	"slices"
	"strings"

	"netcov/frontend/sva"
)

// lowered says what became of the concurrent assertions of the sources.
type lowered struct {
	spans map[string][]sva.Span // of the checkers, by file, with the file's lines
}

// mayAssert tells quickly whether a source can hold a concurrent assertion, or a package.
var mayAssert = regexp.MustCompile(`\b(assert|assume|cover|restrict)\s+(property|sequence)\b|\b(endproperty|endsequence|endclocking|endpackage|expect)\b|\bdefault\s+(clocking|disable)\b`)

// lower puts checkers in the places of concurrent assertions. Its errors are *Error.
func (s *sources) lower() (*lowered, error) {
	l := &lowered{map[string][]sva.Span{}}
	var before []*sva.Result
	for i := range s.texts {
		t := &s.texts[i]
		if !mayAssert.Match(t.Text) {
			continue
		}
		r, err := sva.Lower(t.File, string(t.Text), before...)
		var e *sva.Error
		if errors.As(err, &e) {
			at := t.At(e.Line)
			e.File, e.Line = at.File, at.Line
			return nil, refusedAssertion(e)
		}
		for _, span := range r.Spans {
			at := t.At(span.Line)
			span.Line = at.Line
			l.spans[at.File] = append(l.spans[at.File], span)
		}
		t.Text = []byte(r.Text)
		before = []*sva.Result{r}
	}
	s.index()
	return l, nil
}

func refusedAssertion(e *sva.Error) *Error {
	cure := cmp.Or(e.Cure, "write it in another way, or leave it out with a define")
	return &Error{File: e.File, Line: e.Line, Column: e.Column, What: e.What, Cure: cure}
}

// checker returns the checker in which a place lies, nil for none.
func (l *lowered) checker(p place) *sva.Span {
	spans := l.spans[p.file]
	i := slices.IndexFunc(spans, func(s sva.Span) bool {
		return p.line == s.Line && p.col >= s.From && p.col < s.To
	})
	if i < 0 {
		return nil
	}
	return &spans[i]
}

// antecedent reports whether a cover at a place is that of an assertion's antecedent.
func (l *lowered) antecedent(p place) bool {
	s := l.checker(p)
	return s != nil && !s.Cover
}

// ofChecker reports whether a net belongs to a checker.
func ofChecker(net string) bool {
	return strings.HasPrefix(net[strings.LastIndexByte(net, '.')+1:], sva.Prefix)
}
