package cert

import (
	"fmt"
	"slices"
)

// Status is the answer to the question whether a property holds.
type Status uint8

// The answers: one that holds has an Invariant, one that fails a Trace.
const (
	Unknown Status = iota
	Holds
	Fails
)

var statusWords = [...]string{"unknown", "holds", "fails"}

// String returns the word that reports and evidence files have.
func (s Status) String() string { return statusWords[s] }

// MarshalText returns the word.
func (s Status) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads the word.
func (s *Status) UnmarshalText(text []byte) error {
	at := slices.Index(statusWords[:], string(text))
	if at < 0 {
		return fmt.Errorf("%q is no status: holds, fails or unknown", text)
	}
	*s = Status(at)
	return nil
}
