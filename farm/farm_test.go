package farm

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"netcov/aiger"
	"netcov/aiger/explicit"
	"netcov/aiger/randaig"
	"netcov/coverage"
	"netcov/coverage/campaign"
	"netcov/coverage/journal"
	"netcov/frontend"
	"netcov/frontend/verilog"
	"netcov/mutant"
)

// problem is a random design with safety and justice properties.
type problem struct {
	file   *aiger.File
	design *campaign.Design
	which  []int
	opt    coverage.Options
}

// randomProblems calls use with count designs of which a property holds.
func randomProblems(t *testing.T, seed uint64, count int, use func(*problem, *rand.Rand)) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 21))
	shape := randaig.Everything()
	shape.Justice, shape.Fairness, shape.Bads, shape.Latches = 1, 1, 4, 5
	for done := 0; done < count; {
		shape.Ands = 4 + r.IntN(14)
		shape.Constraints = r.IntN(2)
		f := randaig.New(r, shape)
		if len(f.Bads)+len(f.Justice) == 0 || len(f.Latches) == 0 {
			continue
		}
		path := filepath.Join(t.TempDir(), "d.aag")
		if err := aiger.WriteFile(path, f); err != nil {
			t.Fatal(err)
		}
		s, err := frontend.Open(context.Background(), []string{path}, frontend.Options{})
		if err != nil {
			t.Fatal(err)
		}
		p := &problem{file: s.File, design: campaign.New(s)}
		if p.which, err = p.design.Choose("all"); err != nil {
			t.Fatal(err)
		}
		gates := r.IntN(2) == 0
		p.opt = coverage.Options{Targets: p.design.Targets(true, gates), Mux: mutant.Mux(r.IntN(2)), Tests: coverage.SetTests(gates)}
		p.opt.Faults = slices.DeleteFunc(p.design.Netlist.FaultsAt(p.opt.Targets), func(f mutant.Fault) bool {
			return f.Remembers() && len(p.design.Netlist.Justice) > 0
		})
		use(p, r)
		done++
	}
}

// check compares verdicts with enumeration and returns how many are known.
func (p *problem) check(t *testing.T, set *coverage.Set) int {
	t.Helper()
	known := 0
	for j := range set.All() {
		if j.Verdict == mutant.Unknown {
			continue
		}
		known++
		covered := false
		for _, g := range set.Groups {
			for _, i := range g.Properties {
				fails, err := explicit.Covered(p.file, i, p.design.Fault(j.Target, j.Fault, p.opt.Mux))
				if err != nil {
					t.Fatal(err)
				}
				covered = covered || fails
			}
		}
		if covered != (j.Verdict == mutant.Covered) {
			t.Fatalf("%v %v is %s", j.Target, j.Fault, j.Verdict)
		}
	}
	return known
}

// settings are those of a farm for the problem.
func (p *problem) settings() Settings {
	return Settings{
		Header: journal.Header{Version: "test", Design: p.file.SHA256}, Properties: p.which,
		Lease: 200 * time.Millisecond, BatchTime: LeastBatchTime,
	}
}

// submit makes a farm and its batches.
func (p *problem) submit(t *testing.T, dir string, opt coverage.Options, tasks int) (f *Farm, left int) {
	t.Helper()
	f, err := Create(dir, p.design, p.settings())
	if err != nil {
		t.Fatal(err)
	}
	set, err := f.Share(context.Background(), opt)
	if err != nil {
		t.Fatal(err)
	}
	left, _, err = f.Plan(set, tasks)
	if err != nil {
		t.Fatal(err)
	}
	return f, left
}

// merge confirms what the journals of a farm say.
func (p *problem) merge(t *testing.T, f *Farm) (*coverage.Set, error) {
	t.Helper()
	sources, err := f.Sources()
	if err != nil {
		return nil, err
	}
	opt := p.opt
	opt.Role, opt.Resume = coverage.Merger, sources
	return f.Design.Run(context.Background(), f.Properties, opt)
}

// TestFarm: random designs, several workers at once that die or are cut off, and a
// merge whose verdicts enumeration confirms; at the end all is decided.
func TestFarm(t *testing.T) {
	count := 40
	if testing.Short() {
		count = 10
	}
	mutants, byWorkers, deaths := 0, 0, 0
	randomProblems(t, 3, count, func(p *problem, r *rand.Rand) {
		dir := filepath.Join(t.TempDir(), "farm")
		shared := p.opt
		if r.IntN(2) == 0 {
			shared.Budget.Limit = 1 // everything is left to the workers
		}
		tasks := 1 + r.IntN(4)
		_, left := p.submit(t, dir, shared, tasks)
		for round := 0; ; round++ {
			f, err := Open(context.Background(), dir) // as another process does
			if err != nil {
				t.Fatal(err)
			}
			var all sync.WaitGroup
			for k := range tasks {
				ctx, cancel := context.WithCancel(context.Background())
				if round < 3 && r.IntN(2) == 0 {
					deaths++
					time.AfterFunc(time.Duration(r.IntN(4000))*time.Microsecond, cancel)
				}
				all.Go(func() {
					defer cancel()
					work, err := f.Work(ctx, WorkerOptions{Run: p.opt, Number: k})
					if err != nil && ctx.Err() == nil {
						t.Error(err)
					}
					_ = work
				})
			}
			all.Wait()
			set, err := p.merge(t, f)
			if err != nil {
				t.Fatal(err)
			}
			known, total := p.check(t, set), 0
			for range set.All() {
				total++
			}
			if known == total {
				mutants += total
				byWorkers += left
				return
			}
			if round > 6 {
				s, err := f.Status()
				t.Fatalf("%d of %d are decided; %+v, %v", known, total, s, err)
			}
			if r.IntN(2) == 0 {
				p.submit(t, dir, shared, tasks) // again: what is left
			}
		}
	})
	if byWorkers == 0 || deaths == 0 {
		t.Errorf("%d mutants for workers, %d deaths", byWorkers, deaths)
	}
	t.Logf("%d mutants, %d of them for workers, %d workers were ended", mutants, byWorkers, deaths)
}

// TestHostileFarm changes one file of a farm at a time. Opening, working and merging
// end with an error of one line that names a file, or with true verdicts.
func TestHostileFarm(t *testing.T) {
	refused, accepted := 0, 0
	randomProblems(t, 4, 3, func(p *problem, r *rand.Rand) {
		dir := filepath.Join(t.TempDir(), "farm")
		shared := p.opt
		shared.Budget.Limit = 1
		f, _ := p.submit(t, dir, shared, 2)
		if _, err := f.Work(context.Background(), WorkerOptions{Run: p.opt}); err != nil {
			t.Fatal(err)
		}
		p.submit(t, dir, shared, 2)
		var files []string
		err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() {
				files = append(files, path)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		for range 60 {
			path := files[r.IntN(len(files))]
			good, err := os.ReadFile(path)
			if err != nil {
				continue // a batch that is done
			}
			bad := append([]byte{}, good...)
			switch r.IntN(5) {
			case 0:
				bad = bad[:r.IntN(len(bad)+1)]
			case 1:
				for range 1 + r.IntN(3) {
					if len(bad) > 0 {
						bad[r.IntN(len(bad))] = byte(r.IntN(256))
					}
				}
			case 2:
				bad = append(bad, bad[r.IntN(len(bad)+1):]...)
			case 3:
				bad = []byte(strings.ReplaceAll(string(bad), string(rune('0'+r.IntN(10))), "7"))
			case 4:
				other, err := os.ReadFile(files[r.IntN(len(files))])
				if err != nil {
					continue
				}
				bad = other
			}
			if err := os.WriteFile(path, bad, 0o666); err != nil {
				t.Fatal(err)
			}
			failed := func() error {
				f, err := Open(context.Background(), dir)
				if err != nil {
					return err
				}
				ctx, cancel := context.WithTimeout(context.Background(), 3*time.Second)
				defer cancel()
				if _, err := f.Work(ctx, WorkerOptions{Run: p.opt}); err != nil && ctx.Err() == nil {
					if errors.Is(err, coverage.ErrRecheck) {
						t.Errorf("%s: a hint led to %v", path, err)
					}
					return err
				}
				set, err := p.merge(t, f)
				if err != nil {
					return err
				}
				p.check(t, set)
				return nil
			}()
			if failed == nil {
				accepted++
			} else {
				refused++
				if text := failed.Error(); !strings.Contains(text, dir) && !strings.Contains(text, "property") {
					t.Errorf("%s: %v", path, failed)
				}
			}
			if err := os.WriteFile(path, good, 0o666); err != nil {
				t.Fatal(err)
			}
		}
	})
	if refused == 0 || accepted == 0 {
		t.Errorf("%d refused, %d accepted", refused, accepted)
	}
	t.Logf("%d refused, %d without effect", refused, accepted)
}

// TestOtherRun: a directory is not taken for the farm of another run.
func TestOtherRun(t *testing.T) {
	randomProblems(t, 5, 1, func(p *problem, r *rand.Rand) {
		dir := filepath.Join(t.TempDir(), "farm")
		if _, err := Open(context.Background(), dir); !errors.Is(err, ErrNoFarm) {
			t.Error(err)
		}
		f, err := Create(dir, p.design, p.settings())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Work(context.Background(), WorkerOptions{Run: p.opt}); err == nil || !strings.Contains(err.Error(), "shared part") {
			t.Error(err)
		}
		s := p.settings()
		s.Header.Version = "other"
		var m *journal.Mismatch
		if _, err := Create(dir, p.design, s); !errors.As(err, &m) {
			t.Error(err)
		}
		used := t.TempDir()
		if err := os.WriteFile(filepath.Join(used, "thesis.tex"), nil, 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := Create(used, p.design, s); err == nil || !strings.Contains(err.Error(), "not empty") {
			t.Error(err)
		}
	})
}

// TestDesignIsKept: a farm's copy of a design of any language has the nodes, names and
// places of the original.
func TestDesignIsKept(t *testing.T) {
	dir := t.TempDir()
	sources := map[string]string{
		"m.smv": "MODULE main\nVAR a : 0..5; b : boolean;\nASSIGN init(a) := 0; next(a) := case b : 0; a < 5 : a + 1; TRUE : a; esac;\nINVARSPEC a <= 5\nLTLSPEC G F b\n",
		"m.btor2": "1 sort bitvec 4\n2 zero 1\n3 state 1 count\n4 init 1 3 2\n5 one 1\n6 add 1 3 5\n7 next 1 3 6\n8 sort bitvec 1\n" +
			"9 constd 1 9\n10 eq 8 3 9\n11 bad 10\n",
		"m.aag": "aag 3 1 2 1 0\n2\n4 2 1\n6 4\n6\ni0 go there\nl0 top.u1.count[3]\no0 p\nc\nhello\n",
	}
	text := func(d *campaign.Design) string {
		var b strings.Builder
		if err := aiger.WriteASCII(&b, d.File); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	for name, source := range sources {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(source), 0o666); err != nil {
			t.Fatal(err)
		}
		s, err := frontend.Open(context.Background(), []string{path}, frontend.Options{Verilog: verilog.Options{MemoryBits: 1000}})
		if err != nil {
			t.Fatal(err)
		}
		one := campaign.New(s)
		which, err := one.Choose("all")
		if err != nil {
			t.Fatal(err)
		}
		f := filepath.Join(dir, name+".farm")
		if _, err := Create(f, one, Settings{Header: journal.Header{Design: s.File.SHA256}, Properties: which, Lease: 1, BatchTime: LeastBatchTime}); err != nil {
			t.Fatal(err)
		}
		x, err := Open(context.Background(), f)
		if err != nil {
			t.Fatal(err)
		}
		two := x.Design
		if two.Path != one.Path || two.Kind != one.Kind || two.File.SHA256 != one.File.SHA256 || string(two.Raw()) != string(one.Raw()) ||
			!reflect.DeepEqual(one.Targets(true, true), two.Targets(true, true)) || text(one) != text(two) {
			t.Errorf("%s: the copy is another design", name)
		}
		for i, n := range names(one.Netlist) {
			if *names(two.Netlist)[i] != *n {
				t.Errorf("%s: %q became %q", name, *n, *names(two.Netlist)[i])
			}
		}
		a, b := one.Describe(), two.Describe()
		for _, node := range one.Targets(true, true) {
			if a(node) != b(node) {
				t.Errorf("%s: %+v became %+v", name, a(node), b(node))
			}
		}
	}
}
