// Package clock limits the time of busy work.
package clock

import (
	"context"
	"time"
)

// limited is a context whose Err looks at the clock.
type limited struct {
	context.Context
	end time.Time
}

// Limit returns a context that ends after d, like context.WithTimeout; d of 0 or
// less is no limit. Its Err tells the end at once, where the timer of a usual
// context goes unnoticed for as long as 10 ms when the only processor is busy.
// What is derived from it has the usual timer.
func Limit(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	if d <= 0 {
		return context.WithCancel(ctx)
	}
	end := time.Now().Add(d)
	inner, cancel := context.WithDeadline(ctx, end)
	return limited{inner, end}, cancel
}

// Err is nil until the limit is over or the context is cancelled.
func (l limited) Err() error {
	if err := l.Context.Err(); err != nil {
		return err
	}
	if time.Now().Before(l.end) {
		return nil
	}
	return context.DeadlineExceeded
}

// Sooner is the smaller one of two limits, of which 0 is none.
func Sooner(a, b time.Duration) time.Duration {
	if a <= 0 || b > 0 && b < a {
		return b
	}
	return a
}

// Share is the part of a limit that some pieces of work of all get: none of none, and
// never so little that it would be none.
func Share(limit time.Duration, pieces, of int) time.Duration {
	if limit <= 0 {
		return limit
	}
	return max(1, limit/time.Duration(of)*time.Duration(pieces))
}
