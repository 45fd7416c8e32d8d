package main

import (
	"context"
	"errors"

	"netcov/coverage"
	"netcov/coverage/campaign"
	"netcov/coverage/report"
)

// addMatrix adds to the report which property fails on which mutant.
func (f *coverFlags) addMatrix(ctx context.Context, in *campaign.Design, opt coverage.Options, set *coverage.Set, r *report.Report) error {
	m, err := in.Matrix(ctx, f.cellBudget, opt, set)
	if errors.Is(err, coverage.ErrResume) {
		return withPath(f.journal, err)
	}
	if err != nil || m == nil {
		return err
	}
	r.AddMatrix(m, f.cells)
	return m.JournalErr
}
