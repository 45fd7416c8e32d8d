package mutant

import (
	"fmt"
	"slices"
)

// Verdict is what is known of one mutant under a property, or under a set of them.
type Verdict uint8

// The verdicts (DAC10, section 3). Covered: some property fails on the mutant.
const (
	Unknown Verdict = iota
	Covered
	NotCovered
)

var verdictWords = [...]string{Unknown: "unknown", Covered: "covered", NotCovered: "notcovered"}

// String returns the word used in reports, journals and evidence.
func (v Verdict) String() string { return verdictWords[v] }

// MarshalText returns the word.
func (v Verdict) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// UnmarshalText reads the word.
func (v *Verdict) UnmarshalText(text []byte) error {
	at := slices.Index(verdictWords[:], string(text))
	if at < 0 {
		return fmt.Errorf("%q is no verdict: covered, notcovered or unknown", text)
	}
	*v = Verdict(at)
	return nil
}
