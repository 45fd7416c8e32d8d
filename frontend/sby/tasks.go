// Tasks and tags: which lines of a project a task has. Each line of the section [tasks]
// names tasks and the groups that they belong to; a line that begins with "name:" is
// there for that task or group alone, one with "~name:" for all others. Such a mark on
// a line of its own begins a block, which goes on to the next or to "--". A block of
// Python writes lines, which are read as if they stood there.

package sby

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"netcov/frontend/sby/python"
)

// The marks around a block of Python.
const (
	pythonBegin = "--pycode-begin--"
	pythonEnd   = "--pycode-end--"
)

// tagging collects the tasks and decides on lines.
type tagging struct {
	p        *project
	task     string
	tasks    []string // all, in their order
	defaults []string // those that are run unless one is named
	names    map[string]bool
	active   map[string]bool // task and groups
	matched  bool

	inTasks bool
	block   bool // a block is open
	skip    bool // and it is not this task's
}

// selectTask returns the lines for a task. Without a name it takes the only one.
func (p *project) selectTask(text, task string) ([]line, error) {
	t, lines, err := p.tag(text, task)
	if err != nil {
		return nil, err
	}
	candidates := t.tasks
	if len(t.defaults) > 0 {
		candidates = t.defaults
	}
	switch {
	case task == "" && len(candidates) == 1:
		p.task = candidates[0]
		_, lines, err = p.tag(text, p.task)
		return lines, err
	case task == "" && len(candidates) > 1:
		return nil, p.refuse(line{}, "name one of them after the file: "+strings.Join(t.tasks, ", "), "the project has %d tasks", len(t.tasks))
	case task != "" && len(t.tasks) == 0:
		return nil, p.refuse(line{}, "name none", "the project has no tasks, so %q is none", task)
	case task != "" && !t.matched:
		return nil, p.refuse(line{}, "it has "+strings.Join(t.tasks, ", "), "the project has no task %q", task)
	}
	p.task = task
	return lines, nil
}

// tag walks over all lines.
func (p *project) tag(text, task string) (*tagging, []line, error) {
	t := &tagging{p: p, task: task, names: map[string]bool{}, active: map[string]bool{}}
	p.read = nil
	var lines []line
	take := func(l line) error {
		keep, err := t.line(&l)
		if keep {
			lines = append(lines, l)
		}
		return err
	}
	no := 0
	begin := 0 // of the open block of Python
	var block strings.Builder
	for raw := range strings.Lines(text) {
		no++
		l := line{strings.TrimRight(raw, "\r\n"), no}
		switch {
		case begin == 0 && l.text == pythonBegin:
			begin = no
			block.Reset()
		case begin == 0:
			if err := take(l); err != nil {
				return nil, nil, err
			}
		case l.text != pythonEnd:
			block.WriteString(l.text + "\n")
		default:
			written, err := t.python(begin, block.String())
			if err != nil {
				return nil, nil, err
			}
			for _, l := range written {
				if err := take(l); err != nil {
					return nil, nil, err
				}
			}
			begin = 0
		}
	}
	if begin > 0 {
		return nil, nil, p.refuse(line{no: begin}, "add a line with "+pythonEnd, "the block of Python has no end")
	}
	return t, lines, nil
}

// python returns the lines that a block of Python writes. It is interpreted, and Python
// never sees it.
func (t *tagging) python(begin int, block string) ([]line, error) {
	env := python.Env{Task: t.task, Read: t.p.open, List: t.p.list}
	for tag := range t.active {
		env.Tags = append(env.Tags, tag)
	}
	out, err := python.Run(block, env)
	var wrong *python.Error
	if errors.As(err, &wrong) {
		return nil, t.p.refuse(line{no: begin + wrong.Line}, "write the lines of the project out, or give netcov what SymbiYosys writes with its option dumpcfg", "a block of Python, which netcov reads and never runs: %s", wrong.What)
	}
	var lines []line
	for _, o := range out {
		l := line{strings.TrimRight(o.Text, "\r\n"), begin + o.Line}
		if strings.ContainsAny(l.text, "\r\n") || l.text == pythonBegin {
			return nil, t.p.refuse(l, "write one line with each output", "a block of Python writes %q as one line", l.text)
		}
		lines = append(lines, l)
	}
	return lines, err
}

// maxRead is the most of a file that a block of Python reads.
const maxRead = 1 << 20

// open reads a file for a block of Python, relative to the folder of the project.
func (p *project) open(name string) ([]byte, error) {
	path := p.beside(name)
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, fmt.Errorf("there is no file %s", path)
	case !info.Mode().IsRegular() || info.Size() > maxRead:
		return nil, fmt.Errorf("%s is no file of at most %d bytes", path, maxRead)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxRead))
	p.read = append(p.read, text)
	return text, err
}

// list returns the names in a folder for a block of Python.
func (p *project) list(name string) ([]string, error) {
	entries, err := os.ReadDir(p.beside(name))
	if err != nil {
		return nil, fmt.Errorf("there is no folder %s", p.beside(name))
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names, nil
}

// beside is a path relative to the project's folder.
func (p *project) beside(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(filepath.Dir(p.path), name)
}

// line decides on a line, and takes the mark off.
func (t *tagging) line(l *line) (keep bool, err error) {
	if t.inTasks && strings.HasPrefix(l.text, "[") {
		t.inTasks = false
	}
	if t.inTasks {
		return false, t.define(*l)
	}
	if t.block && strings.TrimSpace(l.text) == "--" {
		t.block, t.skip = false, false
		return false, nil
	}
	name, rest, found := strings.Cut(l.text, ":")
	plain := strings.TrimPrefix(name, "~")
	switch {
	case found && t.names[plain]:
		mine := t.active[plain] == (plain == name)
		l.text = strings.TrimLeft(rest, " \t")
		if l.text == "" {
			t.block, t.skip = true, !mine
			return false, nil
		}
		return mine && !t.skip, nil
	case len(t.names) > 0 && unknownTag.MatchString(l.text):
		return false, t.p.refuse(*l, "list it in [tasks]", "%q is no task and no group", strings.TrimSuffix(strings.Fields(l.text)[0], ":"))
	}
	if l.text == "[tasks]" {
		t.inTasks = true
		return false, nil
	}
	return !t.skip, nil
}

// unknownTag is a line that begins as one for a task does.
var unknownTag = regexp.MustCompile(`^\S+:(\s|$)`)

// define reads a line of the section [tasks]: tasks, or one task and its groups.
func (t *tagging) define(l line) error {
	if strings.HasPrefix(l.text, "#") {
		return nil
	}
	left, right, several := strings.Cut(l.text, ":")
	tasks, groups := strings.Fields(left), strings.Fields(right)
	if strings.Contains(right, ":") {
		return t.p.refuse(l, "write the tasks, a colon, and their groups", "a line of [tasks] with two colons")
	}
	if !several && len(tasks) > 1 {
		tasks, groups = tasks[:1], tasks[1:]
	}
	for _, g := range groups {
		if g != "default" && !isPattern(g) {
			t.names[g] = true
		}
	}
	for _, name := range tasks {
		if !isPattern(name) {
			if !slices.Contains(t.tasks, name) {
				t.tasks = append(t.tasks, name)
			}
			if slices.Contains(groups, "default") && !slices.Contains(t.defaults, name) {
				t.defaults = append(t.defaults, name)
			}
			t.names[name] = true
		}
		ok, err := t.match(l, name, t.task)
		if err != nil {
			return err
		}
		if t.task == "" || !ok {
			continue
		}
		t.matched = true
		t.active[name] = true
		for _, g := range groups {
			for known := range t.names {
				ok, err := t.match(l, g, known)
				if err != nil {
					return err
				}
				if ok && g != "default" {
					t.active[known] = true
				}
			}
		}
	}
	return nil
}

// isPattern reports whether a name is a regular expression.
func isPattern(name string) bool { return strings.ContainsAny(name, "(?*.[]|)") }

// match reports whether a name, or a regular expression, fits the whole of another.
func (t *tagging) match(l line, pattern, name string) (bool, error) {
	if !isPattern(pattern) {
		return pattern == name, nil
	}
	re, err := regexp.Compile(`^(?:` + pattern + `)$`)
	if err != nil {
		return false, t.p.refuse(l, "correct it", "%q is no regular expression", pattern)
	}
	return re.MatchString(name), nil
}
