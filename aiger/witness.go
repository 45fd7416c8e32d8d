// AIGER's witness format: what model checkers print as their answers, and what
// simulators replay (the report on format 1.9; HWMCC's output rules).
//
//	1          the property fails (0: it holds, 2: undecided)
//	b0j2       the properties this speaks of, on one line
//	0x1        the initial state, one character a latch (only after a 1)
//	010        the inputs of each step, one character an input
//	.
//
// A stream may hold several. Lines that start with c are comments; those that
// start with u report a bound that is free of counterexamples. Both are skipped.

package aiger

import (
	"bufio"
	"fmt"
	"io"

	"netcov/internal/slurp"
)

// Ternary is a value of a trace: False, True, or Unknown ("x": either).
type Ternary uint8

// The three values.
const (
	False Ternary = iota
	True
	Unknown
)

// String returns "0", "1" or "x".
func (t Ternary) String() string { return "01x"[t : t+1] }

// Status is the answer of a witness.
type Status byte

// The three answers.
const (
	Holds     Status = '0'
	Fails     Status = '1'
	Undecided Status = '2'
)

// Property names a property of a file: Kind is 'b' (bad state; an output where
// a file has no bad states) or 'j' (justice).
type Property struct {
	Kind  byte
	Index int
}

// String returns "b0" or the like.
func (p Property) String() string { return fmt.Sprintf("%c%d", p.Kind, p.Index) }

// Witness is one answer about some properties. When it is Fails, Init has one
// value a latch and Inputs one row a step, each with one value an input.
type Witness struct {
	Status     Status
	Properties []Property
	Init       []Ternary
	Inputs     [][]Ternary
}

// WriteWitness writes witnesses one after the other.
func WriteWitness(to io.Writer, witnesses ...*Witness) error {
	w := bufio.NewWriter(to)
	for _, witness := range witnesses {
		_, _ = w.Write([]byte{byte(witness.Status), '\n'})
		for _, p := range witness.Properties {
			_, _ = w.WriteString(p.String())
		}
		_ = w.WriteByte('\n')
		if witness.Status == Fails {
			writeRow(w, witness.Init)
			for _, row := range witness.Inputs {
				writeRow(w, row)
			}
		}
		_, _ = w.WriteString(".\n")
	}
	return w.Flush()
}

func writeRow(w *bufio.Writer, row []Ternary) {
	for _, t := range row {
		_ = w.WriteByte("01x"[t])
	}
	_ = w.WriteByte('\n')
}

// ReadWitnesses reads all witnesses of r; name is what errors call it. When f
// is not nil, they must fit it: its properties, numbers of latches and inputs.
// A stream without any is an error. Refusals are *Error.
func ReadWitnesses(r io.Reader, name string, f *File) ([]*Witness, error) {
	data, _, err := slurp.All(r, name, 0, "012cu")
	if err != nil {
		return nil, err
	}
	p := witnessParser{scanner: scanner{data: data, line: 1, name: name}, file: f}
	var all []*Witness
	for p.skip(); !p.eof(); p.skip() {
		w, err := p.witness()
		if err != nil {
			return nil, err
		}
		all = append(all, w)
	}
	if len(all) == 0 {
		return nil, p.fail("a witness starts with a line 0, 1 or 2", "no witness before the end of the file")
	}
	return all, nil
}

type witnessParser struct {
	scanner
	file *File
}

// skip passes comments and bounds.
func (p *witnessParser) skip() {
	for !p.eof() && (p.data[p.pos] == 'c' || p.data[p.pos] == 'u') {
		for !p.eof() && p.data[p.pos] != '\n' {
			p.pos++
		}
		if !p.eof() {
			p.pos++
			p.line++
		}
	}
}

func (p *witnessParser) witness() (*Witness, error) {
	w := &Witness{Status: Status(p.data[p.pos])}
	if w.Status != Holds && w.Status != Fails && w.Status != Undecided {
		return nil, p.fail("a witness starts with a line 0 (holds), 1 (fails) or 2 (undecided)", "no status: %s", p.found())
	}
	p.pos++
	if err := p.endLine(); err != nil {
		return nil, err
	}
	if err := p.properties(w); err != nil {
		return nil, err
	}
	if w.Status == Fails {
		if err := p.trace(w); err != nil {
			return nil, err
		}
	}
	p.skip()
	if p.eof() || p.data[p.pos] != '.' {
		return nil, p.fail("end the witness with a line .", "a line . is due, found %s", p.found())
	}
	p.pos++
	return w, p.endLine()
}

func (p *witnessParser) properties(w *Witness) error {
	p.skip()
	for {
		if p.eof() || p.data[p.pos] != 'b' && p.data[p.pos] != 'j' {
			return p.fail("name the properties by b or j and their position from 0, as in b0", "a property is due, found %s", p.found())
		}
		kind := p.data[p.pos]
		p.pos++
		at, err := p.number("the position of a property", MaxVariable)
		if err != nil {
			return err
		}
		if n := p.known(kind); n >= 0 && int(at) >= n {
			return p.fail("check that the witness belongs to this file", "property %c%d, but the file has %d of that kind", kind, at, n)
		}
		w.Properties = append(w.Properties, Property{kind, int(at)})
		if !p.eof() && p.data[p.pos] != 'b' && p.data[p.pos] != 'j' {
			return p.endLine()
		}
	}
}

// known returns how many properties of a kind the file has, -1 without a file.
func (p *witnessParser) known(kind byte) int {
	if p.file == nil {
		return -1
	}
	if kind == 'j' {
		return len(p.file.Justice)
	}
	lits, _, _ := p.file.Properties()
	return len(lits)
}

func (p *witnessParser) trace(w *Witness) (err error) {
	latches, inputs := -1, -1
	if p.file != nil {
		latches, inputs = len(p.file.Latches), len(p.file.Inputs)
	}
	if w.Init, err = p.row("the initial state", latches); err != nil {
		return err
	}
	for {
		p.skip()
		if p.eof() || p.data[p.pos] == '.' {
			break
		}
		row, err := p.row("the inputs of a step", inputs)
		if err != nil {
			return err
		}
		inputs = len(row)
		w.Inputs = append(w.Inputs, row)
	}
	if len(w.Inputs) == 0 {
		return p.fail("a counterexample has at least one step", "the inputs of the first step are due, found %s", p.found())
	}
	return nil
}

// row reads a line of 0, 1 and x. width is its length, -1 for any.
func (p *witnessParser) row(what string, width int) ([]Ternary, error) {
	p.skip()
	end := p.pos
	for end < len(p.data) && (p.data[end] == '0' || p.data[end] == '1' || p.data[end] == 'x') {
		end++
	}
	text := p.data[p.pos:end]
	if end < len(p.data) && p.data[end] != '\n' {
		p.pos = end
		return nil, p.fail("write one character 0, 1 or x for each", "%s: found %s", what, p.found())
	}
	if width >= 0 && len(text) != width {
		return nil, p.fail("write one character 0, 1 or x for each", "%s has %d values, %d are due", what, len(text), width)
	}
	row := make([]Ternary, len(text))
	for i, c := range text {
		switch c {
		case '1':
			row[i] = True
		case 'x':
			row[i] = Unknown
		}
	}
	p.pos = end
	return row, p.endLine()
}
