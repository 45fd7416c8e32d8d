// Package plainfile keeps readers from files that have no end.
package plainfile

import (
	"fmt"
	"os"
)

// Check refuses a device, such as /dev/zero, by name. Regular files and pipes
// pass; so does what cannot be looked at, which opening it will report.
func Check(path string) error {
	info, err := os.Stat(path)
	if err == nil && info.Mode()&os.ModeDevice != 0 {
		return fmt.Errorf("%s: this is a device; give a file", path)
	}
	return nil
}

// NoPipe refuses a pipe or a socket, which cannot be read again.
func NoPipe(path string) error {
	info, err := os.Stat(path)
	if err == nil && info.Mode()&(os.ModeNamedPipe|os.ModeSocket) != 0 {
		return fmt.Errorf("%s: this is a pipe; give a file", path)
	}
	return nil
}
