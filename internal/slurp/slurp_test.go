package slurp

import (
	"errors"
	"io"
	"testing"
)

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { return len(p), nil }

// TestInflation: compressed data is refused once it is both large and out of
// proportion.
func TestInflation(t *testing.T) {
	for _, c := range []struct {
		packed, size, read int64
		refused            bool
	}{
		{1000, 1 << 20, 1 << 20, false},                       // a thousand times, but small
		{4 << 20, 600 << 20, 600 << 20, false},                // large, but in proportion
		{1000, 1 << 30, freeUnpacked + 1<<15, true},           // both
		{4 << 20, 1 << 30, maxInflation*4<<20 + 1<<15, true},  // from a point on
		{6 << 20, maxInflation * 6 << 20, 1200 << 20, false},  // just in proportion
		{0, freeUnpacked + 1<<20, freeUnpacked + 1<<15, true}, // from nothing
	} {
		u := &unpacked{r: counted{r: io.LimitReader(zeros{}, c.size)}, from: &counted{n: c.packed}}
		n, err := io.Copy(io.Discard, u)
		if errors.Is(err, errInflated) != c.refused || n > c.read {
			t.Errorf("%d bytes out of %d: %d are read, %v", c.size, c.packed, n, err)
		}
	}
}
