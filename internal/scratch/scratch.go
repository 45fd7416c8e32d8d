// Package scratch makes folders for a run's files, and removes those of runs that were
// killed.
package scratch

import (
	"os"
	"path/filepath"
	"time"
)

// unlocked is the most that a folder in use may be without a lock: a new one, or one of a
// release that took no locks.
const unlocked = time.Hour

// Dir makes a folder whose name starts with a prefix, among the system's temporary files.
// The process holds a lock on it until remove is called, or it dies, however it dies. What
// others have left there under the prefix, without a lock, is removed.
func Dir(prefix string) (dir string, remove func(), err error) {
	left, _ := filepath.Glob(filepath.Join(os.TempDir(), prefix+"*"))
	for _, old := range left {
		if info, err := os.Lstat(old); err == nil && info.IsDir() && time.Since(info.ModTime()) > unlocked {
			if f, err := os.Open(old); err == nil {
				if lock(f) {
					os.RemoveAll(old)
				}
				f.Close()
			}
		}
	}
	if dir, err = os.MkdirTemp("", prefix); err != nil {
		return "", nil, err
	}
	f, err := os.Open(dir)
	if err != nil {
		os.RemoveAll(dir)
		return "", nil, err
	}
	lock(f)
	return dir, func() {
		os.RemoveAll(dir)
		f.Close()
	}, nil
}
