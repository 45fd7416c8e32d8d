package mutant

import (
	"fmt"
	"slices"
)

// Reason is why no property notices a mutant.
type Reason uint8

// The reasons, in the order in which they are tried: the first that is true. NoReason is
// that of a mutant which is not known to be uncovered.
const (
	NoReason   Reason = iota
	Outside           // the node is in the cone of no property and of no constraint
	Constant          // the fault gives the value that the node always has
	Equivalent        // mutant and design have the same runs and show the same
	Vacuous           // the constraints exclude every run with a difference
	Gap               // some run shows a difference, and no property notices
	Open              // undecided
)

var reasonWords = [...]string{"", "outside", "constant", "equivalent", "vacuous", "gap", "open"}

// String returns the word used in reports and evidence, "" for no reason.
func (r Reason) String() string { return reasonWords[r] }

// Reasons lists the reasons in the order of tables.
func Reasons() []Reason { return []Reason{Outside, Constant, Equivalent, Vacuous, Gap, Open} }

// Matters reports whether a property could notice the mutant: it is neither constant
// nor equivalent.
func (r Reason) Matters() bool { return r != Constant && r != Equivalent }

// MarshalText returns the word.
func (r Reason) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText reads the word.
func (r *Reason) UnmarshalText(text []byte) error {
	at := slices.Index(reasonWords[:], string(text))
	if at < 1 {
		return fmt.Errorf("%q is no reason: outside, constant, equivalent, vacuous, gap or open", text)
	}
	*r = Reason(at)
	return nil
}
