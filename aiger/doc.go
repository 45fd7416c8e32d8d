// Package aiger reads and writes and-inverter graphs in the AIGER format
// (A. Biere, "The AIGER And-Inverter Graph (AIG) Format Version 20071012";
// A. Biere, K. Heljanko, S. Wieringa, "AIGER 1.9 And Beyond", 2011), in both
// its forms, ASCII ("aag") and binary ("aig"), and traces in its witness format.
//
// All of format 1.9 is covered: bad states, invariant constraints, justice and
// fairness, resets to 0, 1 or nothing, symbols, comments. Beyond 1.9 a latch may
// also be reset to a literal, as long as the resets are acyclic functions of
// inputs and other latches at time 0.
//
// The reader is strict: what the format does not allow is refused with one line
// that names the place, the fault and the cure. Options.Lenient accepts what
// text editors and file transfers do to ASCII files.
package aiger
