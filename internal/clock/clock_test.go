package clock

import (
	"context"
	"errors"
	"runtime"
	"sync/atomic"
	"testing"
	"time"
)

// A busy goroutine on one processor sees the end soon after it.
func TestLimitIsSeenWhileBusy(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	best := time.Hour
	for range 50 {
		begin := time.Now()
		ctx, cancel := Limit(context.Background(), time.Millisecond)
		for ctx.Err() == nil {
		}
		best = min(best, time.Since(begin))
		if !errors.Is(ctx.Err(), context.DeadlineExceeded) {
			t.Fatalf("the context ended with %v", ctx.Err())
		}
		cancel()
	}
	if best < time.Millisecond || best > 8*time.Millisecond {
		t.Fatalf("a limit of 1 ms was seen after %v at best", best)
	}
}

func TestLimitEnds(t *testing.T) {
	ctx, cancel := Limit(context.Background(), time.Millisecond)
	defer cancel()
	<-ctx.Done()
	if !errors.Is(ctx.Err(), context.DeadlineExceeded) {
		t.Fatal(ctx.Err())
	}
	none, cancelNone := Limit(context.Background(), 0)
	if _, has := none.Deadline(); has || none.Err() != nil {
		t.Fatal("0 is no limit")
	}
	cancelNone()
	if !errors.Is(none.Err(), context.Canceled) {
		t.Fatal("a cancelled context says so")
	}
}

// Work goes on where the processor was elsewhere, and ends where it was not.
func TestLimitWork(t *testing.T) {
	ctx, cancel := LimitWork(context.Background(), 20*time.Millisecond)
	defer cancel()
	inner, cancelInner := context.WithCancel(ctx)
	defer cancelInner()
	time.Sleep(60 * time.Millisecond) // of another program
	if ctx.Err() != nil || inner.Err() != nil {
		t.Fatal("time without work counts")
	}
	work := StartWork()
	for ctx.Err() == nil {
	}
	if d := work.Elapsed(); d > 200*time.Millisecond {
		t.Fatalf("a limit of 20 ms was seen after %v of work", d)
	}
	var seen atomic.Bool
	done := make(chan struct{})
	go func() { // work for the timer to see
		defer close(done)
		for !seen.Load() {
		}
	}()
	<-inner.Done()
	seen.Store(true)
	<-done
	other, cancelOther := LimitWork(context.Background(), time.Hour)
	cancelOther()
	if !errors.Is(other.Err(), context.Canceled) {
		t.Fatal(other.Err())
	}
	if none, cancelNone := LimitWork(context.Background(), 0); none.Err() != nil {
		t.Fatal("0 is no limit")
	} else {
		cancelNone()
	}
}
