// Package yosysmap reads the map files that yosys writes beside an AIGER file
// (write_aiger -map and -vmap), and the names in the symbol tables of such
// files. With them a latch of the AIGER file speaks of the user's register.
//
// Each line of a map is
//
//	input|init|output|latch|invlatch POSITION BIT NAME
//	wire|invwire LITERAL BIT NAME
//
// The write_aiger option -zinit stores the complement of registers that start
// with 1: these come as invlatch, or with "!" before the name of a symbol.
//
// Known limits of the files, not of this reader: a register that is declared
// upwards ([0:3]) comes with the index counted from the least significant bit,
// and a module's and a file's name are not in them.
package yosysmap

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"netcov/aiger"
	"netcov/frontend/design"
	"netcov/internal/visible"
)

// Error is a refusal of some input. Line counts from 1; 0 is the whole file.
type Error struct {
	File string
	Line int
	What string // what is wrong
	Cure string // what to do about it
}

// Error returns "file:line: what; cure".
func (e *Error) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %s; %s", e.File, e.What, e.Cure)
	}
	return fmt.Sprintf("%s:%d: %s; %s", e.File, e.Line, e.What, e.Cure)
}

// Map is a map file. Positions count from 0 in the tables of the AIGER file.
type Map struct {
	File    string
	Inputs  map[int]string        // by position; those behind "init" too
	Outputs map[int]string        // by position
	Latches map[int]design.Origin // by position
	Wires   map[uint32]design.Origin
}

// entry is a name of one line.
type entry struct {
	name     string
	bit      int
	inverted bool
}

// ReadFile reads the map file at path.
func ReadFile(path string) (*Map, error) {
	in, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	return Read(in, path)
}

// Read reads a map to the end of r; name is what errors call it.
func Read(r io.Reader, name string) (*Map, error) {
	m := &Map{File: name, Inputs: map[int]string{}, Outputs: map[int]string{}, Latches: map[int]design.Origin{}, Wires: map[uint32]design.Origin{}}
	tables := map[string]map[int][]entry{"input": {}, "init": {}, "output": {}, "latch": {}, "wire": {}}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	at := 0
	for lines.Scan() {
		at++
		text := strings.TrimRight(lines.Text(), "\r ")
		if text == "" {
			continue
		}
		kind, position, e, err := parseLine(text)
		if err != nil {
			return nil, &Error{name, at, err.Error(), "a line reads: latch POSITION BIT NAME"}
		}
		table, ok := tables[strings.TrimPrefix(kind, "inv")]
		if !ok {
			return nil, &Error{name, at, fmt.Sprintf("unknown entry %q", visible.Short(kind)), "give a file that write_aiger -map wrote"}
		}
		table[position] = append(table[position], e)
	}
	if err := lines.Err(); err != nil {
		return nil, &Error{name, at + 1, err.Error(), "give a file that write_aiger -map wrote"}
	}
	m.fill(tables)
	return m, nil
}

func parseLine(text string) (kind string, position int, e entry, err error) {
	words := strings.SplitN(text, " ", 4)
	if len(words) < 4 || words[3] == "" {
		return "", 0, e, fmt.Errorf("%d words where a kind, two numbers and a name are due", len(words))
	}
	numbers := [2]int{}
	for i, what := range []string{"position", "index of a bit"} {
		v, err := strconv.ParseUint(words[i+1], 10, 32)
		if err != nil {
			return "", 0, e, fmt.Errorf("%q is no %s", visible.Short(words[i+1]), what)
		}
		numbers[i] = int(v)
	}
	position, e.bit = numbers[0], numbers[1]
	e.name = words[3]
	e.inverted = strings.HasPrefix(words[0], "inv")
	return words[0], position, e, nil
}

// fill chooses a name for each position.
func (m *Map) fill(tables map[string]map[int][]entry) {
	wide := map[string]bool{} // names with more bits than bit 0
	ports := map[string]bool{}
	for kind, table := range tables {
		for _, es := range table {
			for _, e := range es {
				if e.bit != 0 {
					wide[e.name] = true
				}
				if kind == "output" || kind == "input" {
					ports[e.name] = true
				}
			}
		}
	}
	label := func(e entry) string {
		if wide[e.name] {
			return fmt.Sprintf("%s[%d]", e.name, e.bit)
		}
		return e.name
	}
	for position, es := range tables["input"] {
		m.Inputs[position] = label(es[0])
	}
	for position, es := range tables["init"] {
		m.Inputs[position] = "init(" + label(es[0]) + ")"
	}
	for position, es := range tables["output"] {
		m.Outputs[position] = label(es[0])
	}
	for position, es := range tables["latch"] {
		m.Latches[position] = origin(best(es, ports), wide)
	}
	for literal, es := range tables["wire"] {
		m.Wires[uint32(literal)] = origin(best(es, ports), wide)
	}
}

// best prefers the user's names to yosys', registers to the ports that show
// them, and inner names to outer ones.
func best(es []entry, ports map[string]bool) entry {
	rank := func(e entry) int {
		switch {
		case strings.HasPrefix(e.name, "$"):
			return -2
		case ports[e.name]:
			return -1
		}
		return strings.Count(e.name, ".")
	}
	b := es[0]
	for _, e := range es[1:] {
		if rank(e) > rank(b) {
			b = e
		}
	}
	return b
}

func origin(e entry, wide map[string]bool) design.Origin {
	o := design.Origin{Register: e.name, Bit: -1, Inverted: e.inverted, Artefact: strings.HasPrefix(e.name, "$")}
	if wide[e.name] {
		o.Bit = e.bit
	}
	if dot := strings.LastIndexByte(e.name, '.'); dot > 0 && !o.Artefact {
		o.Instance = e.name[:dot]
	}
	return o
}

// Apply gives the latches and gates of a design the origins of the map, and
// nodes without a name the map's. A latch that the map does not name is one
// that yosys added, and is marked so. f is the file that the design was read
// from. It fails when the map speaks of positions that the file has not.
func (m *Map) Apply(d *design.Design, f *aiger.File) error {
	n := d.Netlist
	check := func(what string, highest, have int) error {
		if highest < have {
			return nil
		}
		return &Error{File: m.File, What: fmt.Sprintf("it names %s %d, but %s has %d", what, highest, d.File, have), Cure: "give the map that was written with this AIGER file"}
	}
	if err := cmp.Or(
		check("input", highest(m.Inputs), len(n.Inputs)),
		check("output", highest(m.Outputs), len(n.Outputs)),
		check("latch", highest(m.Latches), len(n.Latches)),
	); err != nil {
		return err
	}
	for i, name := range m.Inputs {
		if n.Inputs[i].Name == "" {
			n.Inputs[i].Name = name
		}
	}
	for i, name := range m.Outputs {
		if n.Outputs[i].Name == "" {
			n.Outputs[i].Name = name
		}
	}
	d.Latches = make([]design.Origin, len(n.Latches))
	for i := range d.Latches {
		o, ok := m.Latches[i]
		if !ok {
			o = design.Origin{Bit: -1, Artefact: true}
		}
		d.Latches[i] = o
		if n.Latches[i].Name == "" {
			n.Latches[i].Name = Name(o)
		}
	}
	if len(m.Wires) == 0 {
		return nil
	}
	d.Gates = make([]design.Origin, len(n.Gates))
	for i := range d.Gates {
		d.Gates[i].Bit = -1
	}
	for i, a := range f.Ands {
		if o, ok := m.Wires[a.Lhs]; ok {
			d.Gates[f.AndPosition(i)] = o
		} else if o, ok := m.Wires[a.Lhs^1]; ok {
			o.Inverted = !o.Inverted
			d.Gates[f.AndPosition(i)] = o
		}
	}
	return nil
}

func highest[V any](m map[int]V) int {
	most := -1
	for i := range m {
		most = max(most, i)
	}
	return most
}

// Name returns the name of a bit, such as u1.count[3].
func Name(o design.Origin) string {
	if o.Bit < 0 {
		return o.Register
	}
	return fmt.Sprintf("%s[%d]", o.Register, o.Bit)
}
