package coverage

import (
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"netcov/aiger"
	"netcov/cert"
	"netcov/coverage/journal"
	"netcov/mutant"
	"netcov/netlist"
)

// TestForgedRecords: records that were changed, and are whole as the journal has
// it, are refused, or change no verdict.
func TestForgedRecords(t *testing.T) {
	// a register that toggles, its copy a step later, and one beside them
	file, err := aiger.Read(strings.NewReader("aag 5 1 3 0 1 1\n2\n4 5\n6 4\n8 2\n10\n10 4 6\n"), "d", aiger.Options{})
	if err != nil {
		t.Fatal(err)
	}
	n := netlist.FromAIGER(file)
	path := filepath.Join(t.TempDir(), "journal")
	j, _, _, err := journal.Open(path, journal.Header{})
	if err != nil {
		t.Fatal(err)
	}
	first, err := Run(context.Background(), file, n, 0, Options{Journal: j})
	if err != nil {
		t.Fatal(err)
	}
	j.Close()
	_, good, _, err := journal.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	same := func(r *Result) bool {
		return slices.EqualFunc(r.Mutants, first.Mutants, func(a, b *Mutant) bool { return a.Verdict == b.Verdict })
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if r, err := Run(ctx, file, n, 0, Options{Resume: []Source{{Records: good}}}); err != nil || r.Stopped != "interrupted" {
		t.Errorf("interrupted at once: %v", err)
	}
	for k := range len(good) + 1 {
		if r, err := Run(context.Background(), file, n, 0, Options{Resume: []Source{{Records: good[:k]}}}); err != nil || !same(r) {
			t.Fatalf("the first %d records: %v", k, err)
		}
	}

	find := func(rs []record, kind string, verdict mutant.Verdict) *record {
		i := slices.IndexFunc(rs, func(r record) bool { return r.Kind == kind && r.Verdict == verdict })
		if i < 0 {
			t.Fatalf("no record %s %s", kind, verdict)
		}
		return &rs[i]
	}
	covered, not := mutant.Covered, mutant.NotCovered
	for name, c := range map[string]struct {
		change func([]record)
		says   string
	}{
		"the proof's invariant": {func(rs []record) {
			find(rs, kindProof, mutant.Unknown).Invariant = &journal.Invariant{}
			find(rs, kindSmall, mutant.Unknown).Property = 7 // which would do instead
		}, "journal cannot be taken up"},
		"the smaller invariant": {func(rs []record) { find(rs, kindSmall, mutant.Unknown).Invariant = &journal.Invariant{} }, "journal cannot be taken up"},
		"no smaller invariant":  {func(rs []record) { find(rs, kindSmall, mutant.Unknown).Invariant = nil }, "invariant is missing"},
		"no invariant":          {func(rs []record) { find(rs, kindProof, mutant.Unknown).Invariant = nil }, "without its evidence"},
		"failure":               {func(rs []record) { find(rs, kindProof, mutant.Unknown).Status = cert.Fails }, "without its evidence"},
		"failure with a trace": {func(rs []record) {
			p := find(rs, kindProof, mutant.Unknown)
			p.Status, p.Trace = cert.Fails, &journal.Trace{Latches: "000", Inputs: []string{"0", "0"}}
		}, "journal cannot be taken up"},
		"no status":    {func(rs []record) { find(rs, kindProof, mutant.Unknown).Status = cert.Unknown }, "without its evidence"},
		"no proof":     {func(rs []record) { find(rs, kindProof, mutant.Unknown).Property = 7 }, "without an outcome"},
		"invariant":    {func(rs []record) { find(rs, kindInvariant, mutant.Unknown).Invariant = &journal.Invariant{} }, "journal cannot be taken up"},
		"other latch":  {func(rs []record) { find(rs, kindInvariant, mutant.Unknown).Invariant.Clauses = [][]uint32{{100}} }, "latch 50 of"},
		"trace":        {func(rs []record) { r := find(rs, kindVerdict, covered); r.Trace.Inputs = r.Trace.Inputs[:1] }, "journal cannot be taken up"},
		"short row":    {func(rs []record) { find(rs, kindVerdict, covered).Trace.Inputs[0] = "" }, "journal cannot be taken up"},
		"no rows":      {func(rs []record) { find(rs, kindVerdict, covered).Trace.Inputs = nil }, "journal cannot be taken up"},
		"covered":      {func(rs []record) { find(rs, kindVerdict, not).Verdict = covered }, "without its evidence"},
		"not covered":  {func(rs []record) { find(rs, kindVerdict, covered).Verdict = not }, "without its evidence"},
		"no such test": {func(rs []record) { find(rs, kindVerdict, covered).Test = "LUCK" }, "no test of this run"},
		"twice":        {func(rs []record) { *find(rs, kindVerdict, not) = *find(rs, kindVerdict, covered) }, "no open mutant"},
		"time":         {func(rs []record) { rs[0].Seconds = -1 }, "a time of"},
		"another one's invariant": {func(rs []record) {
			c := find(rs, kindVerdict, covered)
			for i := range len(rs) - 1 { // to the end, where the invariants are known
				if &rs[i] == c {
					rs[i], rs[i+1] = rs[i+1], rs[i]
					c = &rs[i+1]
				}
			}
			c.Verdict, c.Trace, c.ID = not, nil, find(rs, kindVerdict, not).ID
		}, "journal cannot be taken up"},
	} {
		rs := make([]record, len(good))
		for i, data := range good {
			if err := json.Unmarshal(data, &rs[i]); err != nil {
				t.Fatal(err)
			}
		}
		c.change(rs)
		var records []json.RawMessage
		for _, r := range rs {
			data, err := json.Marshal(r)
			if err != nil {
				t.Fatal(err)
			}
			records = append(records, data)
		}
		for _, opt := range []Options{{}, {Budget: Budget{Limit: 1}}, {Budget: Budget{Factor: 1e-12}}, {StopAt: 0.1}, {Jobs: 2}, {NoRecheck: true}} {
			opt.Resume = []Source{{Records: records}}
			_, err := Run(context.Background(), file, n, 0, opt)
			if !errors.Is(err, ErrResume) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%s: %v, want %s", name, err, c.says)
			}
		}
		// A run that is interrupted at once may have heard no second opinion.
		r, err := Run(ctx, file, n, 0, Options{Resume: []Source{{Records: records}}})
		for i, m := range r.Mutants {
			if err == nil && m.Verdict != mutant.Unknown && m.Verdict != first.Mutants[i].Verdict {
				t.Errorf("%s, interrupted: %v %v is %v", name, m.Target, m.Fault, m.Verdict)
			}
		}
	}
}
