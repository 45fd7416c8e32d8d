package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"slices"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"netcov/coverage"
	"netcov/coverage/report"
	"netcov/farm"
	"netcov/internal/effort"
	"netcov/internal/memlimit"
)

// The commands that work on the directory of a farm.

// restore sets flags as netcov farm submit was given them, and returns the options.
func (f *coverFlags) restore(x *farm.Farm, t ...topic) (coverage.Options, error) {
	all := pflag.NewFlagSet("", pflag.ContinueOnError)
	for _, one := range t {
		all.AddFlagSet(one.flags)
	}
	refuse := func(err error) (coverage.Options, error) {
		return coverage.Options{}, fmt.Errorf("%s/farm.json: %w; restore the file, or submit a new farm", x.Dir, err)
	}
	for _, name := range slices.Sorted(maps.Keys(x.Flags)) {
		if all.Lookup(name) == nil {
			return refuse(fmt.Errorf("there is no flag %q", name))
		}
		if err := all.Set(name, x.Flags[name]); err != nil {
			return refuse(err)
		}
	}
	given := f.input.given
	f.input.given = func(name string) bool { return all.Changed(name) || given(name) }
	opt, err := f.options()
	if err != nil {
		return opt, err
	}
	which, err := f.question(x.Design, &opt)
	if err != nil {
		return refuse(err)
	}
	h, err := f.header(x.Design, which, opt)
	if err != nil {
		return opt, err
	}
	if !slices.Equal(which, x.Properties) || x.Header.Version == version && fmt.Sprint(h) != fmt.Sprint(x.Header) {
		return refuse(errors.New("the settings are not those of the run"))
	}
	if x.Header.Version != version {
		return opt, fmt.Errorf("%s is a farm of netcov %s, this is %s; use the same program on all hosts", x.Dir, x.Header.Version, version)
	}
	opt.MemoryLimit = int64(memoryShare * float64(x.Memory))
	return opt, nil
}

// questionTopics are the flags that restore sets; they are no flags of the command.
func (f *coverFlags) questionTopics() []topic {
	return []topic{f.designTopic(), f.faultsTopic(), f.effortTopic(), f.trustTopic()}
}

func newFarmWorkerCommand() *cobra.Command {
	var f coverFlags
	var task int
	c := &cobra.Command{
		Use:   "worker DIR",
		Short: "Take batches of mutants from a farm and decide them, until none is left",
		Long: `Takes batches of mutants from the farm in DIR and decides them, until none is left, the
time of a worker is over, or the farm is cancelled. Jobs of the scheduler run it; where
there is none, start as many as you like, on any host that sees DIR.

Exit codes: 0 done; 1 failure (the batch goes to another worker); 2 usage; 130 or 143
interrupted.`,
		Args: cobra.ExactArgs(1),
	}
	topics := f.questionTopics()
	f.outputsTopic() // none is written: their defaults
	c.Flags().SortFlags = false
	c.Flags().IntVar(&task, "task", 0, "number of the worker, from 0: where it looks for work first")
	c.Flags().IntVar(&f.jobs, "jobs", 1, "processors")
	c.Flags().BoolVar(&f.quiet, "quiet", false, "do not tell on standard error what is done (default false)")
	f.input.given = c.Flags().Changed
	c.RunE = func(c *cobra.Command, args []string) error {
		x, err := farm.Open(c.Context(), args[0])
		if err != nil {
			return err
		}
		opt, err := f.restore(x, topics...)
		if err != nil {
			return err
		}
		defer memlimit.Apply(opt.MemoryLimit)()
		w := farm.WorkerOptions{Run: opt, Number: task}
		if !f.quiet {
			w.Log = slog.New(slog.NewTextHandler(c.ErrOrStderr(), nil))
		}
		begin := time.Now()
		work, err := x.Work(c.Context(), w)
		if stopped := interrupted(c.Context()); err != nil && stopped != nil {
			return stopped
		}
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(c.OutOrStdout(), "%s decided in %s, %.1f s\n", report.Plural(work.Mutants, "mutant"), plural(work.Batches, "batch", "batches"), time.Since(begin).Seconds())
		return err
	}
	return c
}

// plural counts things whose plural has no s.
func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return humanize.Comma(int64(n)) + " " + many
}

// launcherFlag adds the flag of the commands that ask a scheduler.
func launcherFlag(c *cobra.Command, to *string) {
	c.Flags().StringVar(to, "launcher", "", "file of the launcher, where it is not one that is shipped (default none)")
}

func newFarmStatusCommand() *cobra.Command {
	var launcher string
	c := &cobra.Command{
		Use:   "status DIR",
		Short: "What a farm has done and what is left",
		Long: `Counts the batches of the farm in DIR and the mutants that are left in them, and asks
the scheduler for its jobs. Reads names of files only, so it is quick for large farms.`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			x, err := farm.Open(c.Context(), args[0])
			if err != nil {
				return err
			}
			s, err := x.Status()
			if err != nil {
				return err
			}
			if err := writeStatus(c.OutOrStdout(), x, s); err != nil {
				return err
			}
			return writeJobs(c.Context(), c.OutOrStdout(), x, launcher)
		},
	}
	launcherFlag(c, &launcher)
	return c
}

func writeStatus(w io.Writer, x *farm.Farm, s farm.Status) error {
	shared := "done"
	if !x.Shared {
		shared = "not done: submit the farm again"
	}
	_, err := fmt.Fprintf(w, "shared part   %s\nbatches       %d wait, %d at work (%s), %d done\nopen mutants  %s\n",
		shared, s.Todo, s.Taken, report.Plural(s.Workers, "worker"), s.Done, humanize.Comma(int64(s.Open)))
	if err == nil && s.Failed > 0 {
		_, err = fmt.Fprintf(w, "given up      %s with %s, after three workers died at it\n", plural(s.Failed, "batch", "batches"), report.Plural(s.Given, "mutant"))
	}
	if err == nil && s.Cancelled {
		_, err = fmt.Fprintln(w, "cancelled     submit the farm again to go on")
	}
	return err
}

func writeJobs(ctx context.Context, w io.Writer, x *farm.Farm, launcher string) error {
	j, err := x.ReadJobs()
	if err != nil || j.Launcher == "" {
		return err
	}
	workers, merge, err := x.Running(ctx, j, launcher)
	if err != nil {
		return err
	}
	word := map[bool]string{true: "exists", false: "has ended"}
	if j.Workers != "" {
		if _, err := fmt.Fprintf(w, "workers       job %s %s\n", j.Workers, word[workers]); err != nil {
			return err
		}
	}
	_, err = fmt.Fprintf(w, "merge         job %s %s\n", j.Merge, word[merge])
	return err
}

func newFarmWaitCommand() *cobra.Command {
	var launcher string
	var quiet bool
	c := &cobra.Command{
		Use:   "wait DIR",
		Short: "Wait until the jobs of a farm have ended",
		Long: `Waits until no job of the farm in DIR is left, the merge included; of a farm whose
workers you start, until no batch is left. Tells what changes.

Exit codes: 0 all batches are done; 1 failure, or batches are left (submit the farm
again); 2 usage; 130 or 143 interrupted (the farm goes on).`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			x, err := farm.Open(c.Context(), args[0])
			if err != nil {
				return err
			}
			var last farm.Status
			err = x.Wait(c.Context(), launcher, func(s farm.Status) {
				last = s
				if !quiet {
					fmt.Fprintf(c.OutOrStdout(), "%s  %d wait, %d at work, %d done; %s open\n", time.Now().Format(time.TimeOnly), s.Todo, s.Taken, s.Done, report.Plural(s.Open, "mutant"))
				}
			})
			if stopped := interrupted(c.Context()); err != nil && stopped != nil {
				return stopped
			}
			if err != nil {
				return err
			}
			if !last.Ended() || last.Failed > 0 {
				return fmt.Errorf("%s: the jobs have ended, and %s left; netcov farm submit goes on", args[0], plural(last.Todo+last.Taken+last.Failed, "batch is", "batches are"))
			}
			return nil
		},
	}
	launcherFlag(c, &launcher)
	c.Flags().BoolVar(&quiet, "quiet", false, "tell nothing (default false)")
	return c
}

func newFarmCancelCommand() *cobra.Command {
	var launcher string
	c := &cobra.Command{
		Use:   "cancel DIR",
		Short: "End the workers of a farm",
		Long: `Tells the workers of the farm in DIR to end, and the scheduler to end its jobs. What
was decided stays: netcov farm merge reports it, and netcov farm submit goes on.`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			x, err := farm.Open(c.Context(), args[0])
			if err != nil {
				return err
			}
			return x.CancelJobs(c.Context(), launcher)
		},
	}
	launcherFlag(c, &launcher)
	return c
}

func newFarmMergeCommand() *cobra.Command {
	var f coverFlags
	c := &cobra.Command{
		Use:   "merge DIR",
		Short: "Confirm what the workers of a farm have found, and write the report",
		Long: `Reads the journals of the farm in DIR, confirms each verdict by the second opinion, and
writes the report and all else that netcov cover writes. Nothing that a worker wrote is
believed. It can be given while workers run: then what they have yet to find is unknown.

A journal that is damaged, belongs to another run, or tells something that is not so is
an error that names the file. Remove that file, submit the farm again, and what it told
is decided anew.

Exit codes: as of netcov cover.`,
		Args: cobra.ExactArgs(1),
	}
	topics := f.questionTopics()
	effortFlags := newTopic("Effort")
	effortFlags.flags.IntVar(&f.jobs, "jobs", 1, "processors")
	effortFlags.flags.StringVar(&f.reasons.time, "why", "1x", "time for the reasons of mutants that are not covered: 1x (times the coverage, at least 1s), 60s, or none: no reasons (default what the farm was submitted with)")
	groupFlags(c, effortFlags, f.outputsTopic())
	f.input.given = c.Flags().Changed
	c.RunE = func(c *cobra.Command, args []string) error {
		return f.merge(c, args[0], topics)
	}
	return c
}

func (f *coverFlags) merge(c *cobra.Command, dir string, topics []topic) error {
	ctx := c.Context()
	x, err := farm.Open(ctx, dir)
	if err != nil {
		return err
	}
	if f.input.given("why") {
		delete(x.Flags, "why")
	}
	opt, err := f.restore(x, topics...)
	if err != nil {
		return err
	}
	if err := f.checkOutputs(nil); err != nil {
		return err
	}
	defer memlimit.Apply(opt.MemoryLimit)()
	opt.Role = coverage.Merger
	if opt.Resume, err = x.Sources(); err != nil {
		return err
	}
	if err := f.makeOutputs(); err != nil {
		return err
	}
	x.Design.FindLongestRun(ctx, opt.MemoryLimit)
	if f.verbose {
		opt.Log = newLog(c.ErrOrStderr())
	}
	opt.Effort = &effort.Engines{}
	bar := f.progress(c.ErrOrStderr(), &opt)
	set, failed := x.Design.Run(ctx, x.Properties, opt)
	bar()
	if failed != nil && (set == nil || len(set.Outcomes) == 0) {
		return failed
	}
	opt.Role, opt.Resume = coverage.Alone, nil // for what comes after the verdicts
	return f.finish(c, x.Design, opt, set, failed, []string{x.Design.Path})
}
