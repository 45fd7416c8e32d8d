package ctl

import (
	"context"

	"netcov/kripke/structure"
)

// runNaive model checks every mutant (CKV01 section 3). Only candidates are
// tried: mutating a cell that is unreachable changes nothing.
func runNaive(ctx context.Context, f *frame, p program, change mutantKind) (structure.Set, error) {
	covered := structure.NewSet(f.cells)
	c := newChecker(f, p)
	for cell := range f.candidates.All() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if !c.holds(change.at(int32(cell))) {
			covered.Add(cell)
		}
	}
	return covered, nil
}
