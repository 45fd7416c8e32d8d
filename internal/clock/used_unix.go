//go:build unix

package clock

import (
	"syscall"
	"time"
)

// used is the time of processors that the process has had.
func used() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return time.Since(origin)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
