package structure

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"netcov/internal/shared"
	"netcov/kripke/formula"
	"netcov/kripke/hoa"
)

const light = `# A traffic light.
structure "traffic light"
ap red green "walk now"
init stop
state stop { red } -> stop go
state go { green !red } -> "amber 1"
state "amber 1" -> stop
state lost { "walk now" red green } -> stop
fair go
`

// describe lists everything that a structure says, one fact a line.
func describe(k *Structure) string {
	var b strings.Builder
	fmt.Fprintln(&b, k.Name, k.AP, k.Initial)
	for s, name := range k.States {
		fmt.Fprintln(&b, name, k.Label(s), k.Successors(s))
	}
	for _, f := range k.Fair {
		fmt.Fprintln(&b, "fair", f.List())
	}
	return b.String()
}

func TestText(t *testing.T) {
	k, err := Read("light", []byte(light))
	if err != nil {
		t.Fatal(err)
	}
	want := `traffic light [red green walk now] [0]
stop [red] [0 1]
go [green] [2]
amber 1 [] [0]
lost [red green walk now] [0]
fair [1]
`
	if diff := cmp.Diff(want, describe(k)); diff != "" {
		t.Error(diff)
	}
	if got := k.Reachable().List(); !cmp.Equal(got, []int{0, 1, 2}) {
		t.Errorf("reachable %v", got)
	}
	if got := k.Predecessors(0); !cmp.Equal(got, []int32{0, 2, 3}) {
		t.Errorf("predecessors %v", got)
	}
	part, old := k.ReachablePart()
	if part.Len() != 3 || !cmp.Equal(old, []int{0, 1, 2}) || part.Fair[0].Count() != 1 {
		t.Errorf("reachable part %s", describe(part))
	}
	flipped := k.Flip(0, 0, 2)
	if flipped.Holds(0, 0) || !flipped.Holds(2, 0) || !k.Holds(0, 0) || k.Holds(2, 0) {
		t.Error("Flip is wrong or changes its receiver")
	}
	bothForms(t, k)
}

func bothForms(t *testing.T, k *Structure) {
	t.Helper()
	var text, automaton bytes.Buffer
	if err := k.WriteText(&text); err != nil {
		t.Fatal(err)
	}
	if err := hoa.Write(&automaton, asHOA(k)); err != nil {
		t.Fatal(err)
	}
	for _, data := range [][]byte{text.Bytes(), automaton.Bytes()} {
		again, err := Read("again", data)
		if err != nil {
			t.Fatalf("%v in\n%s", err, data)
		}
		if diff := cmp.Diff(describe(k), describe(again)); diff != "" {
			t.Errorf("%s\n%s", diff, data)
		}
	}
}

func TestErrors(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{"init stop\n", "", "light: there is no initial state"},
		{"init stop", "init top", `light:4: there is no state "top"`},
		{"-> stop go", "->", `light:5: state "stop" has no successor`},
		{"-> stop go", "", "expected '->'"},
		{"{ red }", "{ rod }", `the proposition "rod" is not declared`},
		{"!red", "!rod", `the proposition "rod" is not declared`},
		{"{ red }", "{ red", "closing brace"},
		{"{ red }", "{ ! }", "after '!'"},
		{"state go", "state stop", "two states have the name"},
		{"ap red", "ap red red", "declared twice"},
		{"fair go", "fare go", "light:9: a line starts with"},
		{`"amber 1"`, `"amber 1`, "not closed"},
	} {
		_, err := Read("light", []byte(strings.Replace(light, c.old, c.new, 1)))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q for %q: %v, want %q", c.new, c.old, err, c.want)
		}
	}
	for text, want := range map[string]string{
		"HOA: v1 States: 1 Start: 0 AP: 1 \"p\" Acceptance: 0 t --BODY-- State: [t] 0 0 --END--":          `leaves the proposition "p" open`,
		"HOA: v1 States: 1 Start: 0 AP: 1 \"p\" Acceptance: 0 t --BODY-- State: 0 [0] 0 --END--":          "has no label",
		"HOA: v1 States: 1 Start: 0 AP: 1 \"p\" Acceptance: 0 t --BODY-- State: [0] 0 --END--":            "no successor",
		"HOA: v1 States: 1 Start: 0 AP: 1 \"p\" Acceptance: 1 Inf(0) --BODY-- State: [0] 0 0 {0} --END--": "acceptance on edges",
		"HOA: v1 States: 1 Start: 0 AP: 1 \"p\" Acceptance: 0 t --BODY-- State: [0|!0] 0 0 --END--":       "not a conjunction",
	} {
		if _, err := Read("x.hoa", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

func TestSetOperations(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 300 {
		n := 1 + rng.IntN(200)
		a, b := NewSet(n), NewSet(n)
		inA, inB := map[int]bool{}, map[int]bool{}
		for range rng.IntN(2 * n) {
			x, y := rng.IntN(n), rng.IntN(n)
			a.Add(x)
			inA[x] = true
			b.Flip(y)
			inB[y] = !inB[y]
		}
		union, inter, minus := a.Clone(), a.Clone(), a.Clone()
		union.Union(b)
		inter.Intersect(b)
		minus.Subtract(b)
		full := FullSet(n)
		for x := range n {
			if a.Has(x) != inA[x] || b.Has(x) != inB[x] || union.Has(x) != (inA[x] || inB[x]) ||
				inter.Has(x) != (inA[x] && inB[x]) || minus.Has(x) != (inA[x] && !inB[x]) || !full.Has(x) {
				t.Fatalf("n=%d x=%d", n, x)
			}
		}
		if full.Count() != n || len(a.List()) != a.Count() || !SetOf(n, a.List()...).Equal(a) || !inter.SubsetOf(b) || minus.SubsetOf(inter) != minus.Empty() {
			t.Fatalf("n=%d", n)
		}
	}
}

func TestRandomForms(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	for range 200 {
		n := 1 + rng.IntN(70)
		b := NewBuilder([]string{"p", "a b", `q"\`})
		for s := range n {
			var holds []string
			for _, p := range b.ap {
				if rng.IntN(2) == 0 {
					holds = append(holds, p)
				}
			}
			b.AddState(fmt.Sprint("s ", s), holds...)
		}
		for s := range n {
			for range 1 + rng.IntN(4) {
				b.AddTransition(s, rng.IntN(n))
			}
		}
		b.AddInitial(rng.IntN(n))
		b.AddInitial(rng.IntN(n))
		if rng.IntN(2) == 0 {
			b.AddFair(rng.IntN(n), rng.IntN(n))
		}
		k, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		bothForms(t, k)
		for s := range n {
			for _, p := range k.Predecessors(s) {
				if _, found := find(k.Successors(int(p)), int32(s)); !found {
					t.Fatal("predecessors are wrong")
				}
			}
		}
	}
}

func find(s []int32, x int32) (int, bool) {
	for i, y := range s {
		if x == y {
			return i, true
		}
	}
	return 0, false
}

func TestDot(t *testing.T) {
	k, err := Read("light", []byte(light))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := k.WriteDot(&b, `a "title"`, func(s int) Class { return Class(s % 4) }); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`n0 [label="stop\n{red}"`, "i0 -> n0", "n0 -> n1", `label="covered"`, `label="uncovered"`, `label="unreachable"`, `label="a \"title\""`} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %s in\n%s", want, b.String())
		}
	}
	dot, err := exec.LookPath("dot")
	if err != nil {
		t.Skip("graphviz is not installed")
	}
	cmd := exec.Command(dot, "-Tsvg")
	cmd.Stdin = &b
	if out, err := cmd.CombinedOutput(); err != nil || !bytes.Contains(out, []byte("<svg")) {
		t.Errorf("%v: %s", err, out)
	}
}

func TestSharedStructures(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join(shared.Dir(t, "kripke-cases"), "*", "*.hoa"))
	read := 0
	for _, file := range files {
		if strings.HasSuffix(file, ".aut.hoa") {
			continue
		}
		k, err := ReadFile(file)
		if err != nil {
			t.Errorf("%v", err)
			continue
		}
		read++
		bothForms(t, k)
	}
	if read < 100 {
		t.Errorf("only %d structures", read)
	}
	if _, err := ReadFile(filepath.Join(t.TempDir(), "none")); !os.IsNotExist(err) {
		t.Errorf("%v", err)
	}
}

// asHOA is the structure as a state-labelled automaton.
func asHOA(k *Structure) *hoa.Automaton {
	a := &hoa.Automaton{Name: k.Name, AP: k.AP, Start: k.Initial, AccSets: len(k.Fair)}
	for s := range k.Len() {
		var lits []formula.Formula
		for p, name := range k.AP {
			l := formula.Atom(name)
			if !k.Holds(s, p) {
				l = formula.Not(l)
			}
			lits = append(lits, l)
		}
		state := hoa.State{Name: k.States[s], Label: formula.And(lits...)}
		for i, f := range k.Fair {
			if f.Has(s) {
				state.Acc = append(state.Acc, i)
			}
		}
		for _, t := range k.Successors(s) {
			state.Edges = append(state.Edges, hoa.Edge{To: int(t)})
		}
		a.States = append(a.States, state)
	}
	return a
}
