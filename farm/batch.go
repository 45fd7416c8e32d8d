package farm

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"netcov/coverage"
	"netcov/mutant"
)

// Batch is some mutants of one question.
type Batch struct {
	// Properties are those of the question: a group of a set, or one by itself.
	Properties []int    `json:"properties"`
	Set        bool     `json:"set,omitempty"`
	Mutants    []Mutant `json:"mutants"`
}

// Mutant names a mutant.
type Mutant struct {
	Gate  bool   `json:"gate,omitempty"`
	Index int    `json:"index"`
	Fault string `json:"fault"`
}

func (m Mutant) target() mutant.Target { return mutant.Target{Gate: m.Gate, Index: m.Index} }

// key identifies a mutant.
type key struct {
	target mutant.Target
	fault  mutant.Fault
}

// mostMutants is the size of the largest batch. Mutants of one batch help each other:
// they are tried together before each is tried alone.
const mostMutants = 64

// perWorker is how many batches each worker is to find at least, where there are as
// many mutants: with fewer, the last ones to end would hold all others up.
const perWorker = 16

// splitting is into how many parts a batch that a round did not decide is split.
const splitting = 4

// split makes batches of at most size mutants; the mutants of a node, which follow one
// another, stay together, unless they are more.
func (b *Batch) split(size int) []*Batch {
	var out []*Batch
	for rest := b.Mutants; len(rest) > 0; {
		n := min(size, len(rest))
		for n < len(rest) && n > 1 && rest[n].target() == rest[n-1].target() {
			n--
		}
		if n < len(rest) && rest[n].target() == rest[n-1].target() { // one node, larger than a batch
			n = min(size, len(rest))
		}
		out = append(out, &Batch{b.Properties, b.Set, rest[:n]})
		rest = rest[n:]
	}
	return out
}

// Plan makes batches of all mutants that are not decided, neither by the shared part
// nor, as their journals say, by workers, and are in no batch that waits. It returns
// how many mutants are left, and in how many batches.
func (f *Farm) Plan(set *coverage.Set, tasks int) (mutants, batches int, err error) {
	claimed, err := f.claimed()
	if err != nil {
		return 0, 0, err
	}
	if err := f.makeShards(tasks); err != nil {
		return 0, 0, err
	}
	if err := f.clearQueue(); err != nil {
		return 0, 0, err
	}
	together, _ := f.Design.Split(f.Properties)
	var questions []*Batch
	for _, g := range set.Groups {
		if len(f.Tests) == 0 {
			break // nothing is left that could decide them
		}
		q := &Batch{Properties: g.Properties, Set: slices.Contains(together, g.Properties[0])}
		for _, m := range g.Mutants {
			k := key{m.Target, m.Fault}
			if m.Verdict == mutant.Unknown && set.Judge(m.Target, m.Fault).Verdict == mutant.Unknown && !claimed.settled(g.Properties[0], k) {
				q.Mutants = append(q.Mutants, Mutant{m.Target.Gate, m.Target.Index, m.Fault.String()})
			}
		}
		mutants += len(q.Mutants)
		questions = append(questions, q)
	}
	shards, err := f.shardNames()
	if err != nil {
		return 0, 0, err
	}
	size := min(mostMutants, max(1, mutants/(max(1, tasks)*perWorker)))
	for _, q := range questions {
		for _, b := range q.split(size) {
			e := entry{shard: shards[batches%len(shards)], number: batches, size: len(b.Mutants), state: todo}
			if err := f.put(e, b); err != nil {
				return 0, 0, err
			}
			batches++
		}
	}
	return mutants, batches, nil
}

// makeShards makes the directories of the queue.
func (f *Farm) makeShards(tasks int) error {
	for i := range min(mostShards, max(1, tasks)) {
		if err := os.MkdirAll(f.path(queueDir, fmt.Sprintf("%02d", i)), 0o777); err != nil {
			return err
		}
	}
	return nil
}

// clearQueue takes all batches of an earlier plan away. A worker that is still at one
// of them loses its claim.
func (f *Farm) clearQueue() error {
	shards, err := f.shardNames()
	if err != nil {
		return err
	}
	for _, shard := range shards {
		list, err := f.list(shard)
		if err != nil {
			return err
		}
		for _, e := range list {
			if err := os.Remove(f.entryPath(e)); err != nil && !isGone(err) {
				return err
			}
		}
	}
	if err := os.Remove(f.path(stopFile)); err != nil && !isGone(err) {
		return err
	}
	return nil
}

func isGone(err error) bool { return errors.Is(err, fs.ErrNotExist) }

// read returns the batch of an entry. The error is that of a file that no program of
// this kind has written.
func (f *Farm) read(e entry) (*Batch, error) {
	path := f.entryPath(e)
	var b Batch
	if err := readJSON(path, &b); err != nil {
		return nil, err
	}
	refuse := func(format string, args ...any) (*Batch, error) {
		return nil, fmt.Errorf("%s: %w; submit the farm again", path, fmt.Errorf(format, args...))
	}
	if len(b.Properties) == 0 || len(b.Mutants) != e.size {
		return refuse("%d mutants of %d properties", len(b.Mutants), len(b.Properties))
	}
	for _, p := range b.Properties {
		if !slices.Contains(f.Properties, p) {
			return refuse("property %d is not asked about", p)
		}
	}
	for _, m := range b.Mutants {
		nodes := len(f.Design.Netlist.Latches)
		if m.Gate {
			nodes = len(f.Design.Netlist.Gates)
		}
		if _, known := mutant.ParseFault(m.Fault); !known || m.Index < 0 || m.Index >= nodes {
			return refuse("there is no %s, %q", m.target(), m.Fault)
		}
	}
	return &b, nil
}
