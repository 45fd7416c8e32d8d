package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"netcov/coverage/report"
	"netcov/farm"
	"netcov/internal/effort"
	"netcov/internal/memlimit"
)

func newFarmCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "farm",
		Short: "Decide the mutants of a design on many machines: Slurm, LSF, or none",
		Long: `Does what netcov cover does, with many processes that share a directory and nothing
else. netcov farm submit model checks the design, runs the tests that look at all
mutants at once, and starts an array of workers for the rest, by a batch scheduler or
on this machine; when they have ended, a last job confirms all verdicts and writes the
report.

  netcov farm submit FILE --dir DIR --tasks 200 --launcher slurm
  netcov farm wait DIR
  netcov farm merge DIR --format json -o report.json

A worker that is killed, run again, or run twice changes nothing in the result.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(newFarmSubmitCommand(), newFarmWorkerCommand(), newFarmStatusCommand(), newFarmWaitCommand(), newFarmCancelCommand(), newFarmMergeCommand())
	for _, sub := range c.Commands() {
		wrapArgs(sub)
	}
	return c
}

// farmFlags are the settings of netcov farm submit.
type farmFlags struct {
	coverFlags
	dir      string
	tasks    int
	launcher string
	options  []string
	time     time.Duration
	lease    time.Duration
	batch    time.Duration
	mutant   time.Duration
	asked    []topic // whose flags the later commands need
	merging  topic   // whose flags the merge gets
}

func newFarmSubmitCommand() *cobra.Command {
	var f farmFlags
	c := &cobra.Command{
		Use:   "submit FILE... --dir DIR",
		Short: "Model check the design, make batches of the mutants that are left, start workers",
		Long: `Model checks the design and runs the tests that look at all mutants at once, here.
The mutants that are left become small batches in DIR, and the launcher starts workers
for them, and a job that merges in the end. The report goes to DIR/report.txt and
DIR/report.json unless the flags of the outputs say otherwise.

DIR is new or empty, or a farm of the same run: then the work goes on, with what its
workers have found, and batches of whatever is not decided. Give it again after a
failure, a cancellation, or a time limit.

A launcher is a file of command templates. These are shipped: ` + strings.Join(farm.Launchers(), ", ") + `.

` + designHelp + `

Exit codes: 0 the jobs are started, or nothing is left to do; 1 bad input or failure;
2 usage; 3 the property fails on the design itself; 4 the design is undecided in the
time given; 130 or 143 interrupted (give the same command again to go on).`,
		Args: f.input.args,
		RunE: func(c *cobra.Command, args []string) error { return f.submit(c, args) },
	}
	t := newTopic("The farm")
	t.flags.StringVar(&f.dir, "dir", "", "directory that all hosts see; needed")
	t.flags.IntVar(&f.tasks, "tasks", 8, "workers, at most as many as there are batches")
	t.flags.StringVar(&f.launcher, "launcher", "local", "what starts the workers: "+strings.Join(farm.Launchers(), ", ")+", a file, or none: you start them")
	t.flags.StringArrayVar(&f.options, "launcher-option", nil, "option for the scheduler, such as --partition=long; may be repeated (default none)")
	t.flags.DurationVar(&f.time, "time", 0, "time limit of a worker, such as 4h, for the scheduler and netcov (default none)")
	t.flags.StringVar(&f.memory, "memory-limit", "", "memory of a job, such as 4GiB, for the scheduler; netcov abandons an engine at 80% of it (default none)")
	t.flags.IntVar(&f.jobs, "jobs", 1, "processors of a job, for the scheduler and netcov")
	t.flags.DurationVar(&f.batch, "batch-time", time.Minute, "time for a batch of mutants; what it leaves is tried again in smaller batches, with four times as much, and in the end each node by itself")
	t.flags.DurationVar(&f.mutant, "mutant-time", 0, "longest time for a batch; what is then undecided stays so (default none)")
	t.flags.DurationVar(&f.lease, "lease", 3*time.Minute, "a worker that is silent for so long has died; longer than the directory's caches keep times of files")
	faults, effort, trust := f.faultsTopic(), f.effortTopic(), f.trustTopic()
	design := f.designTopic()
	property := newTopic("")
	property.flags.AddFlag(design.flags.Lookup("property"))
	f.asked, f.merging = []topic{faults, effort, trust, property}, f.outputsTopic()
	groupFlags(c, design, t, faults, effort, f.merging, trust)
	f.input.given = c.Flags().Changed
	return c
}

// given lists the flags that say what is asked, as far as they were given.
func (f *farmFlags) givenFlags() map[string]string {
	out := map[string]string{}
	for _, t := range f.asked {
		t.flags.VisitAll(func(x *pflag.Flag) {
			if f.input.given(x.Name) {
				out[x.Name] = x.Value.String()
			}
		})
	}
	return out
}

// memoryShare is the share of a job's memory at which netcov abandons an engine: the
// scheduler counts more than the heap.
const memoryShare = 0.8

func (f *farmFlags) submit(c *cobra.Command, paths []string) error {
	if f.input.script {
		return f.input.showScript(c, paths)
	}
	ctx := c.Context()
	opt, err := f.coverFlags.options()
	if err != nil {
		return err
	}
	switch {
	case f.dir == "":
		return usagef("--dir is needed: a directory that all hosts see")
	case f.tasks < 1:
		return usagef("--tasks %d: at least 1 is needed", f.tasks)
	case f.batch < farm.LeastBatchTime:
		return usagef("--batch-time %v: give %v or more", f.batch, farm.LeastBatchTime)
	case f.lease <= 0 || f.mutant < 0 || f.time < 0:
		return usagef("--lease is longer than nothing, --mutant-time and --time are 0 or more")
	}
	if f.launcher != "none" {
		if _, err := farm.LoadLauncher(f.launcher); err != nil {
			return usagef("--launcher: %v", err)
		}
	}
	memory, err := parseBytes("memory-limit", f.memory)
	if err != nil {
		return err
	}
	opt.MemoryLimit = int64(memoryShare * float64(memory))
	f.input.memory = opt.MemoryLimit
	defer memlimit.Apply(opt.MemoryLimit)()
	in, err := f.input.read(ctx, paths)
	if err != nil {
		return err
	}
	if !f.quiet {
		if err := writeNotes(c.ErrOrStderr(), in.Design.Notes); err != nil {
			return err
		}
	}
	which, err := f.question(in, &opt)
	if err != nil {
		return err
	}
	header, err := f.header(in, which, opt)
	if err != nil {
		return err
	}
	x, err := farm.Create(f.dir, in, farm.Settings{
		Header: header, Flags: f.givenFlags(), Properties: which, Lease: f.lease, BatchTime: f.batch, MutantTime: f.mutant, WorkerTime: f.time, Memory: memory,
	})
	if err != nil {
		return err
	}
	if err := f.refuseRunning(ctx, x); err != nil {
		return err
	}
	if f.verbose {
		opt.Log = newLog(c.ErrOrStderr())
	}
	opt.Effort = &effort.Engines{}
	begin := time.Now()
	bar := f.progress(c.ErrOrStderr(), &opt)
	set, err := x.Share(ctx, opt)
	bar()
	if stopped := interrupted(ctx); err != nil && stopped != nil {
		return stopped
	}
	if err != nil {
		return err
	}
	left, batches, err := x.Plan(set, f.tasks)
	if err != nil {
		return err
	}
	total := 0
	for range set.All() {
		total++
	}
	out := c.OutOrStdout()
	if !f.quiet {
		fmt.Fprintf(out, "shared part   %s of %s decided in %.1f s\n", report.Plural(total-left, "mutant"), humanize.Comma(int64(total)), time.Since(begin).Seconds())
		fmt.Fprintf(out, "left          %s in %s\n", report.Plural(left, "mutant"), plural(batches, "batch", "batches"))
	}
	if f.launcher != "none" {
		jobs, err := x.Submit(ctx, f.submission(min(f.tasks, batches)))
		if err != nil {
			return err
		}
		if !f.quiet {
			if batches > 0 {
				fmt.Fprintf(out, "workers       %d, job %s\n", min(f.tasks, batches), jobs.Workers)
			}
			fmt.Fprintf(out, "merge         job %s\n", jobs.Merge)
		}
	}
	return f.next(out, batches)
}

// refuseRunning refuses to submit a farm anew whose jobs have not ended.
func (f *farmFlags) refuseRunning(ctx context.Context, x *farm.Farm) error {
	jobs, err := x.ReadJobs()
	if err != nil {
		return err
	}
	workers, merge, err := x.Running(ctx, jobs, f.launcher)
	if err != nil {
		return err
	}
	if workers || merge {
		return fmt.Errorf("%s: its jobs have not ended; wait for them, or cancel them with netcov farm cancel", f.dir)
	}
	return nil
}

// next says what to do next.
func (f *farmFlags) next(out io.Writer, batches int) error {
	if f.quiet {
		return nil
	}
	var err error
	switch {
	case f.launcher != "none":
		_, err = fmt.Fprintf(out, "next          netcov farm wait %s\n", f.dir)
	case batches > 0:
		_, err = fmt.Fprintf(out, "next          on each host: netcov farm worker %s\n              then: netcov farm merge %s\n", f.dir, f.dir)
	default:
		_, err = fmt.Fprintf(out, "next          netcov farm merge %s\n", f.dir)
	}
	return err
}

// submission is what the launcher is to start.
func (f *farmFlags) submission(tasks int) farm.Submission {
	program, err := os.Executable()
	if err != nil {
		program = os.Args[0]
	}
	dir, err := filepath.Abs(f.dir)
	if err != nil {
		dir = f.dir
	}
	s := farm.Submission{Launcher: f.launcher, Options: f.options, Tasks: tasks, Jobs: f.jobs, Program: program}
	s.Worker = []string{"farm", "worker", dir, fmt.Sprintf("--jobs=%d", f.jobs), "--task"}
	s.Merge = []string{"farm", "merge", dir, fmt.Sprintf("--jobs=%d", f.jobs), "--quiet"}
	named := false
	f.merging.flags.VisitAll(func(x *pflag.Flag) {
		switch {
		case !f.input.given(x.Name) || x.Name == "quiet":
		case x.Name == "format":
			named = true
			for _, form := range f.formats {
				s.Merge = append(s.Merge, "--format="+form)
			}
		default:
			named = named || x.Name == "output"
			s.Merge = append(s.Merge, "--"+x.Name+"="+x.Value.String())
		}
	})
	if !named {
		s.Merge = append(s.Merge, "--format=text="+filepath.Join(dir, "report.txt"), "--format=json="+filepath.Join(dir, "report.json"))
	}
	return s
}
