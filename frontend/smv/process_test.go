package smv

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// flat is a model of processes written out: the right side of each variable's next value.
type flat struct {
	next  map[string]string
	order []string
}

func (f *flat) assign(process, variable, value string) {
	if _, ok := f.next[variable]; !ok {
		f.next[variable], f.order = variable, append(f.order, variable)
	}
	f.next[variable] = fmt.Sprintf("_process_selector_ = %s_runs ? %s : %s", strings.ReplaceAll(process, ".", "_"), value, f.next[variable])
}

// TestProcesses compares the graphs of processes with those of the same model written flat.
func TestProcesses(t *testing.T) {
	moving := 0
	for seed := range uint64(12) {
		rng := rand.New(rand.NewPCG(seed, 22))
		form := func() string {
			return []string{"1 - %[1]s", "%[1]s = 1 ? 0 : 1", "{%[1]s, 0}", "{%[1]s, 1}"}[rng.IntN(4)]
		}
		// Each module reads and assigns the shared x and y, and has a variable of its own;
		// Q holds another process, and P an instance that runs with it.
		own, ps, shared, qs, ms := form(), form(), form(), form(), form()
		f := flat{next: map[string]string{}}
		modules := "MODULE R\nVAR r : 0..1;\nASSIGN init(r) := 0; next(r) := " + fmt.Sprintf(own, "r") + ";\n" +
			"MODULE P(x, y)\nVAR s : 0..1; sub : R;\nASSIGN init(s) := 0; next(s) := " + fmt.Sprintf(ps, "y") + "; next(x) := " + fmt.Sprintf(shared, "s") + ";\nFAIRNESS running\n" +
			"MODULE Q(y)\nVAR sub : process R;\nASSIGN next(y) := " + fmt.Sprintf(qs, "sub.r") + ";\n" +
			"MODULE main\nVAR x : 0..1; y : 0..1; p1 : process P(x, y); p2 : process P(y, x); q : process Q(y);\nASSIGN init(x) := 0; init(y) := {0, 1};\n"
		if rng.IntN(2) == 0 {
			modules += "ASSIGN next(x) := " + fmt.Sprintf(ms, "x") + ";\n"
			f.assign("main", "x", fmt.Sprintf(ms, "x"))
		}
		for _, p := range []string{"p1", "p2"} {
			x, y := "x", "y"
			if p == "p2" {
				x, y = y, x
			}
			f.assign(p, p+".s", fmt.Sprintf(ps, y))
			f.assign(p, x, fmt.Sprintf(shared, p+".s"))
			f.assign(p, p+".sub.r", fmt.Sprintf(own, p+".sub.r"))
		}
		f.assign("q", "y", fmt.Sprintf(qs, "q.sub.r"))
		f.assign("q.sub", "q.sub.r", fmt.Sprintf(own, "q.sub.r"))
		written := "MODULE main\nIVAR _process_selector_ : {main_runs, p1_runs, p2_runs, q_runs, q_sub_runs};\n" +
			"VAR x : 0..1; y : 0..1; p1.s : 0..1; p1.sub.r : 0..1; p2.s : 0..1; p2.sub.r : 0..1; q.sub.r : 0..1;\n" +
			"ASSIGN init(x) := 0; init(y) := {0, 1}; init(p1.s) := 0; init(p2.s) := 0; init(p1.sub.r) := 0; init(p2.sub.r) := 0; init(q.sub.r) := 0;\n"
		for _, v := range f.order {
			written += fmt.Sprintf("ASSIGN next(%s) := %s;\n", v, f.next[v])
		}
		written += "FAIRNESS _process_selector_ = p1_runs\nFAIRNESS _process_selector_ = p2_runs\n"
		var graphs []string
		for _, text := range []string{modules, written} {
			p, err := Parse("m.smv", []byte(text))
			if err != nil {
				t.Fatalf("%v\n%s", err, text)
			}
			m, err := p.Model(ModelOptions{InputsAsState: true})
			if err != nil {
				t.Fatal(err)
			}
			g, err := m.Explore(context.Background(), 1<<16)
			if err != nil {
				t.Fatal(err)
			}
			short := func(s State) string {
				return strings.ReplaceAll(strings.ReplaceAll(m.Name(s), "_runs", ""), "q_sub", "q.sub")
			}
			var lines []string
			fair := make([][]bool, len(m.Fairness()))
			for i, f := range m.Fairness() {
				fair[i] = f.Holds(g.States)
			}
			for s, to := range g.Succ {
				line := short(g.States[s])
				for i := range fair {
					line += fmt.Sprint(" ", fair[i][s])
				}
				var names []string
				for _, u := range to {
					names = append(names, short(g.States[u]))
				}
				slices.Sort(names)
				lines = append(lines, line+" -> "+strings.Join(names, "; "))
			}
			slices.Sort(lines)
			graphs = append(graphs, strings.Join(lines, "\n"))
			moving = max(moving, len(lines))
		}
		if graphs[0] != graphs[1] {
			t.Fatalf("the graphs differ\n%s\n%s", modules, written)
		}
	}
	if moving < 100 {
		t.Errorf("at most %d states", moving)
	}
}
