package farm

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"text/template"
	"time"

	"github.com/BurntSushi/toml"
)

// How workers are started: by the commands of a scheduler, which are templates in a
// file. Another scheduler needs no code.

//go:embed launchers/*.toml
var shipped embed.FS

// Launcher is the form of a launcher's file (TOML). Commands are lists of arguments,
// each a template (text/template); an argument that comes out empty is left out, and
// {{options}} stands for the further options that the user gives. No shell reads them.
type Launcher struct {
	// Workers starts the array of workers, and Merge the job that runs when all of
	// them have ended; in templates .Name of the farm, .Tasks and .Last (its number
	// minus one) of the array, .Script, .Log (a directory), .Jobs (processors of a
	// task), .Memory and .Time of a task, .Processors of this machine; for Merge also
	// .Workers, the workers' ID, empty where there are none.
	Workers []string `toml:"workers"`
	Merge   []string `toml:"merge"`
	// ID is a regular expression whose first group is the ID of the job in what
	// Workers and Merge print.
	ID string `toml:"id"`
	// Task is the environment variable that has the number of a worker, which begins
	// with First.
	Task  string `toml:"task"`
	First int    `toml:"first"`
	// Alive prints something while the job .ID exists. Gone is a regular expression
	// for the messages with which it fails when the job does not exist any more.
	Alive []string `toml:"alive"`
	Gone  string   `toml:"gone"`
	// Cancel ends the job .ID; none where workers are to see it by themselves.
	Cancel []string `toml:"cancel"`
	// Killed is shell code that runs after a worker that was killed (signal 9).
	Killed string `toml:"killed"`

	id, gone *regexp.Regexp
}

// job is what templates know.
type job struct {
	Name, Script, Log, ID, Workers string
	Tasks, Last, Jobs, Processors  int
	Memory                         int64
	Time                           time.Duration
}

// Launchers lists the names of those that are shipped.
func Launchers() []string {
	files, _ := fs.Glob(shipped, "launchers/*.toml")
	for i, f := range files {
		files[i] = strings.TrimSuffix(strings.TrimPrefix(f, "launchers/"), ".toml")
	}
	return files
}

// LoadLauncher returns a launcher that is shipped, by its name, or that of a file.
func LoadLauncher(name string) (*Launcher, error) {
	text, err := shipped.ReadFile("launchers/" + name + ".toml")
	if err != nil {
		if text, err = os.ReadFile(name); err != nil {
			return nil, fmt.Errorf("there is no launcher %q: it is %s, or a file: %w", name, strings.Join(Launchers(), ", "), err)
		}
	}
	var l Launcher
	meta, err := toml.Decode(string(text), &l)
	if err != nil {
		var p toml.ParseError
		if errors.As(err, &p) {
			return nil, fmt.Errorf("%s:%d: %s", name, p.Position.Line, p.Message)
		}
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if unknown := meta.Undecoded(); len(unknown) > 0 {
		return nil, fmt.Errorf("%s: there is no setting %q of a launcher", name, unknown[0])
	}
	switch {
	case len(l.Workers) == 0 || len(l.Merge) == 0 || len(l.Alive) == 0:
		return nil, fmt.Errorf("%s: a launcher needs the commands workers, merge and alive", name)
	case l.Task == "":
		return nil, fmt.Errorf("%s: a launcher needs task, the environment variable with a worker's number", name)
	case !variable.MatchString(l.Task):
		return nil, fmt.Errorf("%s: task = %q is no name of an environment variable", name, l.Task)
	}
	if l.id, err = regexp.Compile(l.ID); err != nil || l.id.NumSubexp() < 1 {
		return nil, fmt.Errorf("%s: id = %q is no regular expression with a group", name, l.ID)
	}
	if l.gone, err = regexp.Compile(l.Gone); err != nil {
		return nil, fmt.Errorf("%s: gone = %q: %w", name, l.Gone, err)
	}
	for what, command := range map[string][]string{"workers": l.Workers, "merge": l.Merge, "alive": l.Alive, "cancel": l.Cancel} {
		if _, err := expand(command, job{Memory: 1, Time: 1, Workers: "1"}, nil); err != nil {
			return nil, fmt.Errorf("%s: %s: %w", name, what, err)
		}
	}
	return &l, nil
}

var variable = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// options stands for the user's options of the scheduler.
const options = "{{options}}"

var functions = template.FuncMap{
	"mebibytes": func(bytes int64) int64 { return (bytes + 1<<20 - 1) >> 20 },
	"minutes":   func(d time.Duration) int64 { return int64((d + time.Minute - 1) / time.Minute) },
	"quote":     quote,
}

// quote makes one word of a shell's command of a text.
func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// expand fills in the templates of a command.
func expand(command []string, j job, more []string) ([]string, error) {
	var out []string
	for _, arg := range command {
		if arg == options {
			out = append(out, more...)
			continue
		}
		t, err := template.New("").Option("missingkey=error").Funcs(functions).Parse(arg)
		if err != nil {
			return nil, fmt.Errorf("%q: %w", arg, err)
		}
		var b strings.Builder
		if err := t.Execute(&b, j); err != nil {
			return nil, fmt.Errorf("%q: %w", arg, err)
		}
		if b.Len() > 0 {
			out = append(out, b.String())
		}
	}
	return out, nil
}

// commandTime is how long a command of the scheduler may take.
const commandTime = 2 * time.Minute

// run runs a command of the launcher and returns what it printed. It is a process
// group of its own, and so is what it leaves in the background.
func run(ctx context.Context, command []string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, commandTime)
	defer cancel()
	c := exec.CommandContext(ctx, command[0], command[1:]...)
	ownGroup(c)
	var out, errOut bytes.Buffer
	c.Stdout, c.Stderr = &out, &errOut
	if err := c.Run(); err != nil {
		said := strings.Join(strings.Fields(errOut.String()), " ")
		return out.String(), fmt.Errorf("%s: %w: %s", command[0], err, said)
	}
	return out.String(), nil
}

// start runs one of the commands that make a job and returns its ID.
func (l *Launcher) start(ctx context.Context, command []string, j job, more []string) (string, error) {
	args, err := expand(command, j, more)
	if err != nil {
		return "", err
	}
	out, err := run(ctx, args)
	if err != nil {
		return "", err
	}
	m := l.id.FindStringSubmatch(out)
	if m == nil {
		return "", fmt.Errorf("%s printed %q, which has no ID of a job", args[0], strings.TrimSpace(out))
	}
	return m[1], nil
}

// alive reports whether a job exists.
func (l *Launcher) alive(ctx context.Context, j job) (bool, error) {
	args, err := expand(l.Alive, j, nil)
	if err != nil {
		return false, err
	}
	out, err := run(ctx, args)
	if err != nil && l.Gone != "" && l.gone.MatchString(err.Error()) {
		return false, nil
	}
	return slices.ContainsFunc(strings.Fields(out), func(w string) bool { return w == j.ID }), err
}
