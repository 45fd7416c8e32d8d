// The symbol table and the comment, the same text in both forms.

package aiger

import "bytes"

// symbols reads "<table><position> <name>" lines, then a "c" line and the
// comment after it. Both may be missing. "c0 name" names a constraint.
func (p *parser) symbols() error {
	for !p.eof() {
		rest := p.data[p.pos:]
		switch c := rest[0]; {
		case c == 'c' && (len(rest) == 1 || rest[1] == '\n' || rest[1] == '\r'):
			return p.comment()
		case c == 'c' && (rest[1] < '0' || rest[1] > '9'):
			return p.fail("write c alone on its line, the comment below it", "a line starts with c but is neither the symbol of a constraint nor the start of the comment: %s", p.found())
		case c == '\n' || c == '\r':
			return p.blankEnd()
		}
		table, count := p.table(rest[0])
		if table == nil {
			return p.fail("after the tables only symbols (i0 name) and a comment (c) may stand; check the header's counts", "neither a symbol nor a comment: %s", p.found())
		}
		if err := p.symbol(table, count); err != nil {
			return err
		}
	}
	return nil
}

// table returns the names that a symbol line's first letter speaks of, and the
// length of their table.
func (p *parser) table(letter byte) (*Names, uint32) {
	t := &p.file.Symbols
	switch letter {
	case 'i':
		return &t.Inputs, p.i
	case 'l':
		return &t.Latches, p.l
	case 'o':
		return &t.Outputs, p.o
	case 'b':
		return &t.Bads, p.b
	case 'c':
		return &t.Constraints, p.c
	case 'j':
		return &t.Justice, p.j
	case 'f':
		return &t.Fairness, p.f
	}
	return nil, 0
}

func (p *parser) symbol(to *Names, count uint32) error {
	letter := p.data[p.pos]
	p.pos++
	at, err := p.number("the position of a symbol", MaxVariable)
	if err != nil {
		return err
	}
	if at >= count {
		return p.fail("count positions from 0", "symbol %c%d, but that table has %d entries", letter, at, count)
	}
	if p.eof() || p.data[p.pos] != ' ' {
		return p.fail("write the name after one blank", "symbol %c%d has no name", letter, at)
	}
	p.pos++
	if *to == nil {
		*to = make(Names)
	} else if _, ok := (*to)[int(at)]; ok {
		return p.fail("remove one of them", "a second symbol for %c%d", letter, at)
	}
	name, err := p.restOfLine()
	if err != nil {
		return err
	}
	(*to)[int(at)] = string(name)
	return nil
}

// comment reads the "c" line and all that follows.
func (p *parser) comment() error {
	p.pos++
	if err := p.endLine(); err != nil {
		return err
	}
	text := p.data[p.pos:]
	if len(text) == 0 {
		return nil
	}
	p.line += bytes.Count(text, []byte("\n"))
	p.pos = len(p.data)
	if p.lenient {
		text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
	}
	p.file.Comment = string(text)
	if text[len(text)-1] != '\n' {
		p.file.Comment += "\n"
		return p.oddEnd()
	}
	return nil
}

// blankEnd accepts blank lines that end the file, in lenient mode.
func (p *parser) blankEnd() error {
	if len(bytes.Trim(p.data[p.pos:], "\r\n")) > 0 {
		return p.fail("remove the blank line", "blank line before the end of the file")
	}
	if !p.lenient {
		return p.failStrict("remove it", "blank line at the end of the file")
	}
	p.pos = len(p.data)
	return nil
}
