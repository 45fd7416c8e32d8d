package farm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"netcov/coverage/campaign"
	"netcov/coverage/journal"
	"netcov/internal/atomicfile"
)

// Schema names the form of a farm's directory.
const Schema = "netcov-farm/1"

// Settings say what a farm is about, and how its workers work.
type Settings struct {
	// Header says which run all journals belong to.
	Header journal.Header `json:"run"`
	// Flags are the settings of the run as the user gave them, by name.
	Flags map[string]string `json:"flags"`
	// Properties are the positions of those that are asked about.
	Properties []int `json:"properties"`
	// Shared tells that the shared part has come to its end, and Tests are those that
	// are left to workers.
	Shared bool     `json:"shared"`
	Tests  []string `json:"tests"`
	// Lease is how long a worker may be silent until others take its batch over.
	Lease time.Duration `json:"lease"`
	// BatchTime is the time for a batch in the first round; each later round has
	// four times that of the one before.
	BatchTime time.Duration `json:"batch_time"`
	// MutantTime is the longest time for a batch. What is then undecided stays so.
	// 0 is no limit.
	MutantTime time.Duration `json:"mutant_time"`
	// WorkerTime is how long a worker may run, 0 is no limit.
	WorkerTime time.Duration `json:"worker_time"`
	// Memory is what a worker may take, in bytes; 0 is no limit.
	Memory int64 `json:"memory"`
}

// stored is farm.json.
type stored struct {
	Schema string `json:"schema"`
	Settings
	Files map[string]string `json:"files"` // of the design, with their SHA-256
}

// Farm is a farm's directory.
type Farm struct {
	Dir string
	Settings
	Design *campaign.Design

	files map[string]string
}

// LeastBatchTime is the least time for a batch.
const LeastBatchTime = time.Second

// ErrNoFarm is in the chain of the error of Open where the directory is no farm.
var ErrNoFarm = errors.New("this is no farm: farm.json is missing; netcov farm submit makes one")

func (f *Farm) path(names ...string) string {
	return filepath.Join(append([]string{f.Dir}, names...)...)
}

// Create makes a farm of a directory that does not exist or is empty. Where the
// directory is a farm of the same run, that is taken up, with these settings; one of
// another run is refused with a *journal.Mismatch.
func Create(dir string, d *campaign.Design, s Settings) (*Farm, error) {
	f := &Farm{Dir: dir, Settings: s, Design: d}
	old, err := readSettings(dir)
	switch {
	case err == nil:
		if err := journal.Compare(f.path("farm.json"), old.Header, s.Header); err != nil {
			return nil, err
		}
	case errors.Is(err, ErrNoFarm):
		if entries, err := os.ReadDir(dir); err == nil && len(entries) > 0 {
			return nil, fmt.Errorf("%s is no farm and not empty; name another directory", dir)
		}
	default:
		return nil, err
	}
	for _, name := range []string{"", queueDir, resultsDir, logDir} {
		if err := os.MkdirAll(f.path(name), 0o777); err != nil {
			return nil, err
		}
	}
	if f.files, err = f.storeDesign(d); err != nil {
		return nil, err
	}
	return f, f.save()
}

// save writes farm.json.
func (f *Farm) save() error { return f.writeJSON("farm.json", stored{Schema, f.Settings, f.files}) }

// Open reads the farm in a directory.
func Open(ctx context.Context, dir string) (*Farm, error) {
	s, err := readSettings(dir)
	if err != nil {
		return nil, err
	}
	f := &Farm{Dir: dir, Settings: s.Settings, files: s.Files}
	f.Design, err = f.loadDesign(ctx, s.Files)
	if err != nil {
		return nil, err
	}
	for _, p := range s.Properties {
		if p < 0 || p >= len(f.Design.Netlist.Properties()) {
			return nil, fmt.Errorf("%s: property %d of %d; restore the file, or make a new farm", f.path("farm.json"), p, len(f.Design.Netlist.Properties()))
		}
	}
	return f, nil
}

// readSettings reads farm.json.
func readSettings(dir string) (*stored, error) {
	path := filepath.Join(dir, "farm.json")
	var s stored
	err := readJSON(path, &s)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%s: %w", dir, ErrNoFarm)
	case err != nil:
		return nil, err
	case s.Schema != Schema:
		return nil, fmt.Errorf("%s: the schema is %q, this program reads %s", path, s.Schema, Schema)
	case s.Lease <= 0 || s.BatchTime < LeastBatchTime || s.MutantTime < 0 || s.WorkerTime < 0 || s.Memory < 0 || len(s.Properties) == 0:
		return nil, fmt.Errorf("%s: the settings make no sense; restore the file, or make a new farm", path)
	}
	return &s, nil
}

// longestJSON is more than any file of JSON in a farm, in bytes.
const longestJSON = 1 << 30

// readJSON reads a file of JSON whole; unknown fields are refused.
func readJSON(path string, to any) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() {
		return errors.Join(err, fmt.Errorf("%s is no regular file", path))
	}
	d := json.NewDecoder(io.LimitReader(file, longestJSON))
	d.DisallowUnknownFields()
	if err := d.Decode(to); err != nil {
		return fmt.Errorf("%s: byte %d: this is not as netcov writes it (%w); restore the file, or make a new farm", path, d.InputOffset(), err)
	}
	return nil
}

// writeJSON writes a file of JSON whole, or not at all.
func (f *Farm) writeJSON(name string, v any) error {
	return atomicfile.Write(f.path(name), func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetIndent("", " ")
		return e.Encode(v)
	})
}
