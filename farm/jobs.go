package farm

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"
)

// The jobs of a farm: an array of workers and, when all have ended, a merge.

// Jobs are the jobs of the last submission.
type Jobs struct {
	Launcher string   `json:"launcher"` // name or file
	Name     string   `json:"name"`
	Options  []string `json:"options,omitempty"` // of the scheduler
	Workers  string   `json:"workers"`           // ID; "" where no mutant was left
	Merge    string   `json:"merge"`
}

// Submission says how jobs are started.
type Submission struct {
	Launcher string // name or file
	Options  []string
	Tasks    int      // workers; 0: none, the merge only
	Jobs     int      // processors of a task
	Program  string   // netcov
	Worker   []string // its arguments for a worker; the number comes last
	Merge    []string // and for the merge
}

const jobsFile = "jobs.json"

// Submit writes the scripts and starts the jobs.
func (f *Farm) Submit(ctx context.Context, s Submission) (Jobs, error) {
	l, err := LoadLauncher(s.Launcher)
	if err != nil {
		return Jobs{}, err
	}
	dir, err := filepath.Abs(f.Dir)
	if err != nil {
		return Jobs{}, err
	}
	here, err := os.Getwd()
	if err != nil {
		return Jobs{}, err
	}
	sum := sha256.Sum256([]byte(dir))
	jobs := Jobs{Launcher: s.Launcher, Name: fmt.Sprintf("netcov-%x", sum[:4]), Options: s.Options}
	j := job{
		Name: jobs.Name, Log: filepath.Join(dir, logDir), Tasks: s.Tasks, Last: s.Tasks - 1, Jobs: s.Jobs,
		Processors: runtime.NumCPU(), Memory: f.Memory, Time: f.WorkerTime,
	}
	if s.Tasks > 0 {
		j.Script = filepath.Join(dir, "worker.sh")
		args := append(quoteAll(append([]string{s.Program}, s.Worker...)), fmt.Sprintf(`"$((${%s:-%d} - %d))"`, l.Task, l.First, l.First))
		if err := writeScript(j.Script, here, args, l.Killed); err != nil {
			return Jobs{}, err
		}
		if jobs.Workers, err = l.start(ctx, l.Workers, j, s.Options); err != nil {
			return Jobs{}, fmt.Errorf("starting the workers: %w", err)
		}
	}
	if err := f.writeJSON(jobsFile, jobs); err != nil { // what runs can be cancelled, whatever comes next
		return jobs, err
	}
	j.Script, j.Workers = filepath.Join(dir, "merge.sh"), jobs.Workers
	if err := writeScript(j.Script, here, quoteAll(append([]string{s.Program}, s.Merge...)), ""); err != nil {
		return jobs, err
	}
	if jobs.Merge, err = l.start(ctx, l.Merge, j, s.Options); err != nil {
		return jobs, fmt.Errorf("starting the merge: %w", err)
	}
	return jobs, f.writeJSON(jobsFile, jobs)
}

func quoteAll(args []string) []string {
	out := make([]string, len(args))
	for i, a := range args {
		out[i] = quote(a)
	}
	return out
}

// writeScript writes the script of a job.
func writeScript(path, here string, command []string, killed string) error {
	text := "#!/bin/sh\n# Written by netcov: it is replaced when the farm is submitted again.\ncd " + quote(here) + " || exit 1\n" +
		strings.Join(command, " ") + "\ncode=$?\n"
	if killed != "" {
		text += "if [ $code -eq 137 ]; then\n" + strings.Trim(killed, "\n") + "\nfi\n"
	}
	if err := os.WriteFile(path, []byte(text+"exit $code\n"), 0o777); err != nil {
		return err
	}
	return os.Chmod(path, 0o755)
}

// ReadJobs returns the jobs of the last submission; none where there was none.
func (f *Farm) ReadJobs() (Jobs, error) {
	var j Jobs
	err := readJSON(f.path(jobsFile), &j)
	if errors.Is(err, fs.ErrNotExist) {
		return Jobs{}, nil
	}
	for _, id := range []string{j.Name, j.Workers, j.Merge} {
		if err == nil && !harmless.MatchString(id) {
			err = fmt.Errorf("%s: %q is no name of a job; restore the file, or submit the farm again", f.path(jobsFile), id)
		}
	}
	return j, err
}

// harmless is what may be an argument of a scheduler's command, or a word of a shell's.
var harmless = regexp.MustCompile(`^[A-Za-z0-9_.\[\]][A-Za-z0-9_.\[\]-]*$|^$`)

// launcher returns the one that started the jobs. One that is not shipped must be
// named anew: whoever can write to the directory could name a file of his own, whose
// commands would be run.
func (j Jobs) launcher(named string) (*Launcher, error) {
	switch {
	case slices.Contains(Launchers(), j.Launcher):
		return LoadLauncher(j.Launcher)
	case named == "":
		return nil, fmt.Errorf("%w: %s", ErrLauncher, j.Launcher)
	}
	return LoadLauncher(named)
}

// ErrLauncher is in the chain of the error where a launcher that is not shipped has to be
// named.
var ErrLauncher = errors.New("the farm was submitted with a launcher of your own; name it again")

// Running tells which of the farm's jobs the scheduler still knows. named is a
// launcher's file, where it is not one that is shipped.
func (f *Farm) Running(ctx context.Context, j Jobs, named string) (workers, merge bool, err error) {
	if j.Launcher == "" {
		return false, false, nil
	}
	l, err := j.launcher(named)
	if err != nil {
		return false, false, err
	}
	if j.Workers != "" {
		if workers, err = l.alive(ctx, job{Name: j.Name, ID: j.Workers}); err != nil {
			return false, false, err
		}
	}
	if j.Merge != "" {
		merge, err = l.alive(ctx, job{Name: j.Name, ID: j.Merge})
	}
	return workers, merge, err
}

// CancelJobs tells the workers to end, and the scheduler to end the farm's jobs. named
// is as for Running.
func (f *Farm) CancelJobs(ctx context.Context, named string) error {
	if err := f.Cancel(); err != nil {
		return err
	}
	j, err := f.ReadJobs()
	if err != nil || j.Launcher == "" {
		return err
	}
	l, err := j.launcher(named)
	if err != nil || len(l.Cancel) == 0 {
		return err
	}
	for _, id := range []string{j.Merge, j.Workers} {
		if id == "" {
			continue
		}
		alive, err := l.alive(ctx, job{Name: j.Name, ID: id})
		if err != nil || !alive {
			continue
		}
		args, err := expand(l.Cancel, job{Name: j.Name, ID: id}, nil)
		if err != nil {
			return err
		}
		if _, err := run(ctx, args); err != nil {
			return err
		}
	}
	return nil
}

// poll is how often Wait looks.
const poll = 2 * time.Second

// Wait waits until no job of the farm is left or, where there are no jobs, no batch.
// Each change is told. named is as for Running.
func (f *Farm) Wait(ctx context.Context, named string, changed func(Status)) error {
	j, err := f.ReadJobs()
	if err != nil {
		return err
	}
	var before Status
	for first := true; ; first = false {
		s, err := f.Status()
		if err != nil {
			return err
		}
		if first || s != before {
			changed(s)
		}
		before = s
		workers, merge, err := f.Running(ctx, j, named)
		switch {
		case errors.Is(err, ErrLauncher):
			return err
		case err == nil && !workers && !merge && (j.Launcher != "" || s.Ended()):
			return nil // an error of the scheduler may pass
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(poll):
		}
	}
}
