package main

import (
	"context"
	"errors"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestWithin: a computation that does not listen is abandoned, with the exit
// code of what ended its context.
func TestWithin(t *testing.T) {
	defer func(old time.Duration) { grace = old }(grace)
	grace = 10 * time.Millisecond
	deaf := make(chan struct{})
	defer close(deaf)
	wait := func() (int, error) {
		<-deaf
		return 1, nil
	}
	for _, c := range []struct {
		end  func() (context.Context, context.CancelFunc)
		code int
		has  string
	}{
		{func() (context.Context, context.CancelFunc) {
			return context.WithTimeout(context.Background(), time.Millisecond)
		}, exitUndecided, "model: stopped: the time limit was reached"},
		{func() (context.Context, context.CancelFunc) {
			ctx, cancel := context.WithCancelCause(context.Background())
			cancel(&interruption{syscall.SIGTERM})
			return ctx, func() { cancel(nil) }
		}, exitTerminated, "interrupted (SIGTERM)"},
		{func() (context.Context, context.CancelFunc) {
			ctx, cancel := context.WithCancelCause(context.Background())
			cancel(errors.New("the memory limit of 1GB was reached"))
			return ctx, func() { cancel(nil) }
		}, exitUndecided, "model: stopped: the memory limit of 1GB was reached"},
	} {
		ctx, cancel := c.end()
		_, err := within(ctx, "model", wait)
		cancel()
		var e *exitError
		if !errors.As(err, &e) || e.code != c.code || !strings.Contains(e.msg, c.has) {
			t.Errorf("%v, want code %d and %q", err, c.code, c.has)
		}
	}
	// One that ends in time gives its result, also after the context's end.
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if n, err := within(ctx, "model", func() (int, error) { return 7, nil }); n != 7 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
}
