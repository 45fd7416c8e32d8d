package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"netcov/aiger"
	"netcov/coverage/campaign"
	"netcov/farm"
	"netcov/frontend"
	"netcov/frontend/verilog"
	"netcov/internal/visible"
)

// version is the program's version, as reports name it.
const version = "0.1.0"

// Exit codes. They are part of the interface: see the README.
const (
	exitDone       = 0
	exitFailure    = 1 // bad input, or a failure of the program or the machine
	exitUsage      = 2
	exitFails      = 3 // the property fails on the original
	exitUndecided  = 4 // the original is undecided in the time given
	exitBelow      = 5 // coverage below --fail-under
	exitPartial    = 6 // the evidence leaves something out
	exitRegression = 7 // something got worse than the baseline
	exitInterrupt  = 130
	exitTerminated = 143
)

// exitError ends the program with a code. Its message may be empty, when all
// has been said already.
type exitError struct {
	code int
	msg  string
}

func (e *exitError) Error() string { return e.msg }

// usagef is an error in how the command was called.
func usagef(format string, args ...any) error {
	return &exitError{exitUsage, fmt.Sprintf(format, args...)}
}

// timeLimit checks a flag's time limit.
func timeLimit(flag string, d time.Duration) error {
	if d < 0 {
		return usagef("%s %v: give a time, or 0 for none", flag, d)
	}
	return nil
}

// run executes the command line and returns the exit code.
func run(args []string, in io.Reader, out, errOut io.Writer) int {
	ctx, stop := context.WithCancelCause(context.Background())
	defer stop(nil)
	ended := make(chan struct{})
	defer close(ended)
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(signals)
	go func() {
		select {
		case s := <-signals:
			stop(&interruption{s})
		case <-ctx.Done():
			return
		}
		select {
		case s := <-signals: // the second one ends at once whatever goes on
			os.Exit(signalCode(s))
		case <-ended:
		}
	}()

	checked := &checkedWriter{w: out}
	root := newRoot()
	root.SetArgs(args)
	root.SetIn(in)
	root.SetOut(checked)
	root.SetErr(errOut)
	err := root.ExecuteContext(ctx)
	if err == nil && checked.err != nil {
		err = fmt.Errorf("writing the output: %w", checked.err)
	}
	if err == nil {
		return exitDone
	}
	code := exitFailure
	var e *exitError
	var i *interruption
	switch {
	case errors.As(err, &e):
		code = e.code
	case errors.As(err, &i):
		code = signalCode(i.signal)
	case errors.As(err, new(*campaign.ChoiceError)):
		code = exitUsage
	case strings.HasPrefix(err.Error(), "unknown command"): // cobra has no type for it
		code = exitUsage
	}
	if msg := err.Error() + remedy(err); msg != "" {
		fmt.Fprintln(errOut, "netcov: "+visible.Line(visible.Cut(strings.TrimPrefix(msg, "netcov: "), longestMessage)))
	}
	return code
}

// remedy names the flag that mends what a library refuses, in parentheses.
func remedy(err error) string {
	var a *aiger.Error
	var v *verilog.Error
	flag := ""
	switch {
	case errors.As(err, &a) && a.Lenient:
		flag = "--lenient"
	case errors.As(err, &v):
		flag = verilogFlags[v.Option]
	case errors.As(err, new(*frontend.MemoryError)):
		flag = "--memory-limit"
	case errors.Is(err, farm.ErrLauncher):
		flag = "--launcher"
	}
	if flag == "" {
		return ""
	}
	return " (" + flag + ")"
}

// verilogFlags are the flags that set fields of verilog.Options.
var verilogFlags = map[string]string{
	"Include": "-I", "Params": "-P", "Top": "--top", "MemoryBits": "--memory-bits", "Multiclock": "--multiclock", "Yosys": "--yosys", "Time": "--read-time", "Memory": "--read-memory",
	verilog.ScriptOption: "--show-script",
}

// longestMessage is as much as an error may say, in bytes.
const longestMessage = 4000

// newRoot builds the command tree.
func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "netcov",
		Short: "How much of a hardware design do its properties really check?",
		Long: `netcov cuts each register of a design out of its netlist (stuck-at-0,
stuck-at-1, free) and decides, exactly, whether some proved property notices.`,
		Version:       version,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return c.Help()
		},
	}
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return usagef("%v; see '%s --help'", err, c.CommandPath())
	})
	root.AddCommand(
		newCoverCommand(),
		newCheckCommand(),
		newInfoCommand(),
		newConvertCommand(),
		newVerifyCommand(),
		newCTLCommand(),
		NewLTLCommand(),
		newSimulateCommand(),
		newCompareCommand(),
		newDoctorCommand(),
		newLowerCommand(),
		newExplainCommand(),
		newFarmCommand(),
		newDiffCommand(),
		newWaiveCommand(),
		newReportCommand(),
		newMergeCommand(),
		newInitCommand(),
		newManualCommand(),
	)
	root.AddCommand(newEssays()...)
	for _, c := range root.Commands() {
		wrapArgs(c)
	}
	return root
}

// wrapArgs turns a command's complaints about its arguments into usage errors.
func wrapArgs(c *cobra.Command) {
	check := c.Args
	if check == nil {
		return
	}
	c.Args = func(c *cobra.Command, args []string) error {
		if err := check(c, args); err != nil {
			return usagef("%v; see '%s --help'", err, c.CommandPath())
		}
		return nil
	}
}

// interruption is the cause of a context that a signal ended.
type interruption struct{ signal os.Signal }

func (i *interruption) Error() string {
	if i.signal == syscall.SIGTERM {
		return "interrupted (SIGTERM)"
	}
	return "interrupted (SIGINT)"
}

// interrupted returns the exit error for a run that a signal ended, or nil.
func interrupted(ctx context.Context) error {
	var i *interruption
	if !errors.As(context.Cause(ctx), &i) {
		return nil
	}
	return &exitError{signalCode(i.signal), i.Error()}
}

// signalCode is the exit code of a run that a signal ended.
func signalCode(s os.Signal) int {
	if s == syscall.SIGTERM {
		return exitTerminated
	}
	return exitInterrupt
}

// checkedWriter remembers the first error of standard output.
type checkedWriter struct {
	w   io.Writer
	err error
}

func (c *checkedWriter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	if err != nil && c.err == nil {
		c.err = err
	}
	return n, err
}
