package farm

import (
	"encoding/json"
	"log/slog"
	"math/rand/v2"

	"netcov/coverage"
	"netcov/coverage/journal"
)

// Before each batch a worker reads on in its own journal and in a few of the others',
// chosen at random: the traces and invariants there are hints, and mutants that are
// decided need not be asked about. All of them would be too much for the file system:
// with 1,000 workers, each would read what all have written. A few, at random, spread
// a find to all in a number of rounds that grows with the logarithm of the workers.

const (
	gossip      = 4       // journals of others that are read before a batch
	gossipBytes = 1 << 18 // of each
	mostHints   = 48      // kept for a question; the latest
)

// hints is what a worker has read of journals.
type hints struct {
	farm      *Farm
	own       string
	followers map[string]*journal.Follower
	damaged   map[string]bool // not read any more
	latest    map[int][]json.RawMessage
	claims    *claims
}

func newHints(f *Farm) *hints {
	return &hints{f, "", map[string]*journal.Follower{}, map[string]bool{}, map[int][]json.RawMessage{}, newClaims()}
}

// gather reads on. What cannot be read is left out: the merge will say what is wrong.
func (h *hints) gather(log *slog.Logger) {
	names, err := h.farm.resultNames()
	if err != nil {
		log.Warn("the journals of other workers cannot be listed", "error", err)
		return
	}
	rand.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	read := 0
	h.read(h.own, log)
	for _, path := range names {
		if path == h.own || h.damaged[path] {
			continue
		}
		if read++; read > gossip {
			return
		}
		h.read(path, log)
	}
}

// read reads on in a journal.
func (h *hints) read(path string, log *slog.Logger) {
	f := h.followers[path]
	if f == nil {
		f = journal.Follow(path, h.farm.Header)
		h.followers[path] = f
	}
	records, err := f.Next(gossipBytes)
	if err == nil {
		var found map[int][]json.RawMessage
		if found, err = coverage.Hints(records); err == nil {
			h.claims.add(records)
			for p, list := range found {
				all := append(h.latest[p], list...)
				h.latest[p] = all[max(0, len(all)-mostHints):]
			}
		}
	}
	if err != nil {
		log.Warn("a journal is passed over", "path", path, "error", err)
		h.damaged[path] = true
	}
}

// of returns the hints for a question, by its first property.
func (h *hints) of(property int) []json.RawMessage { return h.latest[property] }
