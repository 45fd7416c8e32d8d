package hoa

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"netcov/internal/alloctest"
	"netcov/internal/shared"
	"netcov/kripke/formula"
)

func show(f formula.Formula) string {
	if f == (formula.Formula{}) {
		return "-"
	}
	return f.String()
}

var compareFormulas = cmp.Comparer(func(a, b formula.Formula) bool { return a == b })

const traffic = `HOA: v1 /* a comment /* nested */ */
tool: "hand" "1"
name: "light \"x\""
States: 3
Start: 2 Start: 0
AP: 2 "go" "stop now"
Alias: @g 0&!1
acc-name: generalized-Buchi 2
Acceptance: 2 (Inf(0)) & Inf(1)
properties: trans-labels explicit-labels trans-acc
--BODY--
State: 0 "green" {1}
[@g | t] 1 {0}
[!(@g)] 2
State: 2
0 1 2 0 {0 1}
State: 1
[f] 1
--END--
`

func TestRead(t *testing.T) {
	a, err := Read("t.hoa", strings.NewReader(traffic))
	if err != nil {
		t.Fatal(err)
	}
	if a.Name != `light "x"` || a.AccSets != 2 || len(a.States) != 3 || a.StateLabelled() {
		t.Errorf("header: %+v", a)
	}
	if diff := cmp.Diff([]int{0, 2}, a.Start); diff != "" {
		t.Error(diff)
	}
	var lines []string
	for i, s := range a.States {
		for _, e := range s.Edges {
			lines = append(lines, strings.Join([]string{a.StateName(i), show(e.Label), a.StateName(e.To), fmt.Sprint(len(e.Acc))}, " / "))
		}
	}
	want := []string{
		`green / go & !"stop now" | TRUE / 1 / 1`,
		`green / !(go & !"stop now") / 2 / 0`,
		`1 / FALSE / 1 / 0`,
		`2 / !go & !"stop now" / green / 0`,
		`2 / go & !"stop now" / 1 / 0`,
		`2 / !go & "stop now" / 2 / 0`,
		`2 / go & "stop now" / green / 2`,
	}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Error(diff)
	}
	roundTrip(t, a)
}

func roundTrip(t *testing.T, a *Automaton) {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, a); err != nil {
		t.Fatal(err)
	}
	again, err := Read("again.hoa", bytes.NewReader(b.Bytes()))
	if err != nil {
		t.Fatalf("%v in\n%s", err, b.String())
	}
	var c bytes.Buffer
	if err := Write(&c, again); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(a, again, compareFormulas); diff != "" {
		t.Errorf("written and read again:\n%s\n%s", diff, b.String())
	}
}

func TestErrors(t *testing.T) {
	good := "HOA: v1\nStates: 1\nStart: 0\nAP: 1 \"p\"\nAcceptance: 0 t\n--BODY--\nState: 0\n[0] 0\n--END--\n"
	if _, err := Read("g", strings.NewReader(good)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ old, new, want string }{
		{"v1", "v2", "f:1:6: version 'v2'"},
		{"Start: 0", "Start: 0&0", "alternation"},
		{"Start: 0", "Start: 3", "f:3:8: initial state 3 does not exist"},
		{"0 t", "1 Fin(0)", "f:5:15: acceptance at 'Fin'"},
		{"0 t", "2 Inf(0)|Inf(1)", "'|' is not supported"},
		{"0 t", "1 t", "declared and not used"},
		{"0 t", "1 (Inf(0)", "not supported"},
		{"Acceptance: 0 t\n", "", "Acceptance is missing"},
		{"AP: 1", "AP: 2", "2 propositions are declared and 1 named"},
		{"[0] 0", "[1] 0", "f:8:2: proposition 1 does not exist"},
		{"[0] 0", "[0] 7", "f:8:5: state 7 does not exist"},
		{"[0] 0", "[0] 0&0", "alternation"},
		{"[0] 0", "[@x] 0", "@x is not defined"},
		{"[0] 0", "[0] 0 {0}", "acceptance set 0 does not exist"},
		{"[0] 0", "0", "1 edges without labels"},
		{"[0] 0", "[0] 0 0", "some edges"},
		{"State: 0", "State: 1", "beyond the declared"},
		{"State: 0\n", "State: 0\nState: 0\n", "given twice"},
		{"State: 0", "State: [0] 0", "its state has one too"},
		{"States: 1", "States: 999999999", "more than the limit"},
		{"States: 1", "States: 1001", "more than the limit of 1000 in"},
		{"States: 1", "States: 99999999999", "too large"},
		{"States: 1", "Controllable: 1", "not supported"},
		{"--END--", "--ABORT--", "gave up"},
		{"--END--", "--END-- HOA: v1", "several automata"},
		{"--END--", "", "expected 'State:'"},
		{"[0]", "[" + strings.Repeat("(", 5000), "nested"},
		{"\"p\"", "\"p", "not closed"},
		{"AP", "/* AP", "comment is not closed"},
		{"[0]", "[0;]", "';' has no meaning"},
	} {
		_, err := Read("f", strings.NewReader(strings.Replace(good, c.old, c.new, 1)))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q for %q: %v, want %q", c.new, c.old, err, c.want)
		}
	}
}

func TestCube(t *testing.T) {
	f, _ := formula.Parse("p & !(q | r)", formula.LTL)
	got, err := Cube(f)
	if diff := cmp.Diff(map[string]bool{"p": true, "q": false, "r": false}, got); err != nil || diff != "" {
		t.Error(err, diff)
	}
	for _, text := range []string{"p | q", "p & !p", "FALSE"} {
		f, _ := formula.Parse(text, formula.LTL)
		if _, err := Cube(f); err == nil {
			t.Errorf("%s is accepted as a cube", text)
		}
	}
}

func TestSharedFiles(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join(shared.Dir(t, "kripke-cases"), "*", "*.hoa"))
	if len(files) < 100 {
		t.Errorf("only %d files", len(files))
	}
	for _, file := range files {
		a, err := ReadFile(file)
		if err != nil {
			t.Errorf("%v", err)
			continue
		}
		if a.StateLabelled() != !strings.HasSuffix(file, ".aut.hoa") {
			t.Errorf("%s: state-labelled %v", file, a.StateLabelled())
		}
		roundTrip(t, a)
	}
	if _, err := ReadFile(filepath.Join(os.TempDir(), "no such file")); err == nil {
		t.Error("a missing file was read")
	}
}

// TestLeadingZero: 010 is ten, not eight.
func TestLeadingZero(t *testing.T) {
	text := "HOA: v1\nStates: 9\nStart: 0\nAP: 0\nacc-name: all\nAcceptance: 0 t\n--BODY--\nState: 0\n[t] %s\n--END--\n"
	for edge, good := range map[string]bool{"8": true, "08": true, "010": false, "9": false, "10": false} {
		_, err := Read("f", strings.NewReader(fmt.Sprintf(text, edge)))
		if (err == nil) != good {
			t.Errorf("an edge to %s of nine states: %v", edge, err)
		}
	}
}

// TestAliasesThatDouble: a short file does not stand for labels without end.
func TestAliasesThatDouble(t *testing.T) {
	text := "HOA: v1\nStates: 1\nStart: 0\nAP: 1 \"p\"\nAlias: @a0 0\n"
	for i := range 60 {
		text += fmt.Sprintf("Alias: @a%d @a%d & @a%d\n", i+1, i, i)
	}
	text += "Acceptance: 0 t\n--BODY--\nState: [@a60] 0\n0\n--END--\n"
	if _, err := Read("f", strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), "operands") {
		t.Errorf("%v", err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(traffic)
	f.Add("HOA: v1\nStates: 3\nStart: 0\nAP: 0\nAcceptance: 0 t\n--BODY--\nState: 0\n[t] 08\n--END--\n")
	f.Fuzz(func(t *testing.T, text string) {
		var a *Automaton
		var err error
		alloctest.Check(t, len(text), 2000, func() { a, err = Read("fuzz", strings.NewReader(text)) })
		if err != nil {
			if strings.ContainsAny(err.Error(), "\n\r") {
				t.Errorf("refusal of several lines: %q", err)
			}
			return
		}
		if len(a.States) > 1000 {
			return
		}
		var b bytes.Buffer
		if err := Write(&b, a); err != nil {
			t.Fatal(err)
		}
		if _, err := Read("again", &b); err != nil {
			t.Fatal(err)
		}
	})
}
