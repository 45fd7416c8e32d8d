package memlimit

import (
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// room is the heap below which nothing is collected. Most designs are decided in less;
// there the collector would cost a sixth of the time.
const room = 32 << 20

// The collector's percentages. The smallest heap that it lets grow is 4 MiB at 100, and
// in proportion at others.
const (
	usualPercent = 100
	mostPercent  = room / (4 << 20) * usualPercent
)

// Roomy puts collections off until the heap has grown to 32 MiB; a larger one is
// collected as ever. It leaves things as they are where the user has set GOGC.
func Roomy() {
	if os.Getenv("GOGC") != "" {
		return
	}
	debug.SetGCPercent(mostPercent)
	afterEach(func() { debug.SetGCPercent(percent(live())) })
}

// percent lets a heap with so many live bytes grow to room, or to twice its size.
func percent(live uint64) int {
	wanted := usualPercent * (room/float64(live) - 1)
	return int(math.Min(math.Max(wanted, usualPercent), mostPercent))
}

// afterEach calls a function after each collection.
func afterEach(f func()) {
	type collected struct{ _ *int } // with a pointer, it has a block of its own
	var again func(*collected)
	again = func(c *collected) {
		f()
		runtime.SetFinalizer(c, again)
	}
	runtime.SetFinalizer(&collected{}, again)
}

// live is the number of bytes in objects that the last collection found alive.
func live() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
