// Package confine runs other programs within limits: they write inside of a folder only,
// read no device, connect to nothing (landlock_linux.go), need no more memory than they
// may, and end with the program that started them (process_linux.go).
package confine

import (
	"context"
	"errors"
	"os/exec"
	"runtime"
	"time"
)

// ErrMemory tells that a program was ended at its limit of memory.
var ErrMemory = errors.New("the program reached its limit of memory")

// period is the time between two looks at a program's memory.
const period = 100 * time.Millisecond

// tidyTime is how long the output of a killed program is waited for.
const tidyTime = 2 * time.Second

// Run runs a program with its arguments to its end. set may choose what else it is given,
// but for its limits. The program ends with ctx, and with ErrMemory when its processes need
// more than the bytes of memory together. Where the kernel has no such limits, it runs
// without them.
func Run(ctx context.Context, folder string, memory int64, set func(*exec.Cmd), program string, args ...string) error {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.WaitDelay = tidyTime
	cmd.Cancel = func() error { return kill(cmd) }
	prepare(cmd)
	set(cmd)
	started, ended := make(chan error), make(chan struct{})
	defer close(ended)
	go func() {
		runtime.LockOSThread() // and never unlocked: the thread ends with the goroutine
		confine(folder)
		started <- cmd.Start()
		<-ended // the end of this thread would be that of the program
	}()
	if err := <-started; err != nil {
		return err
	}
	excess := make(chan bool)
	stop := make(chan struct{})
	go func() { excess <- watch(cmd, memory, stop) }()
	err := cmd.Wait()
	close(stop)
	if <-excess {
		return ErrMemory
	}
	return err
}

// watch kills a program that needs too much memory, and reports whether it did.
func watch(cmd *exec.Cmd, memory int64, stop <-chan struct{}) bool {
	tick := time.NewTicker(period)
	defer tick.Stop()
	for {
		select {
		case <-stop:
			return false
		case <-tick.C:
			if memory > 0 && resident(cmd.Process.Pid) > memory {
				_ = kill(cmd)
				return true
			}
		}
	}
}

// Memory is what a program may need where nobody says how much: half of the machine's,
// 0, which is no limit, where that is not known.
func Memory() int64 { return machine() / 2 }
