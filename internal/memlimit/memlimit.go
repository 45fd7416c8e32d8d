// Package memlimit ends work that needs more memory than the user allows, before
// the machine does.
package memlimit

import (
	"context"
	"errors"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// ErrExceeded is the cause of a context that the limit ended.
var ErrExceeded = errors.New("the memory limit was reached")

// period is the time between two looks at the heap.
const period = 10 * time.Millisecond

// Apply lets the garbage collector work harder as the process comes near the
// bytes; zero bytes are no limit. The function returned takes it back. What is
// live must be bounded by Watch: the collector cannot make it less.
func Apply(bytes int64) (restore func()) {
	if bytes <= 0 {
		return func() {}
	}
	old := debug.SetMemoryLimit(bytes - bytes/16)
	return func() { debug.SetMemoryLimit(old) }
}

// headroom is the share of the bytes that is left to what is no live object: stacks,
// the collector's own, what is allocated until the next look.
const headroom = 8

// Watch returns a context that ends, with the cause ErrExceeded, when live objects
// need more than the bytes but for an eighth. Zero bytes are no limit: the context
// is ctx. The function returned ends the watch and must be called.
func Watch(ctx context.Context, bytes int64) (context.Context, context.CancelFunc) {
	if bytes <= 0 {
		return ctx, func() {}
	}
	bytes -= bytes / headroom
	watched, stop := context.WithCancelCause(ctx)
	end := func() { stop(context.Canceled) }
	if !look(uint64(bytes), stop) {
		go watch(watched, uint64(bytes), stop)
	}
	return watched, end
}

// look ends the context when the limit is exceeded, and tells so. What is over
// the limit may be garbage, so it is collected first.
func look(bytes uint64, stop context.CancelCauseFunc) bool {
	if heap() <= bytes {
		return false
	}
	runtime.GC()
	if heap() <= bytes {
		return false
	}
	stop(ErrExceeded)
	return true
}

func watch(ctx context.Context, bytes uint64, stop context.CancelCauseFunc) {
	tick := time.NewTicker(period)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if look(bytes, stop) {
				return
			}
		}
	}
}

// heap is the number of bytes in objects, live or not yet freed.
func heap() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// Exceeded reports whether the limit ended the context.
func Exceeded(ctx context.Context) bool { return errors.Is(context.Cause(ctx), ErrExceeded) }

// Collect frees what is no longer used, and gives it back to the machine.
func Collect() { debug.FreeOSMemory() }
