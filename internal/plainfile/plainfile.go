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

// MaxText, in bytes, is more than any text that a person or a translator writes.
const MaxText = 256 << 20

// CheckText is Check for a file of text, which may not be huge either.
func CheckText(path string) error {
	if err := Check(path); err != nil {
		return err
	}
	info, err := os.Stat(path)
	if err == nil && info.Mode().IsRegular() && info.Size() > MaxText {
		return fmt.Errorf("%s: the file has %d bytes, more than the limit of %d for text; make it smaller", path, info.Size(), MaxText)
	}
	return nil
}
