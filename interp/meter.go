package interp

import (
	"context"

	"netcov/proof"
	"netcov/sat"
)

// A meter rations an engine's slice. Effort is counted in propagated literals,
// not in seconds, so that a run takes the same course on every machine.
type meter struct {
	ctx  context.Context
	left int64 // of the slice
	used int64 // since the meter was made
}

// queryEffort is what a query costs beside its propagations.
const queryEffort = 100

// spend takes effort off the slice.
func (m *meter) spend(n int64) {
	m.left -= n
	m.used += n
}

// over reports whether the slice or the context has ended.
func (m *meter) over() bool { return m.left <= 0 || m.ctx.Err() != nil }

// solve runs a query within the slice: Unknown when that is used up.
func (m *meter) solve(s *proof.CDCL, query func(ctx context.Context) sat.Status) sat.Status {
	if m.over() {
		return sat.Unknown
	}
	before := s.NumPropagations()
	s.SetPropagationLimit(m.left)
	st := query(m.ctx)
	s.SetPropagationLimit(-1)
	m.spend(s.NumPropagations() - before + queryEffort)
	return st
}
