package clock

import (
	"context"
	"sync"
	"time"
)

// origin is when the program began.
var origin = time.Now()

// Work is a stopwatch of the time in which work could be done: on a machine that is busy
// with other programs, the time of the processor that this one has had.
type Work struct {
	begin time.Time
	used  time.Duration
}

// StartWork starts a stopwatch.
func StartWork() Work { return Work{time.Now(), used()} }

// Elapsed is the time since the start.
func (w Work) Elapsed() time.Duration { return min(time.Since(w.begin), used()-w.used) }

// working is a context whose Err looks at a stopwatch.
type working struct {
	context.Context
	work  Work
	limit time.Duration
}

// LimitWork is Limit by such a stopwatch: for what engines spend on a question before they
// turn to another one. A limit that a user has set is one of Limit.
func LimitWork(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	inner, cancel := context.WithCancel(ctx)
	if d <= 0 {
		return inner, cancel
	}
	w := working{inner, StartWork(), d}
	var mu sync.Mutex // of timer
	var timer *time.Timer
	mu.Lock()
	timer = time.AfterFunc(d, func() { // for what is derived from it
		left := d - w.work.Elapsed()
		if left <= 0 {
			cancel()
			return
		}
		mu.Lock()
		defer mu.Unlock()
		if inner.Err() == nil {
			timer.Reset(max(left, time.Millisecond))
		}
	})
	mu.Unlock()
	return w, func() {
		cancel()
		mu.Lock()
		defer mu.Unlock()
		timer.Stop()
	}
}

// Err is nil until the limit is over or the context is cancelled.
func (w working) Err() error {
	if err := w.Context.Err(); err != nil {
		return err
	}
	if time.Since(w.work.begin) < w.limit || w.work.Elapsed() < w.limit {
		return nil
	}
	return context.DeadlineExceeded
}
