package coverage

import (
	"context"
	"math/rand/v2"
	"sync"

	"netcov/cert"
)

// Walks along traces. Where a mutant's trace goes, the design does what the property
// watches, and other faults of the neighbourhood show there, too, if not by the same
// inputs. So a walk takes the inputs of a trace up to some step, mostly one of the last,
// and goes on at random from there. Each mutant takes that way under its own fault.

// foundTraces are the traces that were found last.
type foundTraces struct {
	mu   sync.Mutex
	list []*cert.Trace
	next int
}

const (
	mostFound = 256 // traces
	nearTail  = 32  // random steps
)

// add keeps a trace, in the place of the oldest one where there are many.
func (f *foundTraces) add(t *cert.Trace) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.list) < mostFound {
		f.list = append(f.list, t)
		return
	}
	f.list[f.next] = t
	f.next = (f.next + 1) % mostFound
}

// draw returns one of the traces; nil: there is none.
func (f *foundTraces) draw(rng *rand.Rand) *cert.Trace {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.list) == 0 {
		return nil
	}
	return f.list[rng.IntN(len(f.list))]
}

// near walks up to 64 mutants along a trace, leaves it at some step, and returns those
// that reach a bad state.
func (f *faultSimulator) near(ctx context.Context, batch []*Mutant, t *cert.Trace) []hit {
	f.startAt(batch, t)
	n := len(t.Inputs)
	leave := n - 1 - min(f.rng.IntN(n), f.rng.IntN(n))
	draw := f.drawing()
	return f.walk(ctx, leave+nearTail, true, func(frame int, in []uint64) uint64 {
		free := draw(frame, in)
		if frame < leave {
			for i := range in {
				in[i] = spread(t.Inputs[frame][i])
			}
		}
		return free
	})
}
