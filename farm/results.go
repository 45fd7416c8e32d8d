package farm

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"netcov/coverage"
	"netcov/coverage/journal"
)

const (
	resultsDir    = "results"
	logDir        = "log"
	sharedJournal = "shared.journal"
	proofsJournal = "proofs.journal"
	journalExt    = ".journal"
)

// resultNames lists the journals of workers.
func (f *Farm) resultNames() ([]string, error) {
	entries, err := os.ReadDir(f.path(resultsDir))
	if err != nil {
		return nil, err
	}
	var out []string
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), journalExt) {
			out = append(out, filepath.Join(f.Dir, resultsDir, e.Name()))
		}
	}
	return out, nil
}

// Sources reads all journals of the farm, the shared part's first. A worker that was
// killed leaves a torn last record, which is left out. Anything else that is not as it
// was written is an error that names the file.
func (f *Farm) Sources() ([]coverage.Source, error) {
	names, err := f.resultNames()
	if err != nil {
		return nil, err
	}
	var out []coverage.Source
	for _, path := range slices.Insert(names, 0, f.path(sharedJournal)) {
		records, err := f.readJournal(path)
		if err != nil {
			return nil, err
		}
		out = append(out, coverage.Source{Name: path, Records: records})
	}
	return out, nil
}

// readJournal reads a journal of this farm.
func (f *Farm) readJournal(path string) ([]json.RawMessage, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no regular file; remove it", path)
	}
	h, records, _, err := journal.Read(path)
	var d *journal.Damage
	if errors.As(err, &d) {
		return nil, fmt.Errorf("%s:%d: the record is damaged, or this is no journal; remove the file, and submit the farm again", d.Path, d.Line)
	}
	if err != nil {
		return nil, err
	}
	return records, journal.Compare(path, h, f.Header)
}

// claims is what journals say, which nobody has confirmed.
type claims struct {
	covered map[key]bool
	decided map[int]map[key]bool // by the question's first property
}

func newClaims() *claims { return &claims{map[key]bool{}, map[int]map[key]bool{}} }

// add takes records in.
func (c *claims) add(records []json.RawMessage) {
	for x := range coverage.Claims(records) {
		k := key{x.Target, x.Fault}
		if x.Covered {
			c.covered[k] = true
			continue
		}
		if c.decided[x.Property] == nil {
			c.decided[x.Property] = map[key]bool{}
		}
		c.decided[x.Property][k] = true
	}
}

// settled reports whether a question need not be asked about a mutant.
func (c *claims) settled(property int, k key) bool { return c.covered[k] || c.decided[property][k] }

// claimed is what the journals of workers say.
func (f *Farm) claimed() (*claims, error) {
	c := newClaims()
	names, err := f.resultNames()
	if err != nil {
		return nil, err
	}
	for _, path := range names {
		records, err := f.readJournal(path)
		if err != nil {
			return nil, err
		}
		c.add(records)
	}
	return c, nil
}
