// Concurrent assertions: sources that have them are lowered (package sva) into the
// scratch folder, and yosys reads the copies. A `line directive keeps the places.

package verilog

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"netcov/frontend/sva"
)

// lowered says what became of the concurrent assertions of the sources. The keys
// are files, as the user names them.
type lowered struct {
	spans   map[string][]sva.Span // of the checkers
	refused map[string][]*sva.Error
}

// mayAssert tells quickly whether a source can hold a concurrent assertion.
var mayAssert = regexp.MustCompile(`\b(assert|assume|cover|restrict)\s+(property|sequence)\b|\b(endproperty|endsequence|endclocking|expect)\b|\bdefault\s+(clocking|disable)\b`)

// lower writes the sources that have concurrent assertions into a folder, with
// checkers in their place, and returns the options that read these. Its errors are
// *Error, or those of files.
func (o Options) lower(dir string) (Options, *lowered, error) {
	l := &lowered{map[string][]sva.Span{}, map[string][]*sva.Error{}}
	o.read = slices.Clone(o.Files)
	for i, name := range o.Files {
		source, err := os.ReadFile(name)
		if err != nil {
			return o, nil, err
		}
		if !mayAssert.Match(source) {
			continue
		}
		r, err := sva.Lower(name, string(source))
		var e *sva.Error
		if errors.As(err, &e) {
			return o, nil, refusedAssertion(e)
		}
		if r.Text == string(source) {
			continue
		}
		l.spans[name], l.refused[name] = r.Spans, r.Refused
		o.read[i] = filepath.Join(dir, fmt.Sprintf("lowered%d.sv", i))
		text := fmt.Sprintf("`line 1 \"%s\" 0\n%s", name, r.Text)
		if err := os.WriteFile(o.read[i], []byte(text), 0o600); err != nil {
			return o, nil, err
		}
		// yosys looks for included files beside the source.
		o.Include = append(slices.Clip(o.Include), filepath.Dir(name))
	}
	return o, l, nil
}

func refusedAssertion(e *sva.Error) *Error {
	cure := cmp.Or(e.Cure, "write it in another way, or leave it out with a define")
	return &Error{File: e.File, Line: e.Line, Column: e.Column, What: e.What, Cure: cure}
}

var refusedMacro = regexp.MustCompile(sva.RefusedMacro + `(\d+)`)

// explain gives the reason where yosys stopped at the mark of a refused assertion.
func (l *lowered) explain(err error) error {
	var e *Error
	if !errors.As(err, &e) {
		return err
	}
	m := refusedMacro.FindStringSubmatch(e.What)
	if m == nil {
		return err
	}
	if i, _ := strconv.Atoi(m[1]); i < len(l.refused[e.File]) {
		return refusedAssertion(l.refused[e.File][i])
	}
	return err
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

// antecedent tells whether a cover at a place is that of an assertion's antecedent.
func (l *lowered) antecedent(p place) bool {
	s := l.checker(p)
	return s != nil && !s.Cover
}

// ofChecker tells whether a net belongs to a checker.
func ofChecker(net string) bool {
	return strings.HasPrefix(net[strings.LastIndexByte(net, '.')+1:], sva.Prefix)
}
