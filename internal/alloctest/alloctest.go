// Package alloctest checks in tests that a reader allocates no more than its
// input is worth: a number in a file must not decide how much memory it takes.
package alloctest

import (
	"runtime/metrics"
	"testing"
)

// free is what any input may cost, in bytes: buffers, tables and the runtime's
// own rounding.
const free = 4 << 20

// Check runs read, which reads an input of so many bytes, and fails when it
// allocates more than the given number of bytes for each of them. Allocations
// add up, whether they are still in use or not, those of other goroutines
// included.
func Check(t testing.TB, input, each int, read func()) {
	t.Helper()
	before := allocated()
	read()
	if used, due := allocated()-before, uint64(free+input*each); used > due {
		t.Errorf("%d bytes are allocated for an input of %d", used, input)
	}
}

func allocated() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
