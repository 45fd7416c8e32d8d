package farm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"time"

	"netcov/coverage"
	"netcov/coverage/journal"
	"netcov/coverage/subject"
	"netcov/mutant"
)

// WorkerOptions are the settings of one worker.
type WorkerOptions struct {
	// Run are those of the whole run: faults, tests, solver and the like.
	Run coverage.Options
	// Number is the worker's number in the array of the scheduler, from 0. It says
	// where it looks for work first. Two workers may have the same.
	Number int
	// Log receives what happens. Default silence.
	Log *slog.Logger
}

// Work is what a worker did.
type Work struct {
	Batches int
	Mutants int // decided
}

// worker is one process at work.
type worker struct {
	farm    *Farm
	opt     WorkerOptions
	name    string
	claimer *claimer
	proofs  map[int][]json.RawMessage
	ends    time.Time // of the worker's time; zero: never
	journal *journal.Journal
	hints   *hints
	work    Work
}

// Work claims batches and decides their mutants until nothing is left to do, the
// worker's time is over, the farm is cancelled, or ctx ends. While others are at work it
// waits for a while, for batches that they leave or that are left of their hard mutants.
//
// An error ends the worker, not the farm: its batch goes to another one.
func (f *Farm) Work(ctx context.Context, opt WorkerOptions) (Work, error) {
	if !f.Shared {
		return Work{}, fmt.Errorf("%s: the shared part has not come to its end; submit the farm again", f.Dir)
	}
	if opt.Log == nil {
		opt.Log = slog.New(slog.DiscardHandler)
	}
	w := &worker{farm: f, opt: opt, name: workerName(opt.Number)}
	if f.WorkerTime > 0 {
		w.ends = time.Now().Add(f.WorkerTime - min(f.WorkerTime/10, mostMargin))
	}
	records, err := f.readJournal(f.path(proofsJournal))
	if err != nil {
		return Work{}, err
	}
	if w.proofs, err = coverage.Proofs(records); err != nil {
		return Work{}, fmt.Errorf("%s: %w", f.path(proofsJournal), err)
	}
	if w.claimer, err = f.newClaimer(w.name, opt.Number); err != nil {
		return Work{}, err
	}
	w.hints = newHints(f)
	defer func() {
		if w.journal != nil {
			w.journal.Close()
		}
	}()
	return w.work, w.loop(ctx)
}

// mostMargin is how long before its time a worker ends, at most.
const mostMargin = 30 * time.Second

var unfit = regexp.MustCompile(`[^A-Za-z0-9_-]`)

// workerName is unlike that of any other worker, on whatever host.
func workerName(number int) string {
	host, _ := os.Hostname()
	host = unfit.ReplaceAllString(host, "")
	return fmt.Sprintf("%d-%.40s-%d-%08x", max(number, 0), host, os.Getpid(), rand.Uint32())
}

// idleLeases is how many leases a worker waits while all that is left is claimed by
// others: long enough to take over what a dead one has claimed.
const idleLeases = 2

func (w *worker) loop(ctx context.Context) error {
	idle := time.Time{}
	pause := w.farm.Lease / 60
	for {
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case w.farm.Cancelled():
			w.opt.Log.Info("the farm was cancelled")
			return nil
		case !w.ends.IsZero() && time.Now().After(w.ends):
			w.opt.Log.Info("the worker's time is over")
			return nil
		}
		e, waiting, err := w.claimer.next()
		if err != nil {
			return err
		}
		if e != nil {
			idle, pause = time.Time{}, w.farm.Lease/60
			if err := w.do(ctx, *e); err != nil {
				return err
			}
			continue
		}
		if !waiting {
			w.opt.Log.Info("nothing is left to do")
			return nil
		}
		if idle.IsZero() {
			idle = time.Now()
		}
		if time.Since(idle) > idleLeases*w.farm.Lease {
			w.opt.Log.Info("others are at work on all that is left")
			return nil
		}
		pause = min(2*pause, w.farm.Lease/10)
		select {
		case <-ctx.Done():
		case <-time.After(max(pause, 10*time.Millisecond)):
		}
	}
}

// do decides the mutants of a claimed batch. When it fails, the batch is given back.
func (w *worker) do(ctx context.Context, e entry) error {
	b, err := w.farm.read(e)
	if isGone(err) {
		return nil // the farm was submitted again
	}
	if err != nil {
		return errors.Join(err, w.giveBack(e))
	}
	alive, lost := context.WithCancelCause(ctx)
	heart := make(chan struct{})
	go func() {
		defer close(heart)
		w.farm.keepAlive(alive, e, func() { lost(errLost) })
	}()
	left, err := w.decide(alive, e, b)
	gone := errors.Is(context.Cause(alive), errLost)
	lost(nil)
	<-heart
	switch {
	case gone && (err == nil || errors.Is(err, errLost)):
		w.opt.Log.Info("the claim is lost", "batch", e.key())
		return w.giveBack(e) // if it is there, the farm was cancelled
	case err != nil:
		return errors.Join(err, w.giveBack(e))
	case ctx.Err() != nil || len(left) > 0 && w.cutShort():
		return w.giveBack(e)
	}
	if err := w.requeue(e, b, left); err != nil {
		return errors.Join(err, w.giveBack(e))
	}
	to := e
	to.state, to.worker = done, ""
	_, err = w.farm.move(e, to)
	w.work.Batches++
	return err
}

var errLost = errors.New("the claim is lost")

// giveBack lets others have a batch; what was decided of it is known to them.
func (w *worker) giveBack(e entry) error {
	to := e
	to.state, to.worker = todo, ""
	_, err := w.farm.move(e, to)
	return err
}

// time is that for a batch: it grows from round to round. A node by itself holds
// nothing up, so it has no limit but those of the user; a limit would only have others
// begin anew.
func (f *Farm) time(e entry, b *Batch) (limit time.Duration, last bool) {
	limit = f.BatchTime
	for range e.round {
		limit = min(limit*growth, longestBatch)
	}
	if b.Mutants[0].target() == b.Mutants[len(b.Mutants)-1].target() {
		limit = longestBatch
	}
	for _, most := range []time.Duration{f.MutantTime, f.WorkerTime * 8 / 10} {
		if most > 0 && limit >= most {
			limit, last = most, true
		}
	}
	return limit, last
}

const (
	growth       = 4 // of the time for a batch, by round
	longestBatch = 1000 * time.Hour
)

// cutShort tells that a batch did not get all of its time, since that of the worker was
// over.
func (w *worker) cutShort() bool { return !w.ends.IsZero() && time.Now().After(w.ends) }

// decide runs the tests on a batch and returns what is left of it.
func (w *worker) decide(ctx context.Context, e entry, b *Batch) ([]Mutant, error) {
	if err := w.openJournal(); err != nil {
		return nil, err
	}
	w.hints.gather(w.opt.Log)
	property := b.Properties[0]
	asked := map[key]bool{}
	opt := w.opt.Run
	opt.Role, opt.Journal, opt.Tests = coverage.Worker, w.journal, w.farm.Tests
	opt.Targets, opt.Faults, opt.Budget = nil, nil, coverage.Budget{}
	for _, m := range b.Mutants {
		fault, _ := mutant.ParseFault(m.Fault)
		k := key{m.target(), fault}
		if w.hints.claims.settled(property, k) {
			continue // by an earlier attempt, or by another question
		}
		asked[k] = true
		if !slices.Contains(opt.Faults, fault) {
			opt.Faults = append(opt.Faults, fault)
		}
		if n := len(opt.Targets); n == 0 || opt.Targets[n-1] != k.target {
			opt.Targets = append(opt.Targets, k.target)
		}
	}
	if len(asked) == 0 {
		return nil, nil
	}
	slices.Sort(opt.Faults)
	opt.Ask = func(t mutant.Target, f mutant.Fault) bool { return asked[key{t, f}] }
	opt.Resume = []coverage.Source{{Name: w.farm.path(proofsJournal)}}
	for _, p := range b.Properties {
		opt.Resume[0].Records = append(opt.Resume[0].Records, w.proofs[p]...)
	}
	opt.Hints = []coverage.Source{{Records: w.hints.of(property)}}
	limit, last := w.farm.time(e, b)
	opt.Budget.Limit = limit
	if !w.ends.IsZero() {
		opt.Budget.Limit = max(1, min(limit, time.Until(w.ends)))
	}
	begin := time.Now()
	res, err := w.run(ctx, b, opt)
	if err != nil {
		return nil, err
	}
	if res.JournalErr != nil {
		return nil, res.JournalErr
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	var left []Mutant
	for _, m := range res.Mutants {
		if m.Verdict == mutant.Unknown {
			left = append(left, Mutant{m.Target.Gate, m.Target.Index, m.Fault.String()})
		}
	}
	decided := len(asked) - len(left)
	w.work.Mutants += decided
	w.opt.Log.Info("batch", "name", e.key(), "mutants", len(asked), "decided", decided, "seconds", time.Since(begin).Seconds())
	// More time helps no more where the tests had enough of it, and smaller batches
	// help against a lack of memory.
	final := res.Stopped == "tests" || res.Stopped == "memory" && len(asked) == 1 || last && !w.cutShort()
	if final && len(left) > 0 {
		w.opt.Log.Info("what is left stays undecided", "mutants", len(left), "why", res.Stopped)
		return nil, nil
	}
	return left, nil
}

// run answers the question of a batch.
func (w *worker) run(ctx context.Context, b *Batch, opt coverage.Options) (*coverage.Result, error) {
	d := w.farm.Design
	if b.Set {
		set, err := coverage.RunSet(ctx, d.File, d.Netlist, b.Properties, opt)
		if err != nil {
			return nil, err
		}
		if len(set.Groups) != 1 {
			return nil, fmt.Errorf("%s: no proof of the properties %v; submit the farm again", w.farm.path(proofsJournal), b.Properties)
		}
		return set.Groups[0], nil
	}
	s, err := subject.New(d.File, d.Netlist, b.Properties[0])
	if err != nil {
		return nil, err
	}
	return s.Cover(ctx, opt)
}

// requeue puts what a round did not decide into the next one, in smaller batches.
// Another worker may do the same with another remainder of the same batch: what is
// decided by one of them is decided, so either remainder will do.
func (w *worker) requeue(e entry, b *Batch, left []Mutant) error {
	if len(left) == 0 {
		return nil
	}
	list, err := w.farm.list(e.shard)
	if err != nil {
		return err
	}
	known := map[string]bool{}
	for _, x := range list {
		known[x.key()] = true
	}
	rest := &Batch{b.Properties, b.Set, left}
	for i, part := range rest.split(max(1, (len(left)+splitting-1)/splitting)) {
		to := entry{shard: e.shard, round: e.round + 1, number: children*e.number + i, size: len(part.Mutants), state: todo}
		if known[to.key()] {
			continue
		}
		if err := w.farm.put(to, part); err != nil {
			return err
		}
	}
	return nil
}

// children is more than the parts into which split parts a batch here: it may make a
// few more than asked for, so that nodes stay together.
const children = 16

// openJournal makes the worker's journal, when it has its first batch.
func (w *worker) openJournal() error {
	if w.journal != nil {
		return nil
	}
	path := filepath.Join(w.farm.Dir, resultsDir, w.name+journalExt)
	j, _, _, err := journal.Open(path, w.farm.Header)
	if err != nil {
		return err
	}
	w.journal = j
	w.hints.own = path
	return nil
}
