package main

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"netcov/aiger"
	"netcov/certify"
	"netcov/coverage"
	"netcov/coverage/campaign"
	"netcov/coverage/journal"
)

// openJournal opens the run's journal and takes up what it records.
func (f *coverFlags) openJournal(log io.Writer, in *campaign.Design, which []int, opt *coverage.Options) error {
	h, err := f.header(in, which, *opt)
	if err != nil {
		return err
	}
	j, records, dropped, err := journal.Open(f.journal, h)
	if err != nil {
		return withPath(f.journal, err)
	}
	if !f.quiet && dropped > 0 {
		fmt.Fprintf(log, "netcov: %s: the last record was torn (%d bytes) and is dropped\n", f.journal, dropped)
	}
	opt.Journal, opt.Resume = j, []coverage.Source{{Records: records}}
	return nil
}

// header says which run a journal belongs to. What a design
// in another language than AIGER means depends on more than its files: on flags
// (--define, --top, --reset), on included files and on the translator. The netlist
// that came out stands for all of them.
func (f *coverFlags) header(in *campaign.Design, which []int, opt coverage.Options) (journal.Header, error) {
	h := journal.Header{
		Version: version,
		Design:  in.File.SHA256,
		Options: map[string]string{
			"fault": f.faults, "mux": f.mux, "nodes": f.nodes, "engine": f.engine, "seed": fmt.Sprint(f.seed),
			"tests": strings.Join(opt.Tests, ","), "properties": fmt.Sprint(which),
			"sample": fmt.Sprint(f.sample), "recheck": recheckName(opt),
		},
	}
	if in.Design.Format != "aiger" {
		sum := sha256.New()
		if err := aiger.WriteASCII(sum, in.File); err != nil {
			return h, err
		}
		h.Options["netlist"] = fmt.Sprintf("%x", sum.Sum(nil)[:8])
	}
	return h, nil
}

// recheckName is who confirms the verdicts, as --recheck has it.
func recheckName(opt coverage.Options) string {
	switch {
	case opt.NoRecheck:
		return "none"
	case opt.Opinion == certify.Both:
		return "both"
	}
	return "second"
}

// withPath names the file in an error that does not do so itself.
func withPath(path string, err error) error {
	var p *os.PathError
	if errors.As(err, &p) || strings.Contains(err.Error(), path) {
		return err
	}
	return fmt.Errorf("%s: %w", path, err)
}
