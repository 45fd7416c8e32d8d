// The time and memory of the programs that read a design. A generate loop, a module that
// instantiates itself, or a replication can ask for a circuit without end, which no parser
// can tell.

package verilog

import (
	"context"
	"errors"
	"fmt"

	"github.com/dustin/go-humanize"

	"netcov/internal/confine"
)

// Limit returns what to say of a program's end, err, when that was at the time or the
// memory of the options, which are set, and nil for any other.
func (o Options) Limit(ctx context.Context, program string, err error) error {
	const cure = "a loop, or a module that instantiates itself, may have no end; make widths and memories smaller by parameters, or allow it more"
	switch {
	case err == nil:
	case errors.Is(err, confine.ErrMemory):
		return &Error{What: fmt.Sprintf("%s needs more than %s of memory", program, humanize.IBytes(uint64(o.Memory))), Cure: cure, Option: "Memory"}
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return &Error{What: fmt.Sprintf("%s did not finish in %v", program, o.Time), Cure: cure, Option: "Time"}
	}
	return nil
}

// Bounded returns the options with the limits that nobody gave set.
func (o Options) Bounded() Options {
	if o.Time <= 0 {
		o.Time = defaultTime
	}
	if o.Memory <= 0 {
		o.Memory = confine.Memory()
	}
	return o
}
