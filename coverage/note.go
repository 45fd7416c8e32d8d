package coverage

import (
	"fmt"

	"netcov/mutant"
)

// NoteKind says why a mutant is not covered, where the reason is no weakness of
// the property.
type NoteKind uint8

// The kinds of notes.
const (
	NoNote         NoteKind = iota
	NoteOutside             // outside of the cone of influence
	NoteEquivalent          // the fault gives the value that the node always has
	NoteVacuous             // the constraints have no run of Steps steps in the mutant
	NoteNoRun               // the constraints have no run of Steps steps in the design itself
)

// Note is a kind with what its text needs.
type Note struct {
	Kind    NoteKind
	Subject string       // of an equivalence: the node in words
	Value   mutant.Fault // of an equivalence: the stuck-at fault whose value the node always has
	Steps   int          // of NoteVacuous and NoteNoRun
}

// String is the note as reports show it; empty for none.
func (n Note) String() string {
	switch n.Kind {
	case NoteOutside:
		return "outside the cone of influence"
	case NoteEquivalent:
		return fmt.Sprintf("equivalent: %s is always %d", n.Subject, n.Value)
	case NoteVacuous:
		return fmt.Sprintf("vacuous: the constraints have no run of %d steps in this mutant", n.Steps)
	case NoteNoRun:
		return fmt.Sprintf("vacuous: the constraints have no run of %d steps in the design itself", n.Steps)
	}
	return ""
}

// Complement is the note as it reads for the complement of the node.
func (n Note) Complement() Note {
	n.Value = n.Value.Complement()
	return n
}
