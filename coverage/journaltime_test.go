package coverage

import (
	"context"
	"encoding/json"
	"path/filepath"
	"testing"

	"netcov/coverage/journal"
	"netcov/mutant"
)

// A record has the time that the report tells of its mutant: a verdict is written
// once, complete.
func TestRecordsTellTheTime(t *testing.T) {
	timed := 0
	randomOracles(t, 11, rounds(t, 40), func(o *oracle) {
		for _, tests := range [][]string{{TestIC3}, DAC10Tests(), {TestNaive}} {
			path := filepath.Join(t.TempDir(), "journal")
			j, _, _, err := journal.Open(path, journal.Header{})
			if err != nil {
				t.Fatal(err)
			}
			res, err := Run(context.Background(), o.f, o.n, o.property, Options{Targets: o.targets, Mux: o.place, Tests: tests, Journal: j})
			if err != nil {
				t.Fatal(err)
			}
			j.Close()
			_, records, _, err := journal.Read(path)
			if err != nil {
				t.Fatal(err)
			}
			seconds := map[string]float64{}
			for _, data := range records {
				var r record
				if err := json.Unmarshal(data, &r); err != nil {
					t.Fatal(err)
				}
				if r.Kind == kindVerdict {
					seconds[mutant.Target{Gate: r.Gate, Index: r.Index}.String()+", "+r.Fault] = r.Seconds
				}
			}
			for _, m := range res.Mutants {
				if m.Verdict == mutant.Unknown {
					continue
				}
				s, ok := seconds[m.String()]
				if !ok || s != m.Time.Seconds() {
					t.Fatalf("%v: %s: the record says %g s, the report %g s", tests, m, s, m.Time.Seconds())
				}
				if s > 0 {
					timed++
				}
			}
		}
	})
	if timed == 0 {
		t.Error("no record has a time")
	}
}
