//go:build unix

package scratch

import (
	"os"
	"syscall"
)

// lock takes a folder for this process, and reports whether no other one has it.
func lock(f *os.File) bool {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil
}
