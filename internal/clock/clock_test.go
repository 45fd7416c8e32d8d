package clock

import (
	"context"
	"errors"
	"runtime"
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
