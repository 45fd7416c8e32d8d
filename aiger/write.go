// The writers. What they write, the strict reader reads back: the ASCII form
// exactly, the binary form up to Normalize.

package aiger

import (
	"bufio"
	"compress/gzip"
	"io"
	"strconv"
	"strings"

	"netcov/internal/atomicfile"
)

// WriteFile writes f to path, whole or not at all. The name's end decides the
// form: ".aag" is ASCII, ".aig" binary, each with ".gz" after it compressed;
// with another name the form is f.Binary's.
func WriteFile(path string, f *File) error {
	plain, packed := strings.CutSuffix(path, ".gz")
	binary := strings.HasSuffix(plain, ".aig") || f.Binary && !strings.HasSuffix(plain, ".aag")
	return atomicfile.Write(path, func(w io.Writer) error {
		if !packed {
			return write(w, f, binary)
		}
		pack := gzip.NewWriter(w)
		if err := write(pack, f, binary); err != nil {
			return err
		}
		return pack.Close()
	})
}

// WriteASCII writes f in the ASCII form, the gates in the order of the file
// that f was read from. It refuses what Check refuses.
func WriteASCII(w io.Writer, f *File) error { return write(w, f, false) }

// WriteBinary writes f in the binary form, that is f.Normalize(). It refuses
// what Check refuses.
func WriteBinary(w io.Writer, f *File) error { return write(w, f, true) }

func write(to io.Writer, f *File, binary bool) error {
	if err := f.Check(); err != nil {
		return err
	}
	if binary {
		f = f.Normalize()
	}
	w := &writer{Writer: bufio.NewWriterSize(to, 1<<14)}
	w.header(f, binary)
	if !binary {
		w.literals(f.Inputs)
	}
	for _, l := range f.Latches {
		w.latch(l, binary)
	}
	w.literals(f.Outputs)
	w.literals(f.Bads)
	w.literals(f.Constraints)
	for _, j := range f.Justice {
		w.number(uint32(len(j)), '\n')
	}
	for _, j := range f.Justice {
		w.literals(j)
	}
	w.literals(f.Fairness)
	if binary {
		w.binaryAnds(f.Ands)
	} else {
		w.asciiAnds(f)
	}
	w.symbols(f)
	w.comment(f.Comment)
	return w.Flush()
}

// writer leaves errors to the last Flush, as bufio.Writer keeps the first.
type writer struct {
	*bufio.Writer
	digits [20]byte
}

func (w *writer) number(n uint32, end byte) {
	_, _ = w.Write(append(strconv.AppendUint(w.digits[:0], uint64(n), 10), end))
}

func (w *writer) literals(lits []Lit) {
	for _, lit := range lits {
		w.number(lit, '\n')
	}
}

// header leaves out the counts of format 1.9 from the last one that is not 0.
func (w *writer) header(f *File, binary bool) {
	if binary {
		_, _ = w.WriteString("aig ")
	} else {
		_, _ = w.WriteString("aag ")
	}
	counts := []int{
		int(f.MaxVar), len(f.Inputs), len(f.Latches), len(f.Outputs), len(f.Ands),
		len(f.Bads), len(f.Constraints), len(f.Justice), len(f.Fairness),
	}
	for len(counts) > 5 && counts[len(counts)-1] == 0 {
		counts = counts[:len(counts)-1]
	}
	for i, n := range counts {
		end := byte(' ')
		if i == len(counts)-1 {
			end = '\n'
		}
		w.number(uint32(n), end)
	}
}

func (w *writer) latch(l Latch, binary bool) {
	if !binary {
		w.number(l.Lit, ' ')
	}
	if l.Reset == 0 {
		w.number(l.Next, '\n')
		return
	}
	w.number(l.Next, ' ')
	w.number(l.Reset, '\n')
}

func (w *writer) asciiAnds(f *File) {
	ands := f.Ands
	if f.AndPos != nil {
		ands = make([]And, len(f.Ands))
		for i, at := range f.AndPos {
			ands[at] = f.Ands[i]
		}
	}
	for _, a := range ands {
		w.number(a.Lhs, ' ')
		w.number(a.Rhs0, ' ')
		w.number(a.Rhs1, '\n')
	}
}

func (w *writer) binaryAnds(ands []And) {
	for _, a := range ands {
		w.difference(a.Lhs - a.Rhs0)
		w.difference(a.Rhs0 - a.Rhs1)
	}
}

func (w *writer) difference(n uint32) {
	for n >= 0x80 {
		_ = w.WriteByte(byte(n) | 0x80)
		n >>= 7
	}
	_ = w.WriteByte(byte(n))
}

func (w *writer) symbols(f *File) {
	for _, t := range f.nameTables() {
		if len(t.names) == 0 {
			continue
		}
		for at := range t.length {
			name, ok := t.names[at]
			if !ok {
				continue
			}
			_ = w.WriteByte(t.letter)
			w.number(uint32(at), ' ')
			_, _ = w.WriteString(name)
			_ = w.WriteByte('\n')
		}
	}
}

func (w *writer) comment(text string) {
	if text == "" {
		return
	}
	_, _ = w.WriteString("c\n")
	_, _ = w.WriteString(text)
	if !strings.HasSuffix(text, "\n") {
		_ = w.WriteByte('\n')
	}
}

// Normalize returns f as the binary form stores it: the variables are numbered
// without gaps, inputs first, then latches, then gates in the order of f.Ands,
// and a gate's larger operand comes first. Symbols and comment are shared with f.
func (f *File) Normalize() *File {
	g := *f
	g.AndPos = nil
	g.MaxVar = uint32(len(f.Inputs) + len(f.Latches) + len(f.Ands))
	m := renaming{to: make([]uint32, f.MaxVar+1)}
	g.Inputs = table[Lit](uint32(len(f.Inputs)))
	for i, lit := range f.Inputs {
		g.Inputs[i] = m.next(lit)
	}
	g.Latches = table[Latch](uint32(len(f.Latches)))
	for i, l := range f.Latches {
		g.Latches[i].Lit = m.next(l.Lit)
	}
	g.Ands = table[And](uint32(len(f.Ands)))
	for i, a := range f.Ands {
		left, right := m.literal(a.Rhs0), m.literal(a.Rhs1)
		g.Ands[i] = And{m.next(a.Lhs), max(left, right), min(left, right)}
	}
	for i, l := range f.Latches {
		g.Latches[i].Next = m.literal(l.Next)
		g.Latches[i].Reset = m.literal(l.Reset)
	}
	g.Outputs = m.literals(f.Outputs)
	g.Bads = m.literals(f.Bads)
	g.Constraints = m.literals(f.Constraints)
	g.Fairness = m.literals(f.Fairness)
	g.Justice = table[[]Lit](uint32(len(f.Justice)))
	for i, j := range f.Justice {
		g.Justice[i] = m.literals(j)
	}
	return &g
}

// renaming maps variables to variables.
type renaming struct {
	to   []uint32
	last uint32
}

func (m *renaming) next(lit Lit) Lit {
	m.last++
	m.to[lit>>1] = m.last
	return 2 * m.last
}

func (m *renaming) literal(lit Lit) Lit { return 2*m.to[lit>>1] | lit&1 }

func (m *renaming) literals(lits []Lit) []Lit {
	if lits == nil {
		return nil
	}
	list := make([]Lit, len(lits))
	for i, lit := range lits {
		list[i] = m.literal(lit)
	}
	return list
}
