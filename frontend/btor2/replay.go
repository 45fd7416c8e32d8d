// Traces of a netlist that keeps arrays by word, run on the arrays themselves: is the
// counterexample one of the design? If not, which word does the netlist lack?

package btor2

import (
	"errors"
	"fmt"
	"slices"

	"netcov/cert"
	"netcov/frontend/design"
)

// mostProbes bounds the words that are kept of each array.
const mostProbes = 200

// errRun says that a run on the arrays has not been the same again, with what a witness says.
var errRun = errors.New("the run on the arrays is none of the design, which is a bug: please report it")

// Replay runs a trace on which a property fails on the design, or on a mutant. It returns
// the run with the values that arrays then have, or, where the property does not fail in
// it, notes the probe that excludes the trace. An error says that there is none.
func (m *Model) Replay(property int, t *cert.Trace, cut *design.Cut) (*cert.Trace, error) {
	m.abs.cut = cut
	defer func() { m.abs.cut = nil }()
	full := m.replay(property, t, -1)
	if full.failed {
		real := full.faithful()
		shown := m.runTrace(property, real, 0, full.closed())
		if !shown.failed || !shown.honest {
			return nil, errRun
		}
		if cut == nil {
			m.abs.shown[property] = shown
		}
		return real, nil
	}
	low, high, last := 0, len(full.wrong), full // with low corrections it fails, with high not
	if high == 0 || !m.replay(property, t, 0).strict {
		return nil, fmt.Errorf("its trace is none of the netlist")
	}
	for high-low > 1 {
		mid := (low + high) / 2
		if r := m.replay(property, t, mid); r.strict {
			low = mid
		} else {
			high, last = mid, r
		}
	}
	for _, p := range last.wrong[high-1] {
		if demanded(m.abs.list, p, property) {
			continue
		}
		if !demanded(m.abs.found.list, p, property) { // by another trace of this netlist
			if len(m.abs.found.list) >= mostProbes {
				return nil, fmt.Errorf("more than %d words of arrays are needed", mostProbes)
			}
			m.abs.found.add(p, property)
		}
		return nil, nil
	}
	return nil, fmt.Errorf("no further word of an array excludes a trace")
}

// Refine reads the file again, with the words that traces need.
func (m *Model) Refine() (*design.Design, error) {
	finer, err := m.abs.again()
	if err != nil {
		return nil, err
	}
	finer.Design.SHA256 = m.Design.SHA256
	return finer.Design, nil
}

// replay runs a trace with so many corrections; -1 is all. Where arrays are compared, what
// is left open is settled by a run before.
func (m *Model) replay(property int, t *cert.Trace, correct int) *run {
	if len(m.abs.equals) == 0 {
		return m.runTrace(property, t, correct, nil)
	}
	return m.runTrace(property, t, correct, m.runTrace(property, t, 0, nil).closed())
}

// closed are the free arrays of this run, in which nothing is left open: elements that
// are not there are 0, as in a witness that does not name them.
func (r *run) closed() map[place]*base {
	for _, b := range r.bases {
		b.open = false
	}
	return r.bases
}

// mostDelays bounds the steps of one node whose addresses are kept. A property that asks
// for more follows the node through all steps; a constant address may then do.
const mostDelays = 3

// probe keeps the word at an address, which is that of a node in a step of this trace.
func (r *run) probe(i int32, step int, at string) probe {
	delays := 0
	for _, p := range r.a.list {
		if p.node == i {
			delays++
		}
	}
	if delays >= mostDelays {
		return constant(at)
	}
	return probe{index: r.a.nodes[r.a.nodes[i].args[0].node].index, node: i, delay: len(r.trace.Inputs) - 1 - step}
}

// constant keeps the word at an address.
func constant(at string) probe { return probe{index: len(at), node: -1, constant: at} }

// mend notes a place at which the trace is wrong, and reports whether it is corrected.
func (r *run) mend(probes ...probe) bool {
	r.wrong = append(r.wrong, probes)
	return r.correct < 0 || len(r.wrong) <= r.correct
}

// note keeps the addresses that the property demands in this step.
func (r *run) note(property int) {
	for k, p := range r.a.list {
		if p.node >= 0 && p.delay == len(r.trace.Inputs)-1-r.step && slices.Contains(p.properties, property) {
			r.demanded[k] = r.bitsOf(r.m.address(p.node))
		}
	}
}

// faithful is the trace of the netlist that this run of the design is: addresses are
// those that the property demands, and words what arrays have there.
func (r *run) faithful() *cert.Trace {
	t := &cert.Trace{Latches: r.latches, Inputs: r.inputs}
	kept := make([]string, len(r.a.list))
	for k, latches := range r.a.latches {
		at, demanded := r.demanded[k]
		if !demanded {
			at = r.bitsOf(r.a.addresses[k]) // as in the trace
		}
		kept[k] = at
		set(t.Latches, latches, at)
	}
	for i, v := range r.a.variables {
		j := 0
		for k, p := range r.a.list {
			if p.index != v.index {
				continue
			}
			take := func(at []int) []int { return at[j*r.a.nodes[i].element : (j+1)*r.a.nodes[i].element] }
			if s := r.start[i]; s != nil {
				c, _ := s.read(kept[k])
				set(t.Latches, take(v.latch), c.value)
			}
			for step := range t.Inputs {
				b, at := r.bases[place{step, i}], step
				inputs := v.input
				if v.future != nil {
					inputs, at = v.future, step-1
				}
				if b == nil || inputs == nil || at < 0 {
					continue
				}
				c, _ := (&sparse{base: b}).read(kept[k])
				set(t.Inputs[at], take(inputs), c.value)
			}
			j++
		}
	}
	return t
}

// get is the value of the bits at some positions.
func get(bits []bool, at []int) string {
	value := make([]byte, len(at))
	for k, i := range at {
		value[k] = '0'
		if bits[i] {
			value[k] = '1'
		}
	}
	return string(value)
}

// set gives positions the bits of a value.
func set(bits []bool, at []int, value string) {
	for k, i := range at {
		bits[i] = value[k] == '1'
	}
}
