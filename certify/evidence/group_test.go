package evidence_test

import (
	"context"
	"strings"
	"testing"

	"netcov/aiger"
	"netcov/certify/evidence"
	"netcov/coverage"
	"netcov/mutant"
	"netcov/netlist"
)

// TestSwappedGroups: of two groups with cones of the same shape, none can have the
// certificates or the mutants of the other, or more properties than it proves.
func TestSwappedGroups(t *testing.T) {
	// two toggling registers with their copies, and two equal properties of each
	text := "aag 6 0 4 0 2 4\n2 3\n4 2\n6 7\n8 6\n10\n10\n12\n12\n10 4 2\n12 8 6\n"
	f, err := aiger.Read(strings.NewReader(text), "groups.aag", aiger.Options{})
	if err != nil {
		t.Fatal(err)
	}
	n := netlist.FromAIGER(f)
	opt := coverage.Options{}
	set, err := coverage.RunSet(context.Background(), f, n, []int{0, 1, 2, 3}, opt)
	if err != nil {
		t.Fatal(err)
	}
	run := &evidence.Run{Design: f, Name: "groups.aag", Source: []byte(text), Scope: evidence.NewScope(true, false, mutant.Standard(), mutant.AtOutput)}
	run.Properties = set.Records(mutant.AtOutput)
	for name, c := range map[string]struct {
		change func(p, q *evidence.IndexProperty)
		want   evidence.Outcome
	}{
		"nothing":      {func(_, _ *evidence.IndexProperty) {}, evidence.Stands},
		"proofs":       {func(p, q *evidence.IndexProperty) { p.Proof, q.Proof = q.Proof, p.Proof }, evidence.Refused},
		"certificates": {func(p, q *evidence.IndexProperty) { p.Certificates, q.Certificates = q.Certificates, p.Certificates }, evidence.Refused},
		"mutants": {func(p, q *evidence.IndexProperty) {
			p.Mutants, q.Mutants, p.Certificates, q.Certificates = q.Mutants, p.Mutants, q.Certificates, p.Certificates
			p.Counts, q.Counts = q.Counts, p.Counts
		}, evidence.Refused},
		"members": {func(p, q *evidence.IndexProperty) { p.With, q.With = q.With, p.With }, evidence.Refused},
		"numbers": {func(p, q *evidence.IndexProperty) {
			p.Index, p.With, q.Index, q.With = q.Index, q.With, p.Index, p.With
		}, evidence.Refused},
		"a member twice":    {func(p, q *evidence.IndexProperty) { p.With = append(p.With, q.With...) }, evidence.Refused},
		"a member left out": {func(p, _ *evidence.IndexProperty) { p.With = nil }, evidence.Refused},
		"another property that fails": {func(p, q *evidence.IndexProperty) {
			for i := range p.Mutants {
				if m := &p.Mutants[i]; m.Trace != "" {
					m.Property = &q.Index
				}
			}
		}, evidence.Refused},
	} {
		dir := mustWrite(t, run, evidence.WriteOptions{})
		err := evidence.Forge(dir, func(x *evidence.Index) {
			if len(x.Properties) != 2 || len(x.Properties[0].With) != 1 {
				t.Fatalf("the example has %d groups", len(x.Properties))
			}
			c.change(&x.Properties[0], &x.Properties[1])
		})
		if err != nil {
			t.Fatal(err)
		}
		if rep := mustVerify(t, dir, evidence.Options{}); rep.Outcome != c.want {
			t.Errorf("%s: %s, %v, %v", name, rep.Outcome, rep.Failures, rep.Partial)
		}
	}
}
