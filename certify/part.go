package certify

import (
	"fmt"

	"netcov/aiger"
)

// A property with a small cone in a large design need not be checked on all of it.
// A part of a file is some of its inputs, latches and gates that read nothing
// else. It behaves, in what it has, as the whole does.

// Cutter cuts parts out of a file. A part costs as much as its own size.
type Cutter struct {
	file  *aiger.File
	gates []int32     // position of a gate in the file → index into file.Ands
	to    []aiger.Lit // variable of the file → literal of the part; none where it has none
}

// none stands for no literal.
const none = ^aiger.Lit(0)

// NewCutter prepares the cuts. The file must not be changed afterwards.
func NewCutter(f *aiger.File) *Cutter {
	c := &Cutter{file: f, gates: make([]int32, len(f.Ands)), to: make([]aiger.Lit, f.MaxVar+1)}
	for i := range f.Ands {
		c.gates[f.AndPosition(i)] = int32(i)
	}
	for v := range c.to {
		c.to[v] = none
	}
	c.to[0] = 0
	return c
}

// Part returns the part with the given inputs, latches and gates, positions in the
// file, in this order. Its bad-state literals are those of the given safety
// properties, its constraints all of the file's. It is an error when one of them,
// or a latch or a gate of the part, reads what the part does not have, or when
// gates are not given after what they read.
func (c *Cutter) Part(properties, inputs, latches, gates []int) (*aiger.File, error) {
	f := c.file
	b := newBuilder()
	var used []uint32
	defer func() {
		for _, v := range used {
			c.to[v] = none
		}
	}()
	put := func(l, to aiger.Lit) error {
		if c.to[l>>1] != none {
			return fmt.Errorf("the part has variable %d twice", l>>1)
		}
		c.to[l>>1] = to
		used = append(used, l>>1)
		return nil
	}
	var open error
	edge := func(l aiger.Lit) aiger.Lit {
		if c.to[l>>1] == none {
			open = fmt.Errorf("the part reads variable %d, which it does not have", l>>1)
			return 0
		}
		return c.to[l>>1] ^ l&1
	}
	for _, i := range inputs {
		if i < 0 || i >= len(f.Inputs) {
			return nil, fmt.Errorf("the part has input %d, the file has %d", i, len(f.Inputs))
		}
		if err := put(f.Inputs[i], b.input("")); err != nil {
			return nil, err
		}
	}
	for _, i := range latches {
		if i < 0 || i >= len(f.Latches) {
			return nil, fmt.Errorf("the part has latch %d, the file has %d", i, len(f.Latches))
		}
		if err := put(f.Latches[i].Lit, b.latch("")); err != nil {
			return nil, err
		}
	}
	for _, i := range gates {
		if i < 0 || i >= len(c.gates) {
			return nil, fmt.Errorf("the part has gate %d, the file has %d", i, len(c.gates))
		}
		a := f.Ands[c.gates[i]]
		if err := put(a.Lhs, b.copied(edge(a.Rhs0), edge(a.Rhs1))); err != nil {
			return nil, err
		}
	}
	for k, i := range latches {
		b.Latches[k].Next, b.Latches[k].Reset = edge(f.Latches[i].Next), edge(f.Latches[i].Reset)
	}
	all, _, _ := f.Properties()
	for _, p := range properties {
		if p < 0 || p >= len(all) {
			return nil, fmt.Errorf("property %d is none of the file's %d safety properties", p, len(all))
		}
		b.Bads = append(b.Bads, edge(all[p]))
	}
	for _, l := range f.Constraints {
		b.Constraints = append(b.Constraints, edge(l))
	}
	if open != nil {
		return nil, open
	}
	return &b.File, nil
}
