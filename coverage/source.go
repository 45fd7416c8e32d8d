package coverage

import (
	"encoding/json"
	"fmt"
	"iter"
	"slices"

	"netcov/certify"
	"netcov/mutant"
)

// The records of journals, as runs take them up.

// Source are the records of one journal.
type Source struct {
	Name    string // in errors; "" for the only one
	Records []json.RawMessage
}

// Claim is a verdict that a record speaks of. Nobody has confirmed it.
type Claim struct {
	Property int // the first of the question's
	Target   mutant.Target
	Fault    mutant.Fault
	Covered  bool
	Seconds  float64 // of work on this mutant alone
}

// Claims goes through the verdicts that records speak of. What is no record is passed
// over: see Merger for a reading that refuses it.
func Claims(records []json.RawMessage) iter.Seq[Claim] {
	return func(yield func(Claim) bool) {
		for _, text := range records {
			var r record
			if json.Unmarshal(text, &r) != nil || r.Kind != kindVerdict || r.Cell {
				continue
			}
			f, known := mutant.ParseFault(r.Fault)
			if known && !yield(Claim{r.Property, mutant.Target{Gate: r.Gate, Index: r.Index}, f, r.Verdict == mutant.Covered, r.Seconds}) {
				return
			}
		}
	}
}

// Proofs returns the records that say why properties hold, by the number of the
// property: what a Worker begins with.
func Proofs(records []json.RawMessage) (map[int][]json.RawMessage, error) {
	return choose(records, func(e *entry) bool { return slices.Contains([]string{kindProof, kindGroup, kindSmall}, e.Kind) })
}

// Hints returns the records that can help other runs, by the number of the property.
func Hints(records []json.RawMessage) (map[int][]json.RawMessage, error) {
	return choose(records, func(e *entry) bool { return e.Kind == kindInvariant || e.Trace != nil })
}

// RecordedRounds returns Answer.Rounds of the outcome that records have of a property,
// and whether there is one. The error wraps ErrResume.
func RecordedRounds(sources []Source, property int) (rounds int, known bool, err error) {
	records, err := decodeRecords(sources, false)
	if err != nil {
		return 0, false, resumeError(err)
	}
	for _, e := range records[property] {
		if e.Kind != kindProof {
			continue
		}
		if e.Rounds < 0 || e.Rounds > certify.MostRounds {
			return 0, false, resumeError(e.refuse("%d rounds of justice; 0 to %d are possible", e.Rounds, certify.MostRounds))
		}
		rounds, known = e.Rounds, true
	}
	return rounds, known, nil
}

// choose returns some of the records, by the number of the property.
func choose(records []json.RawMessage, wanted func(*entry) bool) (map[int][]json.RawMessage, error) {
	decoded, err := decodeRecords([]Source{{Records: records}}, false)
	if err != nil {
		return nil, err
	}
	out := map[int][]json.RawMessage{}
	for p, entries := range decoded {
		for _, e := range entries {
			if wanted(e) {
				out[p] = append(out[p], records[e.number-1])
			}
		}
	}
	return out, nil
}

// longest is more than the seconds that a run can take.
const longest = 1e9

// entry is a record with its number in the journal, from 1.
type entry struct {
	source int // position among the sources
	name   string
	number int
	record
}

// place names the journal and the record.
func (e *entry) place() string {
	if e.name == "" {
		return fmt.Sprintf("record %d", e.number)
	}
	return fmt.Sprintf("%s: record %d", e.name, e.number)
}

// refuse is the error of an entry.
func (e *entry) refuse(format string, args ...any) error {
	return fmt.Errorf("%s: %w", e.place(), fmt.Errorf(format, args...))
}

// decodeRecords reads the records of earlier runs, those about cells or the others, by
// the number of the property. Only the first source may speak of the proof.
func decodeRecords(sources []Source, cells bool) (map[int][]*entry, error) {
	out := map[int][]*entry{}
	for k, s := range sources {
		for i, text := range s.Records {
			e := &entry{source: k, name: s.Name, number: i + 1}
			if err := json.Unmarshal(text, &e.record); err != nil {
				return nil, fmt.Errorf("%s is not as netcov writes them", e.place())
			}
			if !(0 <= e.Seconds && e.Seconds < longest) {
				return nil, e.refuse("a time of %g seconds", e.Seconds)
			}
			if e.Cell != cells {
				continue
			}
			if k > 0 && e.Kind != kindInvariant && e.Kind != kindVerdict {
				return nil, e.refuse("the kind %q where only verdicts are due", e.Kind)
			}
			out[e.Property] = append(out[e.Property], e)
		}
	}
	return out, nil
}
