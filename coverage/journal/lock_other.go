//go:build !unix

package journal

import "os"

// lock does nothing where the system has no such locks.
func lock(*os.File) error { return nil }

// syncDir does nothing where directories cannot be synced.
func syncDir(string) error { return nil }
