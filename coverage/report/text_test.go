package report

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"netcov/mutant"

	"github.com/jedib0t/go-pretty/v6/text"
)

func textOf(t *testing.T, r *Report, opt Rendering) string {
	t.Helper()
	var b strings.Builder
	if err := r.WriteText(&b, opt); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// counted is a random report whose summary is counted.
func counted(r *rand.Rand) *Report {
	rep, _ := someReport(r)
	s := &rep.Summary
	s.Counts, s.ByFault = Counts{}, map[string]Counts{}
	for i := range rep.Mutants {
		m := &rep.Mutants[i]
		m.Node.Register = strings.TrimSuffix(m.Node.Name, fmt.Sprintf("[%d]", m.Node.Index))
		if m.Verdict == mutant.NotCovered {
			m.Reason = []string{"outside", "constant", "equivalent", "vacuous", "gap", "open"}[r.IntN(6)]
		}
		s.Add(m.Verdict)
		c := s.ByFault[m.Fault]
		c.Add(m.Verdict)
		s.ByFault[m.Fault] = c
	}
	return rep
}

// On a terminal, nothing but the form's own colours are escape sequences, no line is
// wider than the terminal, and without colours and wrapping the words are the same.
func TestTextOnTerminals(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 3))
	for range 200 {
		rep := counted(r)
		rep.Properties[0].Name = strings.Repeat("a long name ", r.IntN(9))
		plainly := textOf(t, rep, Rendering{})
		if strings.ContainsAny(plainly, "\x1b\x07") {
			t.Fatalf("an escape sequence without colours: %q", plainly)
		}
		coloured := textOf(t, rep, Rendering{Colour: true})
		if bare := ownSequence.ReplaceAllString(coloured, ""); bare != plainly {
			t.Fatalf("colours change the words:\n%s\n%s", bare, plainly)
		}
		for _, width := range []int{70, 80, 120} {
			wrapped := textOf(t, rep, Rendering{Colour: true, Width: width})
			for line := range strings.Lines(wrapped) {
				if n := text.StringWidthWithoutEscSequences(strings.TrimSuffix(line, "\n")); n > width && !strings.Contains(line, "─") {
					t.Fatalf("%d columns of %d: %q", n, width, line)
				}
			}
			if strings.Contains(ownSequence.ReplaceAllString(wrapped, ""), "\x1b") {
				t.Fatalf("a name acts: %q", wrapped)
			}
		}
	}
}

// The answer names the registers about which something is missing, and no other one, the
// least covered first; the brief form is one line with the same numbers.
func TestAnswer(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 1))
	share := regexp.MustCompile(`registers: (?:all checked \((\d+)\)|(\d+) of (\d+) unchecked, (\d+) checked in part, (\d+) checked)`)
	for range 300 {
		rep := counted(r)
		// By hand, for each register: how many of its mutants matter, and are covered.
		matter, good, missing := map[string]int{}, map[string]int{}, map[string]int{}
		for _, m := range rep.Mutants {
			n := m.Node.Register
			matter[n] += 0
			if m.Reason == "constant" || m.Reason == "equivalent" {
				continue
			}
			matter[n]++
			switch m.Verdict {
			case mutant.Covered:
				good[n]++
			case mutant.NotCovered:
				missing[n]++
			}
		}
		none, part, all := 0, 0, 0
		for n := range matter {
			switch {
			case good[n] == matter[n]:
				all++
			case missing[n] == matter[n]:
				none++
			case missing[n] > 0:
				part++
			}
		}
		out := textOf(t, rep, Rendering{})
		m := share.FindStringSubmatch(out)
		if m == nil {
			t.Fatal(out)
		}
		got, due := fmt.Sprint(m[2:]), fmt.Sprint([]string{fmt.Sprint(none), fmt.Sprint(len(matter)), fmt.Sprint(part), fmt.Sprint(all)})
		if m[1] != "" {
			got, due = m[1], fmt.Sprint(all)
		}
		if got != due {
			t.Fatalf("%s, and %s are due:\n%s", got, due, out)
		}
		first := out[:strings.Index(out, "\n fault")]
		if n := strings.Count(first, "\n unchecked ") + strings.Count(first, "\n in part "); n != min(mostWorst, none+part) {
			t.Fatalf("%d registers are named, %d are due:\n%s", n, none+part, first)
		}
		if strings.Count(first, "\n") > 16 {
			t.Fatalf("the answer is long:\n%s", first)
		}
		brief := textOf(t, rep, Rendering{Brief: true})
		if strings.Count(brief, "\n") != 1 || !strings.Contains(brief, rep.verdict()) || !strings.Contains(brief, m[0]) {
			t.Fatalf("brief: %q", brief)
		}
	}
}
