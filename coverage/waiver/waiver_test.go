package waiver

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"netcov/coverage/report"
	"netcov/mutant"
)

// TestEntryIsRead: what a waiver is written as, is read as the same waiver.
func TestEntryIsRead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.StringMatching(`[a-z\[\]*?."'#\\=\n]{0,12}`))
		w := Waiver{
			Node: text.Draw(t, "node"), Property: text.Draw(t, "property"), Reason: text.Draw(t, "reason"), Owner: text.Draw(t, "owner"),
			Fault: rapid.SampledFrom([]string{"", "zero", "one,nondet"}).Draw(t, "fault"),
		}
		if rapid.Bool().Draw(t, "expires") {
			w.Expires = Date{time.Date(rapid.IntRange(1, 9999).Draw(t, "year"), 2, rapid.IntRange(1, 28).Draw(t, "day"), 0, 0, 0, 0, time.UTC)}
		}
		entry, err := w.Entry()
		if w.Node == "" || strings.TrimSpace(w.Reason) == "" {
			if err == nil {
				t.Fatalf("%+v is written", w)
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		other := "# a comment\n[[waiver]]\nnode = \"x\"\nreason = \"y\"\n\n"
		list, err := Parse([]byte(other + entry))
		if err != nil || len(list) != 2 {
			t.Fatalf("%v: %q", err, entry)
		}
		got := list[1]
		if got.Expires.String() != w.Expires.String() {
			t.Fatalf("%v, %v is due", got.Expires, w.Expires)
		}
		got.Expires = w.Expires
		if !reflect.DeepEqual(got, w) {
			t.Fatalf("%+v, %+v is due", got, w)
		}
	})
}

// TestParseAnything: any text is read, or refused in one line.
func TestParseAnything(t *testing.T) {
	piece := rapid.SampledFrom([]string{"[[waiver]]\n", "[waiver]\n", "node = \"a\"\n", "node = 3\n", "reason = \"r\"\n", "fault = \"zero\"\n", "fault = \"two\"\n", "expires = 2027-06-30\n", "expires = \"soon\"\n", "expires = 2027-06-30T10:00:00Z\n", "expires = 7\n", "owner = \"\"\"\n", "more = 1\n", "\"", "\x00"})
	rapid.Check(t, func(t *rapid.T) {
		data := strings.Join(rapid.SliceOfN(piece, 0, 8).Draw(t, "pieces"), "")
		if rapid.IntRange(0, 9).Draw(t, "random") == 0 {
			data = string(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes"))
		}
		list, err := Parse([]byte(data))
		if err != nil && strings.ContainsAny(err.Error(), "\n\r") {
			t.Fatalf("several lines: %q", err)
		}
		for _, w := range list {
			if w.Node == "" || w.Reason == "" {
				t.Fatalf("%+v is taken", w)
			}
		}
	})
}

// TestRefusals: what is wrong is named, with its place.
func TestRefusals(t *testing.T) {
	for text, due := range map[string]string{
		"[[waiver]]\nreason = \"r\"\n":                                    "waiver 1 (): node is missing",
		"[[waiver]]\nnode = \"a\"\n":                                      "waiver 1 (a): reason is missing",
		"[[waiver]]\nnode = \"a\"\nreason = \"r\"\nfault = \"two\"\n":     `there is no fault "two"; the faults are zero, one`,
		"[[waiver]]\nnode = \"a\"\nreason = \"r\"\nexpire = 2027-01-01\n": `there is no key "waiver.expire"`,
		"[[waiver]]\nnode = \"a\nreason = \"r\"\n":                        "line 2",
		"[[waiver]]\nnode = \"a\"\nreason = \"r\"\nexpires = \"soon\"\n":  "is no date",
		"[[waiver]]\nnode = \"a\"\nreason = \"r\"\nexpires = 7\n":         "give a date",
	} {
		if _, err := Parse([]byte(text)); err == nil || !strings.Contains(err.Error(), due) {
			t.Errorf("%q: %v; %q is due", text, err, due)
		}
	}
}

// TestMatch compares patterns with regular expressions.
func TestMatch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pattern := rapid.StringMatching(`[ab*?\[]{0,8}`).Draw(t, "pattern")
		name := rapid.StringMatching(`[ab\[é]{0,8}`).Draw(t, "name")
		e := regexp.QuoteMeta(pattern)
		e = strings.NewReplacer(`\*`, `.*`, `\?`, `.`).Replace(e)
		due := regexp.MustCompile("^(?s:" + e + ")$").MatchString(name)
		if match(pattern, name) != due {
			t.Fatalf("%q on %q: %v", pattern, name, !due)
		}
	})
}

// TestApply compares the counts of a report with waivers with those of a report from which
// the waived mutants are taken by hand, and the states of waivers with their definition.
func TestApply(t *testing.T) {
	r := rand.New(rand.NewPCG(18, 4))
	now := time.Date(2027, 6, 30, 23, 0, 0, 0, time.UTC)
	verdicts := []mutant.Verdict{mutant.Covered, mutant.NotCovered, mutant.Unknown}
	states := map[string]int{}
	for range 2000 {
		rep := &report.Report{Properties: []report.Property{{Name: "p", Index: 0}}}
		if r.IntN(2) == 0 {
			rep.Properties = append(rep.Properties, report.Property{Name: "q", Index: 1})
		}
		for i := range 1 + r.IntN(5) {
			n := report.Node{Kind: "latch", Index: i, Name: fmt.Sprintf("%c[%d]", "ab"[r.IntN(2)], i)}
			n.Register = n.Name[:1]
			for _, f := range []string{"zero", "one"} {
				rep.Mutants = append(rep.Mutants, report.Mutant{Node: n, Fault: f, Verdict: verdicts[r.IntN(3)]})
			}
		}
		var list []Waiver
		for range r.IntN(4) {
			w := Waiver{Node: []string{"a", "b[*]", "latch:1", "?[0]", "c"}[r.IntN(5)], Reason: "r"}
			w.Fault = []string{"", "zero", "one"}[r.IntN(3)]
			w.Property = []string{"", "", "p", "0", "z"}[r.IntN(5)]
			if r.IntN(3) == 0 {
				w.Expires, _ = ParseDate([]string{"2027-06-29", "2027-06-30", "2028-01-01"}[r.IntN(3)])
			}
			list = append(list, w)
		}
		about := func(w Waiver, m report.Mutant) bool {
			node := w.Node == m.Node.Register || w.Node == "b[*]" && m.Node.Register == "b" ||
				w.Node == "latch:1" && m.Node.Index == 1 || w.Node == "?[0]" && m.Node.Index == 0
			run := w.Property == "" || (w.Property == "p" || w.Property == "0") && len(rep.Properties) == 1
			return node && run && (w.Fault == "" || w.Fault == m.Fault)
		}
		due := make([]string, len(list))
		taken := make([]int, len(list))
		left := map[mutant.Verdict]int{}
		waived := 0
		for _, m := range rep.Mutants {
			by := -1
			for i, w := range list {
				if by < 0 && m.Verdict != mutant.Covered && w.Expires.String() != "2027-06-29" && about(w, m) {
					by = i
				}
			}
			if by >= 0 {
				taken[by]++
				waived++
				continue
			}
			left[m.Verdict]++
		}
		for i, w := range list {
			some, all := false, true
			for _, m := range rep.Mutants {
				if about(w, m) {
					some = true
					all = all && m.Verdict == mutant.Covered
				}
			}
			switch {
			case w.Expires.String() == "2027-06-29":
				due[i] = "expired"
			case taken[i] > 0:
				due[i] = "used"
			case some && all:
				due[i] = "stale"
			default:
				due[i] = "unused"
			}
		}
		Apply(rep, list, now)
		s := rep.Summary
		if s.Covered != left[mutant.Covered] || s.NotCovered != left[mutant.NotCovered] || s.Unknown != left[mutant.Unknown] || s.Waived != waived {
			t.Fatalf("%+v; %v and %d waived are due", s, left, waived)
		}
		by := 0
		for _, g := range s.ByRegister {
			by += g.Mutants
		}
		if by != s.Counts.Mutants {
			t.Fatalf("%d mutants by register, %d in all", by, s.Counts.Mutants)
		}
		for i, w := range rep.Waivers {
			if w.State != due[i] || w.Mutants != taken[i] {
				t.Fatalf("%+v: %s, %d are due", w, due[i], taken[i])
			}
			states[w.State]++
		}
	}
	if len(states) != 4 {
		t.Errorf("states %v", states)
	}
}
