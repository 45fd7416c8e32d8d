package frontend

import (
	"fmt"

	"netcov/aiger"
	"netcov/frontend/yosysmap"
	"netcov/netlist"
)

// Named returns the design as an AIGER file whose latches carry the registers'
// names.
func (s *Source) Named() *aiger.File {
	n := *s.Design.Netlist
	n.Latches = append([]netlist.Latch(nil), n.Latches...)
	for i := range n.Latches {
		if i >= len(s.Design.Latches) || s.Design.Latches[i].Register == "" {
			continue
		}
		name := yosysmap.Name(s.Design.Latches[i])
		if s.Design.Latches[i].Inverted {
			name = "!" + name
		}
		n.Latches[i].Name = name
	}
	return n.ToAIGER()
}

// Losses tells what an AIGER file cannot say of the circuit, a line each.
func (s *Source) Losses() (notes []string) {
	helpers := 0
	for i := range s.Design.Netlist.Latches {
		if s.Design.Artefact(i) {
			helpers++
		}
	}
	if helpers > 0 {
		notes = append(notes, fmt.Sprintf("%d latches are helpers and no registers; an AIGER file does not tell them apart", helpers))
	}
	if k := len(s.Design.Specs); k > 0 {
		notes = append(notes, fmt.Sprintf("%d specifications in temporal logic are left out", k))
	}
	return notes
}
