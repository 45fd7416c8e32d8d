package main

import (
	"container/heap"
	"math"
	"math/rand/v2"
	"slices"
)

// The queue of package farm as events: a worker that is free takes the next batch, has
// it for as long as its mutants take, at most the time of its round, and leaves what is
// not decided as smaller batches of the next round.

// What a farm does; the numbers are those of package farm and its defaults.
const (
	batchSize   = 64
	perWorker   = 16
	splitting   = 4
	batchTime   = 60.0
	lease       = 180.0
	stopLook    = 5.0
	overhead    = 0.03   // seconds of a batch beside its mutants, as measured on a small design
	hardest     = 3600.0 // --mutant-time
	undecidedAt = 8.0    // seconds after which the measurement gave up
)

// policy is how mutants come to workers: in small batches, first come first served,
// whose time grows by a factor each round.
type policy struct {
	growth  float64 // 0: no limit of time, and no rounds
	single  bool    // a mutant by itself has a limit, too
	byIndex bool    // each worker has a share from the beginning instead
}

// asBuilt is what package farm does.
var asBuilt = policy{growth: 4}

// outcome is one simulated run of the workers.
type outcome struct {
	ideal, makespan float64 // seconds
	batches         int
	operations      float64 // of the file system
	wasted          float64 // share of the work that a later round did again
}

// sampler draws the time of a mutant that is left to workers.
func (m *measured) sampler(r *rand.Rand) func() float64 {
	return func() float64 {
		at := r.Float64() * quantiles
		k := min(int(at), quantiles-1)
		x := m.times[k] + (at-float64(k))*(m.times[k+1]-m.times[k])
		if at > quantiles*(1-m.open) { // nobody knows how long: a tail like 1/x
			x = max(x, undecidedAt) / max(r.Float64(), 1e-9)
		}
		return min(x, hardest)
	}
}

type batch struct {
	round   int
	mutants []float64
}

type event struct {
	at       float64
	children []batch
}

type events []event

func (e events) Len() int           { return len(e) }
func (e events) Less(i, j int) bool { return e[i].at < e[j].at }
func (e events) Swap(i, j int)      { e[i], e[j] = e[j], e[i] }
func (e *events) Push(x any)        { *e = append(*e, x.(event)) }
func (e *events) Pop() any {
	last := (*e)[len(*e)-1]
	*e = (*e)[:len(*e)-1]
	return last
}

// simulate runs the workers on the mutants that are left.
func simulate(times []float64, workers int, p policy) outcome {
	var o outcome
	total := 0.0
	for _, t := range times {
		total += t
	}
	o.ideal = max(total/float64(workers), slices.Max(times))
	size := min(batchSize, max(1, len(times)/(workers*perWorker)))
	if p.byIndex {
		size = (len(times) + workers - 1) / workers
	}
	var queue []batch
	for b := range slices.Chunk(times, size) {
		queue = append(queue, batch{0, slices.Clone(b)})
	}
	free, spent := workers, 0.0
	var running events
	for now := 0.0; len(queue) > 0 || len(running) > 0; {
		for free > 0 && len(queue) > 0 {
			b := queue[0]
			queue = queue[1:]
			free--
			took, children := b.run(p)
			spent += took
			o.batches++
			o.operations += operations(len(b.mutants), took, len(children))
			heap.Push(&running, event{now + took, children})
		}
		e := heap.Pop(&running).(event)
		now = e.at
		free++
		queue = append(queue, e.children...)
		o.makespan = now
	}
	o.wasted = max(0, 1-(total+overhead*float64(o.batches))/spent)
	return o
}

// run is the time that a batch takes, and what it leaves. Slices of growing length
// decide easy mutants first.
func (b batch) run(p policy) (took float64, children []batch) {
	limit := math.Inf(1)
	if p.growth > 0 && (p.single || len(b.mutants) > 1) {
		limit = batchTime * math.Pow(p.growth, float64(b.round))
	}
	slices.Sort(b.mutants)
	took = overhead
	for i, t := range b.mutants {
		if took+t <= limit+overhead {
			took += t
			continue
		}
		left := b.mutants[i:]
		for c := range slices.Chunk(left, (len(left)+splitting-1)/splitting) {
			children = append(children, batch{b.round + 1, slices.Clone(c)})
		}
		return limit + overhead, children
	}
	return took, nil
}

// operations are those of the file system for a batch, as an NFS server counts them.
func operations(mutants int, took float64, children int) float64 {
	claim := 1.0 + 1 + 1 + 3         // list the shard, rename, touch; open, read and close the batch
	gossip := 1.0 + 3*(4+1)          // list the results; open, read and close five journals
	journal := 2 * float64(mutants)  // write and commit
	end := 1.0 + 3*float64(children) // rename; create, write and rename what is left
	alive := took/(lease/6) + took/stopLook
	return claim + gossip + journal + end + alive
}
