package hoa

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"

	"netcov/kripke/formula"
)

// Limits on what a header may claim, so that a short file cannot ask for a
// huge allocation, and on the nesting of labels.
const (
	maxStates  = 1 << 24
	freeStates = 1000 // however short the file is
	maxAccSets = 64
	maxNesting = 1000
	maxAliased = 1 << 20 // operands that aliases stand for, all in all
)

// ReadFile reads the automaton in a file.
func ReadFile(path string) (*Automaton, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return Read(path, f)
}

// Read reads one automaton; file names it in error messages, which are *Error.
func Read(file string, r io.Reader) (*Automaton, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	p := &parser{
		scanner: scanner{file: file, text: string(data), line: 1},
		a:       &Automaton{}, aliases: map[string]formula.Formula{}, sizes: map[string]int{}, states: -1,
	}
	if err := p.automaton(); err != nil {
		return nil, err
	}
	return p.a, nil
}

type parser struct {
	scanner
	a       *Automaton
	aliases map[string]formula.Formula
	sizes   map[string]int // operands that each alias stands for
	size    int            // of the label that is read
	aliased int            // operands so far that aliases stood for
	ap      []formula.Formula
	states  int // declared number, -1 when not declared
	starts  []token
	seen    map[string]bool
	targets []token // where each edge's target stands, to report a wrong one
	nesting int
}

// mostStates is how many states the file may have: a state takes a line.
func (p *parser) mostStates() int { return min(maxStates, max(freeStates, len(p.text)/4)) }

func (p *parser) automaton() error {
	if err := p.advance(); err != nil {
		return err
	}
	if p.tok.kind != header || p.tok.text != "HOA" {
		return p.fail("expected 'HOA: v1', found %s", p.tok)
	}
	if err := p.advance(); err != nil {
		return err
	}
	if p.tok.text != "v1" {
		return p.fail("version %s of the format is not supported, only v1 is", p.tok)
	}
	if err := p.advance(); err != nil {
		return err
	}
	p.seen = map[string]bool{}
	for p.tok.kind == header {
		if err := p.header(); err != nil {
			return err
		}
	}
	if p.tok.kind != marker || p.tok.text != "--BODY--" {
		return p.fail("expected a header or --BODY--, found %s", p.tok)
	}
	if !p.seen["Acceptance"] {
		return p.fail("the header Acceptance is missing")
	}
	if err := p.advance(); err != nil {
		return err
	}
	if err := p.body(); err != nil {
		return err
	}
	return p.finish()
}

func (p *parser) header() error {
	name := p.tok
	if err := p.advance(); err != nil {
		return err
	}
	switch name.text {
	case "States", "AP", "Acceptance", "name":
		if p.seen[name.text] {
			return p.failAt(name, "the header %s stands here a second time", name.text)
		}
	}
	p.seen[name.text] = true
	switch name.text {
	case "States":
		n, err := p.integer("the number of states")
		if err == nil && n > p.mostStates() {
			err = p.failAt(name, "%d states are more than the limit of %d in a file of this length", n, p.mostStates())
		}
		p.states = n
		return err
	case "Start":
		return p.start()
	case "AP":
		return p.propositions()
	case "Alias":
		if p.tok.kind != alias {
			return p.fail("expected a name such as @a, found %s", p.tok)
		}
		a := p.tok.text
		if _, ok := p.aliases[a]; ok {
			return p.fail("the alias @%s is defined twice", a)
		}
		if err := p.advance(); err != nil {
			return err
		}
		f, err := p.label()
		p.aliases[a], p.sizes[a] = f, p.size
		return err
	case "Acceptance":
		return p.acceptance()
	case "name":
		if p.tok.kind != str {
			return p.fail("expected the name in double quotes, found %s", p.tok)
		}
		p.a.Name = p.tok.text
		return p.advance()
	case "HOA":
		return p.failAt(name, "a second automaton starts before the first has ended")
	}
	if c := name.text[0]; c >= 'A' && c <= 'Z' {
		return p.failAt(name, "the header %s is not supported", name.text)
	}
	for p.tok.kind != header && p.tok.kind != marker && p.tok.kind != end {
		if err := p.advance(); err != nil {
			return err
		}
	}
	return nil
}

func (p *parser) start() error {
	t := p.tok
	n, err := p.integer("an initial state")
	if err != nil {
		return err
	}
	if p.isSymbol("&") {
		return p.fail("alternation (a conjunction of initial states) is not supported")
	}
	p.a.Start = append(p.a.Start, n)
	p.starts = append(p.starts, t)
	return nil
}

func (p *parser) propositions() error {
	n, err := p.integer("the number of propositions")
	if err != nil {
		return err
	}
	known := map[string]bool{}
	for p.tok.kind == str {
		if known[p.tok.text] {
			return p.fail("the proposition %q is declared twice", p.tok.text)
		}
		known[p.tok.text] = true
		p.a.AP = append(p.a.AP, p.tok.text)
		p.ap = append(p.ap, formula.Atom(p.tok.text))
		if err := p.advance(); err != nil {
			return err
		}
	}
	if len(p.a.AP) != n {
		return p.fail("%d propositions are declared and %d named", n, len(p.a.AP))
	}
	return nil
}

// acceptance reads `0 t` or a number and a conjunction of distinct Inf(i).
func (p *parser) acceptance() error {
	n, err := p.integer("the number of acceptance sets")
	if err != nil {
		return err
	}
	if n > maxAccSets {
		return p.fail("%d acceptance sets are more than the limit of %d", n, maxAccSets)
	}
	p.a.AccSets = n
	unsupported := func() error {
		return p.fail("acceptance at %s is not supported: only t, Inf(0) and conjunctions of Inf are (Büchi, generalised Büchi)", p.tok)
	}
	used := make([]bool, n)
	open := 0
	for {
		for ; p.isSymbol("("); open++ {
			if err := p.advance(); err != nil {
				return err
			}
		}
		switch {
		case p.tok.kind == ident && p.tok.text == "t":
			if err := p.advance(); err != nil {
				return err
			}
		case p.tok.kind == ident && p.tok.text == "Inf":
			if err := p.advance(); err != nil {
				return err
			}
			if err := p.expect("("); err != nil {
				return err
			}
			if p.tok.kind != number {
				return unsupported()
			}
			i, err := p.integer("an acceptance set")
			if err != nil {
				return err
			}
			if i >= n {
				return p.fail("acceptance set %d does not exist: there are %d", i, n)
			}
			used[i] = true
			if err := p.expect(")"); err != nil {
				return err
			}
		default:
			return unsupported()
		}
		for ; p.isSymbol(")") && open > 0; open-- {
			if err := p.advance(); err != nil {
				return err
			}
		}
		if !p.isSymbol("&") {
			break
		}
		if err := p.advance(); err != nil {
			return err
		}
	}
	if p.isSymbol("|") || open > 0 {
		return unsupported()
	}
	// A set that the condition does not name constrains nothing. Numbers stay
	// as they are, so such a file is refused rather than read wrongly.
	for i, u := range used {
		if !u {
			return p.fail("acceptance set %d is declared and not used in the condition, which is not supported", i)
		}
	}
	return nil
}

// label reads a whole label: a formula over proposition numbers, aliases, t and f.
func (p *parser) label() (formula.Formula, error) {
	p.size = 0
	return p.labelLevel(formula.OpOr)
}

func (p *parser) labelLevel(op formula.Op) (formula.Formula, error) {
	sign, operand := "|", func() (formula.Formula, error) { return p.labelLevel(formula.OpAnd) }
	if op == formula.OpAnd {
		sign, operand = "&", p.labelAtom
	}
	f, err := operand()
	for err == nil && p.isSymbol(sign) {
		if err = p.advance(); err != nil {
			break
		}
		var g formula.Formula
		if g, err = operand(); err == nil {
			f = formula.Binary(op, f, g)
			if f.Depth() > formula.MaxDepth {
				err = p.fail("a label is more than %d operators deep", formula.MaxDepth)
			}
		}
	}
	return f, err
}

func (p *parser) labelAtom() (formula.Formula, error) {
	p.nesting++
	defer func() { p.nesting-- }()
	if p.nesting > maxNesting {
		return formula.Formula{}, p.fail("a label is nested more than %d deep", maxNesting)
	}
	t := p.tok
	p.size++
	var f formula.Formula
	switch {
	case p.isSymbol("!"):
		if err := p.advance(); err != nil {
			return f, err
		}
		g, err := p.labelAtom()
		if err != nil {
			return f, err
		}
		return formula.Not(g), nil
	case p.isSymbol("("):
		if err := p.advance(); err != nil {
			return f, err
		}
		g, err := p.labelLevel(formula.OpOr)
		if err != nil {
			return f, err
		}
		return g, p.expect(")")
	case t.kind == number:
		i, err := p.integer("a proposition")
		if err != nil {
			return f, err
		}
		if i >= len(p.ap) {
			return f, p.failAt(t, "proposition %d does not exist: the header AP names %d", i, len(p.ap))
		}
		return p.ap[i], nil
	case t.kind == alias:
		g, ok := p.aliases[t.text]
		if !ok {
			return f, p.fail("the alias @%s is not defined", t.text)
		}
		p.size += p.sizes[t.text]
		if p.aliased += p.sizes[t.text]; p.aliased > maxAliased {
			return f, p.fail("written out, the aliases up to @%s stand for more than %d operands", t.text, maxAliased)
		}
		return g, p.advance()
	case t.kind == ident && (t.text == "t" || t.text == "f"):
		return formula.Constant(t.text == "t"), p.advance()
	}
	return f, p.fail("expected a label, found %s", t)
}

func (p *parser) body() error {
	given := map[int]bool{}
	for p.tok.kind == header && p.tok.text == "State" {
		if err := p.advance(); err != nil {
			return err
		}
		if err := p.state(given); err != nil {
			return err
		}
	}
	switch {
	case p.tok.kind == marker && p.tok.text == "--ABORT--":
		return p.fail("the file ends with --ABORT--: its writer gave up")
	case p.tok.kind != marker || p.tok.text != "--END--":
		return p.fail("expected 'State:', an edge or --END--, found %s", p.tok)
	}
	if err := p.advance(); err != nil {
		return err
	}
	if p.tok.kind != end {
		return p.fail("something stands after --END--; files with several automata are not supported")
	}
	return nil
}

func (p *parser) state(given map[int]bool) error {
	var label formula.Formula
	var err error
	if p.isSymbol("[") {
		if label, err = p.bracketLabel(); err != nil {
			return err
		}
	}
	at := p.tok
	n, err := p.integer("a state number")
	if err != nil {
		return err
	}
	if p.states >= 0 && n >= p.states {
		return p.failAt(at, "state %d is beyond the declared number of states", n)
	}
	if n >= p.mostStates() {
		return p.failAt(at, "state %d is beyond the limit of %d states in a file of this length", n, p.mostStates())
	}
	if given[n] {
		return p.failAt(at, "state %d is given twice", n)
	}
	given[n] = true
	for len(p.a.States) <= n {
		p.a.States = append(p.a.States, State{})
	}
	s := State{Label: label}
	if p.tok.kind == str {
		s.Name = p.tok.text
		if err := p.advance(); err != nil {
			return err
		}
	}
	if s.Acc, err = p.signature(); err != nil {
		return err
	}
	for p.isSymbol("[") || p.tok.kind == number {
		var e Edge
		if p.isSymbol("[") {
			if s.Label != (formula.Formula{}) {
				return p.fail("an edge has a label and its state has one too")
			}
			if e.Label, err = p.bracketLabel(); err != nil {
				return err
			}
		}
		p.targets = append(p.targets, p.tok)
		if e.To, err = p.integer("the target of an edge"); err != nil {
			return err
		}
		if p.isSymbol("&") {
			return p.fail("alternation (a conjunction of targets) is not supported")
		}
		if e.Acc, err = p.signature(); err != nil {
			return err
		}
		s.Edges = append(s.Edges, e)
	}
	if err := p.implicitLabels(&s); err != nil {
		return err
	}
	p.a.States[n] = s
	return nil
}

// implicitLabels gives the edges of a state without labels their valuations:
// edge i is taken when bit j of i is the value of proposition j.
func (p *parser) implicitLabels(s *State) error {
	if s.Label != (formula.Formula{}) || len(s.Edges) == 0 {
		return nil
	}
	bare := 0
	for _, e := range s.Edges {
		if e.Label == (formula.Formula{}) {
			bare++
		}
	}
	switch {
	case bare == 0:
		return nil
	case bare < len(s.Edges):
		return p.fail("some edges of the state above have labels and some have none")
	case len(p.ap) > 20 || bare != 1<<len(p.ap):
		return p.fail("the state above has %d edges without labels; implicit labels need 2^%d", bare, len(p.ap))
	}
	for i := range s.Edges {
		var lits []formula.Formula
		for j, a := range p.ap {
			if i>>j&1 == 0 {
				a = formula.Not(a)
			}
			lits = append(lits, a)
		}
		s.Edges[i].Label = formula.And(lits...)
	}
	return nil
}

func (p *parser) bracketLabel() (formula.Formula, error) {
	if err := p.expect("["); err != nil {
		return formula.Formula{}, err
	}
	f, err := p.label()
	if err != nil {
		return f, err
	}
	return f, p.expect("]")
}

func (p *parser) signature() ([]int, error) {
	if !p.isSymbol("{") {
		return nil, nil
	}
	if err := p.advance(); err != nil {
		return nil, err
	}
	var acc []int
	for p.tok.kind == number {
		n, err := p.integer("an acceptance set")
		if err != nil {
			return nil, err
		}
		if n >= p.a.AccSets {
			return nil, p.fail("acceptance set %d does not exist: there are %d", n, p.a.AccSets)
		}
		acc = append(acc, n)
	}
	slices.Sort(acc)
	return slices.Compact(acc), p.expect("}")
}

// finish checks the references between states.
func (p *parser) finish() error {
	n := max(p.states, len(p.a.States))
	for len(p.a.States) < n {
		p.a.States = append(p.a.States, State{})
	}
	for i, s := range p.a.Start {
		if s >= n {
			return p.failAt(p.starts[i], "initial state %d does not exist: there are %d states", s, n)
		}
	}
	for _, t := range p.targets {
		// The target's digits were read as a number before, in base 10.
		to, err := strconv.Atoi(t.text)
		if err != nil || to >= n {
			return p.failAt(t, "state %d does not exist: there are %d states", to, n)
		}
	}
	slices.Sort(p.a.Start)
	p.a.Start = slices.Compact(p.a.Start)
	return nil
}
