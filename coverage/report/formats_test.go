package report

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"netcov/cert"
	"netcov/mutant"
)

// someReport draws a report with hostile names and counts its set by hand.
func someReport(r *rand.Rand) (rep *Report, byVerdict map[mutant.Verdict]int) {
	names := []string{"a", "<script>alert(1)</script>", "x|y", "`q`", "a\nb", "\x1b[31m", "]]>", "&amp;", "=1+1", "http://h.example/"}
	rep = &Report{Schema: Schema, Version: "test", Design: Design{File: names[r.IntN(len(names))] + ".v"}}
	rep.Summary.ByFault = map[string]Counts{}
	rep.Properties = []Property{{Kind: "bad", Name: names[r.IntN(len(names))], Status: cert.Holds, Engine: "ic3"}}
	byVerdict = map[mutant.Verdict]int{}
	for i := range 1 + r.IntN(6) {
		n := Node{Kind: "latch", Index: i, Name: fmt.Sprintf("%s[%d]", names[r.IntN(len(names))], i)}
		if r.IntN(2) == 0 {
			n.File, n.Line = "a.v", 1+r.IntN(5)
		}
		for _, f := range []string{"zero", "one", "nondet"} {
			v := []mutant.Verdict{mutant.Covered, mutant.NotCovered, mutant.Unknown}[r.IntN(3)]
			rep.Mutants = append(rep.Mutants, Mutant{Node: n, Fault: f, Verdict: v})
			c := rep.Summary.ByFault[f]
			c.Mutants++
			rep.Summary.ByFault[f] = c
			byVerdict[v]++
			rep.Summary.Counts.Mutants++
		}
	}
	return rep, byVerdict
}

func written(t *testing.T, r *Report, name string) string {
	t.Helper()
	f, ok := FindFormat(name)
	if !ok {
		t.Fatalf("there is no form %s", name)
	}
	var b strings.Builder
	if err := f.Write(r, &b, Rendering{}); err != nil && err != errNoSource {
		t.Fatal(err)
	}
	return b.String()
}

// Every form of every report is well formed, has the right numbers, and lets no
// name of a design act.
func TestForms(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 2))
	for range 300 {
		rep, due := someReport(r)

		var suites junitSuites
		if err := xml.Unmarshal([]byte(written(t, rep, "junit")), &suites); err != nil {
			t.Fatal(err)
		}
		m := suites.Suites[1]
		if m.Failures != due[mutant.NotCovered] || m.Skipped != due[mutant.Unknown] || m.Tests != rep.Summary.Counts.Mutants || len(m.Cases) != m.Tests {
			t.Fatalf("junit: %d failures, %d skipped of %d; %v are due", m.Failures, m.Skipped, m.Tests, due)
		}

		var u ucisRoot
		if err := xml.Unmarshal([]byte(written(t, rep, "ucis")), &u); err != nil {
			t.Fatal(err)
		}
		bins, hit := 0, 0
		for _, x := range u.Instances {
			if x.Groups == nil {
				continue
			}
			for _, p := range x.Groups.Instance.Points {
				for _, b := range p.Bins {
					bins++
					hit += b.Range.Contents.Count
				}
			}
		}
		if bins != rep.Summary.Counts.Mutants || hit != due[mutant.Covered] || len(u.Instances[0].Assertions.List) != len(rep.Properties) {
			t.Fatalf("ucis: %d bins, %d are hit; %v are due", bins, hit, due)
		}

		var log sarifLog
		if err := json.Unmarshal([]byte(written(t, rep, "sarif")), &log); err != nil {
			t.Fatal(err)
		}
		nodes := map[string]mutant.Verdict{}
		for _, n := range rep.nodeList() {
			if w := n.worst(); w != mutant.Covered {
				nodes[fmt.Sprint(n.node.Index)] = w
			}
		}
		if len(log.Runs[0].Results) != len(nodes) {
			t.Fatalf("sarif: %d results for %d nodes", len(log.Runs[0].Results), len(nodes))
		}

		hits, taken, branches := 0, 0, 0
		sum := map[string]int{}
		for line := range strings.Lines(written(t, rep, "lcov")) {
			key, value, _ := strings.Cut(strings.TrimSpace(line), ":")
			switch key {
			case "DA":
				n, err := strconv.Atoi(value[strings.Index(value, ",")+1:])
				if err != nil {
					t.Fatal(err)
				}
				hits += n
			case "BRDA":
				branches++
				if strings.HasSuffix(value, ",1") {
					taken++
				}
			case "BRF", "BRH":
				sum[key], _ = strconv.Atoi(value)
			}
		}
		if hits != taken || sum["BRF"] != branches || sum["BRH"] != taken {
			t.Fatalf("lcov: %d hits, %d of %d branches taken, told %v", hits, taken, branches, sum)
		}

		for line := range strings.Lines(written(t, rep, "markdown")) {
			outside := true
			for i, part := range strings.Split(line, "`") {
				if outside = i%2 == 0; outside && strings.ContainsAny(part, "<>\x1b") {
					t.Fatalf("markdown: a name stands outside of code: %q", line)
				}
			}
			if !outside {
				t.Fatalf("markdown: a code span is not closed: %q", line)
			}
		}
	}
}

// hostile are names that would act on a page that does not escape them.
var hostile = []string{"<script>alert(1)</script>", `"><img src=x onerror=alert(1)>`, "</style><script>alert(2)</script>", "{{.}}", "javascript:alert(1)", "\u202eabc"}

// The page is well formed, has the right numbers, and no name or source line of a
// design is markup in it.
func TestPage(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 2))
	for range 100 {
		rep, due := someReport(r)
		rep.Design.File = hostile[r.IntN(len(hostile))]
		for i := range rep.Mutants {
			rep.Mutants[i].Node.Instance = hostile[r.IntN(len(hostile))]
		}
		var b strings.Builder
		source := func(string) (string, bool) { return strings.Join(hostile, "\n"), true }
		if err := rep.writeHTML(&b, Rendering{Source: source}); err != nil {
			t.Fatal(err)
		}
		tokens, tags := html.NewTokenizer(strings.NewReader(b.String())), map[string]int{}
		cells := map[string]int{}
		for {
			kind := tokens.Next()
			if kind == html.ErrorToken {
				break
			}
			if kind != html.StartTagToken {
				continue
			}
			tok := tokens.Token()
			tags[tok.Data]++
			for _, a := range tok.Attr {
				if strings.HasPrefix(a.Key, "on") || a.Key == "src" || a.Key == "href" && !strings.HasPrefix(a.Val, "#") {
					t.Fatalf("<%s %s=%q>", tok.Data, a.Key, a.Val)
				}
				if tok.Data == "td" && a.Key == "class" && strings.HasPrefix(a.Val, "v ") {
					cells[strings.TrimPrefix(a.Val, "v ")]++
				}
			}
		}
		if tags["script"] != 1 || tags["style"] != 1 || tags["img"] != 0 || tags["meta"] != 4 {
			t.Fatalf("tags %v", tags)
		}
		if cells[word(mutant.Covered)]+cells[word(mutant.NotCovered)]+cells[word(mutant.Unknown)] > rep.Summary.Counts.Mutants || cells[word(mutant.NotCovered)] > due[mutant.NotCovered] {
			t.Fatalf("cells %v, %v are due at most", cells, due)
		}
	}
}

// The forms are listed text first, each once, each with a word of help.
func TestFormatsAreListed(t *testing.T) {
	seen := map[string]bool{}
	for i, f := range Formats() {
		if seen[f.Name] || f.Help == "" || f.Write == nil || (f.Name == "text") != (i == 0) {
			t.Errorf("form %d: %+v", i, f)
		}
		seen[f.Name] = true
	}
	if f, ok := FindFormat("xyz"); ok {
		t.Error(f)
	}
}

// A writer that fails makes each form fail.
func TestFormsTellOfWriteErrors(t *testing.T) {
	rep, _ := someReport(rand.New(rand.NewPCG(1, 1)))
	rep.Mutants[0].Node.File, rep.Mutants[0].Node.Line = "a.v", 1
	for _, f := range Formats() {
		if err := f.Write(rep, brokenWriter{}, Rendering{}); err == nil {
			t.Errorf("%s: no error", f.Name)
		}
	}
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }
