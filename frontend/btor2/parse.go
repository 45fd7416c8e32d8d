// From text to a table of nodes, with all widths checked. Nothing is
// bit-blasted here.

package btor2

import (
	"bytes"
	"fmt"
	"math/big"
	"strconv"
)

// kind tells what a line of the file stands for.
type kind uint8

const (
	kindConst kind = iota
	kindInput
	kindState
	kindOp
)

// ref is an argument: a node, inverted when the file writes it with a minus.
type ref struct {
	node int32
	neg  bool
}

// node is an expression of the file.
type node struct {
	id, line int
	kind     kind
	op       string
	sort     // of its values
	args     []ref
	nums     [2]int // of slice (upper, lower) and of uext and sext
	symbol   string
	comment  string
	bits     word // value of a constant; of all needed nodes after blasting

	// Of a state: the init and next values; node is -1 where there is none.
	init, next         ref
	initLine, nextLine int
	needed             bool
}

// kept is the width of the words that are kept of its value: an array's elements, else
// the whole.
func (n *node) kept() int {
	if n.index > 0 {
		return n.element
	}
	return n.width
}

// mark is a bad, constraint, fair or output line, or one literal of a justice.
type mark struct {
	line            int
	arg             ref
	symbol, comment string
}

// justice is a justice line.
type justice struct {
	line   int
	args   []ref
	symbol string
}

// table is a file as it was parsed.
type table struct {
	nodes       []node
	vars        []int32 // inputs and states, in the file's order
	inputs      []int32
	states      []int32
	bads        []mark
	constraints []mark
	fair        []mark
	outputs     []mark
	justice     []justice
}

type parser struct {
	table
	name  string
	opt   Options
	line  int
	sorts map[int]sort
	lines map[int]int // by sort
	ids   map[int]int32
	bits  int // of all words so far
}

func (p *parser) fail(cure, what string, args ...any) error {
	return p.failAt(p.line, cure, what, args...)
}

func (p *parser) failAt(line int, cure, what string, args ...any) error {
	return &Error{File: p.name, Line: line, What: fmt.Sprintf(what, args...), Cure: cure}
}

func parse(data []byte, name string, opt Options) (*table, error) {
	p := &parser{name: name, opt: opt, sorts: map[int]sort{}, lines: map[int]int{}, ids: map[int]int32{}}
	for len(data) > 0 {
		p.line++
		line := data
		if n := bytes.IndexByte(data, '\n'); n >= 0 {
			line, data = data[:n], data[n+1:]
		} else {
			data = nil
		}
		if err := p.parseLine(string(bytes.TrimSuffix(line, []byte("\r")))); err != nil {
			return nil, err
		}
	}
	if len(p.nodes) == 0 {
		return nil, p.failAt(max(p.line, 1), "a BTOR2 file declares sorts and nodes, one a line", "the file has no node")
	}
	return &p.table, nil
}

// fields is the rest of a line, taken token by token.
type fields struct {
	p    *parser
	rest string
}

// next returns the next token, or "" at the end of the line or at a comment.
func (f *fields) next() string {
	for f.rest != "" && (f.rest[0] == ' ' || f.rest[0] == '\t') {
		f.rest = f.rest[1:]
	}
	if f.rest == "" || f.rest[0] == ';' {
		return ""
	}
	n := 0
	for n < len(f.rest) && f.rest[n] != ' ' && f.rest[n] != '\t' {
		n++
	}
	t := f.rest[:n]
	f.rest = f.rest[n:]
	return t
}

// number takes a number of at least low.
func (f *fields) number(what string, low int) (int, error) {
	t := f.next()
	if t == "" {
		return 0, f.p.fail("add it", "the line ends where %s is due", what)
	}
	n, err := strconv.ParseInt(t, 10, 40)
	if err != nil || int(n) < low || t[0] == '+' {
		return 0, f.p.fail(fmt.Sprintf("write a number from %d on", low), "%s is due, found %s", what, shorten(t))
	}
	return int(n), nil
}

// end takes an optional symbol and an optional comment.
func (f *fields) end() (symbol, comment string, err error) {
	symbol = f.next()
	if t := f.next(); t != "" {
		return "", "", f.p.fail("a symbol is one word, and a comment starts with a semicolon", "the line should end after %s, found %s", shorten(symbol), shorten(t))
	}
	if f.rest != "" {
		comment = f.rest[1:]
	}
	return symbol, comment, nil
}

func (p *parser) parseLine(text string) error {
	f := &fields{p, text}
	first := f.next()
	if first == "" {
		return nil
	}
	id, err := strconv.ParseInt(first, 10, 40)
	if err != nil || id <= 0 || first[0] == '+' {
		return p.fail("start each line with the number of its node", "the number of a node is due, found %s", shorten(first))
	}
	if _, ok := p.ids[int(id)]; ok {
		return p.fail("give each line a number of its own", "a second node %d", id)
	}
	if line, ok := p.lines[int(id)]; ok {
		return p.fail("give each line a number of its own", "node %d is the sort of line %d already", id, line)
	}
	op := f.next()
	switch op {
	case "":
		return p.fail("write an operator after the number", "line without an operator")
	case "sort":
		return p.parseSort(int(id), f)
	case "init", "next":
		return p.parseAssign(op, f)
	case "bad", "constraint", "fair", "output":
		return p.parseMark(op, f)
	case "justice":
		return p.parseJustice(f)
	}
	return p.parseNode(int(id), op, f)
}

func (p *parser) parseSort(id int, f *fields) error {
	switch t := f.next(); t {
	case "bitvec":
		w, err := f.number("the width of a bit-vector", 1)
		if err != nil {
			return err
		}
		if w > p.opt.maxWidth {
			return p.fail("split the word", "a bit-vector of %d bits is above the limit of %d", w, p.opt.maxWidth)
		}
		p.sorts[id] = sort{width: w}
	case "array":
		s, err := p.parseArray(f)
		if err != nil {
			return err
		}
		p.sorts[id] = s
	default:
		return p.fail("write bitvec and a width, or array and two sorts", "the kind of a sort is due, found %s", shorten(t))
	}
	p.lines[id] = p.line
	_, _, err := f.end()
	return err
}

// sort takes the number of a sort and returns it.
func (p *parser) sort(f *fields) (sort, error) {
	n, err := f.number("the number of a sort", 1)
	if err != nil {
		return sort{}, err
	}
	s, ok := p.sorts[n]
	switch {
	case !ok:
		return sort{}, p.fail("declare the sort above this line", "no sort %d", n)
	case s.huge && p.opt.probes == nil:
		return sort{}, p.fail("raise the limit of bits in a memory, or cut the array down; netcov check and netcov cover take it by word",
			"%s (sort %d, line %d) is above the limit of %d bits", s, n, p.lines[n], p.opt.MemoryBits)
	}
	return s, nil
}

// arg takes an argument and returns it with its sort.
func (p *parser) arg(f *fields) (ref, sort, error) {
	t := f.next()
	if t == "" {
		return ref{}, sort{}, p.fail("add it", "the line ends where an argument is due")
	}
	n, err := strconv.ParseInt(t, 10, 40)
	if err != nil || n == 0 || t[0] == '+' {
		return ref{}, sort{}, p.fail("write the number of a node, with a minus to invert it", "an argument is due, found %s", shorten(t))
	}
	r := ref{neg: n < 0}
	if r.neg {
		n = -n
	}
	i, ok := p.ids[int(n)]
	if !ok {
		if _, isSort := p.sorts[int(n)]; isSort {
			return ref{}, sort{}, p.fail("write the number of a node", "the argument %d is a sort", n)
		}
		return ref{}, sort{}, p.fail("define the node above this line", "no node %d", n)
	}
	r.node = i
	if r.neg && p.nodes[i].index > 0 {
		return ref{}, sort{}, p.fail("write the number without the minus", "the array %d is inverted", n)
	}
	return r, p.nodes[i].sort, nil
}

// parseAssign reads an init or next line.
func (p *parser) parseAssign(op string, f *fields) error {
	w, err := p.sort(f)
	if err != nil {
		return err
	}
	state, sw, err := p.arg(f)
	if err != nil {
		return err
	}
	value, vw, err := p.arg(f)
	if err != nil {
		return err
	}
	n := &p.nodes[state.node]
	if n.kind != kindState || state.neg {
		return p.fail("name a state", "%s of node %d, which is no state", op, n.id)
	}
	everywhere := op == "init" && w.index > 0 && vw.same(sort{width: w.element})
	if !sw.same(w) || !vw.same(w) && !everywhere {
		return p.fail("make the three widths equal", "%s of a state of %s with a sort of %s and a value of %s", op, sw, w, vw)
	}
	to, line := &n.init, &n.initLine
	if op == "next" {
		to, line = &n.next, &n.nextLine
	}
	if to.node >= 0 {
		return p.fail("remove one of them", "a second %s of node %d (the first is in line %d)", op, n.id, *line)
	}
	*to, *line = value, p.line
	_, _, err = f.end()
	return err
}

func (p *parser) parseMark(op string, f *fields) error {
	a, w, err := p.arg(f)
	if err != nil {
		return err
	}
	if (w.width != 1 || w.index > 0) && op != "output" {
		return p.fail("reduce it to one bit", "%s needs a node of 1 bit, this one has %d", op, w.width)
	}
	symbol, comment, err := f.end()
	if err != nil {
		return err
	}
	to := map[string]*[]mark{"bad": &p.bads, "constraint": &p.constraints, "fair": &p.fair, "output": &p.outputs}[op]
	*to = append(*to, mark{p.line, a, symbol, comment})
	return nil
}

func (p *parser) parseJustice(f *fields) error {
	n, err := f.number("the number of literals of a justice property", 1)
	if err != nil {
		return err
	}
	j := justice{line: p.line}
	for range n {
		a, w, err := p.arg(f)
		if err != nil {
			return err
		}
		if w.width != 1 || w.index > 0 {
			return p.fail("reduce it to one bit", "justice needs nodes of 1 bit, this one has %d", w.width)
		}
		j.args = append(j.args, a)
	}
	if j.symbol, _, err = f.end(); err != nil {
		return err
	}
	p.justice = append(p.justice, j)
	return nil
}

// parseNode reads an input, a state, a constant or an operator.
func (p *parser) parseNode(id int, op string, f *fields) error {
	o, isOp := operators[op]
	if !isOp && !leaf(op) {
		return p.fail("the operators are those of the BTOR2 paper", "unknown operator %s", shorten(op))
	}
	s, err := p.sort(f)
	if err != nil {
		return err
	}
	none := ref{node: -1}
	n := node{id: id, line: p.line, kind: kindConst, op: op, sort: s, init: none, next: none}
	switch {
	case op == "input":
		n.kind = kindInput
	case op == "state":
		n.kind = kindState
	case isOp:
		n.kind = kindOp
		err = p.parseArgs(&n, o, f)
	case s.index > 0:
		err = p.fail("an array has no constant; initialise a state with the value of all elements", "%s of %s", op, s)
	default:
		n.bits, err = p.constant(op, s.width, f)
	}
	if err != nil {
		return err
	}
	if n.symbol, n.comment, err = f.end(); err != nil {
		return err
	}
	if p.bits += s.width; p.bits > p.opt.maxBits {
		return p.fail("cut the design down", "the words up to here have more than %d bits together", p.opt.maxBits)
	}
	at := int32(len(p.nodes))
	p.ids[id] = at
	p.nodes = append(p.nodes, n)
	switch n.kind {
	case kindInput:
		p.inputs = append(p.inputs, at)
		p.vars = append(p.vars, at)
	case kindState:
		p.states = append(p.states, at)
		p.vars = append(p.vars, at)
	}
	return nil
}

func leaf(op string) bool {
	switch op {
	case "input", "state", "one", "ones", "zero", "const", "constd", "consth":
		return true
	}
	return false
}

// constant reads the value of a constant.
func (p *parser) constant(op string, w int, f *fields) (word, error) {
	v := new(big.Int)
	switch op {
	case "zero":
		return zero(w), nil
	case "one":
		return bigWord(v.SetInt64(1), w), nil
	case "ones":
		return invert(zero(w)), nil
	}
	t := f.next()
	if t == "" {
		return nil, p.fail("add it", "the line ends where the value of a constant is due")
	}
	base := map[string]int{"const": 2, "constd": 10, "consth": 16}[op]
	if !digits(t, base) || len(t) > p.opt.maxWidth+1 {
		return nil, p.fail("const takes binary digits, constd decimal ones, consth hexadecimal ones", "%s is no value for %s", shorten(t), op)
	}
	v.SetString(t, base)
	if op == "const" && len(t) != w {
		return nil, p.fail("write as many digits as the sort has bits", "a constant of %d digits for a sort of %d bits", len(t), w)
	}
	low := new(big.Int).Lsh(big.NewInt(-1), uint(w-1))
	if v.BitLen() > w && v.Sign() > 0 || v.Cmp(low) < 0 {
		return nil, p.fail("take a wider sort", "the constant %s does not fit in %d bits", shorten(t), w)
	}
	return bigWord(v, w), nil
}

// digits reports whether t is a number of that base; a minus is for base 10 only.
func digits(t string, base int) bool {
	if base == 10 && len(t) > 1 && t[0] == '-' {
		t = t[1:]
	}
	for i := range len(t) {
		d := 99
		switch c := t[i]; {
		case c >= '0' && c <= '9':
			d = int(c - '0')
		case c >= 'a' && c <= 'f':
			d = int(c-'a') + 10
		case c >= 'A' && c <= 'F':
			d = int(c-'A') + 10
		}
		if d >= base {
			return false
		}
	}
	return true
}

// bigWord returns v in two's complement.
func bigWord(v *big.Int, width int) word {
	if v.Sign() < 0 {
		v = new(big.Int).Add(v, new(big.Int).Lsh(big.NewInt(1), uint(width)))
	}
	r := zero(width)
	for i := range r {
		r[i] = literalOf(v.Bit(i))
	}
	return r
}
