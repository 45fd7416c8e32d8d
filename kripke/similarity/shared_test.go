package similarity

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"netcov/frontend"
	"netcov/internal/shared"
	"netcov/kripke/load"
	"netcov/kripke/structure"
)

// TestSharedCases checks every case of simulation coverage against its table.
func TestSharedCases(t *testing.T) {
	ctx := context.Background()
	dir := shared.Dir(t, "kripke-cases")
	cases, _ := filepath.Glob(filepath.Join(dir, "sim", "*.json"))
	for _, k := range []string{"ck02-first-call", "ck02-self-loop", "figure4"} {
		cases = append(cases, filepath.Join(dir, "known", k+".json"))
	}
	if len(cases) < 10 {
		t.Fatalf("only %d cases", len(cases))
	}
	for _, file := range cases {
		var want struct {
			Simulation [][2]string         `json:"simulation"`
			Covered    map[string][]string `json:"covered"`
			Mut        [][2]string         `json:"mut"`
			MutCovered [][2]string         `json:"mut_covered"`
		}
		data, err := os.ReadFile(file)
		if err == nil {
			err = json.Unmarshal(data, &want)
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, form := range []string{".hoa", ".smv"} {
			base := strings.TrimSuffix(file, ".json")
			if _, err := os.Stat(base + ".impl" + form); err != nil {
				continue
			}
			read := func(path string, atoms []string) *structure.Structure {
				s, err := load.Open(ctx, path, frontend.Options{})
				if err != nil {
					t.Fatal(err)
				}
				k, err := s.AsStructure(ctx, atoms, 0)
				if err != nil {
					t.Fatal(err)
				}
				return k
			}
			var signals, specAP []string
			for q := range want.Covered {
				signals = append(signals, q)
			}
			specAP = read(base+".spec.hoa", nil).AP
			impl, spec := read(base+".impl"+form, append([]string{}, append(signals, missing(specAP, signals)...)...)), read(base+".spec"+form, specAP)
			p, err := NewProblem(impl, spec)
			if err != nil {
				t.Fatalf("%s%s: %v", base, form, err)
			}
			r, err := p.Similarity(ctx)
			if err != nil {
				t.Fatal(err)
			}
			if want.Simulation != nil && form == ".hoa" {
				got := map[[2]string]bool{}
				for w, sim := range r.Sim {
					for w2 := range sim.All() {
						got[[2]string{impl.States[w], spec.States[w2]}] = true
					}
				}
				if len(got) != len(want.Simulation) {
					t.Errorf("%s: %d pairs, want %d", file, len(got), len(want.Simulation))
				}
				for _, x := range want.Simulation {
					if !got[x] {
						t.Errorf("%s: %v is missing", file, x)
					}
				}
			}
			for _, algorithm := range Algorithms {
				for q, states := range want.Covered {
					mutants := p.MutantsOf(q)
					c, err := p.Cover(ctx, mutants, Options{Algorithm: algorithm})
					if err != nil {
						t.Fatalf("%s: %v", file, err)
					}
					got := []string{}
					for n, x := range c.Covered {
						if x {
							got = append(got, impl.States[mutants[n].State])
						}
					}
					slices.Sort(got)
					slices.Sort(states)
					if !slices.Equal(got, states) {
						t.Errorf("%s%s, %s: %s covered in %v, want %v", base, form, algorithm, q, got, states)
					}
				}
				if want.Mut == nil {
					continue
				}
				var mutants []Mutant
				var covered []bool
				for _, m := range want.Mut {
					if s := slices.Index(impl.States, m[0]); s >= 0 {
						mutants = append(mutants, Mutant{s, m[1]})
						covered = append(covered, slices.Contains(want.MutCovered, m))
					}
				}
				c, err := p.Cover(ctx, mutants, Options{Algorithm: algorithm, Seed: 7})
				if err != nil || !slices.Equal(c.Covered, covered) {
					t.Errorf("%s%s, %s: mutants %v (%v), want %v", base, form, algorithm, c, err, covered)
				}
			}
		}
	}
}

// missing lists the names that are not among the others.
func missing(names, others []string) (out []string) {
	for _, n := range names {
		if !slices.Contains(others, n) {
			out = append(out, n)
		}
	}
	return out
}
