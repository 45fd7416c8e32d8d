package load

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"netcov/frontend"
	"netcov/kripke/automaton"
	"netcov/kripke/ctl"
	"netcov/kripke/formula"
	"netcov/kripke/internal/random"
	"netcov/kripke/ltl"
)

// running is a random model of processes that share variables.
func running(rng *rand.Rand) (text string, atoms []string) {
	pick := func(values ...string) string { return values[rng.IntN(len(values))] }
	text = "MODULE main\nVAR x : 0..2; free : boolean; p : process worker(x, free); q : process worker(x, p.done);\nASSIGN init(x) := " + pick("0", "{0, 2}", "0..2") + ";\n"
	if rng.IntN(2) == 0 {
		text += "ASSIGN next(x) := " + pick("0", "{x, 1}", "(x + 1) mod 3") + ";\n"
	}
	text += "MODULE worker(x, go)\nVAR st : {idle, busy}; sub : " + pick("part", "process part") + "(go);\nDEFINE done := st = idle & sub.b;\nASSIGN init(st) := idle;\n"
	text += " next(st) := case go : " + pick("busy", "{idle, busy}") + "; st = busy & x = 1 : idle; TRUE : " + pick("st", "{st, idle}") + "; esac;\n"
	text += " next(x) := " + pick("st = busy ? (x + 1) mod 3 : x", "{x, 2 - x}", "go ? x : 0") + ";\n"
	if rng.IntN(2) == 0 {
		text += "FAIRNESS running\n"
	}
	text += "MODULE part(go)\nVAR b : boolean;\nASSIGN init(b) := FALSE; next(b) := " + pick("!b", "{b, go}", "go") + ";\n"
	if rng.IntN(3) == 0 {
		text += pick("FAIRNESS running\n", "FAIRNESS b\n")
	}
	if strings.Contains(text, "sub : part") {
		text = strings.ReplaceAll(text, "esac;\nFAIRNESS running\nMODULE part", "esac;\nMODULE part")
		if i := strings.Index(text, "MODULE part"); i >= 0 {
			text = text[:i] + strings.ReplaceAll(text[i:], "FAIRNESS running\n", "")
		}
	}
	return text, []string{"x = 1", "p.st = busy", "q.done", "free", "p.sub.b"}
}

// TestVerdictsAgainstNuSMV compares verdicts with the program itself, where NETCOV_NUSMV
// names it: of models that choose and of processes, with fairness, and for LTL with
// COMPASSION.
func TestVerdictsAgainstNuSMV(t *testing.T) {
	program := os.Getenv("NETCOV_NUSMV")
	if program == "" {
		t.Skip("NETCOV_NUSMV names no NuSMV binary")
	}
	count := map[string]int{}
	verdict := regexp.MustCompile(`-- specification .* is (true|false)`)
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 24))
		text, atoms := choosing(rng)
		if seed%2 == 0 {
			text, atoms = running(rng)
		}
		main := text // COMPASSION may stand anywhere in main
		logic, keyword := formula.CTL, "CTLSPEC"
		if seed%3 == 0 {
			logic, keyword = formula.LTL, "LTLSPEC"
			// NuSMV says itself that it does not support it fully; of processes with COMPASSION
			// it misses runs.
			if seed%2 == 1 {
				main = strings.Replace(text, "MODULE main\n", fmt.Sprintf("MODULE main\nCOMPASSION (%s, %s)\n", atoms[rng.IntN(5)], atoms[rng.IntN(5)]), 1)
				count["compassion"]++
			}
		}
		var specs []formula.Formula
		for len(specs) < 6 {
			f := random.Formula(rng, logic, atoms, 4)
			if !slices.ContainsFunc(formula.Subformulas(f), func(g formula.Formula) bool { // NuSMV does not spell them
				switch g.Op() {
				case formula.OpW, formula.OpR, formula.OpEW, formula.OpAW, formula.OpER, formula.OpAR, formula.OpXor:
					return true
				}
				return false
			}) {
				specs = append(specs, f)
			}
		}
		file := main
		for _, f := range specs {
			file = strings.Replace(file, "MODULE main\n", "MODULE main\n"+keyword+" "+f.String()+"\n", 1)
		}
		path := write(t, "m.smv", file)
		out, _ := exec.Command(program, "-dcx", path).CombinedOutput()
		found := verdict.FindAllStringSubmatch(string(out), -1)
		if len(found) != len(specs) {
			t.Fatalf("NuSMV: %s\n%s", out, file)
		}
		s, err := Open(context.Background(), path, frontend.Options{})
		if err != nil {
			t.Fatal(err)
		}
		slices.Reverse(specs) // the file has the last first
		for i, f := range specs {
			holds := decide(t, s, f, logic)
			if want := found[i][1] == "true"; holds != want {
				t.Fatalf("%s: %v, NuSMV says %v\n%s\n%s", f, holds, want, file, out)
			}
			count[fmt.Sprint(keyword, holds)]++
		}
	}
	t.Log(count)
}

// decide checks a specification on the circuit of a model.
func decide(t *testing.T, s *Source, f formula.Formula, logic formula.Logic) bool {
	t.Helper()
	ctx := context.Background()
	compassion := s.Compassion()
	atoms := formula.Atoms(f, compassion)
	c, err := s.AsCircuit(atoms)
	if err != nil {
		t.Fatal(err)
	}
	if logic == formula.CTL {
		m, err := ctl.CircuitModel(c)
		if err != nil {
			t.Fatal(err)
		}
		p, err := ctl.NewProblem(m, f, ctl.Options{})
		if err != nil {
			t.Fatal(err)
		}
		holds, err := p.Holds(ctx)
		if err != nil {
			t.Fatal(err)
		}
		return holds
	}
	wrong, err := automaton.FromLTL(formula.And(formula.Not(f), compassion), automaton.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if c, err = c.ChoicesAsInputs(); err != nil {
		t.Fatal(err)
	}
	m, err := ltl.FromCircuit(ctx, c, wrong.AP, 0)
	if err != nil {
		t.Fatal(err)
	}
	ck, err := ltl.NewChecker(ctx, m, wrong)
	if err != nil {
		t.Fatal(err)
	}
	wrongRun, err := ck.Holds()
	if err != nil {
		t.Fatal(err)
	}
	return wrongRun == nil
}
