// The JSON netlists that yosys writes (yosys, write_json).

package verilog

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
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

	named []registerBit // [bit]: best name of each net, made on first use
}

type port struct {
	Direction    string
	Bits         bits
	Offset, Upto int
}

type cell struct {
	Type       string
	Parameters map[string]any
	Attributes map[string]string
	pins       []pin
}

// pin is a pin of a cell with what is connected to it.
type pin struct {
	*terminal
	nets bits
}

// terminal is what the pins of all cells of a type have in common.
type terminal struct {
	name   string
	output bool
}

// pin returns what is connected to a pin, nil where there is no such pin.
func (c *cell) pin(name string) bits {
	for i := range c.pins {
		if c.pins[i].name == name {
			return c.pins[i].nets
		}
	}
	return nil
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
	if bits := c.pin(name); len(bits) == 1 {
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
		for i := range cl.pins {
			grow(cl.pins[i].nets)
		}
	}
	return top
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
func sortedKeys[V any](m map[string]V) []string {
	keys := slices.AppendSeq(make([]string, 0, len(m)), maps.Keys(m))
	slices.Sort(keys)
	return keys
}

// cellsOf returns the sorted names of the cells of some types.
func (m *module) cellsOf(wanted func(kind string) bool) []string {
	var names []string
	for name, c := range m.Cells {
		if wanted(c.Type) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}
