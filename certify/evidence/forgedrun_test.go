package evidence_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"netcov/aiger"
	"netcov/aiger/randaig"
	"netcov/certify/evidence"
	"netcov/mutant"
)

// leftOut are ways to leave verdicts out of a run before its evidence is written:
// each file is then what it should be, and only what is due can tell.
var leftOut = map[string]func(r *rand.Rand, run *evidence.Run) bool{
	"a mutant": func(r *rand.Rand, run *evidence.Run) bool {
		p := &run.Properties[r.IntN(len(run.Properties))]
		at := r.IntN(len(p.Mutants) + 1)
		if at == len(p.Mutants) {
			return false
		}
		p.Mutants = slices.Delete(p.Mutants, at, at+1)
		return true
	},
	"a fault of a property": func(r *rand.Rand, run *evidence.Run) bool {
		f := mutant.Fault(r.IntN(3))
		return without(run, r.IntN(len(run.Properties)), func(m evidence.Mutant) bool { return m.Fault == f })
	},
	"a fault": func(r *rand.Rand, run *evidence.Run) bool {
		f := mutant.Fault(r.IntN(3))
		return without(run, -1, func(m evidence.Mutant) bool { return m.Fault == f })
	},
	"latches": func(_ *rand.Rand, run *evidence.Run) bool {
		return without(run, -1, func(m evidence.Mutant) bool { return !m.Gate })
	},
	"gates": func(_ *rand.Rand, run *evidence.Run) bool {
		return without(run, -1, func(m evidence.Mutant) bool { return m.Gate })
	},
	"gates of a property": func(r *rand.Rand, run *evidence.Run) bool {
		return without(run, r.IntN(len(run.Properties)), func(m evidence.Mutant) bool { return m.Gate })
	},
	"uncovered mutants": func(_ *rand.Rand, run *evidence.Run) bool {
		return without(run, -1, func(m evidence.Mutant) bool { return m.Verdict == mutant.NotCovered })
	},
	"a node": func(_ *rand.Rand, run *evidence.Run) bool {
		return without(run, -1, func(m evidence.Mutant) bool { return m.Index == 0 })
	},
	"all of a property": func(r *rand.Rand, run *evidence.Run) bool {
		return without(run, r.IntN(len(run.Properties)), func(evidence.Mutant) bool { return true })
	},
	"all": func(_ *rand.Rand, run *evidence.Run) bool {
		return without(run, -1, func(evidence.Mutant) bool { return true })
	},
	"a property": func(r *rand.Rand, run *evidence.Run) bool {
		at := r.IntN(len(run.Properties))
		run.Properties = slices.Delete(run.Properties, at, at+1)
		return true
	},
}

func without(run *evidence.Run, property int, which func(evidence.Mutant) bool) bool {
	any := false
	for i := range run.Properties {
		if p := &run.Properties[i]; property < 0 || i == property {
			n := len(p.Mutants)
			p.Mutants = slices.DeleteFunc(p.Mutants, which)
			any = any || len(p.Mutants) < n
		}
	}
	return any
}

// TestLeftOut: whatever a run leaves out, with files and a report that agree, the
// evidence is partial; and refused where the index calls it complete.
func TestLeftOut(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 14))
	cases := map[string]int{}
	spared := 0
	for round := range rounds(160) {
		h := newHonest(t, r, randaig.Everything())
		if h == nil {
			continue
		}
		for name, leave := range leftOut {
			run := *h.run
			run.Observe, run.Reasons = "", nil // they would tell of what is left out
			run.Properties = slices.Clone(run.Properties)
			for i := range run.Properties {
				run.Properties[i].Mutants = slices.Clone(run.Properties[i].Mutants)
			}
			if !leave(r, &run) {
				continue
			}
			cases[name]++
			dir := mustWrite(t, &run, evidence.WriteOptions{})
			for _, complete := range []bool{false, true} {
				var x *evidence.Index
				scoped := name == "a property" || r.IntN(3) > 0
				err := evidence.Forge(dir, func(old *evidence.Index) {
					x = old
					if !scoped {
						x.Scope = nil
					}
					x.Complete = x.Complete || complete
				})
				if err != nil {
					t.Fatal(err)
				}
				rep := h.outcome(t, dir, reportOf(dir, x, h.run.Design), h.design)
				want := evidence.Partial
				lie := h.lies(t, x)
				switch {
				case lie == "": // other entries say all that is due
					want = evidence.Stands
					spared++
				case complete && scoped && x.Scope != nil && name != "a property":
					want = evidence.Refused
				}
				if rep.Outcome != want {
					t.Errorf("round %d, without %s, complete %v, scope %v: %s, %v %v; %s", round, name, complete, x.Scope, rep.Outcome, rep.Failures, rep.Partial, lie)
				}
			}
			os.RemoveAll(dir)
		}
	}
	t.Log(cases, spared)
	for name := range leftOut {
		if cases[name] < rounds(10) {
			t.Errorf("only %d cases without %s", cases[name], name)
		}
	}
}

// TestNarrowed: a node taken out of the list of what is due, with its mutants. The
// evidence may stand for the nodes that are left, and a report of all refutes it.
func TestNarrowed(t *testing.T) {
	r := rand.New(rand.NewPCG(20, 20))
	cases := 0
	for round := range rounds(120) {
		h := newHonest(t, r, randaig.Everything())
		if h == nil {
			continue
		}
		var report *evidence.Claims
		gone := false
		err := evidence.Forge(h.dir, func(x *evidence.Index) {
			report = reportOf(h.dir, x, h.run.Design)
			kind := x.Scope.Nodes[0]
			var all []int
			for i := range map[string]int{"latch": len(h.run.Design.Latches), "gate": len(h.run.Design.Ands)}[kind] {
				if x.Scope.Only[kind] == nil || slices.Contains(x.Scope.Only[kind], i) {
					all = append(all, i)
				}
			}
			if len(all) < 2 {
				return
			}
			x.Reasons, x.Labels = nil, nil
			x.Scope.Only = map[string][]int{kind: all[1:], "gate": x.Scope.Only["gate"]}
			if kind == "gate" || x.Scope.Only["gate"] == nil {
				x.Scope.Only = map[string][]int{kind: all[1:]}
			}
			gone = dropAll(x, func(m *evidence.IndexMutant) bool { return m.Kind == kind && m.Index == all[0] })
		})
		if err != nil {
			t.Fatal(err)
		}
		if !gone {
			continue
		}
		cases++
		if rep := h.outcome(t, h.dir, report, h.design); rep.Outcome != evidence.Refused {
			t.Errorf("round %d: %s, %v", round, rep.Outcome, rep.Partial)
		}
	}
	if cases < rounds(120)/8 {
		t.Errorf("only %d cases", cases)
	}
}

// TestIsomorphic: honest evidence of a design that is another one but for the order
// of its latches, under the hash of that one. Beside the design it is refused; alone
// it stands for the stored design only, and says so.
func TestIsomorphic(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 15))
	done := 0
	for range rounds(60) {
		h := newHonest(t, r, randaig.Everything())
		if h == nil || len(h.run.Design.Latches) < 2 {
			continue
		}
		other := *h.run.Design
		other.Latches = slices.Clone(other.Latches)
		slices.Reverse(other.Latches)
		other.Symbols.Latches = nil
		given := h.run.Design.Symbols.Latches
		for i := range other.Latches {
			if name := given[len(other.Latches)-1-i]; name != "" {
				if other.Symbols.Latches == nil {
					other.Symbols.Latches = aiger.Names{}
				}
				other.Symbols.Latches[i] = name
			}
		}
		path := filepath.Join(t.TempDir(), "other.aag")
		if err := aiger.WriteFile(path, &other); err != nil {
			t.Fatal(err)
		}
		f, err := aiger.ReadFile(path, aiger.Options{})
		if err != nil {
			t.Fatal(err)
		}
		run := runOn(t, r, f, false)
		f.SHA256 = h.run.Design.SHA256
		dir := mustWrite(t, run, evidence.WriteOptions{})
		rep := mustVerify(t, dir, evidence.Options{})
		if rep.Outcome != evidence.Stands || rep.Origin != evidence.Claimed {
			t.Errorf("alone: %s, the design is %s: %v %v", rep.Outcome, rep.Origin, rep.Failures, rep.Partial)
		}
		if rep := mustVerify(t, dir, evidence.Options{Design: h.design}); rep.Outcome != evidence.Refused {
			t.Errorf("beside the design: %s", rep.Outcome)
		}
		done++
	}
	if done < rounds(10) {
		t.Errorf("only %d designs", done)
	}
}
