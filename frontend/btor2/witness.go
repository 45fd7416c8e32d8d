// Witnesses in BTOR2's format (CAV 2018, section 3): which property fails, the
// states that the file leaves open, and the inputs of every step.

package btor2

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"netcov/cert"
	"netcov/netlist"
)

// WriteWitness writes a trace of the model of a property as a BTOR2 witness.
// The property is a position in Design.Netlist.Properties(). The trace's inputs
// and latches have the netlist's positions; missing ones are 0. Where arrays are kept by
// word, it is one that Replay returned, and elements that are left out are 0.
func (m *Model) WriteWitness(w io.Writer, property int, t *cert.Trace) error {
	props := m.Design.Netlist.Properties()
	if property < 0 || property >= len(props) {
		return fmt.Errorf("no property %d: the design has %d", property, len(props))
	}
	p := props[property]
	letter := "b"
	if p.Kind == netlist.PropertyJustice {
		letter = "j"
	}
	out := bufio.NewWriter(w)
	var arrays *run
	if m.abs != nil {
		if arrays = m.abs.shown[property]; arrays == nil || arrays.trace != t {
			return fmt.Errorf("the trace has not been run on the arrays")
		}
	}
	fmt.Fprintf(out, "sat\n%s%d\n", letter, p.Index)
	for step, inputs := range t.Inputs {
		m.writeStates(out, step, t, arrays)
		fmt.Fprintf(out, "@%d\n", step)
		for i, v := range m.inputs {
			if v.huge {
				arrays.write(out, i, '@', place{step, m.abs.inputs[i]}, v)
				continue
			}
			writeValue(out, i, '@', step, v, v.input, inputs)
		}
	}
	fmt.Fprintln(out, ".")
	return out.Flush()
}

// writeStates writes the states that take any value in this step: in step 0
// those without init, later those without next.
func (m *Model) writeStates(out *bufio.Writer, step int, t *cert.Trace, arrays *run) {
	started := false
	header := func() {
		if !started {
			fmt.Fprintf(out, "#%d\n", step)
		}
		started = true
	}
	if step == 0 {
		header()
	}
	for i, v := range m.states {
		if v.huge {
			if at := (place{step, m.abs.states[i]}); arrays.bases[at] != nil {
				header()
				arrays.write(out, i, '#', at, v)
			}
			continue
		}
		at, bits := v.input, t.Inputs[step]
		switch {
		case v.latch != nil && step == 0:
			if v.reset {
				continue
			}
			at, bits = v.latch, t.Latches
		case v.latch != nil:
			if v.future == nil {
				continue
			}
			at, bits = v.future, t.Inputs[step-1]
		}
		header()
		writeValue(out, i, '#', step, v, at, bits)
	}
}

// writeValue writes one assignment, most significant bit first; of an array one
// for each element, with its index.
func writeValue(out *bufio.Writer, number int, section byte, step int, v variable, at []int, bits []bool) {
	w := v.width >> v.index
	for e := range 1 << v.index {
		fmt.Fprintf(out, "%d ", number)
		if v.index > 0 {
			fmt.Fprintf(out, "[%0*b] ", v.index, e)
		}
		for k := w - 1; k >= 0; k-- {
			c := byte('0')
			if i := at[e*w+k]; i < len(bits) && bits[i] {
				c = '1'
			}
			out.WriteByte(c)
		}
		if v.name != "" {
			fmt.Fprintf(out, " %s%c%d", v.name, section, step)
		}
		out.WriteByte('\n')
	}
}

// write writes what is known of a free array, most significant bits first.
func (r *run) write(out *bufio.Writer, number int, section byte, at place, v variable) {
	b := r.bases[at]
	if b == nil {
		return
	}
	for _, address := range sorted(b.values) {
		fmt.Fprintf(out, "%d [%s] %s", number, backwards(address), backwards(b.values[address].value))
		if v.name != "" {
			fmt.Fprintf(out, " %s%c%d", v.name, section, at.step)
		}
		out.WriteByte('\n')
	}
}

// sorted are the addresses of elements, the lowest first.
func sorted[V any](elements map[string]V) []string {
	return slices.SortedFunc(maps.Keys(elements), func(a, b string) int { return strings.Compare(backwards(a), backwards(b)) })
}

func backwards(s string) string {
	b := []byte(s)
	slices.Reverse(b)
	return string(b)
}
