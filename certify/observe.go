package certify

import (
	"errors"
	"fmt"
	"slices"

	"netcov/aiger"
)

// Observation says which signals of a design and of its mutant are compared.
type Observation uint8

// The observation points: the design's outputs, or what the readers of its registers
// see, the mutated node left out. ObserveDefault is outputs where the file has some
// beside its properties, else registers.
const (
	ObserveDefault Observation = iota
	ObserveOutputs
	ObserveRegisters
)

var observationWords = [...]string{"default", "outputs", "registers"}

// String returns the word used on the command line.
func (o Observation) String() string { return observationWords[o] }

// ParseObservation is the inverse of String.
func ParseObservation(word string) (Observation, error) {
	i := slices.Index(observationWords[:], word)
	if i < 0 {
		return 0, fmt.Errorf("there are no observation points %q; they are outputs, registers, or default: outputs where there are some", word)
	}
	return Observation(i), nil
}

// In resolves ObserveDefault for a file. The outputs of a file without bad-state
// literals are its properties, and no observation points.
func (o Observation) In(f *aiger.File) Observation {
	switch {
	case o != ObserveDefault:
		return o
	case len(f.Bads) > 0 && len(f.Outputs) > 0:
		return ObserveOutputs
	}
	return ObserveRegisters
}

// Check refuses outputs as observation points of a file that has none.
func (o Observation) Check(f *aiger.File) error {
	if o == ObserveOutputs && (len(f.Outputs) == 0 || len(f.Bads) == 0) {
		return errors.New("outputs: the design has none (those of an AIGER file without bad-state literals are its properties); observe the registers")
	}
	return nil
}

// Points returns the observation points for a mutant of the variable.
func (o Observation) Points(f *aiger.File, mutated uint32) []aiger.Lit {
	if o.In(f) == ObserveOutputs {
		if len(f.Bads) == 0 {
			return nil
		}
		return f.Outputs
	}
	var all []aiger.Lit
	for _, l := range f.Latches {
		if l.Lit>>1 != mutated {
			all = append(all, l.Lit)
		}
	}
	return all
}
