package farm

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// The queue of batches: a file each, whose name is its state.
//
//	r01-000000012-n16-a0.todo            round 1, number 12, 16 mutants, never claimed
//	r01-000000012-n16-a0.taken.WORKER    claimed
//	r01-000000012-n16-a1.taken.WORKER    claimed again, after a first worker fell silent
//	r01-000000012-n16-a3.failed          claimed three times: nobody comes back from it
//	r01-000000012-n16-a0.done
//
// All changes of state are renames, of which one succeeds. The batches lie in
// directories of their own (shards), so that not each worker lists all of them: it
// begins with the shard of its own number.

const (
	queueDir = "queue"
	// shards bounds what a listing costs: see docs/farm.md for the load.
	mostShards = 64
	// mostAttempts is how many workers try a batch. A batch that ends them all is
	// given up, else it would end the others too.
	mostAttempts = 3
)

// The states of a batch.
const (
	todo   = "todo"
	taken  = "taken"
	done   = "done"
	failed = "failed"
)

// entry is a batch's file.
type entry struct {
	shard   string // the directory
	round   int
	number  int // in the round
	size    int // mutants
	attempt int
	state   string
	worker  string // of a taken one
}

var entryName = regexp.MustCompile(`^r(\d{2})-(\d{9,18})-n(\d{1,9})-a(\d{1,3})\.(todo|done|failed|taken\.([A-Za-z0-9_.-]{1,200}))$`)

// parseEntry reads a file's name; what is not netcov's is not ok.
func parseEntry(shard, name string) (e entry, ok bool) {
	m := entryName.FindStringSubmatch(name)
	if m == nil {
		return entry{}, false
	}
	number := func(s string) int {
		n, _ := strconv.Atoi(s) // at most 18 digits
		return n
	}
	state, _, _ := strings.Cut(m[5], ".")
	return entry{shard, number(m[1]), number(m[2]), number(m[3]), number(m[4]), state, m[6]}, true
}

// name is the file's name.
func (e entry) name() string {
	s := fmt.Sprintf("%s-n%d-a%d.%s", e.key(), e.size, e.attempt, e.state)
	if e.state == taken {
		s += "." + e.worker
	}
	return s
}

// key names the batch, whatever its state.
func (e entry) key() string { return fmt.Sprintf("r%02d-%09d", e.round, e.number) }

func (f *Farm) entryPath(e entry) string { return f.path(queueDir, e.shard, e.name()) }

// shardNames lists the shards.
func (f *Farm) shardNames() ([]string, error) {
	entries, err := os.ReadDir(f.path(queueDir))
	if err != nil {
		return nil, err
	}
	var out []string
	for _, e := range entries {
		if e.IsDir() {
			out = append(out, e.Name())
		}
	}
	return out, nil
}

// list returns the batches of a shard, in order.
func (f *Farm) list(shard string) ([]entry, error) {
	files, err := os.ReadDir(f.path(queueDir, shard))
	if err != nil {
		return nil, err
	}
	var out []entry
	for _, file := range files {
		if e, ok := parseEntry(shard, file.Name()); ok {
			out = append(out, e)
		}
	}
	return out, nil
}

// move changes the state of a batch; false says that another process was faster.
func (f *Farm) move(from, to entry) (bool, error) {
	err := os.Rename(f.entryPath(from), f.entryPath(to))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// put adds a batch to the queue, whole or not at all.
func (f *Farm) put(e entry, b *Batch) error {
	return f.writeJSON(filepath.Join(queueDir, e.shard, e.name()), b)
}

// claimer claims batches for one worker.
type claimer struct {
	farm   *Farm
	worker string
	shards []string // in the order in which this worker looks at them
	seen   map[string]sight
}

// sight is what a worker saw of another one's claim: since when, by its own clock, the
// file has had this time of change.
type sight struct {
	change time.Time
	since  time.Time
}

// newClaimer begins with the shard of the worker's number.
func (f *Farm) newClaimer(worker string, number int) (*claimer, error) {
	shards, err := f.shardNames()
	if err != nil {
		return nil, err
	}
	c := &claimer{farm: f, worker: worker, seen: map[string]sight{}}
	for i := range shards {
		c.shards = append(c.shards, shards[(i+max(number, 0))%len(shards)])
	}
	return c, nil
}

// fewFirst is among how many of the first batches of a shard a worker chooses, so that
// those that begin there do not all try for the same.
const fewFirst = 8

// next claims a batch. nil says that there is none; waiting, that others are at work
// on some.
func (c *claimer) next() (e *entry, waiting bool, err error) {
	for _, shard := range c.shards {
		list, err := c.farm.list(shard)
		if err != nil {
			return nil, false, err
		}
		var open []entry
		for _, x := range list {
			switch x.state {
			case todo:
				open = append(open, x)
			case taken:
				waiting = true
			}
		}
		for len(open) > 0 {
			k := rand.IntN(min(len(open), fewFirst))
			got, err := c.claim(open[k], open[k].attempt)
			if got != nil || err != nil {
				return got, false, err
			}
			open = append(open[:k], open[k+1:]...)
		}
	}
	if !waiting {
		return nil, false, nil
	}
	e, err = c.takeOver()
	return e, true, err
}

// claim takes a batch as its attempt of this number.
func (c *claimer) claim(x entry, attempt int) (*entry, error) {
	to := x
	to.state, to.worker, to.attempt = taken, c.worker, attempt
	ok, err := c.farm.move(x, to)
	if err != nil {
		return nil, err
	}
	if _, err := os.Lstat(c.farm.entryPath(to)); !ok && err != nil {
		return nil, nil
	} // else a server did what it was asked to, and was asked again: its answer was lost
	// the time of change is that of the file before, until it is touched
	if err := touch(c.farm.entryPath(to)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return &to, nil
}

// takeOver claims a batch whose worker has been silent for a lease, as this process
// has seen it. It looks at no clock but its own.
func (c *claimer) takeOver() (*entry, error) {
	now := time.Now()
	still := map[string]sight{}
	for _, shard := range c.shards {
		list, err := c.farm.list(shard)
		if err != nil {
			return nil, err
		}
		for _, x := range list {
			if x.state != taken {
				continue
			}
			path := c.farm.entryPath(x)
			info, err := os.Stat(path)
			if err != nil {
				continue // it changes right now
			}
			s, known := c.seen[path]
			if !known || !s.change.Equal(info.ModTime()) {
				s = sight{info.ModTime(), now}
			}
			if now.Sub(s.since) < c.farm.Lease {
				still[path] = s
				continue
			}
			if x.attempt+1 >= mostAttempts {
				to := x
				to.state = failed
				if _, err := c.farm.move(x, to); err != nil {
					return nil, err
				}
				continue
			}
			if e, err := c.claim(x, x.attempt+1); e != nil || err != nil {
				return e, err
			}
		}
	}
	c.seen = still
	return nil, nil
}

// touch tells that a claim is alive: the time of change becomes another one. Which one
// does not matter.
func touch(path string) error {
	now := time.Now()
	return os.Chtimes(path, now, now)
}

// keepAlive touches a claim until ctx ends; lost is called when the claim is gone or
// the farm was cancelled.
func (f *Farm) keepAlive(ctx context.Context, e entry, lost func()) {
	beat := time.NewTicker(max(f.Lease/6, 10*time.Millisecond))
	defer beat.Stop()
	stop := time.NewTicker(stopLook)
	defer stop.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-stop.C:
			if f.Cancelled() {
				lost()
				return
			}
		case <-beat.C:
			if errors.Is(touch(f.entryPath(e)), fs.ErrNotExist) {
				lost()
				return
			}
		}
	}
}

// stopLook is how often a worker looks whether the farm was cancelled.
const stopLook = 5 * time.Second

const stopFile = "stop"

// Cancelled reports whether Cancel was called.
func (f *Farm) Cancelled() bool {
	_, err := os.Lstat(f.path(stopFile))
	return err == nil
}

// Cancel tells all workers to end. What they have found stays.
func (f *Farm) Cancel() error { return os.WriteFile(f.path(stopFile), nil, 0o666) }
