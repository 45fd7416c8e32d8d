// Package aig is the and-inverter graph: nodes, edges, structural hashing, cones.
// It imports nothing of the project; package netlist builds designs from it, and
// invariants of package cert hold formulas in it.
package aig
