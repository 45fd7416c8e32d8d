// Labels of properties in generate blocks. yosys gives the copies of a property in a
// generate loop one name, or none. The checker's property reads a wire of its own
// instead, and in the flattened module that wire has the name of its block before its
// own: g[0].__netcov_sva_3_check_0 makes of the label a the name g[0].a.

package verilog

import "strings"

// scopedLabels returns, by property, its name with the generate blocks that it is in. A
// net with one value for several wires serves any of their properties: these are the
// same.
func (low *lowered) scopedLabels(m *module, h *hierarchy, properties []string) map[string]string {
	type key struct {
		at          bit
		owner, wire string
	}
	wires := map[key][]string{}
	for _, name := range sortedKeys(m.Netnames) {
		if n := m.Netnames[name]; ofChecker(name) && len(n.Bits) == 1 {
			k := key{n.Bits[0], h.owner(name), name[strings.LastIndexByte(name, '.')+1:]}
			wires[k] = append(wires[k], name)
		}
	}
	if len(wires) == 0 {
		return nil
	}
	before := map[bit]bit{} // through flip-flops that yosys adds to a property
	for _, c := range m.Cells {
		if d, q := c.pin("D"), c.pin("Q"); c.Type == "$dff" && len(d) == 1 && len(q) == 1 {
			before[q[0]] = d[0]
		}
	}
	labels := map[string]string{}
	for _, name := range properties {
		c := m.Cells[name]
		span := low.checker(placeOf(c.Attributes))
		if span == nil || len(c.pin("A")) != 1 {
			continue
		}
		at := c.pin("A")[0]
		for wire, label := range span.Labels {
			k := key{at, h.privateOwner(name), wire}
			if d, ok := before[at]; ok && len(wires[k]) == 0 {
				k.at = d
			}
			if found := wires[k]; len(found) > 0 {
				labels[name] = strings.TrimSuffix(found[0], wire) + label
				wires[k] = found[1:]
			}
		}
	}
	return labels
}
