// Command netcov tells how much of a hardware design its proved properties
// really check.
package main

import (
	"os"
	"os/signal"
	"syscall"

	"netcov/internal/memlimit"
)

func main() {
	memlimit.Roomy()
	// A reader of the report that goes away is a write error; the other outputs
	// are still written.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
