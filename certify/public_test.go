package certify

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"netcov/aiger"
	"netcov/mutant"
)

// TestPublicChecker compares CheckWitness with the certificate checker of the
// model checking competition, whose binary NETCOV_CERTIFAIGER names: it turns a
// model and a witness into a combinational circuit whose outputs must be
// constant 0.
func TestPublicChecker(t *testing.T) {
	program := os.Getenv("NETCOV_CERTIFAIGER")
	if program == "" {
		t.Skip("NETCOV_CERTIFAIGER names no program")
	}
	r := rand.New(rand.NewPCG(8, 3))
	dir := t.TempDir()
	ctx := context.Background()
	accepted, refused := 0, 0
	for round := range rounds(400) {
		f := randomFile(r)
		bads, _, _ := f.Properties()
		k := NewChecker(f, r.IntN(len(bads)))
		ms := allMutations(f, mutant.Mux(r.IntN(2)))
		var set []Mutation
		for range r.IntN(4) {
			set = append(set, ms[r.IntN(len(ms))])
		}
		reached := map[int]bool{}
		for _, m := range set {
			more, _ := newOracle(f, k.properties[0], &m).search()
			for c := range more {
				reached[c] = true
			}
		}
		if set == nil {
			reached, _ = newOracle(f, k.properties[0], nil).search()
		}
		inv := exact(reached, len(f.Latches)+1, r.IntN(2) == 0)
		model, witness, err := k.Certificate(inv, set)
		if err != nil {
			t.Fatal(err)
		}
		witness = reread(t, witness)
		if r.IntN(3) == 0 {
			if spoil(r, witness); witness.Check() != nil {
				continue
			}
		}
		failure := new(WitnessFailure)
		own := CheckWitness(ctx, Gini, model, witness)
		if own != nil && !errors.As(own, &failure) {
			continue
		}
		files := []string{"model.aig", "witness.aig", "check.aig"}
		for i := range files {
			files[i] = filepath.Join(dir, files[i])
		}
		for i, f := range []*aiger.File{model, witness} {
			if err := aiger.WriteFile(files[i], f); err != nil {
				t.Fatal(err)
			}
		}
		if out, err := exec.Command(program, files...).CombinedOutput(); err != nil {
			t.Fatalf("round %d: %v\n%s", round, err, out)
		}
		check, err := aiger.ReadFile(files[2], aiger.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var public error
		for i := range check.Outputs {
			one := *check
			one.Outputs = []aiger.Lit{check.Outputs[i]}
			if err := NewChecker(&one, 0).Invariant(ctx, clauses(), nil); err != nil {
				public = errors.New(check.Symbols.Outputs[i])
				break
			}
		}
		if (own == nil) != (public == nil) {
			t.Fatalf("round %d, %v: own verdict %v, the public checker's %v\n%+v", round, set, own, public, f)
		}
		if own == nil {
			accepted++
		} else {
			refused++
		}
	}
	t.Log(accepted, "accepted,", refused, "refused")
}
