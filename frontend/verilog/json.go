// The JSON netlists that yosys writes (yosys, write_json).

package verilog

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
)

// bit is a net of one bit: a positive number, or a constant below 0.
type bit int32

const (
	bit0 bit = -1 - iota
	bit1
	bitX
	bitZ
)

// bits is the nets of a port or pin, least significant bit first.
type bits []bit

// UnmarshalJSON reads an array of numbers and of "0", "1", "x", "z". It is
// where most of the time of reading a netlist goes, so it parses by hand.
func (b *bits) UnmarshalJSON(data []byte) error {
	if data[0] != '[' {
		return fmt.Errorf("%q is no list of nets", data)
	}
	*b = make(bits, 0, bytes.Count(data, []byte(","))+1)
	for i := 0; i < len(data); i++ {
		switch c := data[i]; c {
		case '[', ']', ',', ' ', '\n', '\t', '\r', '"':
		case 'x', 'z':
			*b = append(*b, map[byte]bit{'x': bitX, 'z': bitZ}[c])
		default:
			if c < '0' || c > '9' {
				return fmt.Errorf("%q is no list of nets", data)
			}
			if i > 0 && data[i-1] == '"' && c <= '1' {
				*b = append(*b, bit0-bit(c-'0'))
				continue
			}
			n := 0
			for ; i < len(data) && data[i] >= '0' && data[i] <= '9'; i++ {
				if n = n*10 + int(data[i]-'0'); n > math.MaxInt32 {
					return fmt.Errorf("%q is no list of nets", data)
				}
			}
			i--
			*b = append(*b, bit(n))
		}
	}
	return nil
}

type jsonFile struct {
	Creator string
	Modules map[string]*module
}

// module is one module of a JSON netlist.
type module struct {
	Attributes map[string]string
	Ports      map[string]*port
	Cells      map[string]*cell
	Netnames   map[string]*net
	Memories   map[string]*memory

	named map[bit]registerBit // best name of each net, made on first use
}

type port struct {
	Direction    string
	Bits         bits
	Offset, Upto int
}

type cell struct {
	Type        string
	Parameters  map[string]any
	Attributes  map[string]string
	Directions  map[string]string `json:"port_directions"`
	Connections map[string]bits
}

type net struct {
	Bits                 bits
	HideName             int `json:"hide_name"`
	Offset, Upto, Signed int
	Attributes           map[string]string
}

// memory is an array of words, not yet split into registers.
type memory struct {
	Width, Size int
	Offset      int `json:"start_offset"`
	Attributes  map[string]string
}

// yreg tells that the script marked the net as a register's.
func (n *net) yreg() bool { return n.Attributes["yreg"] != "" }

// index returns the HDL index of the i-th bit.
func (n *net) index(i int) int { return hdlIndex(i, len(n.Bits), n.Offset, n.Upto) }

func hdlIndex(i, width, offset, upto int) int {
	if upto != 0 {
		return offset + width - 1 - i
	}
	return offset + i
}

// number returns a parameter as a number; binary strings are what yosys writes.
func (c *cell) number(name string) int {
	switch v := c.Parameters[name].(type) {
	case string:
		n, _ := strconv.ParseInt(v, 2, 64)
		return int(n)
	case float64:
		return int(v)
	}
	return 0
}

// text returns a parameter that is a string.
func (c *cell) text(name string) string {
	s, _ := c.Parameters[name].(string)
	return s
}

// one returns the only bit of a connection, or x when it is not connected.
func (c *cell) one(name string) bit {
	if bits := c.Connections[name]; len(bits) == 1 {
		return bits[0]
	}
	return bitX
}

// lastBit returns the highest net of a module.
func (m *module) lastBit() bit {
	top := bit(1)
	grow := func(bits []bit) {
		for _, b := range bits {
			top = max(top, b)
		}
	}
	for _, n := range m.Netnames {
		grow(n.Bits)
	}
	for _, cl := range m.Cells {
		for _, bits := range cl.Connections {
			grow(bits)
		}
	}
	return top
}

// readJSON reads a netlist that a script wrote, with the places of the sources. It is
// read cell by cell: a netlist of gates has hundreds of thousands of cells, which have
// few different attributes and pins.
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
		attributes: map[string]map[string]string{}, directions: map[string]map[string]string{}, words: map[string]string{},
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
	attributes map[string]map[string]string // by place, of what has a place alone
	directions map[string]map[string]string // by type of gate
	words      map[string]string
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
			defer func() { m.Attributes = d.placed(m.Attributes) }()
			return d.Decode(&m.Attributes)
		case "ports":
			return d.Decode(&m.Ports)
		case "cells":
			return d.object(func(name string) error {
				c := new(cell)
				m.Cells[name] = c
				defer d.share(c)
				return d.Decode(c)
			})
		case "netnames":
			return d.object(func(name string) error {
				n := new(net)
				m.Netnames[name] = n
				defer func() { n.Attributes = d.placed(n.Attributes) }()
				return d.Decode(n)
			})
		case "memories":
			defer func() {
				for _, mem := range m.Memories {
					mem.Attributes = d.placed(mem.Attributes)
				}
			}()
			return d.Decode(&m.Memories)
		}
		return d.Decode(new(json.RawMessage))
	})
	return m, err
}

// placed turns the place of attributes into that of the sources.
func (d *netlistDecoder) placed(attributes map[string]string) map[string]string {
	src, ok := attributes["src"]
	if !ok {
		if len(attributes) == 0 {
			return nil
		}
		return attributes
	}
	if len(attributes) > 1 {
		attributes["src"] = d.src.restore(src)
		return attributes
	}
	if known, ok := d.attributes[src]; ok {
		return known
	}
	d.attributes[src] = attributes
	attributes["src"] = d.src.restore(src)
	return attributes
}

// share keeps one copy of what a cell has in common with others.
func (d *netlistDecoder) share(c *cell) {
	c.Attributes = d.placed(c.Attributes)
	if len(c.Parameters) == 0 {
		c.Parameters = nil
	}
	if word, ok := d.words[c.Type]; ok {
		c.Type = word
	} else {
		d.words[c.Type] = c.Type
	}
	if !strings.HasPrefix(c.Type, "$_") {
		return
	}
	if known, ok := d.directions[c.Type]; ok && len(known) == len(c.Directions) {
		c.Directions = known
	} else {
		d.directions[c.Type] = c.Directions
	}
}

// onlyModule returns the one module of a flattened netlist.
func (r *run) onlyModule(name string) (string, *module, error) {
	f, err := r.readJSON(name)
	if err != nil {
		return "", nil, err
	}
	for name, m := range f.Modules {
		if m.Attributes["top"] != "" || len(f.Modules) == 1 {
			return name, m, nil
		}
	}
	return "", nil, fmt.Errorf("yosys wrote a netlist without a top module")
}

// sortedKeys returns the keys in an order that does not change between runs.
func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
