package farm

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// emptyFarm is a farm with batches and nothing else.
func emptyFarm(t *testing.T, batches, shards int) *Farm {
	t.Helper()
	f := &Farm{Dir: t.TempDir(), Settings: Settings{Lease: 100 * time.Millisecond, BatchTime: time.Second}}
	if err := f.makeShards(shards); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(f.path(resultsDir), 0o777); err != nil {
		t.Fatal(err)
	}
	names, err := f.shardNames()
	if err != nil {
		t.Fatal(err)
	}
	for i := range batches {
		if err := f.put(entry{shard: names[i%len(names)], number: i, size: 1, state: todo}, &Batch{Properties: []int{0}, Mutants: []Mutant{{Index: i}}}); err != nil {
			t.Fatal(err)
		}
	}
	return f
}

func TestEntryNames(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 21))
	for range 2000 {
		e := entry{shard: "07", round: r.IntN(100), number: r.IntN(1e9), size: 1 + r.IntN(1e6), attempt: r.IntN(mostAttempts), state: []string{todo, taken, done, failed}[r.IntN(4)]}
		if e.state == taken {
			e.worker = workerName(r.IntN(100))
		}
		if got, ok := parseEntry("07", e.name()); !ok || got != e {
			t.Fatalf("%s is read as %+v, %v", e.name(), got, ok)
		}
	}
	for _, name := range []string{"", ".", "r00-000000001-n1-a0", "r00-000000001-n1-a0.taken.", "r00-000000001-n1-a0.taken.a/b", "r00-000000001-n1-a0.done.x", "r00-1-n1-a0.todo", "r00-000000001-n1-a0.todo.abcd.tmp"} {
		if _, ok := parseEntry("07", name); ok {
			t.Errorf("%q is taken for a batch", name)
		}
	}
}

// TestEachBatchOnce: of many claimers at once, one gets each batch.
func TestEachBatchOnce(t *testing.T) {
	const batches = 300
	f := emptyFarm(t, batches, 5)
	f.Lease = time.Hour
	var mu sync.Mutex
	by := map[string]int{}
	var all sync.WaitGroup
	for k := range 12 {
		all.Go(func() {
			c, err := f.newClaimer(fmt.Sprintf("w%d", k), k)
			if err != nil {
				t.Error(err)
				return
			}
			for {
				e, _, err := c.next()
				if err != nil {
					t.Error(err)
					return
				}
				if e == nil {
					return
				}
				mu.Lock()
				by[e.key()]++
				mu.Unlock()
				to := *e
				to.state, to.worker = done, ""
				if ok, err := f.move(*e, to); !ok || err != nil {
					t.Errorf("%s: %v %v", e.key(), ok, err)
				}
			}
		})
	}
	all.Wait()
	if len(by) != batches {
		t.Errorf("%d batches of %d were claimed", len(by), batches)
	}
	for k, n := range by {
		if n != 1 {
			t.Errorf("%s was claimed %d times", k, n)
		}
	}
	if s, err := f.Status(); err != nil || s.Done != batches || !s.Ended() || s.Open != 0 {
		t.Errorf("%+v, %v", s, err)
	}
}

// TestLease: a claim that is touched stays; one that is not goes to another worker
// after a lease, whatever the clocks of hosts and file servers say; after three, the
// batch is given up.
func TestLease(t *testing.T) {
	f := emptyFarm(t, 1, 1)
	claimers := make([]*claimer, 5)
	for k := range claimers {
		c, err := f.newClaimer(fmt.Sprintf("w%d", k), 0)
		if err != nil {
			t.Fatal(err)
		}
		claimers[k] = c
	}
	e, _, err := claimers[0].next()
	if err != nil || e == nil {
		t.Fatal(e, err)
	}
	ctx, die := context.WithCancel(context.Background())
	go f.keepAlive(ctx, *e, func() { t.Error("the claim was lost") })
	for range 20 {
		if x, waiting, err := claimers[1].next(); x != nil || !waiting || err != nil {
			t.Fatal(x, waiting, err)
		}
		time.Sleep(f.Lease / 8)
	}
	die()
	holder := e
	for k := 1; k < mostAttempts; k++ {
		// the host's clock is years ahead or behind
		skewed := time.Now().AddDate(20*(k%2)-10, 0, 0)
		if err := os.Chtimes(f.entryPath(*holder), skewed, skewed); err != nil {
			t.Fatal(err)
		}
		begin := time.Now()
		var x *entry
		for x == nil {
			var waiting bool
			if x, waiting, err = claimers[k].next(); !waiting || err != nil {
				t.Fatal(waiting, err)
			}
			time.Sleep(5 * time.Millisecond)
		}
		if waited := time.Since(begin); waited < f.Lease {
			t.Errorf("taken over after %v", waited)
		}
		if x.attempt != k {
			t.Errorf("attempt %d, want %d", x.attempt, k)
		}
		// the one before comes back to life: its claim is gone
		to := *holder
		to.state, to.worker = done, ""
		if ok, err := f.move(*holder, to); ok || err != nil {
			t.Errorf("a lost claim was given back: %v, %v", ok, err)
		}
		holder = x
	}
	for waiting := true; waiting; time.Sleep(5 * time.Millisecond) {
		if _, waiting, err = claimers[4].next(); err != nil {
			t.Fatal(err)
		}
	}
	if s, err := f.Status(); err != nil || s.Failed != 1 || s.Given != 1 || !s.Ended() {
		t.Errorf("%+v, %v", s, err)
	}
}

// TestSplit: all mutants, in order, each once, in batches that are not too large, and
// a node is cut only where it is larger than a batch.
func TestSplit(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 21))
	for range 3000 {
		b := &Batch{Properties: []int{3}}
		for i := range r.IntN(30) {
			for _, fault := range []string{"zero", "one", "nondet"}[r.IntN(3):] {
				b.Mutants = append(b.Mutants, Mutant{Index: i, Fault: fault})
			}
		}
		size := 1 + r.IntN(10)
		var again []Mutant
		parts := b.split(size)
		for i, p := range parts {
			if len(p.Mutants) == 0 || len(p.Mutants) > size {
				t.Fatalf("a batch of %d, at most %d", len(p.Mutants), size)
			}
			if i > 0 && size >= 3 && p.Mutants[0].target() == parts[i-1].Mutants[len(parts[i-1].Mutants)-1].target() {
				t.Fatalf("node %d is in two batches of %d", p.Mutants[0].Index, size)
			}
			again = append(again, p.Mutants...)
		}
		if fmt.Sprint(again) != fmt.Sprint(b.Mutants) {
			t.Fatalf("%v became %v", b.Mutants, again)
		}
		if rest := len(b.split(max(1, (len(b.Mutants)+splitting-1)/splitting))); rest > children {
			t.Fatalf("%d parts", rest)
		}
	}
}

func TestLaunchers(t *testing.T) {
	j := job{Name: "netcov-1", Script: "/d/it's.sh", Log: "/d/log", ID: "7", Workers: "7", Tasks: 20, Last: 19, Jobs: 2, Processors: 4, Memory: 3<<30 + 1, Time: 90 * time.Second}
	for name, want := range map[string]string{
		"slurm": "sbatch --parsable --requeue --open-mode=append --job-name=netcov-1 --array=0-19 --cpus-per-task=2 --output=/d/log/worker-%a.log --mem=3073M --time=2 -p long /d/it's.sh",
		"lsf":   "bsub -r -J netcov-1[1-20] -n 2 -o /d/log/worker-%I.log -M 3073MB -W 2 -p long sh /d/it's.sh",
	} {
		l, err := LoadLauncher(name)
		if err != nil {
			t.Fatal(err)
		}
		args, err := expand(l.Workers, j, []string{"-p", "long"})
		if err != nil || strings.Join(args, " ") != want {
			t.Errorf("%s: %v\n%s\nwant\n%s", name, err, strings.Join(args, " "), want)
		}
		bare := j
		bare.Memory, bare.Time, bare.Workers = 0, 0, ""
		args, err = expand(l.Merge, bare, nil)
		if text := strings.Join(args, " "); err != nil || strings.Contains(text, "mem") || strings.Contains(text, "-M") || strings.Contains(text, "after") || strings.Contains(text, "ended") {
			t.Errorf("%s: %v, %s", name, err, text)
		}
	}
	l, err := LoadLauncher("local")
	if err != nil {
		t.Fatal(err)
	}
	args, err := expand(l.Workers, j, nil)
	if err != nil || !strings.Contains(args[2], `'/d/it'\''s.sh'`) {
		t.Errorf("%v, %q", err, args)
	}
	for text, says := range map[string]string{
		"workers = [":  ":1:",
		"worker = []":  `no setting "worker"`,
		"task = \"T\"": "needs the commands",
		"workers = [\"a\"]\nmerge = [\"a\"]\nalive = [\"a\"]":                                       "needs task",
		"workers = [\"a\"]\nmerge = [\"a\"]\nalive = [\"a\"]\ntask = \"a b\"\nid = '(1)'":           "no name",
		"workers = [\"a\"]\nmerge = [\"a\"]\nalive = [\"a\"]\ntask = \"T\"\nid = '1'":               "with a group",
		"workers = [\"a\"]\nmerge = [\"a\"]\nalive = [\"a\"]\ntask = \"T\"\nid = '(1)'\ngone = '('": "gone",
		"workers = [\"{{.Nobody}}\"]\nmerge = [\"a\"]\nalive = [\"a\"]\ntask = \"T\"\nid = '(1)'":   "Nobody",
	} {
		path := filepath.Join(t.TempDir(), "l.toml")
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := LoadLauncher(path); err == nil || !strings.Contains(err.Error(), says) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v, want %s", text, err, says)
		}
	}
	if _, err := LoadLauncher("pbs"); err == nil || !strings.Contains(err.Error(), "local, lsf, slurm") {
		t.Error(err)
	}
}
