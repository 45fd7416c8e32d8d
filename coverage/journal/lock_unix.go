//go:build unix

package journal

import (
	"errors"
	"os"
	"syscall"
)

// lock takes the file for this process until it is closed. The system lets go of
// it when the process dies, however it dies. Some network file systems have no
// locks, which is no error: two runs that write there at once damage the chain of
// checksums, which shows.
func lock(f *os.File) error {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if noLocks(err) {
		return nil
	}
	return err
}

// noLocks reports whether a file system cannot lock at all.
func noLocks(err error) bool {
	return errors.Is(err, syscall.ENOLCK) || errors.Is(err, errors.ErrUnsupported)
}

// syncDir puts a directory's entries on the disk. Some file systems cannot, which
// is no error.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	if err := d.Sync(); err != nil && !errors.Is(err, syscall.EINVAL) && !errors.Is(err, errors.ErrUnsupported) {
		return err
	}
	return nil
}
