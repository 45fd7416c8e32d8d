package journal

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Schema names the form of a journal.
const Schema = "netcov-journal/1"

// Header says which run a journal belongs to. All of it must be equal for a run
// to go on.
type Header struct {
	Version string            `json:"version"` // of the program
	Design  string            `json:"design"`  // hash of the file
	Options map[string]string `json:"options"` // all that a verdict depends on, the properties too
}

// storedHeader is the first record.
type storedHeader struct {
	Schema string `json:"schema"`
	Header
}

func (h Header) stored() storedHeader { return storedHeader{Schema, h} }

// readHeader decodes the first record.
func readHeader(payload json.RawMessage) (h storedHeader, ok bool) {
	d := json.NewDecoder(bytes.NewReader(payload))
	d.DisallowUnknownFields()
	err := d.Decode(&h)
	return h, err == nil && h.Schema == Schema
}

// Mismatch says in what a journal belongs to another run.
type Mismatch struct {
	Path        string
	Differences []Difference
}

// Difference is one setting.
type Difference struct {
	What, Journal, Run string
}

// Error returns one line.
func (m *Mismatch) Error() string {
	parts := make([]string, len(m.Differences))
	for i, d := range m.Differences {
		parts[i] = fmt.Sprintf("%s is %q there and %q here", d.What, d.Journal, d.Run)
	}
	return fmt.Sprintf("%s: it belongs to another run: %s; name another file", m.Path, strings.Join(parts, ", "))
}

// Compare returns a *Mismatch where a run differs from the one that the file at path
// belongs to.
func Compare(path string, there, run Header) error { return there.stored().compare(path, run) }

// compare returns a *Mismatch where the run differs from the stored header.
func (h storedHeader) compare(path string, run Header) error {
	m := &Mismatch{Path: path}
	differ := func(what, there, here string) {
		if there != here {
			m.Differences = append(m.Differences, Difference{what, there, here})
		}
	}
	differ("the version", h.Version, run.Version)
	differ("the design's hash", h.Design, run.Design)
	keys := map[string]bool{}
	for k := range h.Options {
		keys[k] = true
	}
	for k := range run.Options {
		keys[k] = true
	}
	for _, k := range slices.Sorted(maps.Keys(keys)) {
		there, has := h.Options[k]
		here, wants := run.Options[k]
		if has && wants {
			differ(k, there, here)
		} else if has {
			m.Differences = append(m.Differences, Difference{k, there, "(not set)"})
		} else {
			m.Differences = append(m.Differences, Difference{k, "(not set)", here})
		}
	}
	if len(m.Differences) == 0 {
		return nil
	}
	return m
}
