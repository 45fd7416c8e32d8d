package merge

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"netcov/cert"
	"netcov/coverage/claims"
	"netcov/coverage/report"
	"netcov/mutant"
)

// world is a design as reports see it: which property notices which mutant, and why the
// others go unnoticed.
type world struct {
	properties []cert.Status
	notices    map[string][]bool // by mutant and property
	reason     map[string]string
	outside    map[string][]bool // the mutant is outside of the property's cone
}

// join joins reports whose names are their numbers.
func join(list []*report.Report) (*report.Report, error) {
	var names []string
	for i := range list {
		names = append(names, fmt.Sprintf("report %d", i+1))
	}
	return Reports(names, list)
}

var faults = []string{"zero", "one"}

func newWorld(r *rand.Rand) *world {
	w := &world{notices: map[string][]bool{}, reason: map[string]string{}, outside: map[string][]bool{}}
	for range 1 + r.IntN(4) {
		w.properties = append(w.properties, []cert.Status{cert.Holds, cert.Holds, cert.Holds, cert.Fails}[r.IntN(4)])
	}
	for n := range 4 {
		for _, f := range faults {
			k := fmt.Sprint(n, f)
			for range w.properties {
				out := r.IntN(3) == 0
				w.outside[k] = append(w.outside[k], out)
				w.notices[k] = append(w.notices[k], !out && r.IntN(3) == 0)
			}
			w.reason[k] = []string{"constant", "equivalent", "vacuous", "gap"}[r.IntN(4)]
		}
	}
	return w
}

// run is a report over some properties, nodes and faults of the world, in which some
// verdicts are unknown.
func (w *world) run(r *rand.Rand) *report.Report {
	rep := &report.Report{Schema: report.Schema, Version: "1", Design: report.Design{File: "d", Format: "aiger", SHA256: strings.Repeat("a", 64), Latches: 4}}
	rep.Options = report.Options{Mux: "output", Why: "1x", Observe: "outputs", Recheck: true}
	rep.Properties, rep.Mutants = []report.Property{}, []report.Mutant{}
	rep.Summary.Matters = &report.Counts{}
	var asked []int
	for p, status := range w.properties {
		if r.IntN(2) == 0 {
			continue
		}
		x := report.Property{Index: p, Kind: "bad", Name: fmt.Sprint("p", p), Status: status, Engine: "ic3"}
		if r.IntN(5) == 0 {
			x.Status = cert.Unknown
		}
		if x.Status == cert.Holds {
			asked = append(asked, p)
		}
		if x.Status == cert.Fails {
			d := 3
			x.Depth = &d
		}
		rep.Properties = append(rep.Properties, x)
	}
	open := false
	for n := range 4 {
		if r.IntN(4) == 0 || len(asked) == 0 {
			continue
		}
		for _, f := range faults[r.IntN(2):] {
			k := fmt.Sprint(n, f)
			m := report.Mutant{Node: report.Node{Kind: "latch", Index: n, Literal: uint32(2 + 2*n), Register: "r", Name: fmt.Sprintf("r[%d]", n)}, Fault: f, Verdict: mutant.Unknown}
			outside := true
			m.Reason = w.reason[k]
			for _, p := range asked {
				outside = outside && w.outside[k][p]
				if w.notices[k][p] && m.Property == nil {
					m.Property = &p
				}
			}
			switch {
			case r.IntN(5) == 0:
				m.Property, m.Reason = nil, ""
				open = true
			case m.Property != nil:
				d := 1
				m.Verdict, m.Evidence, m.Test, m.Depth, m.Reason = mutant.Covered, "trace", "SIMULATION", &d, ""
			case outside:
				m.Verdict, m.Test, m.Reason = mutant.NotCovered, "CONE", "outside"
			default:
				m.Verdict, m.Evidence, m.Test = mutant.NotCovered, "invariant", "IC3"
			}
			rep.Mutants = append(rep.Mutants, m)
			if !contains(rep.Options.Faults, f) {
				rep.Options.Faults = append(rep.Options.Faults, f)
			}
		}
	}
	if open {
		rep.Summary.Stopped = "budget"
	}
	rep.Count()
	return rep
}

func contains(list []string, x string) bool {
	for _, y := range list {
		if x == y {
			return true
		}
	}
	return false
}

// TestMerge: what is joined says what the runs know of each property and mutant, and no
// more; it is true in the world; it adds up; and it does not matter in which order, nor
// whether some were joined before.
func TestMerge(t *testing.T) {
	r := rand.New(rand.NewPCG(18, 5))
	decided := 0
	for range 3000 {
		w := newWorld(r)
		var list []*report.Report
		for range 1 + r.IntN(4) {
			list = append(list, w.run(r))
		}
		got, err := join(list)
		if err != nil {
			t.Fatal(err)
		}
		if wrong := claims.Of("r", got).Wrong; len(wrong) > 0 {
			t.Fatalf("%v", wrong)
		}
		held := map[int]bool{}
		for _, p := range got.Properties {
			best := cert.Unknown
			for _, x := range list {
				for _, q := range x.Properties {
					if q.Index == p.Index && q.Status != cert.Unknown {
						best = q.Status
					}
				}
			}
			if p.Status != best {
				t.Fatalf("property %d %v, %v is due", p.Index, p.Status, best)
			}
			held[p.Index] = p.Status == cert.Holds
		}
		for _, m := range got.Mutants {
			k := fmt.Sprint(m.Node.Index, m.Fault)
			// What is known of each property: noticed by some, not noticed by which.
			noticed, not := false, map[int]bool{}
			for _, x := range list {
				for _, y := range x.Mutants {
					if y.Node.Index != m.Node.Index || y.Fault != m.Fault {
						continue
					}
					noticed = noticed || y.Verdict == mutant.Covered
					for _, p := range x.Properties {
						if y.Verdict == mutant.NotCovered && p.Status == cert.Holds {
							not[p.Index] = true
						}
					}
				}
			}
			due, outside := mutant.NotCovered, true
			for p, h := range held {
				if h && !not[p] {
					due = mutant.Unknown
				}
				if h {
					outside = outside && w.outside[k][p]
				}
			}
			if noticed {
				due = mutant.Covered
			}
			if m.Verdict != due {
				t.Fatalf("%s: %s, %s is due", k, m.Verdict, due)
			}
			if due == mutant.NotCovered {
				decided++
				for p, h := range held {
					if h && w.notices[k][p] {
						t.Fatalf("%s: property %d notices it", k, p)
					}
				}
				reason := w.reason[k]
				if outside {
					reason = "outside"
				}
				if m.Reason != reason {
					t.Fatalf("%s: %s, %s is due", k, m.Reason, reason)
				}
			}
		}
		verdicts := func(x *report.Report) string {
			var b strings.Builder
			for _, m := range x.Mutants {
				fmt.Fprintln(&b, m.Node.Index, m.Fault, m.Verdict, m.Reason)
			}
			return b.String()
		}
		r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		again, err := join(list)
		if err != nil || verdicts(again) != verdicts(got) {
			t.Fatalf("in another order: %v\n%s\n%s", err, verdicts(again), verdicts(got))
		}
	}
	if decided < 1000 {
		t.Errorf("only %d mutants that are not covered", decided)
	}
}

// TestConflicts: what does not go together is refused, with what differs.
func TestConflicts(t *testing.T) {
	zero, steps := 0, 3
	node := report.Node{Kind: "latch", Index: 0, Literal: 2}
	base := func() *report.Report {
		r := &report.Report{Schema: report.Schema, Design: report.Design{SHA256: "a"}, Options: report.Options{Mux: "output", Faults: faults}}
		r.Properties = []report.Property{{Kind: "bad", Status: cert.Holds}}
		r.Mutants = []report.Mutant{{Node: node, Fault: "zero", Verdict: mutant.Covered, Evidence: "trace", Property: &zero, Depth: &steps}}
		r.Count()
		return r
	}
	for due, change := range map[string]func(*report.Report){
		"design's hash":       func(r *report.Report) { r.Design.SHA256 = "b" },
		"design's size":       func(r *report.Report) { r.Design.Latches = 7 },
		"place of the faults": func(r *report.Report) { r.Options.Mux = "next" },
		"a sample":            func(r *report.Report) { r.Summary.Sample = &report.Sample{Nodes: 1, Population: 2} },
		`is bad "other"`:      func(r *report.Report) { r.Properties[0].Name = "other" },
		"one of them is wrong": func(r *report.Report) {
			r.Properties[0].Status = cert.Fails
		},
		"that this property does not": func(r *report.Report) {
			r.Mutants[0] = report.Mutant{Node: node, Fault: "zero", Verdict: mutant.NotCovered, Evidence: "invariant"}
		},
		"and \"\" in another report": func(r *report.Report) { r.Mutants[0].Node.Name = "x" },
	} {
		other := base()
		change(other)
		if _, err := join([]*report.Report{base(), other}); err == nil || !strings.Contains(err.Error(), due) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%v; %q is due", err, due)
		}
	}
	if _, err := join(nil); err == nil {
		t.Error("no report is joined")
	}
}
