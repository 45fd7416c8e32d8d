//go:build !unix

package clock

import "time"

// used is the time since the program began: here nothing is known of processors.
func used() time.Duration { return time.Since(origin) }
