// Witnesses in BTOR2's format (CAV 2018, section 3): which property fails, the
// states that the file leaves open, and the inputs of every step.

package btor2

import (
	"bufio"
	"fmt"
	"io"

	"netcov/cert"
	"netcov/netlist"
)

// WriteWitness writes a trace of the model of a property as a BTOR2 witness.
// The property is a position in Design.Netlist.Properties(). The trace's inputs
// and latches have the netlist's positions; missing ones are 0.
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
	fmt.Fprintf(out, "sat\n%s%d\n", letter, p.Index)
	for step, inputs := range t.Inputs {
		m.writeStates(out, step, t)
		fmt.Fprintf(out, "@%d\n", step)
		for i, v := range m.inputs {
			writeValue(out, i, '@', step, v, v.input, inputs)
		}
	}
	fmt.Fprintln(out, ".")
	return out.Flush()
}

// writeStates writes the states that take any value in this step: in step 0
// those without init, later those without next.
func (m *Model) writeStates(out *bufio.Writer, step int, t *cert.Trace) {
	started := step == 0
	if started {
		fmt.Fprintln(out, "#0")
	}
	for i, v := range m.states {
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
		if !started {
			started = true
			fmt.Fprintf(out, "#%d\n", step)
		}
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
