// The tables of both forms. They differ in the inputs and latches, whose
// literals are implicit in the binary form, and in the AND gates.

package aiger

// lines holds the first line of each table of literals, for errors that are
// found after the table was read.
type lines struct {
	latches, outputs, bads, constraints, justice, fairness, ands int
}

// parse reads a whole AIGER file from data.
func parse(data []byte, name string, opt Options) (*File, error) {
	s := &scanner{data: data, line: 1, name: name, lenient: opt.Lenient}
	h, err := s.header()
	if err != nil {
		return nil, err
	}
	p := &parser{scanner: s, header: h, file: &File{MaxVar: h.m, Binary: h.binary}}
	p.top = 2*h.m + 1
	if !h.binary {
		p.kind = make([]byte, h.m+1)
	}
	steps := []func() error{
		p.inputs, p.latches, p.properties, p.ands, p.symbols, p.definitions, p.order, p.resets,
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return p.file, nil
}

// parser carries what the steps share.
type parser struct {
	*scanner
	header
	file *File
	top  Lit    // the largest literal
	kind []byte // ASCII: what defines a variable
	at   lines
}

// What defines a variable. gateSeen is a gate that the check of the order has
// passed.
const (
	undefined byte = iota
	input
	latch
	gate
	gateSeen
)

var kindName = [...]string{"nothing", "an input", "a latch", "an AND gate", "an AND gate"}

// define notes that the even literal lit is defined on this line.
func (p *parser) define(lit Lit, kind byte) error {
	v := lit >> 1
	switch {
	case lit&1 != 0:
		return p.fail("write the even literal", "%s is defined by the odd literal %d", kindName[kind], lit)
	case v == 0:
		return p.fail("number variables from 1", "%s is defined by the constant 0", kindName[kind])
	case p.kind[v] != undefined:
		return p.fail("define each variable once", "literal %d is already %s", lit, kindName[p.kind[v]])
	}
	p.kind[v] = kind
	return nil
}

// table allocates a table of n entries, nil for none.
func table[T any](n uint32) []T {
	if n == 0 {
		return nil
	}
	return make([]T, n)
}

func (p *parser) inputs() error {
	in := table[Lit](p.i)
	p.file.Inputs = in
	for k := range in {
		if p.binary {
			in[k] = 2 * Lit(k+1)
			continue
		}
		lit, err := p.number("an input literal", p.top)
		if err != nil {
			return err
		}
		if err := p.define(lit, input); err != nil {
			return err
		}
		if err := p.endLine(); err != nil {
			return err
		}
		in[k] = lit
	}
	return nil
}

func (p *parser) latches() error {
	p.at.latches = p.line
	p.file.Latches = table[Latch](p.l)
	for k := range p.file.Latches {
		if err := p.latch(k, &p.file.Latches[k]); err != nil {
			return err
		}
	}
	return nil
}

func (p *parser) latch(k int, to *Latch) (err error) {
	to.Lit = 2 * (p.i + 1 + Lit(k))
	if !p.binary {
		if to.Lit, err = p.number("a latch literal", p.top); err != nil {
			return err
		}
		if err := p.define(to.Lit, latch); err != nil {
			return err
		}
		if err := p.blank("the next-state literal"); err != nil {
			return err
		}
	}
	if to.Next, err = p.number("a next-state literal", p.top); err != nil {
		return err
	}
	if !p.eof() && p.data[p.pos] == ' ' {
		p.pos++
		if to.Reset, err = p.number("a reset literal", p.top); err != nil {
			return err
		}
	}
	return p.endLine()
}

// properties reads the tables O, B, C, J and F.
func (p *parser) properties() (err error) {
	f := p.file
	p.at.outputs = p.line
	if f.Outputs, err = p.literals(p.o, "an output literal"); err != nil {
		return err
	}
	p.at.bads = p.line
	if f.Bads, err = p.literals(p.b, "a bad-state literal"); err != nil {
		return err
	}
	p.at.constraints = p.line
	if f.Constraints, err = p.literals(p.c, "a constraint literal"); err != nil {
		return err
	}
	if err := p.justice(); err != nil {
		return err
	}
	p.at.fairness = p.line
	f.Fairness, err = p.literals(p.f, "a fairness literal")
	return err
}

// literals reads n lines of one literal each.
func (p *parser) literals(n uint32, what string) ([]Lit, error) {
	list := table[Lit](n)
	for k := range list {
		lit, err := p.number(what, p.top)
		if err != nil {
			return nil, err
		}
		if err := p.endLine(); err != nil {
			return nil, err
		}
		list[k] = lit
	}
	return list, nil
}

// justice reads the J sizes and then the literals of all J properties. The
// sizes are checked against the data as the header's numbers are.
func (p *parser) justice() error {
	if p.j == 0 {
		return nil
	}
	sizes := make([]uint32, p.j)
	total := uint64(0)
	for k := range sizes {
		n, err := p.number("the size of a justice property", MaxVariable)
		if err != nil {
			return err
		}
		if total += uint64(n); 2*total > uint64(len(p.data)-p.pos) {
			return p.fail("the file is truncated or the size is wrong", "justice properties of %d literals do not fit in the rest of the file", total)
		}
		if err := p.endLine(); err != nil {
			return err
		}
		sizes[k] = n
	}
	p.at.justice = p.line
	all, err := p.literals(uint32(total), "a justice literal")
	if err != nil {
		return err
	}
	p.file.Justice = table[[]Lit](p.j)
	for k, n := range sizes {
		if n > 0 {
			p.file.Justice[k], all = all[:n:n], all[n:]
		}
	}
	return nil
}

func (p *parser) ands() error {
	p.at.ands = p.line
	p.file.Ands = table[And](p.a)
	if p.binary {
		return p.binaryAnds()
	}
	for k := range p.file.Ands {
		if err := p.asciiAnd(&p.file.Ands[k]); err != nil {
			return err
		}
	}
	return nil
}

func (p *parser) asciiAnd(to *And) (err error) {
	if to.Lhs, err = p.number("an AND gate's literal", p.top); err != nil {
		return err
	}
	if err := p.define(to.Lhs, gate); err != nil {
		return err
	}
	if err := p.blank("the first operand"); err != nil {
		return err
	}
	if to.Rhs0, err = p.number("the first operand", p.top); err != nil {
		return err
	}
	if err := p.blank("the second operand"); err != nil {
		return err
	}
	if to.Rhs1, err = p.number("the second operand", p.top); err != nil {
		return err
	}
	return p.endLine()
}

// binaryAnds reads each gate as two differences, Lhs - Rhs0 and Rhs0 - Rhs1.
// Since Lhs > Rhs0 >= Rhs1, the gates come in topological order.
func (p *parser) binaryAnds() error {
	p.byteOffsets = true
	lhs := 2 * (p.i + p.l)
	for k := range p.file.Ands {
		lhs += 2
		start := p.pos
		d0, err := p.difference()
		if err != nil {
			return err
		}
		d1, err := p.difference()
		if err != nil {
			return err
		}
		if d0 == 0 || d0 > lhs || d1 > lhs-d0 {
			p.pos = start
			return p.fail("the file is damaged", "AND gate %d (literal %d) has the differences %d and %d, its operands must lie below it", k, lhs, d0, d1)
		}
		p.file.Ands[k] = And{lhs, lhs - d0, lhs - d0 - d1}
	}
	return nil
}

// difference reads a number of seven bits a byte, the low ones first; the high
// bit of a byte says that another one follows.
func (p *parser) difference() (uint32, error) {
	var n uint64
	start := p.pos
	for shift := 0; p.pos < len(p.data); shift += 7 {
		b := p.data[p.pos]
		p.pos++
		n |= uint64(b&0x7f) << shift
		if b < 0x80 && n <= 1<<32-1 {
			return uint32(n), nil
		}
		if shift >= 28 {
			p.pos = start
			return 0, p.fail("the file is damaged", "a difference has more than 32 bits")
		}
	}
	return 0, p.fail("the file is truncated or its header counts too much", "the file ends within the AND gates")
}
