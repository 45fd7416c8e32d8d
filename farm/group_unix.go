//go:build unix

package farm

import (
	"os/exec"
	"syscall"
)

// ownGroup puts a command, and what it leaves in the background, into a process group
// of its own: signals for this program are none for it.
func ownGroup(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }
