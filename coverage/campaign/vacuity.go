package campaign

import (
	"context"
	"fmt"
	"strings"
	"time"

	"netcov/coverage"
	"netcov/internal/clock"
	"netcov/internal/memlimit"
)

// runTime is the longest that the search for a run within the constraints takes.
const runTime = 2 * time.Second

// FindLongestRun finds out whether the constraints end every run, and which of them,
// within limits of time and memory.
func (d *Design) FindLongestRun(ctx context.Context, memory int64) {
	ctx, cancel := clock.Limit(ctx, runTime)
	defer cancel()
	ctx, end := memlimit.Watch(ctx, memory)
	defer end()
	if steps, ended := coverage.LongestRun(ctx, d.Netlist); ended {
		d.RunSteps = &steps
		for _, i := range coverage.Conflict(ctx, d.Netlist, steps) {
			d.Conflict = append(d.Conflict, strings.TrimSpace(fmt.Sprintf("constraint %d %s", i, d.Netlist.Constraints[i].Name)))
		}
	}
}
