// The reader of the JSON netlists. A netlist of gates has hundreds of thousands of
// cells of few kinds, and most of the time and memory of reading a design goes here.
// So it is read cell by cell, the nets are parsed by hand and lie in few pieces of
// memory, and what many cells have in common is kept once.

package verilog

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"slices"
)

// readJSON reads a netlist that a script wrote, with the places of the sources.
func (r *run) readJSON(name string) (*jsonFile, error) {
	in, err := os.Open(r.path(name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &Error{What: r.opt.Yosys + " ended without an error and wrote no netlist: is it a yosys?", Cure: "name one", Option: "Yosys"}
	} else if err != nil {
		return nil, err
	}
	defer in.Close()
	d := &netlistDecoder{
		Decoder: json.NewDecoder(bufio.NewReaderSize(in, 1<<16)), src: r.src,
		attributes: map[string]map[string]string{}, terminals: map[string][]*terminal{}, words: map[string]string{},
	}
	f := &jsonFile{Modules: map[string]*module{}}
	err = d.object(func(key string) error {
		switch key {
		case "creator":
			return d.Decode(&f.Creator)
		case "modules":
			return d.object(func(name string) error {
				m, err := d.module()
				f.Modules[name] = m
				return err
			})
		}
		return d.Decode(new(json.RawMessage))
	})
	if err != nil {
		return nil, fmt.Errorf("yosys wrote a JSON netlist that cannot be read (%w)", err)
	}
	return f, nil
}

// netlistDecoder reads netlists, and keeps one copy of what many cells have.
type netlistDecoder struct {
	*json.Decoder
	src        *sources
	attributes map[string]map[string]string // by their text
	terminals  map[string][]*terminal       // by the text of their directions
	words      map[string]string
	raw        rawCell
	nets       []bit // piece of memory for nets to come
	pins       []pin // the same for pins
}

// rawCell is a cell or net as the file has it.
type rawCell struct {
	Type                   string
	HideName               int `json:"hide_name"`
	Offset, Upto, Signed   int
	Parameters, Attributes json.RawMessage
	Directions             json.RawMessage `json:"port_directions"`
	Connections, Bits      json.RawMessage
}

// object calls a function at each key of an object, which must read the value.
func (d *netlistDecoder) object(value func(key string) error) error {
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return cmp.Or(err, fmt.Errorf("%v stands where an object begins", t))
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return err
		}
		if err := value(key.(string)); err != nil {
			return err
		}
	}
	_, err := d.Token()
	return err
}

// module reads one module.
func (d *netlistDecoder) module() (*module, error) {
	m := &module{Cells: map[string]*cell{}, Netnames: map[string]*net{}}
	err := d.object(func(key string) error {
		switch key {
		case "attributes":
			defer func() { d.place(m.Attributes) }()
			return d.Decode(&m.Attributes)
		case "ports":
			return d.Decode(&m.Ports)
		case "cells":
			return d.object(func(name string) (err error) {
				m.Cells[name], err = d.cell()
				return err
			})
		case "netnames":
			gates := m.gateOutputs()
			return d.object(func(name string) error {
				n, err := d.net()
				inside := func(b bit) bool { return b >= 0 && int(b) < len(gates) && gates[b] }
				if n.HideName != 0 && n.Attributes == nil && !slices.ContainsFunc(n.Bits, func(b bit) bool { return !inside(b) }) {
					return err // one of the many between gates, of which nothing is told
				}
				kept := n
				m.Netnames[name] = &kept
				return err
			})
		case "memories":
			defer func() {
				for _, mem := range m.Memories {
					d.place(mem.Attributes)
				}
			}()
			return d.Decode(&m.Memories)
		}
		return d.Decode(new(json.RawMessage))
	})
	return m, err
}

// gateOutputs tells which nets gates drive.
func (m *module) gateOutputs() []bool {
	gates := make([]bool, m.lastBit()+1)
	for _, c := range m.Cells {
		if y := c.one("Y"); y >= 0 && gateInputs[c.Type] != "" {
			gates[y] = true
		}
	}
	return gates
}

// place turns the place of attributes into that of the sources.
func (d *netlistDecoder) place(attributes map[string]string) {
	if src, ok := attributes["src"]; ok {
		attributes["src"] = d.src.restore(src)
	}
}

// next reads the object of a cell or net.
func (d *netlistDecoder) next() error {
	r := &d.raw
	*r = rawCell{
		Parameters: r.Parameters[:0], Attributes: r.Attributes[:0], Directions: r.Directions[:0],
		Connections: r.Connections[:0], Bits: r.Bits[:0],
	}
	return d.Decode(r)
}

// placed returns the attributes of what next has read, with the place in the sources.
// Equal ones are one map.
func (d *netlistDecoder) placed() (map[string]string, error) {
	text := d.raw.Attributes
	if known, ok := d.attributes[string(text)]; ok || len(text) == 0 {
		return known, nil
	}
	var attributes map[string]string
	if err := json.Unmarshal(text, &attributes); err != nil {
		return nil, err
	}
	if len(attributes) == 0 {
		attributes = nil
	}
	d.place(attributes)
	d.attributes[string(text)] = attributes
	return attributes, nil
}

// net reads a net.
func (d *netlistDecoder) net() (net, error) {
	if err := d.next(); err != nil {
		return net{}, err
	}
	r := &d.raw
	n := net{HideName: r.HideName, Offset: r.Offset, Upto: r.Upto, Signed: r.Signed}
	var err error
	if n.Attributes, err = d.placed(); err != nil {
		return n, err
	}
	n.Bits, err = d.list(r.Bits)
	return n, err
}

// cell reads a cell.
func (d *netlistDecoder) cell() (*cell, error) {
	if err := d.next(); err != nil {
		return nil, err
	}
	r := &d.raw
	c := &cell{Type: d.word(r.Type)}
	var err error
	if c.Attributes, err = d.placed(); err != nil {
		return nil, err
	}
	if bytes.IndexByte(r.Parameters, '"') >= 0 {
		if err := json.Unmarshal(r.Parameters, &c.Parameters); err != nil {
			return nil, err
		}
	}
	terminals, ok := d.terminals[string(r.Directions)]
	if !ok {
		directions := map[string]string{}
		if len(r.Directions) > 0 {
			if err := json.Unmarshal(r.Directions, &directions); err != nil {
				return nil, err
			}
		}
		for _, name := range sortedKeys(directions) {
			terminals = append(terminals, &terminal{name, directions[name] == "output"})
		}
		d.terminals[string(r.Directions)] = terminals
	}
	c.pins, err = d.connections(r.Connections, terminals)
	return c, err
}

// word returns the copy of a word that is kept.
func (d *netlistDecoder) word(text string) string {
	if known, ok := d.words[text]; ok {
		return known
	}
	d.words[text] = text
	return text
}

// connections reads the pins of a cell: an object of lists of nets.
func (d *netlistDecoder) connections(data []byte, terminals []*terminal) ([]pin, error) {
	count := bytes.Count(data, []byte("["))
	if cap(d.pins)-len(d.pins) < count {
		d.pins = make([]pin, 0, max(1<<10, count))
	}
	first := len(d.pins)
	for {
		start := bytes.IndexByte(data, '"')
		if start < 0 {
			return d.pins[first:len(d.pins):len(d.pins)], nil
		}
		key, rest := cutString(data[start:])
		end := bytes.IndexByte(rest, ']') + 1
		list, ok := bytes.CutPrefix(bytes.TrimLeft(rest[:end], " \t\r\n"), []byte(":"))
		if !ok {
			return nil, fmt.Errorf("%.60q is no list of pins", data)
		}
		t, err := terminalOf(key, terminals)
		if err != nil {
			return nil, err
		}
		nets, err := d.list(bytes.TrimLeft(list, " \t\r\n"))
		if err != nil {
			return nil, err
		}
		d.pins = append(d.pins, pin{t, nets})
		data = rest[end:]
	}
}

// cutString returns the string with which a text begins, with its quotes, and the rest.
func cutString(data []byte) (text, rest []byte) {
	for i := 1; i < len(data); i++ {
		switch data[i] {
		case '\\':
			i++
		case '"':
			return data[:i+1], data[i+1:]
		}
	}
	return data, nil
}

// terminalOf returns the terminal with a name, which is given as JSON has it.
func terminalOf(key []byte, terminals []*terminal) (*terminal, error) {
	for _, t := range terminals {
		if string(key[1:len(key)-1]) == t.name {
			return t, nil
		}
	}
	var name string
	if err := json.Unmarshal(key, &name); err != nil {
		return nil, err
	}
	for _, t := range terminals {
		if name == t.name {
			return t, nil
		}
	}
	return &terminal{name: name}, nil
}

// list reads a list of nets.
func (d *netlistDecoder) list(data []byte) (bits, error) {
	count := bytes.Count(data, []byte(",")) + 1
	if cap(d.nets)-len(d.nets) < count {
		d.nets = make([]bit, 0, max(1<<12, count))
	}
	first := len(d.nets)
	var err error
	d.nets, err = appendNets(d.nets, data)
	return d.nets[first:len(d.nets):len(d.nets)], err
}

// UnmarshalJSON reads a list of nets.
func (b *bits) UnmarshalJSON(data []byte) (err error) {
	*b, err = appendNets(make(bits, 0, bytes.Count(data, []byte(","))+1), data)
	return err
}

// appendNets reads an array of numbers and of "0", "1", "x", "z".
func appendNets(b []bit, data []byte) ([]bit, error) {
	if len(data) == 0 || data[0] != '[' {
		return b, fmt.Errorf("%q is no list of nets", data)
	}
	for i := 0; i < len(data); i++ {
		switch c := data[i]; c {
		case '[', ']', ',', ' ', '\n', '\t', '\r', '"':
		case 'x', 'z':
			b = append(b, map[byte]bit{'x': bitX, 'z': bitZ}[c])
		default:
			if c < '0' || c > '9' {
				return b, fmt.Errorf("%q is no list of nets", data)
			}
			if i > 0 && data[i-1] == '"' && c <= '1' {
				b = append(b, bit0-bit(c-'0'))
				continue
			}
			n := 0
			for ; i < len(data) && data[i] >= '0' && data[i] <= '9'; i++ {
				if n = n*10 + int(data[i]-'0'); n > math.MaxInt32 {
					return b, fmt.Errorf("%q is no list of nets", data)
				}
			}
			i--
			b = append(b, bit(n))
		}
	}
	return b, nil
}
