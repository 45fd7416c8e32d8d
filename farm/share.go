package farm

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"netcov/coverage"
	"netcov/coverage/journal"
)

// Share does what concerns all mutants at once: model checking of the design and the
// tests that look at all mutants together. The options are those of the whole run.
// Where an earlier call was killed, this one goes on.
func (f *Farm) Share(ctx context.Context, opt coverage.Options) (*coverage.Set, error) {
	path := f.path(sharedJournal)
	j, records, _, err := journal.Open(path, f.Header)
	if err != nil {
		return nil, err
	}
	defer j.Close()
	all := opt.Tests
	opt.Tests, _ = coverage.SplitTests(all)
	opt.Journal, opt.Resume = j, []coverage.Source{{Name: path, Records: records}}
	set, err := f.Design.Run(ctx, f.Properties, opt)
	switch {
	case err != nil:
		return nil, err
	case set.JournalErr != nil:
		return nil, set.JournalErr
	case ctx.Err() != nil:
		return set, context.Cause(ctx)
	}
	_, records, _, err = journal.Read(path)
	if err != nil {
		return nil, err
	}
	proofs, err := coverage.Proofs(records)
	if err != nil {
		return nil, err
	}
	var kept []json.RawMessage
	for _, p := range slices.Sorted(maps.Keys(proofs)) {
		kept = append(kept, proofs[p]...)
	}
	if err := journal.Write(f.path(proofsJournal), f.Header, kept); err != nil {
		return nil, fmt.Errorf("writing what the workers begin with: %w", err)
	}
	// The workers have the tests that several runs can share, or all of the run's where
	// the shared part ended before it had tried the others.
	f.Shared, f.Tests = true, all
	if stopped := set.Stopped(); stopped == "" || stopped == "tests" {
		_, f.Tests = coverage.SplitTests(all)
	}
	return set, f.save()
}
