// What a run on the arrays shows to a reader: the elements that it uses.

package btor2

import (
	"maps"
	"slices"
	"strings"

	"netcov/frontend/design"
)

// Own reports whether an input of the netlist, given by its position, is none of the file's.
func (m *Model) Own(input int) bool {
	for _, r := range m.abs.reads {
		if slices.Contains(r, input) {
			return true
		}
	}
	for _, e := range m.abs.equals {
		if e.says == input || slices.Contains(e.differ, input) {
			return true
		}
	}
	for _, v := range m.abs.variables {
		if slices.Contains(v.input, input) || slices.Contains(v.future, input) {
			return true
		}
	}
	return false
}

// Elements are the elements of arrays at which the run that Replay found last for a
// property reads, or by which it compares arrays.
func (m *Model) Elements(property int) []design.Element {
	r := m.abs.shown[property]
	if r == nil {
		return nil
	}
	var out []design.Element
	for _, i := range m.abs.vars {
		n := &m.abs.nodes[i]
		for _, at := range sorted(r.used[i]) {
			e := design.Element{Name: label(n), At: backwards(at), Input: n.kind == kindInput}
			for _, arrays := range r.history {
				value := strings.Repeat("x", n.element)
				if s := arrays[i]; s != nil {
					c, _ := s.read(at)
					value = backwards(c.value)
				}
				e.Values = append(e.Values, value)
			}
			out = append(out, e)
		}
	}
	return out
}

// record keeps the arrays of a step, and which of their elements are used.
func (r *run) record() {
	for i := range r.a.reads {
		n := &r.a.nodes[i]
		r.use(n.args[0].node, r.word(n.args[1]))
	}
	for i := range r.a.equals {
		n := &r.a.nodes[i]
		x, y := r.arrayOf(n.args[0].node), r.arrayOf(n.args[1].node)
		keys := addresses(x, y)
		if at, _, differ := difference(x, y, r.a.nodes[n.args[0].node].index); differ {
			keys = map[string]bool{at: true}
		}
		for k := range keys {
			r.use(n.args[0].node, k)
			r.use(n.args[1].node, k)
		}
	}
	arrays := maps.Clone(r.known)
	maps.Copy(arrays, r.state)
	r.history = append(r.history, arrays)
}

// use notes that an element of a node matters in this step, of the variable that has it.
func (r *run) use(i int32, at string) {
	for r.a.nodes[i].kind == kindOp {
		n := &r.a.nodes[i]
		switch {
		case n.op == "write" && r.word(n.args[1]) == at:
			return
		case n.op == "write":
			i = n.args[0].node
		case r.word(n.args[0]) == "1":
			i = n.args[1].node
		default:
			i = n.args[2].node
		}
	}
	if r.used[i] == nil {
		r.used[i] = map[string]bool{}
	}
	r.used[i][at] = true
}
