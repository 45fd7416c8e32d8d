// Package netlist holds the and-inverter graph that every engine works on.
//
// There are three views of a design, and data flows from the first to the
// last:
//
//	Netlist   what the file says, gate by gate, nothing merged
//	Model     one safety property with its constraints, hashed, resets
//	          reduced to 0, 1 or free, with cut points at the nodes that are
//	          to be mutated (the multiplexers of DAC10, figure 1)
//	Frames    the model unrolled to clauses, only the cone that is asked for
//
// A Simulator evaluates a model 64 lanes at a time.
package netlist
