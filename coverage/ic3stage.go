package coverage

import (
	"context"

	"netcov/netlist"
)

func checkIC3(ctx context.Context, m *netlist.Model) *Proof       { return checkInterp(ctx, m) }
func checkPortfolio(ctx context.Context, m *netlist.Model) *Proof { return checkInterp(ctx, m) }

func (s *session) minimise(context.Context, *netlist.Model) {}

func runSubset(ctx context.Context, s *session) {}

func runIC3(ctx context.Context, s *session) {
	for _, m := range s.openInside() {
		if m.Verdict != Unknown {
			continue
		}
		s.judge(ctx, TestIC3, m, checkInterp(ctx, s.model.Mutant(m.cut, m.Fault)))
	}
}
