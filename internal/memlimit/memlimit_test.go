package memlimit

import (
	"context"
	"runtime"
	"testing"
	"time"

	"go.uber.org/goleak"
)

const mib = 1 << 20

// TestWatch: live memory above the limit ends the context and says why; garbage
// above it does not, nor does less.
func TestWatch(t *testing.T) {
	defer goleak.VerifyNone(t)
	base := int64(heap())
	ctx, end := Watch(context.Background(), base+64*mib)
	for range 20 {
		garbage := make([]byte, 16*mib)
		garbage[0] = 1
		runtime.KeepAlive(garbage)
		time.Sleep(period / 4)
	}
	if ctx.Err() != nil {
		t.Error("garbage ended the context")
	}
	var live [][]byte
	for range 8 {
		live = append(live, make([]byte, 16*mib))
	}
	select {
	case <-ctx.Done():
	case <-time.After(20 * time.Second):
		t.Fatal("128 MiB passed a limit of 64")
	}
	runtime.KeepAlive(live)
	if !Exceeded(ctx) {
		t.Error("the cause is another one:", context.Cause(ctx))
	}
	end()

	live = nil
	Collect()
	ctx, end = Watch(context.Background(), int64(heap())+64*mib)
	time.Sleep(3 * period)
	if ctx.Err() != nil {
		t.Error("a limit that is not reached ended the context")
	}
	end()
	if Exceeded(ctx) || ctx.Err() == nil {
		t.Error("the end of the watch is no excess")
	}

	parent, cancel := context.WithCancel(context.Background())
	ctx, end = Watch(parent, 0)
	cancel()
	if ctx.Err() == nil || Exceeded(ctx) {
		t.Error("the end of the parent")
	}
	end()
	if ctx, end = Watch(context.Background(), 1); !Exceeded(ctx) {
		t.Error("a limit of one byte is looked at at once")
	}
	end()
}
