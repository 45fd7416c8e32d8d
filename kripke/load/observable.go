package load

import (
	"slices"

	"netcov/frontend/smv"
)

// Observable lists the signals that a source shows to its environment: the
// outputs of a netlist, the boolean DEFINEs and combinational variables of an
// SMV model. A structure's propositions are all observable, and not listed.
func (s *Source) Observable() []string {
	var out []string
	switch {
	case s.k != nil:
		return nil
	case s.program != nil:
		n, err := s.compiled()
		if err != nil {
			return nil // reading the model reports it
		}
		for _, sig := range n.Signals() {
			out = append(out, sig.Name)
		}
	default:
		for _, o := range s.plainNames(s.design).Outputs {
			out = append(out, o.Name)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Observations lists the variables of an SMV model that are not boolean, and what tells
// their values.
func (s *Source) Observations() []smv.Observation {
	if s.program == nil {
		return nil
	}
	return s.program.Observations()
}
