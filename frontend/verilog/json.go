// The JSON netlists that yosys writes (yosys, write_json).

package verilog

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
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

// readJSON reads a netlist that a script wrote, with the places of the sources.
func (r *run) readJSON(name string) (*jsonFile, error) {
	in, err := os.Open(r.path(name))
	if err != nil {
		return nil, err
	}
	defer in.Close()
	var f jsonFile
	if err := json.NewDecoder(bufio.NewReaderSize(in, 1<<16)).Decode(&f); err != nil {
		return nil, fmt.Errorf("yosys wrote a JSON netlist that cannot be read (%w)", err)
	}
	r.src.restoreAttributes(&f)
	return &f, nil
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
