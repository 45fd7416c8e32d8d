package waveform

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// most is the number of steps that a table shows, the last ones, and the number of words.
const most = 12

// Table shows the words that differ or decide, step by step: the inputs that matter, the
// register under fault, then what differs, the earliest first. A cell with two values has
// the design's and the mutant's; a star marks the first difference of each word.
func (r *Waves) Table() string {
	rows, from, left := r.Rows()
	t := newTable(from, r.Steps)
	for _, x := range rows {
		row := table.Row{x.What, x.Name}
		for i, cell := range x.Values[0] {
			if b := x.Values[1][i]; b != cell {
				cell += " → " + b
			}
			if from+i == x.First {
				cell += " *"
			}
			row = append(row, cell)
		}
		t.AppendRow(row)
	}
	return t.Render() + "\n" + leftOut(left, "more words that differ", from)
}

// Row is a word as a reader sees it.
type Row struct {
	What, Name string // input, register, output, or fault
	Wide       bool   // more than one bit
	// Values are those of the design and of the mutant, step by step: 0, 1, x, a
	// number as text, or the name of one.
	Values [2][]string
	First  int // step in which the sides differ first, -1 for none
}

// Rows are what a table shows: the steps from one on, and how many words are left out.
func (r *Waves) Rows() (rows []Row, from, left int) {
	from = max(0, r.Steps-most)
	all := r.rows()
	left = max(0, len(all)-2*most)
	for _, i := range all[:len(all)-left] {
		x := Row{What: r.Words[i].Kind.String(), Name: r.Words[i].String(), Wide: len(r.Words[i].Bits) > 1, First: r.Differs(i)}
		if i == r.Fault {
			x.What = "fault"
		}
		for step := from; step < r.Steps; step++ {
			for side := range x.Values {
				x.Values[side] = append(x.Values[side], r.Words[i].shown(r.Values[side][i][step]))
			}
		}
		rows = append(rows, x)
	}
	return rows, from, left
}

// newTable is an empty table with a column for each step.
func newTable(from, to int) table.Writer {
	t := table.NewWriter()
	s := table.StyleLight
	s.Format.Header = text.FormatDefault
	s.Options.DrawBorder, s.Options.SeparateColumns = false, false
	t.SetStyle(s)
	t.SuppressTrailingSpaces()
	header := table.Row{"", "signal"}
	for step := from; step < to; step++ {
		header = append(header, fmt.Sprintf("step %d", step))
	}
	t.AppendHeader(header)
	return t
}

// leftOut tells what a table does not show.
func leftOut(words int, what string, steps int) string {
	out := ""
	if words > 0 {
		out += fmt.Sprintf("… and %d %s\n", words, what)
	}
	if steps > 0 {
		out += fmt.Sprintf("steps 0 to %d are left out\n", steps-1)
	}
	return out
}

// rows lists the words to show.
func (r *Waves) rows() []int {
	var inputs, differ []int
	for i := range r.Words {
		if i == r.Fault {
			continue
		}
		switch {
		case r.Words[i].Kind == Input && slices.ContainsFunc(r.Values[0][i], func(v string) bool { return strings.ContainsAny(v, "01") }):
			inputs = append(inputs, i)
		case r.Differs(i) >= 0:
			differ = append(differ, i)
		}
	}
	slices.SortStableFunc(differ, func(a, b int) int { return r.Differs(a) - r.Differs(b) })
	if r.Fault >= 0 {
		inputs = append(inputs, r.Fault)
	}
	return append(inputs, differ...)
}

// shown is a value as a table has it: its name in an enumeration, else words in
// hexadecimal, binary where some bits are x.
func (w *Word) shown(bits string) string {
	if n, err := strconv.ParseUint(bits, 2, 64); err == nil && w.Names[n] != "" {
		return w.Names[n]
	}
	switch {
	case len(bits) == 1:
		return bits
	case strings.Trim(bits, "x") == "":
		return "x"
	case strings.Contains(bits, "x"):
		return "0b" + bits
	}
	n, _ := new(big.Int).SetString(bits, 2)
	return fmt.Sprintf("0x%0*x", (len(bits)+3)/4, n)
}
