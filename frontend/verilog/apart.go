// Registers that only properties read: f_past_valid, counters of a checker, what an
// assumption or a cover statement needs. No path leads from them to an output of the
// top module but through properties, so they are no part of what the design does. They
// are told by that alone, not by names or by where they stand.
//
// Paths are those of the netlist before anything is optimised, with each output of a
// cell depending on all its inputs, and each word of a memory on all that is written
// to it: there are rather too many than too few of them, so a register of the design is
// never taken for a checker's. Where the outputs of the top module depend on no
// register, there is nothing to tell the design by, and nothing is told apart. A
// register that nothing reads belongs to the design: whoever wrote it meant it to be
// one.

package verilog

import "strings"

// propertyOnly returns the register bits that only properties read.
func propertyOnly(m *module, registers map[bit]registerBit) map[registerBit]bool {
	g := newReaders(m)
	var outputs, formal []bits
	for _, p := range m.Ports {
		if p.Direction != "input" {
			outputs = append(outputs, p.Bits)
		}
	}
	for _, c := range m.Cells {
		if isProperty(c) || c.Type == "$check" {
			for _, p := range c.pins {
				formal = append(formal, p.nets)
			}
		}
	}
	design, designMemories := g.reached(outputs)
	checked, checkedMemories := g.reached(formal)
	only := map[registerBit]bool{}
	some := len(designMemories) > 0
	for b, r := range registers {
		some = some || design[b]
		if checked[b] && !design[b] {
			only[r] = true
		}
	}
	if !some {
		return nil
	}
	for name := range checkedMemories {
		if mem := m.Memories[name]; mem != nil && !designMemories[name] {
			for word := range mem.Size {
				for i := range mem.Width {
					only[memoryBit(name, word+mem.Offset, i)] = true
				}
			}
		}
	}
	return only
}

// readers knows what each net depends on.
type readers struct {
	drivers map[bit][]*cell
	writes  map[string][]*cell // by memory
}

func newReaders(m *module) *readers {
	g := &readers{drivers: map[bit][]*cell{}, writes: map[string][]*cell{}}
	for _, c := range m.Cells {
		if strings.HasPrefix(c.Type, "$memwr") {
			g.writes[memoryName(c)] = append(g.writes[memoryName(c)], c)
		}
		for _, p := range c.pins {
			if p.output {
				for _, b := range p.nets {
					g.drivers[b] = append(g.drivers[b], c)
				}
			}
		}
	}
	return g
}

// reached returns all nets and memories that the roots depend on, through any number
// of steps.
func (g *readers) reached(roots []bits) (map[bit]bool, map[string]bool) {
	nets, memories := map[bit]bool{}, map[string]bool{}
	seen := map[*cell]bool{}
	var stack []bit
	push := func(bs bits) {
		for _, b := range bs {
			if b >= 0 && !nets[b] {
				nets[b] = true
				stack = append(stack, b)
			}
		}
	}
	visit := func(c *cell) {
		if seen[c] {
			return
		}
		seen[c] = true
		for _, p := range c.pins {
			if !p.output {
				push(p.nets)
			}
		}
	}
	for _, r := range roots {
		push(r)
	}
	for len(stack) > 0 {
		b := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, c := range g.drivers[b] {
			visit(c)
			if strings.HasPrefix(c.Type, "$memrd") {
				memories[memoryName(c)] = true
				for _, w := range g.writes[memoryName(c)] {
					visit(w)
				}
			}
		}
	}
	return nets, memories
}
