package campaign

import (
	"context"

	"netcov/coverage"
	"netcov/coverage/matrix"
)

// Matrix finds out which property fails on which mutant that the set covers, within a
// budget, whose factor counts the time that the verdicts took. opt are the options of the
// set's run. It is nil where no property holds.
func (d *Design) Matrix(ctx context.Context, budget coverage.Budget, opt coverage.Options, set *coverage.Set) (*matrix.Matrix, error) {
	if len(set.Groups) == 0 {
		return nil, nil
	}
	return matrix.Run(ctx, d.File, d.Netlist, set, opt, matrix.Options{Budget: budget, RunSteps: d.RunSteps})
}
