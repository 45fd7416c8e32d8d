package coverage

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"netcov/coverage/journal"
	"netcov/mutant"
)

// recordsOf runs with a journal and returns what it says.
func recordsOf(t *testing.T, run func(*journal.Journal)) []json.RawMessage {
	t.Helper()
	path := filepath.Join(t.TempDir(), "journal")
	j, _, _, err := journal.Open(path, journal.Header{})
	if err != nil {
		t.Fatal(err)
	}
	run(j)
	j.Close()
	_, records, _, err := journal.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	return records
}

// TestRoles lets one run do what concerns all mutants, workers decide the rest in
// batches that overlap, with hints from each other, and a merger unite what they
// wrote. Enumeration says what must come out.
func TestRoles(t *testing.T) {
	batches, decided, hinted := 0, 0, 0
	randomSets(t, 21, rounds(t, 120), func(o *setOracle, r *rand.Rand) {
		ctx := context.Background()
		opt := Options{Targets: o.targets, Faults: o.n.FaultsAt(o.targets), Mux: o.place, Tests: SetTests(o.targets[len(o.targets)-1].Gate)}
		all := opt.Tests
		together, apart := SplitTests(all)
		if r.IntN(2) == 0 { // leave more to the workers
			together, apart = []string{TestCone}, all
		}
		var set *Set
		sources := []Source{{Name: "first"}}
		sources[0].Records = recordsOf(t, func(j *journal.Journal) {
			opt := opt
			opt.Journal, opt.Tests = j, together
			var err error
			if set, err = RunSet(ctx, o.f, o.n, o.properties, opt); err != nil {
				t.Fatal(err)
			}
		})
		for _, g := range set.Groups {
			var open []*Mutant
			for _, m := range g.Mutants {
				if m.Verdict == mutant.Unknown && set.Judge(m.Target, m.Fault).Verdict == mutant.Unknown {
					open = append(open, m)
				}
			}
			byProperty, err := Proofs(sources[0].Records)
			if err != nil {
				t.Fatal(err)
			}
			proofs := Source{Name: "proofs"}
			for _, p := range g.Properties {
				proofs.Records = append(proofs.Records, byProperty[p]...)
			}
			for len(open) > 0 {
				n := 1 + r.IntN(len(open))
				batch := open[:n]
				open = open[max(1, n-r.IntN(2)):] // the last one twice, now and then
				asked := map[mutantKey]bool{}
				for _, m := range batch {
					asked[mutantKey{m.Target, m.Fault}] = true
				}
				w := Options{
					Targets: o.targets, Faults: opt.Faults, Mux: o.place, Tests: apart, Role: Worker, Resume: []Source{proofs},
					Ask: func(t mutant.Target, f mutant.Fault) bool { return asked[mutantKey{t, f}] },
				}
				if r.IntN(2) == 0 {
					w.Hints = sources[1:]
					hinted += len(w.Hints)
				}
				if r.IntN(4) == 0 {
					w.Budget.Limit = time.Duration(1+r.IntN(300)) * time.Microsecond
				}
				batches++
				name := "worker " + string(rune('a'+len(sources)))
				sources = append(sources, Source{Name: name, Records: recordsOf(t, func(j *journal.Journal) {
					w.Journal = j
					res, err := RunSet(ctx, o.f, o.n, g.Properties, w)
					if err != nil {
						t.Fatal(err)
					}
					for _, m := range res.Groups[0].Mutants {
						if !asked[mutantKey{m.Target, m.Fault}] {
							t.Fatal("a mutant that was not asked about")
						}
						if m.Verdict != mutant.Unknown {
							decided++
						}
					}
				})})
			}
		}
		opt.Role, opt.Resume, opt.Jobs = Merger, sources, 1+r.IntN(2)
		merged, err := RunSet(ctx, o.f, o.n, o.properties, opt)
		if err != nil {
			t.Fatal(err)
		}
		o.compare(t, merged)
		opt.Role, opt.Resume = Alone, sources // and a run that goes on where they ended
		merged, err = RunSet(ctx, o.f, o.n, o.properties, opt)
		if err != nil {
			t.Fatal(err)
		}
		if o.compare(t, merged) != len(o.covered) {
			t.Fatal("not all is decided")
		}
	})
	if batches == 0 || decided == 0 || hinted == 0 {
		t.Errorf("%d batches, %d verdicts of workers, %d hints", batches, decided, hinted)
	}
	t.Logf("%d batches, %d verdicts of workers, %d hints", batches, decided, hinted)
}

// TestMergerRefuses: what one worker lied about ends the merge with its name.
func TestMergerRefuses(t *testing.T) {
	lies, refused := 0, 0
	randomSets(t, 22, rounds(t, 40), func(o *setOracle, r *rand.Rand) {
		ctx := context.Background()
		opt := Options{Targets: o.targets, Faults: o.n.FaultsAt(o.targets), Mux: o.place, Tests: SetTests(true)}
		honest := recordsOf(t, func(j *journal.Journal) {
			opt := opt
			opt.Journal = j
			if _, err := RunSet(ctx, o.f, o.n, o.properties, opt); err != nil {
				t.Fatal(err)
			}
		})
		for range 5 {
			var proofs, claims []json.RawMessage
			lied := false
			for _, text := range honest {
				var x record
				if err := json.Unmarshal(text, &x); err != nil {
					t.Fatal(err)
				}
				if x.Kind != kindVerdict && x.Kind != kindInvariant {
					proofs = append(proofs, text)
					continue
				}
				if x.Kind == kindVerdict && !lied && r.IntN(8) == 0 {
					lied = true
					switch r.IntN(4) {
					case 0:
						x.Fault = mutant.Fault((r.IntN(2) + 1 + int(faultOf(x.Fault))) % 3).String()
					case 1:
						x.Index = (x.Index + 1) % len(o.targets)
					case 2:
						if x.Trace != nil {
							x.Trace.Inputs = x.Trace.Inputs[:len(x.Trace.Inputs)-1]
						}
					case 3:
						x.ID++
					}
					text, _ = json.Marshal(x)
				}
				claims = append(claims, text)
			}
			opt := opt
			opt.Role, opt.Resume = Merger, []Source{{Name: "first", Records: proofs}, {Name: "liar", Records: claims}}
			set, err := RunSet(ctx, o.f, o.n, o.properties, opt)
			lies++
			switch {
			case err == nil:
				o.compare(t, set) // the lie was true
			case !errors.Is(err, ErrResume) || !strings.Contains(err.Error(), "liar"):
				t.Fatalf("%v", err)
			default:
				refused++
			}
		}
	})
	if refused == 0 {
		t.Error("nothing was refused")
	}
	t.Logf("%d of %d refused", refused, lies)
}

func faultOf(name string) mutant.Fault {
	f, _ := mutant.ParseFault(name)
	return f
}

// TestWildHints: hints that make no sense, or that are not true, change no verdict.
func TestWildHints(t *testing.T) {
	randomSets(t, 23, rounds(t, 60), func(o *setOracle, r *rand.Rand) {
		ctx := context.Background()
		var hints []json.RawMessage
		bits := func(n int) string {
			out := make([]byte, n)
			for i := range out {
				out[i] = '0' + byte(r.IntN(2))
			}
			return string(out)
		}
		for _, p := range o.properties {
			for range 4 {
				v := &journal.Invariant{}
				for range 1 + r.IntN(4) {
					c := []uint32{}
					for range 1 + r.IntN(2) {
						c = append(c, uint32(r.IntN(2*len(o.n.Latches)+3)))
					}
					v.Clauses = append(v.Clauses, c)
				}
				tr := &journal.Trace{Latches: bits(r.IntN(len(o.n.Latches) + 2))}
				for range r.IntN(4) {
					tr.Inputs = append(tr.Inputs, bits(r.IntN(len(o.n.Inputs)+2)))
				}
				for _, x := range []record{{Kind: kindInvariant, Property: p, Invariant: v}, {Kind: kindVerdict, Property: p, Trace: tr}} {
					text, _ := json.Marshal(x)
					hints = append(hints, text)
				}
			}
		}
		hints = append(hints, json.RawMessage(`{"kind":7}`), json.RawMessage(`[]`))
		set, err := RunSet(ctx, o.f, o.n, o.properties, Options{Targets: o.targets, Faults: o.n.FaultsAt(o.targets), Mux: o.place, Hints: []Source{{Records: hints}}})
		if err != nil {
			t.Fatal(err)
		}
		if o.compare(t, set) != len(o.covered) {
			t.Fatal("not all is decided")
		}
	})
}

// TestBudgetIsTold: mutants that a budget left open are never told to be beyond the
// tests, however the clocks of the budget race.
func TestBudgetIsTold(t *testing.T) {
	told := 0
	randomSets(t, 24, rounds(t, 200), func(o *setOracle, r *rand.Rand) {
		opt := Options{Targets: o.targets, Mux: o.place, Budget: Budget{Limit: time.Duration(1+r.IntN(500)) * time.Microsecond}}
		set, err := RunSet(context.Background(), o.f, o.n, o.properties, opt)
		if err != nil {
			t.Fatal(err)
		}
		switch why := set.Stopped(); why {
		case "":
		case "budget":
			told++
		default:
			t.Fatalf("stopped by %q", why)
		}
	})
	if told == 0 {
		t.Error("no budget ended a run")
	}
}
