package memlimit

import (
	"runtime"
	"runtime/debug"
	"sync/atomic"
	"testing"
	"time"
)

// TestPercent: the next collection comes at 32 MiB, or where the live bytes have doubled.
func TestPercent(t *testing.T) {
	for _, c := range []struct{ live, next uint64 }{
		{8 * mib, 32 * mib}, {16 * mib, 32 * mib}, {20 * mib, 40 * mib}, {400 * mib, 800 * mib},
	} {
		if next := c.live + c.live*uint64(percent(c.live))/100; next != c.next {
			t.Errorf("%d MiB live: the next collection is at %d, want %d MiB", c.live/mib, next/mib, c.next/mib)
		}
	}
	for _, live := range []uint64{0, 1, mib} {
		if p := percent(live); p != mostPercent {
			t.Errorf("%d bytes live: %d percent, want %d", live, p, mostPercent)
		}
	}
}

// TestRoomy: what fits into the room is not collected, and each collection makes room anew.
func TestRoomy(t *testing.T) {
	t.Setenv("GOGC", "100")
	before := debug.SetGCPercent(usualPercent)
	defer debug.SetGCPercent(before)
	if Roomy(); debug.SetGCPercent(usualPercent) != usualPercent {
		t.Error("GOGC is set, and not heeded")
	}
	t.Setenv("GOGC", "")
	Roomy()
	for range 2 {
		runtime.GC()
		if p := settled(); p <= usualPercent {
			t.Fatalf("%d percent after a collection of a small heap", p)
		}
		if n := collections(func() { garbage(12 * mib) }); n != 0 {
			t.Errorf("%d collections of 12 MiB", n)
		}
	}
	if n := collections(func() { garbage(200 * mib) }); n == 0 {
		t.Error("no collection of 200 MiB")
	}
	kept := make([]byte, 40*mib)
	runtime.GC()
	if p := settled(); p != usualPercent {
		t.Errorf("%d percent after a collection of a large heap", p)
	}
	runtime.KeepAlive(kept)
}

// settled waits until the last collection has set the percentage, and returns that.
func settled() int {
	time.Sleep(50 * time.Millisecond)
	p := debug.SetGCPercent(usualPercent)
	debug.SetGCPercent(p)
	return p
}

func collections(f func()) uint32 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.NumGC - before.NumGC
}

var sink atomic.Pointer[[]byte]

func garbage(bytes int) {
	for range bytes >> 10 {
		b := make([]byte, 1<<10)
		sink.Store(&b)
	}
}
