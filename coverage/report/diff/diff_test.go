package diff

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"netcov/cert"
	"netcov/coverage/report"
	"netcov/mutant"
)

// draw draws a report over some of six named and two nameless registers, in some order.
func draw(r *rand.Rand) *report.Report {
	rep := &report.Report{}
	for _, i := range r.Perm(8) {
		if r.IntN(4) == 0 {
			continue
		}
		n := report.Node{Kind: "latch", Index: i, Literal: uint32(2 + 2*r.IntN(50))}
		if i < 6 {
			n.Register = fmt.Sprintf("r%d", i/2)
			n.Name = fmt.Sprintf("%s[%d]", n.Register, i%2)
			n.Index = r.IntN(100) // the name counts, not the place
		}
		for _, f := range []string{"zero", "one"} {
			rep.Mutants = append(rep.Mutants, report.Mutant{Node: n, Fault: f, Verdict: []mutant.Verdict{mutant.Covered, mutant.NotCovered, mutant.Unknown}[r.IntN(3)]})
		}
	}
	for _, i := range r.Perm(4) {
		if r.IntN(4) > 0 {
			rep.Properties = append(rep.Properties, report.Property{Name: fmt.Sprintf("p%d", i), Index: i, Status: cert.Status(r.IntN(3))})
		}
	}
	return rep
}

// TestCompare: each mutant of both reports is in the list where its two verdicts put it,
// each node of one only is counted in its register, and each property is told of whose
// outcome differs.
func TestCompare(t *testing.T) {
	r := rand.New(rand.NewPCG(18, 3))
	for range 3000 {
		a, b := draw(r), draw(r)
		label := func(m report.Mutant) string {
			if m.Node.Name != "" {
				return m.Node.Name + " " + m.Fault
			}
			return fmt.Sprint(m.Node.Index, " ", m.Fault)
		}
		verdict := func(rep *report.Report) map[string]mutant.Verdict {
			out := map[string]mutant.Verdict{}
			for _, m := range rep.Mutants {
				out[label(m)] = m.Verdict
			}
			return out
		}
		va, vb := verdict(a), verdict(b)
		due := map[string]string{}
		for m, x := range va {
			if y, both := vb[m]; both && x != y {
				due[m] = fmt.Sprint(x, y)
			}
		}
		d := Compare(a, b)
		got := map[string]string{}
		lists := map[string][]Change{"lost": d.Lost, "gap": d.Gaps, "closed": d.Closed, "undecided": d.Undecided}
		for name, list := range lists {
			for _, c := range list {
				got[label(report.Mutant{Node: c.Node, Fault: c.Fault})] = fmt.Sprint(c.Before, c.After)
				want := "undecided"
				switch {
				case c.After == mutant.Covered:
					want = "closed"
				case c.After == mutant.NotCovered && c.Before == mutant.Covered:
					want = "lost"
				case c.After == mutant.NotCovered:
					want = "gap"
				}
				if name != want {
					t.Fatalf("%+v is in %s", c, name)
				}
			}
		}
		if fmt.Sprint(got) != fmt.Sprint(due) {
			t.Fatalf("%v, %v are due", got, due)
		}
		came, went := 0, 0
		for _, x := range d.Came {
			came += x.Mutants
			if x.Bits*2 != x.Mutants || x.Covered+x.NotCovered+x.Unknown != x.Mutants {
				t.Fatalf("%+v", x)
			}
		}
		for _, x := range d.Went {
			went += x.Mutants
		}
		for m := range vb {
			if _, known := va[m]; !known {
				came--
			}
		}
		for m := range va {
			if _, known := vb[m]; !known {
				went--
			}
		}
		if came != 0 || went != 0 {
			t.Fatalf("%d too many came, %d went", came, went)
		}
		lost, broken := d.Regressions()
		held := map[string]bool{}
		for _, p := range b.Properties {
			held[p.Name] = p.Status == cert.Holds
		}
		for _, p := range a.Properties {
			if p.Status == cert.Holds && !held[p.Name] {
				broken--
			}
		}
		if lost != len(d.Lost) || broken != 0 {
			t.Fatalf("%d lost, %d properties too many", lost, broken)
		}
		var text strings.Builder
		if err := d.WriteText(&text, 3); err != nil {
			t.Fatal(err)
		}
		if same := Compare(a, a); len(same.Lost)+len(same.Gaps)+len(same.Closed)+len(same.Undecided)+len(same.Came)+len(same.Went)+len(same.Properties) != 0 {
			t.Fatalf("a report differs from itself: %+v", same)
		}
	}
}

// TestOneName: two nodes of one name are told apart by their order, and a name that would
// act on a terminal is shown.
func TestOneName(t *testing.T) {
	two := func(first, second mutant.Verdict) *report.Report {
		rep := &report.Report{}
		for i, v := range []mutant.Verdict{first, second} {
			rep.Mutants = append(rep.Mutants, report.Mutant{Node: report.Node{Kind: "latch", Index: i, Name: "x\x1b[2J"}, Fault: "zero", Verdict: v})
		}
		return rep
	}
	d := Compare(two(mutant.Covered, mutant.Covered), two(mutant.Covered, mutant.NotCovered))
	if len(d.Lost) != 1 || d.Lost[0].Node.Index != 1 || len(d.Came)+len(d.Went) != 0 {
		t.Fatalf("%+v", d)
	}
	var b strings.Builder
	if err := d.WriteText(&b, 0); err != nil || strings.Contains(b.String(), "\x1b") || !strings.Contains(b.String(), `x\x1b[2J: zero`) {
		t.Fatalf("%v %q", err, b.String())
	}
}
