package main

import (
	"time"

	"github.com/spf13/pflag"

	"netcov/frontend/verilog"
)

// readLimits are the limits of the programs that read a design.
type readLimits struct {
	time   time.Duration
	memory string
}

func (l *readLimits) add(fs *pflag.FlagSet) {
	fs.DurationVar(&l.time, "read-time", 10*time.Minute, "Verilog: time for yosys, and for ghdl")
	fs.StringVar(&l.memory, "read-memory", "", "Verilog: memory for yosys or ghdl, such as 2GiB (default: --memory-limit where that is given, else half of the machine's)")
}

// set puts the limits into the options; overall is the command's own limit of memory, 0
// for none.
func (l *readLimits) set(o *verilog.Options, overall int64) error {
	if err := timeLimit("--read-time", l.time); err != nil {
		return err
	}
	memory, err := parseBytes("read-memory", l.memory)
	if err != nil {
		return err
	}
	if memory == 0 {
		memory = overall
	}
	o.Time, o.Memory = l.time, memory
	return nil
}
