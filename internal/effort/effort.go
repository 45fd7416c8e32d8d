// Package effort counts what the engines of a run do: the figures that a verbose
// run and the JSON report show for each engine. Counting never changes what an engine
// does.
package effort

import (
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// Counts are the counters of one engine, for all runs of it. They may be used by
// several goroutines. A nil pointer counts nothing.
type Counts struct {
	queries, decisions, conflicts, propagations atomic.Int64
	frames, clauses, generalisations            atomic.Int64
}

// Query counts a query of a SAT solver and what it took.
func (c *Counts) Query(decisions, conflicts, propagations int64) {
	if c == nil {
		return
	}
	c.queries.Add(1)
	c.decisions.Add(decisions)
	c.conflicts.Add(conflicts)
	c.propagations.Add(propagations)
}

// Frame notes that a run has reached a frame: a step of an unrolling, or a frame of
// IC3. The deepest counts.
func (c *Counts) Frame(k int) {
	if c == nil {
		return
	}
	for {
		old := c.frames.Load()
		if int64(k) <= old || c.frames.CompareAndSwap(old, int64(k)) {
			return
		}
	}
}

// Clause counts a clause over latches that the engine found.
func (c *Counts) Clause() {
	if c != nil {
		c.clauses.Add(1)
	}
}

// Generalisation counts an attempt to make such a clause stronger.
func (c *Counts) Generalisation() {
	if c != nil {
		c.generalisations.Add(1)
	}
}

// Engine is what one engine did. Frames is the deepest frame; the other figures are
// sums over its runs.
type Engine struct {
	Engine          string `json:"engine"`
	Queries         int64  `json:"queries"`
	Decisions       int64  `json:"decisions"`
	Conflicts       int64  `json:"conflicts"`
	Propagations    int64  `json:"propagations"`
	Frames          int64  `json:"frames"`
	Clauses         int64  `json:"clauses"`
	Generalisations int64  `json:"generalisations"`
}

// Add adds what an engine of the same name did in another run.
func (e *Engine) Add(o Engine) {
	e.Queries += o.Queries
	e.Decisions += o.Decisions
	e.Conflicts += o.Conflicts
	e.Propagations += o.Propagations
	e.Frames = max(e.Frames, o.Frames)
	e.Clauses += o.Clauses
	e.Generalisations += o.Generalisations
}

// Engines holds the counters of all engines by name. The zero value is ready; a nil
// pointer counts nothing.
type Engines struct {
	mu     sync.Mutex
	counts map[string]*Counts
}

// Of returns the counters of an engine.
func (e *Engines) Of(name string) *Counts {
	if e == nil {
		return nil
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.counts == nil {
		e.counts = map[string]*Counts{}
	}
	c := e.counts[name]
	if c == nil {
		c = &Counts{}
		e.counts[name] = c
	}
	return c
}

// List returns the engines that did anything, by name.
func (e *Engines) List() []Engine {
	if e == nil {
		return nil
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	out := []Engine{}
	for name, c := range e.counts {
		if x := c.figures(name); x != (Engine{Engine: name}) {
			out = append(out, x)
		}
	}
	slices.SortFunc(out, func(a, b Engine) int { return strings.Compare(a.Engine, b.Engine) })
	return out
}

func (c *Counts) figures(name string) Engine {
	return Engine{
		Engine: name, Queries: c.queries.Load(), Decisions: c.decisions.Load(), Conflicts: c.conflicts.Load(),
		Propagations: c.propagations.Load(), Frames: c.frames.Load(), Clauses: c.clauses.Load(), Generalisations: c.generalisations.Load(),
	}
}
