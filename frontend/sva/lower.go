package sva

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Result is a lowered source.
type Result struct {
	Text    string // with as many lines as the source
	Checks  []Check
	Spans   []Span   // where the checkers stand
	Refused []*Error // of assertions under `ifdef; refusal i stands in the text as the macro RefusedMacro + i

	packages map[string]*scope
}

// Check is an assertion that became a checker. Under `ifdef there may be
// several for one.
type Check struct {
	Line, Column int
	Label        string // "" without one
	Kind         string // assert, assume, cover
	Registers    int    // bits that follow its attempts
	Live         bool   // a justice property
	Antecedent   string // label of the cover of its antecedent; "" without one, or without a label
}

// Span is a part of a line of the lowered source: columns From to To, excluded,
// counted in bytes from 1. Covers in the checker of an assertion are those of its
// antecedent.
//
// In a generate block or interface a property has no label, since some compilers give one
// name to all copies. It reads a wire of its own, which has the block's name before
// its own wherever the compiler has put it.
type Span struct {
	Line, From, To int
	Cover          bool              // it is the checker of a cover
	Labels         map[string]string // there: wire that a property reads → label
}

// RefusedMacro starts the name of an undefined macro, which stands where an
// assertion under `ifdef is not supported: a compiler that reaches it stops there.
const RefusedMacro = Prefix + "refused_"

type lowering struct {
	file    string
	toks    []token
	result  Result
	counter int
	labels  map[string]string // of the assertion that is being lowered, in a generate block
}

// Lower replaces the concurrent assertions of a source by checkers. Assertions of
// a plain boolean expression without a clock are left as they are. Packages of sources
// that were lowered before are known. Errors are *Error.
func Lower(file, source string, before ...*Result) (result *Result, err error) {
	l := &lowering{file: file, result: Result{packages: map[string]*scope{}}}
	for _, r := range before {
		maps.Copy(l.result.packages, r.packages)
	}
	defer func() {
		if r, ok := recover().(refusal); ok {
			result, err = nil, l.error(r)
		}
	}()
	l.toks = lex(source)
	for _, t := range l.toks {
		own := t.text[strings.LastIndexAny(t.text, `.\`)+1:]
		if t.kind == name && strings.HasPrefix(own, Prefix) && !strings.HasPrefix(own, BoundPrefix) {
			refuse(t, "rename it", "the name %s begins with %s, as those of checkers do", strings.TrimSpace(t.text), Prefix)
		}
	}
	items := scan(l.toks, l.result.packages)
	var out strings.Builder
	done := 0
	for _, it := range items {
		from, to := l.toks[it.from].start, l.toks[it.to-1].end
		text := ""
		if it.assertion != nil {
			var left bool
			if l.labels = nil; it.inner || it.assertion.scope.generate || it.assertion.scope.iface {
				l.labels = map[string]string{}
			}
			if text, left = l.assertion(it); left {
				continue
			}
			if it.inner {
				text = "begin " + text + " end"
			}
		}
		out.WriteString(source[done:from])
		if it.assertion == nil && it.inner {
			out.WriteString("begin end") // else the next item would be the body
		}
		if text != "" {
			column := out.Len() - strings.LastIndexByte(out.String(), '\n')
			l.result.Spans = append(l.result.Spans, Span{l.toks[it.from].line, column, column + len(text), it.assertion.kind == "cover", l.labels})
		}
		out.WriteString(text)
		out.WriteString(strings.Repeat("\n", strings.Count(source[from:to], "\n")))
		done = to
	}
	out.WriteString(source[done:])
	l.result.Text = out.String()
	return &l.result, nil
}

func (l *lowering) error(r refusal) *Error {
	return &Error{File: l.file, Line: r.at.line, Column: r.at.column, What: r.what, Cure: r.cure}
}

// assertion returns the text of a checker; left says that the source stays.
func (l *lowering) assertion(it item) (text string, left bool) {
	a := it.assertion
	if a.procedural && l.plain(a) && !a.scope.disabled() {
		a.refuseNew()
		return "", true
	}
	how := choose(it.conditions)
	text, left = l.variants(a, how, len(it.conditions) > 0, maxMacros)
	return text, left
}

// guarded writes an assertion of a boolean expression in a block with the condition of
// a default disable iff.
func (l *lowering) guarded(a *assertion, sp *spec) string {
	off, expression := join(sp.disable), join(sp.body.toks)
	if sampled(sp.disable) {
		refuse(a.at, "move it out of the block", "a default disable iff that depends on other ticks, for an assertion in a procedural block, is not supported")
	}
	text := "(" + off + ") || (" + expression + ")"
	if a.kind == "cover" {
		text = "!(" + off + ") && (" + expression + ")"
	}
	return labelled(a.label, a.kind+" property ("+text+");")
}

// disabled reports whether some default disable iff may hold here.
func (s *scope) disabled() bool {
	for ; s != nil; s = s.parent {
		if len(s.disables) > 0 {
			return true
		}
	}
	return false
}

// plain reports whether an assertion in a block is a boolean expression, which the
// compiler reads itself.
func (l *lowering) plain(a *assertion) bool {
	for i, t := range a.toks {
		if t.kind == symbol && operatorSymbols[t.text] || t.kind == name && operatorWords[t.text] || repetition(append(slices.Clip(a.toks), token{}), i) {
			return false
		}
		if t.kind == name && a.scope.named(t.text) {
			return false
		}
	}
	return true
}

// named reports whether some declaration has that name.
func (s *scope) named(text string) bool {
	for ; s != nil; s = s.parent {
		if len(s.decls[text]) > 0 {
			return true
		}
	}
	return false
}

// variants lowers an assertion for each choice of the macros that it depends on.
func (l *lowering) variants(a *assertion, how choice, conditional bool, left int) (text string, untouched bool) {
	missing, at, text, untouched := l.variant(a, how, conditional)
	if missing == "" {
		return text, untouched
	}
	if left == 0 {
		refuse(at, "", "an assertion that depends on more than %d macros is not supported", maxMacros)
	}
	yes, same := l.variants(a, how.with(missing, true), true, left-1)
	if same {
		yes = l.original(a, how.with(missing, true))
	}
	no, same := l.variants(a, how.with(missing, false), true, left-1)
	if same {
		no = l.original(a, how.with(missing, false))
	}
	return "`ifdef " + missing + " " + yes + " `else " + no + " `endif", false
}

// original writes an assertion that stays, for one choice of macros.
func (l *lowering) original(a *assertion, how choice) string {
	text := a.kind + " property (" + join(flatten(a.toks, how)) + ");"
	if a.label != "" {
		text = a.label + ": " + text
	}
	return text
}

// variant lowers an assertion under a choice; missing names a macro that the
// choice does not know.
func (l *lowering) variant(a *assertion, how choice, conditional bool) (missing string, at token, text string, untouched bool) {
	counter, checks := l.counter, len(l.result.Checks)
	defer func() {
		switch r := recover().(type) {
		case nil:
		case undecided:
			l.counter, l.result.Checks = counter, l.result.Checks[:checks]
			missing, at = r.macro, r.at
		case tooLarge:
			text, untouched = l.refused(refusal{a.at, "this assertion is too large: " + r.what, "use smaller ranges, or simpler sequences"}, conditional), false
		case refusal:
			text, untouched = l.refused(r, conditional), false
		default:
			panic(r)
		}
	}()
	text, untouched = l.lower(a, how)
	return "", token{}, text, untouched
}

// refused ends the lowering, or marks the place where it may not matter.
func (l *lowering) refused(r refusal, conditional bool) string {
	if !conditional {
		panic(r)
	}
	l.result.Refused = append(l.result.Refused, l.error(r))
	return fmt.Sprintf("`%s%d", RefusedMacro, len(l.result.Refused)-1)
}

// lower writes the checker of an assertion.
func (l *lowering) lower(a *assertion, how choice) (text string, untouched bool) {
	toks := closeTokens(flatten(a.toks, how), a.at)
	toks[len(toks)-1].line, toks[len(toks)-1].column = l.after(a)
	sp := parseSpec(toks, a.scope, how)
	if sp.disable == nil {
		if d := a.scope.one("default disable iff", func(s *scope) []event { return s.disables }, a.at, how); d != nil {
			sp.disable = flatten(d.toks, how)
		}
	}
	if sp.clock == nil {
		if d := a.scope.one("default clocking", func(s *scope) []event { return s.defaults }, a.at, how); d != nil {
			sp.clock = a.scope.clock(d.toks, how)
		}
	}
	if a.procedural && l.plain(a) {
		a.refuseNew()
		if sp.disable == nil { // not under this choice of macros
			return "", true
		}
		return l.guarded(a, sp), false
	}
	if a.procedural {
		refuse(a.at, "move it out of the block, with its condition before |->", "a concurrent assertion in a procedural block is not supported")
	}
	if sp.clock == nil {
		if sp.body.op == opBool && sp.disable == nil && !sampled(sp.body.toks) {
			return "", true
		}
		refuse(a.at, "write @(posedge …), or a default clocking", "this assertion has no clock")
	}
	e := &emitter{prefix: fmt.Sprintf("%s%d_", Prefix, l.counter), clock: join(sp.clock), scope: a.scope, how: how, helpers: map[string]string{}, labels: l.labels}
	l.counter++
	if sp.disable != nil {
		e.disable = e.expression(sp.disable)
	}
	kind := a.kind
	if kind == "restrict" {
		kind = "assume"
	}
	c := Check{Line: a.at.line, Column: a.at.column, Label: a.label, Kind: kind}
	if kind == "cover" {
		l.cover(e, a, sp, &c)
	} else {
		l.check(e, a, sp, &c)
	}
	l.result.Checks = append(l.result.Checks, c)
	return e.text(), false
}

// sampled reports whether an expression uses values of other ticks. $initstate, which
// is yosys' own, does not.
func sampled(toks []token) bool {
	return slices.ContainsFunc(toks, func(t token) bool {
		return t.kind == system && !elaborated[t.text] && t.text != "$initstate"
	})
}

// after returns the place behind the tokens of an assertion.
func (l *lowering) after(a *assertion) (line, column int) {
	if n := len(a.toks); n > 0 {
		t := a.toks[n-1]
		return t.line, t.column + len(t.text)
	}
	return a.at.line, a.at.column
}

// check lowers assert, assume and restrict.
func (l *lowering) check(e *emitter, a *assertion, sp *spec, c *Check) {
	body := sp.body
	for body.op == opAlways && body.hi == unbounded && body.lo == 0 {
		body = body.kids[0] // an attempt starts at each tick anyway
	}
	b := newBuilder(false)
	root := b.build(body, false)
	m := b.reach(root)
	if !b.temporary() {
		if r := b.recurrent(root); r != nil {
			m = r
		}
	}
	switch {
	case m.accept == nil:
		c.Registers = len(m.next)
		e.check(c.Label, c.Kind, "!"+e.runs("state", m, e.atomWires(&b.atoms)))
	case c.Kind == "assume":
		l.fair(e, body, sp, c)
	default:
		c.Registers, c.Live = len(m.next)+2, true
		fails, _ := e.chosen(m, e.atomWires(&b.atoms), true)
		e.eventually(c.Label, "assert", LiveSuffix, "!"+fails)
	}
	if c.Kind == "assert" {
		l.antecedent(e, body, c)
	}
}

// fair lowers an assumption of liveness: the run that the model checker chooses must
// be one of the automaton that accepts what satisfies the property at each tick. A
// wrong choice ends in an assumption that is violated. An attempt that disable iff
// ends counts as satisfied, which is what accept_on says.
func (l *lowering) fair(e *emitter, body *node, sp *spec, c *Check) {
	if sp.disable != nil {
		body = &node{op: opAcceptOn, kids: []*node{{op: opBool, toks: sp.disable}, body}}
		e.disable = ""
	}
	b := newBuilder(false)
	m := b.recurrent(b.build(&node{op: opAlways, hi: unbounded, kids: []*node{body}}, true))
	if m == nil { // no run satisfies it
		m = &machine{accept: []bool{}}
	}
	c.Registers, c.Live = len(m.next)+2, true
	accepts, goesOn := e.chosen(m, e.atomWires(&b.atoms), false)
	e.check("", "assume", goesOn)
	e.eventually(c.Label, "assume", FairSuffix, accepts)
}

// antecedent adds the cover that reports whether an implication is vacuous.
func (l *lowering) antecedent(e *emitter, body *node, c *Check) {
	b := newBuilder(true)
	var root id
	switch body.op {
	case opOverlap:
		root = b.build(body.kids[0], true)
	case opNonoverlap: // the empty match of the antecedent counts
		m := b.atoms.proper(body.kids[0], true)
		if m.accept[0] {
			return
		}
		root = b.build(body.kids[0], true)
	case opImplies:
		if !body.kids[0].sequence() {
			return
		}
		root = b.build(body.kids[0], true)
	default:
		return
	}
	m := b.reach(root)
	if c.Label != "" {
		c.Antecedent = c.Label + AntecedentSuffix
	}
	e.check(c.Antecedent, "cover", e.runs("antecedent", m, e.atomWires(&b.atoms)))
}

// cover lowers cover property and cover sequence. What is covered is a match, and
// of an implication a match of both sides.
func (l *lowering) cover(e *emitter, a *assertion, sp *spec, c *Check) {
	b := newBuilder(true)
	body := follow(sp.body)
	if a.sequence {
		mustBeSequence(body, "in cover sequence")
	}
	root := b.build(body, true)
	m := b.reach(root)
	if !b.temporary() && b.recurrent(root) != nil {
		refuse(a.at, "cover a sequence", "the cover of a property that no finite trace can settle is not supported")
	}
	c.Registers = len(m.next)
	e.check(c.Label, "cover", e.runs("state", m, e.atomWires(&b.atoms)))
}

// follow makes implications non-vacuous: a |-> p is covered where a #-# p holds.
func follow(n *node) *node {
	c := *n
	switch n.op {
	case opOverlap:
		c.op = opFollows
	case opNonoverlap:
		c.op = opFollowsLater
	default:
		return n
	}
	c.kids = []*node{n.kids[0], follow(n.kids[1])}
	return &c
}
