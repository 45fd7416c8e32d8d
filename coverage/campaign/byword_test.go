package campaign

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"netcov/aiger/explicit"
	"netcov/cert"
	"netcov/coverage"
	"netcov/frontend"
	"netcov/frontend/btor2"
	"netcov/frontend/btor2/randbtor"
	"netcov/frontend/verilog"
	"netcov/mutant"
)

// TestCoverByWord covers random systems whose arrays are kept by word, and holds each
// verdict against an enumeration of the states of the whole.
func TestCoverByWord(t *testing.T) {
	rounds := 200
	if s := os.Getenv("NETCOV_ROUNDS"); s != "" {
		rounds, _ = strconv.Atoi(s)
	}
	count := map[mutant.Verdict]int{}
	for seed := range rounds {
		text := randbtor.Arrays(rand.New(rand.NewPCG(21, uint64(seed))), seed%3)
		whole, d := openArrays(t, text)
		if len(whole.File.Inputs)+len(whole.File.Latches) > 16 {
			continue
		}
		if d.Design.Abstraction == nil {
			continue
		}
		opt := coverage.Options{Targets: d.Targets(true, false), Seed: uint64(seed)}
		short := seed%3 == 0 // one round, which leaves mutants open
		if short {
			opt.Budget.Limit = time.Microsecond
		}
		which, _ := d.Choose("all")
		set, err := d.Run(context.Background(), which, opt)
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text)
		}
		var held []int
		for _, o := range set.Outcomes {
			fails := explicit.Fails(whole.File, o.Position)
			if o.Proof.Status == cert.Unknown || fails != (o.Proof.Status == cert.Fails) {
				t.Fatalf("seed %d: property %d: %v\n%s", seed, o.Position, o.Proof.Status, text)
			}
			if !fails {
				held = append(held, o.Position)
			}
		}
		at := map[string]int{}
		for i, l := range whole.Netlist.Latches {
			at[l.Name] = i
		}
		asked := 0
		for j := range set.All() {
			asked++
			if !short {
				count[j.Verdict]++
			}
			covered := false
			for _, p := range held {
				some, err := explicit.Covered(whole.File, p, whole.Fault(mutant.Target{Index: at[d.Netlist.Latches[j.Target.Index].Name]}, j.Fault, mutant.AtOutput))
				if err != nil {
					t.Fatal(err)
				}
				covered = covered || some
			}
			if j.Verdict != mutant.Unknown && covered != (j.Verdict == mutant.Covered) {
				t.Fatalf("seed %d: %v %s of %s: %v\n%s", seed, j.Target, j.Fault, d.Netlist.Latches[j.Target.Index].Name, j.Verdict, text)
			}
		}
		if len(held) > 0 && asked != 3*len(opt.Targets) {
			t.Fatalf("seed %d: %d mutants of %d nodes", seed, asked, len(opt.Targets))
		}
	}
	t.Logf("%d covered, %d not covered, %d unknown", count[mutant.Covered], count[mutant.NotCovered], count[mutant.Unknown])
	if count[mutant.Covered] < rounds/10 || count[mutant.NotCovered] < rounds || 100*count[mutant.Unknown] > count[mutant.Covered] {
		t.Errorf("%v", count)
	}
}

// openArrays opens a system twice: its arrays as registers, and by word.
func openArrays(t *testing.T, text string) (whole, words *Design) {
	path := filepath.Join(t.TempDir(), "f.btor2")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	open := func(opt frontend.Options) *Design {
		s, err := frontend.Open(context.Background(), []string{path}, opt)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		return New(s)
	}
	return open(frontend.Options{}), open(frontend.Options{Abstract: btor2.AboveLimit, Verilog: verilog.Options{MemoryBits: 1}})
}

// TestJusticeByWord: what is said of a justice property beside arrays by word is what an
// enumeration says, or nothing.
func TestJusticeByWord(t *testing.T) {
	holds := 0
	for seed := range 300 {
		text := randbtor.Arrays(rand.New(rand.NewPCG(22, uint64(seed))), seed%2)
		lines := strings.Split(strings.TrimSpace(text), "\n")
		bad := slices.IndexFunc(lines, func(l string) bool { return strings.Contains(l, " bad ") })
		text += fmt.Sprintf("%d justice 1 %s\n", len(lines)+1, strings.Fields(lines[bad])[2])
		whole, d := openArrays(t, text)
		if len(whole.File.Inputs)+len(whole.File.Latches) > 16 || d.Design.Abstraction == nil {
			continue
		}
		property := len(d.Netlist.Properties()) - 1
		s, err := d.Subject(property)
		if err != nil {
			t.Fatal(err)
		}
		p, err := (&Check{Engine: coverage.EngineSet}).One(context.Background(), d, s)
		if err != nil {
			t.Fatal(err)
		}
		a := &Answer{Property: property, Status: p.Status, Trace: p.Trace}
		if settled, err := d.Settle(a); !settled || err != nil || a.Status == cert.Fails {
			t.Fatalf("seed %d: %v, %v, %v\n%s", seed, a.Status, settled, err, text)
		}
		if a.Status == cert.Holds {
			holds++
			if explicit.Fails(whole.File, property) {
				t.Fatalf("seed %d: justice fails, and holds by word\n%s", seed, text)
			}
		}
	}
	if holds < 10 {
		t.Errorf("%d hold", holds)
	}
}
