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
